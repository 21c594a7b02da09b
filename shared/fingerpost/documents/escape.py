"""Escaping: the one home of every rule that turns text into XML or HTML.

Each function takes text as it is meant to be read and must be applied exactly once. All of them drop the
characters that their format forbids, so that one stray control character never costs a whole document.
"""

import re

# What XML 1.0 (fifth edition) 2.2 leaves out of Char: most of C0, surrogates, U+FFFE and U+FFFF.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# What the HTML standard (13.2.3.5) calls an error in a document: controls and noncharacters.
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_NOT_IN_HTML = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff{_NONCHARACTERS}]")
# The same and the other planes as a whole: a class of few ranges, which most texts pass seven times faster.
_MAYBE = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe-\U0010ffff"
_MAYBE_NOT_IN_HTML = re.compile(f"[{_MAYBE}]")
# The same, and what has another form in the content of an element: most short texts hold none of it.
_MAYBE_OTHERWISE_IN_HTML = re.compile(f"[&<>\r{_MAYBE}]")


def drop_forbidden(text: str) -> str:
    """`text` without the characters that XML 1.0 2.2 forbids: most of C0, lone surrogates, U+FFFE, U+FFFF."""
    return _FORBIDDEN.sub("", text)


def drop_from_html(text: str) -> str:
    """`text` without the characters that are an error in any HTML document: controls other than white space
    (C1 too), lone surrogates and noncharacters."""
    return text if _MAYBE_NOT_IN_HTML.search(text) is None else _NOT_IN_HTML.sub("", text)


def xml_text(text: str) -> str:
    """`text` as the content of an XML element.

    `>` is escaped too, so that `]]>` never stands in content (XML 1.0 2.4); a carriage return is written as a
    reference, because a parser turns a literal one into a line feed (2.11).
    """
    return (
        drop_forbidden(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;")
    )


def xml_attribute(text: str) -> str:
    """`text` as an XML attribute's value, to be put between double quotes.

    Tabs and line breaks are written as references, because a parser turns literal ones into spaces (3.3.3).
    """
    return xml_text(text).replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")


def html_text(text: str) -> str:
    """`text` as the content of an HTML element other than script and style.

    A carriage return is written as a reference, because a parser turns a literal one into a line feed.
    """
    return text if _MAYBE_OTHERWISE_IN_HTML.search(text) is None else xml_text(drop_from_html(text))


def html_attribute(text: str) -> str:
    """`text` as an HTML attribute's value, to be put between double quotes."""
    return html_text(text).replace('"', "&quot;")
