"""Canonical addresses that authors write: own or elsewhere."""

import pytest

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document, Rule
from fingerpost.catalogue.families import NO_VERSIONS
from fingerpost.site.model import EMPTY
from tests.unit.catalogue.catalogues import (
    LANGUAGES,
    ORIGIN,
    addresses,
    articles,
    catalogue_of,
    entry_at,
)


def page_with(canonical: str, *, base_url: str | None = ORIGIN, path: str = "/about") -> Catalogue:
    return catalogue_of(
        f"pages: [{{name: p, path: '{path}', meta: {{canonical: '{canonical}'}}}}]", base_url=base_url
    )


@pytest.mark.parametrize(
    "canonical",
    [
        "/about",
        "/about/",
        "/about#top",
        "/%61bout",
        "https://example.com/about",
        "https://example.com/about/",
        "HTTPS://EXAMPLE.COM:443/about#x",
    ],
)
def test_own(canonical: str) -> None:
    """A canonical that names the page itself, in whatever spelling, changes nothing."""
    entry = entry_at(page_with(canonical), "/about")
    assert entry.canonical is None
    assert entry.verdict.allows(Document.SITEMAP)


@pytest.mark.parametrize(
    ("canonical", "elsewhere"),
    [
        ("/other", "/other"),
        ("/other/", "/other"),
        ("/Bücher/", "/B%C3%BCcher"),
        ("/about?x=1", "/about?x=1"),
        ("/", "/"),
        ("https://example.com/other/", "https://example.com/other"),
        ("https://example.com", "https://example.com/"),
        ("http://example.com/about", "http://example.com/about"),
        ("https://other.example/about", "https://other.example/about"),
        ("https://other.example/post/", "https://other.example/post/"),
        ("https://other.example/é?q=1", "https://other.example/%C3%A9?q=1"),
        ("https://example.com:8443/about", "https://example.com:8443/about"),
    ],
)
def test_elsewhere(canonical: str, elsewhere: str) -> None:
    """Another page is named in the form it is published in; another site's address stays as written."""
    entry = entry_at(page_with(canonical), "/about")
    assert entry.canonical == elsewhere
    assert entry.verdict.excluded[Document.SITEMAP] is Rule.CANONICAL
    assert entry.verdict.allows(Document.FEED)


@pytest.mark.parametrize(
    ("canonical", "elsewhere"),
    [
        ("/about", None),
        ("/base/about", None),
        ("https://example.com/base/about", None),
        ("https://example.com/about", "https://example.com/about"),
        ("/", "/base/"),
        ("/base", "/base/"),
        ("/other", "/base/other"),
        ("/based", "/base/based"),
        ("https://example.com/base", "https://example.com/base/"),
    ],
)
def test_base_path(canonical: str, elsewhere: str | None) -> None:
    """The base path counts once in a path, whether its author wrote it or not (case 40)."""
    catalogue = page_with(canonical, base_url="https://example.com/base")
    assert entry_at(catalogue, "/base/about").canonical == elsewhere


def test_root() -> None:
    """The root is its own canonical with and without its slash (case 41)."""
    for canonical in ("/", "https://example.com", "https://example.com/"):
        assert entry_at(page_with(canonical, path="/"), "/").canonical is None


def test_unknown_origin() -> None:
    """Where configuration names no origin, an absolute canonical of the page does."""
    entry = entry_at(page_with("https://example.com/about", base_url=None), "/about")
    assert (entry.canonical, entry.own_origin) == (None, "https://example.com")
    entry = entry_at(page_with("https://other.example/else", base_url=None), "/about")
    assert (entry.canonical, entry.own_origin) == ("https://other.example/else", None)


@pytest.mark.parametrize(
    "canonical",
    ["/docs/:path*", "https://example.com/docs/:path*", "/docs/:path*/"],
)
def test_parameters(canonical: str) -> None:
    """A canonical with the page's own parameters is each article's own address (case 74)."""
    catalogue = catalogue_of(
        f"""pages:
  - name: docs
    path: /docs/:path*
    contentDir: {{directory: content, slugFrom: filepath}}
    meta: {{canonical: '{canonical}'}}
""",
        articles("content/a b.md", "content/c/d.md", "content/index.md"),
    )
    assert addresses(catalogue) == ["/docs/a%20b", "/docs/c/d", "/docs"]


def test_parameters_elsewhere() -> None:
    """Parameters in another site's canonical are filled for each article."""
    catalogue = catalogue_of(
        """pages:
  - {name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath},
     meta: {canonical: "https://other.example/:path*"}}
""",
        articles("content/c/d e.md"),
    )
    assert entry_at(catalogue, "/docs/c/d%20e").canonical == "https://other.example/c/d%20e"


def test_languages() -> None:
    """A path without its language or with `:lang` is own; one language's is not another's."""
    for path, canonical in (("/about", "/about"), ("/:lang/about", "/:lang/about"), ("/about", "/about/")):
        catalogue = catalogue_of(
            LANGUAGES + f"pages: [{{name: p, path: '{path}', meta: {{canonical: '{canonical}'}}}}]"
        )
        assert addresses(catalogue) == ["/en/about", "/fr/about"]
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: p, path: /about, meta: {canonical: /en/about}}]")
    assert addresses(catalogue) == ["/en/about"]
    assert entry_at(catalogue, "/fr/about").canonical == "/en/about"


def test_language_root_elsewhere() -> None:
    """A canonical that names a language's root has its trailing slash."""
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: p, path: /about, meta: {canonical: /fr}}]")
    assert entry_at(catalogue, "/en/about").canonical == "/fr/"


def test_index_by_its_old_name() -> None:
    """An index article whose canonical names the address that redirects to it is its own."""
    catalogue = catalogue_of(
        "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: content, index: intro}}]",
        {"content/intro.md": "---\ncanonical: /docs/intro\n---\n"},
    )
    assert addresses(catalogue) == ["/docs"]


def test_article_wins_over_page() -> None:
    """An article's own canonical counts before its page's."""
    catalogue = catalogue_of(
        """pages:
  - {name: docs, path: "/docs/:slug", contentDir: {directory: content},
     meta: {canonical: "https://other.example/:slug"}}
""",
        {
            "content/a.md": "---\ncanonical: /docs/a\n---\n",
            "content/b.md": "---\nseo: {canonical: /x}\n---\n",
        },
    )
    assert addresses(catalogue) == ["/docs/a"]
    assert entry_at(catalogue, "/docs/b").canonical == "/x"


POSTS = """tables:
  - {name: posts, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}
pages:
  - name: post
    path: /blog/:slug
    collection: {table: posts, slugField: slug}
"""


@pytest.mark.parametrize(
    ("canonical", "listed"),
    [
        ("/blog/:slug", True),
        ("/blog/$record.slug", True),
        ("https://example.com/blog/$record.slug", True),
        ("https://other.example/blog/:slug", False),
        ("/posts/$record.slug", False),
        ("/blog", False),
    ],
)
def test_records(canonical: str, listed: bool) -> None:
    """A record page's canonical is compared for all of its records at once."""
    catalogue = catalogue_of(POSTS + f"    meta: {{canonical: '{canonical}'}}")
    (collection,) = catalogue.collections.values()
    assert collection.verdict.allows(Document.SITEMAP) is listed
    assert collection.verdict.allows(Document.FEED)
    canonical_of = catalogue.record_canonical(collection, collection.main, "a&b", EMPTY)
    assert (canonical_of.elsewhere is None) is listed


def test_records_in_one_language() -> None:
    """A record page whose canonical is one language's is listed in that language alone."""
    catalogue = catalogue_of(LANGUAGES + POSTS + "    meta: {canonical: '/en/blog/:slug'}")
    (collection,) = catalogue.collections.values()
    listed = collection.templates_of("a", Document.SITEMAP)
    assert [template.prefix for template in listed] == ["/en/blog/"]
    assert catalogue.family(collection).alternates("a", "a", NO_VERSIONS) == ()


@pytest.mark.parametrize(
    ("canonical", "front", "elsewhere"),
    [
        ("$frontmatter.first", "first: https://old.example/a", "https://old.example/a"),
        ("$frontmatter.first", "first: /docs/a/", None),
        ("$frontmatter.first", "first: no address", None),
        ("$frontmatter.first", "", None),
        ("/old/$frontmatter.part", "part: B%C3%BCcher", "/old/B%C3%BCcher"),
        ("/old/$frontmatter.part/x", "part: ''", None),
        ("/old/$frontmatter.seo.part", "seo: {part: deep}", "/old/deep"),
        ("https://old.example/$t:place/:slug", "", "https://old.example/here/a"),
        ("/$t:nothing/:slug", "", None),
    ],
)
def test_placeholders_in_an_articles_canonical(canonical: str, front: str, elsewhere: str | None) -> None:
    """An article's canonical is compared once it is filled; one that comes to no address declares none."""
    catalogue = catalogue_of(
        "languages: {default: en, supported: [{code: en}], translations: {en: {place: here}}}\n"
        "pages: [{name: docs, path: '/:lang/docs/:slug', contentDir: {directory: content}, "
        f"meta: {{canonical: '{canonical}'}}}}]",
        {"content/a.md": f"---\n{front.replace('/docs/', '/en/docs/')}\n---\n"},
    )
    assert entry_at(catalogue, "/en/docs/a").canonical == elsewhere
    assert addresses(catalogue) == ([] if elsewhere else ["/en/docs/a"])
