"""The one table of caching policies (RFC 9111, RFC 5861; SPEC section 10)."""

from enum import Enum

from fingerpost.limits import DOCUMENT_SECONDS, SITEMAP_SECONDS, STALE_IF_ERROR_SECONDS

_SHARED = "public, max-age={age}"
_STALE = f", stale-if-error={STALE_IF_ERROR_SECONDS}"


class Policy(Enum):
    """How long an answer may be kept, and by whom: a Cache-Control template and its usual age in seconds."""

    SITEMAP = (_SHARED + _STALE, SITEMAP_SECONDS)
    DOCUMENT = (_SHARED + _STALE, DOCUMENT_SECONDS)
    PAGE = (_SHARED, DOCUMENT_SECONDS)
    HASHED = (_SHARED + ", immutable", 31_536_000)
    PRIVATE = ("private, no-cache", 0)
    UNSTORED = ("no-store", 0)

    def cache_control(self, max_age: int | None = None) -> str:
        """The Cache-Control value; `max_age` (seconds) in place of the usual age."""
        template, usual = self.value
        return template.replace("{age}", str(usual if max_age is None else max(0, max_age)))
