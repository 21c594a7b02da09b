"""Records for the `list` and `data-table` components, and the names behind relationships, under the one rule
of visibility."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection
from fingerpost.catalogue.entry import Document
from fingerpost.catalogue.visibility import readable_fields, table_readers
from fingerpost.catalogue.visitor import ANONYMOUS, Visitor, may_read
from fingerpost.documents.view import Listing
from fingerpost.site.model import Condition, Language, Operator, Site, Table
from fingerpost.sources.records import Record, Selection, Snapshot, Sort

PAGE_SIZE = 20
PAGE_SIZE_MOST = 100
_KEY_FIELD = "id"


@dataclass(slots=True)
class Seen:
    """Who looks: told by `ask`, once, and only when something restricted is in question.
    `more_than_anonymous` becomes true once the answer holds what an anonymous visitor would not get."""

    ask: Callable[[], Visitor]
    more_than_anonymous: bool = field(default=False, init=False)
    _told: Visitor | None = field(default=None, init=False)

    @property
    def visitor(self) -> Visitor:
        if self._told is None:
            self._told = self.ask()
        return self._told

    def may_read_rows(self, site: Site, table: Table) -> bool:
        """Whether the visitor may read rows of `table` at all."""
        readers = table_readers(site, table)
        if readers.everyone:
            return True
        if not may_read(readers, self.visitor):
            return False
        self.more_than_anonymous = True
        return True

    def fields(self, site: Site, table: Table) -> list[str]:
        """The names of the table's fields that the visitor may read. Who asks matters only where some are
        restricted."""
        public = [column.name for column in readable_fields(site, table, ANONYMOUS)]
        if len(public) == len(table.fields):
            return public
        mine = [column.name for column in readable_fields(site, table, self.visitor)]
        if mine != public:
            self.more_than_anonymous = True
        return mine


def read_listing(
    catalogue: Catalogue,
    source: Mapping[str, Any],
    language: Language | None,
    seen: Seen,
    snapshot: Snapshot,
) -> Listing | None:
    """The records of a component's `dataSource` (`table`, `filter`, `sort`, `limit`); None where the visitor
    may not read the table, there is no such table, or its filter can't be understood: what that was meant to
    keep back must not show."""
    site = catalogue.site
    table = listed_table(site, source, seen)
    conditions = read_conditions(source.get("filter"))
    if table is None or conditions is None:
        return None
    collection = _publisher(catalogue, table, conditions)
    selection = Selection(table, collection.selection.slug_field if collection else "", conditions)
    records = snapshot.listing(
        selection, seen.fields(site, table), read_sorts(source.get("sort")), _limit(source.get("limit"))
    )
    addresses = [_address(collection, record.get("$slug"), language) for record in records]
    return Listing(with_names(site, table, records, seen, snapshot), addresses)


def listed_table(site: Site, source: Mapping[str, Any], seen: Seen) -> Table | None:
    """The table of a component's `dataSource`; None where the visitor may not read it, or there is none."""
    table = site.table(str(source.get("table", "")))
    return table if table is not None and seen.may_read_rows(site, table) else None


def with_names(
    site: Site, table: Table, records: Sequence[Record], seen: Seen, snapshot: Snapshot
) -> Sequence[Record]:
    """`records` with each many-to-one relationship shown by its `displayField` instead of a key; None where
    the visitor may not read it there."""
    shown = [dict(record) for record in records]
    for column in table.fields:
        if column.type != "relationship" or not any(column.name in record for record in records):
            continue
        names = _names(site, column.options, {record.get(column.name) for record in records}, seen, snapshot)
        for record in shown:
            if column.name in record:
                record[column.name] = names.get(str(record[column.name]))
    return shown


def _names(
    site: Site, options: Mapping[str, str], keys: set[Any], seen: Seen, snapshot: Snapshot
) -> Mapping[str, Any]:
    related = site.table(options.get("relatedTable", ""))
    display = options.get("displayField")
    wanted = tuple(sorted(str(key) for key in keys if isinstance(key, int | str)))
    if related is None or display is None or not wanted or not seen.may_read_rows(site, related):
        return {}
    if display not in seen.fields(site, related):
        return {}
    selection = Selection(related, "", (Condition(_KEY_FIELD, Operator.IN, wanted),))
    found = snapshot.listing(selection, [display], (), len(wanted))
    return {str(record["$key"]): record.get(display) for record in found}


def read_conditions(declared: Any) -> tuple[Condition, ...] | None:
    """A `filter` in plain data (a condition or a list of them) as conditions; None where one is none."""
    items = [declared] if isinstance(declared, Mapping) else declared or ()
    if not isinstance(items, list | tuple):
        return None
    conditions = []
    for item in items:
        if not isinstance(item, Mapping) or not isinstance(item.get("field"), str):
            return None
        try:
            operator = Operator(str(item.get("operator", Operator.EQ)))
        except ValueError:
            return None
        value = _value(item.get("value"))
        if operator is not Operator.IN and not isinstance(value, str):
            return None
        conditions.append(Condition(item["field"], operator, value))
    return tuple(conditions)


def read_sorts(declared: Any) -> tuple[Sort, ...]:
    """A `sort` in plain data: a list of `{field, direction}`, or one of them."""
    items = [declared] if isinstance(declared, Mapping) else declared
    return tuple(
        Sort(item["field"], str(item.get("direction") or item.get("order") or "asc").lower() == "desc")
        for item in (items if isinstance(items, list | tuple) else ())
        if isinstance(item, Mapping) and isinstance(item.get("field"), str)
    )


def _value(value: Any) -> str | tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(_text(item) for item in value)
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _limit(declared: Any) -> int:
    text = str(declared or "")
    return min(int(text), PAGE_SIZE_MOST) if text.isascii() and text.isdigit() and int(text) else PAGE_SIZE


def _publisher(catalogue: Catalogue, table: Table, conditions: Sequence[Condition]) -> Collection | None:
    """The public collection that publishes every record of a listing: it asks no more than that does."""
    for collection in catalogue.collections.values():
        if (
            collection.table is table
            and collection.verdict.public
            and set(collection.selection.conditions) <= set(conditions)
        ):
            return collection
    return None


def _address(collection: Collection | None, slug: Any, language: Language | None) -> str | None:
    if collection is None or not isinstance(slug, str):
        return None
    encoded = collection.encode(slug)
    by_code = {template.code: template for template in collection.templates_of(slug, Document.HTML)}
    template = by_code.get(language.code if language is not None else None, by_code.get(collection.main.code))
    if encoded is None or template is None:
        return None
    return collection.address(template, encoded)
