"""A site's declared tables in its own database: created where missing, widened where a field is new.

The columns are those that the configuration's own product would have made (SPEC section 5), so that a site
behaves on the embedded database as on the one it will meet in production.
"""

from collections.abc import Iterator
from typing import Any, Final

from fingerpost.site.model import Site, Table
from fingerpost.sources.columns import kept_elsewhere, relation_name
from fingerpost.sources.sql import quoted
from fingerpost_tools.command_error import CommandError

_NOW_IN_UTC: Final = "timestamp without time zone DEFAULT (now() AT TIME ZONE 'UTC')"

# Field type -> column type. A short text gets no length: what the author's rows hold is not ours to refuse.
_TYPES: Final = {
    **dict.fromkeys(("single-line-text", "email", "phone-number", "url", "single-select"), "varchar"),
    **dict.fromkeys(("number", "decimal", "currency"), "numeric"),
    "checkbox": "boolean",
    "date": "date",
    "datetime": "timestamp with time zone",
    "created-at": _NOW_IN_UTC,
    "updated-at": _NOW_IN_UTC,
    "deleted-at": "timestamp without time zone",
    "multi-select": "text[]",
    "relationship": "integer",
}
_OTHERWISE: Final = "text"

# What every table has, unless one of its fields has the name.
_ALWAYS: Final = {
    "id": "serial",
    "created_at": "timestamp with time zone DEFAULT now()",
    "updated_at": "timestamp with time zone DEFAULT now()",
    "deleted_at": "timestamp with time zone",
}
_KEY: Final = "id"


def columns(table: Table) -> dict[str, str]:
    """The columns of a declared table, in order: name -> type as SQL, its default included."""
    declared = {
        field.name: _TYPES.get(field.type, _OTHERWISE) for field in table.fields if not kept_elsewhere(field)
    }
    before = {name: sql for name, sql in _ALWAYS.items() if name == _KEY and name not in declared}
    after = {name: sql for name, sql in _ALWAYS.items() if name != _KEY and name not in declared}
    return {**before, **declared, **after}


def statements(table: Table) -> Iterator[str]:
    """The SQL that makes a table what its declaration says, whether or not it exists. What it already holds
    stays: no column is dropped, and none changes its type."""
    relation = f"public.{quoted(relation_name(table))}"
    found = columns(table)
    defined = [f"{quoted(name)} {sql}" for name, sql in found.items()]
    yield f"CREATE TABLE IF NOT EXISTS {relation} ({', '.join(defined)}, PRIMARY KEY ({quoted(_KEY)}))"
    for definition in defined:
        yield f"ALTER TABLE {relation} ADD COLUMN IF NOT EXISTS {definition}"


def indexes(site: Site) -> Iterator[tuple[Table, str]]:
    """An index for each field that records are found by, with its table: without one, each record page reads
    the whole table. It is a hash, which a slug of any length fits into."""
    for page in site.pages:
        table = site.table(page.collection.table) if page.collection is not None else None
        if page.collection is None or table is None or page.collection.slug_field not in columns(table):
            continue
        relation, column = relation_name(table), page.collection.slug_field
        name = quoted(f"{relation}_{column}_index")
        yield (
            table,
            f"CREATE INDEX IF NOT EXISTS {name} ON public.{quoted(relation)} USING hash ({quoted(column)})",
        )


def create(connection: Any, site: Site) -> None:
    """Make all tables of `site` and their indexes over a pg8000.native connection, or none; CommandError
    names the impossible one."""
    import pg8000.exceptions

    # Postgres says of each part that was already there that it was.
    connection.run("SET client_min_messages = warning")
    connection.run("BEGIN")
    wanted = [(table, statement) for table in site.tables for statement in statements(table)]
    for table, statement in (*wanted, *indexes(site)):
        try:
            connection.run(statement)
        except pg8000.exceptions.DatabaseError as error:
            connection.run("ROLLBACK")
            raise CommandError(
                f"{table.place}: table {table.name} can't be made: {_reason(error)}"
            ) from error
    connection.run("COMMIT")


def _reason(error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    return str(detail.get("M", detail)) if isinstance(detail, dict) else str(error)
