"""Who asks: the visitor behind a session cookie, which holds a signed token (RFC 7519, RFC 8725)."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Self

from fingerpost.catalogue.visitor import ANONYMOUS, Visitor
from fingerpost.errors import SettingError
from fingerpost.observe import log_warning
from fingerpost.sources.objects import ObjectStore
from fingerpost.values import dataclass
from fingerpost.web.jwks import ALGORITHMS, KeySet, fetch_https
from fingerpost.web.request import Request

# A cookie that a browser keeps is at most 4,096 bytes long (RFC 6265 6.1); twice that is none of ours.
TOKEN_CHARACTERS: Final = 8 * 1024
# How far the issuer's clock may be from ours (seconds).
LEEWAY_SECONDS: Final = 30

# RFC 7515 7.1: three base64url parts. An unsigned token has an empty last one, and is no session.
_TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_COOKIE_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
DEFAULT_COOKIE: Final = "session"
DEFAULT_ROLES_CLAIM: Final = "roles"
_REQUIRED: Final = ("SESSION_JWKS", "SESSION_ISSUER", "SESSION_AUDIENCE")


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Where sessions come from. `jwks` is an https address or the key of an object of the site."""

    jwks: str
    issuer: str
    audience: str
    cookie: str = DEFAULT_COOKIE
    roles_claim: str = DEFAULT_ROLES_CLAIM

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self | None:
        """Read SESSION_JWKS, SESSION_ISSUER, SESSION_AUDIENCE and, where they differ from the usual,
        SESSION_COOKIE (`session`) and SESSION_ROLES_CLAIM (`roles`).

        None of the first three: None, and everyone is anonymous. Some of them, or a value that can't be
        used: SettingError.
        """
        values = {name: environment.get(name, "").strip() for name in _REQUIRED}
        missing = [name for name, value in values.items() if not value]
        if len(missing) == len(_REQUIRED):
            return None
        if missing:
            present = ", ".join(name for name in _REQUIRED if name not in missing)
            raise SettingError(
                f"{', '.join(missing)}: expected a value, because {present} is set and a session is only "
                "trusted with all three; found nothing"
            )
        jwks = values["SESSION_JWKS"]
        if "://" in jwks and not jwks.startswith("https://"):
            raise SettingError(
                f"SESSION_JWKS: expected an https address or the key of an object, found {jwks!r}"
            )
        cookie = environment.get("SESSION_COOKIE", "").strip() or DEFAULT_COOKIE
        if not _COOKIE_NAME.fullmatch(cookie):
            raise SettingError(f"SESSION_COOKIE: expected a cookie's name, found {cookie!r}")
        claim = environment.get("SESSION_ROLES_CLAIM", "").strip() or DEFAULT_ROLES_CLAIM
        return cls(jwks, values["SESSION_ISSUER"], values["SESSION_AUDIENCE"], cookie, claim)


class SessionReader:
    """Tells visitors by their session cookie. Whatever is wrong with it makes them anonymous."""

    def __init__(self, settings: SessionSettings | None, keys: KeySet | None) -> None:
        self._settings = settings
        self._keys = keys

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], store: ObjectStore) -> Self:
        """The reader that the environment asks for; `store` holds the keys where SESSION_JWKS is an object's
        key. Raises SettingError; asks nobody for keys yet."""
        settings = SessionSettings.from_environment(environment)
        if settings is None:
            return cls(None, None)
        if settings.jwks.startswith("https://"):
            return cls(settings, KeySet(partial(fetch_https, settings.jwks)))
        key = settings.jwks
        return cls(settings, KeySet(lambda: store.read(key).body))

    def visitor(self, request: Request) -> Visitor:
        """The visitor behind `request`."""
        if self._settings is None or self._keys is None:
            return ANONYMOUS
        token = session_token(request.cookies, self._settings.cookie)
        if token is None:
            return ANONYMOUS
        try:
            claims = _verified(token, self._settings, self._keys)
            if claims is None:
                return ANONYMOUS
            return Visitor(signed_in=True, roles=roles_in(claims, self._settings.roles_claim))
        except Exception as error:
            log_warning("a session could not be checked", reason=type(error).__name__)
            return ANONYMOUS


def session_token(cookies: Sequence[str], name: str) -> str | None:
    """The token in the cookie `name`, None where there is none that could be one.

    Cookies carry no word of who set them, so two of one name that differ are no session at all.
    """
    prefix = f"{name}="
    values = {cookie.removeprefix(prefix).strip('"') for cookie in cookies if cookie.startswith(prefix)}
    if len(values) != 1:
        return None
    value = values.pop()
    return value if len(value) <= TOKEN_CHARACTERS and _TOKEN.fullmatch(value) else None


def roles_in(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
    """The roles a claim holds: a list of texts, or one text with spaces or commas between them.

    `claim` is a claim's literal name (`cognito:groups`), else a path of names joined by dots
    (`realm_access.roles`).
    """
    value = claims.get(claim)
    if value is None:
        value = claims
        for name in claim.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list):
        return frozenset()
    return frozenset(role.strip() for role in value if isinstance(role, str) and role.strip())


def _verified(token: str, settings: SessionSettings, keys: KeySet) -> Mapping[str, Any] | None:
    """The claims of a token that holds in every respect, else None.

    The key is chosen from the issuer's set alone: what the token says of keys (`jwk`, `jku`, `x5u`) is not
    read, and its algorithm has to be the key's own (RFC 8725 3.1). `crit` (RFC 7515 4.1.11) names
    extensions, and none is known here.
    """
    import jwt

    try:
        header = jwt.get_unverified_header(token)
        algorithm = header.get("alg")
        if algorithm not in ALGORITHMS or "crit" in header:
            return None
        key = keys.key(header.get("kid"), algorithm)
        if key is None:
            return None
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[algorithm],
            audience=settings.audience,
            issuer=settings.issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud"]},
        )
    except jwt.PyJWTError:
        return None
    return claims
