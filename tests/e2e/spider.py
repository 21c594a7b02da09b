"""Scrapy's SitemapSpider as a program: `spider.py ROBOTS_URL FEED` writes a line of JSON for each page."""

import sys
from collections.abc import Iterator
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.spiders import SitemapSpider


class Everything(SitemapSpider):
    """Follows robots.txt to its sitemaps, and those to each loc and alternate."""

    name = "everything"
    sitemap_alternate_links = True

    def parse(self, response: Response, **kwargs: Any) -> Iterator[dict[str, Any]]:
        """What the page is: where it answered, and what it says of itself."""
        yield {
            "url": response.url,
            "status": response.status,
            "canonical": response.css("link[rel=canonical]::attr(href)").getall(),
            "title": response.css("title::text").get(),
        }


def main(robots: str, feed: str) -> None:
    """Crawl from `robots` (a URL) into the file `feed`."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "FEEDS": {feed: {"format": "jsonlines"}},
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "RETRY_ENABLED": False,
            "HTTPERROR_ALLOW_ALL": True,
        }
    )
    process.crawl(Everything, sitemap_urls=[robots])
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
