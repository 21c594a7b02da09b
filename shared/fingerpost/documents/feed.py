"""The feed: RSS 2.0 with its self link (Atom's) and full bodies (the content module's); SPEC section 7.

Deterministic: nothing in it tells when it was rendered, so that the same items give the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence

from fingerpost.catalogue.addresses import Paths
from fingerpost.documents.escape import xml_attribute, xml_text
from fingerpost.documents.references import AbsoluteReferences
from fingerpost.documents.url_attributes import with_references
from fingerpost.site.dates import newest, rfc822, sort_key
from fingerpost.values import dataclass

_ATOM = 'xmlns:atom="http://www.w3.org/2005/Atom"'
_CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'


@dataclass(frozen=True, slots=True)
class Channel:
    """What the feed is. `link` is the site's root and `self_url` the feed's own address, both absolute;
    `language` is a BCP 47 tag; `paths` is the form of the site's paths, which links in bodies get."""

    title: str
    link: str
    self_url: str
    description: str | None = None
    language: str | None = None
    paths: Paths = Paths()


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the feed. `url` is absolute and canonical; `description` is put in as it is, `html` with
    its links made absolute; `published` is a W3C datetime of the publication, which edits do not move."""

    title: str
    url: str
    description: str | None = None
    html: str | None = None
    published: str | None = None


def newest_first(items: Iterable[Item]) -> list[Item]:
    """`items` by publication, the newest first; equal times keep their order, unknown ones come last."""
    return sorted(items, key=lambda item: sort_key(item.published), reverse=True)


def render_feed(channel: Channel, items: Sequence[Item]) -> bytes:
    """The whole document, UTF-8, items in the order given.

    One XML parse of a text gives back what XML 1.0 allows of it. An address that is its item's `link` is
    its `guid` too, and a permalink.
    """
    bodies = any(item.html for item in items)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<rss version="2.0" {_ATOM}{f" {_CONTENT}" if bodies else ""}>',
        "<channel>",
        *_channel(channel, newest(item.published for item in items)),
        *(line for item in items for line in _item(item, channel.paths)),
        "</channel>",
        "</rss>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _channel(channel: Channel, built: str | None) -> Iterator[str]:
    yield _element("title", channel.title)
    yield _element("link", channel.link)
    # RSS 2.0 requires a description: a site without one is described by its name.
    yield _element("description", channel.description or channel.title)
    if channel.language:
        yield _element("language", channel.language)
    yield f'<atom:link href="{xml_attribute(channel.self_url)}" rel="self" type="application/rss+xml"/>'
    if built:
        yield _element("lastBuildDate", rfc822(built))


def _item(item: Item, paths: Paths) -> Iterator[str]:
    yield "<item>"
    yield _element("title", item.title)
    yield _element("link", item.url)
    yield f'<guid isPermaLink="true">{xml_text(item.url)}</guid>'
    if item.description:
        yield _element("description", item.description)
    if item.html:
        references = AbsoluteReferences(item.url, paths)
        yield _element("content:encoded", with_references(item.html, references))
    if item.published:
        yield _element("pubDate", rfc822(item.published))
    yield "</item>"


def _element(name: str, text: str) -> str:
    return f"<{name}>{xml_text(text)}</{name}>"
