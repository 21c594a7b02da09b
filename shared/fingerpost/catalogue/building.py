"""Building a catalogue: from pages, articles and tables to entries, each with an address of its own."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from fingerpost.catalogue.addresses import (
    build_path,
    is_addressable,
    is_reserved,
    paths_of,
)
from fingerpost.catalogue.articles import (
    article_keys,
    has_language,
    in_author_order,
    index_slugs,
    is_filtered_out,
    make_article,
)
from fingerpost.catalogue.canonical import Canonicals
from fingerpost.catalogue.collections import AddressTemplate, Collection, around_parameter
from fingerpost.catalogue.entry import (
    Article,
    Document,
    Drop,
    Dropped,
    Entry,
    Rule,
    Verdict,
    twin_address,
)
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication, content_languages
from fingerpost.catalogue.routes import LANG, Route, Router, Variant
from fingerpost.catalogue.visibility import (
    Subject,
    collection_readers,
    decide,
    falls_due,
    field_readers,
    lastmod_field,
)
from fingerpost.site.problems import Place, Problems
from fingerpost.sources.objects import PUBLIC
from fingerpost.sources.records import Selection

Segments = tuple[str, ...]

ABSENT = frozenset({Rule.DRAFT, Rule.FUTURE, Rule.FILTERED})


class Builder:
    """Gives each page, article and collection of a publication its address, the first that wants it winning.

    `by_segments` holds the entries by the decoded segments of their address, `moved` those that other
    paths lead to. `dropped` is what is left without an address, and `problems` says so.
    """

    def __init__(self, publication: Publication, origin: Origin, now: datetime) -> None:
        self.publication = publication
        self.site = publication.site
        self.origin = origin
        self.now = now
        self.router = Router(self.site)
        self.problems = Problems()
        self.dropped: list[Dropped] = []
        self.parts: list[Entry | Collection] = []
        self.by_segments: dict[Segments, Entry] = {}
        self.moved: dict[Segments, Entry] = {}
        codes = self.site.languages.codes if self.site.languages else ()
        self.paths = paths_of(origin.base, codes)
        self.canonicals = Canonicals(self.site, origin, self.paths)
        for route in self.router.routes:
            self._add_route(route)
        self._drop_taken_twins()
        self.twins = {twin_segments(path, e) for path, e in self.by_segments.items() if e.twin is not None}
        self.parts = [
            replace(part, taken=self._taken_slugs(part)) if isinstance(part, Collection) else part
            for part in self.parts
        ]

    def is_file(self, segments: Segments) -> bool:
        """Whether a file answers at `segments`, whatever the pages say: a well-known one or the owner's."""
        return is_reserved(segments) or (
            not any("/" in segment for segment in segments)
            and self.publication.public_file("/".join(segments)) is not None
        )

    # Adding

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
        hider = self.router.hidden_by(route)
        if hider is not None:
            message = f"every address of {page.path} is answered by {_earlier(hider)}"
            self._drop(Dropped(Drop.SHADOWED, page.place, page, page.path, message, by=hider.page.place))
            return
        fields = self.canonicals.record_fields(route, table)
        varies = bool(fields) or self.canonicals.names_one_record(route, route.parameter)
        self.parts.append(
            Collection(
                route=route,
                parameter=route.parameter,
                table=table,
                selection=Selection(table, reference.slug_field, reference.conditions),
                templates=tuple(
                    self._template(route, each, route.parameter, varies) for each in route.variants
                ),
                canonical_varies=varies,
                canonical_fields=fields,
                dated=field_readers(self.site, table, lastmod_field(table)).everyone,
                default_code=self.site.languages.default if self.site.languages else None,
            )
        )

    def _template(self, route: Route, variant: Variant, parameter: str, varies: bool) -> AddressTemplate:
        # The parameter's own name stands for every slug: `/blog/:slug` is the canonical of each record.
        canonical = self.canonicals.of(route, variant, {parameter: f":{parameter}"})
        subject = Subject(route.page, readers=collection_readers(self.site, route.page))
        own = decide(subject, self.now)
        elsewhere = decide(replace(subject, canonical_elsewhere=True), self.now)
        verdict = own if varies or canonical.elsewhere is None else elsewhere
        prefix, suffix = around_parameter(variant.pattern, self.origin.base)
        return AddressTemplate(variant, prefix, suffix, verdict, elsewhere)

    def _add_entry(
        self, route: Route, variant: Variant, parameters: Mapping[str, str], article: Article | None
    ) -> None:
        segments = variant.pattern.fill(parameters)
        page, front = route.page, article.front if article else None
        place = Place(article.key, 1) if article else page.place
        if not all(map(is_addressable, segments)):
            path = "/".join(segments)
            message = f"no client can ask for {path!r}"
            self._drop(Dropped(Drop.IMPOSSIBLE, place, page, path, message, article, variant.language))
            return
        address = self.paths.address(segments)
        canonical = self.canonicals.of(route, variant, parameters, article)
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
        if is_absent(entry.verdict) or self._claim(route, variant, parameters, entry):
            self.parts.append(entry)

    # Ownership

    def _claim(self, route: Route, variant: Variant, parameters: Mapping[str, str], entry: Entry) -> bool:
        """Give the entry its address, unless another has it, or a file or an earlier page answers there."""
        segments = variant.pattern.fill(parameters)
        if (holder := self.by_segments.get(segments)) is not None:
            by = place_of(holder)
            self._drop_entry(Drop.COLLISION, entry, f"is already the address of {by}", by)
            return False
        if self.is_file(segments):
            self._drop_entry(Drop.SHADOWED, entry, "is answered by a file of that name", None)
            return False
        match = self.router.match(segments)
        is_index = route.parameter is not None and parameters.get(route.parameter) == ""
        if (
            match is not None
            and match.route is not route
            and not (is_index and route.position < match.route.position)
        ):
            by = match.route.page.place
            self._drop_entry(Drop.SHADOWED, entry, f"is answered by {_earlier(match.route)}", by)
            return False
        self.by_segments[segments] = entry
        content, parameter = route.page.content_dir, route.parameter
        if entry.article is not None and content is not None and parameter is not None:
            for slug in index_slugs(content, entry.article):
                self.moved.setdefault(variant.pattern.fill({**parameters, parameter: slug}), entry)
        return True

    def _drop_entry(self, reason: Drop, entry: Entry, what: str, by: Place | None) -> None:
        message = f"{entry.address} {what}"
        self._drop(
            Dropped(
                reason, place_of(entry), entry.page, entry.address, message, entry.article, entry.language, by
            )
        )

    def _drop(self, dropped: Dropped) -> None:
        self.dropped.append(dropped)
        self.problems.warning(dropped.reason, dropped.place, dropped.message)

    def _drop_taken_twins(self) -> None:
        """Where an entry answers at the address of another's Markdown form, that form has none."""
        for segments, entry in list(self.by_segments.items()):
            if entry.twin is None or twin_segments(segments, entry) not in self.by_segments:
                continue
            self.problems.warning(
                "twin-collision",
                place_of(entry),
                f"{entry.twin} is an entry's own address, so no Markdown is there",
            )
            twinless = replace(entry, twin=None)
            self.by_segments[segments] = twinless
            self.parts = [twinless if part is entry else part for part in self.parts]
            self.moved = {path: twinless if to is entry else to for path, to in self.moved.items()}

    def _taken_slugs(self, collection: Collection) -> frozenset[str]:
        """The slugs whose address is a Markdown form's or a file's of the owner's."""
        owned = (key.removeprefix(PUBLIC) for key in self.publication.listing if key.startswith(PUBLIC))
        fixed = [*self.twins, *(tuple(path.split("/")) for path in owned)]
        matches = (t.variant.pattern.match(path) for t in collection.templates for path in fixed)
        return frozenset(slug for match in matches if match is not None for slug in match.values())


def _earlier(route: Route) -> str:
    return f"an earlier page, {route.page.place}"


def place_of(entry: Entry) -> Place:
    """Where the author wrote the entry."""
    return Place(entry.article.key, 1) if entry.article else entry.page.place


def twin_segments(segments: Segments, entry: Entry) -> Segments:
    """The decoded segments of an entry's Markdown form."""
    if entry.address.endswith("/"):
        return (*segments, "index.md")
    return (*segments[:-1], f"{segments[-1]}.md")


def is_absent(verdict: Verdict) -> bool:
    """Whether the entry does not exist for anyone: draft, not yet due, or filtered out."""
    return verdict.excluded.get(Document.HTML) in ABSENT
