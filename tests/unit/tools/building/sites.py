"""A site for the build's tests, and what one looks at in its output."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ORIGIN = "https://example.com"
PAGES = """\
name: Site
pages:
  - {name: home, path: /, components: [{type: text, content: Home}]}
  - {name: about, path: /about, components: [{type: text, content: About}]}
  - {name: terms, path: /terms, meta: {noindex: true}, markdown: {content: Terms}}
  - {name: unlisted, path: /unlisted, sitemap: false}
  - {name: members, path: /members, access: authenticated}
  - {name: preview, path: /_preview}
  - name: docs
    path: /docs/:path*
    contentDir: {directory: content, slugFrom: filepath, index: introduction}
"""
LANGUAGES = "languages:\n  default: en\n  supported: [{code: en}, {code: fr}]\n"
CONTENT = {
    "content/introduction.md": "---\ntitle: Introduction\n---\nWelcome\n",
    "content/guide/start.md": "---\ntitle: Start\ndate: 2024-01-08\n---\nBegin\n",
    "content/guide/index.md": "# Guide\n",
    "content/hidden.md": "---\nhidden: true\n---\nHidden\n",
    "content/draft.md": "---\ndraft: true\n---\nDraft\n",
    "content/noindex.md": "---\nnoindex: true\n---\nPrivate\n",
}


@dataclass(frozen=True)
class Result:
    """What one run of the command came to."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    def problems(self, severity: str = "error") -> list[str]:
        """The messages of the summary's problems of one severity."""
        return [p["message"] for p in self.report["problems"] if p["severity"] == severity]


Build = Callable[..., Result]


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Put files below `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def files(folder: Path) -> set[str]:
    """Every file below `folder`, relative."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def text(out: Path, name: str) -> str:
    """The text of one file of an output."""
    return (out / name).read_text(encoding="utf-8")


def fingerprint(folder: Path) -> Mapping[str, tuple[str, int, int]]:
    """Content, time and identity of every file."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            status = path.stat()
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found[str(path.relative_to(folder))] = (digest, status.st_mtime_ns, status.st_ino)
    return found
