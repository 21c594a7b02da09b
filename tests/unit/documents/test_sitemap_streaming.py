"""A set rendered child by child: never more in memory than it takes, and always the same bytes."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.collections import Collection, distinct, distinct_page
from fingerpost.documents import sitemap as module
from fingerpost.documents.sitemap import Report, render_children, render_index, render_sitemap
from fingerpost.limits import SITEMAP_ENTRIES
from tests.unit.catalogue.catalogues import LANGUAGES, ORIGIN, catalogue_of
from tests.unit.documents.sitemaps import locs

POSTS = """tables: [{name: posts, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}]
pages: [{name: post, path: "%s", collection: {table: posts, slugField: slug}}]
"""

Row = tuple[str, str | None, str | None]


def rows_of(slugs: Sequence[str | None]) -> list[Row]:
    return [
        (str(n), slug, f"2026-01-{n % 28 + 1:02}T00:00:00Z" if n % 3 else None)
        for n, slug in enumerate(slugs)
    ]


def collection_of(path: str = "/posts/:slug") -> Collection:
    found = catalogue_of(POSTS % path)
    (collection,) = found.collections.values()
    return collection


class Pages:
    """Rows in pages; `read` counts the pages that were taken."""

    def __init__(self, rows: Sequence[Row], size: int) -> None:
        self._rows = rows
        self._size = size
        self.read = 0

    def __call__(self, collection: Collection, most: int) -> Iterator[Sequence[Row]]:
        for start in range(0, len(self._rows), self._size):
            self.read += 1
            yield self._rows[start : start + self._size]


def test_a_child_is_ready_before_the_rest_is_read() -> None:
    """Taking one child reads no more rows than fill it."""
    pages = Pages(rows_of([f"post-{n}" for n in range(60_000)]), 5_001)
    children = render_children(catalogue_of(POSTS % "/posts/:slug"), ORIGIN, pages, Report())
    assert [child.entries for child in islice(children, 2)] == [SITEMAP_ENTRIES] * 2
    assert pages.read <= 3


def test_the_index_names_fifty_thousand_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an index can't name is left out, reported, and not read to its end."""
    monkeypatch.setattr(module, "SITEMAP_CHILDREN", 3)
    site, report = catalogue_of(POSTS % "/posts/:slug"), Report()
    pages = Pages(rows_of([f"post-{n}" for n in range(60_000)]), 5_001)
    children = list(render_children(site, ORIGIN, pages, report))
    assert [child.entries for child in children] == [SITEMAP_ENTRIES] * 3
    assert report.too_many
    assert pages.read <= 5
    assert len(locs(render_index(site, ORIGIN, [child.lastmod for child in children]))) == 3


def test_as_many_as_an_index_names_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last child that an index may name is no reason to complain."""
    monkeypatch.setattr(module, "SITEMAP_CHILDREN", 3)
    pages = Pages(rows_of([f"post-{n}" for n in range(3 * SITEMAP_ENTRIES)]), 5_001)
    found = render_sitemap(catalogue_of(POSTS % "/posts/:slug"), ORIGIN, pages)
    assert (len(found.children), found.too_many) == (3, False)


SLUGS = st.one_of(
    st.none(),
    st.sampled_from(
        ["a", "b", "", ".", "..", "a.b", ".a", "a\nb", "a/b", "é", "q&a", "%41", "ü" * 60, "x" * 49]
    ),
    st.text(max_size=60),
)


@given(
    st.lists(SLUGS, max_size=40), st.integers(1, 9), st.sampled_from(["/posts/:slug", "/:rest*", "/:slug"])
)
def test_whole_pages_are_told_as_their_rows_are(slugs: list[str | None], size: int, path: str) -> None:
    """What is told of a page at once is what is told of its rows one by one, whatever came before."""
    collection, rows = collection_of(path), rows_of(slugs)
    expected = [(row, encoded) for _, encoded, row in distinct([rows], collection)]
    seen: set[str] = set()
    found: list[tuple[Any, str]] = []
    for start in range(0, len(rows), size):
        found += zip(*distinct_page(rows[start : start + size], collection, seen), strict=True)
    assert found == expected


@given(st.lists(SLUGS, max_size=40), st.integers(1, 9), st.booleans())
def test_bytes_do_not_depend_on_pages(slugs: list[str | None], size: int, multilingual: bool) -> None:
    """The same rows in pages of any size are the same sitemap, in one language or more."""
    site = catalogue_of((LANGUAGES if multilingual else "") + POSTS % "/posts/:slug")
    rows = rows_of(slugs)
    assert render_sitemap(site, ORIGIN, Pages(rows, size)) == render_sitemap(site, ORIGIN, Pages(rows, 50))


@given(st.integers(45, 60), st.integers(0, 59))
def test_long_slugs_are_told_apart(length: int, place: int) -> None:
    """Slugs that are remembered by a digest are still known again, and told from any other."""
    one = "x" * length
    other = f"{one[: place % length]}y{one[place % length + 1 :]}"
    seen: set[str] = set()
    _, first = distinct_page(rows_of([one, other, one]), collection_of(), seen)
    assert list(first) == [one, other]
    assert distinct_page(rows_of([other, one]), collection_of(), seen) == ([], [])
    assert sum(map(len, seen)) <= 2 * 48
