"""What is wrong with a URL, and what a robots value asks for."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.site.indexing import is_noindex
from fingerpost.site.urls import address_fault, origin_fault, url_fault


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "HTTP://Example.com:8080/a%20b?c=d#e",
        "https://[::1]/",
        "https://xn--bcher-kva.example/é",
    ],
)
def test_absolute_urls(url: str) -> None:
    """An http or https URL with a host has no fault."""
    assert url_fault(url) is None
    assert address_fault(url) is None


@given(st.text())
def test_no_fault_means_a_usable_url(text: str) -> None:
    """No text makes the check raise, and what passes has a scheme, a host and one line."""
    if url_fault(text) is None:
        parts = urlsplit(text)
        assert parts.scheme.lower() in ("http", "https")
        assert parts.hostname
        assert not set('\r\n <>"') & set(text)
    if address_fault(text) is None and text.startswith("/"):
        assert not text.startswith("//")
    if origin_fault(text) is None:
        assert url_fault(text) is None


@pytest.mark.parametrize("path", ["/", "/a/b?c#d", "/:slug"])
def test_paths_are_addresses(path: str) -> None:
    """A path of the site is an address, and no absolute URL."""
    assert address_fault(path) is None
    assert url_fault(path) is not None


@given(
    st.sampled_from(["noindex", "none"]),
    st.sampled_from(["", "follow, ", "nofollow ", "max-snippet:-1,"]),
    st.booleans(),
)
def test_noindex_tokens(token: str, before: str, upper: bool) -> None:
    """A token asks for it in any case and at any place; a longer word does not."""
    assert is_noindex(before + (token.upper() if upper else token))
    assert not is_noindex(f"{before}{token}x")
