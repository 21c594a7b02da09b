"""Faults of robots.txt."""

from tests.unit.tools.auditing.faults.registry import fault, replacing
from tests.unit.tools.auditing.served_site import O, ServedSite


@fault("robots-unreachable")
def robots_unreachable(site: ServedSite) -> None:
    site.resources["/robots.txt"].status = 503


@fault("robots-missing")
def robots_missing(site: ServedSite) -> None:
    del site.resources["/robots.txt"]


@fault("robots-type")
def robots_type(site: ServedSite) -> None:
    site.resources["/robots.txt"].type = "text/html"


@fault("robots-size")
def robots_size(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "# and so on\n" * 50_000


@fault("robots-bom")
def robots_bom(site: ServedSite) -> None:
    site.resources["/robots.txt"].body = "\ufeff" + site.resources["/robots.txt"].body


@fault("robots-sitemap-dead")
def robots_sitemap_dead(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += f"Sitemap: {O}/old.xml\n"


@fault("robots-turns-away")
def robots_turns_away(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Googlebot\nDisallow: /\n"


@fault("robots-grants-more")
def robots_grants_more(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Bingbot\nCrawl-delay: 1\n"


@fault("robots-hides-noindex")
def robots_hides_noindex(site: ServedSite) -> None:
    site.resources["/robots.txt"].body += "\nUser-agent: Bingbot\nDisallow: /thanks\nDisallow: /_private\n"


replacing("robots-syntax", "/robots.txt", "Allow: /\n", "Allow: /\nDissallow /x\n")
replacing("robots-sitemap-relative", "/robots.txt", f"{O}/sitemap.xml", "/sitemap.xml")
replacing("robots-sitemap-missing", "/robots.txt", f"Sitemap: {O}/sitemap.xml\n", "")
