"""Props as attributes: an allow-list with safe URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from fingerpost.documents.attributes import attributes, safe_image_url, safe_url
from tests.unit.documents.payloads import PAYLOADS, assert_harmless


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("tel:+33123", "tel:+33123"),
        ("/docs", "/docs"),
        ("//cdn.example/x", "//cdn.example/x"),
        ("../a:b", "../a:b"),
        ("#part", "#part"),
        (" /docs\n", "/docs"),
        ("javascript:alert(1)", None),
        ("JAVA\tSCRIPT:alert(1)", None),
        ("\x01javascript:alert(1)", None),
        ("java\x01script:alert(1)", None),
        ("java\ufffescript:alert(1)", None),
        ("vbscript:x", None),
        ("file:///etc/passwd", None),
        ("data:image/png;base64,AAAA", None),
    ],
)
def test_safe_url(url: str, safe: str | None) -> None:
    """Web, mail, telephone and relative URLs pass; all others don't."""
    assert safe_url(url) == safe


def test_images_may_be_embedded() -> None:
    """An image may be a raster image in a `data:` URL, and nothing else of that scheme."""
    assert safe_image_url("data:image/png;base64,AAAA") == "data:image/png;base64,AAAA"
    assert safe_image_url("data:image/svg+xml;base64,AAAA") is None


def test_allowed_names() -> None:
    """Known names pass, `className` is the class, ARIA names come in two spellings; the rest is dropped."""
    written = attributes(
        {
            "className": "a b",
            "id": "x",
            "aria-label": 'say "hi"',
            "ariaHidden": True,
            "data-x": 1,
            "onClick": "alert(1)",
            "onclick": "alert(1)",
            "style": "color: red",
            "href": "javascript:alert(1)",
            "src": "x",
            "data-X onload": "y",
            "title": None,
        },
        str,
        "fp-x",
        href="/safe",
        id=None,
    )
    assert written == (
        ' class="fp-x a b" aria-label="say &quot;hi&quot;" aria-hidden="true" data-x="1" href="/safe"'
    )


TEXTS = st.text() | st.sampled_from(PAYLOADS)


@given(st.dictionaries(TEXTS, TEXTS))
def test_no_props_are_harmful(props: dict[str, str]) -> None:
    """Whatever names and values props hold, the element they are put on stays one harmless element."""
    page = html.document_fromstring(f"<body><p{attributes(props, str)}>x</p></body>")
    assert_harmless(page)
    assert page.findtext(".//p") == "x"
    assert len(page.find("body")) == 1
