"""An owner who does what a report of `fingerpost audit` advises, with nothing but the report and his site."""

import json
import os
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from tests.e2e.authored import Authored

Report = Mapping[str, Any]
Finding = Mapping[str, Any]
DAY: Final = 86_400
_FILE: Final = re.compile(r"\.(?:png|jpg|jpeg|gif|svg|webp|json|txt|xml|zip)$")


def mend(root: Path, report: Report) -> None:
    """Mend every finding of a report in the site's files. KeyError on one that nothing can be done about."""
    site = Authored(root, report["site"].rstrip("/"))
    for outcome in report["findings"]:
        _MENDS[outcome["id"]](site, outcome["addresses"])


def _supply(site: Authored, findings: list[Finding]) -> None:
    """What was not copied along with the articles: at each address that is dead a file of its type, or a page
    with all the sections that links lead to."""
    sections: dict[str, set[str]] = {}
    for finding in findings:
        linked = (url.partition("#") for page in finding["pages"] for url in site.texts[page].destinations())
        ids = {
            unquote(fragment) for address, _, fragment in linked if address == finding["address"] and fragment
        }
        sections[urlsplit(finding["address"]).path] = ids
    pages = []
    for path, ids in sections.items():
        if _FILE.search(path):
            file = site.root / "public" / unquote(path).lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"supplied")
        else:
            pages.append(f"  - {json.dumps(_page(path, ids))}\n")
    configuration = site.root / "app.yaml"
    text = configuration.read_text(encoding="utf-8")
    configuration.write_text(text.replace("\npages:\n", f"\npages:\n{''.join(pages)}"), encoding="utf-8")


def _page(path: str, ids: set[str]) -> dict[str, Any]:
    sections = "".join(f'\n<p id="{escape(id_)}">{escape(id_)}</p>\n' for id_ in sorted(ids))
    return {
        "name": path,
        "path": path,
        "meta": {"title": f"Supplied: {path}", "description": f"What {path} is about."},
        "markdown": {"content": f"# Supplied\n{sections}"},
    }


def _point_at_the_top(site: Authored, findings: list[Finding]) -> None:
    """Each link to a place that is not there, on the page named."""
    tops: dict[str, dict[str, str]] = {}
    for finding in findings:
        address = finding["detail"].partition("#")[0]
        tops.setdefault(finding["address"], {})[finding["detail"]] = (
            f"{address.removeprefix(site.origin)}#top"
        )
    for page, changes in tops.items():
        site.texts[page].relink(changes.get)


def _retitle(site: Authored, findings: list[Finding]) -> None:
    """All pages of one title but the first get another."""
    for url in (page for finding in findings for page in finding["pages"]):
        site.texts[url].put("title", f"As told at {urlsplit(url).path}")


def _describe(site: Authored, findings: list[Finding]) -> None:
    """A description of its own for each page that has none, or shares one with the first."""
    for url in (page for finding in findings for page in finding["pages"] or [finding["address"]]):
        site.texts[url].put("description", f"What {urlsplit(url).path} is about.")


def _date(site: Authored, findings: list[Finding]) -> None:
    """A time of its own for each article's file."""
    for number, file in enumerate(site.articles()):
        moment = file.stat().st_mtime - number * DAY
        os.utime(file, (moment, moment))


_MENDS: Final[Mapping[str, Callable[[Authored, list[Finding]], None]]] = {
    "link-dead": _supply,
    "link-fragment": _point_at_the_top,
    "title-duplicate": _retitle,
    "description-duplicate": _describe,
    "description-missing": _describe,
    "sitemap-lastmod-same": _date,
}
