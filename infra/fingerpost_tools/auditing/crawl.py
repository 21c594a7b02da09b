"""The way of the crawl: robots.txt, sitemaps, pages, feeds, llms.txt, and then a sample in several ways.

Facts are filled as they come, so that a crawl that is interrupted still has something to say.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from fingerpost.limits import LOC_CHARACTERS, ROBOTS_BYTES
from fingerpost_tools.auditing import probes
from fingerpost_tools.auditing.exchange import Ended, Visit
from fingerpost_tools.auditing.facts import Facts, Feed, Page, Sitemap
from fingerpost_tools.auditing.feed_file import read_feed
from fingerpost_tools.auditing.fetcher import BROWSER, PATIENCE, REST_SECONDS, TOKEN, Fetcher, SiteGone, Wish
from fingerpost_tools.auditing.html_page import HtmlPage, read_html
from fingerpost_tools.auditing.markdown_files import is_html, read_llms, read_markdown
from fingerpost_tools.auditing.progress import Progress
from fingerpost_tools.auditing.robots_file import RobotsFile, read_robots
from fingerpost_tools.auditing.sampling import spread
from fingerpost_tools.auditing.sitemap_file import BYTES, read_sitemap
from fingerpost_tools.auditing.urls import Scope, normal, origin, resolve

MARKDOWN: Final = "text/markdown"
HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml")
# Where a feed may lie that nobody announces.
FEED_GUESSES: Final = ("/feed.xml", "/rss.xml", "/atom.xml", "/feed", "/index.xml")

ROBOTS: Final = Wish(2 * ROBOTS_BYTES)
SITEMAP: Final = Wish(BYTES)
FEED: Final = Wish(10 * 1024**2)
LLMS: Final = Wish(10 * 1024**2, "text/plain, text/markdown;q=0.9, */*;q=0.1")
PAGE: Final = Wish(5 * 1024**2, BROWSER, HTML_TYPES | {MARKDOWN, "text/plain", ""})

# How often the home page may lead to another host before that is a circle.
MOVES: Final = 3
SITEMAPS: Final = 100
ENTRIES: Final = 250_000
FEEDS: Final = 5
LLMS_LINKS: Final = 100


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is looked at: at most `pages` addresses, `sample` of them in several ways. `post` also sends
    one POST to the home page, `cookie` (`name=value`) asks for the sample once more with that cookie."""

    pages: int = 500
    sample: int = 20
    post: bool = False
    cookie: str = ""


class Crawl:
    """One walk over one site. `facts` is complete when `run` returns, and usable whenever it ends."""

    def __init__(self, fetcher: Fetcher, facts: Facts, limits: Limits, progress: Progress) -> None:
        self.fetcher = fetcher
        self.facts = facts
        self.limits = limits
        self.progress = progress
        # What pages, sitemaps and files point at; each queue before the next.
        self._wanted: deque[str] = deque()
        self._listed: deque[str] = deque()
        self._linked: deque[str] = deque()
        self._queries: deque[str] = deque()
        self._seen: set[str] = set()

    def run(self) -> None:
        """Walk from robots.txt to the last probe."""
        try:
            if not self._arrive():
                return
            self._sitemaps()
            self._llms()
            self._pages()
            self._feeds()
            self._pages()
            self._twins()
            self._missing()
            self._plain()
            probes.run(self.fetcher, self.facts, self.limits.sample, self.limits.cookie, self.progress)
            self._post()
            self._again()
        except SiteGone:
            self.facts.notes.append(
                f"The site gave no answer {PATIENCE} times in a row, so the crawl ended there."
            )

    def _follow(self, url: str, wish: Wish) -> Visit:
        visit = self.fetcher.follow(url, wish)
        self.facts.requests = self.fetcher.count
        return visit

    def _permitted(self, url: str) -> bool:
        if self.facts.permits(url, TOKEN):
            return True
        self.facts.forbidden.add(normal(url))
        return False

    # robots.txt and the home page

    def _arrive(self) -> bool:
        """Read robots.txt and the home page; whether there is a site to go on with. Where the home page leads
        to another host (`example.com` to `www.example.com`), that host is the site."""
        facts = self.facts
        for _ in range(MOVES):
            if not self._robots():
                return False
            self._visit(facts.scope.home)
            home = facts.page(facts.scope.home)
            if home is None or home.visit.ended is not Ended.ELSEWHERE:
                return home is not None
            facts.notes.append(f"{facts.scope.home} leads to {home.visit.target}, which was looked at.")
            facts.scope = Scope(origin(home.visit.target), facts.scope.base)
            facts.pages.clear()
            facts.robots = RobotsFile()
        return False

    def _robots(self) -> bool:
        """Read robots.txt; whether it lets the crawl go on (RFC 9309 2.3.1.3-4: where it can't be had for the
        server's fault, everything is forbidden)."""
        facts = self.facts
        visit = self._follow(f"{facts.scope.origin}/robots.txt", ROBOTS)
        facts.robots_visit = _lightened(visit)
        if visit.ended is Ended.FAILED or visit.last.status >= 500:
            facts.notes.append(
                "robots.txt can't be had, which a robot has to take as a refusal: nothing else was asked for."
            )
            return False
        if visit.answer is not None and visit.answer.status == 200 and not is_html(visit.answer.body):
            facts.robots = read_robots(visit.answer.body[:ROBOTS_BYTES])
        self.fetcher.permits = self._permitted
        self.fetcher.pace.slow_to(min(facts.robots.delay(TOKEN), REST_SECONDS))
        if not self._permitted(facts.scope.home):
            facts.notes.append(f"robots.txt forbids {TOKEN} the home page: nothing else was asked for.")
            return False
        return True

    # Sitemaps

    def _sitemaps(self) -> None:
        facts = self.facts
        robots = f"{facts.scope.origin}/robots.txt"
        told = [(resolve(robots, value) or value, "robots.txt") for _, value in facts.robots.sitemaps]
        guessed = [] if told else [(facts.scope.url("/sitemap.xml"), "")]
        queue = deque(told or guessed)
        skipped = False
        entries = 0
        self.progress.stage("sitemaps", len(queue))
        while queue:
            url, told_by = queue.popleft()
            if normal(url) in facts.sitemaps:
                continue
            fetchable = facts.scope.same_host(url) and self._permitted(url)
            if not fetchable or len(facts.sitemaps) >= SITEMAPS or entries >= ENTRIES:
                skipped = True
                continue
            sitemap = self._sitemap(url, told_by)
            facts.sitemaps[normal(url)] = sitemap
            if sitemap.file is None or sitemap.file.broken:
                skipped = True
            elif sitemap.file.index and told_by in ("", "robots.txt"):
                queue.extend((entry.loc, url) for entry in sitemap.file.entries)
            else:
                entries += len(sitemap.file.entries)
            self.progress.step(len(facts.sitemaps) + len(queue))
        facts.sitemaps_complete = not skipped
        if skipped and len(facts.sitemaps) >= SITEMAPS:
            facts.notes.append(f"Only the first {SITEMAPS} sitemaps were read.")
        locs = list(dict.fromkeys(normal(entry.loc) for _, entry in facts.entries()))
        self._listed.extend(spread(locs, max(1, self.limits.pages * 4 // 5)))

    def _sitemap(self, url: str, told_by: str) -> Sitemap:
        visit = self._follow(url, SITEMAP)
        answer = visit.answer
        if answer is None or answer.status != 200:
            return Sitemap(url, _lightened(visit), told_by)
        file = read_sitemap(answer.body)
        if answer.fault and not file.broken:
            file.broken = answer.fault
        return Sitemap(url, _lightened(visit), told_by, file)

    # Pages

    def _pages(self) -> None:
        """Visit what is queued, up to the limit."""
        facts = self.facts
        queues = (self._wanted, self._listed, self._linked, self._queries)
        self.progress.stage("pages", self._total())
        while queue := next(filter(None, queues), None):
            if len(facts.pages) >= self.limits.pages:
                break
            self._visit(queue.popleft())
            self.progress.step(self._total())
        waiting = {normal(url) for queue in queues for url in queue}
        waiting.update(filter(facts.scope.holds, facts.listed()))
        facts.unvisited = len(waiting - facts.pages.keys() - facts.forbidden)

    def _total(self) -> int:
        queued = sum(map(len, (self._wanted, self._listed, self._linked, self._queries)))
        return min(self.limits.pages, len(self.facts.pages) + queued)

    def _visit(self, url: str) -> None:
        """Ask for a page unless it is known, not the site's, forbidden or longer than an address may be."""
        key = normal(url)
        facts = self.facts
        if key in facts.pages or not facts.scope.holds(url) or len(url) >= LOC_CHARACTERS:
            return
        if not self._permitted(url):
            return
        visit = self._follow(url, PAGE)
        facts.pages[key] = page = _page(key, visit)
        if visit.redirected and page.answer is not None:
            # What stands at the end of the way is a page of its own, and need not be fetched again.
            end = normal(page.answer.url)
            arrived = replace(page, url=end, visit=Visit(end, (page.answer,), Ended.ANSWERED))
            page = facts.pages.setdefault(end, arrived)
        if page.html is not None:
            self._queue(page, page.html)

    def _queue(self, page: Page, html: HtmlPage) -> None:
        """Queue what a page points at: first what engines take from its head, then what readers click."""
        self._want(*filter(None, [page.canonical, *(html.absolute(href) for _, href in page.hreflangs)]))
        for link in html.links:
            if normal(link.url) not in self._seen and self.facts.scope.holds(link.url):
                self._seen.add(normal(link.url))
                (self._queries if "?" in link.url else self._linked).append(link.url)

    def _want(self, *urls: str) -> None:
        for url in urls:
            if normal(url) not in self._seen and self.facts.scope.holds(url):
                self._seen.add(normal(url))
                self._wanted.append(url)

    # Feeds, llms.txt, twins

    def _feeds(self) -> None:
        """Read the feeds that pages announce, and the usual places where none does."""
        facts = self.facts
        announced: dict[str, list[str]] = {}
        for page in facts.pages.values():
            for url in (url for media_type in FEED_TYPES for url in page.alternates(media_type)):
                if facts.scope.same_host(url):
                    announced.setdefault(normal(url), []).append(page.url)
        guesses = () if announced else tuple(map(facts.scope.url, FEED_GUESSES))
        self.progress.stage("feeds", len(announced))
        for url in [*list(announced)[:FEEDS], *guesses]:
            if not self._permitted(url):
                continue
            visit = self._follow(url, FEED)
            self.progress.step(len(announced))
            answer = visit.answer
            there = answer is not None and answer.status == 200
            if url not in announced and not (there and _looks_like_feed(visit.last.body)):
                continue
            file = read_feed(visit.last.body) if there else None
            feed = Feed(url, _lightened(visit), tuple(announced.get(url, ())), file)
            facts.feeds[url] = feed
            if file is not None:
                self._want(*(link for item in file.items if (link := resolve(url, item.link or item.guid))))
                self._want(*filter(None, [resolve(url, file.link)]))

    def _llms(self) -> None:
        facts = self.facts
        url = facts.scope.url("/llms.txt")
        if not self._permitted(url):
            return
        visit = self._follow(url, LLMS)
        facts.llms_visit = _lightened(visit)
        if visit.answer is not None and visit.answer.status == 200:
            facts.llms = read_llms(visit.answer.body)
            targets = [target for link in facts.llms.links if (target := resolve(url, link)) is not None]
            self._want(*spread(targets, min(LLMS_LINKS, self.limits.pages // 5)))

    def _twins(self) -> None:
        """The Markdown twins that pages announce: all are noted, a sample is fetched."""
        facts = self.facts
        for page, _ in facts.html_pages():
            for twin in page.alternates(MARKDOWN)[:1]:
                facts.twins[page.url] = normal(twin)
        chosen = spread(list(facts.twins.values()), self.limits.sample)
        self.progress.stage("twins", len(chosen))
        for twin in chosen:
            self._visit(twin)
            self.progress.step(len(chosen))

    # The rest

    def _missing(self) -> None:
        """An address that no site has."""
        url = self.facts.scope.url(f"/{TOKEN}-no-such-page")
        if self._permitted(url):
            self.facts.missing = _lightened(self._follow(url, PAGE))

    def _plain(self) -> None:
        """The home page of an https site over plain http, at the port that its address names, else at 80."""
        scheme, _, rest = self.facts.scope.home.partition("://")
        if scheme == "https":
            self.facts.plain = _lightened(self._follow(f"http://{rest}", PAGE))

    def _post(self) -> None:
        """One POST without a body to the home page, where the operator asked for it."""
        if self.limits.post:
            self.facts.posted = self.fetcher.ask(self.facts.scope.home, PAGE, "POST").without_body()

    def _again(self) -> None:
        """Feeds and the first sitemap once more: what moved although nobody changed anything?"""
        facts = self.facts
        self.progress.stage("a second look", len(facts.feeds) + 1)
        for key, feed in facts.feeds.items():
            if feed.file is not None:
                facts.feeds[key] = replace(feed, again=_lightened(self._follow(feed.url, FEED)))
            self.progress.step(len(facts.feeds) + 1)
        for key, sitemap in facts.sitemaps.items():
            if sitemap.file is not None and not sitemap.file.index:
                facts.sitemaps[key] = replace(sitemap, again=self._sitemap(sitemap.url, sitemap.told_by).file)
                break


def _page(url: str, visit: Visit) -> Page:
    """What was found at `url`; the body is read and let go."""
    answer = visit.answer
    if answer is None or answer.status != 200:
        return Page(url, _lightened(visit))
    html = markdown = None
    if answer.content_type in HTML_TYPES:
        html = read_html(answer.body, answer.url, answer.charset)
    elif answer.content_type in (MARKDOWN, "text/plain", ""):
        markdown = read_markdown(answer.body)
    return Page(url, _lightened(visit), html, markdown)


def _lightened(visit: Visit) -> Visit:
    return replace(visit, hops=tuple(hop.without_body() for hop in visit.hops))


def _looks_like_feed(body: bytes) -> bool:
    head = body[:1024]
    return b"<rss" in head or b"<feed" in head
