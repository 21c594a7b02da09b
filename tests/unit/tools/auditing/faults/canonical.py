"""Faults of canonical addresses and of redirects."""

from tests.unit.tools.auditing.faults.registry import ABOUT_CANONICAL, FAULTS, fault, replacing
from tests.unit.tools.auditing.served_site import HOST, O, ServedSite


def _canonical(site: ServedSite, target: str, path: str = "/extra") -> None:
    """A page that names another as canonical, and that no page and no sitemap knows of."""
    site.add_page(path, f"Extra {path}", canonical=target)
    site.offer(f"{O}{path}")


FAULTS["canonical-dead"] = lambda site: _canonical(site, f"{O}/gone")
FAULTS["canonical-scheme"] = lambda site: _canonical(site, f"https://{HOST}/extra")
FAULTS["canonical-noindex"] = lambda site: _canonical(site, f"{O}/thanks")


@fault("canonical-redirects")
def canonical_redirects(site: ServedSite) -> None:
    site.redirect("/old", "/about")
    _canonical(site, f"{O}/old")


@fault("canonical-chain")
def canonical_chain(site: ServedSite) -> None:
    _canonical(site, f"{O}/print")
    site.add_page("/print", "Print", canonical=f"{O}/about")


@fault("canonical-loop")
def canonical_loop(site: ServedSite) -> None:
    _canonical(site, f"{O}/print")
    site.add_page("/print", "Print", canonical=f"{O}/extra")


@fault("canonical-header")
def canonical_header(site: ServedSite) -> None:
    site.resources["/about"].headers["link"] = f'<{O}/fr/>; rel="canonical"'


replacing("canonical-missing", "/about", ABOUT_CANONICAL, "")
replacing(
    "canonical-several",
    "/about",
    ABOUT_CANONICAL,
    f'{ABOUT_CANONICAL}<link rel="canonical" href="{O}/fr/">',
)
replacing("canonical-relative", "/about", ABOUT_CANONICAL, '<link rel="canonical" href="/about">')
replacing("canonical-fragment", "/about", ABOUT_CANONICAL, f'<link rel="canonical" href="{O}/about#us">')


@fault("redirect-loop")
def redirect_loop(site: ServedSite) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/a")
    site.offer(f"{O}/a")


@fault("redirect-chain")
def redirect_chain(site: ServedSite) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/about")
    site.replace("/feed.xml", f"<link>{O}/posts/1</link>", f"<link>{O}/a</link>")
