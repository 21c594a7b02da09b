"""Checks of what sitemaps list: every address in them should be one that an engine may show."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from fingerpost.limits import LOC_CHARACTERS
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Page
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.sitemap_file import Entry, moment
from fingerpost_tools.auditing.urls import absolute, normal, well_encoded

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
# So many equal dates are no accident.
_SAME_FROM: Final = 10


def _visited(facts: Facts) -> Iterator[tuple[Entry, Page]]:
    """The listed addresses that were asked for."""
    for entry in facts.listed().values():
        page = facts.page(entry.loc)
        if page is not None:
            yield entry, page


@check(
    "sitemap-loc-relative",
    ERROR,
    "A sitemap lists an address without scheme and host.",
    "Write the whole address.",
)
def relative(facts: Facts) -> Iterator[Finding]:
    for sitemap, entry in facts.entries():
        if not absolute(entry.loc):
            yield Finding(entry.loc, f"in {sitemap.url}")


@check(
    "sitemap-loc-foreign",
    WARNING,
    "A sitemap lists an address of another host or scheme, which crawlers mostly ignore.",
    "List the site's own addresses, with the scheme and host they are served at.",
)
def foreign(facts: Facts) -> Iterator[Finding]:
    for sitemap, entry in facts.entries():
        if absolute(entry.loc) and not facts.scope.same_host(entry.loc):
            yield Finding(entry.loc, f"in {sitemap.url}")


@check(
    "sitemap-loc-long",
    ERROR,
    "A sitemap lists an address of 2,048 characters or more.",
    "Shorten the address, or leave it out.",
)
def too_long(facts: Facts) -> Iterator[Finding]:
    for sitemap, entry in facts.entries():
        if len(entry.loc) >= LOC_CHARACTERS:
            yield Finding(f"{entry.loc[:120]}…", f"{len(entry.loc)} characters, in {sitemap.url}")


@check(
    "sitemap-loc-encoding",
    WARNING,
    "A sitemap lists an address with characters that no URL holds.",
    "Percent-encode the address, once.",
)
def encoding(facts: Facts) -> Iterator[Finding]:
    for sitemap, entry in facts.entries():
        if absolute(entry.loc) and not well_encoded(entry.loc):
            yield Finding(entry.loc, f"in {sitemap.url}")


@check(
    "sitemap-loc-duplicate",
    WARNING,
    "An address is listed more than once.",
    "List each address once, in one sitemap.",
)
def duplicate(facts: Facts) -> Iterator[Finding]:
    counts = Counter(normal(entry.loc) for _, entry in facts.entries())
    for loc, count in counts.items():
        if count > 1:
            yield Finding(loc, f"{count} times")


@check(
    "sitemap-loc-dead",
    ERROR,
    "A sitemap lists an address where there is no page.",
    "Take it out of the sitemap, or bring the page back.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        # A server's fault is told once, by http-failing.
        if page.dead and page.status < 500 and page.status:
            yield Finding(entry.loc, page.visit.outcome())


@check(
    "sitemap-loc-refused",
    WARNING,
    "A sitemap lists an address that is refused to this robot.",
    "List what everybody may read, and see whether a firewall turns crawlers away.",
)
def refused(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        if page.refused:
            yield Finding(entry.loc, page.visit.outcome())


@check(
    "sitemap-loc-redirects",
    WARNING,
    "A sitemap lists an address that redirects.",
    "List the address it leads to.",
)
def redirects(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        if page.visit.redirected and not page.dead:
            yield Finding(entry.loc, f"leads to {page.visit.target or page.visit.last.url}")


@check(
    "sitemap-loc-noindex",
    ERROR,
    "A sitemap lists a page that says noindex.",
    "Take it out of the sitemap, or take the noindex away.",
)
def noindex(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        if page.ok and page.noindex:
            yield Finding(entry.loc, ", ".join(sorted(page.robots)))


@check(
    "sitemap-loc-disallowed",
    ERROR,
    "A sitemap lists an address that robots.txt forbids.",
    "Take it out of the sitemap, or allow it.",
)
def disallowed(facts: Facts) -> Iterator[Finding]:
    if not facts.permits(facts.scope.home):
        return
    for entry in facts.listed().values():
        if facts.scope.same_host(entry.loc) and not facts.permits(entry.loc):
            yield Finding(entry.loc)


@check(
    "sitemap-loc-canonical",
    WARNING,
    "A sitemap lists a page that names another address as canonical.",
    "List the canonical address instead.",
)
def non_canonical(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        # The canonical of a Markdown form is its page; that it is listed at all is told by sitemap-loc-twin.
        if page.ok and page.html is not None and not page.own_canonical:
            yield Finding(entry.loc, f"canonical is {page.canonical}")


@check(
    "sitemap-loc-twin",
    WARNING,
    "A sitemap lists a page's Markdown form, which then competes with the page.",
    "List the HTML page alone.",
)
def twin(facts: Facts) -> Iterator[Finding]:
    for entry, page in _visited(facts):
        if page.ok and page.answer is not None and page.answer.content_type == "text/markdown":
            yield Finding(entry.loc)


@check(
    "sitemap-lastmod-invalid",
    ERROR,
    "A lastmod is no W3C datetime, so crawlers ignore it.",
    "Write `2026-03-14` or `2026-03-14T09:26:53Z`; a time needs its zone.",
)
def lastmod_invalid(facts: Facts) -> Iterator[Finding]:
    for _, entry in facts.entries():
        if entry.lastmod and moment(entry.lastmod) is None:
            yield Finding(entry.loc, entry.lastmod[:60])


@check(
    "sitemap-lastmod-future",
    WARNING,
    "A lastmod lies in the future.",
    "Give the date of the last change.",
)
def lastmod_future(facts: Facts) -> Iterator[Finding]:
    # A date without a time may already be tomorrow's where the author lives.
    latest = facts.now + timedelta(days=1)
    for _, entry in facts.entries():
        changed = moment(entry.lastmod)
        if changed is not None and changed > latest:
            yield Finding(entry.loc, entry.lastmod)


@check(
    "sitemap-lastmod-same",
    HINT,
    "Every lastmod is the same moment, mostly that of a build or a clone, which tells crawlers nothing.",
    "Give each page the date of its own last change.",
)
def lastmod_same(facts: Facts) -> Iterator[Finding]:
    dates = [entry.lastmod for _, entry in facts.entries() if entry.lastmod]
    if len(dates) >= _SAME_FROM and len(set(dates)) == 1:
        sitemap = next(iter(facts.entries()))[0]
        yield Finding(sitemap.url, f"{dates[0]}, {len(dates)} times")


@check(
    "sitemap-incomplete",
    HINT,
    "A page that engines may list is in no sitemap.",
    "List it, or say noindex or another canonical if it is not meant to be found.",
)
def incomplete(facts: Facts) -> Iterator[Finding]:
    listed = facts.listed()
    if not listed or not facts.sitemaps_complete:
        return
    for page in facts.pages.values():
        # An address with a query is mostly a view of another page.
        if page.indexable and normal(page.url) not in listed and "?" not in page.url:
            yield Finding(page.url)
