"""Checks of canonical links (RFC 6596) and of redirects."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.exchange import Ended
from fingerpost_tools.auditing.facts import Facts, Page
from fingerpost_tools.auditing.html_page import HtmlPage
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.urls import absolute, normal

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
# Redirects on the way to a page before it counts as a chain.
_CHAIN: Final = 2


def _targets(facts: Facts) -> Iterator[tuple[Page, str, Page | None]]:
    """Pages that name another address as canonical, that address, and what was found there."""
    for page, _ in facts.html_pages():
        if page.canonical is not None and not page.own_canonical:
            yield page, page.canonical, facts.page(page.canonical)


def _canonicals(page: Page, html: HtmlPage) -> list[str]:
    return [html.absolute(href) or href for href in html.canonicals]


@check(
    "canonical-missing",
    HINT,
    "A page that engines may list names no canonical address.",
    'Add `<link rel="canonical">` with the page\'s own address, so that its other spellings count as one.',
)
def missing(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        # One that stands in the wrong place is told by head-misplaced.
        if page.indexable and page.canonical is None and not html.strays:
            yield Finding(page.url)


@check(
    "canonical-several",
    ERROR,
    "A page names several canonical addresses, and engines then believe none.",
    "Name one.",
)
def several(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        named = dict.fromkeys(map(normal, _canonicals(page, html)))
        if len(named) > 1:
            yield Finding(page.url, ", ".join(named))


@check(
    "canonical-header",
    ERROR,
    "The Link header and the head of a page name different canonical addresses.",
    "Name one address in both.",
)
def header(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        linked = page.answer.linked("canonical") if page.answer is not None else ()
        told = {normal(html.absolute(target) or target) for target in linked}
        head = set(map(normal, _canonicals(page, html)))
        if told and head and told != head:
            yield Finding(page.url, f"header {', '.join(sorted(told))}, head {', '.join(sorted(head))}")


@check(
    "canonical-relative",
    WARNING,
    "A canonical link holds a relative address, which means something else on every copy.",
    "Write the whole address.",
)
def relative(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        for href in html.canonicals:
            if not absolute(href):
                yield Finding(page.url, href or "an empty href")


@check(
    "canonical-fragment",
    WARNING,
    "A canonical address holds a fragment, which engines drop or refuse.",
    "Leave out `#` and what follows.",
)
def fragment(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        for href in html.canonicals:
            if "#" in href:
                yield Finding(page.url, href)


@check(
    "canonical-scheme",
    WARNING,
    "A page's canonical address is its own with another scheme.",
    "Name the scheme that the page is served with.",
)
def scheme(facts: Facts) -> Iterator[Finding]:
    for page, address, _ in _targets(facts):
        own, named = page.url.partition("://"), normal(address).partition("://")
        if own[0] != named[0] and own[2] == named[2]:
            yield Finding(page.url, f"canonical is {address}")


@check(
    "canonical-dead",
    ERROR,
    "A page names a canonical address where there is no page, and may vanish from the index with it.",
    "Name an address that answers 200.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    for page, address, target in _targets(facts):
        if target is not None and target.dead:
            yield Finding(page.url, f"{address} {target.visit.outcome()}")


@check(
    "canonical-redirects",
    WARNING,
    "A page names a canonical address that redirects.",
    "Name the address it leads to.",
)
def redirects(facts: Facts) -> Iterator[Finding]:
    for page, address, target in _targets(facts):
        if target is not None and target.visit.redirected and not target.dead:
            yield Finding(page.url, f"{address} leads to {target.visit.target or target.visit.last.url}")


@check(
    "canonical-noindex",
    ERROR,
    "A page names a canonical address that says noindex, so that neither is listed.",
    "Take the noindex away there, or let the page be its own canonical.",
)
def to_noindex(facts: Facts) -> Iterator[Finding]:
    for page, address, target in _targets(facts):
        if target is not None and target.ok and target.noindex and not page.noindex:
            yield Finding(page.url, address)


@check(
    "canonical-chain",
    WARNING,
    "A page's canonical address names yet another one.",
    "Name the last address of the chain everywhere.",
)
def chain(facts: Facts) -> Iterator[Finding]:
    for page, address, target in _targets(facts):
        if target is not None and target.ok and not target.own_canonical and not _leads_back(facts, page):
            yield Finding(page.url, f"{address}, which names {target.canonical}")


@check(
    "canonical-loop",
    ERROR,
    "Pages name each other as canonical in a circle.",
    "Choose one of them.",
)
def loop(facts: Facts) -> Iterator[Finding]:
    for page, address, _ in _targets(facts):
        if _leads_back(facts, page):
            yield Finding(page.url, address)


def _leads_back(facts: Facts, page: Page) -> bool:
    """Whether following canonical links from a page comes back to one that was passed."""
    passed: set[str] = set()
    here: Page | None = page
    while here is not None and here.canonical is not None and not here.own_canonical:
        if here.url in passed:
            return True
        passed.add(here.url)
        here = facts.page(here.canonical)
    return False


@check(
    "redirect-loop",
    ERROR,
    "An address redirects in a circle, without end or to nowhere.",
    "Let it answer, or redirect to a page that does.",
)
def redirect_loop(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        if page.visit.ended in (Ended.LOOP, Ended.TOO_MANY, Ended.NOWHERE):
            yield Finding(page.url, page.visit.outcome())


@check(
    "redirect-chain",
    HINT,
    "An address needs several redirects to arrive.",
    "Redirect to the last address at once.",
)
def redirect_chain(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        if page.visit.ended is Ended.ANSWERED and len(page.visit.hops) > _CHAIN:
            yield Finding(page.url, " → ".join(hop.url for hop in page.visit.hops[1:]))
