"""The sitemap: one urlset, or an index and its children (sitemaps.org 0.9; SPEC section 6).

Children are cut by count and by bytes, one after the other, from elements that come in batches: a set is
never whole in memory unless it is asked for whole.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection
from fingerpost.catalogue.entry import Document
from fingerpost.documents.escape import xml_text
from fingerpost.documents.sitemap_urls import Batch, RecordUrls, entry_urls
from fingerpost.limits import (
    LOC_CHARACTERS,
    RECORD_PAGE_ROWS,
    RECORD_PAGES,
    RESPONSE_BYTES,
    SITEMAP_CHILDREN,
    SITEMAP_ENTRIES,
)
from fingerpost.values import dataclass

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_URLSET_END = "</urlset>\n"

# One collection's rows, read by key in pages: what Family.rows gives.
RowReader = Callable[[Collection, int], Iterator[Sequence[Sequence[Any]]]]


class Child(NamedTuple):
    """One urlset: its bytes, how many entries it has, and its newest lastmod where every entry has one."""

    body: bytes
    entries: int
    lastmod: str | None


@dataclass(slots=True)
class Report:
    """What a set leaves out: locs for their length, the tables whose cap was reached, and whether there was
    more than an index may name."""

    too_long: list[str] = field(default_factory=list)
    capped: list[str] = field(default_factory=list)
    too_many: bool = False


@dataclass(frozen=True, slots=True)
class SitemapSet:
    """The complete sitemap of one moment. `first` answers /sitemap.xml (None: nothing to list);
    `children` answer /sitemap-1.xml and so on, empty where one urlset holds everything.

    `too_long`, `capped` and `too_many` as in Report.
    """

    first: bytes | None
    children: tuple[bytes, ...] = ()
    entries: int = 0
    too_long: tuple[str, ...] = ()
    capped: tuple[str, ...] = ()
    too_many: bool = False

    def document(self, number: int | None) -> bytes | None:
        """The body of /sitemap.xml (None) or /sitemap-{number}.xml; None where there is none."""
        if number is None:
            return self.first
        return self.children[number - 1] if 1 <= number <= len(self.children) else None


def record_cap(catalogue: Catalogue) -> int:
    """The most records that are read of one collection."""
    return catalogue.site.seo.max_records or RECORD_PAGES * RECORD_PAGE_ROWS


def render_sitemap(catalogue: Catalogue, origin: str, rows: RowReader) -> SitemapSet:
    """The whole set, with every URL behind `origin` (scheme and host) and records from `rows`.

    Raises what `rows` raises: there is no sitemap without its records.
    """
    report = Report()
    children = list(render_children(catalogue, origin, rows, report))
    bodies = tuple(child.body for child in children)
    first = bodies[0] if bodies else None
    if len(bodies) > 1:
        first = render_index(catalogue, origin, [child.lastmod for child in children])
    return SitemapSet(
        first=first,
        children=bodies if len(bodies) > 1 else (),
        entries=sum(child.entries for child in children),
        too_long=tuple(report.too_long),
        capped=tuple(report.capped),
        too_many=report.too_many,
    )


def render_children(catalogue: Catalogue, origin: str, rows: RowReader, report: Report) -> Iterator[Child]:
    """The urlsets of the set, each rendered when it is asked for; arguments and errors as above.

    Where there is one alone, it is the sitemap itself. `report` is complete once the last has been taken.
    """
    site = catalogue.site
    multilingual = site.languages is not None and site.seo.alternates
    head = f"{_DECLARATION}<urlset {_NAMESPACE}{_XHTML if multilingual else ''}>\n"
    runs = _runs(_batches(catalogue, origin, rows, multilingual, report), len(head) + len(_URLSET_END))
    for urls, lastmods in islice(runs, SITEMAP_CHILDREN):
        body = "".join(chain((head,), urls, (_URLSET_END,))).encode()
        dates = [lastmod for lastmod in lastmods if lastmod]
        yield Child(body, len(urls), max(dates) if len(dates) == len(urls) else None)
    report.too_many = next(runs, None) is not None


def render_index(catalogue: Catalogue, origin: str, lastmods: Sequence[str | None]) -> bytes:
    """The index of a set whose children have these `lastmods`, in their order."""
    prefix = xml_text(f"{origin}{catalogue.origin.base}")
    lines = [f"{_DECLARATION}<sitemapindex {_NAMESPACE}>\n"]
    for number, lastmod in enumerate(lastmods, 1):
        date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        lines.append(f"<sitemap><loc>{prefix}/sitemap-{number}.xml</loc>{date}</sitemap>\n")
    lines.append("</sitemapindex>\n")
    return "".join(lines).encode()


def _runs(batches: Iterable[Batch], frame: int) -> Iterator[Batch]:
    """The elements of `batches` in runs that each fit one child: at most 5,000, and with `frame` bytes around
    them small enough for one response.

    A URL is ASCII once encoded, so characters are bytes; only the tag of a language could be otherwise,
    and BCP 47 has no other letters.
    """
    urls: list[str] = []
    lastmods: list[str | None] = []
    size = frame
    for batch in batches:
        urls += batch.urls
        lastmods += batch.lastmods
        size += sum(map(len, batch.urls))
        while len(urls) > SITEMAP_ENTRIES or size > RESPONSE_BYTES:
            fit, fitting = _fitting(urls, frame)
            yield Batch(urls[:fit], lastmods[:fit])
            del urls[:fit], lastmods[:fit]
            size -= fitting
    if urls:
        yield Batch(urls, lastmods)


def _fitting(urls: Sequence[str], frame: int) -> tuple[int, int]:
    """How many of `urls`, from the first on, fit one child, never none; and how many bytes they are."""
    urls = urls[:SITEMAP_ENTRIES]
    size = sum(map(len, urls))
    if frame + size <= RESPONSE_BYTES:
        return len(urls), size
    sizes = list(accumulate(map(len, urls), initial=0))
    fit = max(1, bisect_right(sizes, RESPONSE_BYTES - frame) - 1)
    return fit, sizes[fit]


def _batches(
    catalogue: Catalogue, origin: str, rows: RowReader, multilingual: bool, report: Report
) -> Iterator[Batch]:
    for part in catalogue.parts:
        if not part.verdict.allows(Document.SITEMAP):
            continue
        if isinstance(part, Collection):
            urls = RecordUrls(catalogue.family(part), origin, multilingual)
            for page in _up_to_cap(part, rows, record_cap(catalogue), report):
                yield from urls.batches(page)
            report.too_long += urls.too_long
        elif len(origin) + len(part.address) < LOC_CHARACTERS:
            yield entry_urls(part, origin, catalogue.alternates(part) if multilingual else ())
        else:
            report.too_long.append(part.address)


def _up_to_cap(
    collection: Collection, rows: RowReader, cap: int, report: Report
) -> Iterator[Sequence[Sequence[Any]]]:
    """The collection's rows, noting in `report` that there were as many as may be read."""
    count = 0
    for page in rows(collection, cap):
        count += len(page)
        yield page
    if count >= cap:
        report.capped.append(collection.table.name)
