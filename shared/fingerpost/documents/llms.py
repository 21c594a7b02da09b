"""llms.txt and llms-full.txt (llmstxt.org; SPEC section 11).

llms.txt lists the Markdown twins by group. llms-full.txt holds the articles themselves; where they are
more than one answer can carry, it continues in further parts, and every part but the last says where.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from fingerpost.catalogue.addresses import Paths
from fingerpost.documents.escape import drop_forbidden
from fingerpost.limits import RESPONSE_BYTES
from fingerpost.values import dataclass

# What could start markup inside a line of text. An underscore between letters can't.
_MARKUP = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
# What makes a line another block at its start ...
_BLOCK_START = re.compile(r"^(?:(?P<before>\d{1,9})(?=[.)](?: |$))|(?=[-+>#]))(?P<mark>.)")
# ... and what a heading loses at its end (CommonMark 4.2).
_HEADING_END = re.compile(r"(?<= )(?=#+$)|^(?=#+$)")
# Room for the line that tells how many links were left out.
_LEFT_OUT_BYTES: Final = 200


@dataclass(frozen=True, slots=True)
class LlmsLink:
    """One line of a list. `url` is absolute."""

    title: str
    url: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class LlmsGroup:
    """One section; left out where it has no links."""

    title: str
    links: tuple[LlmsLink, ...]


@dataclass(frozen=True, slots=True)
class FullArticle:
    """One article of llms-full.txt: its Markdown without front matter, and its page's absolute address.
    `paths` is the form of the site's paths, which links within it get."""

    title: str
    url: str
    markdown: str
    paths: Paths = Paths()


def render_llms(
    title: str,
    description: str | None,
    groups: Iterable[LlmsGroup],
    optional: Sequence[LlmsLink] = (),
    *,
    most: int = RESPONSE_BYTES,
) -> bytes:
    """/llms.txt: a heading, a quoted description, and one section of links per group, in the order given.

    `optional` becomes the section `Optional`, whose links llmstxt.org lets a reader with little room skip:
    the place of what repeats the rest, such as llms-full.txt. Links beyond `most` bytes are left out from
    the end, and the file says how many.
    """
    lines = [f"# {_heading(title)}"]
    if description and (quoted := _text(description)):
        lines += ["", "> " + _BLOCK_START.sub(r"\g<before>\\\g<mark>", quoted)]
    size, left_out = len("\n".join(lines).encode()), 0
    for group in (*groups, LlmsGroup("Optional", tuple(optional))):
        head = ["", f"## {_heading(group.title)}", ""]
        for link in group.links:
            added = [*head, _link(link)]
            bytes_added = len("\n".join(added).encode()) + 1
            if left_out or size + bytes_added > most - _LEFT_OUT_BYTES:
                left_out += 1
                continue
            lines += added
            size += bytes_added
            head = []
    if left_out:
        lines += ["", f"{left_out} more pages do not fit into this file."]
    return ("\n".join(lines) + "\n").encode()


def render_llms_full(
    articles: Iterable[FullArticle], part_address: Callable[[int], str], *, most: int = RESPONSE_BYTES
) -> Iterator[bytes]:
    """The parts of /llms-full.txt, the first of them that file itself, each of at most `most` bytes: one at a
    time, so that no more than one need be in memory.

    `part_address(n)` is the absolute address of part `n`, counted from 1. An article is whole in one part
    unless it is larger than a part: then it is divided at line ends, and each further piece says what it
    continues. No articles, no parts.
    """
    parts = _Parts(part_address, most)
    for article in articles:
        heading, body = _opening(article, ""), _body(article)
        if len(heading) + len(body) > parts.room and not parts.blank:
            yield parts.turn()
        while len(heading) + len(body) > parts.room:
            cut = _line_end(body, max(4, parts.room - len(heading)))
            parts.add(heading + body[:cut])
            yield parts.turn()
            heading, body = _opening(article, " (continued)"), body[cut:]
        parts.add(heading + body)
    if not parts.blank:
        yield parts.last()


class _Parts:
    """Parts being filled; the open one always has room to name the next."""

    def __init__(self, address: Callable[[int], str], most: int) -> None:
        self._address = address
        self._most = most
        self._number = 0
        self._begin()

    @property
    def blank(self) -> bool:
        return not self._open

    def add(self, block: bytes) -> None:
        self._open.append(block)
        self.room -= len(block)

    def turn(self) -> bytes:
        """The open part, closed with the address of the next, which is open now."""
        part = b"".join(self._open) + self._next
        self._begin()
        return part

    def last(self) -> bytes:
        """The open part as the last one."""
        return b"".join(self._open)

    def _begin(self) -> None:
        self._number += 1
        self._open: list[bytes] = []
        self._next = f"\nContinued in <{self._address(self._number + 1)}>\n".encode()
        self.room = self._most - len(self._next)


def _opening(article: FullArticle, note: str) -> bytes:
    return f"# {_heading(article.title + note)}\n\nSource: <{article.url}>\n\n".encode()


def _body(article: FullArticle) -> bytes:
    """The article's text with absolute links; what it leaves open (a fence) is closed, so that it does not
    take in the article that follows."""
    from fingerpost.documents.absolute_markdown import absolute_markdown
    from fingerpost.documents.blocks import structure
    from fingerpost.documents.references import AbsoluteReferences

    read = structure(article.markdown)
    references = AbsoluteReferences(article.url, article.paths)
    text = absolute_markdown(article.markdown, read, references).strip("\r\n")
    if read.unclosed:
        text = f"{text}\n{read.unclosed}"
    return f"{text}\n\n".encode(errors="replace")


def _line_end(body: bytes, most: int) -> int:
    """The last line end within `most` bytes, else the last character's end there."""
    cut = body.rfind(b"\n", 0, most) + 1
    if not cut:
        cut = most
        while body[cut] & 0b1100_0000 == 0b1000_0000:  # inside a UTF-8 sequence
            cut -= 1
    return cut


def _link(link: LlmsLink) -> str:
    url = link.url.replace("(", "%28").replace(")", "%29")
    line = f"- [{_text(link.title) or url}]({url})"
    return f"{line}: {description}" if link.description and (description := _text(link.description)) else line


def _heading(text: str) -> str:
    return _HEADING_END.sub(r"\\", _text(text))


def _text(text: str) -> str:
    """Text on one line that Markdown reads as just that."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(drop_forbidden(text).split()))
