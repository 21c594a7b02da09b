"""Everything a served site publishes, fetched once: its documents, and each page in every form it has."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from lxml import html

from tests.e2e.serving import MARKDOWN, Served
from tests.support import Response
from tests.unit.documents import sitemaps
from tests.unit.documents.sitemaps import Element

DOCUMENTS: Final = (
    "robots.txt",
    "sitemap.xml",
    "feed.xml",
    "llms.txt",
    "llms-full.txt",
    "agent-readability.json",
)


@dataclass(frozen=True)
class Page:
    """One published address in the forms it has; `twin` and `negotiated` only where its head names a twin."""

    listed: Element
    html: Response
    twin_url: str | None = None
    twin: Response | None = None
    negotiated: Response | None = None

    @cached_property
    def tree(self) -> Any:
        """The page, parsed."""
        return html.document_fromstring(self.html.text)

    def links(self, rel: str) -> list[Any]:
        """The `link` elements of the head with one `rel`."""
        return list(self.tree.xpath("/html/head/link[@rel=$rel]", rel=rel))

    @property
    def alternates(self) -> dict[str, str]:
        """The hreflang cluster of the head: href by code."""
        links = [link for link in self.links("alternate") if link.get("hreflang")]
        cluster = {link.get("hreflang"): link.get("href") for link in links}
        assert len(cluster) == len(links), "one code twice"
        return cluster


@dataclass(frozen=True, slots=True)
class Crawl:
    """What a site answers. `name` is its own in tests.e2e.sites, if it is one of those; `documents` are the
    well-known files by name, those that answered 200."""

    served: Served
    documents: Mapping[str, Response]
    listed: tuple[Element, ...]
    pages: Mapping[str, Page] = field(default_factory=dict, repr=False)
    name: str = ""

    def index(self) -> list[Element]:
        """The children that a sitemap index names."""
        return sitemaps.read(self.documents["sitemap.xml"].body)

    def everything(self) -> Iterator[tuple[str, Response]]:
        """Every answer with the address it came from, for what must be nowhere or everywhere."""
        for name, found in self.documents.items():
            yield f"{self.served.home}/{name}", found
        for url, page in self.pages.items():
            yield url, page.html
            if page.twin is not None and page.twin_url is not None:
                yield page.twin_url, page.twin


def crawl(name: str, served: Served) -> Crawl:
    """Fetch everything that `served`, the site `name`, publishes."""
    found = crawl_documents(served)
    return replace(found, name=name, pages={entry.loc: fetch_page(served, entry) for entry in found.listed})


def crawl_documents(served: Served) -> Crawl:
    """Fetch the documents of a site, and no page."""
    documents = {
        name: found for name in DOCUMENTS if (found := served.get(f"{served.base}/{name}")).status == 200
    }
    listed: list[Element] = []
    if "sitemap.xml" in documents:
        listed = sitemaps.read(documents["sitemap.xml"].body)
        if b"<sitemapindex" in documents["sitemap.xml"].body:
            children = {child.loc.rpartition("/")[2]: served.get(child.loc) for child in listed}
            documents |= children
            listed = [entry for child in children.values() for entry in sitemaps.read(child.body)]
    for part in _further_parts(documents.get("llms-full.txt"), served):
        documents[part.rpartition("/")[2]] = served.get(part)
    return Crawl(served, documents, tuple(listed))


def fetch_page(served: Served, listed: Element) -> Page:
    """A page and, where its head names one, its Markdown twin and what is negotiated at its own address."""
    page = Page(listed, served.get(listed.loc))
    twins = [link.get("href") for link in page.links("alternate") if link.get("type") == MARKDOWN]
    if not twins:
        return page
    return Page(
        listed,
        page.html,
        twins[0],
        served.get(twins[0]),
        served.get(listed.loc, f"{MARKDOWN}, text/html;q=0.5"),
    )


def _further_parts(first: Response | None, served: Served) -> list[str]:
    """The continuations that llms-full.txt announces."""
    parts: list[str] = []
    found = first
    while found is not None and found.status == 200:
        announced = re.findall(rf"{re.escape(served.home)}/llms-full-\d+\.txt", found.text)
        fresh = [urljoin(served.home, url) for url in announced if url not in parts]
        parts += fresh[:1]
        found = served.get(fresh[0]) if fresh else None
    return parts


def article_bodies(root: Path) -> dict[str, str]:
    """The Markdown files of a site by path, without front matter: split by a rule of the test's own."""
    fence = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
    files = (path for path in (root / "content").rglob("*") if path.suffix.lower() == ".md")
    return {
        str(path.relative_to(root)): fence.sub("", path.read_bytes().decode("utf-8"), count=1)
        for path in files
    }
