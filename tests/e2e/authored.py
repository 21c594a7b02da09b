"""A site as its author sees it: which file makes which address, and what stands in that file's text."""

import contextlib
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote, urljoin, urlsplit

import yaml

from fingerpost_tools.main import main

# Where a link's destination stands: inline, in a reference's definition, in raw HTML, between angle brackets.
_DESTINATION: Final = re.compile(
    r"(?P<before>\]\(\s*<?|^[ >]*\[[^\]\n]+\]:\s*<?|\bhref=[\"'])(?P<to>\{\{%[^%]*%\}\}|[^\s)>\"']*)", re.M
)
_FRONT: Final = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^---[ \t]*\n", re.M | re.S)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(?P<text>.+?)[ \t]*#*$", re.M)
_FENCED: Final = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1", re.M | re.S)
_LINK: Final = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")


@dataclass(slots=True)
class Text:
    """One Markdown file and the address of the page that is made of it."""

    file: Path
    url: str
    text: str = ""

    def __post_init__(self) -> None:
        self.text = self.file.read_text(encoding="utf-8")

    @property
    def front(self) -> dict[str, Any]:
        match = _FRONT.match(self.text)
        return yaml.safe_load(match["yaml"]) or {} if match else {}

    @property
    def body(self) -> str:
        return _FRONT.sub("", self.text, count=1)

    def destinations(self) -> set[str]:
        """Every address that the text links to, absolute, fragments kept."""
        return {self._meaning(match["to"]) for match in _DESTINATION.finditer(self.text)}

    def relink(self, change: Callable[[str], str | None]) -> None:
        """Write another destination for each link whose absolute address `change` has one for."""

        def changed(match: re.Match[str]) -> str:
            new = change(self._meaning(match["to"]))
            return match[0] if new is None else match["before"] + new

        self._write(_DESTINATION.sub(changed, self.text))

    def fragments(self) -> set[str]:
        """The ids that a reader of the text expects: those written, and headings as GitHub names them."""
        body = _FENCED.sub("", self.body)
        counted: dict[str, int] = {}
        found = set(re.findall(r"\b(?:id|name)=[\"']([^\"']+)", body))
        for match in _HEADING.finditer(body):
            plain = re.sub(r"<[^>]+>|[`*]", "", _LINK.sub(r"\1", match["text"]))
            slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
            found.add(f"{slug}-{counted[slug]}" if slug in counted else slug)
            counted[slug] = counted.get(slug, 0) + 1
        return found

    def put(self, key: str, value: str) -> None:
        """Write one text of the front matter, in place of what may be there."""
        line = f"{key}: {json.dumps(value, ensure_ascii=False)}\n"
        match = _FRONT.match(self.text)
        if match is None:
            self._write(f"---\n{line}---\n{self.text}")
            return
        front, replaced = re.subn(
            rf"^{key}:.*\n(?:[ \t]+.*\n)*", lambda _: line, match["yaml"], count=1, flags=re.M
        )
        self._write(f"---\n{front if replaced else line + front}---\n{self.body}")

    def _meaning(self, destination: str) -> str:
        return normal(urljoin(self.url, destination))

    def _write(self, text: str) -> None:
        self.text = text
        self.file.write_text(text, encoding="utf-8")


@dataclass(slots=True)
class Authored:
    """The site in `root` as it is served at `origin`."""

    root: Path
    origin: str
    texts: dict[str, Text] = field(default_factory=dict)
    addresses: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            main(["explain", str(self.root), "--all", "--json", "--base-url", self.origin])
        entries = json.loads(told.getvalue())["entries"]
        self.addresses = frozenset(self.origin + entry["address"] for entry in entries)
        self.texts = {
            url: Text(self.root / entry["source"]["file"], url)
            for entry in entries
            if entry["source"]["kind"] == "article" and (url := self.origin + entry["address"])
        }

    def has(self, url: str) -> bool:
        """Whether the author wrote something for an address: a page, an article or a file."""
        path = unquote(url.removeprefix(self.origin)).lstrip("/")
        return url in self.addresses or (self.root / "public" / path).is_file()

    def articles(self) -> Iterator[Path]:
        yield from sorted((self.root / "content").rglob("*.md"))


def normal(url: str) -> str:
    """An address as pages link to it: what no URL holds is encoded, a `%` that begins no escape too, and no
    slash is at the end of a path."""
    encoded = quote(re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", url), safe="%/:?#=&+,;@!$'()*~")
    parts = urlsplit(encoded)
    return parts._replace(path=parts.path.rstrip("/") or "/").geturl()
