"""Who may see what: the one rule that decides for every document (SPEC section 4).

`RULES` is the spec's table. Each rule says when it applies to a subject and which documents it keeps it
out of. The first rule that excludes a document is the one named for it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from fingerpost.catalogue.addresses import parse_pattern
from fingerpost.catalogue.entry import Document, Entry, Rule, Verdict
from fingerpost.catalogue.visitor import Visitor, may_read
from fingerpost.site.dates import instant
from fingerpost.site.model import EVERYONE, NOBODY, Field, FrontMatter, Page, Readers, Site, Table
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """What a verdict is about: a page, or an article or the records of one."""

    page: Page
    front: FrontMatter | None = None
    readers: tuple[Readers, ...] = ()  # beyond the page's own: the table's and its fields'
    filtered: bool = False
    canonical_elsewhere: bool = False


def is_underscored(page: Page) -> bool:
    """Whether the page's path begins with `/_`, however it is encoded."""
    return bool(start := parse_pattern(page.path).static_part) and start[0].startswith("_")


def _everyone(subject: Subject) -> bool:
    return all(readers.everyone for readers in (subject.page.access.readers, *subject.readers))


def _noindex(subject: Subject) -> bool:
    meta, front = subject.page.meta, subject.front
    return meta.noindex or bool(front and front.noindex)


def _unlisted(subject: Subject) -> bool:
    front = subject.front
    return not subject.page.sitemap.listed or bool(front and not front.sitemap.listed)


def _in_future(subject: Subject, now: datetime) -> bool:
    front = subject.front
    return bool(front and front.published and instant(front.published) > now)


_EVERYWHERE = frozenset(Document)
_BUT_OWN_ADDRESS = _EVERYWHERE - {Document.HTML, Document.TWIN}
_INDEXES = frozenset({Document.SITEMAP, Document.HREFLANG, Document.LLMS})

RULES: tuple[tuple[Rule, Callable[[Subject, datetime], bool], frozenset[Document]], ...] = (
    (Rule.DRAFT, lambda s, _: bool(s.front and s.front.draft), _EVERYWHERE),
    (Rule.FUTURE, _in_future, _EVERYWHERE),
    (Rule.FILTERED, lambda s, _: s.filtered, _EVERYWHERE),
    (Rule.RESTRICTED, lambda s, _: not _everyone(s), _BUT_OWN_ADDRESS),
    (Rule.UNDERSCORE, lambda s, _: is_underscored(s.page), _BUT_OWN_ADDRESS),
    (Rule.HIDDEN, lambda s, _: bool(s.front and s.front.hidden), _BUT_OWN_ADDRESS),
    (Rule.NOINDEX, lambda s, _: _noindex(s), _INDEXES),
    (Rule.CANONICAL, lambda s, _: s.canonical_elsewhere, _INDEXES),
    (Rule.SITEMAP_FALSE, lambda s, _: _unlisted(s), frozenset({Document.SITEMAP})),
    (Rule.AI_EXCLUDE, lambda s, _: bool(s.front and s.front.ai_exclude), frozenset({Document.LLMS})),
)


def decide(subject: Subject, now: datetime) -> Verdict:
    """The verdict on `subject` at the moment `now` (aware)."""
    excluded: dict[Document, Rule] = {}
    for rule, applies, documents in RULES:
        if applies(subject, now):
            for document in documents:
                excluded.setdefault(document, rule)
    restricted = tuple(
        readers for readers in (subject.page.access.readers, *subject.readers) if not readers.everyone
    )
    return Verdict(excluded, _noindex(subject) or is_underscored(subject.page), restricted)


def falls_due(subject: Subject, now: datetime) -> datetime | None:
    """When the verdict changes by itself: the publication date, where it is still to come."""
    if subject.front and subject.front.published and _in_future(subject, now):
        return instant(subject.front.published)
    return None


class ReadBasis(StrEnum):
    """What settles who may read the rows of a table."""

    OVERRIDE = "override"  # permissions.override.read
    READ = "read"  # permissions.read
    ROW_LEVEL = "row-level"  # rowLevelPermissions
    UNDECLARED = "undeclared"  # no permissions.read, and no parent to take one from
    NO_PARENT = "no-parent"  # permissions.inherit names a table that is not declared
    CYCLE = "cycle"  # permissions.inherit leads back


class TableReading(NamedTuple):
    """Who may read a table's rows, what settles it, and the table where that stands."""

    readers: Readers
    basis: ReadBasis
    table: Table


def table_reading(site: Site, table: Table) -> TableReading:
    """Who may read rows of `table`: its own declaration, what it inherits, or nobody.

    A missing parent or a cycle denies, and so does any row-level read rule, which only the database's
    own application can evaluate.
    """
    line, end = _lineage(site, table)
    for current in line:
        if current.row_level_read:
            return TableReading(NOBODY, ReadBasis.ROW_LEVEL, current)
        if current.override is not None:
            return TableReading(current.override, ReadBasis.OVERRIDE, current)
        if current.read is not None:
            return TableReading(current.read, ReadBasis.READ, current)
    return TableReading(NOBODY, end, line[-1])


def _lineage(site: Site, table: Table) -> tuple[Sequence[Table], ReadBasis]:
    """A table and those it inherits from, nearest first, and what nobody may read by where none of them
    settles it: there is no further parent, or it is not declared, or it leads back."""
    line = [table]
    while line[-1].inherit:
        parent = site.table(line[-1].inherit)
        if parent is None:
            return line, ReadBasis.NO_PARENT
        if parent in line:
            return line, ReadBasis.CYCLE
        line.append(parent)
    return line, ReadBasis.UNDECLARED


def table_readers(site: Site, table: Table) -> Readers:
    """Who may read rows of `table`."""
    return table_reading(site, table).readers


def field_reading(site: Site, table: Table, name: str) -> TableReading:
    """Who may read a field, beyond what its table asks, and the table where that stands.

    A restriction is inherited with the rest of the permissions, whatever settles who may read the rows.
    Fields that nobody spoke of follow their table, unless a parent is missing that might have spoken.
    """
    spoken_of, others = _field_readings(site, table)
    return spoken_of.get(name, others)


def _field_readings(site: Site, table: Table) -> tuple[Mapping[str, TableReading], TableReading]:
    """What is said of fields by name, by the table before its parents, and what holds for all others."""
    line, end = _lineage(site, table)
    spoken_of = {
        field.name: TableReading(field.readers, ReadBasis.READ, current)
        for current in reversed(line)
        for field in current.fields
        if field.readers is not None
    }
    return spoken_of, TableReading(EVERYONE if end is ReadBasis.UNDECLARED else NOBODY, end, line[-1])


def field_readers(site: Site, table: Table, name: str) -> Readers:
    """Who may read a field, beyond what its table asks."""
    return field_reading(site, table, name).readers


def lastmod_field(table: Table) -> str:
    """The field that tells when a record changed: the one of type `updated-at`, else `updated_at`."""
    return next((field.name for field in table.fields if field.type == "updated-at"), "updated_at")


def collection_readers(site: Site, page: Page) -> tuple[Readers, ...]:
    """Who may read the records of a collection page, beyond the page's own access: the table's readers
    and those of the field that the address is built from."""
    if page.collection is None:
        return ()
    table = site.table(page.collection.table)
    if table is None:
        return (NOBODY,)
    return (table_readers(site, table), field_readers(site, table, page.collection.slug_field))


def may_open(verdict: Verdict, visitor: Visitor) -> bool:
    """Whether `visitor` may have the entry's own address, in any form."""
    return verdict.allows(Document.HTML) and all(may_read(readers, visitor) for readers in verdict.readers)


def is_listed(entry: Entry) -> bool:
    """Whether the site's own navigation may name it to those who may open it: not where it is hidden."""
    return entry.verdict.allows(Document.HTML) and not (entry.article and entry.article.front.hidden)


def readable_fields(site: Site, table: Table, visitor: Visitor) -> tuple[Field, ...]:
    """The declared fields of `table` that `visitor` may read, given that he may read its rows."""
    spoken_of, others = _field_readings(site, table)
    return tuple(
        field for field in table.fields if may_read(spoken_of.get(field.name, others).readers, visitor)
    )
