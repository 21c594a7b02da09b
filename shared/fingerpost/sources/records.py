"""Where records are kept: the protocol that the catalogue and the documents read Postgres through."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from fingerpost.errors import Unavailable
from fingerpost.site.model import Condition, Table
from fingerpost.values import dataclass


class RecordsUnavailable(Unavailable):
    """Postgres is down, slow, or lacks a table or column; says what is at fault (`public.posts.slug`)."""


class RecordRows(Sequence[Any]):
    """A page of `(key, slug, lastmod)`: what addresses need of records. The key is text, the slug None where
    null, the lastmod a W3C datetime in UTC (`2026-03-14T09:26:53Z`), None where unknown.

    Held by column, as Postgres sends it: of a million rows none is made unless somebody looks at it.
    """

    __slots__ = ("keys", "lastmods", "slugs")

    def __init__(
        self, keys: Sequence[str], slugs: Sequence[str | None], lastmods: Sequence[str | None]
    ) -> None:
        self.keys = keys
        self.slugs = slugs
        self.lastmods = lastmods

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, place: Any) -> Any:
        found = self.keys[place], self.slugs[place], self.lastmods[place]
        return RecordRows(*found) if isinstance(place, slice) else found

    def __iter__(self) -> Iterator[tuple[str, str | None, str | None]]:
        return zip(self.keys, self.slugs, self.lastmods, strict=True)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented


def slugs_of(rows: Sequence[Sequence[Any]]) -> Sequence[str | None]:
    """The slugs of a page of `(key, slug, lastmod)`."""
    return rows.slugs if isinstance(rows, RecordRows) else [row[1] for row in rows]


def lastmods_of(rows: Sequence[Sequence[Any]]) -> Sequence[str | None]:
    """The lastmods of a page of `(key, slug, lastmod)`."""
    return rows.lastmods if isinstance(rows, RecordRows) else [row[2] for row in rows]


@dataclass(frozen=True, slots=True)
class Selection:
    """Records of one table that meet `conditions`, addressed by `slug_field`; soft-deleted rows never count.

    `slug_field` is "" where the records have no address of their own: their slug is then None. `not_after`
    is a date field and a W3C datetime: records whose date is later are left out, those without one are not.
    """

    table: Table
    slug_field: str
    conditions: tuple[Condition, ...] = ()
    not_after: tuple[str, str] | None = None


# The name under which a record carries its key, and by which a listing can be sorted.
KEY = "$key"


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of a listing: by `field` (or `KEY`), nulls last; ties by key."""

    field: str
    descending: bool = False


Record = Mapping[str, Any]
"""One record as plain JSON values by field name: text, numbers, booleans, None, lists.
Times are W3C datetimes in UTC, dates `YYYY-MM-DD`."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One row of a table as it stands, whether it is a record of a selection or not.

    `deleted_by` are the columns that mark it as soft-deleted; `met` tells of each condition of the selection
    whether the row meets it.
    """

    key: str
    slug: str | None
    deleted_by: tuple[str, ...]
    met: tuple[bool, ...]


class Snapshot(Protocol):
    """One moment of the database: a read-only repeatable-read transaction."""

    def count(self, selection: Selection, most: int) -> int:
        """How many records there are, `most` at most: what progress is measured by."""

    def rows(self, selection: Selection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        """Pages of up to 5,001 `[key, slug, lastmod]` by ascending key, `most` rows in all."""

    def record(self, selection: Selection, slug: str, fields: Sequence[str]) -> Record | None:
        """The first record by key whose slug is `slug` to the letter, with `fields`, `$key`, `$slug` and
        `$lastmod` only."""

    def listing(
        self, selection: Selection, fields: Sequence[str], sort: Sequence[Sort], limit: int, offset: int = 0
    ) -> Sequence[Record]:
        """Up to `limit` records with `fields`, `$key`, `$slug` and `$lastmod`, by `sort`, then key."""

    def whole(self, selection: Selection, fields: Sequence[str], most: int) -> Iterator[Sequence[Record]]:
        """Pages of up to 5,001 records by ascending key, with `fields`, `$key`, `$slug` and `$lastmod`:
        what the static build reads once and uses twice."""


class RecordSource(Protocol):
    """Opens snapshots. Raises RecordsUnavailable; connects only when a snapshot is asked for."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """One moment, for one document."""


class NoRecords:
    """The source of a site for which no database is configured. Pages without a collection never ask it."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        raise RecordsUnavailable("no database is configured: set DATABASE_URL or DATABASE_SECRET_ARN")

    def connect_early(self) -> None:
        """There is nothing to connect to."""
