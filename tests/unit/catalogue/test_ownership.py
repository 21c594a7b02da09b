"""One address, one entry: collisions, shadowed pages, indexes, Markdown forms."""

import pytest

from fingerpost.catalogue.catalogue import Catalogue, Moved, RecordPath
from fingerpost.catalogue.entry import Document, Entry
from fingerpost.catalogue.families import NO_VERSIONS
from fingerpost.catalogue.routes import Match
from tests.unit.catalogue.catalogues import (
    LANGUAGES,
    addresses,
    articles,
    catalogue_of,
    entry_at,
    found,
)

DOCS = "pages: [{name: docs, path: '/docs/:path*', contentDir: {directory: content, slugFrom: filepath}}]"
BY_NAME = "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: content}}]"
TABLE = "tables: [{name: posts, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}]\n"


def lead(catalogue: Catalogue, *segments: str) -> str | None:
    """What segments lead to: an address, `-> address`, `record slug`, `nothing`, or None."""
    match catalogue.resolve(segments):
        case Entry(address=address):
            return address
        case Moved(entry=entry):
            return f"-> {entry.address}"
        case RecordPath(slug=slug):
            return f"record {slug}"
        case Match():
            return "nothing"
    return None


def test_two_files_of_one_name() -> None:
    """With addresses from file names, two files of one name collide: the first wins, the second is named
    (case 46)."""
    catalogue = catalogue_of(BY_NAME, articles("content/a/x.md", "content/b/x.md"))
    assert addresses(catalogue) == ["/docs/x"]
    assert found(catalogue) == ["address-collision content/b/x.md"]
    assert "content/a/x.md" in str(next(iter(catalogue.problems)))


def test_folder_and_file_of_one_name() -> None:
    """`guide.md` and `guide/index.md` are one address."""
    catalogue = catalogue_of(DOCS, articles("content/guide.md", "content/guide/index.md"))
    assert addresses(catalogue) == ["/docs/guide"]
    assert found(catalogue) == ["address-collision content/guide/index.md"]


def test_one_page_twice() -> None:
    """A page declared twice is published once and reported (case 46)."""
    catalogue = catalogue_of("pages: [{name: a, path: /x}, {name: b, path: /x/}]")
    assert addresses(catalogue) == ["/x"]
    assert found(catalogue) == ["address-collision app.yaml"]


def test_shadowed_page() -> None:
    """A page behind a route that takes all its paths is reported, and not published."""
    catalogue = catalogue_of(
        "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: content}}, "
        "{name: late, path: /docs/late}]",
        articles("content/a.md"),
    )
    assert addresses(catalogue) == ["/docs/a"]
    assert found(catalogue) == ["address-shadowed app.yaml"]
    assert lead(catalogue, "docs", "late") == "nothing"


def test_first_declared_page_wins() -> None:
    """A literal page before a route keeps its address, and the article of that name is reported."""
    catalogue = catalogue_of(
        "pages: [{name: early, path: /docs/early}, "
        "{name: docs, path: '/docs/:slug', contentDir: {directory: content}}]",
        articles("content/early.md", "content/a.md"),
    )
    assert addresses(catalogue) == ["/docs/early", "/docs/a"]
    assert found(catalogue) == ["address-collision content/early.md"]


def test_shadowed_collection() -> None:
    """A second route over the same paths publishes no records and is reported."""
    catalogue = catalogue_of(
        TABLE
        + "pages: [{name: docs, path: '/x/:slug', contentDir: {directory: content}}, "
        + "{name: posts, path: '/x/:id', collection: {table: posts, slugField: slug}}]"
    )
    assert not catalogue.collections
    assert found(catalogue) == ["address-shadowed app.yaml"]


@pytest.mark.parametrize(
    ("path", "file"),
    [("/feed.xml", "x"), ("/robots.txt", "x"), ("/sitemap-2.xml", "x"), ("/about", "public/about")],
)
def test_files_win(path: str, file: str) -> None:
    """A page where a well-known file or one of the owner's answers is reported, and not published."""
    catalogue = catalogue_of(f"pages: [{{name: p, path: '{path}'}}]", {file: "mine"})
    assert addresses(catalogue) == []
    assert found(catalogue) == ["address-shadowed app.yaml"]


def test_index_by_name() -> None:
    """`index: introduction` is served at the base path, and its slugged address leads there."""
    catalogue = catalogue_of(
        "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: content, index: introduction}}]",
        articles("content/introduction.md", "content/a.md"),
    )
    assert addresses(catalogue) == ["/docs/a", "/docs"]
    assert lead(catalogue, "docs") == "/docs"
    assert lead(catalogue, "docs", "introduction") == "-> /docs"
    assert entry_at(catalogue, "/docs").twin == "/docs.md"


def test_index_by_path() -> None:
    """A file named `index.md` is its folder's address, and `/…/index` leads there."""
    catalogue = catalogue_of(DOCS, articles("content/index.md", "content/a/index.md", "content/a/b.md"))
    assert sorted(addresses(catalogue)) == ["/docs", "/docs/a", "/docs/a/b"]
    assert lead(catalogue, "docs", "index") == "-> /docs"
    assert lead(catalogue, "docs", "a", "index") == "-> /docs/a"
    assert lead(catalogue, "docs", "a", "b", "index") == "nothing"


def test_index_at_the_root() -> None:
    """The index of a route that begins at the root is the root, in each language too."""
    files = articles("content/index.md")
    page = "pages: [{name: docs, path: '/:path*', contentDir: {directory: content, slugFrom: filepath}}]"
    catalogue = catalogue_of(page, files)
    assert addresses(catalogue) == ["/"]
    assert lead(catalogue) == "/"
    catalogue = catalogue_of(LANGUAGES + page, files)
    assert addresses(catalogue) == ["/en/", "/fr/"]
    assert lead(catalogue, "fr") == "/fr/"
    assert lead(catalogue, "fr", "index") == "-> /fr/"
    assert lead(catalogue) == "/en/"


def test_index_before_a_suffix() -> None:
    """An index is served where the parameter is left out, wherever it stands in the path."""
    catalogue = catalogue_of(
        "pages: [{name: docs, path: '/docs/:slug/read', contentDir: {directory: content, index: a}}]",
        articles("content/a.md", "content/b.md"),
    )
    assert sorted(addresses(catalogue)) == ["/docs/b/read", "/docs/read"]
    assert lead(catalogue, "docs", "read") == "/docs/read"
    assert lead(catalogue, "docs", "a", "read") == "-> /docs/read"


def test_index_of_a_later_directory() -> None:
    """Where the first directory over a path has no index, the next one's is served."""
    catalogue = catalogue_of(
        "pages: [{name: a, path: '/docs/:slug', contentDir: {directory: a}}, "
        "{name: b, path: '/docs/:path*', contentDir: {directory: b, slugFrom: filepath}}]",
        articles("a/x.md", "b/index.md"),
    )
    assert addresses(catalogue) == ["/docs/x", "/docs"]
    assert lead(catalogue, "docs") == "/docs"


def test_index_and_page() -> None:
    """Of an index and a page at one address, the one declared first wins and the other is reported."""
    page = "{name: page, path: /docs}"
    directory = "{name: docs, path: '/docs/:slug', contentDir: {directory: content, index: a}}"
    for first, second, name in ((page, directory, "page"), (directory, page, "docs")):
        catalogue = catalogue_of(f"pages: [{first}, {second}]", articles("content/a.md"))
        assert addresses(catalogue) == ["/docs"]
        assert entry_at(catalogue, "/docs").page.name == name
        assert len(catalogue.problems) == 1
        target = catalogue.resolve(("docs",))
        assert isinstance(target, Entry)
        assert target.page.name == name


def test_absent_articles_have_no_address() -> None:
    """A draft holds no address: another file may have it, and its path leads to nothing."""
    draft = "---\ndraft: true\n---\n"
    catalogue = catalogue_of(BY_NAME, {"content/a/x.md": draft, "content/b/x.md": "", "content/y.md": draft})
    assert addresses(catalogue) == ["/docs/x"]
    assert found(catalogue) == []
    assert lead(catalogue, "docs", "y") == "nothing"


def test_impossible_names() -> None:
    """A file whose name no client could ask for is reported, and has no address."""
    catalogue = catalogue_of(BY_NAME, articles("content/...md"))
    assert addresses(catalogue) == []
    assert found(catalogue) == ["address-impossible content/...md"]


def test_suffix_in_capitals() -> None:
    """`README.MD` is an article whose address does not carry the suffix (case 67)."""
    catalogue = catalogue_of(DOCS, articles("content/README.MD", "content/a/index.MD"))
    assert sorted(addresses(catalogue)) == ["/docs/README", "/docs/a"]
    assert entry_at(catalogue, "/docs/README").twin == "/docs/README.md"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("100% done", "/docs/100%25%20done"),
        ("c# & c?", "/docs/c%23%20&%20c%3F"),
        ("a%20b", "/docs/a%2520b"),
        ("été", "/docs/%C3%A9t%C3%A9"),
        ("v1.2", "/docs/v1.2"),
        ("a+b", "/docs/a+b"),
        ("🦊", "/docs/%F0%9F%A6%8A"),
    ],
)
def test_awkward_file_names(name: str, address: str) -> None:
    """A file's name is literal text: it is encoded once, and its address leads back to it (cases 66, 75)."""
    catalogue = catalogue_of(BY_NAME, articles(f"content/{name}.md"))
    assert addresses(catalogue) == [address]
    assert lead(catalogue, "docs", name) == address
    assert entry_at(catalogue, address).twin == f"{address}.md"


def test_twin_that_is_taken() -> None:
    """Where an article's own address is another's Markdown form, that form is not there, and reported."""
    catalogue = catalogue_of(BY_NAME, articles("content/a.md", "content/a.md.md"))
    assert addresses(catalogue) == ["/docs/a", "/docs/a.md"]
    assert entry_at(catalogue, "/docs/a").twin is None
    assert entry_at(catalogue, "/docs/a.md").twin == "/docs/a.md.md"
    assert found(catalogue) == ["twin-collision content/a.md"]


def test_several_parameters() -> None:
    """A route with more than one parameter lists nothing, `:lang` aside."""
    catalogue = catalogue_of(
        LANGUAGES
        + TABLE
        + "pages: [{name: a, path: '/a/:year/:slug', collection: {table: posts, slugField: slug}}, "
        + "{name: b, path: '/:lang/b/:slug', collection: {table: posts, slugField: slug}}]"
    )
    (collection,) = catalogue.collections.values()
    assert collection.route.page.name == "b"
    assert lead(catalogue, "en", "a", "2026", "x") == "nothing"


RIVALS = LANGUAGES + TABLE + """pages:
  - {name: special, path: /fr/blog/special}
  - {name: about, path: /blog/about, markdown: {content: Hi}}
  - {name: docs, path: "/blog/docs/:slug", contentDir: {directory: content, index: a}}
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}}
"""  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "languages"),
    [
        ("special", ["en"]),
        ("about", []),
        ("about.md", []),
        ("docs", []),
        ("docs.md", []),
        ("other", ["en", "fr"]),
        ("other.md", ["en", "fr"]),
    ],
)
def test_records_whose_address_is_taken(slug: str, languages: list[str]) -> None:
    """A record is listed in the languages in which it answers: not where an earlier page, an index or a
    Markdown form does."""
    catalogue = catalogue_of(RIVALS, articles("content/a.md"))
    (collection,) = catalogue.collections.values()
    listed = collection.templates_of(slug, Document.SITEMAP)
    assert [template.code for template in listed] == languages
    alternates = catalogue.family(collection).alternates(slug, slug, NO_VERSIONS)
    assert len(alternates) == (3 if len(languages) == 2 else 0)
    for template in listed:
        assert lead(catalogue, *template.variant.pattern.fill({"slug": slug})) == f"record {slug}"


def test_records_at_the_root() -> None:
    """A record at the root never has the address of a well-known file, or of one of the owner's."""
    catalogue = catalogue_of(
        TABLE + "pages: [{name: p, path: '/:slug', collection: {table: posts, slugField: slug}}]",
        {"public/CNAME": "x"},
    )
    (collection,) = catalogue.collections.values()
    for slug in ("robots.txt", "sitemap-3.xml", "llms-full.txt", "CNAME"):
        assert collection.templates_of(slug, Document.HTML) == ()
        assert collection.is_rivalled(slug)
    assert not collection.is_rivalled("robots")
