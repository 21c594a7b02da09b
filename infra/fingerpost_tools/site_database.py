"""The database a site's records are in: the one that was named, or one of the site's own."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fingerpost.site.model import Site
from fingerpost.sources.connect import connect
from fingerpost.sources.login import URL_VARIABLE, login_from_url
from fingerpost.sources.records import RecordsUnavailable
from fingerpost_tools import embedded_postgres, places, seeding, tables
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.seeding import Seeding

Say = Callable[[str], None]

_ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class SiteDatabase:
    """Where a site's records are: `url` is None for a site without tables. `own` is the embedded database,
    the only one that is ever written to."""

    url: str | None = None
    own: Database | None = None

    def declare(self, site: Site) -> None:
        """Make what the site declares and the embedded database lacks; CommandError says what can't be."""
        if self.own is None:
            return
        connection = self.own.connect()
        try:
            tables.create(connection, site)
        finally:
            connection.close()

    def seed(self, root: Path, say: Say) -> None:
        """Run the site's seed in an embedded database where none has run yet. `say` gets a sentence about it;
        CommandError where it fails."""
        if self.own is None:
            return
        outcome = seeding.seed(self.own, root)
        if outcome is Seeding.RAN:
            say(f"{seeding.FILE} has filled the new database")
        elif outcome is Seeding.CHANGED_SINCE:
            say(
                f"{seeding.FILE} has changed since it ran, and runs once: to start afresh, stop what uses "
                f"the database and remove {self.own.data}"
            )


@contextlib.contextmanager
def open_database(root: Path, site: Site, url: str | None, say: Say) -> Iterator[SiteDatabase]:
    """The database at `url`, which has to answer; else the site's own, with its tables and its seed; else
    none, where the site declares no table. `say` gets a sentence about what was done."""
    if url is not None:
        _ask(url)
        yield SiteDatabase(url)
    elif not site.tables:
        yield SiteDatabase()
    else:
        with embedded_postgres.running(places.state(root)) as own:
            database = SiteDatabase(own.url, own)
            database.declare(site)
            database.seed(root, say)
            yield database


def _ask(url: str) -> None:
    """CommandError where no database answers at `url`."""
    try:
        connect(login_from_url(url), read_seconds=_ANSWER_SECONDS).close()
    except RecordsUnavailable as error:
        reason = str(error).removeprefix(f"{URL_VARIABLE}: ")
        raise CommandError(f"--database-url: {reason}") from error
