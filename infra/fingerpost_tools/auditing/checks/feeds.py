"""Checks of feeds: RSS 2.0 and Atom (RFC 4287)."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.facts import Facts, Feed
from fingerpost_tools.auditing.feed_file import FeedFile, Item
from fingerpost_tools.auditing.registry import Finding, check
from fingerpost_tools.auditing.urls import absolute, normal

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT
_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/xml", "text/xml"})


def _feeds(facts: Facts) -> Iterator[tuple[Feed, FeedFile]]:
    """The feeds that are there and can be read."""
    for feed in facts.feeds.values():
        if feed.file is not None and not feed.file.broken:
            yield feed, feed.file


def _items(facts: Facts) -> Iterator[tuple[Feed, Item]]:
    for feed, file in _feeds(facts):
        for item in file.items:
            yield feed, item


@check(
    "feed-dead",
    ERROR,
    "A page announces a feed that is not there.",
    "Take the announcement out of the head, or let the feed answer 200.",
)
def dead(facts: Facts) -> Iterator[Finding]:
    for feed in facts.feeds.values():
        if feed.file is None:
            yield Finding(feed.url, f"{feed.visit.outcome()}; announced on {feed.announced[0]}")


@check(
    "feed-broken",
    ERROR,
    "A feed can't be read, so readers show nothing new.",
    "Write well-formed XML with `rss` or `feed` at its root.",
)
def broken(facts: Facts) -> Iterator[Finding]:
    for feed in facts.feeds.values():
        if feed.file is not None and feed.file.broken:
            yield Finding(feed.url, feed.file.broken)


@check(
    "feed-elements",
    ERROR,
    "A feed lacks elements that the standard requires.",
    "Add them to the channel.",
)
def elements(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        if file.missing:
            yield Finding(feed.url, ", ".join(file.missing))


@check(
    "feed-type",
    WARNING,
    "A feed is not served as a feed.",
    "Serve it as `application/rss+xml` or `application/atom+xml`.",
)
def content_type(facts: Facts) -> Iterator[Finding]:
    for feed, _ in _feeds(facts):
        if feed.visit.last.content_type not in _TYPES:
            yield Finding(feed.url, f"Content-Type: {feed.visit.last.headers.get('content-type', 'none')}")


@check(
    "feed-empty",
    HINT,
    "A feed has no items.",
    "Announce it once there is something to read.",
)
def empty(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        if not file.items and "channel" not in file.missing:
            yield Finding(feed.url)


@check(
    "feed-date-invalid",
    ERROR,
    "A date of a feed is written in a way that readers do not understand.",
    "RSS takes `Sat, 14 Mar 2026 09:26:53 GMT` with English names, Atom `2026-03-14T09:26:53Z`.",
)
def date_invalid(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        for date in file.dates:
            if date.moment is None:
                yield Finding(feed.url, f"{date.where}: {date.text[:60]!r}")


@check(
    "feed-date-future",
    WARNING,
    "A date of a feed lies in the future, which keeps the item on top or out of sight.",
    "Leave the item out until its date has come.",
)
def date_future(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        for date in file.dates:
            if date.moment is not None and date.moment > facts.now + timedelta(hours=1):
                yield Finding(feed.url, f"{date.where}: {date.text}")


@check(
    "feed-link-relative",
    ERROR,
    "A feed or one of its items links to a relative address, which readers can't open.",
    "Write the whole address.",
)
def link_relative(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        if file.link and not absolute(file.link):
            yield Finding(feed.url, file.link)
        for item in file.items:
            if item.link and not absolute(item.link):
                yield Finding(feed.url, f"line {item.line}: {item.link}")


@check(
    "feed-content-relative",
    WARNING,
    "The text of an item holds links or images with relative addresses, which lead nowhere in a reader.",
    "Make them absolute against the item's page.",
)
def content_relative(facts: Facts) -> Iterator[Finding]:
    for feed, item in _items(facts):
        if item.relative_content:
            yield Finding(feed.url, item.link or f"line {item.line}")


@check(
    "feed-guid-missing",
    WARNING,
    "An item has no guid or id, so that readers show it again after every edit.",
    "Give each item one that never changes.",
)
def guid_missing(facts: Facts) -> Iterator[Finding]:
    for feed, item in _items(facts):
        if not item.guid:
            yield Finding(feed.url, item.link or f"line {item.line}")


@check(
    "feed-guid-duplicate",
    ERROR,
    "Items share a guid or id, so that readers show one of them.",
    "Give each item its own.",
)
def guid_duplicate(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        counts = Counter(item.guid for item in file.items if item.guid)
        for guid, count in counts.items():
            if count > 1:
                yield Finding(feed.url, f"{guid}, {count} times")


@check(
    "feed-guid-permalink",
    WARNING,
    "A guid claims to be an address and is none.",
    'Write the whole address, or `isPermaLink="false"`.',
)
def guid_permalink(facts: Facts) -> Iterator[Finding]:
    for feed, item in _items(facts):
        if item.permalink and item.guid and not absolute(item.guid):
            yield Finding(feed.url, item.guid)


@check(
    "feed-item-dead",
    ERROR,
    "An item of a feed leads to no page.",
    "Take it out of the feed, or bring the page back.",
)
def item_dead(facts: Facts) -> Iterator[Finding]:
    for feed, item in _items(facts):
        page = facts.page(item.link) if absolute(item.link) else None
        if page is not None and page.dead and page.status < 500 and page.status:
            yield Finding(item.link, f"{page.visit.outcome()}; in {feed.url}")


@check(
    "feed-self",
    WARNING,
    'A feed\'s own address in `atom:link rel="self"` is not the one it is served at.',
    "Write the address it is served at.",
)
def self_link(facts: Facts) -> Iterator[Finding]:
    for feed, file in _feeds(facts):
        served = {normal(feed.url), normal(feed.visit.last.url)}
        if file.self_link and normal(file.self_link) not in served:
            yield Finding(feed.url, file.self_link)


@check(
    "feed-unannounced",
    WARNING,
    "There is a feed, and no page announces it.",
    'Add `<link rel="alternate" type="application/rss+xml">` to the head of the page that it belongs to.',
)
def unannounced(facts: Facts) -> Iterator[Finding]:
    for feed, _ in _feeds(facts):
        if not feed.announced:
            yield Finding(feed.url)


@check(
    "feed-unstable",
    WARNING,
    "A feed differs between two fetches in a row, so that every poll downloads it whole.",
    "Take its date from the newest item, never from the clock.",
)
def unstable(facts: Facts) -> Iterator[Finding]:
    for feed, _ in _feeds(facts):
        again = feed.again.answer if feed.again is not None else None
        if again is not None and again.status == 200 and again.digest != feed.visit.last.digest:
            yield Finding(feed.url, f"{feed.visit.last.size} and {again.size} bytes, fetched in a row")
