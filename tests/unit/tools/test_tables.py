"""Declared tables in a real Postgres: each column rule of SPEC section 5, and a declaration that grows."""

import pytest

from fingerpost.site.model import CollectionRef, Field, Page, Site, Table
from fingerpost.site.problems import Place
from fingerpost_tools import tables
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.embedded_postgres import Database

pytestmark = pytest.mark.postgres

_COLUMNS = """
SELECT column_name, data_type, coalesce(column_default, '') FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = :name ORDER BY ordinal_position
"""


def _table(*fields: Field, name: str = "things") -> Table:
    return Table(name, Place("app.yaml", 7, "tables[0]"), fields)


def _created(database: Database, *declared: Table, name: str = "things") -> dict[str, tuple[str, str]]:
    connection = database.connect()
    try:
        tables.create(connection, Site("Acme", tables=declared))
        return {column: (kind, default) for column, kind, default in connection.run(_COLUMNS, name=name)}
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("field_type", "expected"),
    [
        ("single-line-text", "character varying"),
        ("email", "character varying"),
        ("url", "character varying"),
        ("phone-number", "character varying"),
        ("single-select", "character varying"),
        ("long-text", "text"),
        ("rich-text", "text"),
        ("single-attachment", "text"),
        ("a-type-of-next-year", "text"),
        ("number", "numeric"),
        ("decimal", "numeric"),
        ("currency", "numeric"),
        ("checkbox", "boolean"),
        ("date", "date"),
        ("datetime", "timestamp with time zone"),
        ("created-at", "timestamp without time zone"),
        ("updated-at", "timestamp without time zone"),
        ("deleted-at", "timestamp without time zone"),
        ("multi-select", "ARRAY"),
        ("relationship", "integer"),
    ],
)
def test_a_field_becomes_a_column_of_its_type(database: Database, field_type: str, expected: str) -> None:
    """Each field type has the column type that SPEC section 5 gives it."""
    assert _created(database, _table(Field("it", field_type)))["it"][0] == expected


def test_every_table_has_a_key_and_its_times(database: Database) -> None:
    """`id` and the three times are there undeclared; those of making and changing have a default."""
    found = _created(database, _table(Field("title", "single-line-text")))
    assert list(found) == ["id", "title", "created_at", "updated_at", "deleted_at"]
    assert found["id"][0] == "integer"
    assert found["id"][1].startswith("nextval(")
    assert found["created_at"] == found["updated_at"] == ("timestamp with time zone", "now()")
    assert found["deleted_at"] == ("timestamp with time zone", "")


def test_a_declared_field_stands_in_for_the_column_of_its_name(database: Database) -> None:
    """A field called like one of the columns every table has replaces it."""
    found = _created(
        database,
        _table(
            Field("id", "single-line-text"),
            Field("updated_at", "updated-at"),
            Field("deleted_at", "checkbox"),
        ),
    )
    assert found["id"] == ("character varying", "")
    assert found["updated_at"][0] == "timestamp without time zone"
    assert found["deleted_at"][0] == "boolean"


def test_times_without_zone_are_filled_in_utc(database: Database) -> None:
    """A `created-at` column, read as UTC, holds the moment of the insertion whatever the session's zone."""
    connection = database.connect()
    tables.create(connection, Site("Acme", tables=(_table(Field("made", "created-at")),)))
    connection.run("SET TIME ZONE 'Asia/Tokyo'")
    connection.run("INSERT INTO things DEFAULT VALUES")
    apart = connection.run(
        "SELECT abs(extract(epoch FROM (made AT TIME ZONE 'UTC') - now())) < 60 FROM things"
    )
    connection.close()
    assert apart == [[True]]


def test_the_relation_and_the_column_are_named_by_rule(database: Database) -> None:
    """A table's name is lower-cased with `_` for other characters; a field's name is kept as it stands."""
    found = _created(
        database, _table(Field('Straße "1"', "number"), name="Blog-Posts é"), name="blog_posts__"
    )
    assert found['Straße "1"'][0] == "numeric"


def test_a_relationship_of_many_to_many_has_no_column(database: Database) -> None:
    """What is kept in a table of its own has no column here."""
    tags = Field("tags", "relationship", options={"relationType": "many-to-many"})
    assert "tags" not in _created(database, _table(tags))


def test_a_field_declared_later_becomes_a_column_of_the_existing_table(database: Database) -> None:
    """Rows stay, the new column is empty in them."""
    connection = database.connect()
    tables.create(connection, Site("Acme", tables=(_table(Field("title", "single-line-text")),)))
    connection.run("INSERT INTO things (title) VALUES ('first')")
    tables.create(
        connection,
        Site("Acme", tables=(_table(Field("title", "single-line-text"), Field("price", "currency")),)),
    )
    rows = connection.run("SELECT title, price FROM things")
    connection.close()
    assert rows == [["first", None]]


def test_the_field_that_records_are_found_by_has_an_index(database: Database) -> None:
    """Each collection's slug is indexed, once, whatever its length; a field that is not declared is not."""
    table = _table(Field("slug", "single-line-text"), name="Blog-Posts")
    pages = tuple(
        Page(name, f"/{name}/:slug", Place("app.yaml"), collection=CollectionRef(table.name, field))
        for name, field in (("a", "slug"), ("b", "slug"), ("c", "nowhere"))
    )
    connection = database.connect()
    for _ in range(2):
        tables.create(connection, Site("Acme", tables=(table,), pages=pages))
    connection.run(
        "INSERT INTO blog_posts (slug) SELECT string_agg(md5(n::text), '') FROM generate_series(1, 999) n"
    )
    found = connection.run(
        "SELECT indexdef FROM pg_indexes WHERE tablename = 'blog_posts' ORDER BY indexname"
    )
    connection.close()
    assert [row[0].partition(" USING ")[2] for row in found] == ["btree (id)", "hash (slug)"]


def test_a_table_that_can_not_be_made_is_named_and_undoes_the_others(database: Database) -> None:
    """One impossible field: its table is named with its place, and no half of the site's tables is left."""
    with pytest.raises(
        CommandError, match=r"app\.yaml:7 tables\[0\]: table broken can't be made: .*zero-length"
    ):
        _created(database, _table(name="fine"), _table(Field("", "date"), name="broken"))
    connection = database.connect()
    assert connection.run("SELECT to_regclass('public.fine')") == [[None]]
    connection.close()
