"""b. 5,000 Markdown objects in S3 to the sitemap, cold; with and without the index of their front matter."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from fingerpost.catalogue.article_index import INDEX, write_index
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.objects import ObjectStore
from fingerpost.sources.published import PublishedStore
from fingerpost.sources.s3 import S3Store
from fingerpost.web.request import Request
from fingerpost.web.sitemap import SitemapAnswers
from tests.bench import build
from tests.bench.measuring import Row, milliseconds
from tests.bench.places import BUCKET, instance, s3

ARTICLES: Final = 5_000
APP: Final = """\
name: Bench
pages:
  - name: docs
    path: /docs/:path*
    contentDir: {directory: content, slugFrom: filepath, sort: {field: order, direction: asc}}
"""
# What S3 names at most in one answer to a listing.
_LISTED: Final = 1_000


def measure() -> list[Row]:
    """The first answer of a new instance, and what it asks S3 for."""
    with tempfile.TemporaryDirectory(prefix="fingerpost-bench-") as name:
        folder = Path(name, "site")
        build.write_site(folder, ARTICLES)
        (folder / "app.yaml").write_text(APP, "utf-8")
        with s3(folder) as address, asking(address):
            plain = S3Store(BUCKET)
            without, asked_without = first_answer(plain)
            index = write_index(read_publication(plain).articles.values())
            plain.client().put_object(Bucket=BUCKET, Key=INDEX, Body=index)
            best, asked = min(
                (first_answer(S3Store(BUCKET, client=plain.client())) for _ in range(3)),
                key=lambda each: each[0],
            )
    listings = -(-(ARTICLES + 2) // _LISTED)
    assert asked["article"] == 0
    return [
        Row("b", f"sitemap of {ARTICLES:,} articles, index read", f"{best:.0f} ms",
            asked["listing"] / listings, most=1.0,
            detail={"ms": best, "requests": dict(asked)}),
        Row("b", "  objects read for all of them", f"{asked['index']}", float(asked["index"]), most=1.0),
        Row("b", "  without the index: times as long", f"{without:.0f} ms", without / best,
            detail={"ms": without, "requests": dict(asked_without)}),
    ]  # fmt: skip


@contextmanager
def asking(address: str) -> Iterator[None]:
    """Have the SDK ask the S3 at `address`."""
    os.environ["AWS_ENDPOINT_URL"] = address
    try:
        yield
    finally:
        del os.environ["AWS_ENDPOINT_URL"]


def first_answer(store: S3Store) -> tuple[float, Counter[str]]:
    """Milliseconds to the sitemap's index and requests by what they are for. The client is there already."""
    asked: Counter[str] = Counter()

    def count(params: dict[str, Any], **_: Any) -> None:
        asked[_kind(params["url"])] += 1

    events = store.client().meta.events
    events.register("before-call.s3", count)
    whole: ObjectStore = PublishedStore(store)
    answers = SitemapAnswers(instance(whole))
    took = milliseconds(lambda: answers.answer(Request("GET", "/sitemap.xml")))
    events.unregister("before-call.s3", count)
    return took, asked


def _kind(url: str) -> str:
    if "list-type" in url:
        return "listing"
    if url.endswith(INDEX):
        return "index"
    return "article" if url.endswith(".md") else "configuration"
