"""Making the links of a Markdown source absolute, without touching anything else in it.

Rendering and writing Markdown anew would lose the author's own form. Instead, the source is read as the
renderer reads it, and only destinations and the attributes of HTML tags are replaced.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from fingerpost.documents.blocks import Kind, Span, Structure
from fingerpost.documents.inlines import PUNCTUATION, Definition, Part, PartKind, bare_end, definitions, parts
from fingerpost.documents.references import AbsoluteReferences
from fingerpost.documents.url_attributes import Edit, edited, html_edits, tag_edits, unescape

_REFERENCE = re.compile(rf"\\(?P<escaped>{PUNCTUATION})|&(?:#[0-9]+|#[Xx][0-9A-Fa-f]+|[A-Za-z0-9]+);")
_ENTITY_START: Final = r"&(?=#?\w+;)"


def absolute_markdown(markdown: str, read: Structure, references: AbsoluteReferences) -> str:
    """Markdown with every inline link, image, reference definition and HTML tag's URL absolute; `read` is its
    structure.

    Code is byte for byte what it was: fenced, indented, or between backticks. Autolinks are absolute by
    their grammar (CommonMark 6.5).
    """
    contents = [_Content(markdown, span) for span in read.spans]
    labels = {definition.label for content in contents for definition in content.definitions}
    return edited(markdown, (edit for content in contents for edit in content.edits(labels, references)))


class _Content:
    """The content of one span as one text, and where in the source it stands."""

    def __init__(self, source: str, span: Span) -> None:
        self._kind = span.kind
        self._lines = span.lines
        self._text = "".join(source[start:end] for start, end in span.lines)
        self._starts = [0]  # of each line, in the text
        for start, end in span.lines[:-1]:
            self._starts.append(self._starts[-1] + end - start)
        self.definitions: list[Definition] = []
        self._inline = 0  # where the definitions end
        if span.kind is Kind.PARAGRAPH and self._text.startswith("["):
            self.definitions, self._inline = definitions(self._text)

    def edits(self, labels: set[str], references: AbsoluteReferences) -> Iterator[Edit]:
        """What to replace in the source, in order."""
        for edit in self._own_edits(labels, references):
            line = bisect_right(self._starts, edit.start) - 1
            start, end = self._lines[line]
            shift = start - self._starts[line]
            if edit.end + shift <= end:  # a value over several lines has marks of containers within
                yield Edit(edit.start + shift, edit.end + shift, edit.text)

    def _own_edits(self, labels: set[str], references: AbsoluteReferences) -> Iterator[Edit]:
        if self._kind is Kind.HTML:
            yield from html_edits(self._text, references)
            return
        for definition in self.definitions:
            yield self._link(definition.destination, references)
        for part in parts(self._text, self._inline, labels):
            if part.kind is PartKind.TAG:
                yield from tag_edits(self._text, part.start, part.end, references)
            else:
                yield self._link(part, references)

    def _link(self, part: Part, references: AbsoluteReferences) -> Edit:
        written = self._text[part.start : part.end]
        resolved = _resolved(written, references.resource if part.kind is PartKind.IMAGE else references.link)
        if self._kind is Kind.CELL and resolved != written:
            resolved = resolved.replace("|", "\\|")
        return Edit(part.start, part.end, resolved)


def _resolved(written: str, absolute: Callable[[str], str]) -> str:
    """A destination as written, made absolute and written in the same way."""
    angled = written.startswith("<")
    inner = written[1:-1] if angled else written
    plain = _REFERENCE.sub(lambda match: match["escaped"] or unescape(match[0]), inner).strip(" \t")
    resolved = absolute(plain)
    if resolved == plain:
        return written
    if angled:
        return "<" + re.sub(rf"[<>\\]|{_ENTITY_START}", _escaped, resolved) + ">"
    bare = re.sub(rf"\\|{_ENTITY_START}", _escaped, resolved)
    bare = re.sub(r"[\x00-\x20\x7f]", lambda match: f"%{ord(match[0]):02X}", bare)
    return bare if bare_end(bare, 0) == len(bare) else re.sub(r"[()]", _escaped, bare)


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"
