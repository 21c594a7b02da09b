"""Records in a build: read once, in one moment, as everyone may see them."""

import json
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.documents.sitemap import render_sitemap
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import Record, Selection, Sort
from fingerpost_tools.building.jobs import Job, RecordsJob
from fingerpost_tools.building.planning import plan
from fingerpost_tools.building.records import RecordReader
from fingerpost_tools.embedded_postgres import Database
from tests.support import Functions
from tests.unit.tools.building.sites import ORIGIN, Build, files, fingerprint, text, write

RECORDS = """\
name: Site
tables:
  - name: authors
    permissions: {read: all}
    fields: [{name: name, type: single-line-text}]
  - name: posts
    permissions: {read: all, fields: [{field: secret, read: authenticated}]}
    fields:
      - {name: slug, type: single-line-text}
      - {name: title, type: single-line-text}
      - {name: secret, type: single-line-text}
      - name: author
        type: relationship
        relatedTable: authors
        relationType: many-to-one
        displayField: name
      - {name: updated_at, type: updated-at}
  - name: notes
    permissions: {read: authenticated}
    fields: [{name: slug, type: single-line-text}]
pages:
  - name: home
    path: /
    components:
      - {type: list, dataSource: {table: posts, sort: [{field: slug}]}, itemTemplate: {title: $record.title}}
  - name: post
    path: /blog/:slug
    collection: {table: posts, slugField: slug}
    components: [{type: text, content: "$record.title by $record.author, $record.secret"}]
  - {name: aside, path: /aside/:slug, sitemap: false, collection: {table: posts, slugField: slug}}
  - {name: note, path: /notes/:slug, collection: {table: notes, slugField: slug}}
"""


@pytest.fixture
def posts(site: Path, database: Database) -> Database:
    """A site with records: its tables, and some rows."""
    from fingerpost_tools import tables

    write(site, {"app.yaml": RECORDS})
    declared = read_publication(DirectoryStore(site)).site
    connection = database.connect()
    tables.create(connection, declared)
    connection.run("INSERT INTO authors (name) VALUES ('Ada')")
    connection.run(
        "INSERT INTO posts (slug, title, secret, author, updated_at, deleted_at) VALUES "
        "('first', 'First & foremost', 'hush', 1, '2026-01-02 03:04:05', NULL), "
        "('b\u00fccher 100%', 'Books', 'hush', NULL, NULL, NULL), "
        "('gone', 'Gone', 'hush', 1, NULL, now()), "
        "(NULL, 'Nowhere', 'hush', 1, NULL, NULL), "
        "('first', 'Second first', 'hush', 1, NULL, NULL)"
    )
    connection.run("INSERT INTO notes (slug) VALUES ('mine')")
    connection.close()
    return database


pytestmark = pytest.mark.postgres


def test_records_have_pages(build: Build, out: Path, posts: Database) -> None:
    """Each record that everyone may read is a file, under every page that publishes it: listed or not."""
    result = build("--database-url", posts.url)
    assert (result.code, result.report["records"], result.report["sitemap_entries"]) == (0, 4, 3)
    pages = {name for name in files(out) if name.endswith(".html")}
    assert pages == {
        *("index.html", "404.html", "blog/first.html", "blog/b\u00fccher 100%.html"),
        *("aside/first.html", "aside/b\u00fccher 100%.html"),
    }
    sitemap = text(out, "sitemap.xml")
    assert f"<loc>{ORIGIN}/blog/first</loc><lastmod>2026-01-02T03:04:05Z</lastmod>" in sitemap
    assert f"<loc>{ORIGIN}/blog/b%C3%BCcher%20100%25</loc></url>" in sitemap


def test_records_are_shown_as_everyone_may_see_them(build: Build, out: Path, posts: Database) -> None:
    """A related record is named, and what only some may read is nowhere."""
    build("--database-url", posts.url)
    assert "First &amp; foremost by Ada, " in text(out, "blog/first.html")
    for name in files(out):
        assert "hush" not in (out / name).read_text(encoding="utf-8")


def test_versions_are_built_as_they_are_served(build: Build, site: Path, out: Path, posts: Database) -> None:
    """Pages below language prefixes whose filters differ, and a canonical of the record's own: each file of a
    record, and the sitemap, are what the functions answer."""
    app = (
        RECORDS.replace("name: post\n    path: /blog/:slug", "name: post\n    path: /en/blog/:slug")
        + """
  - name: french
    path: /fr/blog/:slug
    collection: {table: posts, slugField: slug, filter: [{field: author, value: 1}]}
    meta: {canonical: 'https://old.example/$record.title'}
languages: {default: en, supported: [{code: en}, {code: fr}]}
"""
    )
    write(site, {"app.yaml": app})
    assert build("--database-url", posts.url).code == 0
    source = PostgresRecords(UrlLogin(posts.url))
    served = Functions(DirectoryStore(site), source)
    assert (out / "sitemap.xml").read_bytes() == served.get("/sitemap.xml").body
    for address in ("/en/blog/first", "/fr/blog/first", "/en/blog/b%C3%BCcher%20100%25"):
        assert text(out, f"{unquote(address)[1:]}.html") == served.get(address).text
    source.close()


def test_lists_are_filled(build: Build, out: Path, posts: Database) -> None:
    """A component's list shows the records with their addresses."""
    build("--database-url", posts.url)
    assert '<a href="/blog/first">First &amp; foremost</a>' in text(out, "index.html")


def test_the_database_of_the_environment(
    build: Build, posts: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a flag DATABASE_URL says where the records are."""
    monkeypatch.setenv("DATABASE_URL", posts.url)
    assert build().report["records"] == 4


def test_a_site_has_a_database_of_its_own(build: Build, site: Path, reachable: Path) -> None:
    """Without a flag and a variable, the records are those of the site's own Postgres, filled by its seed."""
    write(site, {"app.yaml": RECORDS, "seed.sql": "INSERT INTO posts (slug, title) VALUES ('seed', 'Seed');"})
    own = reachable / "own"
    shutil.copytree(site, own)
    result = build("--out", str(reachable / "built"), to=None, site=own)
    assert result.report["records"] == 2
    assert "seed.sql has filled the new database" in result.err
    assert "blog/seed.html" in files(reachable / "built")


def test_without_the_sitemap_no_record_is_read(build: Build, out: Path, posts: Database) -> None:
    """`--no-sitemap` asks no database, writes no record, and says which lists are empty for it."""
    result = build("--no-sitemap", "--database-url", "postgresql://nobody@127.0.0.1:1/nowhere")
    assert (result.code, result.report["records"]) == (0, 0)
    assert {name for name in files(out) if name.endswith(".html")} == {"index.html", "404.html"}
    assert result.problems("warning") == [
        "lists of table posts are empty, since no record is read without the sitemap"
    ]


def test_a_database_that_is_away(build: Build, out: Path, posts: Database) -> None:
    """Nothing is built without the records, and the old output stays."""
    build("--database-url", posts.url)
    before = fingerprint(out)
    result = build("--database-url", "postgresql://nobody@127.0.0.1:1/nowhere")
    assert result.code == 2
    assert "127.0.0.1:1/nowhere" in result.err
    connection = posts.connect()
    connection.run("ALTER TABLE posts DROP COLUMN title")
    connection.close()
    result = build("--database-url", posts.url)
    assert (result.code, "public.posts.title: there is no such column" in result.err) == (2, True)
    assert fingerprint(out) == before


def test_a_record_that_no_file_can_hold(build: Build, out: Path, posts: Database) -> None:
    """It is named with its address, and the build says by its exit code that something is missing."""
    connection = posts.connect()
    connection.run("INSERT INTO posts (slug) VALUES ('FIRST'), (repeat('x', 252)), ('a/b'), ('/up')")
    connection.close()
    result = build("--database-url", posts.url)
    assert result.code == 1
    messages = [message for message in result.problems() if "/blog/" in message]
    assert messages == [
        "record 'FIRST' (/blog/FIRST) is not written: "
        "blog/FIRST.html and blog/first.html are one name to file systems that ignore case",
        f"record '{'x' * 252}' (/blog/{'x' * 252}) is not written: "
        "expected file names of at most 255 bytes, found 257",
        "record '/up' (/blog/%2Fup) is not written: no file or folder can be called ''",
    ]
    assert "blog/a/b.html" in files(out)
    assert any("/blog/a%2Fb" in message for message in result.problems("warning"))
    assert f"<loc>{ORIGIN}/blog/FIRST</loc>" in text(out, "sitemap.xml")


def test_a_cap_that_is_reached_is_told(build: Build, site: Path, posts: Database) -> None:
    """With more records than are read, the summary says what to raise."""
    write(site, {"app.yaml": RECORDS + "seo: {sitemap: {maxRecords: 1}}\n"})
    result = build("--database-url", posts.url)
    assert result.report["records"] == 2
    assert result.problems("warning") == [
        "table posts has more records than are read: raise seo.sitemap.maxRecords"
    ]


def test_the_owners_sitemap_leaves_the_records(build: Build, site: Path, out: Path, posts: Database) -> None:
    """With a sitemap of the owner's own, or none wanted, records are read and written all the same."""
    write(site, {"public/sitemap.xml": "<urlset/>"})
    assert build("--database-url", posts.url).report["records"] == 4
    assert text(out, "sitemap.xml") == "<urlset/>"
    (site / "public/sitemap.xml").unlink()
    write(site, {"app.yaml": RECORDS + "seo: {sitemap: false}\n"})
    assert build("--database-url", posts.url).report["records"] == 4
    assert "sitemap.xml" not in files(out)


class Rows:
    """A snapshot of records in memory, in pages of two; counts what is asked of it."""

    def __init__(self, slugs: Sequence[str | None]) -> None:
        self._records = [
            {"$key": str(key), "$slug": slug, "$lastmod": None, "slug": slug}
            for key, slug in enumerate(slugs)
        ]
        self.asked: list[str] = []

    def count(self, selection: Selection, most: int) -> int:
        return min(most, len(self._records))

    def whole(self, selection: Selection, fields: Sequence[str], most: int) -> Iterator[Sequence[Record]]:
        self.asked.append(f"whole {selection.table.name} {' '.join(fields)}")
        for first in range(0, len(self._records), 2):
            self.asked.append("page")
            yield self._records[first : first + 2]

    def rows(self, selection: Selection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        raise AssertionError("rows are not read apart from their records")

    def record(self, selection: Selection, slug: str, fields: Sequence[str]) -> Record | None:
        raise AssertionError("no record is read by itself")

    def listing(
        self, selection: Selection, fields: Sequence[str], sort: Sequence[Sort], limit: int, offset: int = 0
    ) -> Sequence[Record]:
        self.asked.append("listing")
        return self._records[:limit]


SIMPLE = """\
name: Site
tables: [{name: posts, permissions: {read: all}, fields: [{name: slug, type: single-line-text}]}]
pages: [{name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}}]
"""


def _catalogue(site: Path) -> Catalogue:
    write(site, {"app.yaml": SIMPLE})
    return Catalogue(read_publication(DirectoryStore(site)), Origin(ORIGIN), datetime.now(UTC))


def test_records_are_read_once_and_used_twice(site: Path) -> None:
    """One reading, page by page, gives the sitemap its rows and the processes their records, each page's
    before the next one is read."""
    catalogue, rows = _catalogue(site), Rows(["a", "b", None, "c", "a", "d"])
    jobs: list[Job] = []

    def submit(job: Job) -> None:
        rows.asked.append("job")
        jobs.append(job)

    reader = RecordReader(catalogue, plan(catalogue), rows, submit)
    assert reader.expected() == 6
    sitemap = render_sitemap(catalogue, ORIGIN, reader.rows)
    reader.rest()
    assert rows.asked == ["whole posts slug", "page", "job", "page", "job", "page", "job"]
    written = [task for job in jobs if isinstance(job, RecordsJob) for task in job.tasks]
    assert [(task.record["$slug"], task.files) for task in written] == [
        (slug, ((0, f"blog/{slug}.html"),)) for slug in ("a", "b", "c", "d")
    ]
    assert sitemap.entries == 4


def test_a_page_with_nothing_to_write_makes_no_job(site: Path) -> None:
    """Records without an address cost the processes nothing."""
    catalogue, rows = _catalogue(site), Rows([None, None, "", "."])
    jobs: list[Job] = []
    RecordReader(catalogue, plan(catalogue), rows, jobs.append).rest()
    assert jobs == []


def test_a_summary_is_json(build: Build, posts: Database) -> None:
    """The summary is one JSON object, whatever else is said on stderr."""
    result = build("--database-url", posts.url)
    assert json.loads(result.out)["records"] == 4
