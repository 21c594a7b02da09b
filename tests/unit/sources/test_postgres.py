"""Snapshots: pages by key, one moment, soft deletion, lastmod, and tables that change."""

import time
from typing import Any

import pytest

from fingerpost.sources import postgres
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable
from tests.unit.sources.database import CREATE, FILL, POSTS, driver, read_rows, select, table

pytestmark = pytest.mark.postgres


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
