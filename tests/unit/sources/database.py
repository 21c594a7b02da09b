"""What the tests against Postgres share: declared tables, selections, and a connection of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pg8000.native

from fingerpost.site.model import Condition, Field, Operator, Table
from fingerpost.site.problems import Place
from fingerpost.sources.login import login_from_url
from fingerpost.sources.records import RecordSource, Selection

Given = tuple[str, str, str | tuple[str, ...]]


def table(name: str = "posts", **types: str) -> Table:
    """A declared table; `types` are its fields."""
    return Table(name, Place("app.yaml"), tuple(Field(field, kind) for field, kind in types.items()))


def select(declared: Table, *conditions: Given, slug: str = "slug") -> Selection:
    """Records of a table that meet `(field, operator, value)` conditions."""
    typed = tuple(Condition(field, Operator(operator), value) for field, operator, value in conditions)
    return Selection(declared, slug, typed)


POSTS = select(table("posts"))
CREATE = "CREATE TABLE posts (id serial PRIMARY KEY, slug text, updated_at timestamptz)"
FILL = "INSERT INTO posts (slug) SELECT 'post-' || n FROM generate_series(1, {}) n"


def read_rows(source: RecordSource, selection: Selection, most: int = 100_000) -> list[Any]:
    """All `[key, slug, lastmod]` of a selection, in one snapshot."""
    with source.snapshot() as snapshot:
        return [list(row) for page in snapshot.rows(selection, most) for row in page]


def connection(url: str) -> Any:
    """A connection beside the product's own, in autocommit."""
    login = login_from_url(url)
    return pg8000.native.Connection(login.user, unix_sock=login.socket_path, database=login.database)


def own_database(postgres_url: str, name: str) -> str:
    """A connection URI of a new database that no other part's tests touch."""
    admin = connection(postgres_url)
    admin.run(f"CREATE DATABASE {name}")
    admin.close()
    return postgres_url.replace("/postgres?", f"/{name}?")


@contextmanager
def empty_schema(url: str) -> Iterator[Any]:
    """What runs SQL as a superuser would, on an empty `public` schema."""
    admin = connection(url)
    admin.run("DROP SCHEMA public CASCADE")
    admin.run("CREATE SCHEMA public")
    yield admin.run
    admin.close()


def driver(snapshot: Any) -> Any:
    """The driver's connection below a snapshot, to ask what its session is like."""
    return snapshot._link._connection
