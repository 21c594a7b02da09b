"""A page in several languages: its addresses, and the hreflang clusters that tie them together."""

import pytest

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document, Entry
from tests.unit.catalogue.catalogues import (
    LANGUAGES,
    addresses,
    articles,
    catalogue_of,
    cluster,
    entry_at,
    found,
)

EN_FR = ["en /en/about", "fr /fr/about", "x-default /en/about"]


def resolved(catalogue: Catalogue, *segments: str) -> str | None:
    """The address that decoded segments lead to, None where there is no page or article."""
    target = catalogue.resolve(segments)
    return target.address if isinstance(target, Entry) else None


def test_plain_page() -> None:
    """A page without a language is published in each, and its own path answers in the default one."""
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: home, path: /}, {name: about, path: /about}]")
    assert addresses(catalogue) == ["/en/", "/fr/", "/en/about", "/fr/about"]
    assert resolved(catalogue, "about") == "/en/about"
    assert resolved(catalogue) == "/en/"
    assert resolved(catalogue, "fr") == "/fr/"
    assert cluster(catalogue, "/fr/about") == EN_FR


def test_the_unprefixed_path_is_no_other_language() -> None:
    """`/fr` is the French home, never the English page of a route `/:slug`."""
    catalogue = catalogue_of(
        LANGUAGES + "pages: [{name: docs, path: /:slug, contentDir: {directory: content}}]",
        articles("content/fr.md", "content/a.md"),
    )
    assert addresses(catalogue) == ["/en/a", "/en/fr", "/fr/a", "/fr/fr"]
    assert resolved(catalogue, "a") == "/en/a"
    assert resolved(catalogue, "fr") is None


def test_parameter_page() -> None:
    """A page with `:lang` takes each code and only those, wherever the parameter stands."""
    catalogue = catalogue_of(
        LANGUAGES + "pages: [{name: about, path: /:lang/about}, {name: x, path: /docs/:lang/x}]"
    )
    assert addresses(catalogue) == ["/en/about", "/fr/about", "/docs/en/x", "/docs/fr/x"]
    assert cluster(catalogue, "/docs/fr/x") == ["en /docs/en/x", "fr /docs/fr/x", "x-default /docs/en/x"]
    assert resolved(catalogue, "de", "about") is None
    assert resolved(catalogue, "about") is None


def test_prefixes_never_stack() -> None:
    """`/da/da/about` exists nowhere: a literal prefix is replaced in its alternates (case 42)."""
    catalogue = catalogue_of(
        "languages: {default: en, supported: [{code: en}, {code: da}]}\n"
        "pages: [{name: en, path: /en/about}, {name: da, path: /da/about}]"
    )
    assert addresses(catalogue) == ["/en/about", "/da/about"]
    assert cluster(catalogue, "/da/about") == ["en /en/about", "da /da/about", "x-default /en/about"]
    assert resolved(catalogue, "da", "da", "about") is None
    assert resolved(catalogue, "about") is None


def test_literal_prefixes_of_articles() -> None:
    """Content directories under literal prefixes are versions of each other where both have the file."""
    catalogue = catalogue_of(
        LANGUAGES
        + """pages:
  - {name: en, path: "/en/docs/:slug", contentDir: {directory: content/en}}
  - {name: fr, path: "/fr/docs/:path*", contentDir: {directory: content/fr, slugFrom: filepath}}
""",
        articles("content/en/a.md", "content/en/b.md", "content/fr/a.md", "content/fr/c/d.md"),
    )
    assert addresses(catalogue) == ["/en/docs/a", "/en/docs/b", "/fr/docs/a", "/fr/docs/c/d"]
    assert cluster(catalogue, "/fr/docs/a") == [
        "en /en/docs/a",
        "fr /fr/docs/a",
        "x-default /en/docs/a",
    ]
    assert cluster(catalogue, "/en/docs/b") == []


UNEVEN = (
    LANGUAGES + "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: 'content/{lang}/docs'}}]"
)


def test_uneven_translations() -> None:
    """An article exists in a language only where its file does, and one version alone has no alternates."""
    catalogue = catalogue_of(
        UNEVEN, articles("content/en/docs/a.md", "content/en/docs/b.md", "content/fr/docs/a.md")
    )
    assert addresses(catalogue) == ["/en/docs/a", "/en/docs/b", "/fr/docs/a"]
    assert cluster(catalogue, "/en/docs/a") == ["en /en/docs/a", "fr /fr/docs/a", "x-default /en/docs/a"]
    assert cluster(catalogue, "/en/docs/b") == []
    assert resolved(catalogue, "docs", "b") == "/en/docs/b"
    assert resolved(catalogue, "fr", "docs", "b") is None


def test_no_default_version() -> None:
    """Without a version in the default language there is no x-default."""
    catalogue = catalogue_of(
        "languages: {default: en, supported: [{code: en}, {code: fr}, {code: de}]}\n"
        "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: 'content/{lang}'}}]",
        articles("content/fr/a.md", "content/de/a.md"),
    )
    assert cluster(catalogue, "/fr/docs/a") == ["fr /fr/docs/a", "de /de/docs/a"]


@pytest.mark.parametrize(
    "hiding",
    [
        "draft: true",
        "noindex: true",
        "hidden: true",
        "canonical: https://other.example/a",
        "date: 2999-01-01",
    ],
)
def test_invisible_versions_are_in_no_cluster(hiding: str) -> None:
    """A cluster names visible versions alone, and a version left out names none itself."""
    catalogue = catalogue_of(
        "languages: {default: en, supported: [{code: en}, {code: fr}, {code: de}]}\n"
        "pages: [{name: docs, path: '/docs/:slug', contentDir: {directory: 'content/{lang}'}}]",
        {
            **articles("content/en/a.md", "content/de/a.md"),
            "content/fr/a.md": f"---\n{hiding}\n---\n",
        },
    )
    assert cluster(catalogue, "/fr/docs/a") == []
    assert cluster(catalogue, "/en/docs/a") == ["en /en/docs/a", "de /de/docs/a", "x-default /en/docs/a"]


def test_clusters_are_reciprocal() -> None:
    """Every member of a cluster is an entry whose own cluster is the same to the letter (cases 40, 41)."""
    catalogue = catalogue_of(
        LANGUAGES
        + """pages:
  - {name: home, path: /}
  - {name: docs, path: "/docs/:path*", contentDir: {directory: "content/{lang}", slugFrom: filepath}}
""",
        articles(*(f"content/{code}/{name}.md" for code in ("en", "fr") for name in ("é", "a b/c", "index"))),
        base_url="https://example.com/base",
    )
    entries = list(catalogue.entries(Document.SITEMAP))
    by_address = {entry.address: entry for entry in entries}
    assert len(by_address) == len(entries) == 8
    assert "/base/fr/docs" in by_address
    for entry in entries:
        own = catalogue.alternates(entry)
        assert len(own) == 3
        assert entry.address in {alternate.address for alternate in own}
        for alternate in own:
            assert alternate.address.count("/base") == 1
            assert catalogue.alternates(by_address[alternate.address]) == own


@pytest.mark.parametrize(
    ("code", "locale", "tag"),
    [
        ("zh-cn", "zh_CN", "zh-CN"),
        ("zh", "zh_Hans", "zh-Hans"),
        ("pt-br", None, "pt-BR"),
        ("es-419", None, "es-419"),
        ("pt", "pt_BR", "pt-BR"),
    ],
)
def test_language_tags(code: str, locale: str | None, tag: str) -> None:
    """The hreflang is locale, else code, in BCP 47's own case; the address keeps the code (case 45)."""
    supported = f"{{code: {code}" + (f", locale: {locale}}}" if locale else "}")
    catalogue = catalogue_of(
        f"languages: {{default: en, supported: [{{code: en, locale: en_US}}, {supported}]}}\n"
        "pages: [{name: about, path: /about}]"
    )
    assert cluster(catalogue, "/en/about") == [
        "en-US /en/about",
        f"{tag} /{code}/about",
        "x-default /en/about",
    ]


def test_same_address_twice() -> None:
    """A literal page that repeats a language of a plain one is reported, and the first keeps the address."""
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: a, path: /about}, {name: b, path: /fr/about}]")
    assert addresses(catalogue) == ["/en/about", "/fr/about"]
    assert found(catalogue) == ["address-collision app.yaml"]
    assert entry_at(catalogue, "/fr/about").page.name == "a"


def test_no_languages() -> None:
    """Without languages, `:lang` is a parameter like others and nothing has alternates."""
    catalogue = catalogue_of(
        "pages: [{name: about, path: /about}, {name: d, path: '/:lang', contentDir: {directory: content}}]",
        articles("content/fr.md"),
    )
    assert addresses(catalogue) == ["/about", "/fr"]
    assert cluster(catalogue, "/about") == []


@pytest.mark.parametrize(
    ("written", "code", "address"),
    [
        ("/sign-in", "fr", "/base/fr/sign-in"),
        ("/base/sign-in", "fr", "/base/fr/sign-in"),
        ("/fr/sign-in", "en", "/base/fr/sign-in"),
        ("/inner", None, "/base/en/inner"),
        ("/base/inner", None, "/base/en/base/inner"),
        ("/base/base/inner", "fr", "/base/fr/base/inner"),
        ("/nowhere/", "fr", "/base/nowhere/"),
    ],
)
def test_where_an_authors_path_leads(written: str, code: str | None, address: str) -> None:
    """A path that an author wrote leads to the page of that path, else to the one below the base path."""
    catalogue = catalogue_of(
        LANGUAGES
        + "pages: [{name: a, path: /sign-in}, {name: b, path: /inner}, {name: c, path: /base/inner}]",
        base_url="https://example.com/base",
    )
    assert catalogue.author_address(written, code) == address
