"""Links in Markdown that lead nowhere on the site."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Final
from urllib.parse import unquote

from fingerpost.catalogue.building import is_absent
from fingerpost.catalogue.entry import Entry
from fingerpost.documents.markdown import markdown_to_html
from fingerpost.documents.references import AbsoluteReferences
from fingerpost.site.frontmatter import body_of
from fingerpost.site.problems import Place, Problem
from fingerpost.sources.objects import ObjectMissing
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject

# Where the site is, while nothing says so: links are compared with it, and it is never shown.
_SOMEWHERE: Final = "https://site.invalid"
_TARGETS: Final = {"a": "href", "img": "src"}


def dead(subject: Subject) -> Iterator[Problem]:
    """Links and images whose address answers 404. Each is told once for a file, at the first line."""
    origin = subject.catalogue.origin.known or _SOMEWHERE
    reasons: dict[str, str | None] = {}
    for key, address, markdown in _texts(subject):
        references = AbsoluteReferences(origin + address, subject.catalogue.paths)
        told: set[str] = set()
        for reference in _references(markdown):
            url = references.link(reference)
            if not url.startswith(f"{origin}/"):
                continue
            path = re.split("[?#]", url.removeprefix(origin), maxsplit=1)[0]
            if path not in reasons:
                reasons[path] = _why_dead(subject, path)
            reason = reasons[path]
            if reason is not None and reference not in told:
                told.add(reference)
                place = Place(key, _line_of(markdown, reference))
                yield finding(
                    "link-dead", place, f"`{reference}` leads to {path}, where nothing is: {reason}"
                )


def _texts(subject: Subject) -> Iterator[tuple[str, str, str]]:
    """Each Markdown file that is published: its key, the first address it is at, and its text with the front
    matter as empty lines, so that lines count as in the file."""
    seen: set[str] = set()
    for entry in subject.catalogue.all_entries():
        key = _key_of(entry)
        if key is None or key in seen or is_absent(entry.verdict):
            continue
        seen.add(key)
        try:
            whole = subject.store.read(key).body
        except ObjectMissing:
            continue
        body = body_of(whole).decode(errors="replace")
        head = whole.decode(errors="replace").count("\n") - body.count("\n")
        yield key, entry.address, "\n" * head + body


def _key_of(entry: Entry) -> str | None:
    if entry.article is not None:
        return entry.article.key
    return entry.page.markdown.file if entry.page.markdown is not None else None


def _why_dead(subject: Subject, path: str) -> str | None:
    """Why nothing answers at a path, None where something does. A record may always be there."""
    found = subject.absences.resolve(path)
    if found.entry is not None or found.record is not None or found.note is None or found.note.served:
        return None
    return found.note.reason


def _references(markdown: str) -> Iterator[str]:
    """What the links and images of a Markdown text lead to, as the page shows them."""
    parser = _Links()
    parser.feed(markdown_to_html(markdown))
    yield from parser.found


class _Links(HTMLParser):
    """Collects the targets of links and images."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = _TARGETS.get(tag)
        self.found += [value for name, value in attrs if name == wanted and value]


def _line_of(markdown: str, reference: str) -> int:
    """The first line with a reference as its author may have written it, 0 where none has."""
    wanted = unquote(reference)
    return next((n for n, line in enumerate(markdown.split("\n"), 1) if wanted in unquote(unescape(line))), 0)
