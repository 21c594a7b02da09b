"""The local visitor: a session that the production reader believes, and nobody else can make."""

from fingerpost.catalogue.visitor import ANONYMOUS
from fingerpost.sources.objects import StoredObject
from fingerpost.web.request import Request
from fingerpost.web.visitor import SessionReader
from fingerpost_tools import visitor


class _Store:
    """Holds the key set of one identity."""

    def __init__(self, jwks: bytes) -> None:
        self._jwks = jwks

    def read(self, key: str) -> StoredObject:
        from datetime import UTC, datetime

        assert key == visitor.JWKS_KEY
        return StoredObject(key, self._jwks, "etag", datetime(2026, 1, 1, tzinfo=UTC))


def _reader(identity: visitor.Identity) -> SessionReader:
    return SessionReader.from_environment(identity.environment(), _Store(identity.jwks))  # type: ignore[arg-type]


def test_the_session_is_believed() -> None:
    """The functions' own reader finds the visitor signed in, with the roles asked for."""
    identity = visitor.signed_in(["member", "editor"])
    seen = _reader(identity).visitor(Request("GET", "/", cookies=(identity.cookie,)))
    assert seen.signed_in
    assert seen.roles == {"member", "editor"}


def test_another_runs_session_is_not() -> None:
    """Each run has a key of its own: what an earlier one signed is worth nothing."""
    earlier, now = visitor.signed_in(["admin"]), visitor.signed_in(["admin"])
    assert _reader(now).visitor(Request("GET", "/", cookies=(earlier.cookie,))) == ANONYMOUS
