"""The catalogue: all entries of a site at one moment, in one stable order, and what a path resolves to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from fingerpost.catalogue.addresses import author_path, author_segments
from fingerpost.catalogue.building import Builder, Segments
from fingerpost.catalogue.canonical import CanonicalAddress
from fingerpost.catalogue.collections import AddressTemplate, Collection, make_cluster
from fingerpost.catalogue.entry import Alternate, Document, Dropped, Entry
from fingerpost.catalogue.families import Family, make_families
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication
from fingerpost.catalogue.routes import Match, Route, Variant
from fingerpost.site.model import Language
from fingerpost.sources.records import Record
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """The path is another name of `entry`, which answers at its own address."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class RecordPath:
    """The path belongs to a collection; whether there is such a record, only Postgres can tell."""

    collection: Collection
    variant: Variant
    slug: str


class Catalogue:
    """Every entry of a publication. Entries of records are read from Postgres when they are wanted.

    `parts` holds entries and collections in catalogue order: pages as declared, each page's languages as
    supported, its articles in the author's order. `problems` names what has no address of its own.
    """

    def __init__(self, publication: Publication, origin: Origin, now: datetime) -> None:
        self.publication = publication
        self.site = publication.site
        self.origin = origin
        self.now = now
        self._built = built = Builder(publication, origin, now)
        self.router = built.router
        self.paths = built.paths
        self.problems = built.problems
        self.dropped: Sequence[Dropped] = built.dropped
        self.parts = [self._checked(part) if isinstance(part, Collection) else part for part in built.parts]
        self.collections = {part.route.position: part for part in self.parts if isinstance(part, Collection)}
        self._families = make_families(
            tuple(self.collections.values()), self.site.languages, self.record_canonical
        )
        self._clusters = self._make_clusters()
        self.valid_until: datetime | None = min((e.due for e in self.all_entries() if e.due), default=None)

    # Reading

    def all_entries(self) -> Iterator[Entry]:
        """Every page and article, absent ones too, in catalogue order."""
        return (part for part in self.parts if isinstance(part, Entry))

    def entries(self, document: Document) -> Iterator[Entry]:
        """The pages and articles that appear in `document`, in catalogue order."""
        return (entry for entry in self.all_entries() if entry.verdict.allows(document))

    def articles_of(self, route: Route) -> Iterator[Entry]:
        return (e for e in self.all_entries() if e.page is route.page and e.article is not None)

    def alternates(self, entry: Entry) -> tuple[Alternate, ...]:
        """The hreflang cluster of a page or article; empty where it has none."""
        if not entry.verdict.allows(Document.HREFLANG):
            return ()
        return self._clusters.get(entry.neutral, ())

    def resolve(self, segments: Segments) -> Entry | RecordPath | Moved | Match | None:
        """What decoded `segments` (base path removed) lead to. A bare Match is a page's own path with nothing
        there; None belongs to no page. Absent entries (draft, future, filtered) are nothing."""
        match, empty_index = self.router.match(segments), None
        for index in self.router.match_indexes(segments):
            if match is not None and match.route.position < index.route.position:
                break
            if (entry := _of_page(self._built.by_segments, index)) is not None:
                return entry
            empty_index = empty_index or index
        match = match or empty_index
        if match is None:
            return None
        if (entry := _of_page(self._built.by_segments, match)) is not None:
            return entry
        if (moved := _of_page(self._built.moved, match)) is not None:
            return Moved(moved)
        collection = self.collections.get(match.route.position)
        if collection is None:
            return match
        return RecordPath(collection, match.variant, match.parameters[collection.parameter])

    def family(self, collection: Collection) -> Family:
        """The collection with those whose records are versions of its own."""
        return self._families[collection.route.position]

    def record_canonical(
        self, collection: Collection, template: AddressTemplate, slug: str, record: Record
    ) -> CanonicalAddress:
        """What the page's canonical says of the record with `slug` in one language; of `record`, the fields
        that the canonical depends on count."""
        told = {name: record.get(name) for name in collection.canonical_fields}
        parameters = {collection.parameter: slug}
        return self._built.canonicals.of(collection.route, template.variant, parameters, record=told)

    def author_address(self, path: str, language_code: str | None) -> str:
        """Where a path that the author wrote leads: to the page of that path in a language, whether or not he
        wrote the base path, else to the path itself behind it."""
        based = author_path(self.origin.base, path)
        for segments in (author_segments(path), author_segments(based.removeprefix(self.origin.base))):
            for candidate in ((language_code, *segments), segments) if language_code else (segments,):
                found = self.resolve(candidate)
                if isinstance(found, Entry):
                    return found.address
        return based

    # Building

    def _checked(self, collection: Collection) -> Collection:
        """The collection with each record checked for an address of its own, where one may have none."""
        if not self.router.rivals(collection.route):
            return collection
        return replace(collection, is_free=partial(self._is_free, collection.route))

    def _is_free(self, route: Route, segments: Segments) -> bool:
        """Whether a record of the collection of `route` answers at `segments`."""
        found = self.resolve(segments)
        return isinstance(found, RecordPath) and found.collection.route is route

    def _make_clusters(self) -> Mapping[str, tuple[Alternate, ...]]:
        languages = self.site.languages
        if languages is None:
            return {}
        order = {language.code: place for place, language in enumerate(languages.supported)}
        members: dict[str, list[tuple[Language, str]]] = {}
        for entry in self.entries(Document.HREFLANG):
            if entry.language is not None:
                members.setdefault(entry.neutral, []).append((entry.language, entry.address))
        clusters: dict[str, tuple[Alternate, ...]] = {}
        for neutral, versions in members.items():
            versions.sort(key=lambda version: order[version[0].code])
            clusters[neutral] = make_cluster(versions, languages.default)
        return clusters


def _of_page(entries: Mapping[Segments, Entry], match: Match) -> Entry | None:
    """The entry at a match's address, where it is one of the matched page's."""
    entry = entries.get(match.segments)
    return entry if entry is not None and entry.page is match.route.page else None
