"""Where a site says it is."""

import pytest

from fingerpost.catalogue.origin import Origin, normalised_url, resolve_origin, split_origin
from fingerpost.errors import SettingError
from fingerpost.site.model import Site


@pytest.mark.parametrize(
    ("base_url", "site", "base", "origin"),
    [
        (None, None, "", Origin(None, "")),
        (None, None, "/base", Origin(None, "/base")),
        ("https://a.example", None, "", Origin("https://a.example")),
        ("https://a.example/", "https://b.example", "", Origin("https://a.example")),
        ("https://a.example/base/", None, "", Origin("https://a.example", "/base")),
        ("https://a.example/base", None, "/base", Origin("https://a.example", "/base")),
        ("https://a.example", None, "/base", Origin("https://a.example", "/base")),
        (None, "https://b.example/base", "/base", Origin("https://b.example", "/base")),
        (None, "https://b.example", "/base", Origin("https://b.example", "/base")),
        ("HTTPS://A.example:443", None, "", Origin("https://a.example")),
        ("http://localhost:8000", None, "", Origin("http://localhost:8000")),
        ("https://a.example/dépôt", None, "", Origin("https://a.example", "/d%C3%A9p%C3%B4t")),
        ("https://a.example/d%C3%A9p%C3%B4t", None, "", Origin("https://a.example", "/d%C3%A9p%C3%B4t")),
    ],
)
def test_order(base_url: str | None, site: str | None, base: str, origin: Origin) -> None:
    """`BASE_URL` comes first, then `deployment.site`, then the request; a base path counts once (case 40)."""
    declared = Site("x", deployment_site=site, deployment_base=base)
    assert resolve_origin(base_url, declared) == origin


@pytest.mark.parametrize(
    "text",
    ["example.com", "ftp://example.com", "https://", "https://a.example?x", "https://a.example/?", "/base",
     "https://a.example/#", "https://me@a.example", "https://a.example:http", "https://bücher.example",
     "https://[::1"],
)  # fmt: skip
def test_wrong_base_url(text: str) -> None:
    """A `BASE_URL` that is no origin is an error that names it and what stood there."""
    with pytest.raises(SettingError, match="BASE_URL: expected") as caught:
        resolve_origin(text, Site("x"))
    assert repr(text) in str(caught.value)


def test_split() -> None:
    """An origin is lower case, without its default port; what stands behind it is the path."""
    assert split_origin("HTTP://Example.COM:80/A/b") == ("http://example.com", "/A/b")
    assert split_origin("https://example.com:80") == ("https://example.com:80", "")


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("/a/", "/a"),
        ("/", "/"),
        ("https://example.com", "https://example.com/"),
        ("https://Example.com:443//é/#x", "https://example.com/%C3%A9"),
        ("/a?b=c#d", "/a?b=c"),
    ],
)
def test_normalised(url: str, normal: str) -> None:
    """Two spellings of one address have one comparable form."""
    assert normalised_url(url) == normal
    assert normalised_url(normal) == normal
