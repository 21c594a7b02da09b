"""Every published address of every site, as HTML and as Markdown: SPEC sections 3, 9 and 10 from outside."""

import json
import re
from collections import Counter
from urllib.parse import urlsplit

import html5lib
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from tests.e2e import sites
from tests.e2e.crawling import Crawl, Page, article_bodies
from tests.e2e.serving import MARKDOWN
from tests.support import Response

pytestmark = pytest.mark.slow

# Pages whose Markdown stands in the configuration: their twin is no file's.
INLINE_TWINS = {"sovrium-docs-site": 1}
# Articles that have no place in a sitemap: drafts, hidden, noindex and canonical-elsewhere ones.
UNLISTED_ARTICLES = {sites.DEMO: 8, sites.BASED: 8, "hugo-docs": 1, "prometheus-blog": 1}


def test_each_address_answers_at_that_very_address(site: Crawl) -> None:
    """Each loc of the sitemap answers 200 with HTML whose canonical, og:url and JSON-LD are that loc."""
    assert site.listed
    for url, page in site.pages.items():
        assert (page.html.status, page.html.headers["content-type"]) == (200, "text/html; charset=utf-8"), url
        assert [link.get("href") for link in page.links("canonical")] == [url]
        assert page.tree.xpath("//meta[@property='og:url']/@content") == [url]


def test_each_address_is_listed_once(site: Crawl) -> None:
    """No loc stands twice in the sitemap (case 46)."""
    assert max(Counter(entry.loc for entry in site.listed).values()) == 1


def test_addresses_are_ascii_below_the_home(site: Crawl) -> None:
    """Each loc is an ASCII URL below the origin and base path, encoded once: what a client normalises
    stays."""
    for entry in site.listed:
        assert entry.loc.isascii()
        assert entry.loc.startswith(f"{site.served.home}/")
        assert re.fullmatch(r"(?:[A-Za-z0-9._~!$&+,;=:@/-]|%[0-9A-F]{2})+", urlsplit(entry.loc).path)


def test_html_has_no_parse_error(site: Crawl) -> None:
    """The HTML standard's parsing algorithm finds no error in any page."""
    errors = {}
    for url, page in site.pages.items():
        parser = html5lib.HTMLParser()
        parser.parse(page.html.text)
        if parser.errors:
            errors[url] = parser.errors[:3]
    assert errors == {}


def test_alternates_of_head_and_sitemap_are_equal_and_reciprocal(site: Crawl) -> None:
    """A page's hreflang cluster is the sitemap's, holds the page itself, and is the same in each member."""
    for url, page in site.pages.items():
        cluster = page.alternates
        assert tuple(f"{code} {href}" for code, href in cluster.items()) == page.listed.alternates, url
        if not cluster:
            continue
        default = cluster.pop("x-default", None)
        assert url in cluster.values()
        assert len(cluster) >= 2
        assert default is None or default in cluster.values()
        for href in cluster.values():
            assert site.pages[href].listed.alternates == page.listed.alternates
    multilingual = site.name in {sites.DEMO, sites.BASED, "astro-docs"}
    assert any(page.alternates for page in site.pages.values()) == multilingual


def test_the_language_of_a_page_is_its_hreflang(site: Crawl) -> None:
    """`lang` of a page in a cluster is the code that the cluster names it by (case 45)."""
    for url, page in site.pages.items():
        codes = [code for code, href in page.alternates.items() if href == url and code != "x-default"]
        if codes:
            assert page.tree.get("lang") == codes[0]


def test_public_pages_may_be_shared_for_five_minutes(site: Crawl) -> None:
    """A public page is `public, max-age=300` with a strong ETag, and varies by Accept exactly where it has
    two forms (case 5)."""
    for url, page in site.pages.items():
        for answer in filter(None, (page.html, page.twin, page.negotiated)):
            assert answer.headers["cache-control"] == "public, max-age=300", url
            assert re.fullmatch(r'"[^"]+"', answer.headers["etag"])
            assert "x-robots-tag" not in answer.headers
            assert varies_by_accept(answer) == (page.twin is not None)


def varies_by_accept(answer: Response) -> bool:
    return "accept" in (token.strip().lower() for token in answer.headers.get("vary", "").split(","))


def test_the_twin_is_the_negotiated_form(site: Crawl) -> None:
    """The twin answers Markdown, the same bytes as its page does to a client that prefers Markdown, and names
    the page as canonical (case 49)."""
    for url, page in twins(site):
        assert page.twin is not None
        assert page.negotiated is not None
        for answer in (page.twin, page.negotiated):
            assert answer.status == 200
            assert answer.headers["content-type"] == f"{MARKDOWN}; charset=utf-8"
            assert answer.headers["link"] == f'<{url}>; rel="canonical"'
        assert page.twin.body == page.negotiated.body
        assert page.twin.headers["etag"] == page.negotiated.headers["etag"] != page.html.headers["etag"]


def test_the_twins_are_the_files(site: Crawl) -> None:
    """The twins are the bodies of the site's articles, each once, and nothing of any front matter (case
    60)."""
    files = Counter(article_bodies(site.served.root).values())
    served = Counter(page.twin.text for _, page in twins(site) if page.twin is not None)
    assert sum((served - files).values()) == INLINE_TWINS.get(site.name, 0)
    missing = sum((files - served).values())
    assert missing == UNLISTED_ARTICLES.get(site.name, 0) or site.name == sites.GATED


def test_another_markdown_parser_finds_the_same_code(site: Crawl) -> None:
    """What markdown-it reads as code in a twin stands in the page's HTML, character for character."""
    markdown = MarkdownIt("commonmark")
    for url, page in twins(site):
        assert page.twin is not None
        shown = Counter("".join(code.itertext()) for code in page.tree.xpath("//pre/code"))
        for token in markdown.parse(page.twin.text):
            if token.type == "fence" and token.level == 0:
                assert shown[token.content], f"{url}: {token.content[:200]!r} in {list(shown)[:3]}"


def test_structured_data_is_json_of_this_page(site: Crawl) -> None:
    """The JSON-LD of each page parses, and where it has a url that is the page's own or the home's."""
    for url, page in site.pages.items():
        for script in page.tree.xpath("//script"):
            assert script.get("type") == "application/ld+json"
            found = json.loads(script.text)
            for thing in found if isinstance(found, list) else [found]:
                if thing["@type"] in {"Article", "WebPage"}:
                    assert thing["url"] == url


def test_links_of_the_own_site_lead_somewhere(site: Crawl) -> None:
    """Every alternate, feed and icon that a head names answers 200."""
    hrefs = {
        link.get("href")
        for page in site.pages.values()
        for rel in ("alternate", "icon")
        for link in page.links(rel)
    }
    fetched = dict(site.everything())
    for href in hrefs:
        assert (fetched.get(href) or site.served.get(href)).status == 200, href


def test_head_answers_as_get_does(site: Crawl) -> None:
    """HEAD has the headers of GET, its length included, and no body (cases 9 and 72)."""
    for url, page in sample(site):
        answer = site.served.get(url, method="HEAD")
        assert (answer.status, answer.body) == (200, b"")
        assert undated(answer) == undated(page.html)
    for name, document in site.documents.items():
        answer = site.served.get(f"{site.served.base}/{name}", method="HEAD")
        assert undated(answer, "cache-control") == undated(document, "cache-control")


def test_a_copy_that_is_still_good_is_confirmed(site: Crawl) -> None:
    """If-None-Match gets 304 with Cache-Control, ETag and Vary again, and another form's ETag does not (case
    8)."""
    for url, page in sample(site):
        tag = page.html.headers["etag"]
        for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = site.served.get(url, if_none_match=sent)
            assert (answer.status, answer.body) == (304, b"")
            for name in ("cache-control", "etag", "vary"):
                assert answer.headers[name] == page.html.headers[name]
        assert site.served.get(url, if_none_match='"other"').status == 200
        if page.twin is not None and page.twin_url is not None:
            twin_tag = page.twin.headers["etag"]
            assert site.served.get(page.twin_url, if_none_match=twin_tag).status == 304
            assert site.served.get(url, if_none_match=twin_tag).status == 200


def test_compression_changes_nothing_but_the_etag(site: Crawl) -> None:
    """gzip is what was asked for, under an ETag of its own, and unpacks to the same bytes."""
    for url, page in sample(site):
        answer = site.served.get(url, accept_encoding="gzip")
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.body == page.html.body
        assert answer.headers["etag"] != page.html.headers["etag"]
        assert "content-encoding" not in site.served.get(url, accept_encoding="gzip;q=0").headers


def test_a_trailing_slash_is_one_redirect(site: Crawl) -> None:
    """An address with a slash behind it moves permanently to the published one, the query kept."""
    for url, _ in sample(site):
        if url.endswith("/"):
            continue
        answer = site.served.get(f"{url}/?a=1&b=%20")
        target = url.removeprefix(site.served.address)
        assert (answer.status, answer.headers["location"]) == (301, f"{target}?a=1&b=%20")


def test_a_query_changes_nothing(site: Crawl) -> None:
    """The query is no part of an address: the same bytes whatever it holds (case 68)."""
    for url, page in sample(site):
        assert site.served.get(f"{url}?utm_source=x&slug=%3Cscript%3E").body == page.html.body


ROBOTS = ("GPTBot/1.3", "Mozilla/5.0 (compatible; ClaudeBot/1.0)", "curl/8.5.0", "Googlebot/2.1", "")


def test_nobody_is_served_by_name(site: Crawl) -> None:
    """Every user agent gets the form it asks for, whoever it is (case 49)."""
    for url, page in [*sample(site)][:5]:
        for robot in ROBOTS:
            assert site.served.get(url, user_agent=robot).body == page.html.body


def test_what_a_client_claims_to_be_is_in_no_answer(site: Crawl) -> None:
    """Forged Host and X-Forwarded-* headers change nothing that a shared cache may keep (case 71)."""
    for url, page in [*sample(site)][:5]:
        answer = site.served.get(
            url, host="evil.example", x_forwarded_host="evil.example", forwarded="host=evil.example"
        )
        assert answer.body == page.html.body
    forged = site.served.get(
        f"{site.served.base}/robots.txt", host="evil.example", x_forwarded_host="evil.example"
    )
    assert forged.body == site.documents["robots.txt"].body


def test_other_methods_are_refused(site: Crawl) -> None:
    """POST, PUT and DELETE get 405 with Allow, uncached (cases 9 and 72)."""
    for url in (site.listed[0].loc, f"{site.served.home}/robots.txt", f"{site.served.home}/sitemap.xml"):
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            answer = site.served.get(url, method=method)
            assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
            assert answer.headers["cache-control"] == "no-store"


def test_no_path_leaves_the_site(site: Crawl) -> None:
    """Traversals, NULs, bad encodings and endless paths are the same 404 as any."""
    nothing = site.served.get(f"{site.served.base}/there-is-nothing-here")
    base = site.served.base
    for path in (
        *("/..%2f..%2fapp.yaml.md", "/../app.yaml", "/%2e%2e/app.yaml", "/..%5capp.yaml", "/app.yaml"),
        *(
            "/docs/..%2f..%2fapp.yaml.md",
            "/en/docs/..%2f..%2f..%2fapp.yaml",
            "/public",
            "/content",
            "/seed.sql",
        ),
        *(
            "/config/..%2fapp.yaml",
            "/%00",
            "/docs/%00.md",
            "/%252e%252e/app.yaml",
            "/%ff",
            "/%",
            "/%zz",
            "/%c0%ae",
        ),
        *("/.fingerpost", "//app.yaml", "///", "/" + "a" * 8_300, "/docs/" + "%2e%2e%2f" * 40 + "app.yaml"),
    ):
        answer = site.served.get(f"{base}{path}")
        assert answer.status == 404, path
        assert (answer.body, undated(answer)) == (nothing.body, undated(nothing)), path


def test_pages_do_not_grow_with_the_site(site: Crawl) -> None:
    """A page is at most a few kilobytes of style and navigation larger than its own text (case 78)."""
    for url, page in twins(site):
        assert page.twin is not None
        article = page.tree.find(".//article")
        own = len(etree.tostring(article)) if article is not None else 3 * len(page.twin.body)
        assert len(page.html.body) - own < 40_000, url


def twins(site: Crawl) -> list[tuple[str, Page]]:
    return [(url, page) for url, page in site.pages.items() if page.twin is not None]


def sample(site: Crawl) -> list[tuple[str, Page]]:
    """Some sixty pages from all over the site, with its first and its last."""
    pages = list(site.pages.items())
    step = max(1, len(pages) // 60)
    return [*pages[::step], pages[-1]]


def undated(answer: Response, *but: str) -> dict[str, str]:
    """Headers, the date aside."""
    return {name: value for name, value in answer.headers.items() if name not in {"date", *but}}
