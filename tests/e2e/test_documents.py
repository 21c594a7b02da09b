"""The well-known files of every site, read by programs that other people wrote."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import feedparser
import pytest
import robots
from lxml import etree, html
from markdown_it import MarkdownIt
from protego import Protego

from tests.e2e import blog as posts
from tests.e2e import markdown, sites
from tests.e2e.crawling import Crawl, fetch_page
from tests.support import Response
from tests.unit.documents import sitemaps
from tests.unit.documents.sitemaps import Element

pytestmark = pytest.mark.slow

FEEDS = {sites.DEMO: 30, sites.BASED: 30, "prometheus-blog": 30, sites.BLOG: 60}


def test_documents_may_be_kept_by_shared_caches(site: Crawl) -> None:
    """Documents are public for five minutes, the sitemap for what is left of its minute, and each may be
    served stale while the origin fails."""
    for name, answer in site.documents.items():
        found = re.fullmatch(r"public, max-age=(\d+), stale-if-error=86400", answer.headers["cache-control"])
        assert found is not None
        if name.startswith("sitemap"):
            assert 0 <= int(found[1]) <= 60
        else:
            assert int(found[1]) == 300
        assert "accept" not in answer.headers.get("vary", "").lower().split(", ")


def test_sitemaps_are_valid(site: Crawl) -> None:
    """lxml finds each sitemap valid by our schema and by the published ones."""
    assert "sitemap.xml" in site.documents
    for name, answer in site.documents.items():
        if name.startswith("sitemap"):
            assert answer.headers["content-type"] == "application/xml; charset=utf-8"
            assert sitemaps.read(answer.body)


def test_dates_are_never_now(site: Crawl) -> None:
    """No lastmod lies after the moment of publication, and a declared page has none (cases 21, 22 and 56)."""
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    for entry in site.listed:
        assert entry.lastmod is None or entry.lastmod[:10] <= now[:10]
    assert next(entry for entry in site.listed if entry.loc == _home_loc(site)).lastmod is None


def test_robots_txt_lets_in_whom_it_should(site: Crawl) -> None:
    """protego and robotspy read one policy: every loc is open to everyone, the sitemap is found at its
    absolute address (case 51)."""
    body = site.documents["robots.txt"].text
    theirs, others = Protego.parse(body), robots.RobotsParser.from_string(body)
    sitemap = f"{site.served.home}/sitemap.xml"
    assert [*theirs.sitemaps] == [sitemap]
    assert [*others.sitemaps] == [sitemap]
    for entry in site.listed:
        assert theirs.can_fetch(entry.loc, "Googlebot"), entry.loc
        assert others.can_fetch("Googlebot", entry.loc), entry.loc


def test_robots_txt_is_at_the_hosts_root(site: Crawl) -> None:
    """robots.txt answers at the root of the host too, wherever the site begins (case 40)."""
    assert site.served.get("/robots.txt").body == site.documents["robots.txt"].body


@pytest.mark.parametrize("name", [sites.DEMO, sites.BASED])
def test_the_demos_policy_is_what_both_readers_find(all_sites: Any, name: str) -> None:
    """For each robot and path the verdict is the declared one, the same to both readers."""
    crawl = all_sites.crawl(name)
    body = crawl.documents["robots.txt"].text
    theirs, others = Protego.parse(body), robots.RobotsParser.from_string(body)
    home = crawl.served.home
    declared = {"GPTBot": False, "ClaudeBot": False, "CCBot": False, "OAI-SearchBot": True, "Googlebot": True}
    for robot, allowed in declared.items():
        for path in ("/en/", "/en/docs", "/fr/blog/q-&-a"):
            assert theirs.can_fetch(home + path, robot) is allowed
            assert others.can_fetch(robot, home + path) is allowed
        for path in ("/_preview", "/en/_preview", "/fr/_preview"):
            assert not theirs.can_fetch(home + path, robot)
            assert not others.can_fetch(robot, home + path)
    assert "Content-Signal: search=yes, ai-input=yes, ai-train=no" in body
    manifest = json.loads(crawl.documents["agent-readability.json"].text)
    assert manifest["contentUsage"] == {"search": True, "ai-input": True, "ai-train": False}


def test_feeds_are_read_without_complaint(site: Crawl) -> None:
    """feedparser finds nothing wrong, newest items first, each with a permanent, absolute address of this
    site that answers, and a channel that is the site's (cases 31, 33, 35, 36, 37 and 38)."""
    wanted = FEEDS.get(site.name, 0)
    assert ("feed.xml" in site.documents) == (wanted > 0)
    if not wanted:
        return
    answer = site.documents["feed.xml"]
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    feed = feedparser.parse(answer.body)
    assert not feed.bozo, feed.get("bozo_exception")
    assert feed.version == "rss20"
    assert len(feed.entries) == wanted
    assert feed.feed.link == f"{site.served.home}/"
    assert [link.href for link in feed.feed.links if link.rel == "self"] == [f"{site.served.home}/feed.xml"]
    dates = [entry.published_parsed for entry in feed.entries]
    assert dates == sorted(dates, reverse=True)
    assert feed.feed.updated_parsed == dates[0]
    assert len({entry.id for entry in feed.entries}) == wanted
    for entry in feed.entries:
        assert entry.id == entry.link
        page = site.pages.get(entry.link) or fetch_page(site.served, Element(entry.link))
        assert [link.get("href") for link in page.links("canonical")] == [entry.link]
        assert page.tree.findtext("head/title") == entry.title
        for reference in references(entry.content[0].value if "content" in entry else ""):
            assert urlsplit(reference).scheme or reference.startswith("#"), reference


def references(fragment: str) -> Iterable[str]:
    """Every `href` and `src` in some HTML."""
    if not fragment.strip():
        return ()
    tree = html.fragment_fromstring(fragment, create_parent=True)
    return [value for name in ("href", "src") for value in tree.xpath(f".//@{name}")]


def test_feeds_obey_the_rules_of_rss(site: Crawl) -> None:
    """Required elements are there, dates are RFC 822 with English names, guids are permalinks."""
    if "feed.xml" not in site.documents:
        assert site.name not in FEEDS
        return
    channel = etree.fromstring(site.documents["feed.xml"].body).find("channel")
    assert channel is not None
    for name in ("title", "link", "description"):
        assert (channel.findtext(name) or "").strip(), name
    for item in channel.iterfind("item"):
        assert item.findtext("title") or item.findtext("description")
        guid = item.find("guid")
        assert guid is not None
        assert guid.get("isPermaLink", "true") == "true"
        date = item.findtext("pubDate") or ""
        moment = datetime.strptime(date, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
        assert date == format_datetime(moment, usegmt=True)


def test_one_page_alone_announces_the_feed(site: Crawl) -> None:
    """The feed's page, and no other, links to it under the channel's title."""
    announced = {
        link.get("title")
        for page in site.pages.values()
        for link in page.links("alternate")
        if link.get("type") == "application/rss+xml"
        if link.get("href") == f"{site.served.home}/feed.xml"
    }
    if "feed.xml" not in site.documents:
        assert announced == set()
    else:
        assert announced == {feedparser.parse(site.documents["feed.xml"].body).feed.title}


def test_llms_links_are_the_twins(site: Crawl) -> None:
    """Every link of llms.txt fetches 200 Markdown, and they are the twins of the listed articles, each once
    (case 58)."""
    if "llms.txt" not in site.documents:
        assert site.name == sites.BLOG
        return
    links = markdown.links(site.documents["llms.txt"].text)
    linked = [url for url in links if url.endswith(".md")]
    others = [f"{site.served.home}/llms-full.txt"] if "llms-full.txt" in site.documents else []
    assert [url for url in links if url not in linked] == others
    twins = [page.twin_url for page in site.pages.values() if page.twin_url is not None]
    inline = [url for url in twins if url.endswith("/index.md")]
    assert sorted(linked) == sorted(url for url in twins if url not in inline)
    fetched = {page.twin_url: page.twin for page in site.pages.values()}
    for url in linked:
        answer = fetched[url]
        assert answer is not None
        assert (answer.status, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")


def test_llms_txt_has_the_form_it_should(site: Crawl) -> None:
    """By markdown-it, llms.txt is one title, a quote, and second-level sections of nothing but lists of links
    (llmstxt.org; case 76)."""
    if "llms.txt" not in site.documents:
        return
    tokens = MarkdownIt("commonmark").parse(site.documents["llms.txt"].text)
    kinds = [
        token.tag if token.type == "heading_open" else token.type for token in tokens if token.level == 0
    ]
    assert kinds[0] == "h1"
    assert kinds.count("h1") == 1
    assert set(kinds) <= {
        "h1",
        "h2",
        "heading_close",
        "inline",
        "blockquote_open",
        "blockquote_close",
        "bullet_list_open",
        "bullet_list_close",
    }
    for item in (token for token in tokens if token.type == "inline" and token.level == 3):
        assert [child.type for child in item.children or ()][:1] == ["link_open"]


def test_llms_full_holds_every_article_with_its_code_untouched(site: Crawl) -> None:
    """llms-full names every article's address, and each code block of each stands in it byte for byte."""
    parts = [answer.text for name, answer in site.documents.items() if name.startswith("llms-full")]
    if not parts:
        assert site.name in {sites.BLOG, sites.GATED}
        return
    whole = "\n".join(parts)
    lines = set(whole.split("\n"))
    blocks = 0
    for url, page in site.pages.items():
        if page.twin is None or (page.twin_url or "").endswith("/index.md"):
            continue
        assert url in whole
        # Beside HTML blocks the two parsers may disagree about what is code: what both call so counts.
        shown = {"".join(code.itertext()) for code in page.tree.xpath("//pre/code")}
        for token in MarkdownIt("commonmark").parse(page.twin.text):
            if token.type == "fence" and token.map is not None and token.content in shown:
                blocks += 1
                assert set(page.twin.text.split("\n")[slice(*token.map)]) <= lines, url
    assert blocks


def test_the_manifest_names_what_is_there(site: Crawl) -> None:
    """Every artifact of agent-readability.json fetches, and where the site has a feed or llms.txt it is
    named."""
    manifest = json.loads(site.documents["agent-readability.json"].text)
    assert manifest["site"] == f"{site.served.home}/"
    urls = set(re.findall(rf'"({re.escape(site.served.address)}[^"{{]*)"', json.dumps(manifest)))
    for url in urls:
        assert site.served.get(url).status == 200, url
    for name in ("sitemap.xml", "llms.txt", "feed.xml"):
        assert (f"{site.served.home}/{name}" in urls) == (name in site.documents)


def test_the_home_page_leads_agents_on(site: Crawl) -> None:
    """The home page's Link header names llms.txt, the manifest and the sitemap, and each of them answers."""
    home = site.pages[_home_loc(site)].html
    named = re.findall(r"<([^>]+)>", home.headers["link"])
    wanted = [
        name for name in ("llms.txt", "agent-readability.json", "sitemap.xml") if name in site.documents
    ]
    assert sorted(url.rpartition("/")[2] for url in named) == sorted(wanted)
    for url in named:
        assert site.served.get(url).status == 200


def test_all_that_is_not_there_is_one_404(site: Crawl) -> None:
    """Files that a site lacks answer like any missing page: byte for byte, headers included."""
    nothing = site.served.get(f"{site.served.base}/there-is-nothing-here")
    assert nothing.headers["cache-control"] == "private, no-cache"
    for name in (
        "feed.xml",
        "llms.txt",
        "llms-full.txt",
        "llms-full-99.txt",
        "sitemap-1.xml",
        "sitemap-99.xml",
    ):
        if name not in site.documents:
            answer = site.served.get(f"{site.served.base}/{name}")
            assert answer.status == 404
            assert without_date(answer) == without_date(nothing), name


def without_date(answer: Response) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status, headers, answer.body


def _home_loc(site: Crawl) -> str:
    """The address of the root; on a multilingual site, of the default language's."""
    return site.listed[0].loc


def test_the_blog_lists_each_public_record_once(blog: Crawl) -> None:
    """The blog's sitemap holds exactly its public posts, awkward slugs encoded once, with the lastmod of
    their rows (cases 12, 13, 66 and 71)."""
    prefix = f"{blog.served.home}/blog/"
    listed = {entry.loc: entry.lastmod for entry in blog.listed if entry.loc.startswith(prefix)}
    found = {unquote(loc.removeprefix(prefix)): lastmod for loc, lastmod in listed.items()}
    assert found == {post.slug: f"{post.updated_at:%Y-%m-%dT%H:%M:%SZ}" for post in posts.public_posts()}
    assert len(found) == len(listed)


def test_awkward_text_is_shown_as_it_was_written(blog: Crawl) -> None:
    """A title and an excerpt reach the page with exactly their characters, less what HTML forbids (case
    13)."""
    pages = {unquote(url.rpartition("/")[2]): page for url, page in blog.pages.items()}
    for post in posts.public_posts():
        assert post.slug is not None
        tree = pages[post.slug].tree
        assert tree.findtext("head/title") == _shown(post.title)
        assert tree.xpath("//h1")[0].text_content() == _shown(post.title, collapse=False)


def _shown(text: str, *, collapse: bool = True) -> str:
    """A text as a page shows it: spaces collapsed where it is a title, then without what HTML forbids."""
    kept = re.sub(r"[ \t\n\r\f]+", " ", text).strip(" ") if collapse else text
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\U0010fffe\U0010ffff]", "", kept)
