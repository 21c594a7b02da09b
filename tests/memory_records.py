"""Records of one table in memory, behind the protocol of Postgres: for properties of many small sites."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from fingerpost.limits import RECORD_PAGE_ROWS
from fingerpost.sources.records import KEY, Record, Selection, Sort

SLUG = "slug"
CHANGED = "updated_at"


class MemoryRecords:
    """Rows in the order of their keys, every one of them a record of any selection; it filters nothing. Each
    row holds its fields by name, `slug` and `updated_at` (a W3C datetime) among them."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = [{KEY: str(number + 1), **row} for number, row in enumerate(rows)]

    def snapshot(self) -> "nullcontext[MemoryRecords]":
        return nullcontext(self)

    def count(self, selection: Selection, most: int) -> int:
        return min(most, len(self._rows))

    def rows(self, selection: Selection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        found = [[row[KEY], row.get(SLUG), row.get(CHANGED)] for row in self._rows[:most]]
        return (found[at : at + RECORD_PAGE_ROWS] for at in range(0, len(found), RECORD_PAGE_ROWS))

    def record(self, selection: Selection, slug: str, fields: Sequence[str]) -> Record | None:
        return next((_record(row, fields) for row in self._rows if row.get(SLUG) == slug), None)

    def listing(
        self, selection: Selection, fields: Sequence[str], sort: Sequence[Sort], limit: int, offset: int = 0
    ) -> Sequence[Record]:
        rows = list(self._rows)
        for each in reversed(sort):
            known = [row for row in rows if row.get(each.field) is not None]
            known.sort(key=lambda row: _order(row, each.field), reverse=each.descending)
            rows = known + [row for row in rows if row.get(each.field) is None]
        return [_record(row, fields) for row in rows[offset : offset + limit]]

    def whole(self, selection: Selection, fields: Sequence[str], most: int) -> Iterator[Sequence[Record]]:
        yield [_record(row, fields) for row in self._rows[:most]]


def _order(row: Mapping[str, Any], field: str) -> Any:
    return int(row[KEY]) if field == KEY else row[field]


def _record(row: Mapping[str, Any], fields: Sequence[str]) -> Record:
    return {
        **{name: row.get(name) for name in fields},
        KEY: row[KEY],
        "$slug": row.get(SLUG),
        "$lastmod": row.get(CHANGED),
    }
