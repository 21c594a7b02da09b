"""Faults of what sitemaps list."""

import re

from tests.unit.tools.auditing.faults.registry import FAULTS, fault, replacing
from tests.unit.tools.auditing.served_site import O, Resource, ServedSite

FAULTS["sitemap-loc-relative"] = lambda site: site.list_entry("/posts/1")
FAULTS["sitemap-loc-foreign"] = lambda site: site.list_entry("https://other.example/")
FAULTS["sitemap-loc-long"] = lambda site: site.list_entry(f"{O}/{'x' * 2048}")
FAULTS["sitemap-loc-duplicate"] = lambda site: site.list_entry(f"{O}/about")
FAULTS["sitemap-loc-dead"] = lambda site: site.list_entry(f"{O}/gone")
FAULTS["sitemap-loc-noindex"] = lambda site: site.list_entry(f"{O}/thanks")
FAULTS["sitemap-loc-disallowed"] = lambda site: site.list_entry(f"{O}/_private/plans")
FAULTS["sitemap-loc-twin"] = lambda site: site.list_entry(f"{O}/docs/start.md")


@fault("sitemap-loc-refused")
def sitemap_loc_refused(site: ServedSite) -> None:
    site.resources["/members"] = Resource("<title>Members</title>", status=403)
    site.list_entry(f"{O}/members")


@fault("sitemap-loc-encoding")
def sitemap_loc_encoding(site: ServedSite) -> None:
    site.add_page("/caf%C3%A9", "Coffee")
    site.list_entry(f"{O}/café")


@fault("sitemap-loc-redirects")
def sitemap_loc_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    site.list_entry(f"{O}/old")


@fault("sitemap-loc-canonical")
def sitemap_loc_canonical(site: ServedSite) -> None:
    site.add_page("/print", "Who we are", canonical=f"{O}/about")
    site.list_entry(f"{O}/print")


@fault("sitemap-lastmod-same")
def sitemap_lastmod_same(site: ServedSite) -> None:
    for path in ("/sitemap-1.xml", "/sitemap-2.xml"):
        site.resources[path].body = re.sub(
            r"<lastmod>[^<]*", "<lastmod>2026-03-14", site.resources[path].body
        )


replacing("sitemap-lastmod-invalid", "/sitemap-1.xml", "2026-02-01", "2026-02-30")
replacing("sitemap-lastmod-future", "/sitemap-1.xml", "2026-02-01", "2999-01-01")
replacing(
    "sitemap-incomplete",
    "/sitemap-1.xml",
    f"<url><loc>{O}/about</loc><lastmod>2026-02-01</lastmod></url>",
    "",
)
