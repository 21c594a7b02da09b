"""Why an address, or a file of the site, is no entry: what it was meant to be, and what stands in its way."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from fingerpost.catalogue.addresses import author_segments, build_path, decode_path, is_reserved
from fingerpost.catalogue.articles import article_keys, directory_of, has_language, slug_of
from fingerpost.catalogue.building import is_absent
from fingerpost.catalogue.catalogue import Catalogue, Moved, RecordPath
from fingerpost.catalogue.entry import Document, Entry
from fingerpost.catalogue.globs import compile_glob
from fingerpost.catalogue.origin import split_origin
from fingerpost.catalogue.publication import content_languages
from fingerpost.catalogue.routes import Match, Route
from fingerpost.site.problems import Place
from fingerpost.sources.objects import PUBLIC
from fingerpost.web.llms import MANIFEST, artifacts
from fingerpost.web.pages import find_target
from fingerpost.web.paths import site_path
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.facts import Absence
from fingerpost_tools.explaining.reasons import Reasons

_NEAREST: Final = 3
_RESEMBLANCE: Final = 0.6
_MARKDOWN: Final = ".md"
# What a child of the sitemap, or a further part of llms-full.txt, has more in its name.
_CHILD: Final = re.compile(r"-[0-9]+(?=\.)")


@dataclass(frozen=True, slots=True)
class Found:
    """What a path leads to: an entry, a record that only the database knows, or neither; and what is to be
    said about the way there."""

    entry: Entry | None = None
    record: RecordPath | None = None
    note: Absence | None = None


class Absences:
    """Explains what the entries of one catalogue are not."""

    def __init__(self, catalogue: Catalogue, places: ConfigurationPlaces, reasons: Reasons) -> None:
        self._catalogue = catalogue
        self._publication = catalogue.publication
        self._places = places
        self._reasons = reasons

    def nearest(self, asked: str, more: Iterable[str] = ()) -> tuple[str, ...]:
        """The published addresses that resemble a path most."""
        from difflib import get_close_matches

        known = [entry.address for entry in self._catalogue.all_entries() if not is_absent(entry.verdict)]
        path = urlsplit(asked).path if "://" in asked else asked
        return tuple(get_close_matches(path, dict.fromkeys([*known, *more]), _NEAREST, _RESEMBLANCE))

    # Addresses

    def resolve(self, asked: str) -> Found:
        """What an address or path leads to, as the page function decides it."""
        path = self._path_of(asked)
        if isinstance(path, Absence):
            return Found(note=path)
        catalogue = self._catalogue
        if decode_path(path) is None:
            return Found(note=Absence(asked, "address-impossible", "no client can ask for it"))
        site = site_path(path, "", catalogue.site, catalogue.origin)
        if site is None:
            reason = f"it is not below the base path {catalogue.origin.base}"
            if not catalogue.origin.base or path.startswith(f"{catalogue.origin.base}/"):
                reason = "a segment of it is empty"
            return Found(note=Absence(asked, "no-page", reason))
        if (file := self._file_at(asked, site.segments)) is not None:
            return Found(note=file)
        target, _ = find_target(catalogue, site.segments)
        note = self._redirected(asked, site.redirect) if site.redirect is not None else None
        if isinstance(target, Moved):
            return Found(target.entry, note=self._redirected(asked, target.entry.address))
        if isinstance(target, Entry):
            if note is None and path not in (target.address, target.twin):
                reason = f"it answers, and its canonical address is {target.address}"
                note = Absence(asked, "other-name", reason, served=True)
            return Found(target, note=note)
        if isinstance(target, RecordPath):
            return Found(record=target, note=note)
        absent = self._absent_entry(asked, site.segments, target)
        return Found(note=absent or self._nothing(asked, site.segments, target))

    def _path_of(self, asked: str) -> str | Absence:
        """The path of what was asked for: an address of this site, or a path, encoded or not yet."""
        if "://" in asked:
            try:
                origin, path = split_origin(asked.partition("#")[0].partition("?")[0])
            except ValueError:
                return Absence(asked, "other-site", "it is no http or https address")
            known = self._catalogue.origin.known
            if known is not None and origin != known:
                return Absence(asked, "other-site", f"this site's addresses begin with {known}")
            asked = path or "/"
        path = asked.partition("#")[0].partition("?")[0]
        path = path if path.startswith("/") else f"/{path}"
        if path.isascii() and " " not in path:
            return path
        return build_path("", author_segments(path), root=path.endswith("/"))

    def _file_at(self, asked: str, segments: tuple[str, ...]) -> Absence | None:
        """A file of the owner's, or a document of ours, that answers at a path whatever the pages say."""
        plain = not any("/" in segment for segment in segments)
        key = self._publication.public_file("/".join(segments)) if plain else None
        if key is not None:
            return Absence(asked, "own-file", f"the owner's file {key} answers", Place(key), served=True)
        if not is_reserved(segments):
            return None
        if self._has_document(segments[0]):
            return Absence(asked, "document", f"{segments[0]} is a document, no entry", served=True)
        return Absence(asked, "no-document", f"the site has no {segments[0]}")

    def _has_document(self, name: str) -> bool:
        """Whether a well-known file of ours is there; any child of a sitemap counts where there is one."""
        if name == MANIFEST:
            return self._catalogue.site.readability
        found = artifacts(self._catalogue, "")
        named = {found.llms, found.llms_full, found.sitemap, found.robots, *found.feeds}
        return f"/{_CHILD.sub('', name)}" in named

    def _redirected(self, asked: str, to: str) -> Absence:
        return Absence(asked, "redirect", f"it redirects (301) to {to}", served=True)

    def _absent_entry(self, asked: str, segments: tuple[str, ...], match: Match | None) -> Absence | None:
        """What would be at the path, were it not a draft, still to come, or left without an address."""
        wanted: set[str] = set()
        # A match knows the published form of a path without a language.
        for path in (segments, match.segments if match is not None else segments):
            address = build_path(self._catalogue.origin.base, path)
            wanted |= {address, f"{address}/", address.removesuffix(_MARKDOWN)}
        for entry in self._catalogue.all_entries():
            if entry.address in wanted and is_absent(entry.verdict):
                rule = entry.verdict.excluded[Document.HTML]
                why = self._reasons.of(rule, entry.page, entry.article, entry.canonical)
                return Absence(asked, rule, why.reason, why.place)
        for dropped in self._catalogue.dropped:
            if dropped.address in wanted:
                return Absence(asked, dropped.reason, dropped.message, dropped.place)
        return None

    def _nothing(self, asked: str, segments: tuple[str, ...], match: Match | None) -> Absence:
        if (unread := self._unreadable_at(segments)) is not None:
            return Absence(asked, "unreadable", *unread)
        if match is None:
            return Absence(asked, "no-page", "no page has this path")
        route = match.route
        page, place = route.page, self._places.of_page(route.page, "path")
        named = f"page `{page.name}` ({page.path})"
        if len(route.parameters) > 1:
            return Absence(
                asked, "many-parameters", f"{named} has several parameters and lists nothing", place
            )
        if page.content_dir is not None:
            return Absence(asked, "no-article", f"{named} takes this path, but {self._missing(match)}", place)
        if page.collection is not None and (by := self._catalogue.router.hidden_by(route)) is not None:
            return Absence(asked, "address-shadowed", f"{named} is hidden by {by.page.place}", place)
        reason = f"{named} takes this path, but declares neither `contentDir` nor `collection`"
        return Absence(asked, "no-source", reason, place)

    def _missing(self, match: Match) -> str:
        """The file that a path of a content directory would be made from."""
        content, route = match.route.page.content_dir, match.route
        if content is None or route.parameter is None:
            return "it holds no article"
        language = match.variant.language
        code = language.code if language is not None and has_language(content) else None
        directory, slug = directory_of(content, code), match.parameters.get(route.parameter, "")
        name = slug or content.index or "index"
        if not content.by_path:
            return f"no {name}{_MARKDOWN} is below {directory}"
        return f"{directory}{name}{_MARKDOWN} is not there"

    def _unreadable_at(self, segments: tuple[str, ...]) -> tuple[str, Place] | None:
        """The article that can't be read and would be at a path, with the reason."""
        for problem in self._publication.unreadable:
            for route in self._catalogue.router.routes:
                if segments in self._paths_of(route, problem.place.file):
                    return problem.message, problem.place
        return None

    def _paths_of(self, route: Route, key: str) -> list[tuple[str, ...]]:
        """The paths of the article at `key` below a page, were it readable."""
        content, parameter = route.page.content_dir, route.parameter
        if content is None or parameter is None:
            return []
        return [
            variant.pattern.fill({parameter: slug_of(content, code, key)})
            for code in content_languages(self._catalogue.site, route.page)
            if article_keys(content, code, [key])
            for variant in route.variants
            if not has_language(content) or (variant.language and variant.language.code == code)
        ]

    # Files

    def of_file(self, key: str, asked: str) -> Absence:
        """Why a file of the site is no entry."""
        unread = next((p for p in self._publication.unreadable if p.place.file == key), None)
        if unread is not None:
            return Absence(asked, "unreadable", unread.message, unread.place)
        place = Place(key)
        if key not in self._publication.listing:
            return Absence(asked, "no-file", f"the site has no file {key}")
        if key.startswith(PUBLIC):
            address = build_path(self._catalogue.origin.base, key.removeprefix(PUBLIC).split("/"))
            return Absence(asked, "own-file", f"it is served as it is at {address}", place, served=True)
        if key in self._catalogue.site.files:
            return Absence(
                asked, "configuration", "it is part of the configuration, which is not published", place
            )
        return Absence(asked, "not-an-article", self._not_taken(key), place)

    def _not_taken(self, key: str) -> str:
        """Why no content directory takes a file."""
        if not key.lower().endswith(_MARKDOWN):
            return "an article's name ends in .md, and other files are served from public/ alone"
        for route in self._catalogue.router.routes:
            content = route.page.content_dir
            if content is None:
                continue
            for code in content_languages(self._catalogue.site, route.page):
                directory = directory_of(content, code)
                if not key.startswith(directory):
                    continue
                if not compile_glob(content.include).matches(key[len(directory) :]):
                    return (
                        f"`contentDir.include` of page `{route.page.name}`, {content.include}, leaves it out"
                    )
                if route.parameter is None:
                    return f"page `{route.page.name}` has several parameters and lists nothing"
        return "no page's `contentDir` has a directory above it"
