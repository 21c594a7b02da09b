"""A publication: one state of a site's files, read whole, kept in memory and revalidated by ETag.

A warm function asks the store again at most once in `check_seconds`. A broken configuration never
replaces a good one, and an unreachable store leaves the last good content in place (SPEC section 13).
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from fingerpost.catalogue.articles import ArticleFile, article_keys, has_language
from fingerpost.errors import ConfigurationUnavailable
from fingerpost.observe import count, log_error, log_warning
from fingerpost.site.loading import load_site
from fingerpost.site.model import Page, Site
from fingerpost.site.problems import Problem, Problems, SiteError
from fingerpost.sources.objects import ObjectInfo, ObjectStore, StoreUnavailable

PUBLIC = "public/"


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
        """The key of the owner's own file for a site path without leading slash (`robots.txt`), if there is one."""
        key = PUBLIC + path
        return key if path and not path.endswith("/") and key in self.listing else None


@dataclass(frozen=True, slots=True)
class Configuration:
    """The configuration alone: what robots.txt is made from without a listing."""

    site: Site
    problems: Problems
    etags: Mapping[str, str]


def content_languages(site: Site, page: Page) -> tuple[str | None, ...]:
    """The codes a page's content directory is looked up under: each language's, or None where it is one directory."""
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


def read_configuration(store: ObjectStore) -> Configuration:
    """Read and check `app.yaml` and what it names. Raises SiteError, NotASite or StoreUnavailable."""
    etags: dict[str, str] = {}

    def read(keys: Iterable[str]) -> Mapping[str, bytes]:
        found = store.read_many(keys)
        etags.update({key: stored.etag for key, stored in found.items()})
        return {key: stored.body for key, stored in found.items()}

    loaded = load_site(read)
    return Configuration(loaded.site, loaded.problems, etags)


def read_articles(
    store: ObjectStore,
    listing: Mapping[str, ObjectInfo],
    keys: Iterable[str],
    known: Mapping[str, ArticleFile],
) -> tuple[dict[str, ArticleFile], list[Problem]]:
    """The front matter of the articles at `keys`; those in `known` under the listed ETag are not read again."""
    from fingerpost.site.frontmatter import ArticleError, read_front_matter

    articles: dict[str, ArticleFile] = {}
    problems: list[Problem] = []
    changed: list[str] = []
    for key in keys:
        if key in known and known[key].etag == listing[key].etag:
            articles[key] = known[key]
        else:
            changed.append(key)
    for key, stored in store.read_many(changed).items():
        try:
            front, _ = read_front_matter(stored.body, key)
        except ArticleError as error:
            problems.append(error.problem)
        else:
            articles[key] = ArticleFile(key, listing[key].etag, front, stored.modified or stored.stored)
    return articles, problems


def _fingerprint(etags: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for key in sorted(etags):
        digest.update(f"{key}\0{etags[key]}\0".encode())
    return digest.hexdigest()


@dataclass(slots=True)
class _Held:
    """What a warm instance knows: the last good state, when it was checked, and what was refused."""

    checked: float = float("-inf")
    refused: str = ""
    problems: dict[str, tuple[str, Problem]] = field(default_factory=dict)  # key -> ETag and problem


class Publications:
    """The current publication of a store, for one warm function instance. Safe to call from several threads."""

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
            if self._publication is not None and self._is_fresh(self._whole):
                return self._publication
            try:
                self._refresh()
            except StoreUnavailable as error:
                if self._publication is None:
                    raise
                log_error("The store can't be reached; the last good content is served", error=str(error))
                count("StoreUnavailable")
            self._whole.checked = self._clock()
            assert self._publication is not None
            return self._publication

    def outline(self) -> Publication:
        """The configuration and the owner's own files, without any article: enough for robots.txt."""
        with self._lock:
            if self._publication is not None and self._is_fresh(self._whole):
                return self._publication
            if self._outline is not None and self._is_fresh(self._alone):
                return self._outline
            try:
                self._refresh_outline()
            except StoreUnavailable as error:
                if self._outline is None:
                    raise
                log_error(
                    "The store can't be reached; the last good configuration is served", error=str(error)
                )
                count("StoreUnavailable")
            self._alone.checked = self._clock()
            assert self._outline is not None
            return self._outline

    def _is_fresh(self, held: _Held) -> bool:
        return self._clock() - held.checked < self._check_seconds

    def _refresh_outline(self) -> None:
        listing = self.store.list(PUBLIC)
        held, old = self._configuration, self._outline
        unchanged = held is not None and held.etags == {
            key: stored.etag for key, stored in self.store.read_many(held.etags).items()
        }
        configuration = held if unchanged and held else self._read_or_keep(held, self._alone, "")
        etags = {key: info.etag for key, info in listing.items()} | dict(configuration.etags)
        fingerprint = _fingerprint(etags)
        if old is None or old.fingerprint != fingerprint:
            self._outline = Publication(configuration.site, fingerprint, configuration.problems, listing)
        self._configuration = configuration

    def _read_or_keep(self, held: Configuration | None, state: _Held, fingerprint: str) -> Configuration:
        """The configuration read anew; the held one where the new one is refused (said once per state of the files)."""
        try:
            configuration = read_configuration(self.store)
        except SiteError as error:
            refused = fingerprint or str(error)
            if refused != state.refused:
                log_error("The configuration is refused", problems=[str(p) for p in error.problems.errors])
                count("ConfigurationRejected")
            state.refused = refused
            if held is None:
                raise ConfigurationUnavailable(str(error)) from error
            return held
        state.refused = ""
        return configuration

    def _refresh(self) -> None:
        listing = self.store.list()
        fingerprint = _fingerprint({key: info.etag for key, info in listing.items()})
        old = self._publication
        if old is not None and fingerprint in (old.fingerprint, self._whole.refused):
            return
        held = self._configuration
        unchanged = held is not None and all(
            key in listing and listing[key].etag == etag for key, etag in held.etags.items()
        )
        configuration = held if unchanged and held else self._read_or_keep(held, self._whole, fingerprint)
        if self._whole.refused == fingerprint and old is not None:
            return
        self._configuration = configuration
        keys = content_keys(configuration.site, listing)
        known_bad = {
            key: problem
            for key, (etag, problem) in self._whole.problems.items()
            if key in listing and listing[key].etag == etag
        }
        articles, problems = read_articles(
            self.store,
            listing,
            [key for key in keys if key not in known_bad],
            old.articles if old is not None else {},
        )
        for problem in problems:
            log_warning("An article is left out", problem=str(problem))
        self._whole.problems = {
            problem.place.file: (listing[problem.place.file].etag, problem)
            for problem in (*known_bad.values(), *problems)
        }
        self._publication = Publication(
            configuration.site,
            fingerprint,
            configuration.problems,
            listing,
            articles,
            (*known_bad.values(), *problems),
        )


def read_publication(store: ObjectStore) -> Publication:
    """The publication of a store, read once: what the static build and the tools work on. Raises SiteError."""
    configuration = read_configuration(store)
    listing = store.list()
    articles, problems = read_articles(store, listing, content_keys(configuration.site, listing), {})
    fingerprint = _fingerprint({key: info.etag for key, info in listing.items()})
    return Publication(
        configuration.site, fingerprint, configuration.problems, listing, articles, tuple(problems)
    )
