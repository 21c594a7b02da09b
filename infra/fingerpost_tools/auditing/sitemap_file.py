"""A sitemap or a sitemap index, read as sitemaps.org 0.9 defines them, with what is wrong in it.

Entities stay unread and nothing is fetched while reading, so that a hostile file costs no more than its size.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from lxml import etree

from fingerpost.site.dates import instant
from fingerpost_tools.auditing.gunzip import MAGIC, Gunzip, TooLarge

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"
# sitemaps.org: "no more than 50,000 URLs and must be no larger than 50MB (52,428,800 bytes)".
ENTRIES: Final = 50_000
BYTES: Final = 52_428_800
# The sequence that the protocol's schema fixes.
_ORDER: Final = ("loc", "lastmod", "changefreq", "priority")
_FREQUENCIES: Final = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})
_PRIORITY: Final = re.compile(r"0(?:\.\d+)?|1(?:\.0+)?|\.\d+")
# https://www.w3.org/TR/NOTE-datetime: each form from the year down to the fraction of a second.
_W3C: Final = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)
_FAULTS_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One `<url>` or `<sitemap>`: texts as they stand, without the white space around them. `alternates` are
    (hreflang, href) pairs."""

    loc: str
    lastmod: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class SitemapFile:
    """What a sitemap holds. `broken` says why it can't be read (to its end); `faults` are breaches of the
    schema, at most twenty; `disordered` counts entries whose elements stand in another order than the
    schema's."""

    index: bool = False
    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    broken: str = ""
    faults: list[str] = field(default_factory=list)
    disordered: int = 0

    def fault(self, text: str) -> None:
        if len(self.faults) < _FAULTS_SHOWN:
            self.faults.append(text)


def read_sitemap(body: bytes) -> SitemapFile:
    """Read a sitemap, a gzipped one too (`sitemap.xml.gz`)."""
    sitemap = SitemapFile()
    try:
        body = _plain(body)
    except TooLarge as error:
        sitemap.broken = f"larger than {BYTES} bytes once decompressed"
        body = error.body
    except zlib.error as error:
        sitemap.broken = f"bad gzip: {error}"
        return sitemap
    sitemap.size = len(body)
    if b"<!DOCTYPE" in body[:4096] or b"<!ENTITY" in body[:4096]:
        sitemap.broken = "a document type declaration, which a sitemap has no use for"
        return sitemap
    try:
        for element, depth in _elements(body):
            if depth == 0:
                _root(sitemap, element)
            else:
                _entry(sitemap, element)
    except etree.XMLSyntaxError as error:
        sitemap.broken = sitemap.broken or f"no well-formed XML: {error.msg}"
    return sitemap


def moment(lastmod: str) -> Any:
    """The aware datetime of a W3C datetime, None where the text is none. A year or a month counts from its
    first day."""
    if not _W3C.fullmatch(lastmod):
        return None
    full = f"{lastmod}-01-01" if len(lastmod) == 4 else f"{lastmod}-01" if len(lastmod) == 7 else lastmod
    try:
        return instant(full)
    except (ValueError, OverflowError):
        return None


def _plain(body: bytes) -> bytes:
    if not body.startswith(MAGIC):
        return body
    gunzip = Gunzip(BYTES)
    gunzip.feed(body)
    return gunzip.body


def _elements(body: bytes) -> Iterator[tuple[Any, int]]:
    """The root as it begins (depth 0), then each of its children as it ends (depth 1), each let go after."""
    depth = 0
    events = etree.iterparse(
        BytesIO(body),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    for event, element in events:
        if event == "start":
            if depth == 0:
                yield element, 0
            depth += 1
            continue
        depth -= 1
        if depth == 1:
            yield element, 1
            element.clear()
            parent = element.getparent()
            while element.getprevious() is not None:
                del parent[0]


def _root(sitemap: SitemapFile, root: Any) -> None:
    name = etree.QName(root)
    sitemap.index = name.localname == "sitemapindex"
    if name.localname not in ("urlset", "sitemapindex"):
        sitemap.broken = f"expected urlset or sitemapindex, found {name.localname}"
    elif name.namespace != NAMESPACE:
        sitemap.fault(f"expected the namespace {NAMESPACE}, found {name.namespace or 'none'}")


def _entry(sitemap: SitemapFile, element: Any) -> None:
    expected = "sitemap" if sitemap.index else "url"
    name = etree.QName(element)
    if name.localname != expected:
        if name.namespace in (NAMESPACE, None):
            sitemap.fault(f"line {element.sourceline}: expected <{expected}>, found <{name.localname}>")
        return
    texts: dict[str, str] = {}
    order: list[int] = []
    alternates: list[tuple[str, str]] = []
    for child in element:
        tag = etree.QName(child)
        if tag.namespace == XHTML and tag.localname == "link":
            alternates.append((child.get("hreflang", "").strip(), child.get("href", "").strip()))
        if tag.namespace not in (NAMESPACE, None):
            order.append(len(_ORDER))
        elif tag.localname not in _ORDER:
            sitemap.fault(f"line {child.sourceline}: <{tag.localname}> is no element of the protocol")
        elif tag.localname in texts:
            sitemap.fault(f"line {child.sourceline}: a second <{tag.localname}>")
        else:
            order.append(_ORDER.index(tag.localname))
            texts[tag.localname] = (child.text or "").strip()
    sitemap.disordered += order != sorted(order)
    _values(sitemap, element.sourceline, texts)
    if texts.get("loc"):
        sitemap.entries.append(Entry(texts["loc"], texts.get("lastmod", ""), tuple(alternates)))


def _values(sitemap: SitemapFile, line: int, texts: dict[str, str]) -> None:
    if not texts.get("loc"):
        sitemap.fault(f"line {line}: an entry without <loc>")
    if "lastmod" in texts and not texts["lastmod"]:
        sitemap.fault(f"line {line}: an empty <lastmod>")
    if "changefreq" in texts and texts["changefreq"] not in _FREQUENCIES:
        sitemap.fault(f"line {line}: changefreq {texts['changefreq'][:40]!r}")
    if "priority" in texts and not _PRIORITY.fullmatch(texts["priority"]):
        sitemap.fault(f"line {line}: priority {texts['priority'][:40]!r}, expected 0.0 to 1.0")
