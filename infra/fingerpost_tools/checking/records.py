"""Records that a document leaves out: asked only where a database was named."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from fingerpost.catalogue.collections import Collection, distinct
from fingerpost.catalogue.entry import Document, Drop
from fingerpost.documents.sitemap import record_cap, render_sitemap
from fingerpost.site.problems import Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject

Row = Sequence[Any]


def records(subject: Subject) -> Iterator[Problem]:
    """The cap reached, slugs that make no address or one that is taken, addresses too long for a loc, and a
    slug without an index.

    Raises RecordsUnavailable."""
    if subject.records is None:
        return
    for collection in subject.catalogue.collections.values():
        if collection.verdict.allows(Document.SITEMAP):
            cap = record_cap(subject.catalogue)
            with subject.records.snapshot() as snapshot:
                family = subject.catalogue.family(collection)
                rows = [row for page in family.rows(snapshot, cap) for row in page]
            yield from _of_collection(subject, collection, rows, cap)
        field = collection.selection.slug_field
        if not subject.records.is_indexed(collection.table, field):
            place = subject.page_place(collection.route.page, "collection.slugField")
            message = (
                f"no index of `{collection.table.name}` begins with `{field}`, by which records are found"
            )
            yield finding("slug-not-indexed", place, message)


def _of_collection(
    subject: Subject, collection: Collection, rows: Sequence[Row], cap: int
) -> Iterator[Problem]:
    table, page = collection.table.name, collection.route.page
    if len(rows) >= cap:
        place = subject.page_place(page, "collection")
        yield finding("records-capped", place, f"`{table}` has {cap:,} records or more, and {cap:,} are read")
    counted: Counter[Drop] = Counter()
    first: dict[Drop, str] = {}

    def dropped(reason: Drop, row: Row) -> None:
        counted[reason] += 1
        first.setdefault(reason, f"{table}:{row[0]}")

    found = list(distinct([rows], collection, dropped=dropped))
    for slug, _, row in found:
        if collection.is_rivalled(slug):
            dropped(Drop.SHADOWED, row)
    place = subject.page_place(page, "collection.slugField")
    for reason, count in counted.items():
        said = _SAID[reason]
        message = f"{count} record{'s' if count > 1 else ''} of `{table}` {said}; {first[reason]} is one"
        yield finding(reason, place, message)
    yield from _too_long(subject, collection, rows)


_SAID = {
    Drop.EMPTY: "without a slug",
    Drop.IMPOSSIBLE: "with a slug that no client can ask for",
    Drop.COLLISION: "with a slug that an earlier one has",
    Drop.SHADOWED: "at an address that another page, a Markdown form or a file has",
}


def _too_long(subject: Subject, collection: Collection, rows: Sequence[Row]) -> Iterator[Problem]:
    def read(wanted: Collection, cap: int) -> Iterator[Sequence[Row]]:
        if wanted is collection:
            yield rows

    origin, own = subject.catalogue.origin.known or "", {e.address for e in subject.catalogue.all_entries()}
    too_long = [a for a in render_sitemap(subject.catalogue, origin, read).too_long if a not in own]
    if too_long:
        place = subject.page_place(collection.route.page, "collection.slugField")
        count = f"{len(too_long)} addresses" if len(too_long) > 1 else "1 address"
        verb = "are" if len(too_long) > 1 else "is"
        message = f"{count} of `{collection.table.name}` {verb} too long for a loc"
        yield finding("address-too-long", place, message)
