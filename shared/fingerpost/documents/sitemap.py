"""The sitemap: one urlset, or an index and its children (sitemaps.org 0.9; SPEC section 6).

Elements inside `<url>` stand in the order that the XSD fixes: loc, lastmod, changefreq, priority, then
the alternates. Children are cut by count and by bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection, distinct
from fingerpost.catalogue.entry import Alternate, Document, Entry
from fingerpost.catalogue.visibility import field_readers, lastmod_field
from fingerpost.documents.escape import xml_attribute, xml_text
from fingerpost.limits import LOC_CHARACTERS, RECORD_PAGE_ROWS, RECORD_PAGES, RESPONSE_BYTES, SITEMAP_ENTRIES

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_URLSET_END = "</urlset>\n"

# One collection's rows, read by key in pages: what Snapshot.rows gives.
RowReader = Callable[[Collection, int], Iterator[Sequence[Sequence[Any]]]]


class Url(NamedTuple):
    """One `<url>` element as XML, and its lastmod: a W3C datetime in UTC, whose text order is time order."""

    xml: str
    lastmod: str | None


@dataclass(frozen=True, slots=True)
class SitemapSet:
    """The complete sitemap of one moment. `first` answers /sitemap.xml (None: nothing to list);
    `children` answer /sitemap-1.xml and so on, empty where one urlset holds everything.

    `too_long` are locs left out for their length; `capped` names the tables whose cap was reached.
    """

    first: bytes | None
    children: tuple[bytes, ...] = ()
    entries: int = 0
    too_long: tuple[str, ...] = ()
    capped: tuple[str, ...] = ()

    def document(self, number: int | None) -> bytes | None:
        """The body of /sitemap.xml (None) or /sitemap-{number}.xml; None where there is none."""
        if number is None:
            return self.first
        return self.children[number - 1] if 1 <= number <= len(self.children) else None


@dataclass(slots=True)
class _Report:
    too_long: list[str] = field(default_factory=list)
    capped: list[str] = field(default_factory=list)


def record_cap(catalogue: Catalogue) -> int:
    """The most records that are read of one collection."""
    return catalogue.site.seo.max_records or RECORD_PAGES * RECORD_PAGE_ROWS


def render_sitemap(catalogue: Catalogue, origin: str, rows: RowReader) -> SitemapSet:
    """The whole set, with every URL behind `origin` (scheme and host) and records from `rows`.

    Raises what `rows` raises: there is no sitemap without its records.
    """
    site = catalogue.site
    multilingual = site.languages is not None and site.seo.alternates
    head = f"{_DECLARATION}<urlset {_NAMESPACE}{_XHTML if multilingual else ''}>\n"
    report = _Report()
    children: list[bytes] = []
    newest: list[str | None] = []
    total = 0
    for chunk in _chunks(_urls(catalogue, origin, rows, multilingual, report), len(head) + len(_URLSET_END)):
        total += len(chunk)
        children.append("".join([head, *(url.xml for url in chunk), _URLSET_END]).encode())
        dates = [url.lastmod for url in chunk]
        newest.append(max(date for date in dates if date) if all(dates) else None)
    too_long, capped = tuple(report.too_long), tuple(report.capped)
    if len(children) <= 1:
        return SitemapSet(children[0] if children else None, (), total, too_long, capped)
    index = _index(f"{origin}{catalogue.origin.base}", newest)
    return SitemapSet(index, tuple(children), total, too_long, capped)


def _chunks(urls: Iterable[Url], frame: int) -> Iterator[list[Url]]:
    """`urls` in runs that each fit one child: at most 5,000, and small enough for one response.

    A URL is ASCII once encoded, so characters are bytes; only the tag of a language could be otherwise,
    and BCP 47 has no other letters.
    """
    chunk: list[Url] = []
    size = frame
    for url in urls:
        length = len(url.xml)
        if chunk and (len(chunk) == SITEMAP_ENTRIES or size + length > RESPONSE_BYTES):
            yield chunk
            chunk, size = [], frame
        chunk.append(url)
        size += length
    if chunk:
        yield chunk


def _index(prefix: str, newest: Sequence[str | None]) -> bytes:
    lines = [f"{_DECLARATION}<sitemapindex {_NAMESPACE}>\n"]
    for number, lastmod in enumerate(newest, 1):
        date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        lines.append(f"<sitemap><loc>{xml_text(f'{prefix}/sitemap-{number}.xml')}</loc>{date}</sitemap>\n")
    lines.append("</sitemapindex>\n")
    return "".join(lines).encode()


def _urls(
    catalogue: Catalogue, origin: str, rows: RowReader, multilingual: bool, report: _Report
) -> Iterator[Url]:
    for part in catalogue.parts:
        if not part.verdict.allows(Document.SITEMAP):
            continue
        if isinstance(part, Collection):
            yield from _record_urls(
                part, origin, _up_to_cap(part, rows, record_cap(catalogue), report), multilingual, report
            )
        elif len(origin) + len(part.address) < LOC_CHARACTERS:
            yield _entry_url(part, origin, catalogue.alternates(part) if multilingual else ())
        else:
            report.too_long.append(part.address)


def _up_to_cap(
    collection: Collection, rows: RowReader, cap: int, report: _Report
) -> Iterator[Sequence[Sequence[Any]]]:
    """The collection's rows, noting in `report` that there were as many as may be read."""
    count = 0
    for page in rows(collection, cap):
        count += len(page)
        yield page
    if count >= cap:
        report.capped.append(collection.table.name)


def _entry_url(entry: Entry, origin: str, alternates: Sequence[Alternate]) -> Url:
    hints = entry.page.sitemap
    front = entry.article.front.sitemap if entry.article else None
    tail = _tail(
        (front.changefreq if front else None) or hints.changefreq,
        (front.priority if front else None) or hints.priority,
    )
    date = f"<lastmod>{entry.lastmod}</lastmod>" if entry.lastmod else ""
    loc = xml_text(f"{origin}{entry.address}")
    return Url(f"<url><loc>{loc}</loc>{date}{tail}{_links(alternates, origin)}</url>\n", entry.lastmod)


def _record_urls(
    collection: Collection,
    origin: str,
    rows: Iterator[Sequence[Sequence[Any]]],
    multilingual: bool,
    report: _Report,
) -> Iterator[Url]:
    """The records' elements. Everything but slug, date and links is the same for all, and made once."""
    hints = collection.route.page.sitemap
    tail = _tail(hints.changefreq, hints.priority)
    frames = {
        template.code: (xml_text(f"{origin}{template.prefix}"), xml_text(template.suffix))
        for template in collection.templates
    }
    dated = field_readers(collection.table, lastmod_field(collection.table)).everyone
    overhead = len(origin) + max(len(t.prefix) + len(t.suffix) for t in collection.templates)
    for slug, encoded, row in distinct(rows, collection):
        if len(encoded) + overhead >= LOC_CHARACTERS:
            report.too_long.append(collection.address(collection.main, encoded))
            continue
        lastmod = row[2] if dated else None
        date = f"</loc><lastmod>{lastmod}</lastmod>" if lastmod else "</loc>"
        links = _links(collection.alternates(slug, encoded), origin) if multilingual else ""
        text = encoded.replace("&", "&amp;")
        for template in collection.templates_of(slug, Document.SITEMAP):
            before, after = frames[template.code]
            yield Url(f"<url><loc>{before}{text}{after}{date}{tail}{links}</url>\n", lastmod)


def _tail(changefreq: str | None, priority: str | None) -> str:
    parts = []
    if changefreq is not None:
        parts.append(f"<changefreq>{xml_text(changefreq)}</changefreq>")
    if priority is not None:
        parts.append(f"<priority>{xml_text(priority)}</priority>")
    return "".join(parts)


def _links(alternates: Sequence[Alternate], origin: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{xml_attribute(alternate.hreflang)}"'
        f' href="{xml_attribute(origin + alternate.address)}"/>'
        for alternate in alternates
    )
