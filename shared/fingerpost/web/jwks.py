"""The public keys that sessions are signed with: a JSON Web Key Set (RFC 7517), fetched when needed."""

import json
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from fingerpost.observe import count, log_warning

if TYPE_CHECKING:
    from jwt import PyJWK

# RFC 7518 3.1, RFC 8037 3.1. Key pairs only: a shared secret has no place in a public key set.
ALGORITHMS: Final = ("RS256", "ES256", "EdDSA")
# RFC 7518 3.3: "A key of size 2048 bits or larger MUST be used".
_RSA_BITS: Final = 2048

# A key that its issuer withdrew is forgotten after this long (seconds) ...
_KEPT_SECONDS: Final = 3600
# ... and whatever tokens say, the issuer is asked at most once in this long.
_ASKED_SECONDS: Final = 10
_TIMEOUT_SECONDS: Final = 2
_MOST_BYTES: Final = 256 * 1024


class KeySet:
    """Keys by id and algorithm. `fetch` returns a JWKS document; whatever it raises counts as unreachable.

    A key that is not known makes it ask again, for the issuer may have changed keys. While the issuer can't
    be reached, the last good keys keep serving.
    """

    def __init__(self, fetch: Callable[[], bytes], clock: Callable[[], float] = monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: tuple[tuple[str | None, PyJWK], ...] = ()
        self._read_at: float | None = None
        self._asked_at: float | None = None

    def key(self, key_id: str | None, algorithm: str) -> "PyJWK | None":
        """The key to check a token with, None where there is none. A token without key id (RFC 7515 4.1.4:
        optional) is checked with the only key of its algorithm."""
        if self._older_than(_KEPT_SECONDS, self._read_at):
            self._refresh()
        found = self._find(key_id, algorithm)
        if found is None:
            self._refresh()
            found = self._find(key_id, algorithm)
        return found

    def _find(self, key_id: str | None, algorithm: str) -> "PyJWK | None":
        fitting = [
            key
            for known_id, key in self._keys
            if key.algorithm_name == algorithm and key_id in (None, known_id)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _refresh(self) -> None:
        if not self._older_than(_ASKED_SECONDS, self._asked_at):
            return
        self._asked_at = self._clock()
        try:
            self._keys = read_keys(self._fetch())
        except Exception as error:
            log_warning("the keys of SESSION_JWKS can't be read", reason=f"{type(error).__name__}: {error}")
            count("SessionKeysUnavailable")
        else:
            self._read_at = self._asked_at

    def _older_than(self, seconds: float, since: float | None) -> bool:
        # A clock may start anew when an instance is restored from its snapshot.
        return since is None or not 0 <= self._clock() - since < seconds


def read_keys(document: bytes) -> "tuple[tuple[str | None, PyJWK], ...]":
    """The usable keys of a JWKS document with their ids; others (secrets, keys for encryption, unknown kinds,
    short RSA keys) are left out. Raises ValueError where it is no key set or holds no usable key."""
    content = json.loads(document)
    declared = content.get("keys") if isinstance(content, dict) else None
    if not isinstance(declared, list):
        raise ValueError('expected a JSON object with a list "keys"')
    keys = tuple(
        (member["kid"] if isinstance(member.get("kid"), str) else None, key)
        for member in declared
        if isinstance(member, dict) and (key := _usable(member)) is not None
    )
    if not keys:
        raise ValueError(f"expected at least one public key for {', '.join(ALGORITHMS)}, found none")
    return keys


def _usable(member: dict[str, Any]) -> "PyJWK | None":
    from jwt import PyJWK

    if not _is_for_signatures(member):
        return None
    try:
        key = PyJWK(member)
    except Exception:  # one key that can't be read, whatever is wrong with it, must not take the others away
        return None
    if key.algorithm_name not in ALGORITHMS:
        return None
    if key.algorithm_name == "RS256" and key.key.key_size < _RSA_BITS:
        return None
    return key


def _is_for_signatures(member: dict[str, Any]) -> bool:
    """RFC 7517 4.2 and 4.3; a key with a private part is nothing to trust."""
    operations = member.get("key_ops", ["verify"])
    return (
        member.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
        and "d" not in member
    )


def fetch_https(address: str) -> bytes:
    """The body at an https address. Raises OSError or ValueError where there is none: redirects are not
    followed, certificates are verified, and neither time nor size is without bound."""
    from http.client import HTTPException, HTTPSConnection

    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname:
        raise ValueError(f"expected an https address, found {address!r}")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = HTTPSConnection(parts.hostname, parts.port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request("GET", target, headers={"accept": "application/jwk-set+json, application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise ValueError(f"{address}: expected status 200, found {response.status}")
        body = response.read(_MOST_BYTES + 1)
    except HTTPException as error:
        raise ValueError(f"{address}: expected an HTTP response, found {type(error).__name__}") from error
    finally:
        connection.close()
    if len(body) > _MOST_BYTES:
        raise ValueError(f"{address}: expected at most {_MOST_BYTES} bytes, found more")
    return body
