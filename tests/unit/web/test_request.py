"""Reading a function-URL event."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.request import Request, from_event


def event(**changes: Any) -> dict[str, Any]:
    """A recorded function-URL event (payload 2.0), shortened, with some of its keys replaced."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/caf%C3%A9/a%2Fb",
        "rawQueryString": "utm=1&x=%20",
        "cookies": ["session=a.b.c", "theme=dark"],
        "headers": {"x-viewer-host": "www.example.com", "accept": "text/html", "If-None-Match": '"a"'},
        "requestContext": {
            "domainName": "abc.lambda-url.eu-west-3.on.aws",
            "http": {"method": "GET", "path": "/café/a/b", "protocol": "HTTP/1.1"},
        },
        "isBase64Encoded": False,
    } | changes


def test_whole_event() -> None:
    """Every part is read; path and query stay percent-encoded, header names become lower case."""
    assert from_event(event()) == Request(
        method="GET",
        path="/caf%C3%A9/a%2Fb",
        query="utm=1&x=%20",
        headers={"x-viewer-host": "www.example.com", "accept": "text/html", "if-none-match": '"a"'},
        cookies=("session=a.b.c", "theme=dark"),
        host="www.example.com",
        scheme="https",
    )


@pytest.mark.parametrize(
    ("viewer_host", "host"),
    [
        ("www.example.com", "www.example.com"),
        ("WWW.Example.COM", "www.example.com"),
        ("example.com:8443", "example.com:8443"),
        ("[::1]:3000", "[::1]:3000"),
        ("127.0.0.1", "127.0.0.1"),
        ("", "abc.lambda-url.eu-west-3.on.aws"),
        ("example.com/evil", "abc.lambda-url.eu-west-3.on.aws"),
        ("user@example.com", "abc.lambda-url.eu-west-3.on.aws"),
        ("exa mple.com", "abc.lambda-url.eu-west-3.on.aws"),
        ('a"><script>', "abc.lambda-url.eu-west-3.on.aws"),
        ("example.com\n", "example.com"),
        ("-example.com", "abc.lambda-url.eu-west-3.on.aws"),
    ],
)
def test_host(viewer_host: str, host: str) -> None:
    """The host is what the CDN passed where that is a host, else the function's own name."""
    assert from_event(event(headers={"x-viewer-host": viewer_host})).host == host


@pytest.mark.parametrize("name", ["host", "x-forwarded-host", "forwarded", "x-original-host"])
def test_no_other_header_names_the_host(name: str) -> None:
    """case 71: a host that a client claims changes nothing."""
    assert from_event(event(headers={name: "evil.example"})).host == "abc.lambda-url.eu-west-3.on.aws"


def test_scheme() -> None:
    """The scheme is http only where the CDN says so, never because a client does."""
    assert from_event(event(headers={"cloudfront-forwarded-proto": "http"})).own_origin.startswith("http://")
    assert from_event(event(headers={"x-forwarded-proto": "http"})).scheme == "https"


def test_cookies_in_a_header() -> None:
    """Where a local server puts cookies into one header, they are read from there."""
    request = from_event(event(cookies=None, headers={"cookie": "session=a.b.c; theme=dark"}))
    assert request.cookies == ("session=a.b.c", "theme=dark")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=5,
)
keys = st.sampled_from(["rawPath", "rawQueryString", "cookies", "headers", "requestContext", "http", "x"])


@given(st.dictionaries(keys, json_values))
def test_garbage_becomes_harmless(garbage: dict[str, Any]) -> None:
    """An event of any shape becomes a request, whose host is one."""
    request = from_event(garbage)
    assert isinstance(request.path, str)
    assert request.host
