"""Checks of how the site speaks HTTP (RFC 9110)."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.exchange import Ended, Exchange
from fingerpost_tools.auditing.facts import Facts, Probe
from fingerpost_tools.auditing.registry import Finding, check

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
# Below this, compressing is not worth a word.
_WORTH_COMPRESSING: Final = 10 * 1024
XHTML: Final = "application/xhtml+xml"


def _heads(facts: Facts) -> Iterator[tuple[Probe, Exchange]]:
    """Probes whose GET answered 200, with their HEAD."""
    for probe in facts.probes:
        if probe.plain.status == 200 and probe.head is not None and probe.head.status:
            yield probe, probe.head


@check(
    "http-home",
    WARNING,
    "The home page answers this robot with something else than a page, so that little could be looked at.",
    "See whether a firewall turns robots away, search engines among them.",
)
def home(facts: Facts) -> Iterator[Finding]:
    page = facts.page(facts.scope.home)
    if page is None:
        return
    if page.status == 200:
        # HTML that is not served as such is told by http-type.
        html = page.html is not None or (page.markdown is not None and page.markdown.html)
        if not html:
            yield Finding(page.url, f"Content-Type: {page.visit.last.headers.get('content-type', 'none')}")
    elif 0 < page.status < 500:
        yield Finding(page.url, page.visit.outcome())


@check(
    "http-failing",
    ERROR,
    "A page answers with a server error.",
    "Look into the server's log.",
)
def failing(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        if page.status >= 500:
            yield Finding(page.url, page.visit.outcome())


@check(
    "http-unanswered",
    ERROR,
    "An address gave no whole answer.",
    "See whether the server is slow, overloaded or breaks off.",
)
def unanswered(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        fault = page.visit.last.fault
        if fault and not page.visit.last.too_large:
            yield Finding(page.url, fault)


@check(
    "http-huge",
    WARNING,
    "A page is so large that crawlers cut it off.",
    "Split it, or keep data out of the HTML.",
)
def huge(facts: Facts) -> Iterator[Finding]:
    for page in facts.pages.values():
        if page.visit.last.too_large:
            yield Finding(page.url, page.visit.last.fault)


@check(
    "http-type",
    WARNING,
    "An HTML page is not served as HTML.",
    "Serve it as `text/html; charset=utf-8`.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    twins = set(facts.twins.values())
    for page in facts.pages.values():
        answer = page.answer
        if answer is None or page.markdown is None or not page.markdown.html or page.url in twins:
            continue
        if answer.content_type != "text/markdown":
            yield Finding(page.url, f"Content-Type: {answer.headers.get('content-type', 'none')}")


@check(
    "http-charset",
    WARNING,
    "A page does not say how its text is encoded, so that readers may see other characters.",
    "Send `charset=utf-8` in Content-Type, or put `<meta charset>` first in the head.",
)
def charset(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        answer = page.answer
        # XML is UTF-8 where it does not say otherwise (XML 1.0, 4.3.3).
        silent = answer is not None and not answer.charset and answer.content_type != XHTML
        if silent and not html.charset:
            yield Finding(page.url)


@check(
    "http-encoding",
    WARNING,
    "The text of a page is not encoded as the page says, so that readers see other characters.",
    "Save the page in the encoding that it names, or name the one it has.",
)
def encoding(facts: Facts) -> Iterator[Finding]:
    for page, html in facts.html_pages():
        if html.misencoded:
            yield Finding(page.url, html.misencoded)


@check(
    "http-plain",
    WARNING,
    "The site answers over plain http too, where anyone on the way can read and change what it says.",
    "Redirect each http address to its https one at once.",
)
def plain(facts: Facts) -> Iterator[Finding]:
    visit = facts.plain
    if visit is None:
        return
    if visit.ended is Ended.ELSEWHERE and not visit.target.startswith("https://"):
        yield Finding(visit.url, f"leads to {visit.target}")
    elif visit.answer is not None and visit.answer.status < 300:
        yield Finding(visit.url, visit.outcome())


@check(
    "http-soft-404",
    ERROR,
    "An address that does not exist answers as if it did, so that crawlers list rubbish.",
    "Answer 404 where there is no page.",
)
def soft_404(facts: Facts) -> Iterator[Finding]:
    visit = facts.missing
    if visit is not None and visit.answer is not None and visit.answer.status == 200:
        yield Finding(visit.url, f"leads to {visit.last.url}" if visit.redirected else visit.outcome())


@check(
    "http-head-status",
    ERROR,
    "HEAD answers with another status than GET.",
    "Answer HEAD as GET, without the body (RFC 9110 9.3.2).",
)
def head_status(facts: Facts) -> Iterator[Finding]:
    for probe, head in _heads(facts):
        if head.status != 200:
            yield Finding(probe.url, f"HEAD {head.status}, GET 200")


@check(
    "http-head-fields",
    WARNING,
    "HEAD answers with other fields than GET.",
    "Send the same Content-Type, ETag and Content-Length for both.",
)
def head_fields(facts: Facts) -> Iterator[Finding]:
    for probe, head in _heads(facts):
        if head.status != 200:
            continue
        for name in ("content-type", "etag"):
            told, expected = head.headers.get(name, "none"), probe.plain.headers.get(name, "none")
            if told != expected:
                yield Finding(probe.url, f"{name}: HEAD {told}, GET {expected}")
        if head.headers.get("content-length") == "0" and probe.plain.size:
            yield Finding(probe.url, "content-length: HEAD 0")


@check(
    "http-method",
    WARNING,
    "A page that takes no POST does not say so with 405 and Allow.",
    "Answer 405 and list the methods that work.",
)
def method(facts: Facts) -> Iterator[Finding]:
    posted = facts.posted
    if posted is None or not posted.status:
        return
    if posted.status != 405:
        yield Finding(posted.url, f"POST answers {posted.status}")
    elif "allow" not in posted.headers:
        yield Finding(posted.url, "405 without Allow")


@check(
    "http-uncompressed",
    HINT,
    "A page comes uncompressed to clients that take gzip.",
    "Compress text at the server or the CDN.",
)
def uncompressed(facts: Facts) -> Iterator[Finding]:
    for page, _ in facts.html_pages():
        answer = page.answer
        if (
            answer is not None
            and answer.size > _WORTH_COMPRESSING
            and "content-encoding" not in answer.headers
        ):
            yield Finding(page.url, f"{answer.size // 1024} KB")
