"""Addresses as a crawler compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.auditing.urls import Scope, absolute, normal, resolve, well_encoded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com:443/a", "https://example.com/a"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com/caf%c3%a9", "https://example.com/café"),
        ("https://example.com/%7Euser", "https://example.com/~user"),
        ("https://example.com/a b", "https://example.com/a%20b"),
        ("https://example.com/a#b", "https://example.com/a"),
        ("https://example.com/?q=é", "https://example.com/?q=%C3%A9"),
        ("http://[::1]:8000/a", "http://[::1]:8000/a"),
    ],
)
def test_spellings_of_one_address_are_one(one: str, other: str) -> None:
    """RFC 3986 6.2.2 and 6.2.3: case, default port, escapes and the empty path make no difference."""
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "http://example.com/a"),
        ("https://example.com/a", "https://example.com/a/"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/a", "https://example.com/a?b"),
        ("https://example.com/", "https://www.example.com/"),
    ],
)
def test_addresses_that_differ_stay_two(one: str, other: str) -> None:
    """Nothing is taken for equal that a server may tell apart."""
    assert normal(one) != normal(other)


@given(st.text(max_size=60))
def test_the_normal_form_is_its_own(text: str) -> None:
    """Normalising twice is normalising once, and whatever comes out of an address is well encoded."""
    url = normal(f"https://example.com/{text}")
    assert normal(url) == url
    assert well_encoded(url) or "%" in text


@pytest.mark.parametrize(
    "reference", ["mailto:a@b.example", "javascript:void(0)", "http://[::1", "tel:1", "data:,x"]
)
def test_what_is_no_page_resolves_to_nothing(reference: str) -> None:
    """A reference that no crawler can fetch is None."""
    assert resolve("https://example.com/a", reference) is None


@pytest.mark.parametrize(
    "text", ["", "/a", "//example.com/a", "example.com", "ftp://example.com/", "https:///a", "http://a:b/"]
)
def test_an_address_says_scheme_and_host(text: str) -> None:
    """Anything short of that is relative, or no address."""
    assert not absolute(text)


def test_a_scope_is_a_host_and_a_base_path() -> None:
    """Addresses beside the base are not the site's, nor are those of other hosts, ports and schemes."""
    scope = Scope.of("https://example.com/wren/")
    assert scope == Scope("https://example.com", "/wren")
    assert scope.home == "https://example.com/wren/"
    inside = ("https://example.com/wren", "https://example.com/wren/a", "https://example.com:443/wren/")
    outside = (
        "https://example.com/wrens",
        "https://example.com/",
        "http://example.com/wren/",
        "https://example.com:8/wren/",
    )
    assert all(map(scope.holds, inside))
    assert not any(map(scope.holds, outside))


def test_a_host_is_compared_as_the_dns_has_it() -> None:
    """A name in another script and its ASCII form are one host."""
    assert normal("https://münchen.example/straße") == "https://xn--mnchen-3ya.example/stra%C3%9Fe"
    assert Scope.of("https://münchen.example/").same_host("https://xn--mnchen-3ya.example/a")
