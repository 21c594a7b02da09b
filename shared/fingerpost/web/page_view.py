"""From an entry to the view that the HTML document renders: its body, its record, its surroundings."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from threading import Lock
from typing import Any

from fingerpost.catalogue.addresses import author_segment
from fingerpost.catalogue.catalogue import Catalogue, RecordPath
from fingerpost.catalogue.entry import Alternate, Entry
from fingerpost.catalogue.navigation import NO_NEIGHBOURS, Navigation, label_of
from fingerpost.documents.html import render_page
from fingerpost.documents.placeholders import Values, fill
from fingerpost.documents.view import Link, LinkGroup, Listing, PageView
from fingerpost.site.model import EMPTY
from fingerpost.sources.objects import ObjectMissing
from fingerpost.sources.records import Snapshot
from fingerpost.web.feed import announcement
from fingerpost.web.instance import Instance
from fingerpost.web.listings import Seen, read_listing, with_names
from fingerpost.web.request import Request

# Bytes of article bodies that a warm instance keeps, the least recently used leaving first.
_KEPT_BYTES = 16 * 1024 * 1024


class PageViews:
    """Makes the views of one function instance's pages."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._bodies = Bodies(instance)
        self._navigation: tuple[Catalogue, Navigation] | None = None

    def markdown(self, catalogue: Catalogue, entry: Entry) -> bytes | None:
        """The Markdown form of an entry: its file, or its page's inline text, without front matter."""
        from fingerpost.site.frontmatter import body_of

        page = entry.page.markdown
        if entry.article is not None:
            key, etag = entry.article.key, entry.article.etag
        elif page is not None and page.file is not None:
            key = page.file
            info = catalogue.publication.listing.get(key)
            etag = info.etag if info else ""
        else:
            return body_of((page.content or "").encode()) if page is not None else None
        try:
            return body_of(self._bodies.get(key, etag))
        except ObjectMissing:  # removed between the listing and now
            return None

    def record_entry(self, catalogue: Catalogue, path: RecordPath, seen: Seen) -> Entry | None:
        """The entry of a record that a path asks for, with the fields that its visitor may read."""
        collection = path.collection
        encoded = collection.encode(path.slug)
        if encoded is None:
            return None
        with self._instance.records.snapshot() as snapshot:
            record = snapshot.record(collection.selection, path.slug, seen.fields(collection.table))
            if record is None:
                return None
            (named,) = with_names(catalogue.site, collection.table, [record], seen, snapshot)
        template = next(t for t in collection.templates if t.variant is path.variant)
        return Entry(
            page=collection.route.page,
            address=collection.address(template, encoded),
            verdict=collection.verdict,
            language=path.variant.language,
            record=named,
            lastmod=record.get("$lastmod"),
            slug=path.slug,
        )

    def html(self, catalogue: Catalogue, entry: Entry, request: Request, seen: Seen) -> bytes:
        """The HTML of an entry. Raises ObjectMissing where its article is gone, RecordsUnavailable where a
        component's records can't be had."""
        with ExitStack() as stack:
            return render_page(self._view(catalogue, entry, request, seen, stack))

    def _view(
        self, catalogue: Catalogue, entry: Entry, request: Request, seen: Seen, stack: ExitStack
    ) -> PageView:
        known = entry.own_origin or catalogue.origin.known
        body = self.markdown(catalogue, entry)
        if body is None and entry.article is not None:
            raise ObjectMissing(entry.article.key)
        alternates = self._alternates(catalogue, entry) if known is not None else ()
        groups, previous, following = self._around(catalogue, entry)
        return PageView(
            site=catalogue.site,
            entry=entry,
            origin=known or request.own_origin,
            base=catalogue.origin.base,
            markdown=body.decode(errors="replace") if body is not None else None,
            frontmatter=self._frontmatter(entry),
            alternates=alternates,
            nav=groups,
            previous=previous,
            next=following,
            breadcrumbs=self._breadcrumbs(catalogue, entry),
            languages=self._languages(catalogue, entry),
            feed=announcement(catalogue, entry),
            listing=self._listing_reader(catalogue, entry, seen, stack),
        )

    def _listing_reader(
        self, catalogue: Catalogue, entry: Entry, seen: Seen, stack: ExitStack
    ) -> Callable[[Mapping[str, Any]], Listing | None]:
        """Reads listings in one snapshot, opened when the first component wants one."""
        opened: list[Snapshot] = []

        def read(source: Mapping[str, Any]) -> Listing | None:
            if not opened:
                opened.append(stack.enter_context(self._instance.records.snapshot()))
            return read_listing(catalogue, source, entry.language, seen, opened[0])

        return read

    def _alternates(self, catalogue: Catalogue, entry: Entry) -> tuple[Alternate, ...]:
        if entry.record is None:
            return catalogue.alternates(entry)
        collection = catalogue.collection_of(entry.page)
        encoded = collection.encode(entry.slug) if collection is not None else None
        return collection.alternates(encoded) if collection is not None and encoded is not None else ()

    def _frontmatter(self, entry: Entry) -> Mapping[str, Any]:
        if entry.article is not None:
            return entry.article.front.data
        content = entry.page.markdown.content if entry.page.markdown else None
        if content is None:
            return EMPTY
        from fingerpost.site.frontmatter import ArticleError, read_front_matter

        try:
            return read_front_matter(content.encode(), entry.page.place.file)[0].data
        except ArticleError:
            return EMPTY

    def _around(
        self, catalogue: Catalogue, entry: Entry
    ) -> tuple[tuple[LinkGroup, ...], Link | None, Link | None]:
        held = self._navigation
        if held is None or held[0] is not catalogue:
            held = self._navigation = (catalogue, Navigation(catalogue))
        around = held[1].around(entry)
        if around is NO_NEIGHBOURS:
            return (), None, None
        links = tuple(Link(label_of(e), e.address, e.address == entry.address) for e in around.group)
        groups = (LinkGroup(around.title, links),) if links else ()
        return groups, _link(around.previous), _link(around.next)

    def _languages(self, catalogue: Catalogue, entry: Entry) -> tuple[Link, ...]:
        """The other forms of the language switcher; alternates need no origin when they are links of the page."""
        languages = catalogue.site.languages
        if languages is None:
            return ()
        by_tag = {alternate.hreflang: alternate.address for alternate in self._alternates(catalogue, entry)}
        return tuple(
            Link(language.label or language.code, by_tag[language.tag], language is entry.language)
            for language in languages.supported
            if language.tag in by_tag
        )

    def _breadcrumbs(self, catalogue: Catalogue, entry: Entry) -> tuple[Link, ...]:
        """The public pages on the way from the (language's) root to the entry, itself included."""
        code = entry.language.code if entry.language else None
        path = entry.address.removeprefix(catalogue.origin.base).strip("/")
        segments = tuple(author_segment(part) for part in path.split("/") if part)
        start = 1 if code is not None and segments[:1] == (code,) else 0
        links = []
        for length in range(start, len(segments)):
            found = catalogue.resolve(segments[:length])
            if isinstance(found, Entry) and found.verdict.public and found.address != entry.address:
                links.append(Link(page_title(catalogue, found), found.address))
        if not links:
            return ()
        return (*links, Link(page_title(catalogue, entry), entry.address, current=True))


class Bodies:
    """Files of a warm instance by key and ETag, so that a changed file is never served from memory."""

    def __init__(self, instance: Instance, most_bytes: int = _KEPT_BYTES) -> None:
        self._instance = instance
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str, etag: str) -> bytes:
        """The bytes of the file at `key`; raises ObjectMissing or StoreUnavailable."""
        with self._lock:
            if (key, etag) in self._kept:
                self._kept.move_to_end((key, etag))
                return self._kept[key, etag]
        stored = self._instance.store.read(key)
        with self._lock:
            if (key, stored.etag) not in self._kept:
                self._kept[key, stored.etag] = stored.body
                self._bytes += len(stored.body)
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return stored.body


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
