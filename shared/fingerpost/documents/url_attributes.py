"""The URLs in HTML tags, written anew where they stand; text, comments and code stay byte for byte."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from fingerpost.documents.escape import html_attribute
from fingerpost.documents.references import References
from fingerpost.documents.tags import TAG_REST

# HTML, "ASCII whitespace": what is stripped around a URL in an attribute.
_SPACE: Final = "\t\n\f\r "

# Where HTML elements hold one URL ...
_URL_ATTRIBUTES: Final = frozenset(
    {"action", "background", "cite", "data", "formaction", "href", "longdesc", "poster", "src", "xlink:href"}
)
# ... and where they hold image candidates.
_SRCSET_ATTRIBUTES: Final = frozenset({"imagesrcset", "srcset"})
# One candidate: separators, the URL, and either its commas or its descriptor (HTML, "parsing a srcset").
_CANDIDATE = re.compile(r"([\s,]*)(\S*[^\s,])(,+|(?:\s[^,]*)?)")

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+)""")
# Elements whose content HTML reads as text, whatever it looks like.
_TEXT_ELEMENTS: Final = "iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp"
# A tag without attributes holds no URL.
_MARKUP = re.compile(
    r"<(?:!--.*?(?:-->|\Z)"
    rf"|(?P<name>{_TEXT_ELEMENTS})(?P<opening>{TAG_REST}).*?(?=</(?P=name)\b|\Z)"
    rf"|[A-Za-z][A-Za-z0-9-]*(?=\s)(?P<tag>{TAG_REST}))",
    re.DOTALL | re.IGNORECASE,
)


class Edit(NamedTuple):
    """`text` is to stand in place of what is there from `start` to `end`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with `edits` made; they come in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += text[done : edit.start], edit.text
        done = edit.end
    return "".join([*pieces, text[done:]])


def with_references(markup: str, references: References) -> str:
    """HTML with every URL in its tags as `references` have it.

    Expects tags as a serialiser writes them; a tag that is not well-formed stays as it is, and so do
    comments, text, and what only looks like a tag inside a script or a textarea.
    """
    return edited(markup, html_edits(markup, references))


def html_edits(markup: str, references: References) -> Iterator[Edit]:
    """What `with_references` replaces."""
    for match in _MARKUP.finditer(markup):
        for group in ("opening", "tag"):
            if match[group]:
                yield from tag_edits(markup, match.start(), match.end(group), references)


def tag_edits(markup: str, start: int, end: int, references: References) -> Iterator[Edit]:
    """The same for the one opening tag `markup[start:end]`."""
    for match in _ATTRIBUTE.finditer(markup, start, end):
        name = match[1].lower()
        if name not in _URL_ATTRIBUTES and name not in _SRCSET_ATTRIBUTES:
            continue
        value = match[2][1:-1] if match[2][0] in "\"'" else match[2]
        if value.startswith("#"):  # a place in the page, as each heading's own link is
            continue
        plain = unescape(value).strip(_SPACE)
        if name == "href":
            written = references.link(plain)
        elif name in _URL_ATTRIBUTES:
            written = references.resource(plain)
        else:
            written = _CANDIDATE.sub(lambda c: c[1] + references.resource(c[2]) + c[3], plain)
        if written != plain:
            yield Edit(*match.span(2), f'"{html_attribute(written)}"')


def unescape(text: str) -> str:
    """Text with its character references resolved (HTML 13.5)."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
