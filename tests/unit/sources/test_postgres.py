"""Snapshots: pages by key, one moment, soft deletion, lastmod, and what happens when Postgres fails."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fingerpost.sources import postgres
from fingerpost.sources.login import Login, UrlLogin, login_from_url
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable
from tests.unit.sources.database import connection, driver, read_rows, select, table

pytestmark = pytest.mark.postgres

POSTS = select(table("posts"))
CREATE = "CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at timestamptz)"
FILL = "INSERT INTO posts (slug) SELECT 'post-' || n FROM generate_series(1, {}) n"


@pytest.fixture
def posts(run: Any, records: PostgresRecords) -> PostgresRecords:
    """The source, with an empty table `posts`."""
    run(CREATE)
    return records


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


# Pages


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (5001, [5001]), (5002, [5001, 1]), (12000, [5001, 5001, 1998])]
)
def test_rows_come_in_pages_by_key(run: Any, posts: PostgresRecords, count: int, sizes: list[int]) -> None:
    """Every row comes once, in order of its key, at most 5,001 at a time."""
    run(FILL.format(count))
    with posts.snapshot() as snapshot:
        pages = list(snapshot.rows(POSTS, 50_010))
    assert [len(page) for page in pages] == sizes
    expected = [(str(n), f"post-{n}", None) for n in range(1, count + 1)]
    assert [row for page in pages for row in page] == expected


@pytest.mark.parametrize("most", [0, 1, 5001, 5002, 7000])
def test_no_more_rows_are_read_than_asked(run: Any, posts: PostgresRecords, most: int) -> None:
    """The cap holds to the row, for addresses and for whole records."""
    run(FILL.format(7001))
    with posts.snapshot() as snapshot:
        assert sum(len(page) for page in snapshot.rows(POSTS, most)) == most
        assert sum(len(page) for page in snapshot.whole(POSTS, ["slug"], most)) == most


def test_whole_records_come_in_pages_by_key(run: Any, posts: PostgresRecords) -> None:
    """The build reads the records of the sitemap, in the sitemap's order, with their fields."""
    run(FILL.format(5003))
    with posts.snapshot() as snapshot:
        pages = list(snapshot.whole(POSTS, ["slug"], 50_010))
        rows = [row for page in snapshot.rows(POSTS, 50_010) for row in page]
    assert [len(page) for page in pages] == [5001, 2]
    assert [(each["$key"], each["$slug"], each["$lastmod"]) for page in pages for each in page] == rows
    assert pages[1][1] == {"$key": "5003", "$slug": "post-5003", "$lastmod": None, "slug": "post-5003"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("bigint", "n * 10000000000"),
        ("numeric", "n / 7.0"),
        ("double precision", "n / 7.0"),
        ("text", "'k' || n"),
        ("char(9)", "'k' || n"),
        ("uuid", "md5(n::text)::uuid"),
        ("timestamp", "timestamp '2024-01-01' + n * interval '1 microsecond'"),
        ("timestamptz", "timestamptz '2024-01-01' + n * interval '1 microsecond'"),
        ("date", "date '2024-01-01' + n"),
    ],
)
def test_any_type_of_key_pages(
    run: Any, records: PostgresRecords, monkeypatch: pytest.MonkeyPatch, kind: str, value: str
) -> None:
    """Whatever the key's type, the last of a page leads to the first of the next: none lost, none twice."""
    monkeypatch.setattr(postgres, "RECORD_PAGE_ROWS", 7)
    run(f'CREATE TABLE posts ("Key" {kind} PRIMARY KEY, slug text)')
    run(f"INSERT INTO posts SELECT {value}, 's' || n FROM generate_series(1, 50) n")
    expected = [row[0] for row in run('SELECT slug FROM posts ORDER BY "Key"')]
    assert [row[1] for row in read_rows(records, POSTS)] == expected


def test_fifty_thousand_rows_are_quick(run: Any, posts: PostgresRecords) -> None:
    """The cap's 50,010 rows are read well within a second; row by row they would not be."""
    run("INSERT INTO posts (slug, updated_at) SELECT 'post-' || n, now() FROM generate_series(1, 50010) n")
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        assert len(read_rows(posts, POSTS)) == 50_010
        times.append(time.perf_counter() - begun)
    assert min(times) < 0.5


# One moment


def test_a_snapshot_is_one_moment(run: Any, posts: PostgresRecords) -> None:
    """What another connection inserts, changes or deletes meanwhile is not seen before the next snapshot."""
    run(FILL.format(6000))
    with posts.snapshot() as snapshot:
        pages = snapshot.rows(POSTS, 50_010)
        seen = len(next(pages))
        run("INSERT INTO posts (slug) VALUES ('late')")
        run("UPDATE posts SET slug = 'changed' WHERE id = 6000")
        run("DELETE FROM posts WHERE id = 5999")
        last = next(pages)
        assert seen + len(last) == 6000
        assert last[-1][1] == "post-6000"
        assert snapshot.record(POSTS, "late", []) is None
    assert [row[1] for row in read_rows(posts, POSTS)][-2:] == ["changed", "late"]


def test_a_snapshot_can_only_read(run: Any, posts: PostgresRecords) -> None:
    """The transaction is read-only and repeatable, has its time-outs, and leaves the session as it was."""
    names = (
        "transaction_isolation",
        "transaction_read_only",
        "statement_timeout",
        "lock_timeout",
        "timezone",
    )
    shown = " || ' ' || ".join(f"current_setting('{name}')" for name in names)
    with posts.snapshot() as snapshot:
        session = driver(snapshot)
        assert session.run(f"SELECT {shown}") == [["repeatable read on 10s 2s UTC"]]
    assert session.run("SELECT current_setting('statement_timeout')") == [["0"]]


def test_an_ended_snapshot_answers_nothing(run: Any, posts: PostgresRecords) -> None:
    """Pages asked for after the end would come from no moment at all."""
    run(FILL.format(1))
    with posts.snapshot() as snapshot:
        late = snapshot.rows(POSTS, 10)
    with pytest.raises(RuntimeError, match="after its end"):
        next(late)


# What counts as a record


@pytest.mark.parametrize("kind", ["timestamp", "timestamptz", "date", "boolean"])
def test_soft_deleted_rows_do_not_exist(run: Any, records: PostgresRecords, kind: str) -> None:
    """A row whose `deleted_at` holds anything is in no page, no listing and at no address (case 73)."""
    run(f"CREATE TABLE posts (id serial PRIMARY KEY, slug text, deleted_at {kind})")
    deleted = "true" if kind == "boolean" else "'infinity'"
    run(f"INSERT INTO posts (slug, deleted_at) VALUES ('live', NULL), ('dead', {deleted})")
    with records.snapshot() as snapshot:
        assert list(snapshot.rows(POSTS, 10)) == [[("1", "live", None)]]
        assert [each["$slug"] for each in snapshot.listing(POSTS, [], [], 10)] == ["live"]
        assert [each["$slug"] for page in snapshot.whole(POSTS, [], 10) for each in page] == ["live"]
        assert snapshot.record(POSTS, "dead", []) is None


def test_a_declared_deletion_mark_counts_too(run: Any, records: PostgresRecords) -> None:
    """A field of type `deleted-at` marks deleted rows under any name; one without a column is an error."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, removed timestamp)")
    run("INSERT INTO posts (slug, removed) VALUES ('live', NULL), ('dead', now())")
    assert [row[1] for row in read_rows(records, select(table(removed="deleted-at")))] == ["live"]
    with pytest.raises(RecordsUnavailable, match=r"public\.posts\.gone: there is no such column"):
        read_rows(records, select(table(gone="deleted-at")))


@pytest.mark.parametrize(
    ("kind", "value", "lastmod"),
    [
        ("timestamptz", "'2026-03-14T10:26:53.9+01:00'", "2026-03-14T09:26:53Z"),
        ("timestamp", "'2026-03-14T09:26:53'", "2026-03-14T09:26:53Z"),
        ("date", "'2026-03-14'", "2026-03-14"),
        ("timestamptz", "'infinity'", None),
        ("timestamp", "'-infinity'", None),
        ("date", "'infinity'", None),
        ("timestamptz", "NULL", None),
        ("timestamptz", "'0044-03-15 BC'", None),
        ("timestamptz", "'10000-01-01T00:00:00Z'", None),
        ("timestamptz", "'0001-01-01T00:00:00Z'", "0001-01-01T00:00:00Z"),
        ("text", "'2026-03-14'", None),
    ],
)
def test_lastmod_is_a_w3c_datetime_in_utc(
    run: Any, records: PostgresRecords, kind: str, value: str, lastmod: str | None
) -> None:
    """Times are in UTC with their zone, dates stay dates, the rest is none (cases 21, 22, 56)."""
    run("SET timezone = 'Asia/Kolkata'")
    run(f"CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at {kind})")
    run(f"INSERT INTO posts (slug, updated_at) VALUES ('a', {value})")
    run("RESET timezone")
    assert read_rows(records, POSTS) == [["1", "a", lastmod]]


def test_lastmod_is_the_declared_field_first(run: Any, records: PostgresRecords) -> None:
    """A field of type `updated-at` comes before a column `updated_at`; with neither, none is known."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at date, edited timestamp)")
    run("INSERT INTO posts VALUES (1, 'a', '2020-01-01', '2024-01-08')")
    assert read_rows(records, select(table(edited="updated-at"))) == [["1", "a", "2024-01-08T00:00:00Z"]]
    assert read_rows(records, POSTS) == [["1", "a", "2020-01-01"]]
    run("ALTER TABLE posts DROP COLUMN updated_at")
    with pytest.raises(RecordsUnavailable, match=r"public\.posts\.changed: there is no such column"):
        read_rows(records, select(table(changed="updated-at")))
    assert read_rows(records, POSTS) == [["1", "a", None]]


def test_a_null_slug_is_none(run: Any, posts: PostgresRecords) -> None:
    """A row without a slug is handed over as such: the address rule decides."""
    run("INSERT INTO posts (slug) VALUES (NULL), ('')")
    assert read_rows(posts, POSTS) == [["1", None, None], ["2", "", None]]


def test_a_relation_is_named_as_declared(run: Any, records: PostgresRecords) -> None:
    """Lower case, and any character but letters, digits and `_` as `_`."""
    run("CREATE TABLE blog_posts_2 (id serial PRIMARY KEY, slug text)")
    run("INSERT INTO blog_posts_2 (slug) VALUES ('public')")
    for name in ("blog_posts_2", "Blog Posts 2", "BLOG-posts.2"):
        assert read_rows(records, select(table(name))) == [["1", "public", None]]


# When something is missing or changes


def test_what_is_missing_is_named(run: Any, posts: PostgresRecords) -> None:
    """A missing table, column or key is an error that says which, not an empty list."""
    run("CREATE TABLE keyless (slug text)")
    run("CREATE TABLE paired (a integer, b integer, slug text, PRIMARY KEY (a, b))")
    for selection, message in (
        (select(table("Pages")), "public.pages: there is no such table"),
        (select(table("posts"), slug="Slug"), "public.posts.Slug: there is no such column"),
        (select(table("keyless")), "public.keyless: expected a primary key of one column, found none"),
        (select(table("paired")), "public.paired: expected a primary key of one column, found none"),
    ):
        with pytest.raises(RecordsUnavailable) as error:
            read_rows(posts, selection)
        assert str(error.value) == message


def test_a_migration_heals_without_a_restart(run: Any, posts: PostgresRecords) -> None:
    """Columns that come, go or change type after they were first read are seen at the next question."""
    run(FILL.format(1))
    with pytest.raises(RecordsUnavailable, match=r"public\.posts\.title"):
        read_rows(posts, select(table(), ("title", "eq", "x")))
    run("ALTER TABLE posts ADD COLUMN title text DEFAULT 'x'")
    assert len(read_rows(posts, select(table(), ("title", "eq", "x")))) == 1
    run("ALTER TABLE posts ALTER COLUMN title DROP DEFAULT, ALTER COLUMN title TYPE integer USING 7")
    assert len(read_rows(posts, select(table(), ("title", "eq", "7")))) == 1
    run("ALTER TABLE posts DROP COLUMN updated_at")
    assert read_rows(posts, POSTS) == [["1", "post-1", None]]
    run("ALTER TABLE posts DROP COLUMN title")
    with pytest.raises(RecordsUnavailable, match=r"^public\.posts\.title: there is no such column$"):
        read_rows(posts, select(table(), ("title", "eq", "7")))
    run("DROP TABLE posts")
    with pytest.raises(RecordsUnavailable, match=r"^public\.posts: there is no such table$"):
        read_rows(posts, POSTS)
    run(CREATE)
    assert read_rows(posts, POSTS) == []


def test_a_new_deletion_mark_is_obeyed_within_a_minute(
    run: Any, posts: PostgresRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a table holds is asked again after a minute, since a column that came can't be missed."""
    run(FILL.format(2))
    assert len(read_rows(posts, POSTS)) == 2
    run("ALTER TABLE posts ADD COLUMN deleted_at timestamp")
    run("UPDATE posts SET deleted_at = now() WHERE id = 1")
    later = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert [row[0] for row in read_rows(posts, POSTS)] == ["2"]


def test_a_failed_question_spoils_only_its_snapshot(run: Any, spied: tuple[Spy, PostgresRecords]) -> None:
    """After an error of SQL the connection is rolled back and used again."""
    spy, source = spied
    run(FILL.format(1))
    with pytest.raises(RecordsUnavailable, match=r"public\.posts: invalid input syntax"):
        read_rows(source, select(table(), ("id", "eq", "x")))
    assert len(read_rows(source, POSTS)) == 1
    assert spy.asked == ["current"]


# Connections


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
