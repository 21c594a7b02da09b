"""The catalogue: all entries of a site at one moment, in one stable order, and what a path resolves to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from fingerpost.catalogue.addresses import build_path, is_addressable
from fingerpost.catalogue.articles import (
    article_keys,
    has_language,
    in_author_order,
    index_slugs,
    is_filtered_out,
    make_article,
)
from fingerpost.catalogue.canonical import own_or_elsewhere
from fingerpost.catalogue.collections import Collection, make_cluster, make_templates, takes_rest
from fingerpost.catalogue.entry import Alternate, Article, Document, Entry, Rule, Verdict, twin_address
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication, content_languages
from fingerpost.catalogue.routes import LANG, Localised, Match, Route, Router, Variant
from fingerpost.catalogue.visibility import Subject, collection_readers, decide, falls_due
from fingerpost.site.model import Page
from fingerpost.site.problems import Place, Problems
from fingerpost.sources.records import Selection

Segments = tuple[str, ...]

ABSENT = frozenset({Rule.DRAFT, Rule.FUTURE, Rule.FILTERED})


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
        self.router = Router(self.site)
        self.problems = Problems()
        self.parts: list[Entry | Collection] = []
        self.collections: dict[int, Collection] = {}
        self._by_segments: dict[Segments, Entry] = {}
        self._moved: dict[Segments, Entry] = {}
        for route in self.router.routes:
            self._add_route(route)
        self._drop_taken_twins()
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

    def collection_of(self, page: Page) -> Collection | None:
        """The collection that `page` publishes, None where it publishes none."""
        return next((c for c in self.collections.values() if c.route.page is page), None)

    def alternates(self, entry: Entry) -> tuple[Alternate, ...]:
        """The hreflang cluster of a page or article; empty where it has none."""
        if not entry.verdict.allows(Document.HREFLANG):
            return ()
        return self._clusters.get(entry.neutral, ())

    def resolve(self, segments: Segments) -> Entry | RecordPath | Moved | Match | None:
        """What decoded `segments` (base path removed) lead to. A bare Match is a page's own path with nothing
        there; None belongs to no page. Absent entries (draft, future, filtered) are nothing."""
        match = self.router.match(segments)
        index = self.router.match_index(segments)
        if index is not None and (match is None or index.route.position < match.route.position):
            entry = self._by_segments.get(index.variant.pattern.fill(index.parameters))
            if entry is not None and entry.page is index.route.page:
                return entry
            match = match or index
        if match is None:
            return None
        own = match.variant.pattern.fill(match.parameters)
        if (entry := self._by_segments.get(own)) is not None and entry.page is match.route.page:
            return entry
        if (moved := self._moved.get(own)) is not None and moved.page is match.route.page:
            return Moved(moved)
        collection = self.collections.get(match.route.position)
        if collection is not None and collection.route.parameter is not None:
            return RecordPath(collection, match.variant, match.parameters[collection.route.parameter])
        return match

    def page_address(self, path_segments: Sequence[str], language_code: str | None) -> str | None:
        """The address of the page whose own path is `path_segments`, in a language; None where there is none."""
        segments = tuple(path_segments)
        candidates = [segments] if language_code is None else [(language_code, *segments), segments]
        for candidate in candidates:
            found = self.resolve(candidate)
            if isinstance(found, Entry):
                return found.address
        return None

    # Building

    def address(self, segments: Segments) -> str:
        """The published path of decoded `segments`; a language's root keeps its trailing slash."""
        languages = self.site.languages
        is_root = languages is not None and len(segments) == 1 and languages.get(segments[0]) is not None
        return build_path(self.origin.base, segments, root=is_root)

    def _add_route(self, route: Route) -> None:
        page = route.page
        if page.content_dir is not None:
            self._add_articles(route)
        elif page.collection is not None and route.parameters:
            self._add_collection(route)
        elif not route.parameters:
            for variant in route.variants:
                self._add_entry(route, variant, {}, None)

    def _add_articles(self, route: Route) -> None:
        page = route.page
        content = page.content_dir
        if content is None or route.parameter is None:
            return
        by_code: dict[str | None, list[Article]] = {}
        for code in content_languages(self.site, page):
            files = self.publication.articles
            articles = [make_article(content, code, files[key]) for key in article_keys(content, code, files)]
            by_code[code] = in_author_order(page, articles)
        for variant in route.variants:
            code = variant.language.code if variant.language and has_language(content) else None
            for article in by_code.get(code, ()):
                self._add_entry(route, variant, {route.parameter: article.slug}, article)

    def _add_collection(self, route: Route) -> None:
        page = route.page
        reference = page.collection
        table = self.site.table(reference.table) if reference is not None else None
        if reference is None or table is None or route.parameter is None:
            return
        verdict = decide(Subject(page, readers=collection_readers(self.site, page)), self.now)
        rivals = {
            rival.position: rival
            for variant in route.variants
            for rival in self.router.rivals(route, variant)
        }
        collection = Collection(
            route=route,
            table=table,
            selection=Selection(table, reference.slug_field, reference.conditions),
            verdict=verdict,
            templates=make_templates(route, self.origin.base),
            whole_rest=takes_rest(route),
            default_code=self.site.languages.default if self.site.languages else None,
            rivals=tuple(rivals.values()),
        )
        self.collections[route.position] = collection
        self.parts.append(collection)

    def _add_entry(
        self, route: Route, variant: Variant, parameters: Mapping[str, str], article: Article | None
    ) -> None:
        segments = variant.pattern.fill(parameters)
        page, front = route.page, article.front if article else None
        place = Place(article.key, 1) if article else page.place
        if not all(map(is_addressable, segments)):
            self.problems.warning(
                "address-impossible", place, f"no client can ask for {'/'.join(segments)!r}"
            )
            return
        address = self.address(segments)
        declared = front.canonical if front and front.canonical else page.meta.canonical
        canonical = own_or_elsewhere(
            declared, address, self._other_names(route, variant, parameters), parameters, self.origin
        )
        content = page.content_dir
        subject = Subject(
            page,
            front,
            filtered=bool(content and front and is_filtered_out(content, front)),
            canonical_elsewhere=canonical.elsewhere is not None,
        )
        entry = Entry(
            page=page,
            address=address,
            verdict=decide(subject, self.now),
            language=variant.language,
            neutral=build_path("", variant.neutral.fill({**parameters, LANG: ":lang"})),
            article=article,
            lastmod=article.lastmod if article else None,
            canonical=canonical.elsewhere,
            own_origin=canonical.own_origin,
            twin=twin_address(address) if article or page.markdown else None,
            due=falls_due(subject, self.now),
        )
        if is_absent(entry.verdict) or self._claim(route, segments, parameters, entry):
            self.parts.append(entry)

    def _other_names(self, route: Route, variant: Variant, parameters: Mapping[str, str]) -> tuple[str, ...]:
        """The paths beside its own at which an entry's page is the same page: without its language prefix."""
        if route.localised is not Localised.PREFIXED:
            return ()
        return (self.address(route.pattern.fill(parameters)),)

    def _claim(self, route: Route, segments: Segments, parameters: Mapping[str, str], entry: Entry) -> bool:
        """Give the entry its address, unless another has it or an earlier page would answer there."""
        place = _place(entry)
        if (holder := self._by_segments.get(segments)) is not None:
            self.problems.warning(
                "address-collision", place, f"{entry.address} is already the address of {_place(holder)}"
            )
            return False
        match = self.router.match(segments)
        is_index = route.parameter is not None and parameters.get(route.parameter) == ""
        if (
            match is not None
            and match.route is not route
            and not (is_index and route.position < match.route.position)
        ):
            self.problems.warning(
                "address-shadowed",
                place,
                f"{entry.address} is answered by an earlier page, {match.route.page.place}",
            )
            return False
        self._by_segments[segments] = entry
        content = route.page.content_dir
        if entry.article is not None and content is not None and route.parameter is not None:
            for slug in index_slugs(content, entry.article.slug):
                variant = next(v for v in route.variants if v.language is entry.language)
                self._moved.setdefault(variant.pattern.fill({route.parameter: slug}), entry)
        return True

    def _drop_taken_twins(self) -> None:
        """Where an entry, or a record that may come, answers at the address of a Markdown form, that form has none."""
        for segments, entry in list(self._by_segments.items()):
            if entry.twin is None or not self._is_taken(twin_segments(segments, entry)):
                continue
            self.problems.warning(
                "twin-collision",
                _place(entry),
                f"{entry.twin} is an entry's own address, so no Markdown is there",
            )
            twinless = replace(entry, twin=None)
            self._by_segments[segments] = twinless
            self.parts = [twinless if part is entry else part for part in self.parts]
            self._moved = {path: twinless if to is entry else to for path, to in self._moved.items()}

    def _is_taken(self, segments: Segments) -> bool:
        if segments in self._by_segments:
            return True
        match = self.router.match(segments)
        return match is not None and match.route.position in self.collections

    def _make_clusters(self) -> Mapping[str, tuple[Alternate, ...]]:
        languages = self.site.languages
        if languages is None:
            return {}
        order = {language.code: place for place, language in enumerate(languages.supported)}
        members: dict[str, list[Entry]] = {}
        for entry in self.entries(Document.HREFLANG):
            if entry.language is not None:
                members.setdefault(entry.neutral, []).append(entry)
        clusters: dict[str, tuple[Alternate, ...]] = {}
        for neutral, versions in members.items():
            if len(versions) > 1:
                versions.sort(key=lambda e: order[e.language.code] if e.language else -1)
                clusters[neutral] = make_cluster(
                    [(e.language, e.address) for e in versions], languages.default
                )
        return clusters


def _place(entry: Entry) -> Place:
    return Place(entry.article.key, 1) if entry.article else entry.page.place


def twin_segments(segments: Segments, entry: Entry) -> Segments:
    """The decoded segments of an entry's Markdown form."""
    if entry.address.endswith("/"):
        return (*segments, "index.md")
    return (*segments[:-1], f"{segments[-1]}.md")


def is_absent(verdict: Verdict) -> bool:
    """Whether the entry does not exist for anyone: draft, not yet due, or filtered out."""
    return verdict.excluded.get(Document.HTML) in ABSENT
