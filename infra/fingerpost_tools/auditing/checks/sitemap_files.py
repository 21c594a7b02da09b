"""Checks of sitemaps as files (sitemaps.org 0.9)."""

from collections.abc import Iterator
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Sitemap
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.sitemap_file import BYTES, ENTRIES, SitemapFile
from fingerpost_tools.auditing.urls import absolute, normal

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
_TYPES: Final = frozenset(
    {"application/xml", "text/xml", "application/gzip", "application/x-gzip", "application/octet-stream"}
)


def _files(facts: Facts) -> Iterator[tuple[Sitemap, SitemapFile]]:
    for sitemap in facts.sitemaps.values():
        if sitemap.file is not None:
            yield sitemap, sitemap.file


@check(
    "sitemap-missing",
    WARNING,
    "There is no sitemap at /sitemap.xml, and robots.txt names none.",
    "Publish one and name it in robots.txt.",
)
def missing(facts: Facts) -> Iterator[Finding]:
    anything_to_list = any(page.indexable for page in facts.pages.values())
    guessed = [sitemap for sitemap in facts.sitemaps.values() if not sitemap.told_by]
    if anything_to_list:
        for sitemap in guessed:
            if sitemap.file is None:
                yield Finding(sitemap.url, sitemap.visit.outcome())


@check(
    "sitemap-broken",
    ERROR,
    "A sitemap can't be read, so crawlers drop it.",
    "Write well-formed XML with `urlset` or `sitemapindex` at its root.",
)
def broken(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if file.broken and not _too_large(sitemap, file):
            yield Finding(sitemap.url, file.broken)


@check(
    "sitemap-schema",
    ERROR,
    "A sitemap breaks the protocol's schema.",
    "Mend the named element; sitemaps.org has the schema.",
)
def schema(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        for fault in file.faults:
            yield Finding(sitemap.url, fault)


@check(
    "sitemap-order",
    HINT,
    "Elements of a sitemap's entries stand in another order than the schema's, which strict readers refuse.",
    "Write loc, lastmod, changefreq, priority, and everything else after them.",
)
def order(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if file.disordered:
            yield Finding(sitemap.url, f"{file.disordered} entries")


@check(
    "sitemap-size",
    ERROR,
    "A sitemap is larger than the protocol allows, so crawlers drop it or its end.",
    "Split it below 50,000 entries and 50 MB, and list the parts in an index.",
)
def size(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if _too_large(sitemap, file):
            yield Finding(sitemap.url, f"more than {BYTES} bytes")
        elif len(file.entries) > ENTRIES:
            yield Finding(sitemap.url, f"{len(file.entries)} entries")


def _too_large(sitemap: Sitemap, file: SitemapFile) -> bool:
    return file.size >= BYTES or sitemap.visit.last.too_large


@check(
    "sitemap-empty",
    WARNING,
    "A sitemap lists nothing.",
    "Answer 404 instead, and take it out of robots.txt and the index, until there is something to list.",
)
def empty(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if not (file.entries or file.broken or file.faults):
            yield Finding(sitemap.url)


@check(
    "sitemap-type",
    WARNING,
    "A sitemap is not served as XML.",
    "Serve it as `application/xml`.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        answer = sitemap.visit.last
        xml = answer.content_type in _TYPES or answer.content_type.endswith("+xml")
        if not xml and not file.broken:
            yield Finding(sitemap.url, f"Content-Type: {answer.headers.get('content-type', 'none')}")


@check(
    "sitemap-index-nested",
    ERROR,
    "A sitemap index lists another index, which the protocol forbids and crawlers do not follow.",
    "List the sitemaps themselves.",
)
def nested(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if file.index and sitemap.told_by not in ("", "robots.txt"):
            yield Finding(sitemap.url, f"listed in {sitemap.told_by}")


@check(
    "sitemap-index-dead",
    ERROR,
    "A sitemap index lists a sitemap that is not there.",
    "Take it out of the index, or let it answer 200.",
)
def child_dead(facts: Facts) -> Iterator[Finding]:
    for sitemap in facts.sitemaps.values():
        if sitemap.file is None and sitemap.told_by not in ("", "robots.txt"):
            yield Finding(sitemap.url, f"{sitemap.visit.outcome()}; listed in {sitemap.told_by}")


@check(
    "sitemap-index-relative",
    ERROR,
    "A sitemap index lists a sitemap by a relative address.",
    "Write the whole address, scheme and host included.",
)
def child_relative(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if file.index:
            for entry in file.entries:
                if not absolute(entry.loc):
                    yield Finding(sitemap.url, entry.loc)


@check(
    "sitemap-redirects",
    WARNING,
    "A sitemap is named by an address that redirects.",
    "Name the address that it is served at.",
)
def redirects(facts: Facts) -> Iterator[Finding]:
    for sitemap, _ in _files(facts):
        if sitemap.visit.redirected:
            yield Finding(sitemap.url, f"leads to {sitemap.visit.last.url}")


@check(
    "sitemap-lastmod-now",
    WARNING,
    "A sitemap's dates move from one fetch to the next, so crawlers stop trusting them.",
    "Give the date of the last change, or none.",
)
def lastmod_now(facts: Facts) -> Iterator[Finding]:
    for sitemap, file in _files(facts):
        if sitemap.again is None:
            continue
        before = {normal(entry.loc): entry.lastmod for entry in file.entries if entry.lastmod}
        after = {normal(entry.loc): entry.lastmod for entry in sitemap.again.entries if entry.lastmod}
        moved = [loc for loc in before.keys() & after.keys() if before[loc] != after[loc]]
        # One page that was edited meanwhile is no fault.
        if len(moved) > 1 and len(moved) * 2 > len(before):
            yield Finding(sitemap.url, f"{len(moved)} of {len(before)} dates moved during the crawl")
