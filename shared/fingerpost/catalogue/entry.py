"""An entry: one address the site publishes, with its language, dates and visibility."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from fingerpost.site.model import FrontMatter, Language, Page, Readers
from fingerpost.site.problems import Place
from fingerpost.sources.records import Record
from fingerpost.values import dataclass


class Document(StrEnum):
    """The places an entry can appear in. TWIN and HTML answer at the entry's own address."""

    HTML = "html"
    TWIN = "twin"
    SITEMAP = "sitemap"
    HREFLANG = "hreflang"
    FEED = "feed"
    LLMS = "llms"


class Rule(StrEnum):
    """The rules that keep an entry out of a document (SPEC section 4)."""

    RESTRICTED = "restricted"
    DRAFT = "draft"
    FUTURE = "future"
    FILTERED = "filtered"
    UNDERSCORE = "underscore"
    HIDDEN = "hidden"
    NOINDEX = "noindex"
    CANONICAL = "canonical-elsewhere"
    SITEMAP_FALSE = "sitemap-false"
    AI_EXCLUDE = "ai-exclude"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one entry may appear in. `excluded` maps each document it stays out of to the rule that decided.

    `noindex` asks for the robots tag and header; `readers` are all the rules a visitor must satisfy to open
    the address at all, none for a public one.
    """

    excluded: Mapping[Document, Rule]
    noindex: bool = False
    readers: tuple[Readers, ...] = ()

    @property
    def public(self) -> bool:
        return not self.readers and self.allows(Document.HTML)

    def allows(self, document: Document) -> bool:
        return document not in self.excluded


@dataclass(frozen=True, slots=True)
class Article:
    """One Markdown file of a content directory. `slug` is its decoded address below the page, segments joined
    by `/` ("" for the index); `lastmod` a W3C datetime; `title` falls back to the slug's last segment."""

    key: str
    etag: str
    slug: str
    title: str
    front: FrontMatter
    lastmod: str | None
    language: str | None = None  # code, where `directory` holds {lang}


class Alternate(NamedTuple):
    """One member of a hreflang cluster; `address` as in Entry."""

    hreflang: str
    address: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One published address. `address` is the canonical path: base path included, percent-encoded once.

    `neutral` is the same for all language versions of one thing. `due` is when a verdict changes by itself
    (a `date` falls due). `record` holds only fields the visitor may read. `alternates` are a record's
    hreflang cluster; that of a page or article the catalogue knows.
    """

    page: Page
    address: str
    verdict: Verdict
    language: Language | None = None
    neutral: str = ""
    article: Article | None = None
    record: Record | None = None
    alternates: tuple[Alternate, ...] = ()
    lastmod: str | None = None
    canonical: str | None = None  # another address that the author names; None where its own
    own_origin: str | None = None  # the origin that the author's absolute own canonical names
    twin: str | None = None  # the address of its Markdown form; None where it has none
    due: datetime | None = None


class Drop(StrEnum):
    """Why something that a site declares has no address (SPEC section 3); also the id of its problem."""

    EMPTY = "slug-empty"
    IMPOSSIBLE = "address-impossible"
    COLLISION = "address-collision"
    SHADOWED = "address-shadowed"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A page, an article or a whole collection that is left without an address.

    `address` is the one it would have had: a path as published, for a collection the page's own pattern, and
    decoded text where no path can hold it. `by` is where the author wrote what has the address instead.
    """

    reason: Drop
    place: Place
    page: Page
    address: str
    message: str
    article: Article | None = None
    language: Language | None = None
    by: Place | None = None


def twin_address(address: str) -> str:
    """`/docs/start` -> `/docs/start.md`; a root (`/`, `/fr/`) -> `/index.md`, `/fr/index.md`."""
    return f"{address}index.md" if address.endswith("/") else f"{address}.md"
