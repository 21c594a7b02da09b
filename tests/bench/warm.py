"""c. Each document's repeat answer through its handler, against a handler that returns a constant;
f. an article and a record as HTML, on a small site and on a large one."""

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from fingerpost.catalogue.article_index import INDEX, write_index
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.published import PublishedStore
from fingerpost.sources.s3 import S3Store
from fingerpost_tools.embedded_postgres import Database
from tests.bench import build
from tests.bench.measuring import Row, Timing, repeated
from tests.bench.places import BUCKET, functions, records, s3
from tests.bench.sitemap_articles import asking
from tests.support import Functions, make_event

ARTICLES: Final = 2_000
RECORDS: Final = 50_000
# The small site is this many times smaller.
SMALLER: Final = 20
CALLS: Final = 300
DOCUMENTS: Final = (
    "/sitemap.xml",
    "/sitemap-1.xml",
    "/robots.txt",
    "/feed.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/agent-readability.json",
)
PAGES: Final = {"an article": "/docs/section-1/article-60", "a record": "/blog/post-600"}
APP: Final = build.APP.replace("slugField: slug}", "slugField: slug}\n    rss: {limit: 50}")


def measure(database: Database) -> list[Row]:
    """Both on the same two sites, whose files are in S3."""
    with served(database, ARTICLES, RECORDS) as large:
        floor = repeated(lambda: constant(make_event("/"), None), CALLS)
        rows = [document(large, path, floor) for path in DOCUMENTS]
        on_large = {what: timing(large, path) for what, path in PAGES.items()}
    with served(database, ARTICLES // SMALLER, RECORDS // SMALLER) as small:
        on_small = {what: timing(small, path) for what, path in PAGES.items()}
    for what in PAGES:
        ours, smaller = on_large[what], on_small[what]
        rows.append(Row("f", f"{what} as HTML: milliseconds", f"{ours.median:.2f} ms", ours.median, most=3.0))
        rows.append(
            Row("f", f"  {SMALLER} times as large a site: times as long", f"{ours.median:.2f} ms",
                ours.best / smaller.best, most=1.2, detail={"small_ms": smaller.median})
        )  # fmt: skip
    return rows


def constant(event: Any, context: object) -> dict[str, Any]:
    """What no handler can be faster than."""
    return {"statusCode": 200, "headers": {"content-type": "text/plain"}, "body": "constant"}


def document(site: Functions, path: str, floor: Timing) -> Row:
    ours = timing(site, path)
    return Row("c", f"{path}: milliseconds above a constant", f"{ours.median:.2f} ms",
               ours.median - floor.median, most=1.5)  # fmt: skip


def timing(site: Functions, path: str) -> Timing:
    """The repeat answers of one address, to a client that takes gzip."""
    handler, event = site.handler(path), make_event(path, headers={"accept-encoding": "gzip"})
    first = handler(event, None)
    assert first["statusCode"] == 200, (path, first["statusCode"])
    return repeated(lambda: handler(event, None), CALLS)


@contextlib.contextmanager
def served(database: Database, articles: int, rows: int) -> Iterator[Functions]:
    """The functions of a site of that size."""
    build.fill_table(database, rows)
    connection = database.connect()
    connection.run("CREATE INDEX ON posts (slug)")  # as any table has whose rows are looked up by it
    connection.close()
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
        folder = Path(name, "site")
        build.write_site(folder, articles)
        (folder / "app.yaml").write_text(APP, "utf-8")
        index(folder)
        with s3(folder) as address, asking(address):
            source = records(database)
            yield functions(PublishedStore(S3Store(BUCKET)), source)
            source.close()


def index(folder: Path) -> None:
    """Leave the index of front matter where `publish` leaves it, with the ETags that S3 will give."""
    articles = read_publication(DirectoryStore(folder)).articles.values()
    path = folder / INDEX
    path.parent.mkdir()
    path.write_bytes(write_index(replace(each, etag=etag(folder / each.key)) for each in articles))


def etag(file: Path) -> str:
    """S3's ETag of an object that was uploaded in one piece."""
    return hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()
