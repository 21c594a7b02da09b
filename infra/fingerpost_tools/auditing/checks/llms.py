"""Checks of llms.txt (llmstxt.org)."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Page
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.urls import absolute, normal, path_of, resolve

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
_TYPES: Final = frozenset({"text/plain", "text/markdown"})


def _address(facts: Facts) -> str:
    return facts.scope.url("/llms.txt")


def _is_text(facts: Facts) -> bool:
    return facts.llms_visit is not None and facts.llms_visit.last.content_type in _TYPES


def _targets(facts: Facts) -> Iterator[tuple[str, Page]]:
    """The listed addresses that were asked for."""
    for link in facts.llms.links if facts.llms is not None else ():
        url = resolve(_address(facts), link)
        page = facts.page(url) if url is not None else None
        if url is not None and page is not None:
            yield url, page


@check(
    "llms-type",
    WARNING,
    "llms.txt is not served as text, and may be the site's HTML instead.",
    "Serve it as `text/plain` or `text/markdown`; answer 404 if there is none.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    if facts.llms is not None and facts.llms_visit is not None and not _is_text(facts):
        told = facts.llms_visit.last.headers.get("content-type", "none")
        yield Finding(_address(facts), f"Content-Type: {told}")


@check(
    "llms-title",
    ERROR,
    "llms.txt does not begin with a title, the one thing its format requires.",
    "Begin with `# ` and the site's name.",
)
def title(facts: Facts) -> Iterator[Finding]:
    if facts.llms is not None and _is_text(facts) and not facts.llms.title:
        yield Finding(_address(facts), f"begins with {facts.llms.first_line!r}")


@check(
    "llms-empty",
    HINT,
    "llms.txt lists no link, although pages have Markdown forms.",
    "List the pages as `- [title](address): description`.",
)
def empty(facts: Facts) -> Iterator[Finding]:
    llms = facts.llms
    if llms is not None and llms.title and _is_text(facts) and facts.twins and not llms.links:
        yield Finding(_address(facts))


@check(
    "llms-link-dead",
    ERROR,
    "llms.txt links to an address where there is nothing.",
    "Take the link out, or mend it.",
)
def link_dead(facts: Facts) -> Iterator[Finding]:
    for url, page in _targets(facts):
        if page.dead and page.status < 500 and page.status:
            yield Finding(url, page.visit.outcome())


@check(
    "llms-link-redirects",
    HINT,
    "llms.txt links to an address that redirects.",
    "Link to the address it leads to.",
)
def link_redirects(facts: Facts) -> Iterator[Finding]:
    for url, page in _targets(facts):
        if page.visit.redirected and not page.dead:
            yield Finding(url, f"leads to {page.visit.target or page.visit.last.url}")


@check(
    "llms-link-type",
    ERROR,
    "llms.txt links to a `.md` address that answers something else than Markdown.",
    "Serve `text/markdown` there.",
)
def link_type(facts: Facts) -> Iterator[Finding]:
    for url, page in _targets(facts):
        answer = page.answer if page.ok and path_of(url).lower().endswith(".md") else None
        if answer is not None and answer.content_type not in _TYPES:
            yield Finding(url, f"Content-Type: {answer.headers.get('content-type', 'none')}")


@check(
    "llms-link-relative",
    WARNING,
    "llms.txt links to a relative address, which is lost once the file is read away from its site.",
    "Write the whole address.",
)
def link_relative(facts: Facts) -> Iterator[Finding]:
    for link in facts.llms.links if facts.llms is not None else ():
        if not absolute(link):
            yield Finding(_address(facts), link)


@check(
    "llms-link-duplicate",
    HINT,
    "llms.txt lists an address more than once.",
    "List it in one section.",
)
def link_duplicate(facts: Facts) -> Iterator[Finding]:
    counts = Counter(map(normal, facts.llms.links if facts.llms is not None else ()))
    for link, count in counts.items():
        if count > 1:
            yield Finding(link, f"{count} times")


@check(
    "llms-link-disallowed",
    WARNING,
    "llms.txt offers to AI assistants what robots.txt forbids to every robot.",
    "Allow the address, or take the link out.",
)
def link_disallowed(facts: Facts) -> Iterator[Finding]:
    for link in facts.llms.links if facts.llms is not None else ():
        url = resolve(_address(facts), link)
        if url is not None and facts.scope.same_host(url) and not facts.permits(url):
            yield Finding(url)
