"""Feeds as their readers take them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.auditing.feed_file import read_feed

RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>
<link>https://example.com/</link><description>d</description>
<atom:link rel="self" href="https://example.com/feed.xml"/>{}</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:example.com,2026:x</id><title>t</title>
<updated>2026-03-14T09:26:53Z</updated><link href="https://example.com/"/><entry>
<id>tag:example.com,2026:1</id><link rel="enclosure" href="/a.mp3"/><link href="https://example.com/1"/>
<updated>2026-03-14T09:26:53+01:00</updated>
<content type="html">&lt;a href="/2"&gt;</content></entry></feed>"""


def test_rss_is_read() -> None:
    """Channel, own address and items, a guid being a permalink unless it says otherwise."""
    feed = read_feed(
        RSS.format(
            "<item><link>https://example.com/1</link><guid>https://example.com/1</guid></item>"
            '<item><guid isPermaLink="false">2</guid></item>'
        ).encode()
    )
    assert (feed.kind, feed.broken, feed.missing) == ("rss", "", [])
    assert (feed.link, feed.self_link) == ("https://example.com/", "https://example.com/feed.xml")
    assert [(item.guid, item.permalink) for item in feed.items] == [
        ("https://example.com/1", True),
        ("2", False),
    ]


def test_atom_is_read() -> None:
    """The alternate link is the item's, whatever else it links to."""
    feed = read_feed(ATOM.encode())
    assert (feed.kind, feed.missing, feed.link) == ("atom", [], "https://example.com/")
    assert [(item.link, item.relative_content) for item in feed.items] == [("https://example.com/1", True)]
    assert all(date.moment is not None for date in feed.dates)
    assert (
        read_feed(ATOM.replace("<content ", '<content xml:base="https://example.com/" ').encode())
        .items[0]
        .relative_content
        is False
    )


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("Sat, 14 Mar 2026 09:26:53 GMT", True),
        ("14 Mar 2026 09:26 +0100", True),
        ("Sat, 14 Mar 26 9:26:53 EST", True),
        ("Sat, 14 Mar 2026 09:26:53 UTC", True),
        ("Sat, 31 Feb 2026 09:26:53 GMT", False),
        ("sam., 14 mars 2026 09:26:53 GMT", False),
        ("2026-03-14T09:26:53Z", False),
        ("", False),
    ],
)
def test_rss_dates_are_of_rfc_822(text: str, valid: bool) -> None:
    """Case 28: English names whatever the server's language."""
    feed = read_feed(RSS.format(f"<item><pubDate>{text}</pubDate></item>").encode())
    assert [date.moment is not None for date in feed.dates] == [valid]


@pytest.mark.parametrize(
    ("html", "relative"),
    [
        ('<img src="/a.png">', True),
        ("<a class='x' href='../b'>b</a>", True),
        ('<img src="//cdn.example/a.png">', True),
        ('<a href="https://example.com/">a</a>', False),
        ('<a href="#x">a</a>', False),
        ('<a href="mailto:a@b.example">a</a>', False),
        ('<img data-src="/a.png" src="data:image/png;base64,AA">', False),
        ("<code>&lt;img src=&quot;/a.png&quot;&gt;</code>", False),
        ("plain text", False),
    ],
)
def test_relative_references_in_content_are_seen(html: str, relative: bool) -> None:
    """Case 34: what a reader can't resolve, and nothing else."""
    escaped = html.replace("&", "&amp;").replace("<", "&lt;")
    feed = read_feed(RSS.format(f"<item><description>{escaped}</description></item>").encode())
    assert [item.relative_content for item in feed.items] == [relative]


def test_what_is_no_feed_says_why() -> None:
    """HTML, a broken feed and an entity bomb have their reason."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE r [<!ENTITY l0 "ha">{laughs}]><rss><channel><title>&l11;</title></channel></rss>'
    assert read_feed(b"<html/>").broken == "expected rss or feed, found html"
    assert read_feed(b"<rss><channel>").broken.startswith("no well-formed XML")
    assert read_feed(b"<rss/>").missing == ["channel"]
    assert len(read_feed(bomb.encode()).link) < 100


@given(st.binary(max_size=300))
def test_no_octets_break_the_reader(body: bytes) -> None:
    """Any octets end in a reading."""
    assert read_feed(body).kind in ("", "rss", "atom")
