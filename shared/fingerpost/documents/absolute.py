"""Making links absolute, for documents that are read away from the page they were written for.

A reference is resolved as a browser would on the page (RFC 3986 5.2), with one addition of the product's:
a path that begins with `/` starts at the site's root, so it gains the base path. What names a scheme, a
fragment alone, or nothing is left as it stands, and so is everything that is no link: text and code.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from fingerpost.catalogue.addresses import with_base
from fingerpost.documents.escape import html_attribute
from fingerpost.documents.tags import OPEN_TAG, TAG_REST

# RFC 3986 3.1, as far as telling a scheme from a path needs.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
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
_COMMENT: Final = r"<!--.*?(?:-->|\Z)"
_MARKUP = re.compile(
    rf"{_COMMENT}|(?P<opening><(?P<name>{_TEXT_ELEMENTS}){TAG_REST})(?P<text>.*?)(?=</(?P=name)\b|\Z)"
    rf"|(?P<tag>{OPEN_TAG})",
    re.DOTALL | re.IGNORECASE,
)


def absolute_url(reference: str, page_url: str, base: str = "") -> str:
    """`reference` as a URL of its own; unchanged where it is one already, or leads nowhere else."""
    if not reference or reference.startswith("#") or _SCHEME.match(reference):
        return reference
    scheme, _, rest = page_url.partition("://")
    if reference.startswith("//"):
        return f"{scheme}:{reference}"
    host, slash, page_path = _path(rest).partition("/")
    page_path = slash + page_path
    path = _path(reference)
    if not path:
        return f"{scheme}://{host}{page_path or '/'}{reference}"
    target = with_base(path, base) if path.startswith("/") else f"{page_path.rpartition('/')[0]}/{path}"
    return f"{scheme}://{host}{_without_dots(target)}{reference[len(path) :]}"


def _path(reference: str) -> str:
    """What stands before the query and the fragment."""
    return reference.partition("#")[0].partition("?")[0]


def _without_dots(path: str) -> str:
    """RFC 3986 5.2.4."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


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


def absolute_html(markup: str, page_url: str, base: str = "") -> str:
    """HTML with every URL in its tags absolute; `page_url` is where it is published.

    Expects tags as a serialiser writes them; a tag that is not well-formed stays as it is, and so do
    comments, text, and what only looks like a tag inside a script or a textarea.
    """
    return edited(markup, html_edits(markup, page_url, base))


def html_edits(markup: str, page_url: str, base: str) -> Iterator[Edit]:
    """What `absolute_html` replaces."""
    for match in _MARKUP.finditer(markup):
        for group in ("opening", "tag"):
            if match[group]:
                yield from tag_edits(markup, *match.span(group), page_url, base)


def tag_edits(markup: str, start: int, end: int, page_url: str, base: str) -> Iterator[Edit]:
    """The same for the one opening tag `markup[start:end]`."""
    for match in _ATTRIBUTE.finditer(markup, start, end):
        name = match[1].lower()
        if name not in _URL_ATTRIBUTES and name not in _SRCSET_ATTRIBUTES:
            continue
        value = match[2][1:-1] if match[2][0] in "\"'" else match[2]
        plain = unescape(value).strip(_SPACE)
        if name in _URL_ATTRIBUTES:
            resolved = absolute_url(plain, page_url, base)
        else:
            resolved = _CANDIDATE.sub(lambda c: c[1] + absolute_url(c[2], page_url, base) + c[3], plain)
        if resolved != plain:
            yield Edit(*match.span(2), f'"{html_attribute(resolved)}"')


def unescape(text: str) -> str:
    """Text with its character references resolved (HTML 13.5)."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
