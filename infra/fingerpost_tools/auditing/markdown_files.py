"""llms.txt (llmstxt.org) and Markdown twins: their form, and the links that they list."""

import re
from dataclasses import dataclass, field
from typing import Final

# A list item that begins with a link, as llmstxt.org defines a file list.
_ITEM: Final = re.compile(
    r"^[ \t]*[-*+][ \t]+\[(?:[^\]\\]|\\.)*\]"
    r"\((?P<href><[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)"
)
_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?:[ \t]*\r?\n)*[A-Za-z_][\w.-]*[ \t]*:(?:[ \t].*)?\r?\n"
    r"(?:.*\r?\n)*?---[ \t]*(?:\r?\n|\Z)"
)
# Each comment is taken once and for all, or many of them would be divided up in every way there is.
_HTML: Final = re.compile(r"\A\ufeff?\s*(?><!--.*?-->\s*)*+<(?:!doctype\s+html|html[\s>])", re.I | re.S)


@dataclass(slots=True)
class LlmsFile:
    """What an llms.txt holds: its `# title` ("" where the file begins with something else) and the targets
    of its lists, as they are written."""

    title: str = ""
    first_line: str = ""
    links: list[str] = field(default_factory=list)


def read_llms(body: bytes) -> LlmsFile:
    """Read an llms.txt."""
    lines = body.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    filled = [line for line in lines if line.strip()]
    llms = LlmsFile(first_line=filled[0].strip()[:80] if filled else "")
    if llms.first_line.startswith("# "):
        llms.title = llms.first_line[2:].strip()
    for line in filled:
        match = _ITEM.match(line)
        if match is not None:
            llms.links.append(match["href"].removeprefix("<").removesuffix(">"))
    return llms


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """What matters of a Markdown body: whether its front matter came along, whether it is HTML after all, and
    the digest of its text, white space at the ends left out."""

    front_matter: bool
    html: bool
    digest: str


def read_markdown(body: bytes) -> MarkdownText:
    """Read a Markdown body."""
    from fingerpost_tools.auditing.exchange import digest_of

    text = body.decode("utf-8", "replace")
    return MarkdownText(bool(_FRONT_MATTER.match(text)), is_html(body), digest_of(text.strip().encode()))


def is_html(body: bytes) -> bool:
    """Whether a body is an HTML document, whatever its type says."""
    return bool(_HTML.match(body[:4096].decode("utf-8", "replace")))
