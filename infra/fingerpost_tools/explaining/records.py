"""Explaining records: those that are published, and the rows that no document shows."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import AddressTemplate, Collection, distinct
from fingerpost.catalogue.entry import Document, Drop
from fingerpost.catalogue.families import Versions
from fingerpost.catalogue.feed_source import feed_source, item_fields, publication_field
from fingerpost.catalogue.visibility import lastmod_field, readable_fields
from fingerpost.catalogue.visitor import ANONYMOUS
from fingerpost.documents.sitemap import record_cap, render_sitemap
from fingerpost.site.model import Condition, Table
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import Examined, Record
from fingerpost.web.feed import newest_records
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.documents import Decider, record_candidate
from fingerpost_tools.explaining.facts import Absence, Answer, Explanation, Lastmod, Source


class Row(NamedTuple):
    """A record of a collection: key, slug, lastmod and versions as every document reads them, and its
    publication."""

    key: str
    slug: str | None
    lastmod: str | None
    versions: Versions
    published: str | None = None


class RecordExplainer:
    """Explains the rows of one database. Raises RecordsUnavailable."""

    def __init__(self, catalogue: Catalogue, source: PostgresRecords, places: ConfigurationPlaces) -> None:
        self._catalogue = catalogue
        self._source = source
        self._places = places

    def feed_items(self, now: datetime) -> frozenset[str]:
        """The addresses of the feed's items, where they are records."""
        source = feed_source(self._catalogue)
        if source is None or source.collection is None:
            return frozenset()
        collection = source.collection
        fields = item_fields(self._catalogue.site, collection.table)
        with self._source.snapshot() as snapshot:
            chosen = newest_records(source.limit, collection, fields, snapshot, now)
        return frozenset(collection.address(collection.main, encoded) for _, encoded in chosen)

    def every(self, collection: Collection, decider: Decider) -> Iterator[Answer]:
        """Every record of a collection as the sitemap reads them, then those that no address can hold."""
        rows: list[Row] = []
        with self._source.snapshot() as snapshot:
            versions = self._catalogue.family(collection).finder(snapshot)
            published = self._publication_field(collection)
            cap, fields = record_cap(self._catalogue), self._fields(collection, published)
            for page in snapshot.whole(collection.selection, fields, cap):
                rows += [_row(record, versions(record), published) for record in page]
        too_long = self._too_long(collection, rows)
        dropped: list[Answer] = []

        def drop(reason: Drop, row: Sequence[str | None]) -> None:
            dropped.append(self._dropped(collection, reason, str(row[0]), row[1]))

        for slug, encoded, row in distinct([rows], collection, dropped=drop):
            is_long = collection.address(collection.main, encoded) in too_long
            yield from self._published(collection, slug, row, decider, is_long)
        yield from dropped

    def with_key(self, table: Table, key: str, decider: Decider) -> Iterator[Answer]:
        """The row of `table` with a key, once for each page that publishes the table and each language."""
        collections = [c for c in self._catalogue.collections.values() if c.table is table]
        for collection in collections:
            rows = self._source.with_key(collection.selection, key)
            if not rows:
                yield Absence(
                    f"{table.name}:{key}", "no-record", f"no row of `{table.name}` has the key {key}"
                )
            for row in rows:
                yield from self._examined(collection, row, decider)
        if not collections:
            yield self._unpublished(table, key)

    def at(
        self, collection: Collection, template: AddressTemplate, slug: str, asked: str, decider: Decider
    ) -> Answer:
        """The record at an address, or why there is none."""
        row = self._first(collection, slug)
        if row is not None:
            is_long = bool(self._too_long(collection, [row]))
            return next(self._published(collection, slug, row, decider, is_long, (template,)))
        examined = self._source.with_slug(collection.selection, slug)
        if examined:
            return self._left_out(collection, examined[0], asked)
        reason = f"no row of `{collection.table.name}` has {slug!r} in `{collection.selection.slug_field}`"
        return Absence(asked, "no-record", reason)

    def addresses(self, collection: Collection, most: int) -> Iterator[str]:
        """Addresses of a collection's records, `most` at most: where a misspelt one may have been meant."""
        with self._source.snapshot() as snapshot:
            rows = list(snapshot.rows(collection.selection, most))
        for _, encoded, _ in distinct(rows, collection):
            for template in collection.templates:
                yield collection.address(template, encoded)

    def _examined(self, collection: Collection, row: Examined, decider: Decider) -> Iterator[Answer]:
        asked = f"{collection.table.name}:{row.key}"
        if row.deleted_by or not all(row.met):
            yield self._left_out(collection, row, asked)
            return
        if collection.encode(row.slug) is None or row.slug is None:
            reason = Drop.IMPOSSIBLE if row.slug else Drop.EMPTY
            yield self._dropped(collection, reason, row.key, row.slug)
            return
        first = self._first(collection, row.slug)
        if first is None or first.key != row.key:
            yield self._dropped(collection, Drop.COLLISION, row.key, row.slug)
            return
        is_long = bool(self._too_long(collection, [first]))
        yield from self._published(collection, row.slug, first, decider, is_long)

    def _first(self, collection: Collection, slug: str) -> Row | None:
        """The record that answers for a slug."""
        published = self._publication_field(collection)
        with self._source.snapshot() as snapshot:
            found = snapshot.record(collection.selection, slug, self._fields(collection, published))
            if found is None:
                return None
            return _row(found, self._catalogue.family(collection).versions(snapshot, found), published)

    def _fields(self, collection: Collection, published: str | None) -> list[str]:
        """What is read of a record beside its key, slug and lastmod."""
        return [*([published] if published else ()), *self._catalogue.family(collection).fields]

    def _publication_field(self, collection: Collection) -> str | None:
        return publication_field(readable_fields(self._catalogue.site, collection.table, ANONYMOUS))

    def _published(
        self,
        collection: Collection,
        slug: str,
        row: Row,
        decider: Decider,
        too_long: bool,
        templates: Sequence[AddressTemplate] | None = None,
    ) -> Iterator[Answer]:
        """A record at each of its addresses, and those that another entry or a file has."""
        free = collection.templates_of(slug, Document.HTML)
        family = self._catalogue.family(collection)
        for template in templates or collection.templates:
            candidate = record_candidate(
                self._catalogue, family, template, slug, row.versions, row.published, too_long
            )
            if template not in free:
                reason = f"{candidate.address} is answered by another page, a Markdown form or a file"
                yield Absence(candidate.address, Drop.SHADOWED, reason)
                continue
            language = template.variant.language
            tags = [a.hreflang for a in candidate.alternates if a.hreflang != "x-default"]
            yield Explanation(
                address=candidate.address,
                source=self._source_of(collection, row.key),
                language=language.tag if language else None,
                languages=tuple(tags or ([language.tag] if language else [])),
                lastmod=self._lastmod(collection, row.lastmod),
                decisions=decider.decisions(candidate),
            )

    def _source_of(self, collection: Collection, key: str) -> Source:
        page = collection.route.page
        return Source("record", page.name, self._places.of_page(page), table=collection.table.name, key=key)

    def _lastmod(self, collection: Collection, value: str | None) -> Lastmod:
        table = collection.table
        name = lastmod_field(table)
        number = next((n for n, field in enumerate(table.fields) if field.name == name), None)
        place = None if number is None else self._places.of_table(table, f"fields[{number}]")
        if not collection.dated:
            return Lastmod(None, f"not everyone may read {table.name}.{name}", place)
        return Lastmod(value, f"column {table.name}.{name}" if value else f"no {table.name}.{name}", place)

    def _left_out(self, collection: Collection, row: Examined, asked: str) -> Absence:
        """Why a row is no record of a collection: soft-deleted, or a condition it does not meet."""
        if row.deleted_by:
            return Absence(asked, "deleted", f"row {row.key} is soft-deleted: `{row.deleted_by[0]}` is set")
        number = row.met.index(False)
        page = collection.route.page
        return Absence(
            asked,
            "filtered",
            f"row {row.key} does not meet {_in_words(collection.selection.conditions[number])}",
            self._places.of_page(page, f"collection.filter[{number}]"),
        )

    def _dropped(self, collection: Collection, reason: Drop, key: str, slug: str | None) -> Absence:
        field = collection.selection.slug_field
        sentences = {
            Drop.EMPTY: f"its `{field}` is empty",
            Drop.IMPOSSIBLE: f"no client can ask for an address with {slug!r}, its `{field}`",
            Drop.COLLISION: f"an earlier row has {slug!r} in `{field}` too, and the first wins",
        }
        place = self._places.of_page(collection.route.page, "collection.slugField")
        return Absence(f"{collection.table.name}:{key}", reason, f"row {key}: {sentences[reason]}", place)

    def _unpublished(self, table: Table, key: str) -> Absence:
        asked = f"{table.name}:{key}"
        hidden = next(
            (
                each
                for each in self._catalogue.dropped
                if each.page.collection is not None and each.page.collection.table == table.name
            ),
            None,
        )
        if hidden is not None:
            return Absence(asked, hidden.reason, hidden.message, hidden.place)
        place = self._places.of_table(table)
        return Absence(asked, "no-page", f"no page publishes the records of `{table.name}`", place)

    def _too_long(self, collection: Collection, rows: Sequence[Row]) -> frozenset[str]:
        """The addresses that the sitemap leaves out for their length."""

        def read(wanted: Collection, cap: int) -> Iterator[Sequence[Row]]:
            if wanted is collection:
                yield rows

        origin = self._catalogue.origin.known or ""
        return frozenset(render_sitemap(self._catalogue, origin, read).too_long)


def _row(record: Record, versions: Versions, published: str | None) -> Row:
    date = record.get(published) if published else None
    return Row(record["$key"], record["$slug"], record["$lastmod"], versions, date)


def _in_words(condition: Condition) -> str:
    value = condition.value if isinstance(condition.value, str) else ", ".join(condition.value)
    return f"`{condition.field} {condition.operator} {value}`"
