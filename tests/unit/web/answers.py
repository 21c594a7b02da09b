"""What tests of the answers share: sites, sessions, sources that fail, and reading what comes back."""

import json
import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from fingerpost.sources.records import RecordsUnavailable, Snapshot
from tests.support import Functions, MemoryStore, Response

_JWKS = "config/jwks.json"
_ISSUER = "https://issuer.example"
SESSIONS = {"SESSION_JWKS": _JWKS, "SESSION_ISSUER": _ISSUER, "SESSION_AUDIENCE": "site"}

POSTS = """tables:
  - name: posts
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: mail, type: email}, {name: updated, type: updated-at}]
    permissions: {read: all}
pages:
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}}
"""
CREATE_POSTS = (
    "CREATE TABLE posts (id serial PRIMARY KEY, slug text, title text, mail text, "
    "updated timestamp, deleted_at timestamptz)"
)


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def jwks() -> str:
    """The issuer's public keys."""
    member = jwt.get_algorithm_by_name("ES256").to_jwk(_key().public_key(), as_dict=True)
    return json.dumps({"keys": [{**member, "kid": "one", "alg": "ES256", "use": "sig"}]})


def session(*roles: str) -> str:
    """The cookie of someone signed in with `roles`."""
    claims = {"iss": _ISSUER, "aud": "site", "exp": time.time() + 86_400, "sub": "me", "roles": list(roles)}
    return f"session={jwt.encode(claims, _key(), 'ES256', {'kid': 'one'})}"


def functions(app: str, files: Mapping[str, str | bytes] | None = None, **settings: Any) -> Functions:
    """The functions of a site: `app` behind a name, its other files by key, and an issuer of sessions."""
    store = MemoryStore({"app.yaml": f"name: Acme\n{app}", _JWKS: jwks(), **(files or {})})
    return Functions(store, environment=SESSIONS, **settings)


def store_of(site: Functions) -> MemoryStore:
    """The files of a site, to change or to take away."""
    assert isinstance(site.store, MemoryStore)
    return site.store


class NoDatabase:
    """A database that is down. `asked` counts how often someone tried."""

    def __init__(self) -> None:
        self.asked = 0

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        self.asked += 1
        raise RecordsUnavailable("the database is down")


def max_age(response: Response) -> int:
    """The max-age of an answer, in seconds."""
    found = re.search(r"max-age=(\d+)", response.headers["cache-control"])
    assert found is not None
    return int(found[1])


def canonical(response: Response) -> str:
    """The canonical URL in an HTML page's head."""
    found = re.search(r'<link rel="canonical" href="([^"]*)">', response.text)
    assert found is not None
    return found[1].replace("&amp;", "&")


def alternates(response: Response) -> list[str]:
    """The hreflang alternates in an HTML page's head, as `tag url`."""
    links = re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', response.text)
    return [f"{tag} {url.replace('&amp;', '&')}" for tag, url in links]
