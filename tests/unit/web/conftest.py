"""A database of this part's own, whose `public` schema is empty at the start of each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from fingerpost.sources.postgres import PostgresRecords, record_source
from fingerpost.sources.records import RecordSource
from tests.unit.sources.database import empty_schema, own_database
from tests.unit.web.sitemap_fleet import Fleet


@pytest.fixture(scope="session")
def database_url(postgres_url: str) -> str:
    """A connection URI of a database that no other part's tests touch."""
    return own_database(postgres_url, "answers")


@pytest.fixture
def run(database_url: str) -> Iterator[Any]:
    """Runs SQL as a superuser would, on an empty schema."""
    with empty_schema(database_url) as run:
        yield run


@pytest.fixture
def records(database_url: str) -> Iterator[RecordSource]:
    """The records of the database, as a function reads them."""
    source = record_source({"DATABASE_URL": database_url})
    assert isinstance(source, PostgresRecords)
    yield source
    source.close()


@pytest.fixture
def fleet() -> Fleet:
    """Instances of the sitemap function, none of which was asked for anything yet."""
    return Fleet()
