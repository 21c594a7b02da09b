"""Whether what an audit finds is true, judged by the site's own files and nothing that the auditor read."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from tests.e2e.authored import Authored, Text

Finding = Mapping[str, Any]
Judge = Callable[[Authored, Finding], bool]


def untrue(root: Path, report: Mapping[str, Any]) -> Iterator[tuple[str, Finding]]:
    """The findings of a report that the files of the site do not bear out, each with its check."""
    site = Authored(root, report["site"].rstrip("/"))
    for outcome in report["findings"]:
        judge = _JUDGES.get(outcome["id"])
        for finding in outcome["addresses"]:
            if judge is None or not judge(site, finding):
                yield outcome["id"], finding


def _dead(site: Authored, finding: Finding) -> bool:
    """Nothing was written for the address, and each page named links there."""
    return not site.has(finding["address"]) and _linked(site, finding)


def _linked(site: Authored, finding: Finding) -> bool:
    def links(text: Text) -> bool:
        return finding["address"] in {url.partition("#")[0] for url in text.destinations()}

    return bool(finding["pages"]) and all(links(site.texts[page]) for page in finding["pages"])


def _fragment(site: Authored, finding: Finding) -> bool:
    """The page links to the place, and the other's text has neither a heading nor an id of that name."""
    address, _, fragment = finding["detail"].partition("#")
    linked = finding["detail"] in site.texts[finding["address"]].destinations()
    return linked and unquote(fragment) not in site.texts[address].fragments()


def _title(site: Authored, finding: Finding) -> bool:
    """Every page named has that title in its front matter, or no other name than its file's."""
    texts = [site.texts[page] for page in (finding["address"], *finding["pages"])]
    titles = {str(text.front.get("title", text.file.stem)) for text in texts}
    return len(texts) > 1 and len(titles) == 1 and repr(titles.pop()[:80]) in finding["detail"]


def _shared_description(site: Authored, finding: Finding) -> bool:
    """Every page named has that description in its front matter, or begins with those words."""
    texts = [site.texts[page] for page in (finding["address"], *finding["pages"])]
    shown = re.findall(r"[^\W_]+", finding["detail"].rpartition(", also ")[0])
    return len(texts) > 1 and all(_words(text)[: len(shown) - 1] == shown[:-1] for text in texts)


def _no_description(site: Authored, finding: Finding) -> bool:
    """The page has neither a description nor a text that could be one."""
    return _words(site.texts[finding["address"]]) == []


def _words(text: Text) -> list[str]:
    """The words that describe a page: its description, else its text without comments, tags and marks."""
    written = text.front.get("description") or re.sub(r"<!--.*?-->|<[^>]*>", " ", text.body, flags=re.S)
    return re.findall(r"[^\W_]+", written)


def _same_moment(site: Authored, finding: Finding) -> bool:
    """All files were written at the moment named, and no article says when it changed."""
    moments = {int(file.stat().st_mtime) for file in site.articles()}
    return len(moments) == 1 and not any("lastmod" in text.front for text in site.texts.values())


_JUDGES: Final[Mapping[str, Judge]] = {
    "link-dead": _dead,
    "link-fragment": _fragment,
    "title-duplicate": _title,
    "description-duplicate": _shared_description,
    "description-missing": _no_description,
    "sitemap-lastmod-same": _same_moment,
}
