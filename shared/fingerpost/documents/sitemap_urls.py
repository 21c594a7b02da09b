"""The `<url>` elements of a sitemap, for entries one by one and for records a page of rows at a time.

Elements inside `<url>` stand in the order that the XSD fixes: loc, lastmod, changefreq, priority, then
the alternates.
"""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from fingerpost.catalogue.collections import AddressTemplate, distinct_page
from fingerpost.catalogue.entry import Alternate, Entry
from fingerpost.catalogue.families import NO_VERSIONS, Family, Versions
from fingerpost.documents.escape import xml_attribute, xml_text
from fingerpost.limits import LOC_CHARACTERS
from fingerpost.sources.records import lastmods_of, slugs_of

# Stands for a record's slug until its element is cut there: no encoded address holds a brace.
_SLUG = "{slug}"
# Rows whose elements are handed over together, where a row has several: one for each language.
_BATCH_ROWS = 500

Row = Sequence[Any]


class Batch(NamedTuple):
    """Some `<url>` elements as XML, and the lastmod of each: a W3C datetime in UTC, whose text order is time
    order."""

    urls: Sequence[str]
    lastmods: Sequence[str | None]


class _Form(NamedTuple):
    """A record's element at one of its addresses: what stands before, between and behind slug and lastmod.
    `rest` is to be joined by the slug, which each of its links repeats."""

    before: str
    after: str
    rest: Sequence[str]


def entry_urls(entry: Entry, origin: str, alternates: Sequence[Alternate]) -> Batch:
    """The one element of a page or article."""
    hints = entry.page.sitemap
    front = entry.article.front.sitemap if entry.article else None
    tail = _tail(
        (front.changefreq if front else None) or hints.changefreq,
        (front.priority if front else None) or hints.priority,
    )
    date = f"<lastmod>{entry.lastmod}</lastmod>" if entry.lastmod else ""
    loc = xml_text(f"{origin}{entry.address}")
    return Batch([f"<url><loc>{loc}</loc>{date}{tail}{_links(alternates, origin)}</url>\n"], [entry.lastmod])


class RecordUrls:
    """The elements of a collection's records: all but slug and date is the same for each, and made once.

    `too_long` gathers the addresses that are left out for their length.
    """

    def __init__(self, family: Family, origin: str, multilingual: bool) -> None:
        self.too_long: list[str] = []
        self._family = family
        self._collection = collection = family.collection
        self._origin = origin
        self._multilingual = multilingual
        self._seen: set[str] = set()
        self._forms: dict[tuple[object, ...], list[_Form]] = {}
        around = max(len(each.prefix) + len(each.suffix) for each in collection.templates)
        self._longest = LOC_CHARACTERS - 1 - len(origin) - around
        hints = collection.route.page.sitemap
        self._tail = _tail(hints.changefreq, hints.priority)

    def batches(self, page: Sequence[Row]) -> Iterator[Batch]:
        """The elements of a page of rows of the family; a slug that an earlier row has is passed over."""
        rows, encoded = distinct_page(page, self._collection, self._seen)
        if max(map(len, encoded), default=0) > self._longest:
            rows, encoded = self._short_enough(rows, encoded)
        if not rows:
            return
        # Nothing else that XML knows, in text or attributes, is left unencoded in an address.
        slugs = [slug.replace("&", "&amp;") for slug in encoded] if "&" in "".join(encoded) else encoded
        undisputed = self._family.is_undisputed(slugs_of(rows))
        alike = self._forms_of(rows[0][1], NO_VERSIONS) if undisputed and self._family.is_uniform else None
        if alike is not None and len(alike) == 1 and len(alike[0].rest) == 1:
            yield self._plain_batch(rows, slugs, alike[0])
            return
        for start in range(0, len(rows), _BATCH_ROWS):
            part = rows[start : start + _BATCH_ROWS]
            forms = repeat(alike, len(part)) if alike is not None else self._forms_of_each(part, undisputed)
            yield self._batch(part, slugs[start : start + _BATCH_ROWS], list(forms))

    def _plain_batch(self, rows: Sequence[Row], slugs: Sequence[str], form: _Form) -> Batch:
        """Elements of one language and without links, as most sites have: half the time for each of maybe a
        million records."""
        lastmods = self._lastmods(rows)
        before, after, (end,) = form
        urls = [
            f"{before}{slug}{after}<lastmod>{lastmod}</lastmod>{end}"
            if lastmod
            else f"{before}{slug}{after}{end}"
            for slug, lastmod in zip(slugs, lastmods, strict=True)
        ]
        return Batch(urls, lastmods)

    def _batch(self, rows: Sequence[Row], slugs: Sequence[str], forms: Sequence[Sequence[_Form]]) -> Batch:
        lastmods = self._lastmods(rows)
        urls = [
            f"{before}{slug}{after}<lastmod>{lastmod}</lastmod>{slug.join(rest)}"
            if lastmod
            else f"{before}{slug}{after}{slug.join(rest)}"
            for slug, lastmod, own in zip(slugs, lastmods, forms, strict=True)
            for before, after, rest in own
        ]
        return Batch(urls, [lastmod for lastmod, own in zip(lastmods, forms, strict=True) for _ in own])

    def _lastmods(self, rows: Sequence[Row]) -> Sequence[str | None]:
        return lastmods_of(rows) if self._collection.dated else [None] * len(rows)

    def _forms_of_each(self, rows: Sequence[Row], undisputed: bool) -> Iterator[Sequence[_Form]]:
        """The forms of each row. Where nothing else tells records apart, who publishes them does."""
        uniform, known = self._family.is_uniform, {}
        for row in rows:
            versions = NO_VERSIONS if uniform else row[3]
            if self._family.canonical_varies or not undisputed:
                yield self._forms_of(row[1], versions)
                continue
            publishers = tuple(versions)
            if publishers not in known:
                known[publishers] = self._forms_of(row[1], versions)
            yield known[publishers]

    def _forms_of(self, slug: str, versions: Versions) -> list[_Form]:
        """The forms of the record with `slug`, one for each address it is listed at."""
        listed = self._family.listed(slug, versions)
        alternates = self._family.alternates(slug, _SLUG, versions) if self._multilingual and listed else ()
        name = (tuple(template.code for template in listed), alternates)
        if name not in self._forms:
            rest = f"{self._tail}{_links(alternates, self._origin)}</url>\n".split(_SLUG)
            self._forms[name] = [self._form(template, rest) for template in listed]
        return self._forms[name]

    def _form(self, template: AddressTemplate, rest: Sequence[str]) -> _Form:
        before = f"<url><loc>{xml_text(self._origin + template.prefix)}"
        return _Form(before, f"{xml_text(template.suffix)}</loc>", rest)

    def _short_enough(
        self, rows: Sequence[Row], encoded: Sequence[str]
    ) -> tuple[Sequence[Row], Sequence[str]]:
        """The rows whose addresses are short enough, the others reported."""
        kept = []
        for row, slug in zip(rows, encoded, strict=True):
            if len(slug) <= self._longest:
                kept.append((row, slug))
            else:
                self.too_long.append(self._collection.address(self._collection.main, slug))
        return [row for row, _ in kept], [slug for _, slug in kept]


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
