"""The feed, read by feedparser, by a strict XML parser and by the rules of RSS 2.0 written out here."""

import locale
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import feedparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from fingerpost.catalogue.addresses import paths_of
from fingerpost.documents.feed import Channel, Item, newest_first, render_feed

SITE = "https://example.com/"
CHANNEL = Channel("Blog", SITE, "https://example.com/feed.xml", "News & views", "en-GB")
ITEM = Item(
    title="Pricing <change>",
    url="https://example.com/blog/q-&-a",
    description="Tom & Jerry's <new> prices",
    html='<p>Was <code>&lt;b&gt;</code>, see <a href="/x">x</a></p>',
    published="2026-03-14T09:26:53Z",
)
ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"

# RFC 822 5.1 with the four-digit year that RSS 2.0 asks for.
RFC822 = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}"
    r" \d{2}:\d{2}:\d{2} GMT"
)
CHANNEL_CHILDREN = {"title", "link", "description", "language", "lastBuildDate", "item", f"{ATOM}link"}
ITEM_CHILDREN = {"title", "link", "guid", "description", "pubDate", CONTENT}


def parse(body: bytes) -> Any:
    """Strictly: any fault of well-formedness raises."""
    return etree.fromstring(body, etree.XMLParser(resolve_entities=False, recover=False))


def faults(body: bytes) -> list[str]:
    """What the RSS 2.0 specification and the W3C feed validator would object to."""
    rss = parse(body)
    if rss.tag != "rss" or rss.get("version") != "2.0" or [child.tag for child in rss] != ["channel"]:
        return ["rss: one channel, version 2.0"]
    channel, items = rss[0], rss[0].findall("item")
    guids = [item.findtext("guid") for item in items]
    return [
        *_channel_faults(channel),
        *_common_faults(channel, CHANNEL_CHILDREN),
        *(fault for item in items for fault in (*_item_faults(item), *_common_faults(item, ITEM_CHILDREN))),
        *(f"guid: {guid} twice" for guid in set(guids) if guids.count(guid) > 1),
    ]


def _channel_faults(channel: Any) -> Iterator[str]:
    for name in ("title", "link", "description", f"{ATOM}link"):
        if channel.find(name) is None:
            yield f"channel: {name} is missing"
    own = channel.find(f"{ATOM}link")
    if (own.get("rel"), own.get("type")) != ("self", "application/rss+xml"):
        yield "channel: atom:link to itself"
    if not own.get("href").startswith("https://"):
        yield "channel: an absolute atom:link"


def _item_faults(item: Any) -> Iterator[str]:
    if item.find("title") is None and item.find("description") is None:
        yield "item: a title or a description"
    if item.find("guid").get("isPermaLink") == "true" and item.findtext("guid") != item.findtext("link"):
        yield "guid: a permalink is the item's address"


def _common_faults(place: Any, allowed: set[str]) -> Iterator[str]:
    names = [child.tag for child in place if child.tag != "item"]
    yield from (f"{place.tag}: {name} is unknown" for name in names if name not in allowed)
    yield from (f"{place.tag}: {name} twice" for name in set(names) if names.count(name) > 1)
    if not place.findtext("link", "").startswith("https://"):
        yield f"{place.tag}: an absolute link"
    for name in ("pubDate", "lastBuildDate"):
        if (date := place.findtext(name)) is not None and not _is_date(date):
            yield f"{place.tag}: {name} {date} is no RFC 822 date"


def _is_date(text: str) -> bool:
    """The form, and a weekday that fits the date."""
    if not RFC822.fullmatch(text):
        return False
    return parsedate_to_datetime(text).strftime("%w") == str(
        ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].index(text[:3])
    )


def read(body: bytes) -> Any:
    feed = feedparser.parse(body, sanitize_html=False, resolve_relative_uris=False)
    assert not feed.bozo, feed.get("bozo_exception")
    return feed


def test_the_whole_document() -> None:
    """One feed with one item, byte for byte."""
    assert render_feed(CHANNEL, [ITEM]).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/">\n'
        "<channel>\n"
        "<title>Blog</title>\n"
        "<link>https://example.com/</link>\n"
        "<description>News &amp; views</description>\n"
        "<language>en-GB</language>\n"
        '<atom:link href="https://example.com/feed.xml" rel="self" type="application/rss+xml"/>\n'
        "<lastBuildDate>Sat, 14 Mar 2026 09:26:53 GMT</lastBuildDate>\n"
        "<item>\n"
        "<title>Pricing &lt;change&gt;</title>\n"
        "<link>https://example.com/blog/q-&amp;-a</link>\n"
        '<guid isPermaLink="true">https://example.com/blog/q-&amp;-a</guid>\n'
        "<description>Tom &amp; Jerry's &lt;new&gt; prices</description>\n"
        "<content:encoded>&lt;p&gt;Was &lt;code&gt;&amp;lt;b&amp;gt;&lt;/code&gt;, see"
        ' &lt;a href="https://example.com/x"&gt;x&lt;/a&gt;&lt;/p&gt;</content:encoded>\n'
        "<pubDate>Sat, 14 Mar 2026 09:26:53 GMT</pubDate>\n"
        "</item>\n"
        "</channel>\n"
        "</rss>\n"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("Sat, 14 Mar", "Fri, 14 Mar", "no RFC 822 date"),
        ("09:26:53 GMT", "09:26:53Z", "no RFC 822 date"),
        ("<link>https://example.com/blog", "<link>/blog", "an absolute link"),
        ("<title>Blog</title>", "", "title is missing"),
        ('rel="self"', 'rel="alternate"', "atom:link to itself"),
        ("</guid>", "#x</guid>", "permalink"),
        ("</item>", "<author/></item>", "unknown"),
    ],
)
def test_the_rules_find_faults(right: str, wrong: str, fault: str) -> None:
    """The rules written out here object to a feed with one thing wrong."""
    body = render_feed(CHANNEL, [ITEM]).decode()
    assert right in body
    assert any(fault in found for found in faults(body.replace(right, wrong).encode()))


def test_what_is_unknown_is_left_out() -> None:
    """No dates, language, description or body: no element is written for them, and the feed is valid."""
    body = render_feed(Channel("Blog", SITE, f"{SITE}feed.xml"), [Item("A", f"{SITE}a")])
    for name in (b"pubDate", b"lastBuildDate", b"language", b"content:", b"xmlns:content"):
        assert name not in body
    assert parse(body).findtext("channel/description") == "Blog"
    assert faults(body) == []


def test_an_empty_feed_is_valid() -> None:
    """A feed whose items are all still to come is a feed without items."""
    body = render_feed(CHANNEL, [])
    assert faults(body) == []
    assert read(body).entries == []


def test_the_items_body_is_absolute() -> None:
    """Case 34: bodies resolve against the item's page, with the base path; code and fragments stay."""
    html = '<img src="/a.png"><a href="../x">x</a><a href="#y">y</a><code>src="/z"</code>'
    channel = Channel("B", f"{SITE}base/", f"{SITE}base/feed.xml", paths=paths_of("/base", ()))
    body = render_feed(channel, [Item("A", f"{SITE}base/blog/a", html=html)])
    assert parse(body).findtext(f"channel/item/{CONTENT}") == (
        '<img src="https://example.com/base/a.png"><a href="https://example.com/base/x">x</a>'
        '<a href="#y">y</a><code>src="/z"</code>'
    )


def test_addresses_stand_in_one_form_everywhere() -> None:
    """Cases 35 to 38 and 40: guid is the link in full, the channel's link is the site, self is the feed."""
    feed = read(render_feed(CHANNEL, [ITEM]))
    assert feed.feed.link == SITE
    assert [link.href for link in feed.feed.links if link.rel == "self"] == ["https://example.com/feed.xml"]
    assert feed.entries[0].link == feed.entries[0].id == ITEM.url
    assert parse(render_feed(CHANNEL, [ITEM])).find("channel/item/guid").get("isPermaLink") == "true"


def test_escaped_once() -> None:
    """Cases 13 and 39: one XML parse of the description and the body gives what was put in."""
    item = parse(render_feed(CHANNEL, [ITEM])).find("channel/item")
    assert item.findtext("description") == ITEM.description
    assert item.findtext("title") == ITEM.title
    assert (
        item.findtext(CONTENT)
        == '<p>Was <code>&lt;b&gt;</code>, see <a href="https://example.com/x">x</a></p>'
    )


def test_a_control_character_costs_no_item() -> None:
    """Case 1: what XML 1.0 forbids is dropped from the text it stands in, and every item is read."""
    items = [
        Item(f"a{bad}b", f"{SITE}{number}", f"c{bad}d", f"<p>e{bad}f</p>")
        for number, bad in enumerate("\x00\x1d\ufffe\ud800")
    ]
    body = render_feed(CHANNEL, items)
    assert [(entry.title, entry.summary) for entry in read(body).entries] == [("ab", "cd")] * 4
    assert [element.text for element in parse(body).iter(CONTENT)] == ["<p>ef</p>"] * 4


def test_the_end_of_a_cdata_section_survives() -> None:
    """Case 30: `]]>` in a body comes back."""
    body = render_feed(CHANNEL, [Item("A", f"{SITE}a", "x ]]> y", "<code>a[b[0]]></code>")])
    item = parse(body).find("channel/item")
    assert (item.findtext("description"), item.findtext(CONTENT)) == ("x ]]> y", "<code>a[b[0]]></code>")


def test_the_build_date_is_the_newest_items() -> None:
    """Case 31: nothing tells when the feed was rendered, and the newest of mixed dates counts."""
    items = [
        Item("a", f"{SITE}a", published="2024-01-08"),
        Item("b", f"{SITE}b", published="2024-01-08T00:00:01Z"),
        Item("c", f"{SITE}c"),
    ]
    body = render_feed(CHANNEL, items)
    assert parse(body).findtext("channel/lastBuildDate") == "Mon, 08 Jan 2024 00:00:01 GMT"
    assert body == render_feed(CHANNEL, items)


def test_the_newest_item_comes_first() -> None:
    """Cases 25 and 38: dates and times sort together, equal ones keep their order, unknown ones come last."""
    published = [None, "2024-01-08", "2024-01-09T10:00:00Z", "2024-01-08", "2024-01-08T00:00:01Z", None]
    items = [Item(str(number), f"{SITE}{number}", published=date) for number, date in enumerate(published)]
    assert [item.title for item in newest_first(items)] == ["2", "4", "1", "3", "0", "5"]


@pytest.fixture
def french_dates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process whose LC_TIME is French."""
    if shutil.which("localedef") is None:
        pytest.skip("no localedef to make a locale with")
    target = tmp_path / "fr_FR.UTF-8"
    subprocess.run(["localedef", "-i", "fr_FR", "-f", "UTF-8", target], check=False, capture_output=True)
    if not target.is_dir():
        pytest.skip("no source of the French locale here")
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    before = locale.setlocale(locale.LC_TIME)
    locale.setlocale(locale.LC_TIME, "fr_FR.UTF-8")
    yield
    locale.setlocale(locale.LC_TIME, before)


@pytest.mark.usefixtures("french_dates")
def test_dates_are_english_in_any_locale() -> None:
    """Case 28: names of days and months are English where the process speaks French."""
    assert time.strftime("%B", (2024, 2, 8, 0, 0, 0, 3, 39, 0)) == "février"
    body = render_feed(CHANNEL, [Item("a", f"{SITE}a", published="2024-02-08")])
    assert parse(body).findtext("channel/item/pubDate") == "Thu, 08 Feb 2024 00:00:00 GMT"
    assert faults(body) == []


XML_CHARACTERS = re.compile("[\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ANY_TEXT = st.text(st.characters(exclude_categories=[]))
MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)).map(
    lambda moment: f"{moment.replace(microsecond=0).isoformat()}Z"
)
ITEMS = st.lists(
    st.builds(
        Item,
        title=ANY_TEXT,
        url=st.uuids().map(lambda name: f"{SITE}{name}"),
        description=st.none() | ANY_TEXT,
        html=st.none() | ANY_TEXT.filter(lambda text: "<" not in text),
        published=st.none() | MOMENTS,
    ),
    max_size=3,
)


def _allowed(text: str) -> str:
    return "".join(XML_CHARACTERS.findall(text))


@given(ANY_TEXT, ANY_TEXT, ITEMS)
def test_any_text_comes_back(title: str, description: str, items: list[Item]) -> None:
    """Whatever the texts hold, one parse gives back exactly what XML 1.0 allows of them, in a valid feed."""
    body = render_feed(Channel(title, SITE, f"{SITE}feed.xml", description), items)
    assert faults(body) == []
    channel = parse(body)[0]
    assert channel.findtext("title") == _allowed(title)
    for item, element in zip(items, channel.findall("item"), strict=True):
        assert element.findtext("title") == _allowed(item.title)
        assert element.findtext("description") == (_allowed(item.description) if item.description else None)
        assert element.findtext(CONTENT) == (_allowed(item.html) if item.html else None)
        if item.published:
            when = datetime.fromisoformat(item.published)
            assert parsedate_to_datetime(element.findtext("pubDate")).astimezone(UTC) == when


@settings(max_examples=40)
@given(ITEMS)
def test_feedparser_reads_every_item(items: list[Item]) -> None:
    """A feed reader finds no fault, and the same items in the same order."""
    assert [entry.link for entry in read(render_feed(CHANNEL, items)).entries] == [item.url for item in items]
