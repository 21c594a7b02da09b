"""Faults of sitemaps as files."""

import re

from tests.unit.tools.auditing.faults.registry import fault, replacing
from tests.unit.tools.auditing.served_site import O, Reply, Request, Resource, ServedSite


@fault("sitemap-missing")
def sitemap_missing(site: ServedSite) -> None:
    del site.resources["/sitemap.xml"]
    site.replace("/robots.txt", f"Sitemap: {O}/sitemap.xml\n", "")


def _third_sitemap(site: ServedSite, body: str) -> None:
    site.replace(
        "/sitemap.xml", "</sitemapindex>", f"<sitemap><loc>{O}/sitemap-3.xml</loc></sitemap></sitemapindex>"
    )
    site.resources["/sitemap-3.xml"] = Resource(body, "application/xml")


@fault("sitemap-empty")
def sitemap_empty(site: ServedSite) -> None:
    _third_sitemap(site, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>')


@fault("sitemap-size")
def sitemap_size(site: ServedSite) -> None:
    _third_sitemap(site, " " * 52_428_801)


@fault("sitemap-index-nested")
def sitemap_index_nested(site: ServedSite) -> None:
    _third_sitemap(site, site.resources["/sitemap.xml"].body)


@fault("sitemap-redirects")
def sitemap_redirects(site: ServedSite) -> None:
    site.replace("/robots.txt", "/sitemap.xml", "/old-sitemap.xml")
    site.redirect("/old-sitemap.xml", "/sitemap.xml")


@fault("sitemap-type")
def sitemap_type(site: ServedSite) -> None:
    site.resources["/sitemap-1.xml"].type = "text/plain"


@fault("sitemap-lastmod-now")
def sitemap_lastmod_now(site: ServedSite) -> None:
    def hook(request: Request, reply: Reply) -> None:
        if request.path == "/sitemap-1.xml":
            site.resources[request.path].body = re.sub(
                r"<lastmod>[^<]*",
                f"<lastmod>2026-01-{len(site.requests) % 28 + 1:02}",
                site.resources[request.path].body,
            )

    site.hooks.append(hook)


replacing("sitemap-broken", "/sitemap-2.xml", "</urlset>", "")
replacing("sitemap-schema", "/sitemap-2.xml", "<priority>0.5<", "<priority>high<")
replacing(
    "sitemap-order",
    "/sitemap-1.xml",
    f"<loc>{O}/about</loc><lastmod>2026-02-01</lastmod>",
    f"<lastmod>2026-02-01</lastmod><loc>{O}/about</loc>",
)
replacing(
    "sitemap-index-dead",
    "/sitemap.xml",
    "</sitemapindex>",
    f"<sitemap><loc>{O}/gone.xml</loc></sitemap></sitemapindex>",
)
replacing(
    "sitemap-index-relative",
    "/sitemap.xml",
    "</sitemapindex>",
    "<sitemap><loc>/more.xml</loc></sitemap></sitemapindex>",
)
