"""Callouts in Markdown: `:::note Title` blocks and GitHub's `> [!NOTE]` alerts.

A block becomes an `aside`; whatever stands between its fences stays Markdown. Fences that have no partner,
name no kind we know, or stand inside a code block are left as written.
"""

import re
from typing import NamedTuple

from fingerpost.documents.blocks import structure
from fingerpost.documents.escape import html_text
from fingerpost.documents.words import Words

# Name as written -> the kind it is shown as.
_KINDS = {
    "callout": "callout",
    "note": "note",
    "info": "note",
    "important": "note",
    "tip": "tip",
    "success": "tip",
    "warning": "warning",
    "caution": "warning",
    "danger": "danger",
    "error": "danger",
}

_OPENING = re.compile(
    r"(?P<indent>[ \t]*):{3,}[ \t]*(?P<name>[A-Za-z]+)"
    r"(?:\[(?P<label>.*)\])?(?:[ \t]*\{[^}]*\})?(?:[ \t]+(?P<title>.*?))?[ \t]*"
)
_CLOSING = re.compile(r"[ \t]*:{3,}[ \t]*")

_ALERT = re.compile(
    r"<blockquote>\n<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:<br />)?\n?", re.IGNORECASE
)


class _Opened(NamedTuple):
    line: int
    indent: str
    kind: str
    title: str


def expand_callouts(markdown: str, words: Words) -> str:
    """`markdown` with its `:::` blocks as HTML blocks around Markdown (CommonMark 4.6, kind 6)."""
    if ":::" not in markdown:
        return markdown
    lines = markdown.split("\n")
    replaced = dict(_pairs(markdown, lines, words))
    return "\n".join(replaced.get(number, line) for number, line in enumerate(lines))


def mark_alerts(html: str, words: Words) -> str:
    """Rendered HTML with the block quotes that open with `[!NOTE]` and its like turned into callouts."""
    if "<p>[!" not in html:
        return html

    def opening(match: re.Match[str]) -> str:
        kind = _KINDS[match[1].lower()]
        title = html_text(_default_title(kind, words))
        return f'<blockquote class="fp-callout fp-{kind}">\n<p class="fp-callout-title">{title}</p>\n<p>'

    return _ALERT.sub(opening, html)


def _pairs(markdown: str, lines: list[str], words: Words) -> list[tuple[int, str]]:
    """Line number -> what stands in its place, for each opening that finds its closing."""
    found: list[tuple[int, str]] = []
    opened: list[_Opened] = []
    spans = iter(structure(markdown).spans)
    span = next(spans, None)
    start = 0
    for number, line in enumerate(lines):
        while span is not None and span.lines[-1][1] <= start:
            span = next(spans, None)
        bare = line.rstrip("\r")
        start += len(line) + 1
        is_code = span is None or span.lines[0][0] >= start
        if is_code or ":::" not in bare:
            continue
        if _CLOSING.fullmatch(bare):
            if opened:
                innermost = opened.pop()
                found.append((innermost.line, _opening_html(innermost)))
                found.append((number, f"\n{innermost.indent}</aside>\n"))
        elif opening := _opening(number, bare, words):
            opened.append(opening)
    return found


def _opening(number: int, line: str, words: Words) -> _Opened | None:
    match = _OPENING.fullmatch(line)
    if match is None:
        return None
    kind = _KINDS.get(match["name"].lower())
    title = (match["label"] or match["title"] or "").strip()
    if kind is None or title.endswith(":::"):
        return None
    return _Opened(number, match["indent"], kind, title or _default_title(kind, words))


def _opening_html(start: _Opened) -> str:
    lines = [f'<aside class="fp-callout fp-{start.kind}">', ""]
    if start.title:
        lines += ['<div class="fp-callout-title">', "", start.title, "", "</div>", ""]
    return "\n".join(f"{start.indent}{line}" if line else "" for line in lines)


def _default_title(kind: str, words: Words) -> str:
    return "" if kind == "callout" else str(getattr(words, kind))
