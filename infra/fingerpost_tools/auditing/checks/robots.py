"""Checks of robots.txt (RFC 9309)."""

from collections.abc import Iterator
from typing import Final

from fingerpost.limits import ROBOTS_BYTES
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.exchange import Ended, Exchange
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.robots_file import SEARCH_ENGINES, Group
from fingerpost_tools.auditing.urls import absolute, normal, resolve

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
_WILD: Final = str.maketrans({"*": "x", "$": None})


def _answer(facts: Facts) -> Exchange | None:
    """The robots.txt that is there, None where there is none."""
    answer = facts.robots_visit.answer if facts.robots_visit is not None else None
    return answer if answer is not None and answer.status == 200 else None


def _address(facts: Facts, line: int = 0) -> str:
    return f"{facts.scope.origin}/robots.txt" + (f" line {line}" if line else "")


@check(
    "robots-unreachable",
    ERROR,
    "robots.txt can't be had, so crawlers stay away from the whole site.",
    "Let robots.txt answer 200, or 404 if there is none; never depend on a database for it.",
)
def unreachable(facts: Facts) -> Iterator[Finding]:
    visit = facts.robots_visit
    if visit is None:
        return
    # RFC 9309 2.3.1.4; a redirect that ends nowhere is an answer of no use either.
    broken = visit.ended in (Ended.FAILED, Ended.LOOP, Ended.TOO_MANY, Ended.NOWHERE)
    if broken or visit.last.status >= 500:
        yield Finding(_address(facts), visit.outcome())


@check(
    "robots-missing",
    HINT,
    "There is no robots.txt.",
    "Add one, if only to name the sitemap.",
)
def missing(facts: Facts) -> Iterator[Finding]:
    visit = facts.robots_visit
    if visit is not None and visit.answer is not None and 400 <= visit.answer.status < 500:
        yield Finding(_address(facts), visit.outcome())


@check(
    "robots-type",
    WARNING,
    "robots.txt is not plain text.",
    "Serve it as `text/plain; charset=utf-8`; a site that answers every address with its app has none.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    answer = _answer(facts)
    if answer is not None and answer.content_type != "text/plain":
        yield Finding(_address(facts), f"Content-Type: {answer.headers.get('content-type', 'none')}")


@check(
    "robots-size",
    ERROR,
    "robots.txt is larger than crawlers read.",
    "Keep it below 500 KiB; what comes after is ignored.",
)
def size(facts: Facts) -> Iterator[Finding]:
    answer = _answer(facts)
    if answer is not None and answer.size > ROBOTS_BYTES:
        yield Finding(_address(facts), f"{answer.size} bytes" if not answer.fault else answer.fault)


@check(
    "robots-bom",
    WARNING,
    "robots.txt begins with a byte order mark, which hides the first line from some crawlers.",
    "Save the file as UTF-8 without a BOM.",
)
def byte_order_mark(facts: Facts) -> Iterator[Finding]:
    if facts.robots.bom:
        yield Finding(_address(facts))


@check(
    "robots-syntax",
    WARNING,
    "A line of robots.txt means nothing to crawlers.",
    "Mend the line, or turn it into a comment with `#`.",
)
def syntax(facts: Facts) -> Iterator[Finding]:
    for oddity in facts.robots.oddities:
        yield Finding(_address(facts, oddity.line), f"{oddity.text!r}: {oddity.reason}")


@check(
    "robots-sitemap-relative",
    ERROR,
    "A Sitemap line of robots.txt holds no absolute address, so crawlers ignore it.",
    "Write the whole address, scheme and host included.",
)
def sitemap_relative(facts: Facts) -> Iterator[Finding]:
    for line, value in facts.robots.sitemaps:
        if not absolute(value):
            yield Finding(_address(facts, line), value or "nothing after `Sitemap:`")


@check(
    "robots-sitemap-dead",
    ERROR,
    "A Sitemap line of robots.txt leads to no sitemap.",
    "Mend the address, or take the line out.",
)
def sitemap_dead(facts: Facts) -> Iterator[Finding]:
    for line, value in facts.robots.sitemaps:
        sitemap = facts.sitemaps.get(normal(resolve(_address(facts), value) or value))
        if sitemap is not None and sitemap.file is None:
            yield Finding(_address(facts, line), f"{value} {sitemap.visit.outcome()}")


@check(
    "robots-sitemap-missing",
    HINT,
    "There is a sitemap, and robots.txt does not name it.",
    "Add a line `Sitemap:` with its absolute address, so that every crawler finds it.",
)
def sitemap_unnamed(facts: Facts) -> Iterator[Finding]:
    if facts.robots.sitemaps or _answer(facts) is None:
        return
    for sitemap in facts.sitemaps.values():
        if sitemap.file is not None and not sitemap.file.broken:
            yield Finding(_address(facts), f"{sitemap.url} answers 200")


@check(
    "robots-turns-away",
    WARNING,
    "robots.txt turns a search engine away from the whole site.",
    "Take the rule out, unless nobody is meant to find the site.",
)
def turns_away(facts: Facts) -> Iterator[Finding]:
    home = facts.scope.home
    if not facts.permits(home):
        yield Finding(_address(facts), "every robot that has no group of its own may fetch nothing")
        return
    for engine in SEARCH_ENGINES:
        if not facts.permits(home, engine):
            line = min((group.line for group in facts.robots.groups_for(engine)), default=0)
            yield Finding(_address(facts, line), f"{engine} may not fetch the home page")


@check(
    "robots-grants-more",
    WARNING,
    "A group for named robots leaves out rules of `*`, and so opens to them what is closed to all others.",
    "Repeat the shared Disallow lines in the group: a robot obeys its own group alone.",
)
def grants_more(facts: Facts) -> Iterator[Finding]:
    closed = [
        rule.pattern
        for group in facts.robots.groups
        if group.any_robot
        for rule in group.rules
        if not rule.allows and rule.pattern
    ]
    # Where all is closed to everyone, a named group is there to open it.
    if not closed or not facts.permits(facts.scope.home):
        return
    for group in facts.robots.groups:
        if not group.any_robot and not _opens_on_purpose(group):
            yield from _opened(facts, group, closed)


def _opens_on_purpose(group: Group) -> bool:
    """Whether the group allows everything in so many words: `Allow: /`, or `Disallow:` with nothing after."""
    return bool(group.rules) and all(rule.pattern == ("/" if rule.allows else "") for rule in group.rules)


def _opened(facts: Facts, group: Group, closed: list[str]) -> Iterator[Finding]:
    allowed = {rule.pattern for rule in group.rules if rule.allows}
    for pattern in closed:
        sample = facts.scope.origin + pattern.translate(_WILD)
        opened = not facts.permits(sample) and facts.permits(sample, group.agents[0])
        if opened and pattern not in allowed:
            yield Finding(
                _address(facts, group.line),
                f"{', '.join(group.agents)} may fetch {pattern}, which `*` may not",
            )


@check(
    "robots-hides-noindex",
    WARNING,
    "A noindex page is disallowed to a search engine, which never sees the noindex and may list it.",
    "Allow the page, so that its noindex can be read.",
)
def hides_noindex(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        if page.ok and page.noindex:
            shut = [name for name in SEARCH_ENGINES if not facts.permits(page.url, name)]
            if shut and facts.permits(facts.scope.home, shut[0]):
                yield Finding(page.url, f"noindex, and disallowed to {', '.join(shut)}")
