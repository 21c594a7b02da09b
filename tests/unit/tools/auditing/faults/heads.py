"""Faults of heads, and of links between pages."""

from tests.unit.tools.auditing.faults.registry import ABOUT_CANONICAL, FAULTS, fault, replacing
from tests.unit.tools.auditing.served_site import O, ServedSite

_TITLE = "<title>Who we are</title>"
_DESCRIPTION = '<meta name="description" content="All about Who we are.">'
replacing("head-misplaced", "/about", ABOUT_CANONICAL, f"<div></div>{ABOUT_CANONICAL}")
replacing("title-missing", "/about", _TITLE, "")
replacing("title-several", "/about", _TITLE, f"{_TITLE}<title>Us</title>")
replacing("title-long", "/about", _TITLE, f"<title>{'Who we are ' * 20}</title>")
replacing("title-duplicate", "/about", _TITLE, "<title>Post 1</title>")
replacing("description-missing", "/about", _DESCRIPTION, "")
replacing("description-long", "/about", "All about Who we are.", "All about who we are. " * 30)
replacing("description-duplicate", "/about", "All about Who we are.", "All about Post 1.")
replacing("robots-meta-unknown", "/about", _TITLE, f'{_TITLE}<meta name="robots" content="no-index">')
replacing("og-url", "/about", f'property="og:url" content="{O}/about"', f'property="og:url" content="{O}/"')
replacing("og-relative", "/about", f'content="{O}/wren.png"', 'content="/wren.png"')
replacing("json-ld-broken", "/about", '"https://schema.org"}', '"https://schema.org",}')
replacing("lang-missing", "/about", '<html lang="en">', "<html>")
replacing("lang-invalid", "/about", '<html lang="en">', '<html lang="en_GB">')

FAULTS["link-dead"] = lambda site: site.link("/about", "/gone")
FAULTS["link-fragment"] = lambda site: site.link("/about", "/fr/#nowhere")


@fault("link-redirects")
def link_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    site.link("/about", "/old")


@fault("link-not-canonical")
def link_not_canonical(site: ServedSite) -> None:
    site.add_page("/print", "Print", canonical=f"{O}/about")
    site.link("/about", "/print")
