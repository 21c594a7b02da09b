"""A signed-in visitor without an identity provider: a key pair of this run, and a session it signed."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

# Below the site's state, where no address leads.
JWKS_KEY: Final = ".fingerpost/jwks.json"
_COOKIE: Final = "session"
_ISSUER: Final = "https://fingerpost.localhost"
_AUDIENCE: Final = "fingerpost"
_ROLES_CLAIM: Final = "roles"
_SESSION_SECONDS: Final = 12 * 60 * 60


@dataclass(frozen=True, slots=True)
class Identity:
    """A visitor's session: `cookie` (`name=token`) proves it, against the key set `jwks` (RFC 7517)."""

    roles: tuple[str, ...]
    cookie: str
    jwks: bytes

    def environment(self) -> dict[str, str]:
        """What the functions need in order to believe it."""
        return {
            "SESSION_COOKIE": _COOKIE,
            "SESSION_JWKS": JWKS_KEY,
            "SESSION_ISSUER": _ISSUER,
            "SESSION_AUDIENCE": _AUDIENCE,
            "SESSION_ROLES_CLAIM": _ROLES_CLAIM,
        }


def signed_in(roles: Sequence[str]) -> Identity:
    """A visitor with `roles`, signed in for twelve hours. The private key is forgotten at once: nothing else
    can ever be signed with it."""
    import jwt
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    public: dict[str, Any] = jwt.algorithms.ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    now = int(time.time())
    token = jwt.encode(
        {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": "local-visitor",
            "iat": now,
            "nbf": now,
            "exp": now + _SESSION_SECONDS,
            _ROLES_CLAIM: list(roles),
        },
        key,
        algorithm="ES256",
        headers={"kid": "local"},
    )
    jwks = {"keys": [{**public, "kid": "local", "alg": "ES256", "use": "sig"}]}
    return Identity(tuple(roles), f"{_COOKIE}={token}", json.dumps(jwks).encode())
