"""Escaping: what a parser reads back is the text, less what XML forbids."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html

from fingerpost.documents.escape import (
    drop_forbidden,
    drop_from_html,
    html_attribute,
    html_text,
    xml_attribute,
    xml_text,
)

# Every code point there is, lone surrogates among them.
ANY_TEXT = st.text(st.characters(exclude_categories=()))
ALLOWED_BY_XML = "\t\n\r"


def allowed(character: str) -> bool:
    """XML 1.0 (fifth edition) 2.2, production 2, as it is written there."""
    code = ord(character)
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )


def test_forbidden_characters_are_those_of_the_standard() -> None:
    """Case 1: over all of Unicode, exactly what production 2 of XML 1.0 leaves out is dropped."""
    whole = "".join(map(chr, range(0x110000)))
    assert drop_forbidden(whole) == "".join(filter(allowed, whole))


def test_html_loses_controls_and_noncharacters_alone() -> None:
    """Case 1: over all of Unicode, exactly what HTML 13.2.3.5 calls a parse error is dropped from HTML."""
    whole = "".join(map(chr, range(0x110000)))
    dropped = set(whole) - set(drop_from_html(whole))
    noncharacters = {
        *range(0xFDD0, 0xFDF0),
        *(0x10000 * plane + low for plane in range(17) for low in (0xFFFE, 0xFFFF)),
    }
    controls = {*range(0x20), *range(0x7F, 0xA0)} - {0x9, 0xA, 0xD}
    assert set(map(ord, dropped)) == noncharacters | controls | set(range(0xD800, 0xE000))
    assert {character for character in whole if not drop_from_html(character)} == dropped


@given(ANY_TEXT)
@example("a\x1db\ufffe\ud800c")
@example("]]>")
@example("a\r\nb\tc")
def test_xml_gives_back_the_text(text: str) -> None:
    """Cases 1 and 13: an XML parser reads exactly the text from content and attribute, line ends included."""
    document = f'<a b="{xml_attribute(text)}">{xml_text(text)}</a>'
    element = etree.fromstring(document.encode())
    assert (element.text or "") == drop_forbidden(text)
    assert element.get("b") == drop_forbidden(text)


@given(ANY_TEXT)
@example("q-&-a")
@example("&amp;lt;")
@example("\"'<>&`=")
def test_html_gives_back_the_text(text: str) -> None:
    """Case 13: an HTML parser reads exactly the text from content and attribute, so it was escaped once."""
    document = f'<meta charset="utf-8"><p title="{html_attribute(text)}">|{html_text(text)}|</p>'
    element = html.document_fromstring(document.encode()).find(".//p")
    assert element.text == f"|{drop_from_html(text)}|"
    assert element.get("title") == drop_from_html(text)
    assert len(element) == 0


@pytest.mark.parametrize("escape", [xml_text, xml_attribute, html_text, html_attribute])
def test_escaped_text_is_escaped_again(escape: object) -> None:
    """Case 13: text that looks escaped is text, and shows as it was written."""
    assert callable(escape)
    assert escape("&amp;") == "&amp;amp;"


@given(ANY_TEXT)
def test_attributes_hold_no_quote(text: str) -> None:
    """No text closes the attribute that holds it."""
    assert '"' not in html_attribute(text)
    assert '"' not in xml_attribute(text)
