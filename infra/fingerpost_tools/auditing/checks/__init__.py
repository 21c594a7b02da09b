"""One module per subject; importing them enters their checks into the registry."""

from fingerpost_tools.auditing.checks import (
    caching,
    canonical,
    feeds,
    head,
    hreflang,
    http,
    links,
    llms,
    robots,
    sitemap_entries,
    sitemap_files,
    twins,
)

__all__ = [
    "caching",
    "canonical",
    "feeds",
    "head",
    "hreflang",
    "http",
    "links",
    "llms",
    "robots",
    "sitemap_entries",
    "sitemap_files",
    "twins",
]
