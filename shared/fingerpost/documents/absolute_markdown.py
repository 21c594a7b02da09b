"""Making the links of a Markdown source absolute, without touching anything else in it.

Rendering and writing Markdown anew would lose the author's own form. Instead, the spans where inline syntax
applies are read as CommonMark reads them (its second phase), and only destinations are replaced.
"""

import re
from typing import Final

from fingerpost.documents.absolute import absolute_html, absolute_tag, absolute_url, unescape
from fingerpost.documents.blocks import Kind, structure
from fingerpost.documents.tags import CLOSING_TAG, OPEN_TAG

_PUNCTUATION: Final = r"[!-/:-@\[-`{-~]"
# CommonMark 6: what may take a bracket or a backtick with it, leftmost first.
_INLINE = re.compile(
    rf"\\{_PUNCTUATION}"
    r"|(?P<ticks>`+)"
    r"|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>"
    rf"|(?P<tag>{OPEN_TAG})"
    rf"|{CLOSING_TAG}|<!--.*?-->|<\?.*?\?>|<![A-Za-z][^>]*>|<!\[CDATA\[.*?\]\]>"
    r"|(?P<open>!?\[)|(?P<close>\])",
    re.DOTALL,
)
_ANGLED = r"<(?:[^<>\n\\]|\\.)*>"
_TITLE = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))"""
_LINK_START = re.compile(rf"\([ \t\r\n]*(?P<angled>{_ANGLED})?")
_LINK_END = re.compile(rf"(?:[ \t\r\n]+{_TITLE})?[ \t\r\n]*\)", re.DOTALL)
# The marks of quotes and lists before a line's content, then a label and its colon (CommonMark 4.7).
_DEFINITION_START = re.compile(
    r"(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*"
    r"[ \t]*(?:\[[ xX]\][ \t]+)?\[(?!\^)(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:\r?\n[ \t>]*)?"
    rf"(?P<angled>{_ANGLED})?",
    re.DOTALL,
)
_DEFINITION_END = re.compile(rf"(?:[ \t]*(?:\r?\n)?[ \t]+{_TITLE})?[ \t]*(?:\r\n|\n|\r|$)", re.DOTALL)
_REFERENCE = re.compile(rf"\\(?P<escaped>{_PUNCTUATION})|&(?:#[0-9]+|#[Xx][0-9A-Fa-f]+|[A-Za-z0-9]+);")
_ENTITY_START = r"&(?=#?\w+;)"


def absolute_markdown(markdown: str, page_url: str, base: str = "") -> str:
    """Markdown with every inline link, image, reference definition and HTML tag's URL absolute.

    Code is byte for byte what it was: fenced, indented, or between backticks. Autolinks are absolute by
    their grammar (CommonMark 6.5).
    """
    pieces: list[str] = []
    done = 0
    for span in structure(markdown).spans:
        pieces.append(markdown[done : span.start])
        text = markdown[span.start : span.end]
        pieces.append(
            absolute_html(text, page_url, base)
            if span.kind is Kind.HTML
            else _Prose(page_url, base).rewrite(text)
        )
        done = span.end
    pieces.append(markdown[done:])
    return "".join(pieces)


class _Prose:
    """Rewrites the inline links of one paragraph, heading or cell (CommonMark 6.3)."""

    def __init__(self, page_url: str, base: str) -> None:
        self._page_url = page_url
        self._base = base

    def rewrite(self, text: str) -> str:
        pieces, at = self._definitions(text)
        openers: list[str] = []
        done = at
        while token := _INLINE.search(text, at):
            at = token.end()
            if token["ticks"]:
                closing = re.compile(rf"(?<!`){token['ticks']}(?!`)").search(text, at)
                at = closing.end() if closing else at
            elif token["tag"]:
                pieces += text[done : token.start()], absolute_tag(token["tag"], self._page_url, self._base)
                done = at
            elif token["open"]:
                openers.append(token["open"])
            elif token["close"] and openers:
                opener = openers.pop()
                link = _LINK_START.match(text, at) if opener else None
                found = link and _destination(text, link, _LINK_END)
                if found:
                    pieces += text[done : found[0]], self._resolved(text[found[0] : found[1]])
                    done, at = found[1], found[2]
                    if opener == "[":
                        # A link holds no other link: brackets still open around it are text.
                        openers = ["" if outer == "[" else outer for outer in openers]
        pieces.append(text[done:])
        return "".join(pieces)

    def _definitions(self, text: str) -> tuple[list[str], int]:
        """The reference definitions at the start, rewritten, and where they end."""
        pieces: list[str] = []
        at = 0
        while start := _DEFINITION_START.match(text, at):
            found = _destination(text, start, _DEFINITION_END)
            if found is None or found[0] == found[1]:
                break
            pieces += (
                text[at : found[0]],
                self._resolved(text[found[0] : found[1]]),
                text[found[1] : found[2]],
            )
            at = found[2]
        return pieces, at

    def _resolved(self, written: str) -> str:
        """A destination as written, made absolute and written in the same way."""
        angled = written.startswith("<")
        inner = written[1:-1] if angled else written
        plain = _REFERENCE.sub(lambda match: match["escaped"] or unescape(match[0]), inner)
        resolved = absolute_url(plain, self._page_url, self._base)
        if resolved == plain:
            return written
        if angled:
            return "<" + re.sub(rf"[<>\\]|{_ENTITY_START}", _escaped, resolved) + ">"
        bare = re.sub(rf"\\|{_ENTITY_START}", _escaped, resolved)
        bare = re.sub(r"[\x00-\x20\x7f]", lambda match: f"%{ord(match[0]):02X}", bare)
        return bare if _bare_end(bare, 0) == len(bare) else re.sub(r"[()]", _escaped, bare)


def _destination(text: str, start: re.Match[str], end: re.Pattern[str]) -> tuple[int, int, int] | None:
    """Where a destination stands behind `start`, and where the link ends; None where it is none."""
    if start["angled"] is not None:
        first, last = start.span("angled")
    else:
        first, last = start.end(), _bare_end(text, start.end())
    closing = end.match(text, last) if last >= 0 else None
    return (first, last, closing.end()) if closing else None


def _bare_end(text: str, at: int) -> int:
    """Where a destination without angle brackets ends, -1 where its parentheses are not balanced."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character == "\\" and re.match(_PUNCTUATION, text[at + 1 : at + 2]):
            at += 1
        elif character == "(":
            depth += 1
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        elif character <= " " or character == "\x7f":
            break
        at += 1
    return at if depth == 0 else -1


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"
