"""Views of one function instance's pages: entries with the bodies and records that the instance reads."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from fingerpost.catalogue.catalogue import Catalogue, RecordPath
from fingerpost.catalogue.entry import Entry
from fingerpost.documents.html import render_page
from fingerpost.documents.view import Listing
from fingerpost.observe import log_error
from fingerpost.site.problems import ArticleError
from fingerpost.sources.objects import ObjectMissing
from fingerpost.sources.records import Snapshot
from fingerpost.web.feed import announcement
from fingerpost.web.instance import Instance
from fingerpost.web.listings import Seen, listed_table, read_listing, with_names
from fingerpost.web.request import Request
from fingerpost.web.views import Text, Views, record_entry, text_of


class PageViews:
    """Makes the views of one function instance's pages."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._held: Views | None = None

    def markdown(self, catalogue: Catalogue, entry: Entry) -> bytes | None:
        """The Markdown form of an entry: its file, or its page's inline text, without front matter."""
        text = self._text(catalogue, entry)
        return text.body.encode() if text is not None else None

    def record_entry(self, catalogue: Catalogue, path: RecordPath, seen: Seen) -> Entry | None:
        """The entry of a record that a path asks for, with the fields that its visitor may read."""
        collection = path.collection
        if collection.encode(path.slug) is None:
            return None
        with self._instance.records.snapshot() as snapshot:
            record = snapshot.record(
                collection.selection, path.slug, seen.fields(catalogue.site, collection.table)
            )
            if record is None:
                return None
            versions = catalogue.family(collection).versions(snapshot, record)
            (named,) = with_names(catalogue.site, collection.table, [record], seen, snapshot)
        template = next(t for t in collection.templates if t.variant is path.variant)
        return record_entry(catalogue, collection, template, named, versions)

    def html(self, catalogue: Catalogue, entry: Entry, request: Request, seen: Seen) -> bytes:
        """The HTML of an entry. Raises ObjectMissing where its article is gone, RecordsUnavailable where a
        component's records can't be had."""
        text = self._text(catalogue, entry)
        if text is None and entry.article is not None:
            raise ObjectMissing(entry.article.key)
        with ExitStack() as stack:
            listing = self._listing_reader(catalogue, entry, seen, stack)
            feed = announcement(catalogue, entry)
            return render_page(self._views(catalogue).view(entry, text, request.own_origin, listing, feed))

    def _views(self, catalogue: Catalogue) -> Views:
        held = self._held
        if held is None or held.catalogue is not catalogue:
            held = self._held = Views(catalogue)
        return held

    def _text(self, catalogue: Catalogue, entry: Entry) -> Text | None:
        """The entry's Markdown; None where it has none, or none that can be read."""
        try:
            return text_of(catalogue, entry, self._instance.bodies.get)
        except ObjectMissing:  # removed between the listing and now
            return None
        except ArticleError as error:
            log_error("Markdown that can't be read is left out", problem=str(error.problem))
            return None

    def _listing_reader(
        self, catalogue: Catalogue, entry: Entry, seen: Seen, stack: ExitStack
    ) -> Callable[[Mapping[str, Any]], Listing | None]:
        """Reads listings in one snapshot, opened when the first component wants what its visitor may read."""
        opened: list[Snapshot] = []

        def read(source: Mapping[str, Any]) -> Listing | None:
            if listed_table(catalogue.site, source, seen) is None:
                return None
            if not opened:
                opened.append(stack.enter_context(self._instance.records.snapshot()))
            return read_listing(catalogue, source, entry.language, seen, opened[0])

        return read
