"""A collection's filter, each operator on each kind of column, in a real Postgres."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable
from tests.unit.sources.database import read_rows, select, table

pytestmark = pytest.mark.postgres

# Three rows and one of nulls, with these letters as slugs. In collation C, Ä comes after all of ASCII.
ROWS = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN short AS text CHECK (length(value) < 5);
CREATE DOMAIN shorter AS short CHECK (length(value) < 4);
CREATE TABLE things (
  id serial PRIMARY KEY, slug text, title varchar(20) COLLATE "C", fixed char(5), small smallint,
  price numeric, ratio real, day date, at timestamptz, local timestamp, done boolean,
  tags text[], sizes integer[], days date[], mood mood, code shorter, ref uuid, extra jsonb
);
INSERT INTO things VALUES
  (1, 'a', 'Ärger_100%', 'ab', 1, 9.90, 0.1, '2024-01-08', '2024-01-08T00:00:00Z', '2024-01-08T00:00:00',
   true, '{x,"y z"}', '{1,2}', '{2024-01-08}',
   'sad', 'ab', '11111111-1111-1111-1111-111111111111', '{"k": "v"}'),
  (2, 'b', 'Banane', 'cd', 10, 10.00, 0.2, '2024-02-01', '2024-02-01T23:30:00+05:30', '2024-02-01T18:00:00',
   false, '{}', '{}', '{}',
   'ok', 'cd', '22222222-2222-2222-2222-222222222222', '{}'),
  (3, 'c', 'Ärger', 'ef', 9, 100.5, 0.3, '2024-03-01', '2024-03-01T00:00:00Z', '2024-03-01T00:00:00',
   false, '{z}', '{3}', '{2024-03-01}',
   'happy', 'ef', '33333333-3333-3333-3333-333333333333', '[]');
INSERT INTO things (id, slug) VALUES (4, 'n');
"""

THINGS = table("things")


@pytest.fixture
def things(run: Any, records: PostgresRecords) -> PostgresRecords:
    """The source, with the table above."""
    run(ROWS)
    return records


def matching(source: PostgresRecords, *conditions: tuple[str, str, str | tuple[str, ...]]) -> str:
    """The slugs of the rows that meet all conditions, put together."""
    return "".join(row[1] for row in read_rows(source, select(THINGS, *conditions)))


CASES: dict[str, list[tuple[str, str | tuple[str, ...], str]]] = {
    "title": [
        ("eq", "Ärger", "c"),
        ("eq", "ärger", ""),
        ("neq", "Ärger", "abn"),
        ("gt", "B", "abc"),
        ("lte", "Banane", "b"),
        ("contains", "Ärger", "ac"),
        ("contains", "%", "a"),
        ("contains", "_", "a"),
        ("contains", "nan", "b"),
        ("contains", "", "abc"),
        ("in", ("Ärger", "Banane", "none"), "bc"),
        ("in", "Banane", "b"),
        ("in", (), ""),
    ],
    "fixed": [("eq", "ab", "a"), ("neq", "ab", "bcn"), ("in", ("ab", "ef"), "ac")],
    "small": [
        ("eq", "10", "b"),
        ("neq", "10", "acn"),
        ("gt", "9", "b"),
        ("gte", "9", "bc"),
        ("lt", "9.5", "ac"),
        ("lte", "-1", ""),
        ("lt", "99999999999", "abc"),
        ("lt", "9" * 40, "abc"),
        ("in", ("1", "9", "2.5"), "ac"),
        ("contains", "1", "ab"),
    ],
    "price": [("eq", "10", "b"), ("gt", "9.9", "bc"), ("lt", "1e1", "a"), ("in", ("9.9", "100.50"), "ac")],
    "ratio": [("eq", "0.1", "a"), ("gte", "0.2", "bc")],
    "day": [
        ("eq", "2024-02-01", "b"),
        ("neq", "2024-02-01", "acn"),
        ("gt", "2024-01-08", "bc"),
        ("lte", "2024-02-01", "ab"),
        ("in", ("2024-01-08", "2024-03-01"), "ac"),
        ("contains", "2024-0", "abc"),
        ("lt", "infinity", "abc"),
    ],
    "at": [
        ("eq", "2024-02-01T18:00:00Z", "b"),
        ("eq", "2024-02-01T19:00:00+01:00", "b"),
        ("eq", "2024-02-01 18:00", "b"),
        ("gte", "2024-02-01", "bc"),
        ("lt", "2024-02-01T18:00:00.001Z", "ab"),
    ],
    "local": [
        ("eq", "2024-02-01T18:00:00Z", "b"),
        ("eq", "2024-02-01T23:30:00+05:30", "b"),
        ("eq", "2024-02-01T18:00:00", "b"),
        ("gt", "2024-02-01T12:00:00-06:00", "c"),
    ],
    "done": [("eq", "true", "a"), ("eq", "no", "bc"), ("neq", "true", "bcn"), ("in", ("true", "no"), "abc")],
    "tags": [
        ("contains", "x", "a"),
        ("contains", "y z", "a"),
        ("contains", "y", ""),
        ("contains", "%", ""),
        ("in", ("x", "z"), "ac"),
        ("eq", "{z}", "c"),
        ("neq", "{z}", "abn"),
        ("eq", "{}", "b"),
    ],
    "sizes": [("contains", "2", "a"), ("contains", "2.0", "a"), ("in", ("1", "3"), "ac")],
    "days": [("contains", "2024-03-01", "c")],
    "mood": [("eq", "ok", "b"), ("gt", "sad", "bc"), ("in", ("sad", "happy"), "ac"), ("contains", "pp", "c")],
    "code": [("eq", "ab", "a"), ("eq", "too long for it", ""), ("contains", "d", "b")],
    "ref": [("eq", "22222222-2222-2222-2222-222222222222", "b"), ("contains", "3333-", "c")],
    "extra": [("eq", '{"k":"v"}', "a"), ("contains", '"k"', "a")],
}


def test_every_operator_compares_by_the_columns_type(things: PostgresRecords) -> None:
    """Numbers, dates, times, words and members compare as what they are; nulls match `neq` alone."""
    found = {
        (column, operator, value): matching(things, (column, operator, value))
        for column, cases in CASES.items()
        for operator, value, _ in cases
    }
    assert found == {
        (column, operator, value): slugs
        for column, cases in CASES.items()
        for operator, value, slugs in cases
    }


def test_conditions_are_all_to_be_met(things: PostgresRecords) -> None:
    """Conditions are joined by AND, those of one field too."""
    assert matching(things, ("small", "gt", "1"), ("small", "lt", "10")) == "c"
    assert (
        matching(
            things, ("title", "in", ("Banane", "Ärger")), ("done", "eq", "false"), ("day", "gt", "2024-02-15")
        )
        == "c"
    )
    assert matching(things, ("small", "in", ("1", "9")), ("small", "in", ("9", "10"))) == "c"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("small", "many"),
        ("day", "2024-02-30"),
        ("mood", "angry"),
        ("ref", "x"),
        ("tags", "z"),
        ("title", "a\0b"),
    ],
)
def test_a_value_of_another_type_is_named(things: PostgresRecords, column: str, value: str) -> None:
    """A value that the column can't hold is an error that says table and reason, never an unfiltered list."""
    with pytest.raises(RecordsUnavailable, match=r"^public\.things: .*\((22|21)...\)$"):
        matching(things, (column, "eq", value))
    assert matching(things, ("small", "eq", "10")) == "b"


def test_one_value_is_asked_for_one(things: PostgresRecords) -> None:
    """A list where one value belongs is named with its column."""
    with pytest.raises(RecordsUnavailable, match=r"\.things\.title: filter eq takes one value, found 2"):
        matching(things, ("title", "eq", ("a", "b")))


def test_a_filter_on_a_missing_column_is_named(things: PostgresRecords) -> None:
    """A column that isn't there is named in full; the filter is never left out."""
    with pytest.raises(RecordsUnavailable, match=r"^public\.things\.status: there is no such column$"):
        matching(things, ("status", "eq", "public"))


INJECTIONS = [
    "'; DROP TABLE things; --",
    "' OR '1'='1",
    "$1",
    ":v0",
    "\\'; --",
    "x') OR (TRUE",
    "{x}",
    "%",
    "/* */",
]


def test_a_value_is_never_sql(things: PostgresRecords) -> None:
    """Quotes, comments and placeholders in a value are letters to look for."""
    for text in INJECTIONS:
        assert matching(things, ("title", "eq", text)) == ""
        assert matching(things, ("title", "in", (text, "Banane"))) == "b"
        assert matching(things, ("tags", "contains", text)) == ""
    assert matching(things) == "abcn"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_a_value_is_found_as_it_was_written(run: Any, records: PostgresRecords, text: str) -> None:
    """Any text equals and contains itself, is a member of its array, and is a slug to be found."""
    run("CREATE TABLE IF NOT EXISTS texts (id serial PRIMARY KEY, slug text, list text[])")
    run("TRUNCATE texts")
    for value in (text, f"{text}."):
        run("INSERT INTO texts (slug, list) VALUES (:value, ARRAY[:value])", value=value)
    texts = table("texts")
    for field, operator in (("slug", "eq"), ("slug", "in"), ("list", "contains"), ("list", "in")):
        found = read_rows(records, select(texts, (field, operator, text)))
        assert [row[1] for row in found] == [text]
    assert len(read_rows(records, select(texts, ("slug", "contains", text)))) == 2
    with records.snapshot() as snapshot:
        by_slug = snapshot.record(select(texts), text, [])
    assert by_slug is not None
    assert by_slug["$slug"] == text
