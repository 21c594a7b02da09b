"""What a hostile server writes costs little more than its length, and is never what ends an audit."""

import time
from collections.abc import Callable
from typing import Final

import pytest

from fingerpost.limits import ROBOTS_BYTES
from fingerpost_tools.auditing.crawl import Limits
from fingerpost_tools.auditing.exchange import Exchange, delta_seconds
from fingerpost_tools.auditing.feed_file import read_feed
from fingerpost_tools.auditing.fetcher import REST_SECONDS
from fingerpost_tools.auditing.html_page import read_html
from fingerpost_tools.auditing.html_report import html_report
from fingerpost_tools.auditing.markdown_files import is_html, read_llms, read_markdown
from fingerpost_tools.auditing.robots_file import read_robots
from tests.unit.tools.auditing.audited import audit, found, slept
from tests.unit.tools.auditing.served_site import healthy_site

SPACES: Final = b" " * ROBOTS_BYTES
# Far more than any of these takes, far less than a search that goes back and forth.
SECONDS: Final = 5


def _read_item(text: bytes) -> object:
    return read_feed(b"<rss><channel><item><description>%b</description></item></channel></rss>" % text)


def _linked(value: str) -> object:
    return Exchange("GET", "https://example.com/", headers={"link": value}).links


def _robots_with_wildcards(body: bytes) -> object:
    return read_robots(body).permits(f"https://example.com/{'a' * 2_000}", "any")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_robots, b"User-agent: *\nDisallow: /x" + SPACES + b"y"),
        (read_robots, b"Disallow" + SPACES + b"/x"),
        (read_robots, b"a" + SPACES + b"#"),
        (_robots_with_wildcards, b"User-agent: *\nDisallow: /" + b"*a" * 100 + b"*b"),
        (is_html, b"<!---->" * 580),
        (is_html, b"<!--" * 1_000),
        (read_markdown, b"---\na: b\n" + b"-- \n" * 200_000),
        (read_llms, b"- [" + b"\\a" * 200_000),
        (_read_item, b"&lt;a " + SPACES),
        (_linked, "<a>;b" + " " * 60_000 + "x"),
        (_linked, '<a>;b="' + "\\a" * 30_000),
    ],
    ids=[
        *("spaces in a value", "spaces in a name", "spaces before a comment", "wildcards"),
        *("comments", "open comments", "rules", "escapes", "spaces in a tag"),
        *("spaces in Link", "escapes in Link"),
    ],
)  # fmt: skip
def test_a_text_is_read_once(read: Callable[..., object], text: bytes | str) -> None:
    """No pattern goes over the same characters again and again."""
    began = time.monotonic()
    read(text)
    assert time.monotonic() - began < SECONDS


def test_of_many_links_the_first_are_read() -> None:
    """A page of a hundred thousand links costs what two thousand do."""
    body = "".join(f"<a href={number}>x</a>" for number in range(20_000)).encode()
    assert len(read_html(body, "https://example.com/", "utf-8").links) == 2_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60", 60),
        ("9" * 5_000, 2**31),
        ("4294967296", 2**31),
        ("-1", 0),
        ("²", 0),
        ("٣", 0),
        ("soon", 0),
        ("", 0),
    ],
)
def test_a_number_of_seconds_may_be_any_text(text: str, seconds: int) -> None:
    """RFC 9111 1.2.2: digits, of which however many mean a long time; anything else means none."""
    assert delta_seconds(text) == seconds
    assert Exchange("GET", "x", headers={"cache-control": f"max-age={text}"}).shared_seconds == seconds


def test_no_site_makes_the_robot_sleep_for_ever() -> None:
    """A Crawl-delay and a Retry-After are obeyed up to a minute."""
    site = healthy_site()
    site.replace("/robots.txt", "Allow: /\n", "Allow: /\nCrawl-delay: 86400\n")
    site.resources["/"].status, site.resources["/"].headers["retry-after"] = 503, "9" * 5_000
    assert set(slept(site, Limits(pages=1, sample=0), 0)) == {REST_SECONDS}


@pytest.mark.parametrize("lastmod", ["2026-ab-01", "20260312", "2026-99", "0000-00", "2026-07-14 soon"])
def test_a_date_that_is_none_is_in_no_chart(lastmod: str) -> None:
    """The report counts valid dates alone, in each of its forms."""
    site = healthy_site()
    site.replace("/sitemap-1.xml", "2026-02-01", lastmod)
    report = audit(site)
    assert found(report) == {"sitemap-lastmod-invalid": [f"{site.origin}/about"]}
    assert set(report.to_json()["lastmod"]) == {"2026-01", "2026-03"}
    assert html_report(report).count("<rect") == 2
