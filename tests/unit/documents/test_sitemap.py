"""The sitemap as a document: its elements, its limits, its escaping."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection
from fingerpost.documents.sitemap import SitemapSet, record_cap, render_sitemap
from fingerpost.limits import RESPONSE_BYTES
from tests.unit.catalogue.catalogues import LANGUAGES, ORIGIN, articles, catalogue_of
from tests.unit.documents.sitemaps import NAMESPACE, Element, locs, read

Row = tuple[str, str | None, str | None]

PAGES = "pages: [{name: home, path: /}, {name: about, path: /about}]"
POSTS = """tables:
  - {name: posts, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}
pages:
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}}
"""


def rendered(catalogue: Catalogue, rows: Sequence[Row] = (), origin: str = ORIGIN) -> SitemapSet:
    """The sitemap of a catalogue, with `rows` as the records of each collection."""

    def pages(collection: Collection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        yield rows[:most]

    return render_sitemap(catalogue, origin, pages)


def slugs(*names: str | None) -> list[Row]:
    return [(str(key), name, None) for key, name in enumerate(names)]


def test_the_whole_document() -> None:
    """A small sitemap, byte for byte."""
    catalogue = catalogue_of(
        "pages: [{name: home, path: /, sitemap: {priority: 1, changefreq: daily}}, "
        "{name: docs, path: '/docs/:slug', contentDir: {directory: content}}]",
        {"content/q-&-a.md": "---\nlastmod: 2024-01-08\n---\n"},
    )
    assert rendered(catalogue).first == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        b"<url><loc>https://example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>\n"
        b"<url><loc>https://example.com/docs/q-&amp;-a</loc><lastmod>2024-01-08</lastmod></url>\n"
        b"</urlset>\n"
    )


def test_multilingual_document() -> None:
    """On a multilingual site each version names them all, itself included, in the same words (case 41)."""
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: home, path: /}]")
    links = (
        b'<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/"/>'
        b'<xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr/"/>'
        b'<xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/en/"/>'
    )
    body = rendered(catalogue).first
    assert body == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        b' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
        b"<url><loc>https://example.com/en/</loc>" + links + b"</url>\n"
        b"<url><loc>https://example.com/fr/</loc>" + links + b"</url>\n"
        b"</urlset>\n"
    )
    assert len(read(body)) == 2


@pytest.mark.parametrize(
    ("written", "priority"),
    [("0", "0.0"), ("0.0", "0.0"), ("0.75", "0.75"), ("1", "1.0"), ("0.5", "0.5")],
)
def test_priority(written: str, priority: str) -> None:
    """A priority is what was written, and 0 is not dropped (case 57)."""
    for keys in (f"sitemap: {{priority: {written}}}", f"meta: {{priority: {written}}}"):
        (element,) = read(rendered(catalogue_of(f"pages: [{{name: p, path: /, {keys}}}]")).first)
        assert element.priority == priority


def test_nothing_is_made_up() -> None:
    """A page that declares nothing has a loc and no more: no date, no default priority."""
    assert read(rendered(catalogue_of(PAGES)).first) == [
        Element("https://example.com/"),
        Element("https://example.com/about"),
    ]


def test_an_article_speaks_for_itself() -> None:
    """An article's own priority and frequency count before its page's."""
    catalogue = catalogue_of(
        "pages: [{name: d, path: '/:slug', contentDir: {directory: c}, "
        "sitemap: {priority: 0.3, changefreq: weekly}}]",
        {"c/a.md": "---\nsitemap: {priority: 0}\nlastmod: 2024-01-08\n---\n", "c/b.md": ""},
    )
    assert read(rendered(catalogue).first) == [
        Element(f"{ORIGIN}/a", "2024-01-08", "weekly", "0.0"),
        Element(f"{ORIGIN}/b", "2026-01-02T03:04:05Z", "weekly", "0.3"),
    ]


def test_records() -> None:
    """Records stand in key order, each slug once, empty and impossible ones left out, dates as they come."""
    rows: list[Row] = [
        ("1", "a", "2026-03-14T09:26:53Z"),
        ("2", "", None),
        ("3", None, None),
        ("4", "a", "2026-01-01T00:00:00Z"),
        ("5", "..", None),
        ("6", "b/c d", None),
        ("7", "100%25", None),
        ("8", "q-&-a", None),
        ("9", "é?#'", None),
        ("10", "<a>", None),
    ]
    assert read(rendered(catalogue_of(POSTS), rows).first) == [
        Element(f"{ORIGIN}/blog/a", "2026-03-14T09:26:53Z"),
        Element(f"{ORIGIN}/blog/b%2Fc%20d"),
        Element(f"{ORIGIN}/blog/100%2525"),
        Element(f"{ORIGIN}/blog/q-&-a"),
        Element(f"{ORIGIN}/blog/%C3%A9%3F%23%27"),
        Element(f"{ORIGIN}/blog/%3Ca%3E"),
    ]


def test_records_in_languages() -> None:
    """A record is published once per language, under a base path too, in one cluster (case 40)."""
    catalogue = catalogue_of(LANGUAGES + POSTS, base_url="https://example.com/base")
    cluster = (
        "en https://example.com/base/en/blog/a&b",
        "fr https://example.com/base/fr/blog/a&b",
        "x-default https://example.com/base/en/blog/a&b",
    )
    assert read(rendered(catalogue, slugs("a&b")).first) == [
        Element("https://example.com/base/en/blog/a&b", alternates=cluster),
        Element("https://example.com/base/fr/blog/a&b", alternates=cluster),
    ]


def test_records_whose_date_is_restricted() -> None:
    """The time of a record's last change is not told where its field is not everyone's to read."""
    restricted = POSTS.replace("{read: all}", "{read: all, fields: [{field: updated_at, read: [editor]}]}")
    rows: list[Row] = [("1", "a", "2026-03-14T09:26:53Z")]
    assert read(rendered(catalogue_of(restricted), rows).first) == [Element(f"{ORIGIN}/blog/a")]


def test_without_alternates() -> None:
    """`seo.sitemap.alternates: false` drops the clusters and their namespace."""
    catalogue = catalogue_of("seo: {sitemap: {alternates: false}}\n" + LANGUAGES + PAGES)
    body = rendered(catalogue).first
    assert body is not None
    assert b"xhtml" not in body
    assert len(read(body)) == 4


def test_order() -> None:
    """Entries stand in catalogue order: pages as declared, articles in the author's order."""
    catalogue = catalogue_of(
        POSTS + "  - {name: docs, path: '/docs/:slug', contentDir: {directory: c, sort: {field: n}}}\n"
        "  - {name: home, path: /}",
        {"c/a.md": "---\nn: 2\n---\n", "c/b.md": "---\nn: 1\n---\n"},
    )
    found = locs(rendered(catalogue, slugs("z", "y")).first)
    assert [loc.removeprefix(ORIGIN) for loc in found] == ["/blog/z", "/blog/y", "/docs/b", "/docs/a", "/"]


def test_nothing_to_list() -> None:
    """There is never an empty urlset (case 55)."""
    for app in ("pages: [{name: p, path: /, sitemap: false}]", "", POSTS):
        assert rendered(catalogue_of(app)) == SitemapSet(None)


def test_same_input_same_bytes() -> None:
    """Two renders are equal to the byte."""
    catalogue, again = (catalogue_of(LANGUAGES + POSTS) for _ in range(2))
    assert rendered(catalogue, slugs("a", "b")) == rendered(again, slugs("a", "b"))


@pytest.mark.parametrize(
    ("count", "children"), [(4_999, 0), (5_000, 0), (5_001, 2), (10_000, 2), (10_001, 3)]
)
def test_split_by_count(count: int, children: int) -> None:
    """Up to 5,000 entries are one urlset; beyond, an index names children of at most 5,000 (case 54)."""
    rows: list[Row] = [(str(n), f"p{n}", None) for n in range(count)]
    sitemap = rendered(catalogue_of(POSTS), rows)
    assert len(sitemap.children) == children
    assert sitemap.entries == count
    if not children:
        assert len(read(sitemap.first)) == count
        return
    assert locs(sitemap.first) == [f"{ORIGIN}/sitemap-{number + 1}.xml" for number in range(children)]
    assert [loc for child in sitemap.children for loc in locs(child)] == [
        f"{ORIGIN}/blog/p{n}" for n in range(count)
    ]
    assert all(b"<urlset" in child and b"sitemapindex" not in child for child in sitemap.children)


def test_split_by_bytes() -> None:
    """A child is cut where its response would no longer fit, whatever its count (case 54)."""
    long = "x" * 1_900
    sitemap = rendered(catalogue_of(POSTS), [(str(n), f"{n}{long}", None) for n in range(4_999)])
    assert len(sitemap.children) == 3
    assert all(len(child) <= RESPONSE_BYTES for child in sitemap.children)
    assert sum(len(read(child)) for child in sitemap.children) == 4_999


def test_index_dates() -> None:
    """A child's date is the newest in it, days and times mixed; none where an entry has none (case 56)."""
    dated: list[Row] = [(str(n), f"p{n}", "2026-01-01T00:00:00Z") for n in range(10_001)]
    dated[7] = ("7", "p7", "2026-03-14T09:26:53Z")
    dated[8] = ("8", "p8", "2026-03-14")
    dated[5_000] = ("5000", "p5000", None)
    children = read(rendered(catalogue_of(POSTS), dated).first)
    assert [child.lastmod for child in children] == ["2026-03-14T09:26:53Z", None, "2026-01-01T00:00:00Z"]


def test_index_under_a_base_path() -> None:
    """The index's addresses are absolute and have the base path once (case 40)."""
    catalogue = catalogue_of(POSTS, base_url="https://example.com/base")
    sitemap = rendered(catalogue, [(str(n), f"p{n}", None) for n in range(5_001)])
    assert locs(sitemap.first) == [f"https://example.com/base/sitemap-{number}.xml" for number in (1, 2)]
    assert locs(sitemap.children[1]) == ["https://example.com/base/blog/p5000"]


def test_documents_by_number() -> None:
    """Children are numbered from 1; another number is no document."""
    sitemap = SitemapSet(b"index", (b"one", b"two"))
    assert [sitemap.document(number) for number in (None, 0, 1, 2, 3)] == [
        b"index",
        None,
        b"one",
        b"two",
        None,
    ]


@pytest.mark.parametrize(("length", "listed"), [(2_047, True), (2_048, False)])
def test_long_locs(length: int, listed: bool) -> None:
    """A loc of 2,048 characters or more is left out and reported, of a record and of an article."""
    slug = "x" * (length - len(f"{ORIGIN}/blog/"))
    sitemap = rendered(catalogue_of(POSTS + "  - {name: home, path: /}"), slugs(slug))
    assert (f"{ORIGIN}/blog/{slug}" in locs(sitemap.first)) is listed
    assert sitemap.too_long == (() if listed else (f"/blog/{slug}",))
    catalogue = catalogue_of(
        "pages: [{name: d, path: '/blog/:slug', contentDir: {directory: c}}, {name: home, path: /}]",
        articles(f"c/{slug}.md"),
    )
    sitemap = rendered(catalogue)
    assert (f"{ORIGIN}/blog/{slug}" in locs(sitemap.first)) is listed
    assert sitemap.too_long == (() if listed else (f"/blog/{slug}",))


def test_encoding_counts() -> None:
    """A loc's length is that of its encoded form, with the longest of its languages."""
    slug = "é" * 340
    assert rendered(catalogue_of(POSTS), slugs(slug)).too_long == (f"/blog/{'%C3%A9' * 340}",)
    assert rendered(catalogue_of(POSTS), slugs(slug[1:])).too_long == (f"/blog/{'%C3%A9' * 339}",)


def test_cap() -> None:
    """A collection is read up to its cap, and reaching that is reported."""
    rows = slugs("a", "b", "c")
    for most, capped in ((2, ("posts",)), (3, ("posts",)), (4, ())):
        catalogue = catalogue_of(f"seo: {{sitemap: {{maxRecords: {most}}}}}\n" + POSTS)
        assert record_cap(catalogue) == most
        sitemap = rendered(catalogue, rows)
        assert (sitemap.entries, sitemap.capped) == (min(most, 3), capped)
    assert record_cap(catalogue_of(POSTS)) == 50_010


@settings(max_examples=50)
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_slugs(texts: list[str]) -> None:
    """Whatever slugs there are, the document is valid and each loc stands in it once (cases 13, 71)."""
    sitemap = rendered(catalogue_of(POSTS + "  - {name: home, path: /}"), slugs(*texts))
    found = locs(sitemap.first)
    assert len(set(found)) == len(found) <= len(texts) + 1


@pytest.mark.parametrize(
    "wrong",
    [
        "<lastmod></lastmod>",
        "<lastmod>2024-01-08T00:00:00</lastmod>",
        "<priority>1</priority>",
        "<priority>2.0</priority>",
        "<loc>https://a.example/</loc>",
        "</url><url><loc>https://a.example/</loc>",
    ],
)
def test_the_schema_refuses(wrong: str) -> None:
    """Our schema is one that a wrong document fails."""
    url = f"<url><loc>https://a.example/</loc>{wrong}</url>"
    with pytest.raises(etree.DocumentInvalid):
        read(f'<urlset xmlns="{NAMESPACE[1:-1]}">{url}</urlset>'.encode())
