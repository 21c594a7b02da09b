"""A publication: one state of a site's files, read whole, kept in memory and revalidated by ETag.

A warm function asks the store again at most once in `check_seconds`. A broken configuration never
replaces a good one, and an unreachable store leaves the last good content in place (SPEC section 13).
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Final, Protocol

from fingerpost.catalogue.article_index import INDEX, read_index
from fingerpost.catalogue.articles import ArticleFile, article_keys, has_language
from fingerpost.errors import ConfigurationUnavailable
from fingerpost.observe import count, log_error, log_warning
from fingerpost.site.loading import load_site
from fingerpost.site.model import Page, Site
from fingerpost.site.problems import Problem, Problems, SiteError
from fingerpost.sources.objects import (
    PUBLIC,
    ObjectInfo,
    ObjectMissing,
    ObjectStore,
    StoredObject,
    StoreUnavailable,
)
from fingerpost.values import dataclass

# A store that can't be reached is left alone for so many times as long as it took to fail, and no longer than
# this (seconds): meanwhile visitors get the last good content without waiting.
_REST: Final = 4
_REST_MOST: Final = 30.0


@dataclass(frozen=True, slots=True)
class Publication:
    """A site's configuration, the listing of its files, and the front matter of its articles.

    `unreadable` names the articles that were left out, with the reason. `fingerprint` is the same for the
    same files.
    """

    site: Site
    fingerprint: str
    problems: Problems
    listing: Mapping[str, ObjectInfo] = field(default_factory=dict)
    articles: Mapping[str, ArticleFile] = field(default_factory=dict)
    unreadable: tuple[Problem, ...] = ()

    def public_file(self, path: str) -> str | None:
        """The key of the owner's file for a site path without leading slash (`robots.txt`), if any."""
        key = PUBLIC + path
        return key if path and not path.endswith("/") and key in self.listing else None


@dataclass(frozen=True, slots=True)
class Configuration:
    """The configuration alone: what robots.txt is made from without a listing."""

    site: Site
    problems: Problems
    etags: Mapping[str, str]


def content_languages(site: Site, page: Page) -> tuple[str | None, ...]:
    """The codes a page's content directory is looked up under: each language's, or None where it is one."""
    if page.content_dir is None:
        return ()
    if has_language(page.content_dir):
        return site.languages.codes if site.languages else ()
    return (None,)


def content_keys(site: Site, keys: Iterable[str]) -> list[str]:
    """Every key that some page's content directory publishes, once, in key order."""
    keys = list(keys)
    wanted: set[str] = set()
    for page in site.pages:
        if page.content_dir is not None:
            for code in content_languages(site, page):
                wanted.update(article_keys(page.content_dir, code, keys))
    return sorted(wanted)


class Reads(Protocol):
    """What reading a publication asks of a store, as `ObjectStore` has it."""

    def read(self, key: str) -> StoredObject: ...

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]: ...


class _Reading:
    """A store that is read after it was listed, and may have changed meanwhile. `etags` are those of the
    listing, but for what was read: of that they say what it was then."""

    def __init__(self, store: ObjectStore, listing: Mapping[str, ObjectInfo]) -> None:
        self._store = store
        self.etags = {key: info.etag for key, info in listing.items()}

    def read(self, key: str) -> StoredObject:
        found = self._store.read(key)
        self.etags[key] = found.etag
        return found

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        wanted = list(keys)
        found = self._store.read_many(wanted)
        for key in wanted:
            self.etags.pop(key, None)
        self.etags |= {key: stored.etag for key, stored in found.items()}
        return found


def read_configuration(store: Reads) -> Configuration:
    """Read and check `app.yaml` and what it names. Raises SiteError, NotASite or StoreUnavailable."""
    etags: dict[str, str] = {}

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        found = store.read_many(keys)
        etags.update({key: stored.etag for key, stored in found.items()})
        return {key: stored.body for key, stored in found.items()}

    loaded = load_site(read)
    return Configuration(loaded.site, loaded.problems, etags)


def read_articles(
    store: Reads,
    listing: Mapping[str, ObjectInfo],
    keys: Iterable[str],
    known: Mapping[str, ArticleFile],
) -> tuple[dict[str, ArticleFile], list[Problem]]:
    """The front matter of the articles at `keys`. Those `known` under the listed ETag are not read again, nor
    are those that the index has under it."""
    keys = list(keys)
    articles = _unchanged(keys, listing, known)
    if len(articles) < len(keys) - 1 and INDEX in listing:
        articles |= _unchanged(keys, listing, _indexed(store))
    changed = [key for key in keys if key not in articles]
    if not changed:
        return articles, []
    from fingerpost.site.frontmatter import ArticleError, read_front_matter

    problems: list[Problem] = []
    for key, stored in store.read_many(changed).items():
        try:
            front, _ = read_front_matter(stored.body, key)
        except ArticleError as error:
            problems.append(error.problem)
        else:
            articles[key] = ArticleFile(key, stored.etag, front, stored.modified or stored.stored)
    return articles, problems


def _unchanged(
    keys: Iterable[str], listing: Mapping[str, ObjectInfo], known: Mapping[str, ArticleFile]
) -> dict[str, ArticleFile]:
    """The articles at `keys` that are known under the listed ETag."""
    return {key: known[key] for key in keys if key in known and known[key].etag == listing[key].etag}


def _indexed(store: Reads) -> Mapping[str, ArticleFile]:
    try:
        return read_index(store.read(INDEX).body)
    except ObjectMissing:  # removed between the listing and now
        return {}


def _fingerprint(etags: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for key in sorted(etags):
        digest.update(f"{key}\0{etags[key]}\0".encode())
    return digest.hexdigest()


@dataclass(slots=True)
class _Held:
    """What a warm instance knows: when it last looked, how long it will not look again although it could
    (seconds), and what was refused."""

    checked: float = float("-inf")
    rest: float = 0.0
    refused: str = ""
    problems: dict[str, tuple[str, Problem]] = field(default_factory=dict)  # key -> ETag and problem


class Publications:
    """The current publication of a store, for one warm function instance. Several threads may ask."""

    def __init__(
        self, store: ObjectStore, check_seconds: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.store = store
        self._check_seconds = check_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._whole = _Held()
        self._alone = _Held()
        self._publication: Publication | None = None
        self._outline: Publication | None = None
        self._configuration: Configuration | None = None

    def current(self) -> Publication:
        """The publication as it stands. Raises ConfigurationUnavailable or StoreUnavailable where nothing
        good was ever seen."""
        with self._lock:
            held = self._publication
            if held is None or not self._is_fresh(self._whole):
                held = self._publication = self._looked(self._whole, self._refreshed, held)
            return held

    def outline(self) -> Publication:
        """The configuration and the owner's own files, without any article: enough for robots.txt."""
        with self._lock:
            if self._publication is not None and not self._whole.rest and self._is_fresh(self._whole):
                return self._publication
            held = self._outline
            if held is None or not self._is_fresh(self._alone):
                held = self._outline = self._looked(self._alone, self._refreshed_outline, held)
            return held

    def _looked(
        self,
        state: _Held,
        refreshed: Callable[[Publication | None], Publication],
        held: Publication | None,
    ) -> Publication:
        """What the store holds now; where it can't be reached, what is held."""
        began = self._clock()
        state.rest = 0.0
        try:
            return refreshed(held)
        except StoreUnavailable as error:
            if held is None:
                raise
            log_error("The store can't be reached; the last good content is served", error=str(error))
            count("StoreUnavailable")
            state.rest = min(_REST_MOST, _REST * (self._clock() - began))
            return held
        finally:
            state.checked = self._clock()

    def distrust(self) -> None:
        """Look at the store before the next answer, however lately that was done."""
        with self._lock:
            self._whole.checked = self._alone.checked = float("-inf")

    def _is_fresh(self, held: _Held) -> bool:
        return self._clock() - held.checked < max(self._check_seconds, held.rest)

    def _refreshed_outline(self, old: Publication | None) -> Publication:
        listing = self.store.list(PUBLIC)
        held = self._configuration
        unchanged = held is not None and held.etags == {
            key: stored.etag for key, stored in self.store.read_many(held.etags).items()
        }
        if unchanged and held:
            configuration = held
        else:
            configuration = self._read_or_keep(_Reading(self.store, {}), held, self._alone)
            last_good = old or self._publication
            if self._alone.refused and last_good is not None:
                return last_good
        self._configuration = configuration
        etags = {key: info.etag for key, info in listing.items()} | dict(configuration.etags)
        fingerprint = _fingerprint(etags)
        if old is not None and old.fingerprint == fingerprint:
            return old
        return Publication(configuration.site, fingerprint, configuration.problems, listing)

    def _read_or_keep(self, reading: _Reading, held: Configuration | None, state: _Held) -> Configuration:
        """The configuration read anew; the held one where that is refused, which is said once per state."""
        try:
            configuration = read_configuration(reading)
        except SiteError as error:
            refused = _fingerprint(reading.etags)
            if refused != state.refused:
                log_error("The configuration is refused", problems=[str(p) for p in error.problems.errors])
                count("ConfigurationRejected")
            state.refused = refused
            if held is None:
                raise ConfigurationUnavailable(str(error)) from error
            return held
        state.refused = ""
        return configuration

    def _refreshed(self, old: Publication | None) -> Publication:
        listing = self.store.list()
        reading = _Reading(self.store, listing)
        if old is not None and _fingerprint(reading.etags) in (old.fingerprint, self._whole.refused):
            return old
        held = self._configuration
        unchanged = held is not None and all(
            key in listing and listing[key].etag == etag for key, etag in held.etags.items()
        )
        if unchanged and held:
            configuration, self._whole.refused = held, ""
        else:
            configuration = self._read_or_keep(reading, held, self._whole)
        if self._whole.refused and old is not None:
            return old
        self._configuration = configuration
        keys = content_keys(configuration.site, listing)
        known_bad = {
            key: problem
            for key, (etag, problem) in self._whole.problems.items()
            if key in listing and listing[key].etag == etag
        }
        articles, problems = read_articles(
            reading,
            listing,
            [key for key in keys if key not in known_bad],
            old.articles if old is not None else {},
        )
        for problem in problems:
            log_warning("An article is left out", problem=str(problem))
        unreadable = sorted((*known_bad.values(), *problems), key=lambda problem: problem.place.file)
        self._whole.problems = {
            problem.place.file: (reading.etags[problem.place.file], problem) for problem in unreadable
        }
        return Publication(
            configuration.site,
            _fingerprint(reading.etags),
            configuration.problems,
            listing,
            articles,
            tuple(unreadable),
        )


def read_publication(store: ObjectStore) -> Publication:
    """The publication of a store, read once: what the static build and the tools work on.

    Raises SiteError and StoreUnavailable.
    """
    configuration = read_configuration(store)
    listing = store.list()
    articles, problems = read_articles(store, listing, content_keys(configuration.site, listing), {})
    fingerprint = _fingerprint({key: info.etag for key, info in listing.items()})
    return Publication(
        configuration.site, fingerprint, configuration.problems, listing, articles, tuple(problems)
    )
