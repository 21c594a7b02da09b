"""What a rendered page is made of: everything the HTML document needs, already decided by the catalogue."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from fingerpost.catalogue.addresses import Paths
from fingerpost.catalogue.entry import Alternate, Entry
from fingerpost.documents.references import PageReferences
from fingerpost.site.model import Site
from fingerpost.sources.records import Record
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the page's own chrome; `address` is a path (base included) or an absolute URL."""

    title: str
    address: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """A titled group of links; `title` is None where the navigation has no groups."""

    title: str | None
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Records a `list` or `data-table` shows, with only the fields that its visitor may read.

    `addresses` holds each record's own published address, None where it has none.
    """

    records: Sequence[Record]
    addresses: Sequence[str | None]


# A component's `dataSource` (plain data) -> its records; None where the table may not be read.
ListingReader = Callable[[Mapping[str, Any]], Listing | None]


@dataclass(frozen=True, slots=True)
class PageView:
    """One page about to be rendered. `origin` is scheme, host (no base path) where it is known without the
    request, else the request's own; every address is a path to be put behind it. `paths` is the form of
    the site's paths, which the author's own links and images get.

    `markdown` is the article's body, or the page's inline content, without front matter. `alternates` is
    empty where the page emits none. `feed` is the feed's title and address on the page it is made from.
    """

    site: Site
    entry: Entry
    origin: str
    markdown: str | None = None
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    alternates: tuple[Alternate, ...] = ()
    nav: tuple[LinkGroup, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    breadcrumbs: tuple[Link, ...] = ()
    languages: tuple[Link, ...] = ()  # this page in the other languages
    feed: tuple[str, str] | None = None
    listing: ListingReader = lambda source: None
    paths: Paths = Paths()
    extra_head: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The base path, "" or "/base"."""
        return self.paths.base

    @property
    def references(self) -> PageReferences:
        """How links and images of the page's texts are written."""
        return PageReferences(self.entry.address, self.paths)
