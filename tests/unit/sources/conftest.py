"""A database of this part's own, whose `public` schema is empty at the start of each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from tests.unit.sources.database import connection


@pytest.fixture(scope="session")
def database_url(postgres_url: str) -> str:
    """A connection URI of a database that no other part's tests touch."""
    admin = connection(postgres_url)
    admin.run("CREATE DATABASE sources")
    admin.close()
    return postgres_url.replace("/postgres?", "/sources?")


@pytest.fixture
def run(database_url: str) -> Iterator[Any]:
    """Runs SQL as a superuser would, on an empty schema."""
    admin = connection(database_url)
    admin.run("DROP SCHEMA public CASCADE")
    admin.run("CREATE SCHEMA public")
    yield admin.run
    admin.close()


@pytest.fixture
def records(database_url: str, run: Any) -> Iterator[PostgresRecords]:
    """The source under test, on the empty schema."""
    source = PostgresRecords(UrlLogin(database_url))
    yield source
    source.close()
