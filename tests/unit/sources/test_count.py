"""How many records there are, before they are read."""

from typing import Any

import pytest

from fingerpost.sources.postgres import PostgresRecords
from tests.unit.sources.database import select, table

pytestmark = pytest.mark.postgres


def test_records_are_counted_as_they_are_read(run: Any, records: PostgresRecords) -> None:
    """Filters and deletion count as in reading, and so does the most that would be read."""
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, n integer, deleted_at timestamptz)")
    run("INSERT INTO posts (slug, n) SELECT 'post-' || n, n FROM generate_series(1, 10) n")
    run("UPDATE posts SET deleted_at = now() WHERE n = 4")
    with records.snapshot() as snapshot:
        assert snapshot.count(select(table("posts")), 100) == 9
        assert snapshot.count(select(table("posts")), 7) == 7
        assert snapshot.count(select(table("posts"), ("n", "lte", "5")), 100) == 4
