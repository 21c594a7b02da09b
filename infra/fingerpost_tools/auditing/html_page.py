"""What a page's HTML tells crawlers: its head, its links and the places that links can point to."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from fingerpost_tools.auditing.urls import resolve

_SPACE: Final = re.compile(r"\s+")
# Byte order marks, which browsers believe before any other word (HTML 13.2.3.2).
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python's names for the encodings of the Encoding Standard.
_READ_BY_BROWSERS: Final = re.compile(
    r"utf[-_](?:8|16.*)|iso8859-\d+|cp(?:866|874|125\d|932|949|950)|koi8-.|mac-(?:roman|cyrillic)|gb18030"
    r"|euc_jp|iso2022_jp"
)
# What browsers take a label for (Encoding 4.2): the wider encoding, where there is one.
_TAKEN_FOR: Final = {
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "tis-620": "cp874",
}
# Where engines look for directives beside `robots` itself.
ROBOTS_NAMES: Final = ("robots", "googlebot", "bingbot")
# Directives that Google or Bing document; some take a value after a colon.
ROBOTS_DIRECTIVES: Final = frozenset(
    {
        *(
            "all",
            "follow",
            "index",
            "indexifembedded",
            "max-image-preview",
            "max-snippet",
            "max-video-preview",
        ),
        *("noai", "noarchive", "nocache", "nofollow", "noimageai", "noimageindex", "noindex", "none"),
        *("nositelinkssearchbox", "nosnippet", "notranslate", "noydir", "noodp", "unavailable_after"),
    }
)
_LINKS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """One `<a href>`: the absolute URL, its fragment kept apart ("" for none)."""

    url: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Alternate:
    """One `<link rel="alternate">`, as it is written."""

    href: str
    type: str = ""
    hreflang: str = ""
    title: str = ""


@dataclass(slots=True)
class HtmlPage:
    """What a page says. Texts are as a reader sees them, white space folded; hrefs are as they are written.

    `base` is what relative references resolve against. `strays` names elements that belong in the head and
    stand in the body, where engines ignore them. `lang` is None where `<html>` has no such attribute.
    `charset` is that of a byte order mark, else of a meta element; `misencoded` says which octet contradicts
    the encoding that the header or the page names, "" for none.
    """

    base: str
    lang: str | None = None
    charset: str = ""
    misencoded: str = ""
    titles: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    robots: list[str] = field(default_factory=list)
    canonicals: list[str] = field(default_factory=list)
    alternates: list[Alternate] = field(default_factory=list)
    open_graph: dict[str, str] = field(default_factory=dict)
    bad_json_ld: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    links: tuple[Link, ...] = ()
    anchors: frozenset[str] = frozenset()

    def absolute(self, href: str) -> str | None:
        """The absolute URL of a reference in this page."""
        return resolve(self.base, href)


def read_html(body: bytes, url: str, charset: str) -> HtmlPage:
    """Read a page that was answered at `url` with this charset parameter ("" for none)."""
    tree = _tree(body, charset)
    page = HtmlPage(url)
    if tree is None:
        return page
    base = next(iter(tree.xpath("//head/base/@href")), "")
    page.base = resolve(url, str(base)) or url
    root = tree.xpath("/html")
    page.lang = root[0].get("lang") if root else None
    for head in tree.xpath("//head"):
        _read_head(page, head)
    page.strays = sorted(set(_strays(tree)))
    page.links = tuple(_links(page, tree))
    page.anchors = frozenset(str(name) for name in tree.xpath("//@id | //a/@name"))
    page.charset = _marked(body) or page.charset
    page.misencoded = _misencoded(body, charset or page.charset)
    return page


def _tree(body: bytes, charset: str) -> Any:
    encoding = _encoding(body, charset)
    if encoding:
        # The parser knows fewer encodings than there are pages in.
        body = body.decode(encoding, "replace").removeprefix("\ufeff").encode()
    parser = etree.HTMLParser(
        encoding="utf-8" if encoding else None, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None  # nothing in it that is an element


def _encoding(body: bytes, charset: str) -> str:
    """The encoding to read by: that of a byte order mark, else the header's word, else UTF-8 where the octets
    are UTF-8, else what the page says of itself ("": the parser looks). HTML 13.2.3.2."""
    return _marked(body) or _known(charset) or ("" if _misfit(body, "utf-8") else "utf-8")


def _marked(body: bytes) -> str:
    return next((name for mark, name in _MARKS if body.startswith(mark)), "")


def _known(charset: str) -> str:
    """The codec of a charset that browsers read, "" for any other: some of Python's take hours to read a page
    and some read no text at all."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return _TAKEN_FOR.get(name, name if _READ_BY_BROWSERS.fullmatch(name) else "")


def _misencoded(body: bytes, charset: str) -> str:
    """Where octets contradict the charset that is told, unless a byte order mark overrules it."""
    name = "" if _marked(body) else _known(charset)
    error = _misfit(body, name) if name else None
    return f"octet {body[error.start]:#04x} at {error.start} is no {charset}" if error is not None else ""


def _misfit(body: bytes, encoding: str) -> UnicodeDecodeError | None:
    """Why octets are no text in an encoding. A body that was cut at the limit may end within a character."""
    try:
        body.decode(encoding)
    except UnicodeDecodeError as error:
        return None if error.start > len(body) - 4 else error
    return None


def _read_head(page: HtmlPage, head: Any) -> None:
    for element in head.iterchildren("title", "meta", "link", "script"):
        if element.tag == "title":
            page.titles.append(_text(element))
        elif element.tag == "meta":
            _read_meta(page, element)
        elif element.tag == "link":
            _read_link(page, element)
    for script in head.getroottree().xpath("//script[@type='application/ld+json']"):
        text = (script.text or "").strip()
        try:
            # Engines put up with line breaks in a string, and with an empty element.
            json.loads(text or "null", strict=False)
        except (ValueError, RecursionError) as error:
            page.bad_json_ld.append(str(error)[:120])


def _read_meta(page: HtmlPage, meta: Any) -> None:
    name = meta.get("name", "").strip().lower()
    content = meta.get("content", "").strip()
    if meta.get("charset"):
        page.charset = meta.get("charset").strip().lower()
    elif meta.get("http-equiv", "").lower() == "content-type":
        page.charset = content.lower().rpartition("charset=")[2]
    elif name == "description":
        page.descriptions.append(_folded(content))
    elif name in ROBOTS_NAMES:
        page.robots.append(content)
    elif meta.get("property", "").startswith("og:"):
        page.open_graph.setdefault(meta.get("property").strip(), content)


def _read_link(page: HtmlPage, link: Any) -> None:
    relations = link.get("rel", "").lower().split()
    href = link.get("href", "").strip()
    if "canonical" in relations:
        page.canonicals.append(href)
    elif "alternate" in relations and "stylesheet" not in relations:
        media_type = link.get("type", "").partition(";")[0].strip().lower()
        page.alternates.append(
            Alternate(href, media_type, link.get("hreflang", "").strip(), link.get("title", "").strip())
        )


def _strays(tree: Any) -> Iterator[str]:
    if tree.xpath("//body//link[translate(@rel,'CANOIL','canoil')='canonical']"):
        yield '<link rel="canonical">'
    if tree.xpath("//body//link[@hreflang]"):
        yield "<link hreflang>"
    if tree.xpath("//body//meta[translate(@name,'ROBTS','robts')='robots']"):
        yield '<meta name="robots">'


def _links(page: HtmlPage, tree: Any) -> Iterator[Link]:
    seen: set[str] = set()
    for href in tree.xpath("//a/@href | //area/@href"):
        if len(seen) == _LINKS:
            return
        url = resolve(page.base, str(href))
        if url is not None and url not in seen:
            seen.add(url)
            address, _, fragment = url.partition("#")
            yield Link(address, fragment)


def _text(element: Any) -> str:
    return _folded("".join(element.itertext()))


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def directives(text: str) -> set[str]:
    """The directives for search engines of a meta robots or X-Robots-Tag value, in lower case and without
    their values. What X-Robots-Tag says to other robots (`gptbot: noindex`) is left out."""
    found = set()
    concerned = True
    for member in text.lower().split(","):
        name, _, rest = (part.strip() for part in member.partition(":"))
        if rest and name not in ROBOTS_DIRECTIVES:
            concerned = name in ROBOTS_NAMES
            name = rest.partition(":")[0].strip()
        if name and concerned:
            found.add(name)
    return found
