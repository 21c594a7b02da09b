"""From an entry to the view that the HTML document renders: its text or record, and what stands around it.

What a function answers with and what the static build writes are made here.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fingerpost.catalogue.addresses import author_segments
from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import AddressTemplate, Collection
from fingerpost.catalogue.entry import Alternate, Document, Entry
from fingerpost.catalogue.families import Versions
from fingerpost.catalogue.navigation import NO_NEIGHBOURS, Navigation, label_of
from fingerpost.catalogue.visibility import lastmod_field
from fingerpost.documents.view import Link, LinkGroup, ListingReader, PageView
from fingerpost.site.model import EMPTY
from fingerpost.site.placeholders import Values, fill
from fingerpost.sources.objects import ObjectMissing
from fingerpost.sources.records import Record

# Titles of folders' pages that are remembered; an address has as many folders as its author likes.
_CRUMBS = 1_000


class Text(NamedTuple):
    """The Markdown of an entry: its front matter as plain data, and the body behind it."""

    front: Mapping[str, Any]
    body: str


class Views:
    """Makes the views of one catalogue's entries."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._navigation: Navigation | None = None
        self._crumbs: dict[tuple[str, ...], Link | None] = {}

    def view(
        self,
        entry: Entry,
        text: Text | None,
        origin: str,
        listing: ListingReader,
        feed: tuple[str, str] | None = None,
    ) -> PageView:
        """The view of `entry`. `text` is its Markdown, None where it has none; `origin` counts only where
        configuration tells none; `feed` is the feed's title and address on the page it is made from."""
        catalogue = self.catalogue
        known = entry.own_origin or catalogue.origin.known
        groups, previous, following = self._around(entry)
        return PageView(
            site=catalogue.site,
            entry=entry,
            origin=known or origin,
            paths=catalogue.paths,
            markdown=text.body if text is not None else None,
            frontmatter=text.front if text is not None else EMPTY,
            alternates=self._alternates(entry) if known is not None else (),
            nav=groups,
            previous=previous,
            next=following,
            breadcrumbs=self._breadcrumbs(entry),
            languages=self._languages(entry),
            feed=feed,
            listing=listing,
        )

    def _alternates(self, entry: Entry) -> tuple[Alternate, ...]:
        return self.catalogue.alternates(entry) if entry.record is None else entry.alternates

    def _around(self, entry: Entry) -> tuple[tuple[LinkGroup, ...], Link | None, Link | None]:
        if entry.article is None:
            return (), None, None
        if self._navigation is None:
            self._navigation = Navigation(self.catalogue)
        around = self._navigation.around(entry)
        if around is NO_NEIGHBOURS:
            return (), None, None
        links = tuple(Link(label_of(e), e.address, e.address == entry.address) for e in around.group)
        groups = (LinkGroup(around.title, links),) if links else ()
        return groups, _link(around.previous), _link(around.next)

    def _languages(self, entry: Entry) -> tuple[Link, ...]:
        """The language switcher: the versions of the hreflang cluster, which as links need no origin."""
        languages = self.catalogue.site.languages
        if languages is None:
            return ()
        by_tag = {alternate.hreflang: alternate.address for alternate in self._alternates(entry)}
        return tuple(
            Link(language.label or language.code, by_tag[language.tag], language is entry.language)
            for language in languages.supported
            if language.tag in by_tag
        )

    def _breadcrumbs(self, entry: Entry) -> tuple[Link, ...]:
        """The public pages on the way from the (language's) root to the entry, itself included."""
        code = entry.language.code if entry.language else None
        segments = author_segments(entry.address.removeprefix(self.catalogue.origin.base))
        start = 1 if code is not None and segments[:1] == (code,) else 0
        crumbs = (self._crumb(segments[:length]) for length in range(start, len(segments)))
        links = [link for link in crumbs if link is not None and link.address != entry.address]
        if not links:
            return ()
        return (*links, Link(page_title(self.catalogue, entry), entry.address, current=True))

    def _crumb(self, segments: tuple[str, ...]) -> Link | None:
        if segments not in self._crumbs:
            found = self.catalogue.resolve(segments)
            link = None
            if isinstance(found, Entry) and found.verdict.public:
                link = Link(page_title(self.catalogue, found), found.address)
            if len(self._crumbs) >= _CRUMBS:
                self._crumbs.clear()
            self._crumbs[segments] = link
        return self._crumbs[segments]


def text_of(catalogue: Catalogue, entry: Entry, read: Callable[[str, str], bytes]) -> Text | None:
    """The Markdown of an entry, None where it has none: its file, or its page's inline text.

    `read` gives the bytes of the file at a key, listed under an ETag. Raises what that raises, and
    ArticleError.
    """
    from fingerpost.site.frontmatter import body_behind, read_front_matter

    article, page = entry.article, entry.page.markdown
    if article is not None:
        return Text(article.front.data, body_behind(article.front, read(article.key, article.etag)))
    if page is None:
        return None
    if page.file is None:
        source, body = entry.page.place.file, (page.content or "").encode()
    elif page.file in catalogue.publication.listing:
        source, body = page.file, read(page.file, catalogue.publication.listing[page.file].etag)
    else:
        raise ObjectMissing(page.file)
    front, markdown = read_front_matter(body, source)
    return Text(front.data, markdown)


def record_entry(
    catalogue: Catalogue,
    collection: Collection,
    template: AddressTemplate,
    record: Record,
    versions: Versions,
) -> Entry | None:
    """The entry of a record in one language, None where no address can hold its slug. `record` holds only
    the fields that its visitor may read, related records by name; `versions` as its family found them."""
    slug: str = record["$slug"]
    encoded = collection.encode(slug)
    if encoded is None:
        return None
    canonical = catalogue.record_canonical(collection, template, slug, record)
    family = catalogue.family(collection)
    verdict = family.verdict(template, slug, versions)
    return Entry(
        page=collection.route.page,
        address=collection.address(template, encoded),
        verdict=verdict,
        canonical=canonical.elsewhere,
        own_origin=canonical.own_origin,
        language=template.variant.language,
        record=record,
        lastmod=record.get("$lastmod") if _shows_lastmod(collection, record) else None,
        alternates=family.alternates(slug, encoded, versions) if verdict.allows(Document.HREFLANG) else (),
    )


def _shows_lastmod(collection: Collection, record: Record) -> bool:
    return collection.dated or lastmod_field(collection.table) in record


def is_home(catalogue: Catalogue, entry: Entry) -> bool:
    """Whether the entry is the site's root, or a language's."""
    base = catalogue.origin.base
    return entry.address == f"{base}/" or (
        entry.language is not None and entry.address == f"{base}/{entry.language.code}/"
    )


def page_title(catalogue: Catalogue, entry: Entry) -> str:
    """What a link to the entry is called: the article's title, or the page's in the entry's language."""
    if entry.article is not None:
        return entry.article.title
    page, code = entry.page, entry.language.code if entry.language else None
    wording = page.meta.i18n.get(code or "")
    title = (wording.title if wording else None) or page.meta.title or page.name
    return fill(title, Values(entry.record, EMPTY, catalogue.site.languages, code))


def _link(entry: Entry | None) -> Link | None:
    return Link(label_of(entry), entry.address) if entry is not None else None
