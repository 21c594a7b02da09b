"""The inline structure of a Markdown text: where its link destinations and its HTML tags stand.

The second phase of CommonMark's parsing strategy (its appendix), reduced to what rewriting a source asks. A
text is the content of one block, without the marks of the containers around it. Where the standard leaves
room, or GitHub adds to it, cmark-gfm decides, which comrak follows.
"""

import re
from collections.abc import Container, Iterator
from enum import Enum
from typing import Final, NamedTuple

from fingerpost.documents.tags import CLOSING_TAG, OPEN_TAG

PUNCTUATION: Final = r"[!-/:-@\[-`{-~]"
"""What a backslash escapes (CommonMark 2.4)."""

_LINE_END: Final = r"(?:\r\n|\n|\r)"
_GAP: Final = rf"[ \t]*(?:{_LINE_END}[ \t]*)?"
_LABEL: Final = r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999})\]"
_ANGLED: Final = r"<(?:[^<>\r\n\\]|\\.)*>"
_TITLE: Final = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))"""

# CommonMark 6: what may take a bracket or a backtick with it, leftmost first. Looking at one character before
# the alternatives are tried more than halves the time.
_TOKEN = re.compile(
    r"(?=[\\`<!\[\]hfw])(?:"
    rf"\\{PUNCTUATION}"
    r"|(?P<ticks>`+)"
    r"|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20<>]*>"
    rf"|(?P<tag>{OPEN_TAG})"
    rf"|{CLOSING_TAG}|<!--.*?-->|<\?.*?\?>|<![A-Za-z]+\s[^>]*>|<!\[CDATA\[.*?\]\]>"
    r"|(?P<url>(?:(?<![A-Za-z0-9])(?:https?|ftp)://|(?<![^ \t\r\n*_~(\[])www\.)[\w-]*\.[^\x00-\x20<]*)"
    r"|(?P<open>!?\[)|(?P<close>\]))",
    re.DOTALL,
)
_LINK_START = re.compile(rf"\([ \t\r\n]*(?P<angled>{_ANGLED})?")
_LINK_END = re.compile(rf"(?:[ \t\r\n]+{_TITLE})?[ \t\r\n]*\)", re.DOTALL)
_REFERENCE_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_DEFINITION_START = re.compile(rf"{_LABEL}:{_GAP}(?P<angled>{_ANGLED})?", re.DOTALL)
_DEFINITION_END = re.compile(
    rf"(?:(?:[ \t]+|[ \t]*{_LINE_END}[ \t]*){_TITLE})?[ \t]*(?:{_LINE_END}|\Z)", re.DOTALL
)


class PartKind(Enum):
    """What a part is: an opening HTML tag, or the destination of a link or an image as it is written."""

    TAG = "tag"
    LINK = "link"
    IMAGE = "image"


class Part(NamedTuple):
    """`text[start:end]`."""

    kind: PartKind
    start: int
    end: int


class Definition(NamedTuple):
    """A reference definition (CommonMark 4.7); `label` is normalised."""

    label: str
    destination: Part


class _Opener(NamedTuple):
    """A bracket that waits for its partner; `end` is where its content begins."""

    is_image: bool
    end: int
    is_active: bool = True


def definitions(text: str) -> tuple[list[Definition], int]:
    """The reference definitions that a paragraph begins with, and where they end."""
    found: list[Definition] = []
    at = 0
    while start := _DEFINITION_START.match(text, at):
        link = _destination(text, start, _DEFINITION_END)
        label = normalised(start["label"])
        if link is None or not label or link[0].start == link[0].end:
            break
        found.append(Definition(label, link[0]))
        at = link[1]
    return found, at


def normalised(label: str) -> str:
    """A label as labels are compared (CommonMark 6.3, "matches")."""
    return " ".join(label.split()).casefold()


def parts(text: str, at: int, labels: Container[str]) -> Iterator[Part]:
    """The destinations and tags of `text` from `at` on, in order; the document defines `labels`."""
    openers: list[_Opener] = []
    bracketed = False
    ticks = _Ticks(text)
    while token := _TOKEN.search(text, at):
        at = token.end()
        if token["ticks"]:
            at = ticks.closed(len(token["ticks"]), at)
        elif token["tag"]:
            yield Part(PartKind.TAG, *token.span())
        elif token["url"]:
            # GitHub's bare URLs take in what looks like markup, but none begins behind an open bracket.
            at = token.start() + 1 if bracketed else at
        elif token["open"]:
            bracketed = True
            openers.append(_Opener(token["open"] == "![", at))
        elif token["close"]:
            bracketed = False
            opener = openers.pop() if openers else None
            if opener is None or not opener.is_active:
                continue
            start = _LINK_START.match(text, at)
            if start and (link := _destination(text, start, _LINK_END)):
                yield link[0]._replace(kind=PartKind.IMAGE) if opener.is_image else link[0]
                at = link[1]
            elif (end := _reference(text, opener.end, token.start(), labels)) is not None:
                at = end
            else:
                continue
            if not opener.is_image:
                # A link holds no other link: brackets still open around it are text.
                openers = [outer if outer.is_image else outer._replace(is_active=False) for outer in openers]


class _Ticks:
    """Finds the end of code spans (CommonMark 6.1), as cmark does: once a search has come to the end of the
    text, a run of backticks closes only before the place where its length was last seen."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen: dict[int, int] = {}
        self._searched = False

    def closed(self, length: int, at: int) -> int:
        """Where the code span ends whose opening run of `length` backticks ends at `at`; else `at`."""
        if self._searched and self._seen.get(length, 0) <= at:
            return at
        for run in re.compile("`+").finditer(self._text, at):
            self._seen[len(run[0])] = run.start()
            if len(run[0]) == length:
                return run.end()
        self._searched = True
        return at


def _reference(text: str, start: int, end: int, labels: Container[str]) -> int | None:
    """Where the reference link ends whose text is `text[start:end]`; None where it is none."""
    following = _REFERENCE_LABEL.match(text, end + 1)
    if following and following["label"]:
        return following.end() if normalised(following["label"]) in labels else None
    if normalised(text[start:end]) not in labels:
        return None
    return following.end() if following else end + 1


def _destination(text: str, start: re.Match[str], end: re.Pattern[str]) -> tuple[Part, int] | None:
    """The destination that stands behind `start`, and where the link ends; None where it is none."""
    if start["angled"] is not None:
        first, last = start.span("angled")
    else:
        first, last = start.end(), bare_end(text, start.end())
    closing = end.match(text, last) if last >= 0 else None
    return (Part(PartKind.LINK, first, last), closing.end()) if closing else None


def bare_end(text: str, at: int) -> int:
    """Where a destination without angle brackets ends, -1 where none stands there: it begins with `<`, or its
    parentheses are not balanced."""
    if text.startswith("<", at):
        return -1
    depth = 0
    while at < len(text):
        character = text[at]
        if character == "\\" and re.match(PUNCTUATION, text[at + 1 : at + 2]):
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
