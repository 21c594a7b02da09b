"""Faults of language versions."""

import re

from tests.unit.tools.auditing.faults.registry import FAULTS, fault, replacing
from tests.unit.tools.auditing.served_site import O, ServedSite

_HEAD_VERSION = '<link rel="alternate" hreflang="{}" href="{}">'
_SITEMAP_VERSION = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'


def _both_places(site: ServedSite, old: tuple[str, str], new: tuple[str, str] | None) -> None:
    """Replace one language version wherever it is named, or take it out."""
    for paths, form in ((("/", "/fr/"), _HEAD_VERSION), (("/sitemap-1.xml",), _SITEMAP_VERSION)):
        for path in paths:
            site.replace(path, form.format(*old), form.format(*new) if new else "")


def _one_more_version(site: ServedSite, code: str, url: str) -> None:
    for paths, form in ((("/", "/fr/"), _HEAD_VERSION), (("/sitemap-1.xml",), _SITEMAP_VERSION)):
        for path in paths:
            last = form.format("x-default", f"{O}/")
            site.replace(path, last, last + form.format(code, url))


FAULTS["hreflang-code"] = lambda site: _both_places(site, ("fr", f"{O}/fr/"), ("fr-UK", f"{O}/fr/"))
FAULTS["hreflang-default"] = lambda site: _both_places(site, ("x-default", f"{O}/"), None)
FAULTS["hreflang-duplicate"] = lambda site: _one_more_version(site, "fr", "https://fr.example/")
FAULTS["hreflang-dead"] = lambda site: _one_more_version(site, "de", f"{O}/de/")


@fault("hreflang-target")
def hreflang_target(site: ServedSite) -> None:
    site.redirect("/de/", "/about")
    _one_more_version(site, "de", f"{O}/de/")


@fault("hreflang-self")
def hreflang_self(site: ServedSite) -> None:
    site.replace("/fr/", _HEAD_VERSION.format("fr", f"{O}/fr/"), "")
    before, after = site.resources["/sitemap-1.xml"].body.split(f"<loc>{O}/fr/</loc>")
    after = after.replace(_SITEMAP_VERSION.format("fr", f"{O}/fr/"), "", 1)
    site.resources["/sitemap-1.xml"].body = f"{before}<loc>{O}/fr/</loc>{after}"


@fault("hreflang-return")
def hreflang_return(site: ServedSite) -> None:
    site.resources["/sitemap-1.xml"].body = re.sub(
        r"<xhtml:link[^>]*>", "", site.resources["/sitemap-1.xml"].body
    )
    site.replace("/fr/", _HEAD_VERSION.format("en", f"{O}/"), "")
    site.replace(
        "/fr/", _HEAD_VERSION.format("x-default", f"{O}/"), _HEAD_VERSION.format("x-default", f"{O}/fr/")
    )


replacing("hreflang-relative", "/", 'hreflang="fr" href="$O/fr/"', 'hreflang="fr" href="/fr/"')
replacing(
    "hreflang-disagrees",
    "/sitemap-1.xml",
    _SITEMAP_VERSION.format("x-default", f"{O}/"),
    _SITEMAP_VERSION.format("x-default", f"{O}/fr/"),
)
replacing("hreflang-lang", "/fr/", '<html lang="fr">', '<html lang="en">')
