"""A feed as its readers take it: RSS 2.0 or Atom (RFC 4287), with what a check wants to know of each item."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from lxml import etree

ATOM: Final = "http://www.w3.org/2005/Atom"
CONTENT: Final = "http://purl.org/rss/1.0/modules/content/"
# RFC 822 5 as RFC 1123 and 5322 mend it, two- or four-digit years; any zone name, since readers know UTC too.
_RFC822: Final = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s+)?\d{1,2}\s+"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{2}(?:\d{2})?\s+"
    r"\d{1,2}:\d{2}(?::\d{2})?\s+(?:[+-]\d{4}|[A-Z]{1,4})"
)
_RFC3339: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_RELATIVE: Final = re.compile(
    r"""<(?:a|img|source|video|audio|iframe)(?=\s)[^<>]*?\s(?:href|src)\s*=\s*["']?(?!["'#>\s]|[a-z][a-z0-9+.-]*:)""",
    re.I,
)


@dataclass(frozen=True, slots=True)
class FeedDate:
    """A date of the feed: where it stands, as it is written, and the moment it means (None: none)."""

    where: str
    text: str
    moment: datetime | None


@dataclass(slots=True)
class Item:
    """One item or entry; `link`, `guid` as written. `permalink`: whether the guid claims to be an address."""

    line: int
    link: str = ""
    guid: str = ""
    permalink: bool = False
    relative_content: bool = False


@dataclass(slots=True)
class FeedFile:
    """What a feed holds. `kind` is "rss", "atom" or "" for neither; `broken` says why it can't be read.

    `missing` names required elements of the channel that are not there. `self_link` is what the feed calls
    its own address, `link` the page it belongs to.
    """

    kind: str = ""
    broken: str = ""
    missing: list[str] = field(default_factory=list)
    link: str = ""
    self_link: str = ""
    dates: list[FeedDate] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


def read_feed(body: bytes) -> FeedFile:
    """Read a feed; entities stay unread and nothing is fetched."""
    feed = FeedFile()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        feed.broken = f"no well-formed XML: {error}"
        return feed
    name = etree.QName(root)
    if name.localname == "rss":
        _read_rss(feed, root)
    elif name.localname == "feed" and name.namespace == ATOM:
        _read_atom(feed, root)
    else:
        feed.broken = f"expected rss or feed, found {name.localname}"
    return feed


def _read_rss(feed: FeedFile, root: Any) -> None:
    feed.kind = "rss"
    channel = root.find("channel")
    if channel is None:
        feed.missing = ["channel"]
        return
    feed.missing = [name for name in ("title", "link", "description") if channel.find(name) is None]
    feed.link = _text(channel, "link")
    feed.self_link = _self_link(channel)
    _date(feed, channel, "lastBuildDate", _rfc822)
    _date(feed, channel, "pubDate", _rfc822)
    for element in channel.findall("item"):
        guid = element.find("guid")
        item = Item(element.sourceline, _text(element, "link"), _text(element, "guid"))
        item.permalink = guid is not None and guid.get("isPermaLink", "true").strip() == "true"
        html = _text(element, f"{{{CONTENT}}}encoded") or _text(element, "description")
        item.relative_content = bool(_RELATIVE.search(html))
        feed.items.append(item)
        _date(feed, element, "pubDate", _rfc822)


def _read_atom(feed: FeedFile, root: Any) -> None:
    feed.kind = "atom"
    feed.missing = [name for name in ("id", "title", "updated") if root.find(f"{{{ATOM}}}{name}") is None]
    feed.link = _atom_link(root)
    feed.self_link = _self_link(root)
    _date(feed, root, f"{{{ATOM}}}updated", _rfc3339)
    for element in root.findall(f"{{{ATOM}}}entry"):
        item = Item(element.sourceline, _atom_link(element), _text(element, f"{{{ATOM}}}id"))
        content = element.find(f"{{{ATOM}}}content")
        if content is not None and content.get("type") == "html" and not _xml_base(content):
            item.relative_content = bool(_RELATIVE.search(content.text or ""))
        feed.items.append(item)
        _date(feed, element, f"{{{ATOM}}}updated", _rfc3339)
        _date(feed, element, f"{{{ATOM}}}published", _rfc3339)


def _date(feed: FeedFile, parent: Any, name: str, read: Any) -> None:
    for element in parent.findall(name):
        text = (element.text or "").strip()
        feed.dates.append(FeedDate(f"line {element.sourceline}", text, read(text)))


def _rfc822(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    if not _RFC822.fullmatch(text):
        return None
    try:
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _rfc3339(text: str) -> datetime | None:
    if not _RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _text(parent: Any, name: str) -> str:
    element = parent.find(name)
    return "" if element is None else (element.text or "").strip()


def _self_link(parent: Any) -> str:
    links = parent.findall(f"{{{ATOM}}}link")
    return next((link.get("href", "") for link in links if link.get("rel") == "self"), "")


def _atom_link(parent: Any) -> str:
    links = parent.findall(f"{{{ATOM}}}link")
    return next((link.get("href", "") for link in links if link.get("rel", "alternate") == "alternate"), "")


def _xml_base(element: Any) -> bool:
    """Whether references in an element have an address to start from (XML Base)."""
    name = "{http://www.w3.org/XML/1998/namespace}base"
    return any(each.get(name) for each in (element, *element.iterancestors()))
