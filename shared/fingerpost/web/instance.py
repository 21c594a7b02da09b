"""One warm function instance: its settings, store and database, and what it remembers between requests."""

import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.origin import Origin, read_base_url, resolve_origin
from fingerpost.catalogue.publication import Publication, Publications
from fingerpost.observe import log_warning
from fingerpost.settings import Settings, read_settings
from fingerpost.site.model import Site
from fingerpost.sources.objects import ObjectStore
from fingerpost.sources.records import NoRecords, RecordSource
from fingerpost.sources.shared_objects import SharedObjects
from fingerpost.web.answer import Answer
from fingerpost.web.bodies import Bodies
from fingerpost.web.request import Request
from fingerpost.web.visitor import SessionReader

if TYPE_CHECKING:
    from fingerpost.sources.postgres import PostgresRecords


class Instance:
    """What the answers of one function share. Nothing is connected before it is asked for.

    `clock` gives the time of day in seconds since the epoch; `shared` is where instances leave sitemaps for
    each other, if anywhere; `disconnect` lets go of the connections to both, `connect_early` begins to
    connect to the database. Raises SettingError on a wrong `BASE_URL`.
    """

    def __init__(
        self,
        settings: Settings,
        store: ObjectStore,
        records: RecordSource,
        sessions: SessionReader,
        clock: Callable[[], float] = time.time,
        shared: SharedObjects | None = None,
        disconnect: Callable[[], None] = lambda: None,
        connect_early: Callable[[], None] = lambda: None,
    ) -> None:
        if settings.base_url is not None:
            read_base_url(settings.base_url)  # a wrong one shows at once
        self.settings = settings
        self.store = store
        self.records = records
        self.sessions = sessions
        self.clock = clock
        self.shared = shared
        self._disconnect = disconnect
        self._connect_early = connect_early
        self._expects_records = False
        self.publications = Publications(store, settings.check_seconds)
        self.bodies = Bodies(store, self.publications.distrust)
        self._lock = threading.Lock()
        self._catalogue: Catalogue | None = None
        self._outline: Catalogue | None = None
        self._warned = False

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    def origin(self, site: Site) -> Origin:
        """Where configuration says the site is. A multilingual site without a word of it is warned about."""
        origin = resolve_origin(self.settings.base_url, site)
        if origin.known is None and site.languages is not None and not self._warned:
            self._warned = True
            log_warning(
                "The site has several languages, but neither BASE_URL nor deployment.site says where it is: "
                "pages name no alternates, because search engines refuse relative ones"
            )
        return origin

    def catalogue(self) -> Catalogue:
        """The catalogue of the current publication, kept until a file changes or a date falls due."""
        publication = self.publications.current()
        with self._lock:
            held = self._catalogue
            if held is None or not self._is_good(held, publication):
                held = self._catalogue = Catalogue(publication, self.origin(publication.site), self.now)
                for problem in held.problems:
                    log_warning("An address is left out", problem=str(problem))
            return held

    def outline(self) -> Catalogue:
        """The catalogue without its articles, for what needs no listing of the content."""
        publication = self.publications.outline()
        with self._lock:
            held = self._outline
            if held is None or not self._is_good(held, publication):
                held = self._outline = Catalogue(publication, self.origin(publication.site), self.now)
            return held

    def _is_good(self, held: Catalogue, publication: Publication) -> bool:
        due = held.valid_until
        return held.publication is publication and (due is None or due > self.now)

    def expect_records(self) -> None:
        """Say that records will be asked for: connecting begins, beside whatever comes first. Once is enough,
        since connections are kept."""
        if not self._expects_records:
            self._expects_records = True
            self._connect_early()

    def restored(self) -> None:
        """Begin anew after a snapshot was restored: sockets are gone, and what was read may have changed."""
        self._disconnect()
        self._expects_records = False
        self.publications.distrust()

    def page_age(self, catalogue: Catalogue, most: int) -> int:
        """How long an answer may be kept (seconds): `most`, or less where a date falls due sooner."""
        if catalogue.valid_until is None:
            return most
        return min(most, max(0, int((catalogue.valid_until - self.now) / timedelta(seconds=1))))


class Answers(Protocol):
    """What a function answers with, made for one instance."""

    def answer(self, request: Request) -> Answer:
        """The answer to one request."""


def open_instance(environment: Mapping[str, str] = os.environ) -> Instance:
    """An instance as the environment sets it. Raises SettingError."""
    settings = read_settings(environment)
    stores, records = open_stores(settings), open_records(settings, environment)
    return Instance(
        settings,
        stores.files,
        records,
        SessionReader.from_environment(environment, stores.files),
        shared=stores.shared,
        disconnect=stores.disconnect,
        connect_early=records.connect_early,
    )


class Stores(NamedTuple):
    """The site's files, where instances leave objects for each other, and what disconnects from both."""

    files: ObjectStore
    shared: SharedObjects | None = None
    disconnect: Callable[[], None] = lambda: None


def open_stores(settings: Settings) -> Stores:
    """The stores that the settings name."""
    if settings.bucket is not None:
        from fingerpost.sources.published import PublishedStore
        from fingerpost.sources.s3 import S3Store
        from fingerpost.sources.shared_objects import S3SharedObjects

        s3, shared = S3Store(settings.bucket, settings.prefix), settings.generations_bucket
        return Stores(
            PublishedStore(s3), S3SharedObjects(shared, s3.client) if shared else None, s3.disconnect
        )
    from pathlib import Path

    from fingerpost.sources.directory import DirectoryStore

    return Stores(DirectoryStore(Path(settings.directory or ".")))


def open_records(settings: Settings, environment: Mapping[str, str]) -> "PostgresRecords | NoRecords":
    """The site's records; a source that has none where no database is set."""
    if not settings.database:
        return NoRecords()
    from fingerpost.sources.postgres import record_source

    return record_source(environment)
