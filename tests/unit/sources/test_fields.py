"""What is read of a record: the fields asked for and nothing else, each as plain JSON."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingerpost.site.model import Field
from fingerpost.sources.columns import Family, Relation, Type
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable, Sort
from fingerpost.sources.sql import records_page
from tests.unit.sources.database import Given, read_rows, select, table

pytestmark = pytest.mark.postgres

KINDS = """
CREATE TABLE kinds (
  id bigserial PRIMARY KEY, slug text, title varchar(40), price numeric, ratio double precision, day date,
  at timestamptz, local timestamp, done boolean, tags text[], prices numeric[], days date[],
  times timestamptz[], extra jsonb, ref uuid, author integer, clock time, secret text
);
INSERT INTO kinds VALUES
  (9007199254740993, 'full', E'a "b" \\\\ \\n <é>\\u2028', 12.50, 0.1, '2024-01-08',
   '2024-01-08T01:30:00.999+05:30', '2024-01-08T00:00:00', true, '{x,"y, z",NULL}', '{1.10,2}',
   '{2024-01-08,infinity}',
   '{2024-01-08T01:30:00+05:30}', '{"a": [1, null]}', '11111111-1111-1111-1111-111111111111', 7, '10:30',
   'hush'),
  (2, 'nulls', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
   'hush'),
  (3, 'ends', '', 'NaN', 'infinity', 'infinity', '-infinity', 'infinity', false, '{}', '{}', '{}', '{}',
   'null', NULL, 0, '24:00', 'hush'),
  (4, 'far', NULL, 0, 0, '0044-03-15 BC', '12026-01-01', '9999-12-31T23:59:59.9', NULL, NULL, NULL, NULL,
   NULL, '[]', NULL, NULL, NULL, 'hush');
"""
FIELDS = ["id", "title", "price", "ratio", "day", "at", "local", "done", "tags", "prices"]
FIELDS += ["days", "times", "extra", "ref", "author", "clock"]
DECLARED = table("kinds", title="single-line-text", author="relationship")


@pytest.fixture
def kinds(run: Any, records: PostgresRecords) -> PostgresRecords:
    """The source, with the table above."""
    run(KINDS)
    return records


def record(source: PostgresRecords, slug: str, fields: list[str]) -> dict[str, Any] | None:
    with source.snapshot() as snapshot:
        found = snapshot.record(select(DECLARED), slug, fields)
        return None if found is None else dict(found)


def test_each_type_is_plain_json(kinds: PostgresRecords) -> None:
    """Dates and times are W3C in UTC, numerics digit for digit, arrays lists, a relationship its id."""
    assert record(kinds, "full", FIELDS) == {
        "$key": "9007199254740993",
        "$slug": "full",
        "$lastmod": None,
        "id": 9007199254740993,
        "title": 'a "b" \\ \n <é>\u2028',
        "price": "12.50",
        "ratio": 0.1,
        "day": "2024-01-08",
        "at": "2024-01-07T20:00:00Z",
        "local": "2024-01-08T00:00:00Z",
        "done": True,
        "tags": ["x", "y, z", None],
        "prices": ["1.10", "2"],
        "days": ["2024-01-08", None],
        "times": ["2024-01-07T20:00:00Z"],
        "extra": {"a": [1, None]},
        "ref": "11111111-1111-1111-1111-111111111111",
        "author": 7,
        "clock": "10:30:00",
    }


def test_nulls_and_ends_of_time_are_none(kinds: PostgresRecords) -> None:
    """A null is None, an empty array an empty list; infinity and years that W3C has no form for are None."""
    nulls = record(kinds, "nulls", FIELDS)
    assert nulls is not None
    assert {nulls[name] for name in FIELDS if name != "id"} == {None}
    ends = record(
        kinds, "ends", ["day", "at", "local", "tags", "prices", "days", "times", "title", "price", "extra"]
    )
    assert ends is not None
    assert (ends["day"], ends["at"], ends["local"], ends["extra"]) == (None, None, None, None)
    assert (ends["tags"], ends["prices"], ends["days"], ends["times"]) == ([], [], [], [])
    assert (ends["title"], ends["price"]) == ("", "NaN")
    far = record(kinds, "far", ["day", "at", "local"])
    assert far is not None
    assert (far["day"], far["at"], far["local"]) == (None, None, "9999-12-31T23:59:59Z")


def test_nothing_but_the_fields_asked_is_read(kinds: PostgresRecords) -> None:
    """A field that nobody asked for leaves the database in no way of reading (privacy)."""
    only = {"$key", "$slug", "$lastmod", "title"}
    with kinds.snapshot() as snapshot:
        one = snapshot.record(select(DECLARED), "full", ["title"])
        assert one is not None
        assert set(one) == only
        assert all(
            set(each) == only for each in snapshot.listing(select(DECLARED), ["title", "title"], [], 10)
        )
        assert all(
            set(each) == only for page in snapshot.whole(select(DECLARED), ["title"], 10) for each in page
        )
        assert all(set(each) == only - {"title"} for each in snapshot.listing(select(DECLARED), [], [], 10))


def test_no_column_is_named_that_was_not_asked() -> None:
    """The statement itself holds no other column, and no `*`: the secret never even reaches the function."""
    text = Type("text", Family.TEXT)
    relation = Relation("kinds", {"id": text, "slug": text, "title": text, "secret": text}, "id")
    sql = records_page(relation, select(DECLARED), ["title"], 10).sql
    assert '"title"' in sql
    assert "secret" not in sql
    assert "*" not in sql


def test_a_field_kept_elsewhere_is_null(run: Any, kinds: PostgresRecords) -> None:
    """A many-to-many relationship has no column: None where read, no order, an error as a filter."""
    links = tuple(
        Field(name, "relationship", options={"relationType": kind})
        for name, kind in (("topics", "many-to-many"), ("replies", "one-to-many"), ("author", "many-to-one"))
    )
    declared = replace(DECLARED, fields=links)
    with kinds.snapshot() as snapshot:
        found = snapshot.record(select(declared), "full", ["topics", "replies", "author"])
        assert found is not None
        assert (found["topics"], found["replies"], found["author"]) == (None, None, 7)
        sorted_by = [Sort("topics"), Sort("title", descending=True)]
        assert snapshot.listing(select(declared), ["topics"], sorted_by, 1)[0]["$slug"] == "full"
    with pytest.raises(RecordsUnavailable, match=r"public\.kinds\.topics: there is no such column"):
        read_rows(kinds, select(declared, ("topics", "eq", "1")))


@pytest.mark.parametrize("fields", [["title", "colour"], ["colour"]])
def test_a_field_without_its_column_is_named(kinds: PostgresRecords, fields: list[str]) -> None:
    """A declared field that the table lacks is an error that names it, not an empty value."""
    with pytest.raises(RecordsUnavailable, match=r"^public\.kinds\.colour: there is no such column$"):
        record(kinds, "full", fields)


def test_a_slug_is_matched_to_the_letter(run: Any, records: PostgresRecords) -> None:
    """Case, spaces and wildcards count, whatever the type; of two alike the first by key is read."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, fixed char(8), n integer, ref uuid, day date)")
    ref = "aaaaaaaa-1111-1111-1111-111111111111"
    for slug in ("HELLO", "hello", "hello", "100%"):
        run("INSERT INTO posts VALUES (DEFAULT, :slug, 'ab', 7, :ref, '2024-01-08')", slug=slug, ref=ref)
    posts = table("posts")

    def key(slug: str, field: str = "slug") -> Any:
        with records.snapshot() as snapshot:
            found = snapshot.record(select(posts, slug=field), slug, [])
            return None if found is None else found["$key"]

    assert (key("HELLO"), key("hello"), key("Hello"), key("hello ")) == ("1", "2", None, None)
    assert (key("100%"), key("%"), key("100_"), key("")) == ("4", None, None, None)
    assert (key("ab", "fixed"), key("ab      ", "fixed"), key("AB", "fixed")) == ("1", None, None)
    assert (key("7", "n"), key("07", "n"), key("7.0", "n"), key("x", "n"), key("9" * 30, "n")) == (
        "1",
        None,
        None,
        None,
        None,
    )
    assert (key(ref, "ref"), key(ref.upper(), "ref"), key("x", "ref")) == ("1", None, None)
    assert (key("2024-01-08", "day"), key("2024-02-30", "day")) == ("1", None)
    assert (key("a\0b"), key("a\ud800")) == (None, None)


def test_a_slug_is_found_by_its_index(run: Any, records: PostgresRecords) -> None:
    """The exact comparison comes with one that an index serves."""
    from fingerpost.sources.sql import record_by_slug

    text = Type("text", Family.TEXT)
    number = Type("integer", Family.INTEGER)
    relation = Relation("posts", {"id": number, "slug": text}, "id")
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text UNIQUE)")
    run("INSERT INTO posts (slug) SELECT 'post-' || n FROM generate_series(1, 5000) n")
    run("ANALYZE posts")
    for field, slug, index in (("slug", "post-77", "posts_slug_key"), ("id", "77", "posts_pkey")):
        query = record_by_slug(relation, select(table("posts"), slug=field), slug, [])
        plan = "\n".join(row[0] for row in run(f"EXPLAIN {query.sql}", **query.values))
        assert f"Scan using {index}" in plan
        assert "Seq Scan" not in plan


def test_a_listing_is_sorted_with_nulls_last(run: Any, records: PostgresRecords) -> None:
    """Each direction puts nulls last, ties go by key, and a window can be asked for."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, rank numeric, day date)")
    run("INSERT INTO posts (slug, rank, day) VALUES ('a', 10, NULL), ('b', 9, '2024-01-08')")
    run("INSERT INTO posts (slug, rank, day) VALUES ('c', NULL, NULL), ('d', 10, '2024-01-09')")
    posts = select(table("posts"))

    def order(*sort: Sort, limit: int = 10, offset: int = 0) -> str:
        with records.snapshot() as snapshot:
            return "".join(each["$slug"] for each in snapshot.listing(posts, ["rank"], sort, limit, offset))

    assert order() == "abcd"
    assert order(Sort("rank")) == "badc"
    assert order(Sort("rank", descending=True)) == "adbc"
    assert order(Sort("rank"), Sort("day", descending=True)) == "bdac"
    assert order(Sort("day"), Sort("id", descending=True)) == "bdca"
    assert order(Sort("rank"), limit=2, offset=1) == "ad"
    assert order(limit=0) == ""
    assert order(offset=9) == ""
    with pytest.raises(RecordsUnavailable, match=r"public\.posts\.colour: there is no such column"):
        order(Sort("colour"))


def test_records_need_no_address(run: Any, records: PostgresRecords) -> None:
    """With no slug field a record's slug is None, where nothing is published under it."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, title text)")
    run("INSERT INTO posts (title) VALUES ('x')")
    with records.snapshot() as snapshot:
        found = snapshot.listing(select(table("posts"), slug=""), ["title"], [], 5)
    assert found == [{"$key": "1", "$slug": None, "$lastmod": None, "title": "x"}]


def test_many_fields_are_read_at_once(run: Any, records: PostgresRecords) -> None:
    """More fields than a Postgres function takes arguments are no obstacle."""
    names = [f"f{number}" for number in range(150)]
    columns = ", ".join(f"{name} integer DEFAULT 1" for name in names)
    run(f"CREATE TABLE posts (id serial PRIMARY KEY, slug text DEFAULT 's', {columns})")
    run("INSERT INTO posts DEFAULT VALUES")
    with records.snapshot() as snapshot:
        found = snapshot.record(select(table("posts")), "s", names)
    assert found == {"$key": "1", "$slug": "s", "$lastmod": None, **dict.fromkeys(names, 1)}


AWKWARD = [
    'Quo"te',
    "UPPER",
    "with space",
    "a:b",
    "$1",
    ":v0",
    "semi;colon",
    "--",
    "é",
    "select",
    "a'b",
    "%s",
    "back\\slash",
]


def test_awkward_names_are_only_names(run: Any, records: PostgresRecords) -> None:
    """Quotes, capitals, placeholders and keywords in a column's name are letters of it, wherever it is."""
    columns = ", ".join('"' + name.replace('"', '""') + "\" text DEFAULT 'v'" for name in AWKWARD)
    run(f"CREATE TABLE my_blog_posts___ (id serial PRIMARY KEY, {columns})")
    run("INSERT INTO my_blog_posts___ DEFAULT VALUES")
    declared = table("My Blog-Posts…é!")
    for name in AWKWARD:
        conditions: list[Given] = [(name, "eq", "v"), (name, "contains", "v"), (name, "in", ("v",))]
        selection = select(declared, *conditions, slug=name)
        assert read_rows(records, selection) == [["1", "v", None]]
        with records.snapshot() as snapshot:
            assert snapshot.record(selection, "v", AWKWARD) == {
                "$key": "1",
                "$slug": "v",
                "$lastmod": None,
                **dict.fromkeys(AWKWARD, "v"),
            }
            assert len(snapshot.listing(selection, [name], [Sort(name)], 5)) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(name=st.text(min_size=1, max_size=20))
def test_a_name_that_is_not_there_is_never_sql(run: Any, records: PostgresRecords, name: str) -> None:
    """Whatever stands as a field or a table, it is looked up first and named where it is missing."""
    run("CREATE TABLE IF NOT EXISTS posts (id serial PRIMARY KEY, slug text)")
    for selection in (select(table("posts"), slug=f"x{name}"), select(table(f"x{name}"))):
        with pytest.raises(RecordsUnavailable, match=r"there is no such (column|table)"):
            read_rows(records, selection)
