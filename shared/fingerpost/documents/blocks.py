"""The block structure of a Markdown document: which of its lines are prose, which code, which raw HTML.

The first phase of CommonMark's parsing strategy (its appendix), with GitHub's tables and footnotes, reduced
to the one question that rewriting a source asks: where may a link stand? Lines are judged on a copy with
tabs expanded to stops of four, as the standard counts columns; spans point into the source.
"""

import re
from enum import Enum
from typing import NamedTuple

from fingerpost.documents.inlines import definitions
from fingerpost.documents.tags import CLOSING_TAG, OPEN_TAG
from fingerpost.values import dataclass


class Kind(Enum):
    """What a span of the source is read as."""

    PARAGRAPH = "paragraph"  # inline syntax applies, behind reference definitions
    INLINE = "inline"  # a heading, or what stands above a table's header: inline syntax alone
    CELL = "cell"  # of a table: the same, and `|` is written as `\\|`
    HTML = "html"  # an HTML block: tags are tags, nothing else is markup


class Span(NamedTuple):
    """One block: where the content of each of its lines starts and ends in the source, without the marks of
    the containers around it and without its indentation; an HTML block keeps the latter."""

    kind: Kind
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """What is not code, in source order; `unclosed` is the line that would end what the source leaves open
    at its end (a fence, a comment), "" where nothing is."""

    spans: tuple[Span, ...]
    unclosed: str


class _Leaf(NamedTuple):
    """A block that takes lines as they are: read as `kind` (None: nothing to rewrite), until a line that
    `end` finds, or a blank one where `end` is None. `closing` is a line that would end it."""

    kind: Kind | None
    end: re.Pattern[str] | None
    closing: str = ""
    ends_where_it_starts: bool = True


@dataclass(slots=True)
class _Container:
    """A block quote (`width` None), or a list item or footnote whose content is `width` columns in."""

    width: int | None
    empty: bool = False
    is_footnote: bool = False


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r" {0,3}(?:[-+*]|(?P<number>\d{1,9})[.)])(?= |$)")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\] ]+\]: *")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_SETEXT = re.compile(r" {0,3}(?:=+|-+) *$")
_RULE = re.compile(r" {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
_DELIMITER_ROW = re.compile(r" {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$")
_PIPE = re.compile(r"(?<!\\)\|")
_NO_CELL = re.compile(r" *\| *$")
_BLANK = re.compile(r" *$")

# CommonMark 4.6: how each kind of HTML block starts, what ends it, and what would end it by hand.
_HTML_BLOCKS = (
    (r"<(?:script|pre|style|textarea)(?:[ >]|$)", r"</(?:script|pre|style|textarea)>", "</pre>"),
    (r"<!--", r"-->", "-->"),
    (r"<\?", r"\?>", "?>"),
    (r"<![A-Za-z]", r">", ">"),
    (r"<!\[CDATA\[", r"\]\]>", "]]>"),
    (
        r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details"
        r"|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr"
        r"|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search"
        r"|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?: |/?>|$)",
        None,
        "",
    ),
    (rf"(?:{OPEN_TAG}|{CLOSING_TAG}) *$", None, ""),
)
_HTML_STARTS = tuple(
    (
        re.compile(rf" {{0,3}}{start}", re.IGNORECASE),
        _Leaf(Kind.HTML, None if end is None else re.compile(end, re.IGNORECASE), closing),
    )
    for start, end, closing in _HTML_BLOCKS
)
_INDENTED = _Leaf(None, None)
_HEADING_LINE = _Leaf(Kind.INLINE, re.compile(""))
_RULE_LINE = _Leaf(None, re.compile(""))


def structure(source: str) -> Structure:
    """The prose and the HTML of `source`; everything else is code, a rule or blank."""
    reader = _Reader(source)
    for match in _LINE.finditer(source):
        if match.end() > match.start():
            reader.read(match.group().rstrip("\r\n").expandtabs(4), match.start(), match.end())
    return reader.finish()


class _Line(NamedTuple):
    """The content of one line: where it stands in the source, and its text with tabs expanded."""

    start: int
    end: int
    text: str


class _Reader:
    """Reads line by line, and keeps what is open: the containers from the outside in, and below them the
    lines of one leaf, table or paragraph."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._spans: list[Span] = []
        self._containers: list[_Container] = []
        self._leaf: _Leaf | None = None
        self._lines: list[_Line] = []
        self._table = False
        self._tableless = False

    def read(self, line: str, start: int, end: int) -> None:
        """One line without its end, tabs expanded, which stands at `source[start:end]`."""
        matched, at = self._continued(line)
        whole = matched == len(self._containers)
        if self._leaf is not None:
            if whole and self._taken(self._line(line, at, start, end)):
                return
            self._close(len(self._containers))
        paragraph = bool(self._lines) and not self._table
        direct = paragraph and whole  # the line would go on with the paragraph itself, not lazily
        while opened := self._container(line[at:], interrupts=direct):
            self._close(matched)
            self._fill()
            self._containers.append(opened[0])
            at += opened[1]
            matched, whole, paragraph, direct = len(self._containers), True, False, False
        rest = line[at:]
        underline = direct and _SETEXT.match(rest) is not None
        if _BLANK.match(rest) or (underline and self._has_text()):
            self._close(matched)
        elif not underline and (leaf := _leaf(rest, paragraph=paragraph, direct=direct)) is not None:
            self._close(matched)
            self._fill()
            self._open(leaf, self._line(line, at, start, end))
        else:
            # Comrak keeps the indentation of a line that goes on lazily: no definition begins there.
            lazy = paragraph and not whole
            column = at if lazy else len(line) - len(rest.lstrip(" "))
            content = self._line(line, column, start, end)
            row = self._table and whole and not _NO_CELL.match(rest)
            if underline or not (paragraph or row):
                self._close(matched)
                self._fill()
            self._lines.append(content)
            if direct and not rest.startswith("    "):
                self._try_table()

    def finish(self) -> Structure:
        """What was read, the document being at its end."""
        leaf = None if self._containers else self._leaf
        self._close(0)
        return Structure(tuple(self._spans), leaf.closing if leaf is not None else "")

    def _line(self, line: str, column: int, start: int, end: int) -> _Line:
        """The content of a line from a column on; a tab that the column divides is left out."""
        if "\t" not in self._source[start : start + column]:
            return _Line(start + column, end, line[column:])
        width = 0
        while width < column:
            width += 4 - width % 4 if self._source[start] == "\t" else 1
            start += 1
        return _Line(start, end, line[column:])

    def _continued(self, line: str) -> tuple[int, int]:
        """How many open containers `line` goes on with, and the column behind their marks."""
        at = 0
        for number, container in enumerate(self._containers):
            rest = line[at:]
            if container.width is None:
                mark = _QUOTE.match(rest)
                if mark is None:
                    return number, at
                at += mark.end()
            elif rest.startswith(" " * container.width):
                at += container.width
            elif _BLANK.match(rest) and not container.empty and not (container.is_footnote and line):
                at = len(line)  # in GitHub's footnotes, a blank line holds no spaces
            else:
                return number, at
        return len(self._containers), at

    def _container(self, rest: str, *, interrupts: bool) -> tuple[_Container, int] | None:
        """The container that `rest` opens, and how many columns its mark takes."""
        if quote := _QUOTE.match(rest):
            return _Container(None), quote.end()
        if footnote := _FOOTNOTE.match(rest):
            return _Container(4, is_footnote=True), footnote.end()
        item = _ITEM.match(rest)
        if item is None or _RULE.match(rest):
            return None
        content = rest[item.end() :]
        spaces = len(content) - len(content.lstrip(" "))
        empty = spaces == len(content)
        if interrupts and (empty or item["number"] not in (None, "1")):
            return None
        width = item.end() + (spaces if 1 <= spaces <= 4 and not empty else 1)
        return _Container(width, empty=True), min(width, len(rest))

    def _fill(self) -> None:
        """The innermost container has content now, and may go on after a blank line."""
        if self._containers:
            self._containers[-1].empty = False

    def _open(self, leaf: _Leaf, line: _Line) -> None:
        self._leaf, self._lines = leaf, [line]
        if leaf.ends_where_it_starts and leaf.end is not None and leaf.end.search(line.text):
            self._close(len(self._containers))

    def _taken(self, line: _Line) -> bool:
        """Whether the open leaf takes the line."""
        leaf = self._leaf
        if leaf is None:
            return False
        if leaf is _INDENTED:
            return line.text.startswith("    ") or _BLANK.match(line.text) is not None
        if leaf.end is None and _BLANK.match(line.text):
            return False
        self._lines.append(line)
        if leaf.end is not None and leaf.end.search(line.text):
            self._close(len(self._containers))
        return True

    def _close(self, depth: int) -> None:
        """Close what is open below the outermost `depth` containers."""
        if self._leaf is not None:
            self._add(self._leaf.kind, self._lines)
        elif self._table:
            for line in self._lines:
                self._cells(line.start, line.end)
        else:
            self._add(Kind.PARAGRAPH, self._lines)
        self._leaf, self._lines, self._table, self._tableless = None, [], False, False
        del self._containers[depth:]

    def _add(self, kind: Kind | None, lines: list[_Line]) -> None:
        if kind is not None and lines:
            self._spans.append(Span(kind, tuple((line.start, line.end) for line in lines)))

    def _cells(self, start: int, end: int) -> None:
        """A span for each cell of a row, which `|` ends even inside what looks like code."""
        for pipe in _PIPE.finditer(self._source, start, end):
            self._spans.append(Span(Kind.CELL, ((start, pipe.start()),)))
            start = pipe.end()
        self._spans.append(Span(Kind.CELL, ((start, end),)))

    def _has_text(self) -> bool:
        """Whether the open paragraph is more than reference definitions: only then is there a heading."""
        text = "".join(self._source[line.start : line.end] for line in self._lines)
        return definitions(text)[1] < len(text)

    def _try_table(self) -> None:
        """Make a table of the paragraph's last two lines where they are a header and its delimiter row.

        GitHub looks at the first delimiter row of a paragraph only.
        """
        if len(self._lines) < 2 or self._tableless or not _DELIMITER_ROW.match(self._lines[-1].text):
            return
        *before, header, delimiter = self._lines
        if _columns(header.text) == _columns(delimiter.text):
            self._add(Kind.INLINE, before)
            self._lines, self._table = [header, delimiter], True
        else:
            self._tableless = True


def _columns(row: str) -> int:
    return len(_PIPE.split(row.strip().removeprefix("|"))) - bool(re.search(r"(?<!\\)\|$", row.strip()))


def _leaf(rest: str, *, paragraph: bool, direct: bool) -> _Leaf | None:
    """The leaf that `rest` opens; an open `paragraph` can't be interrupted by everything."""
    if rest.startswith("    "):
        return None if paragraph else _INDENTED
    if _HEADING.match(rest):
        return _HEADING_LINE
    if fence := _FENCE.match(rest):
        mark = fence["mark"]
        end = re.compile(rf"^ {{0,3}}{mark}{mark[0]}* *$")
        return _Leaf(None, end, mark, ends_where_it_starts=False)
    for start, leaf in _HTML_STARTS[: -1 if direct else None]:
        if start.match(rest):
            return leaf
    return _RULE_LINE if _RULE.match(rest) else None
