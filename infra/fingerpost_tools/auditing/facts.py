"""Everything a crawl has learnt: what checks judge and reports count."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from fingerpost_tools.auditing.exchange import Ended, Exchange, Visit
from fingerpost_tools.auditing.feed_file import FeedFile
from fingerpost_tools.auditing.html_page import HtmlPage, directives
from fingerpost_tools.auditing.markdown_files import LlmsFile, MarkdownText
from fingerpost_tools.auditing.robots_file import RobotsFile
from fingerpost_tools.auditing.sitemap_file import Entry, SitemapFile
from fingerpost_tools.auditing.urls import Scope, normal, resolve

# The hreflang of the version for readers of all other languages.
DEFAULT: Final = "x-default"
# Answers that say nothing of whether there is a page: it is not for this robot, or not now.
_REFUSALS: Final = frozenset({401, 402, 403, 407, 429, 451})


@dataclass(frozen=True)
class Page:
    """One address that was asked for as a browser asks. `html` and `markdown` tell of the body at the end of
    the way, whichever it is."""

    url: str
    visit: Visit
    html: HtmlPage | None = None
    markdown: MarkdownText | None = None

    @property
    def answer(self) -> Exchange | None:
        return self.visit.answer

    @property
    def ok(self) -> bool:
        """Whether the address itself answers 200, without a redirect."""
        return not self.visit.redirected and self.status == 200

    @property
    def status(self) -> int:
        """The status at the end of the way, 0 where there is no answer."""
        return self.answer.status if self.answer is not None else 0

    @property
    def dead(self) -> bool:
        """Whether the way ends in no page. A way that leads to another host, or where the site or its
        robots.txt forbids to go on, is not known to end badly."""
        if self.refused or self.visit.ended in (Ended.ELSEWHERE, Ended.FORBIDDEN):
            return False
        return not 200 <= self.status < 300

    @property
    def refused(self) -> bool:
        """Whether the site turns the robot away, with whatever may be there."""
        return self.status in _REFUSALS

    @cached_property
    def robots(self) -> frozenset[str]:
        """The directives for search engines, from the head and from X-Robots-Tag."""
        said = [] if self.html is None else list(self.html.robots)
        if self.answer is not None:
            said.append(self.answer.headers.get("x-robots-tag", ""))
        return frozenset(name for text in said for name in directives(text))

    @property
    def noindex(self) -> bool:
        return bool(self.robots & {"noindex", "none"})

    @cached_property
    def canonical(self) -> str | None:
        """The absolute URL this page names as canonical, in its head or its Link header; None for none."""
        if self.answer is None:
            return None
        head = [] if self.html is None else self.html.canonicals
        written = next(iter([*head, *self.answer.linked("canonical")]), None)
        base = self.answer.url if self.html is None else self.html.base
        return None if written is None else resolve(base, written)

    @property
    def own_canonical(self) -> bool:
        """Whether the page names no other address as canonical."""
        return self.canonical is None or normal(self.canonical) == normal(self.url)

    @property
    def indexable(self) -> bool:
        """Whether an engine may list this address: HTML, 200, no noindex, its own canonical."""
        return self.ok and self.html is not None and not self.noindex and self.own_canonical

    @cached_property
    def hreflangs(self) -> tuple[tuple[str, str], ...]:
        """(code, href) of every language version the head or the Link header names, as written."""
        head = () if self.html is None else self.html.alternates
        found = [(each.hreflang, each.href) for each in head if each.hreflang]
        if self.answer is not None:
            found += [
                (values["hreflang"], target)
                for target, values in self.answer.links
                if values.get("hreflang") and "alternate" in values.get("rel", "").lower().split()
            ]
        return tuple(found)

    @cached_property
    def announced_as(self) -> frozenset[str]:
        """The languages, in lower case, that the page announces itself as among its own versions."""
        if self.answer is None:
            return frozenset()
        base = self.answer.url if self.html is None else self.html.base
        own = (code for code, href in self.hreflangs if normal(resolve(base, href) or href) == self.url)
        return frozenset(code.lower() for code in own) - {DEFAULT}

    def alternates(self, media_type: str) -> tuple[str, ...]:
        """The absolute URLs of the alternates of one media type, from the head and the Link header."""
        if self.answer is None:
            return ()
        head = () if self.html is None else self.html.alternates
        written = [each.href for each in head if each.type == media_type]
        written += [
            target
            for target, values in self.answer.links
            if values.get("type", "").lower() == media_type
            and "alternate" in values.get("rel", "").lower().split()
        ]
        base = self.answer.url if self.html is None else self.html.base
        return tuple(url for href in written if (url := resolve(base, href)) is not None)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One sitemap that was asked for. `told_by` is "" for one that was only guessed, else `robots.txt` or the
    index that lists it; `again` is the same file once more, fetched when the crawl was over."""

    url: str
    visit: Visit
    told_by: str
    file: SitemapFile | None = None
    again: SitemapFile | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed. `announced` are the pages whose head names it; `again` is the file fetched a second time."""

    url: str
    visit: Visit
    announced: tuple[str, ...]
    file: FeedFile | None = None
    again: Visit | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """One address asked for in several ways. An exchange that was not made is None.

    `plain` is what a browser gets, `markdown` what `Accept: text/markdown` gets, `refused` what an Accept
    that refuses Markdown gets; `head` a HEAD, `conditional` the validators of `plain` sent back, `identity`
    a request without compression, `cookie` one with the cookie that the operator gave.
    """

    url: str
    plain: Exchange
    markdown: Exchange | None = None
    markdown_text: MarkdownText | None = None
    refused: Exchange | None = None
    head: Exchange | None = None
    conditional: Exchange | None = None
    identity: Exchange | None = None
    cookie: Exchange | None = None


@dataclass(slots=True)
class Facts:
    """What is known of a site at `now`. `notes` say in sentences what was not looked at, and why."""

    scope: Scope
    now: datetime
    robots_visit: Visit | None = None
    robots: RobotsFile = field(default_factory=RobotsFile)
    sitemaps: dict[str, Sitemap] = field(default_factory=dict)
    # Whether every sitemap that was told of has been read.
    sitemaps_complete: bool = False
    pages: dict[str, Page] = field(default_factory=dict)
    feeds: dict[str, Feed] = field(default_factory=dict)
    llms_visit: Visit | None = None
    llms: LlmsFile | None = None
    # Page -> the address of its twin, where the page announces one.
    twins: dict[str, str] = field(default_factory=dict)
    probes: list[Probe] = field(default_factory=list)
    missing: Visit | None = None
    # The home page of an https site, asked for over http.
    plain: Visit | None = None
    posted: Exchange | None = None
    forbidden: set[str] = field(default_factory=set)
    unvisited: int = 0
    requests: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    def page(self, url: str) -> Page | None:
        """What was found at an address, None where it was not asked for."""
        return self.pages.get(normal(url))

    def html_pages(self) -> Iterator[tuple[Page, HtmlPage]]:
        """The pages that answer 200 with HTML at their own address."""
        for page in self.pages.values():
            if page.ok and page.html is not None:
                yield page, page.html

    def entries(self) -> Iterator[tuple[Sitemap, Entry]]:
        """Every address that a sitemap lists, with the sitemap."""
        for sitemap in self.sitemaps.values():
            if sitemap.file is not None and not sitemap.file.index:
                for entry in sitemap.file.entries:
                    yield sitemap, entry

    def listed(self) -> Mapping[str, Entry]:
        """The sitemaps' entries by address, the first where one is there twice."""
        found: dict[str, Entry] = {}
        for _, entry in self.entries():
            found.setdefault(normal(entry.loc), entry)
        return found

    def linked_from(self) -> Mapping[str, tuple[str, ...]]:
        """Each address that other pages link to, with those pages."""
        found: dict[str, dict[str, None]] = {}
        for page, html in self.html_pages():
            for link in html.links:
                if (address := normal(link.url)) != page.url:
                    found.setdefault(address, {})[page.url] = None
        return {address: tuple(pages) for address, pages in found.items()}

    def permits(self, url: str, robot: str = "*") -> bool:
        """Whether robots.txt lets a robot fetch `url`; `*` is a robot that no group names."""
        return self.robots.permits(url, robot)
