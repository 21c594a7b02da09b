"""Header fields as checks read them."""

import pytest

from fingerpost_tools.auditing.exchange import Exchange


def answer(**headers: str) -> Exchange:
    return Exchange("GET", "https://example.com/", 200, {k.replace("_", "-"): v for k, v in headers.items()})


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("public, max-age=300", 300),
        ("max-age=300, s-maxage=60", 60),
        ('Max-Age="20"', 20),
        ("private, max-age=300", 0),
        ("no-store", 0),
        ("no-cache, max-age=300", 0),
        ("max-age=soon", 0),
        ("", 0),
    ],
)
def test_how_long_a_shared_cache_may_keep_it(value: str, seconds: int) -> None:
    """RFC 9111 4.2.1: s-maxage before max-age, and nothing where it is private or must be asked for."""
    assert answer(cache_control=value).shared_seconds == seconds


def test_vary_names_headers_in_any_case() -> None:
    """`*` names them all."""
    assert answer(vary="accept-encoding, Accept").varies_on("accept")
    assert not answer(vary="Accept-Encoding").varies_on("accept")
    assert answer(vary="*").varies_on("accept")
    assert not answer().varies_on("accept")


def test_a_content_type_has_a_type_and_a_charset() -> None:
    """In any case, quoted or not."""
    exchange = answer(content_type='Text/HTML; Charset="UTF-8"')
    assert (exchange.content_type, exchange.charset) == ("text/html", "utf-8")
    assert (answer().content_type, answer(content_type="text/html").charset) == ("", "")


def test_links_have_targets_and_parameters() -> None:
    """RFC 8288 3: several in one field, quoted strings with commas in them, several relations in one."""
    exchange = answer(
        link='<https://example.com/a>; rel="canonical", '
        '</b,c>; REL=alternate; title="x, y"; type="text/markdown",'
        '<d>; rel="prev start", <e>'
    )
    assert exchange.linked("canonical") == ("https://example.com/a",)
    assert exchange.linked("start") == ("d",)
    assert exchange.links[1] == ("/b,c", {"rel": "alternate", "title": "x, y", "type": "text/markdown"})
    assert exchange.links[3] == ("e", {})
