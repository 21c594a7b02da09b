"""Connections: kept between snapshots, replaced once where they are dead, and given up in time."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fingerpost.sources.login import Login, UrlLogin, login_from_url
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable
from tests.unit.sources.database import CREATE, FILL, POSTS, connection, driver, read_rows, select, table

pytestmark = pytest.mark.postgres


class Spy:
    """A login source that counts how often it was asked, and can be turned elsewhere."""

    def __init__(self, login: Login, renewed: Login | None = None) -> None:
        self.login = login
        self.next = renewed
        self.asked: list[str] = []

    def current(self) -> Login:
        self.asked.append("current")
        return self.login

    def renewed(self) -> Login | None:
        self.asked.append("renewed")
        if self.next is not None:
            self.login = self.next
        return self.next


@pytest.fixture
def spied(database_url: str, run: Any) -> Iterator[tuple[Spy, PostgresRecords]]:
    """A source whose connections are counted, on an empty table `posts`."""
    run(CREATE)
    spy = Spy(login_from_url(database_url))
    source = PostgresRecords(spy)
    yield spy, source
    source.close()


def kill_others(run: Any) -> None:
    """End every connection to the database but the caller's, and wait until they are gone."""
    run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


def test_a_failed_question_spoils_only_its_snapshot(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """After an error of SQL the connection is rolled back and used again."""
    spy, source = spied
    run(FILL.format(1))
    with pytest.raises(RecordsUnavailable, match=r"public\.posts: invalid input syntax"):
        read_rows(source, select(table(), ("id", "eq", "x")))
    assert len(read_rows(source, POSTS)) == 1
    assert spy.asked == ["current"]


def test_a_connection_is_kept_between_snapshots(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """A warm instance connects once and prepares each statement once, whatever error its consumer makes."""
    spy, source = spied
    run(FILL.format(1))
    assert spy.asked == []
    for _ in range(3):
        read_rows(source, POSTS)
    with pytest.raises(KeyError), source.snapshot():
        raise KeyError("a consumer's")
    read_rows(source, POSTS)
    assert spy.asked == ["current"]
    with source.snapshot() as snapshot:
        assert driver(snapshot).run("SELECT count(*) FROM pg_prepared_statements") == [[2]]


def test_connecting_can_begin_early(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """A connection that was begun ahead is the one that the next snapshot uses."""
    spy, source = spied
    run(FILL.format(1))
    source.connect_early()
    assert len(read_rows(source, POSTS)) == 1
    assert len(read_rows(source, POSTS)) == 1
    assert spy.asked == ["current"]


def test_an_early_connection_that_fails_is_tried_again(database_url: str, run: Any) -> None:
    """What fails ahead is told by the snapshot that needs it, and not before."""
    source = PostgresRecords(UrlLogin(database_url.replace("/sources?", "/nowhere?")))
    source.connect_early()
    with pytest.raises(RecordsUnavailable, match="nowhere"):
        read_rows(source, POSTS)


def test_snapshots_side_by_side_have_connections_of_their_own(
    run: Any, spied: tuple[Spy, PostgresRecords]
) -> None:
    """Two snapshots at once are two moments, each on its own connection; both are kept afterwards."""
    spy, source = spied
    with source.snapshot() as first:
        assert list(first.rows(POSTS, 10)) == []
        run(FILL.format(1))
        with source.snapshot() as second:
            assert len(list(second.rows(POSTS, 10))) == 1
            assert list(first.rows(POSTS, 10)) == []
    with source.snapshot(), source.snapshot():
        pass
    assert spy.asked == ["current", "current"]


def test_a_dead_connection_is_replaced_once(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """The server ended the kept connection meanwhile: the next snapshot opens another (case 63)."""
    spy, source = spied
    run(FILL.format(1))
    read_rows(source, POSTS)
    kill_others(run)
    assert len(read_rows(source, POSTS)) == 1
    assert spy.asked == ["current", "current"]


def test_a_connection_that_dies_before_any_answer_is_replaced(
    run: Any, spied: tuple[Spy, PostgresRecords]
) -> None:
    """A kept connection that dies between begin and first answer is replaced, once (case 63)."""
    spy, source = spied
    run(FILL.format(1))
    read_rows(source, POSTS)
    with source.snapshot() as snapshot:
        kill_others(run)
        assert list(snapshot.rows(POSTS, 10)) == [[("1", "post-1", None)]]
        kill_others(run)
        with pytest.raises(RecordsUnavailable, match=r"public\.posts: the connection to Postgres broke"):
            list(snapshot.rows(POSTS, 10))
    assert len(read_rows(source, POSTS)) == 1
    assert spy.asked == ["current", "current", "current"]


def test_a_new_connection_that_dies_is_not_replaced(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """Where the server kills what was just opened, asking again would only add to its troubles."""
    spy, source = spied
    with source.snapshot() as snapshot:
        kill_others(run)
        with pytest.raises(RecordsUnavailable, match="broke"):
            list(snapshot.rows(POSTS, 10))
    assert spy.asked == ["current"]


def test_rows_are_never_pieced_together_from_two_moments(
    run: Any, spied: tuple[Spy, PostgresRecords]
) -> None:
    """Once a page was given, a dead connection is an error: the rest would be of another moment."""
    spy, source = spied
    run(FILL.format(6000))
    read_rows(source, POSTS)
    with source.snapshot() as snapshot:
        pages = snapshot.rows(POSTS, 50_010)
        next(pages)
        kill_others(run)
        with pytest.raises(RecordsUnavailable, match="broke"):
            next(pages)
    assert spy.asked == ["current"]


def test_a_connection_idle_for_long_is_not_used(
    run: Any, spied: tuple[Spy, PostgresRecords], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a frozen instance thaws, its old connection is closed, not waited for (case 63)."""
    spy, source = spied
    read_rows(source, POSTS)
    thawed = time.time() + 301
    monkeypatch.setattr(time, "time", lambda: thawed)
    read_rows(source, POSTS)
    assert spy.asked == ["current", "current"]
    assert run("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'fingerpost'") == [[1]]


def test_a_server_that_is_gone_is_said(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """With the server gone, a kept connection ends in one attempt to open another, which names the server."""
    spy, source = spied
    read_rows(source, POSTS)
    kill_others(run)
    spy.login = replace(spy.login, host="/nowhere")
    with pytest.raises(RecordsUnavailable, match=r"Postgres at /nowhere:5432/sources could not be reached"):
        read_rows(source, POSTS)


def test_a_rotated_password_is_read_again_once(run: Any, database_url: str) -> None:
    """A login that is refused is renewed once; where that is nothing new, or refused too, it is an error."""
    right = login_from_url(database_url.replace("postgres:@", "guarded:first@"))
    wrong = replace(right, password="before the rotation")
    spy = Spy(wrong, renewed=right)
    source = PostgresRecords(spy)
    with source.snapshot():
        pass
    source.close()
    assert spy.asked == ["current", "renewed"]
    for renewed in (None, wrong, replace(right, password="another")):
        spy = Spy(wrong, renewed)
        with (
            pytest.raises(RecordsUnavailable, match="password authentication failed") as error,
            PostgresRecords(spy).snapshot(),
        ):
            pass
        assert spy.asked == ["current", "renewed"]
        assert "rotation" not in str(error.value)


def test_a_slow_statement_is_given_up(run: Any, database_url: str) -> None:
    """Postgres cancels what takes too long; the error says how long that is, and the connection lives."""
    run("CREATE FUNCTION slow(text) RETURNS text LANGUAGE sql AS 'SELECT $1 || pg_sleep(20)'")
    run("CREATE TABLE base (id serial PRIMARY KEY, slug text)")
    run("INSERT INTO base (slug) VALUES ('a')")
    run("ALTER TABLE base ENABLE ROW LEVEL SECURITY")
    run("CREATE POLICY slowly ON base USING (slow(slug) IS NOT NULL)")
    run("GRANT USAGE ON SCHEMA public TO guarded")
    run("GRANT SELECT ON base TO guarded")
    source = PostgresRecords(
        UrlLogin(database_url.replace("postgres:@", "guarded:first@")), statement_seconds=0.2
    )
    begun = time.monotonic()
    with pytest.raises(RecordsUnavailable, match=r"public\.base: expected an answer within 0\.2 s"):
        read_rows(source, select(table("base")))
    assert time.monotonic() - begun < 5
    with source.snapshot():
        pass
    source.close()


def test_a_locked_table_is_given_up(run: Any, database_url: str, posts: PostgresRecords) -> None:
    """A migration that holds the table costs the lock time-out, not a visitor's patience."""
    blocker = connection(database_url)
    blocker.run("BEGIN")
    blocker.run("LOCK TABLE posts IN ACCESS EXCLUSIVE MODE")
    source = PostgresRecords(UrlLogin(database_url), lock_seconds=0.2)
    try:
        with pytest.raises(
            RecordsUnavailable, match=r"public\.posts: canceling statement due to lock timeout"
        ):
            read_rows(source, POSTS)
    finally:
        blocker.close()
        source.close()


def test_a_forbidden_table_is_said(run: Any, database_url: str, posts: PostgresRecords) -> None:
    """A role that may not read the table gets the reason, with the table's name."""
    run("GRANT USAGE ON SCHEMA public TO guarded")
    source = PostgresRecords(UrlLogin(database_url.replace("postgres:@", "guarded:first@")))
    with pytest.raises(
        RecordsUnavailable, match=r"public\.posts: permission denied for table posts \(42501\)"
    ):
        read_rows(source, POSTS)
    source.close()


def test_prepared_statements_do_not_pile_up(
    run: Any, posts: PostgresRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond a bound the oldest statement is given up, and prepared again when it is needed."""
    from fingerpost.sources import link

    monkeypatch.setattr(link, "_PREPARED_STATEMENTS", 3)
    run(FILL.format(1))
    for _ in range(2):
        for number in range(1, 6):
            values = tuple(str(each) for each in range(number))
            assert len(read_rows(posts, select(table(), ("id", "in", ("1", *values))))) == 1
    with posts.snapshot() as snapshot:
        assert driver(snapshot).run("SELECT count(*) FROM pg_prepared_statements") == [[3]]
