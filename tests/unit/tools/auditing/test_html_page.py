"""What a page's HTML tells crawlers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.auditing.html_page import Alternate, Link, directives, read_html

URL = "https://example.com/docs/start"


def test_a_head_is_read_as_engines_read_it() -> None:
    """Names in any case, attributes in any order; what a comment or the body says is not the head's."""
    page = read_html(
        b"""<!DOCTYPE html><html lang=en><head><META CHARSET=utf-8><title> A
        title </title><!-- <title>Old</title> --><meta content="Says  it" name=Description>
        <meta name=googlebot content=noindex><meta property="og:url" content="https://example.com/a">
        <link href=/a rel="Canonical"><link rel=alternate hreflang=fr href=/fr>
        <link rel="alternate stylesheet" href=b.css>
        <noscript><img src=pixel.gif></noscript><link rel=alternate type="Text/Markdown; x=1" href=start.md>
        <script type="application/ld+json">{"a": "</div>"}</script></head>
        <body><svg><title>Drawing</title></svg><meta name=description content=no></body></html>""",
        URL,
        "utf-8",
    )
    assert (page.lang, page.charset, page.titles, page.descriptions) == (
        "en",
        "utf-8",
        ["A title"],
        ["Says it"],
    )
    assert (page.robots, page.canonicals) == (["noindex"], ["/a"])
    assert page.alternates == [Alternate("/fr", hreflang="fr"), Alternate("start.md", type="text/markdown")]
    assert page.open_graph == {"og:url": "https://example.com/a"}
    assert (page.bad_json_ld, page.strays) == ([], [])


def test_what_follows_an_element_of_the_body_is_no_longer_the_head() -> None:
    """A div in the head ends it, for browsers and engines alike."""
    page = read_html(
        b"<head><title>x</title><div></div><link rel=canonical href=/a>"
        b"<link rel=alternate hreflang=fr href=/fr><meta name=robots content=noindex></head><body>y",
        URL,
        "",
    )
    assert (page.canonicals, page.alternates, page.robots) == ([], [], [])
    assert page.strays == ["<link hreflang>", '<link rel="canonical">', '<meta name="robots">']


def test_links_are_absolute_and_once() -> None:
    """Against `<base>`, without what is no page, fragments kept apart."""
    page = read_html(
        b'<base href="/en/"><a href="a#b">1</a><a href="a#b">2</a><a href="mailto:x@y.example">3</a>'
        b'<a href="//other.example/">4</a><area href="?q=1"><p id=here><a name=there></a>',
        URL,
        "",
    )
    assert page.links == (
        Link("https://example.com/en/a", "b"),
        Link("https://other.example/"),
        Link("https://example.com/en/?q=1"),
    )
    assert page.anchors == {"here", "there"}


@pytest.mark.parametrize(
    ("body", "charset", "title"),
    [
        ("<title>Grêle</title>".encode(), "", "Grêle"),
        ("<title>Grêle</title>".encode("latin-1"), "iso-8859-1", "Grêle"),
        ("<meta charset=iso-8859-1><title>Grêle</title>".encode("latin-1"), "", "Grêle"),
        ("<title>雹</title>".encode("shift_jis"), "shift_jis", "雹"),
        *(
            ("<title>Grêle</title>".encode(), name, "Grêle")
            for name in ("no-such-charset", "rot13", "punycode")
        ),
        ("<title>Grêle</title>".encode("cp1252"), "us-ascii", "Grêle"),
        ("<title>град</title>".encode("koi8-r"), "koi8-r", "град"),
        ("\ufeff<title>Grêle</title>".encode(), "iso-8859-1", "Grêle"),
        ("\ufeff<title>Grêle</title>".encode("utf-16-le"), "utf-8", "Grêle"),
        ("\ufeff<title>Grêle</title>".encode("utf-16-be"), "", "Grêle"),
    ],
)
def test_the_encoding_is_the_headers_or_the_pages(body: bytes, charset: str, title: str) -> None:
    """A byte order mark comes first, then the header's word, what the octets are, and what the page says."""
    assert read_html(body, URL, charset).titles == [title]


@pytest.mark.parametrize(
    ("body", "charset", "misencoded"),
    [
        ("<p>é</p>".encode("latin-1"), "utf-8", "octet 0xe9 at 3 is no utf-8"),
        ("<meta charset=UTF-8><p>é</p>".encode("latin-1"), "", "octet 0xe9 at 23 is no utf-8"),
        ("<p>é</p>".encode("latin-1"), "iso-8859-1", ""),
        ("<p>é</p>".encode("latin-1"), "no-such-charset", ""),
        ("\ufeff<p>é</p>".encode("utf-16-le"), "utf-8", ""),
        ("<p>①</p>".encode("cp932"), "shift_jis", ""),
        (("<p>" + "é" * 9).encode()[:-1], "utf-8", ""),
    ],
)
def test_octets_that_contradict_the_encoding_are_named(body: bytes, charset: str, misencoded: str) -> None:
    """Not where a byte order mark decides, nobody knows the name, or the body was cut within a character."""
    assert read_html(body, URL, charset).misencoded == misencoded


@given(
    st.binary(max_size=300),
    st.sampled_from(["", "utf-8", "utf-16", "latin-1", "idna", "hz", "gb18030", "undefined"]),
)
def test_no_octets_break_the_reader(body: bytes, charset: str) -> None:
    """Any octets are a page, if an empty one."""
    assert read_html(body, URL, charset).base


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NOINDEX, NoFollow", {"noindex", "nofollow"}),
        ("max-snippet:-1, max-image-preview:large", {"max-snippet", "max-image-preview"}),
        ("googlebot: noindex", {"noindex"}),
        ("gptbot: noindex, nofollow, googlebot: nosnippet", {"nosnippet"}),
        ("noarchive, otherbot: noindex", {"noarchive"}),
        ("unavailable_after: 25 Jun 2027 15:00:00 GMT", {"unavailable_after"}),
        ("", set()),
    ],
)
def test_directives_lose_values_and_robots(text: str, expected: set[str]) -> None:
    """As in a meta element, so in X-Robots-Tag, where a robot may stand before what is said to it."""
    assert directives(text) == expected
