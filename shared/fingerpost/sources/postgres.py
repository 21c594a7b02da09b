"""Records in Postgres: snapshots over connections that a warm instance keeps (SPEC section 5)."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from fingerpost.deadline import carried, seconds_left
from fingerpost.limits import RECORD_PAGE_ROWS
from fingerpost.site.model import Table
from fingerpost.sources.columns import (
    CATALOG_QUERY,
    Relation,
    RelationMismatch,
    relation_from,
    relation_name,
)
from fingerpost.sources.connect import LoginRefused, connect
from fingerpost.sources.link import DeadLink, Link
from fingerpost.sources.login import LoginSource, login_source
from fingerpost.sources.records import (
    Examined,
    NoRecords,
    Record,
    RecordRows,
    RecordsUnavailable,
    Selection,
    Snapshot,
    Sort,
)
from fingerpost.sources.sql import (
    BEGIN,
    Query,
    indexes_of,
    listing,
    quoted,
    record_by_slug,
    records_count,
    records_page,
    rows_page,
    rows_with_key,
    rows_with_slug,
)

STATEMENT_SECONDS = 10.0
LOCK_SECONDS = 2.0
# A static build renders a page of records before it asks for the next.
IDLE_TRANSACTION_SECONDS = 600.0
# How much longer than its statement time-out the server is waited for: it should be the one to give up.
_GRACE_SECONDS = 5.0
# Gateways drop an idle connection after 350 s without a word; an instance thawed later opens a new one.
_IDLE_SECONDS = 300.0
_IDLE_LINKS = 4
# What a table holds is read again after this long, so that a new `deleted_at` is obeyed without a restart.
_RELATION_SECONDS = 60.0


def record_source(environ: Mapping[str, str]) -> "PostgresRecords | NoRecords":
    """The source that the environment names by `DATABASE_URL` or `DATABASE_SECRET_ARN`, or NoRecords."""
    login = login_source(environ)
    return NoRecords() if login is None else PostgresRecords(login)


class PostgresRecords:
    """Records of one database. Nothing is connected, and no driver imported, before the first snapshot.

    Connections are kept between snapshots; several threads may hold a snapshot each. One that turns out dead
    is replaced once, as long as its snapshot has answered nothing yet.
    """

    def __init__(
        self,
        login: LoginSource,
        statement_seconds: float = STATEMENT_SECONDS,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self._login = login
        self._statement_seconds = statement_seconds
        self._lock_seconds = lock_seconds
        self._idle: list[tuple[Link, float]] = []
        self._relations: dict[str, tuple[Relation, float]] = {}
        self._coming: threading.Thread | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """One moment, for one document; pages must be read before it ends."""
        snapshot = _Snapshot(self)
        try:
            yield snapshot
        finally:
            self._keep(snapshot.end())

    def with_key(self, selection: Selection, key: str) -> Sequence[Examined]:
        """The rows of the selection's table that have `key`, records or not: what `explain` looks at."""
        return self._examined(selection, rows_with_key, key)

    def with_slug(self, selection: Selection, slug: str) -> Sequence[Examined]:
        """The same, by slug."""
        return self._examined(selection, rows_with_slug, slug)

    def is_indexed(self, table: Table, column: str) -> bool:
        """Whether an index begins with `column`, or is one of nothing else: what `check` looks at."""
        snapshot = _Snapshot(self)
        try:
            return snapshot.is_indexed(table, column)
        finally:
            self._keep(snapshot.end())

    def _examined(
        self, selection: Selection, build: Callable[[Relation, Selection, str], Query], text: str
    ) -> Sequence[Examined]:
        if not _is_postgres_text(text):
            return ()
        snapshot = _Snapshot(self)
        try:
            return snapshot.examined(selection, build, text)
        finally:
            self._keep(snapshot.end())

    def close(self) -> None:
        """Close the connections that are kept. Further snapshots open new ones."""
        while self._idle:
            self._idle.pop()[0].close()

    def connect_early(self) -> None:
        """Begin to connect, in a thread: the next snapshot finds the connection, or waits for it. What fails
        there, that snapshot tries again."""
        self._coming = threading.Thread(target=carried(self._connect), name="connect-early", daemon=True)
        self._coming.start()

    def _connect(self) -> None:
        with suppress(RecordsUnavailable):
            self._idle.append((self._opened(), time.time()))

    def started(self, reuse: bool = True) -> tuple[Link, bool]:
        """A connection with a transaction begun, and whether it was a kept one."""
        link = self._kept() if reuse else None
        if link is not None:
            try:
                self._begin(link)
            except DeadLink:
                link.close()
            else:
                return link, True
        link = self._opened()
        try:
            self._begin(link)
        except RecordsUnavailable:
            link.close()
            raise
        return link, False

    def restart(self, link: Link) -> None:
        """A new moment on the same connection, after a statement failed."""
        link.command("ROLLBACK")
        self._begin(link)

    def relation(self, table: Table, link: Link) -> Relation:
        """What the table holds, as the catalog says or said within the last minute."""
        name = relation_name(table)
        known, read_at = self._relations.get(name, (None, 0.0))
        if known is None or time.monotonic() - read_at > _RELATION_SECONDS:
            values = {"relation": f"{quoted('public')}.{quoted(name)}"}
            known = relation_from(name, link.ask(Query(CATALOG_QUERY, values), name))
            self._relations[name] = known, time.monotonic()
        return known

    def forget(self, table: Table) -> None:
        """Read the table's columns anew next time."""
        self._relations.pop(relation_name(table), None)

    def _begin(self, link: Link) -> None:
        """Begin a transaction. What nobody waits for any more, the server is to give up too."""
        seconds = min(self._statement_seconds, seconds_left())
        link.command(
            BEGIN.format(
                statement_ms=max(1, round(seconds * 1000)),
                lock_ms=round(self._lock_seconds * 1000),
                idle_ms=round(IDLE_TRANSACTION_SECONDS * 1000),
            )
        )

    def _kept(self) -> Link | None:
        coming = self._coming  # another thread may wait for it too
        if coming is not None:
            coming.join()
            self._coming = None
        with suppress(IndexError):
            while True:
                link, since = self._idle.pop()
                # Wall-clock time: a frozen instance's monotonic clock may stand still.
                if 0 <= time.time() - since < _IDLE_SECONDS:
                    return link
                link.close()
        return None

    def _opened(self) -> Link:
        read_seconds = self._statement_seconds + _GRACE_SECONDS
        login = self._login.current()
        try:
            return Link(connect(login, read_seconds), self._statement_seconds)
        except LoginRefused:
            renewed = self._login.renewed()
            if renewed is None or renewed == login:
                raise
        return Link(connect(renewed, read_seconds), self._statement_seconds)

    def _keep(self, link: Link) -> None:
        if link.sound and len(self._idle) < _IDLE_LINKS:
            with suppress(RecordsUnavailable):
                link.command("ROLLBACK")
                self._idle.append((link, time.time()))
                return
        link.close()


class _Snapshot:
    """One transaction. A page holds at most 5,001 records, read by key from behind the last one before it."""

    def __init__(self, source: PostgresRecords) -> None:
        self._source = source
        self._link, self._replaceable = source.started()
        self._retriable = True
        self._over = False

    def end(self) -> Link:
        """Give the connection back; nothing can be asked any more."""
        self._over = True
        return self._link

    def count(self, selection: Selection, most: int) -> int:
        found: int = self._ask(selection.table, lambda relation: records_count(relation, selection, most))
        return found

    def rows(self, selection: Selection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        def page(relation: Relation, limit: int, after: str | None) -> Query:
            return rows_page(relation, selection, limit, after)

        return self._pages(selection.table, page, most, 0, _rows)

    def whole(self, selection: Selection, fields: Sequence[str], most: int) -> Iterator[Sequence[Record]]:
        def page(relation: Relation, limit: int, after: str | None) -> Query:
            return records_page(relation, selection, fields, limit, after)

        return self._pages(selection.table, page, most, "$key", list)

    def record(self, selection: Selection, slug: str, fields: Sequence[str]) -> Record | None:
        if not _is_postgres_text(slug):
            return None
        found = self._ask(selection.table, lambda relation: record_by_slug(relation, selection, slug, fields))
        return found[0] if found else None

    def listing(
        self, selection: Selection, fields: Sequence[str], sort: Sequence[Sort], limit: int, offset: int = 0
    ) -> Sequence[Record]:
        def query(relation: Relation) -> Query:
            return listing(relation, selection, fields, sort, limit, offset)

        found: Sequence[Record] = self._ask(selection.table, query)
        return found

    def examined(
        self, selection: Selection, build: Callable[[Relation, Selection, str], Query], text: str
    ) -> Sequence[Examined]:
        found = self._ask(selection.table, lambda relation: build(relation, selection, text))
        return [
            Examined(key, slug, tuple(name for name, is_set in marks.items() if is_set), tuple(met))
            for key, slug, marks, met in found
        ]

    def is_indexed(self, table: Table, column: str) -> bool:
        found: bool = self._ask(table, lambda relation: indexes_of(relation, column))
        return found

    def _pages(
        self,
        table: Table,
        build: Callable[[Relation, int, str | None], Query],
        most: int,
        key: int | str,
        read: Callable[[Any], Sequence[Any]],
    ) -> Iterator[Any]:
        after: str | None = None
        left = most
        while left > 0:
            size = min(RECORD_PAGE_ROWS, left)
            page = read(self._ask(table, build, size, after))
            if page:
                yield page
            if len(page) < size:
                return
            left -= size
            after = page[-1][key]

    def _ask(self, table: Table, build: Callable[..., Query], *arguments: Any) -> Any:
        """Build a statement from what the table holds and decode its answer.

        The first statement of a snapshot is tried twice: on a new connection where a kept one proves dead,
        and with the columns read anew where the table has changed. Later ones are not: they would tell of
        another moment.
        """
        if self._over:
            raise RuntimeError("a snapshot was asked after its end")
        try:
            return self._answer(table, build, arguments)
        except DeadLink:
            if not (self._retriable and self._replaceable):
                raise
            self._link.close()
            self._link, self._replaceable = self._source.started(reuse=False)
        except RelationMismatch:
            self._source.forget(table)
            if not self._retriable:
                raise
            self._source.restart(self._link)
        self._retriable = False
        return self._answer(table, build, arguments)

    def _answer(self, table: Table, build: Callable[..., Query], arguments: tuple[Any, ...]) -> Any:
        relation = self._source.relation(table, self._link)
        text = self._link.ask(build(relation, *arguments), relation.name)
        self._retriable = False
        return json.loads(text or "[]")


def _rows(columns: Sequence[Sequence[Any] | None]) -> RecordRows:
    """The rows of what `rows_page` answers; a lastmod that holds a time gains its `Z`."""
    keys, slugs, lastmods = (column or () for column in columns)
    if any(text and "T" in text for text in lastmods):
        lastmods = [text and f"{text}Z" for text in lastmods]
    return RecordRows(keys, slugs, lastmods)


def _is_postgres_text(text: str) -> bool:
    """Whether a text column could hold it: no NUL, and nothing that UTF-8 has no form for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
