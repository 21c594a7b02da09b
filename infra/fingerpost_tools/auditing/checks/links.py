"""Checks of the links between the site's own pages: the author's text is at fault here, hence hints."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.registry import Finding, check, first_of
from fingerpost_tools.auditing.urls import normal

HINT: Final = Severity.HINT
# Fragments that mean something without an element of that name (HTML 7.4.6.3, text fragments).
_TOP: Final = frozenset({"", "top"})


@check(
    "link-dead",
    HINT,
    "A page links to an address of the site where there is nothing.",
    "Mend the link.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    listed = facts.listed()
    for url, sources in facts.linked_from().items():
        page = facts.pages.get(url)
        # What a sitemap lists, and what fails, is told by other checks.
        if page is not None and page.dead and 0 < page.status < 500 and url not in listed:
            yield Finding(url, f"{page.visit.outcome()}; linked on {first_of(sources)}", sources)


@check(
    "link-redirects",
    HINT,
    "A page links to an address of the site that redirects.",
    "Link to the address it leads to.",
)
def redirects(facts: Facts) -> Iterator[Finding]:
    listed = facts.listed()
    for url, sources in facts.linked_from().items():
        page = facts.pages.get(url)
        if page is not None and page.visit.redirected and not page.dead and url not in listed:
            target = page.visit.target or page.visit.last.url
            yield Finding(url, f"leads to {target}; linked on {first_of(sources)}", sources)


@check(
    "link-not-canonical",
    HINT,
    "A page links to an address that names another one of the site as canonical.",
    "Link to the canonical address.",
)
def not_canonical(facts: Facts) -> Iterator[Finding]:
    listed = facts.listed()
    for url, sources in facts.linked_from().items():
        page = facts.pages.get(url)
        # A text that first appeared on another site is linked to where it is; a query is a view of a page.
        if page is None or not page.ok or page.html is None or url in listed or "?" in url:
            continue
        if page.canonical is not None and not page.own_canonical and facts.scope.same_host(page.canonical):
            detail = f"canonical is {page.canonical}; linked on {first_of(sources)}"
            yield Finding(url, detail, sources)


@check(
    "link-fragment",
    HINT,
    "A page links to a place in a page that is not there.",
    "Mend the part behind `#`, or give the place its id.",
)
def fragment(facts: Facts) -> Iterator[Finding]:
    from urllib.parse import unquote

    for page, html in facts.html_pages():
        for link in html.links:
            target = facts.pages.get(normal(link.url))
            if target is None or not target.ok or target.html is None:
                continue
            name = link.fragment
            named = name.lower() in _TOP or name.startswith((":~:", "!", "/")) or "=" in name
            if not named and not {name, unquote(name)} & target.html.anchors:
                yield Finding(page.url, f"{link.url}#{name}")
