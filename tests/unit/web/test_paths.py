"""Requested paths: base path, trailing slashes, roots."""

import pytest

from fingerpost.catalogue.origin import Origin
from fingerpost.site.model import Language, Languages, Site
from fingerpost.web.paths import SitePath, document_name, site_path

PLAIN = Site("x")
FRENCH = Site("x", languages=Languages("fr", (Language("fr", "fr"), Language("pt-br", "pt-BR"))))


@pytest.mark.parametrize(
    ("raw", "site", "base", "path"),
    [
        ("/", PLAIN, "", SitePath(())),
        ("/a", PLAIN, "", SitePath(("a",))),
        ("/a/", PLAIN, "", SitePath(("a",), "/a")),
        ("/a/b/", PLAIN, "", SitePath(("a", "b"), "/a/b")),
        ("/fr", PLAIN, "", SitePath(("fr",))),
        ("/fr", FRENCH, "", SitePath(("fr",), "/fr/")),
        ("/fr/", FRENCH, "", SitePath(("fr",))),
        ("/pt-br", FRENCH, "", SitePath(("pt-br",), "/pt-br/")),
        ("/de/", FRENCH, "", SitePath(("de",), "/de")),
        ("/fr/a/", FRENCH, "", SitePath(("fr", "a"), "/fr/a")),
        ("/base", PLAIN, "/base", SitePath((), "/base/")),
        ("/base/", PLAIN, "/base", SitePath(())),
        ("/base/a", PLAIN, "/base", SitePath(("a",))),
        ("/base/a/", PLAIN, "/base", SitePath(("a",), "/base/a")),
        ("/base/base", PLAIN, "/base", SitePath(("base",))),
        ("/%62ase/a", PLAIN, "/base", SitePath(("a",))),
        ("/d%C3%A9p%C3%B4t/a", PLAIN, "/d%C3%A9p%C3%B4t", SitePath(("a",))),
        ("/", PLAIN, "/base", None),
        ("/a", PLAIN, "/base", None),
        ("/based/a", PLAIN, "/base", None),
        ("//", PLAIN, "", None),
        ("/a//b", PLAIN, "", None),
        ("/a//", PLAIN, "", None),
        ("/../a", PLAIN, "", None),
    ],
)
def test_site_path(raw: str, site: Site, base: str, path: SitePath | None) -> None:
    """A path loses its base, and gets one redirect to the form it should have had."""
    assert site_path(raw, "", site, Origin(None, base)) == path


def test_query() -> None:
    """A redirect keeps its query."""
    found = site_path("/a/", "x=%20y&z", PLAIN, Origin(None))
    assert found == SitePath(("a",), "/a?x=%20y&z")


@pytest.mark.parametrize(
    ("raw", "base", "name"),
    [
        ("/robots.txt", "", "robots.txt"),
        ("/robots%2Etxt", "", "robots.txt"),
        ("/a/robots.txt", "", None),
        ("/robots.txt/", "", None),
        ("/base/robots.txt", "/base", "robots.txt"),
        ("/robots.txt", "/base", None),
        ("/%00", "", None),
        ("/", "", ""),
    ],
)
def test_document_name(raw: str, base: str, name: str | None) -> None:
    """A well-known file stands directly below the base path."""
    assert document_name(raw, Origin(None, base)) == name
