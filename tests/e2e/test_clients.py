"""Crawlers that other people wrote, from robots.txt to every page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from usp.tree import sitemap_tree_for_homepage

from tests.e2e.crawling import Crawl

pytestmark = pytest.mark.slow

SPIDER = Path(__file__).with_name("spider.py")


def test_scrapy_finds_every_page(site: Crawl, tmp_path: Path) -> None:
    """Scrapy's SitemapSpider, obeying robots.txt, gets from there to each loc and alternate once: 200, under
    the address it asked for, which is the canonical."""
    feed = tmp_path / "pages.jsonl"
    command = [sys.executable, str(SPIDER), f"{site.served.home}/robots.txt", str(feed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]
    assert sorted(page["url"] for page in found) == sorted(entry.loc for entry in site.listed)
    for page in found:
        assert page["status"] == 200
        assert page["canonical"] == [page["url"]]
        assert page["title"]


def test_ultimate_sitemap_parser_finds_every_page(site: Crawl) -> None:
    """ultimate-sitemap-parser, starting at the home page, finds each loc once with its date and priority."""
    tree = sitemap_tree_for_homepage(f"{site.served.home}/", normalize_homepage_url=False)
    pages = list(tree.all_pages())
    assert sorted(page.url for page in pages) == sorted(entry.loc for entry in site.listed)
    by_url = {entry.loc: entry for entry in site.listed}
    for page in pages:
        entry = by_url[page.url]
        assert (page.last_modified is None) == (entry.lastmod is None)
        if page.last_modified is not None and entry.lastmod is not None:
            assert page.last_modified.isoformat().startswith(entry.lastmod.removesuffix("Z"))
        assert page.priority == (0.5 if entry.priority is None else pytest.approx(float(entry.priority)))
