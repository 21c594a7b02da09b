"""What benchmarks run against: a Postgres with records, an S3 in a process of its own, and a site."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fingerpost.settings import Settings
from fingerpost.sources.login import UrlLogin
from fingerpost.sources.objects import ObjectStore
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import NoRecords
from fingerpost.web.instance import Instance
from fingerpost.web.visitor import SessionReader
from fingerpost_tools import embedded_postgres
from fingerpost_tools.embedded_postgres import Database
from tests.support import Functions, MemoryStore

ROOT: Final = Path(__file__).resolve().parents[2]
ORIGIN: Final = "https://www.example.com"
BUCKET: Final = "site"
GENERATIONS: Final = "generations"

RECORDS_APP: Final = """\
name: Bench
seo: {{sitemap: {{maxRecords: {most}}}}}
tables:
  - name: posts
    permissions: {{read: all}}
    fields: [{{name: slug, type: single-line-text}}, {{name: title, type: single-line-text}}]
pages:
  - {{name: home, path: /, sitemap: false, meta: {{title: Bench}}}}
  - name: post
    path: /posts/:slug
    collection: {{table: posts, slugField: slug}}
    meta: {{title: $record.title}}
    components: [{{type: text, element: h1, content: $record.title}}]
"""


@contextlib.contextmanager
def postgres() -> Iterator[Database]:
    """An embedded Postgres with an empty database."""
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # Postgres, which never runs as root, has to get in
        with embedded_postgres.running(Path(name)) as database:
            yield database


def fill(database: Database, rows: int) -> None:
    """A table of `rows` posts, analysed and in the server's memory."""
    connection = database.connect()
    for statement in (
        "SET client_min_messages = warning",
        "DROP TABLE IF EXISTS posts",
        "CREATE TABLE posts (id serial PRIMARY KEY, slug varchar, title varchar, "
        "created_at timestamptz DEFAULT now(), updated_at timestamptz, deleted_at timestamptz)",
        "INSERT INTO posts (slug, title, updated_at) SELECT 'a-post-about-things-' || n, 'Post ' || n, "
        f"timestamptz '2025-01-01Z' + n * interval '37 seconds' FROM generate_series(1, {rows}) n",
        "CREATE INDEX ON posts (slug)",
        "ANALYZE posts",
        "SELECT count(slug) FROM posts",
    ):
        connection.run(statement)
    connection.close()


def records(database: Database) -> PostgresRecords:
    """The product's own reader, not yet connected."""
    return PostgresRecords(UrlLogin(database.url))


def instance(store: ObjectStore, source: Any = None) -> Instance:
    """A function's instance that has answered nothing yet."""
    settings = Settings(directory="unused", base_url=ORIGIN)
    return Instance(settings, store, source or NoRecords(), SessionReader(None, None))


def functions(store: ObjectStore, source: Any = None) -> Functions:
    """All functions of a site in this process, looking at the store once a second as in production."""
    return Functions(store, source or NoRecords(), base_url=ORIGIN, check_seconds=1.0)


def records_site(most: int) -> MemoryStore:
    """The site of the table that `fill` makes."""
    return MemoryStore({"app.yaml": RECORDS_APP.format(most=most)})


@contextlib.contextmanager
def s3(folder: Path) -> Iterator[str]:
    """The address of an S3 that holds the files below `folder`, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.s3_server", str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise SystemExit("the S3 of the benchmark did not start")
        yield address
    finally:
        process.terminate()
        process.wait()
