"""The files around the pages that are made from the catalogue alone: robots.txt, llms.txt, the manifest."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.documents.robots import render_robots
from fingerpost.web.llms import LLMS, MANIFEST, artifacts, has_llms, render_index, render_readability
from fingerpost.web.robots import robots_input

NOT_FOUND_FILE: Final = "404.html"
ROBOTS: Final = "robots.txt"
SITEMAP: Final = "sitemap.xml"
FEED: Final = "feed.xml"


def site_documents(catalogue: Catalogue, *, has_sitemap: bool) -> Iterator[tuple[str, bytes]]:
    """(file, body) of each. They name nothing that a static host has not: no feed but one that the owner
    wrote, and no negotiation. Raises RobotsTooLargeError."""
    site, origin = catalogue.site, catalogue.origin.known or ""
    prefix = origin + catalogue.origin.base
    owned = catalogue.publication.public_file
    if site.seo.robots:
        yield ROBOTS, render_robots(robots_input(catalogue, origin, has_sitemap))
    if has_llms(site):
        yield LLMS, render_index(catalogue, origin)
    if site.readability:
        found = replace(
            artifacts(catalogue, prefix),
            negotiation=None,
            sitemap=f"{prefix}/{SITEMAP}" if has_sitemap else None,
            feeds=(f"{prefix}/{FEED}",) if owned(FEED) is not None else (),
        )
        yield MANIFEST, render_readability(catalogue, origin, found)
