"""Pages: their paths, access, places in documents and heads, and what is refused."""

from collections.abc import Callable

import pytest

from fingerpost.site.loading import Loaded
from fingerpost.site.model import (
    EVERYONE,
    NOBODY,
    SIGNED_IN,
    Access,
    Meta,
    Page,
    Readers,
    SitemapHints,
    Wording,
)
from fingerpost.site.problems import Problem
from fingerpost.site.reading_pages import path_fault

Pages = Callable[[str], Page]
Load = Callable[[str], Loaded]
Errors = Callable[[str], list[Problem]]
PageErrors = Callable[[str], list[tuple[str, str]]]


def test_the_smallest_page(page: Pages) -> None:
    """A page that says nothing is public, listed, and makes no feed."""
    found = page("")
    assert (found.access, found.sitemap, found.rss_limit, found.meta) == (
        Access(),
        SitemapHints(),
        None,
        Meta(),
    )
    assert (found.collection, found.content_dir, found.markdown, found.components) == (None, None, None, ())


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/about",
        "/about/",
        "/blog/:slug",
        "/docs/:path*",
        "/:lang/guides/:path*",
        "/_preview",
        "/caf%C3%A9",
        "/a:b",
    ],
)
def test_paths(path: str) -> None:
    """A path begins with a slash, and its parameters are whole segments."""
    assert path_fault(path) is None


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("about", "does not begin"),
        ("/a?b", "holds a ?"),
        ("/a#b", "holds a ?"),
        ("/a\nb", "can't be shown"),
        ("//a", "names no place"),
        ("/a//b", "names no place"),
        ("/a/../b", "names no place"),
        ("/./a", "names no place"),
        ("/:", "no parameter"),
        ("/:a-b", "no parameter"),
        ("/:a.html", "no parameter"),
        ("/:a/:a", "stands twice"),
        ("/:a*/b", "not last"),
    ],
)
def test_paths_refused(path: str, fault: str) -> None:
    """A path that no request could have, or whose parameters can't be told apart, is refused in words."""
    assert fault in (path_fault(path) or "")


@pytest.mark.parametrize(
    ("written", "access"),
    [
        ("all", Access(EVERYONE)),
        ("authenticated", Access(SIGNED_IN)),
        ("[editor, admin]", Access(Readers(roles=frozenset({"editor", "admin"})))),
        ("[]", Access(NOBODY)),
        ("{require: all}", Access(EVERYONE)),
        ("{require: authenticated, redirectTo: /login}", Access(SIGNED_IN, "/login")),
        ("{require: [editor]}", Access(Readers(roles=frozenset({"editor"})))),
    ],
)
def test_access(page: Pages, written: str, access: Access) -> None:
    """Access is everyone, everyone signed in, or roles, with or without a place to send others to."""
    assert page(f"access: {written}").access == access


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("admin", "pages[0].access"),
        ("true", "pages[0].access"),
        ("{}", "pages[0].access"),
        ("{redirectTo: /login}", "pages[0].access"),
        ("~", "pages[0].access"),
        ("{require: ~}", "pages[0].access.require"),
        ("{require: editors}", "pages[0].access.require"),
        ("{require: {all: true}}", "pages[0].access.require"),
        ("[[editor]]", "pages[0].access[0]"),
        ("{require: all, redirectTo: 'https://evil.example'}", "pages[0].access.redirectTo"),
        ("{require: all, redirectTo: //evil.example}", "pages[0].access.redirectTo"),
        ("{require: all, redirectTo: '/\\evil.example'}", "pages[0].access.redirectTo"),
    ],
)
def test_access_is_never_guessed(page_errors: PageErrors, written: str, path: str) -> None:
    """An access rule that can't be understood refuses the site, and a redirect never leaves it."""
    assert [where for _, where in page_errors(f"access: {written}")] == [path]


def test_a_role_called_all_is_a_warning(load: Load) -> None:
    """`all` in a list is a role's name, which lets nobody else in; the author is told."""
    loaded = load("name: x\npages: [{name: p, path: /, access: [all]}]")
    assert [problem.id for problem in loaded.problems] == ["role-name"]
    assert loaded.site.pages[0].access.readers == Readers(roles=frozenset({"all"}))


@pytest.mark.parametrize(
    ("written", "hints"),
    [
        ("sitemap: true", SitemapHints()),
        ("sitemap: false", SitemapHints(listed=False)),
        ("sitemap: {}", SitemapHints()),
        ("sitemap: {priority: 0, changefreq: never}", SitemapHints(True, "0.0", "never")),
        ("sitemap: {priority: 1}", SitemapHints(True, "1.0")),
        ("sitemap: {priority: 0.75}", SitemapHints(True, "0.75")),
        ("sitemap: {priority: 1.0}", SitemapHints(True, "1.0")),
        ("sitemap: {priority: .5}", SitemapHints(True, ".5")),
        ("meta: {priority: 0.3, changefreq: daily}", SitemapHints(True, "0.3", "daily")),
        (
            "sitemap: {priority: 0.9}, meta: {priority: 0.3, changefreq: daily}",
            SitemapHints(True, "0.9", "daily"),
        ),
        ("sitemap: false, meta: {priority: 0.3}", SitemapHints(False, "0.3")),
    ],
)
def test_sitemap(page: Pages, written: str, hints: SitemapHints) -> None:
    """Priorities are kept as written, an integer gains `.0`, and `meta` fills the gaps (case 57)."""
    assert page(written).sitemap == hints


@pytest.mark.parametrize(
    "priority", ["1.1", "-0.1", "2", "high", "'0.5'", "1e-1", "0x1", ".inf", ".nan", "[0.5]", "true"]
)
def test_priority_is_a_decimal_from_0_to_1(page_errors: PageErrors, priority: str) -> None:
    """Any other priority is a named error at its path (case 57)."""
    ((id, path),) = page_errors(f"sitemap: {{priority: {priority}}}")  # noqa: A001
    assert (id in ("out-of-range", "wrong-type"), path) == (True, "pages[0].sitemap.priority")


@pytest.mark.parametrize(
    "written", ["sitemap: no", "sitemap: [x]", "sitemap: {changefreq: Daily}", "sitemap: {changefreq: 1}"]
)
def test_sitemap_refused(page_errors: PageErrors, written: str) -> None:
    """`no` is text, and a frequency is spelt as the protocol spells it."""
    assert len(page_errors(written)) == 1


@pytest.mark.parametrize(
    ("written", "limit"),
    [("true", 20), ("false", None), ("{}", 20), ("{limit: 1}", 1), ("{limit: 200}", 200), ("~", None)],
)
def test_rss(load: Load, written: str, limit: int | None) -> None:
    """A feed has 20 items unless it says otherwise."""
    loaded = load(
        f"name: x\npages: [{{name: p, path: '/:s', rss: {written}, contentDir: {{directory: content}}}}]"
    )
    assert loaded.site.pages[0].rss_limit == limit
    assert list(loaded.problems) == []


@pytest.mark.parametrize(
    "written", ["yes", "{limit: 0}", "{limit: 201}", "{limit: 2.5}", "{limit: '20'}", "20", "[20]"]
)
def test_rss_refused(page_errors: PageErrors, written: str) -> None:
    """A feed of no items, of too many, or of something else is refused."""
    assert len(page_errors(f"rss: {written}")) == 1


def test_a_feed_of_nothing_is_a_warning(load: Load) -> None:
    """A feed on a page without records and articles is told to its author."""
    assert [problem.id for problem in load("name: x\npages: [{name: p, path: /, rss: true}]").problems] == [
        "empty-feed"
    ]


def test_meta(page: Pages) -> None:
    """Every text of `meta` is kept as written, and JSON-LD keeps its types."""
    found = page(
        """meta: {title: 1.10, description: no, keywords: [a, b], author: Ada, canonical: 'https://example.com/x',
        robots: 'index, follow', noindex: false, lang: fr_ca, openGraph: {title: 007, image: /a.png},
        twitter: {card: summary}, schema: {'@type': Product, price: 1.5, count: 3, free: true, sku: '3'},
        i18n: {}}"""
    ).meta
    assert found == Meta(
        title="1.10",
        description="no",
        keywords="a, b",
        author="Ada",
        canonical="https://example.com/x",
        robots="index, follow",
        lang="fr-CA",
        open_graph={"title": "007", "image": "/a.png"},
        twitter={"card": "summary"},
        schema={"@type": "Product", "price": 1.5, "count": 3, "free": True, "sku": "3"},
    )


@pytest.mark.parametrize(
    ("written", "noindex"),
    [
        ("noindex: true", True),
        ("noindex: false", False),
        ("robots: NoIndex", True),
        ("robots: 'nofollow, NONE'", True),
        ("robots: [follow, noindex]", True),
        ("robots: 'noindexed, nonesuch'", False),
        ("noindex: false, robots: noindex", True),
    ],
)
def test_noindex(page: Pages, written: str, noindex: bool) -> None:
    """A page is noindex by its own key or by a token of `robots`, in any case."""
    assert page(f"meta: {{{written}}}").meta.noindex is noindex


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{noindex: yes}", "noindex"),
        ("{noindex: 'true'}", "noindex"),
        ("{title: [a]}", "title"),
        ("{title: {en: a}}", "title"),
        ("{canonical: example.com/x}", "canonical"),
        ("{canonical: //example.com/x}", "canonical"),
        ("{canonical: 'javascript:alert(1)'}", "canonical"),
        ("{canonical: 'https://'}", "canonical"),
        ("{canonical: 'https://exa mple.com'}", "canonical"),
        ("{lang: french}", "lang"),
        ("{openGraph: {image: {url: x}}}", "openGraph.image"),
        ("{changefreq: often}", "changefreq"),
        ("{priority: 5}", "priority"),
        ("{keywords: {a: b}}", "keywords"),
    ],
)
def test_meta_refused(page_errors: PageErrors, written: str, path: str) -> None:
    """A value of another type or a URL that is none is refused at its path."""
    assert [where for _, where in page_errors(f"meta: {written}")] == [f"pages[0].meta.{path}"]


@pytest.mark.parametrize("canonical", ["/about", "https://example.com/a?b=c", "$record.url"])
def test_canonical(page: Pages, canonical: str) -> None:
    """A canonical is a URL, a path, or filled in later."""
    assert page(f"meta: {{canonical: '{canonical}'}}").meta.canonical == canonical


def test_wordings(load: Load) -> None:
    """Titles and descriptions by language; one in a language that the site lacks is a warning."""
    loaded = load(
        "name: x\nlanguages: {default: en, supported: [{code: en}]}\n"
        "pages: [{name: p, path: /, meta: {i18n: {en: {title: T, description: D}, fr: {title: U}}}}]"
    )
    assert loaded.site.pages[0].meta.i18n == {"en": Wording("T", "D"), "fr": Wording("U")}
    assert [problem.place.path for problem in loaded.problems] == ["pages[0].meta.i18n.fr"]


def test_components_are_plain_data(page: Pages) -> None:
    """Components keep their texts as written; only true, false and null are typed."""
    found = page(
        "components: [{type: text, content: 1.10, props: {id: 007, hidden: true, alt: ~, on: on}}]"
    ).components
    assert found == (
        {"type": "text", "content": "1.10", "props": {"id": "007", "hidden": True, "alt": None, "on": "on"}},
    )


@pytest.mark.parametrize("written", ["[x]", "[~]", "{a: b}", "x"])
def test_pages_are_mappings_in_a_list(errors: Errors, written: str) -> None:
    """Anything else in the place of pages is one named error."""
    assert [problem.id for problem in errors(f"name: x\npages: {written}")] == ["wrong-type"]
