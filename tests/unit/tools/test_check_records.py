"""Checking records: only with a database, told once for each reason."""

from pathlib import Path

import pytest

from fingerpost_tools import tables
from fingerpost_tools.check import examine
from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.main import main
from fingerpost_tools.whole_site import read_site
from tests.support import ORIGIN

pytestmark = pytest.mark.postgres

_APP = """\
name: Acme
description: A site.
seo: {sitemap: {maxRecords: 9}}
tables:
- {name: posts, permissions: {read: all}, fields: [{name: slug, type: single-line-text}]}
pages:
- {name: taken, path: /blog/taken, meta: {title: T, description: D}}
- {name: post, path: '/blog/:slug', meta: {title: T}, collection: {table: posts, slugField: slug}}
"""


def _fill(folder: Path, database: Database, *slugs: str | None) -> None:
    (folder / "app.yaml").write_text(_APP, encoding="utf-8")
    connection = database.connect()
    tables.create(connection, read_site(folder)[1].site)
    for slug in slugs:
        connection.run("INSERT INTO posts (slug) VALUES (:slug)", slug=slug)
    connection.close()


def test_records_are_told_of_by_reason(
    tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """No slug, one that makes no address, one that is taken, one too long, and the cap."""
    _fill(tmp_path, database, "a", "a", "b", None, "", "..", "taken", "x" * 2048, "c")
    assert main(["check", str(tmp_path), "--base-url", ORIGIN, "--database-url", database.url]) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("app.yaml")]
    said = {line.rpartition("[")[2].rstrip("]"): line.partition(": ")[2] for line in shown}
    assert said["slug-empty"].startswith("hint: 2 records of `posts` without a slug; posts:4 is one")
    assert said["address-impossible"].startswith("warning: 1 record of `posts` with a slug that no client")
    assert "posts:2 is one" in said["address-collision"]
    assert "posts:7 is one" in said["address-shadowed"]
    assert said["address-too-long"].startswith("warning: 1 address of `posts` is too long")
    assert said["records-capped"].startswith("warning: `posts` has 9 records or more, and 9 are read")
    assert len(said) == len(shown) == 6


def test_a_slug_without_an_index(
    tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """An index on the slug is missed, whoever dropped it."""
    _fill(tmp_path, database, "a")
    connection = database.connect()
    connection.run("DROP INDEX posts_slug_index")
    connection.close()
    assert main(["check", str(tmp_path), "--base-url", ORIGIN, "--database-url", database.url]) == 0
    assert "hint: no index of `posts` begins with `slug`" in capsys.readouterr().out


def test_good_records_are_left_in_peace(tmp_path: Path, database: Database) -> None:
    """Nothing is found where every record has an address of its own; nothing is asked without a database."""
    _fill(tmp_path, database, "a", "b")
    store, _ = read_site(tmp_path)
    assert examine(store, ORIGIN) == []
    assert (
        main(["check", str(tmp_path), "--strict", "--base-url", ORIGIN, "--database-url", database.url]) == 0
    )
