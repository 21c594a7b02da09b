"""A database of this part's own, whose `public` schema is empty at the start of each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from tests.unit.sources.database import CREATE, empty_schema, own_database


@pytest.fixture(scope="session")
def database_url(postgres_url: str) -> str:
    """A connection URI of a database that no other part's tests touch."""
    return own_database(postgres_url, "sources")


@pytest.fixture
def run(database_url: str) -> Iterator[Any]:
    """Runs SQL as a superuser would, on an empty schema."""
    with empty_schema(database_url) as run:
        yield run


@pytest.fixture
def records(database_url: str, run: Any) -> Iterator[PostgresRecords]:
    """The source under test, on the empty schema."""
    source = PostgresRecords(UrlLogin(database_url))
    yield source
    source.close()


@pytest.fixture
def posts(run: Any, records: PostgresRecords) -> PostgresRecords:
    """The source, with an empty table `posts`."""
    run(CREATE)
    return records
