"""The stylesheet, and the constant pages that carry it."""

import hashlib
import re
from base64 import b64encode

import pytest
from lxml import html

from fingerpost.documents.errors import UNAVAILABLE_PAGE, not_found_page
from fingerpost.documents.html import render_page
from fingerpost.documents.stylesheet import STYLE, STYLE_ELEMENT, STYLE_SHA256
from tests.unit.documents.payloads import assert_harmless
from tests.unit.documents.views import page_view


def test_the_hash_is_of_what_the_page_holds() -> None:
    """CSP 3: the hash is of the element's whole content, as it stands in the page."""
    source = render_page(page_view()).decode()
    content = re.findall(r"<style>(.*?)</style>", source, re.DOTALL)
    assert len(content) == 1
    digest = b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
    assert f"sha256-{digest}" == STYLE_SHA256


def test_it_asks_for_nothing() -> None:
    """No font, no image, no import; and it can't end its element."""
    assert not re.search(r"url\(|@import|@font-face|</", STYLE)


def test_it_is_small() -> None:
    """Every page carries it, so it stays below 12 KB."""
    assert len(STYLE_ELEMENT.encode()) < 12_000


def test_it_has_both_schemes() -> None:
    """Every colour of the light scheme has one in the dark scheme."""
    light, dark = (
        set(re.findall(r"(--[a-z]+): #", part)) for part in STYLE.split("prefers-color-scheme: dark")[:2]
    )
    assert light == dark


@pytest.mark.parametrize("foreground", ["ink", "soft", "accent", "note", "tip", "warning", "danger"])
@pytest.mark.parametrize("scheme", [0, 1])
def test_text_can_be_read(foreground: str, scheme: int) -> None:
    """WCAG 2.2, 1.4.3: every text colour has a contrast of at least 4.5 to both grounds, in both schemes."""
    part = STYLE.split("prefers-color-scheme: dark")[scheme]
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", part))
    for ground in ("paper", "raised"):
        assert contrast(colours[foreground], colours[ground]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("page", "title", "href"),
    [
        (not_found_page(""), "Page not found", "/"),
        (not_found_page("/caf%C3%A9/a&b"), "Page not found", "/caf%C3%A9/a&b/"),
        (UNAVAILABLE_PAGE, "Temporarily unavailable", ""),
    ],
)
def test_error_pages(page: bytes, title: str, href: str) -> None:
    """The pages without a document are styled, complete, unindexed and free of script and requests; a 404
    leads to the site's root, a 503 to itself."""
    root = html.document_fromstring(page)
    assert_harmless(root)
    assert root.findtext(".//title") == root.findtext(".//h1") == title
    assert root.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert STYLE_ELEMENT.encode() in page
    assert root.xpath("//script | //link | //img") == []
    assert root.xpath("//a/@href") == [href]
