"""One way to break the healthy site for each check: it makes that check speak, and no other."""

from tests.unit.tools.auditing.faults import (
    caching,
    canonical,
    entries,
    feeds,
    heads,
    hreflang,
    http,
    markdown,
    robots,
    sitemaps,
)
from tests.unit.tools.auditing.faults.registry import FAULTS

__all__ = [
    "FAULTS",
    "caching",
    "canonical",
    "entries",
    "feeds",
    "heads",
    "hreflang",
    "http",
    "markdown",
    "robots",
    "sitemaps",
]
