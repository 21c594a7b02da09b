"""Reading a site for a command: its files, its origin, its database."""

import contextlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fingerpost.catalogue.origin import Origin, resolve_origin
from fingerpost.catalogue.publication import Publication, read_publication
from fingerpost.errors import SettingError
from fingerpost.site.model import Site
from fingerpost.site.problems import SiteError
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.postgres import PostgresRecords
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.dated_directory import DatedDirectory
from fingerpost_tools.terminal import complain, styled

# What a build and a look at a site go by; BASE_URL is a running server's.
ORIGIN_VARIABLE: Final = "FINGERPOST_BASE_URL"
DATABASE_VARIABLE: Final = "DATABASE_URL"


def read_site(root: Path) -> tuple[DatedDirectory, Publication]:
    """The site at `root`; CommandError with every problem where it can't be used."""
    try:
        store = DatedDirectory(root)
        for warning in store.warnings:
            complain(styled(warning, "yellow", sys.stderr))
        return store, read_publication(store)
    except SiteError as error:
        raise CommandError(f"the configuration of {root} can't be used\n{error}") from error
    except StoreUnavailable as error:
        raise CommandError(str(error)) from error


def origin_of(site: Site, given: str | None) -> Origin:
    """The origin as given, else the environment's, else the site's own; CommandError where it is none."""
    name, url = ("--base-url", given) if given else (ORIGIN_VARIABLE, os.environ.get(ORIGIN_VARIABLE))
    try:
        return resolve_origin(url or None, site)
    except SettingError as error:
        raise CommandError(str(error).replace("BASE_URL", name, 1)) from error


@dataclass(slots=True)
class SiteRecords:
    """The records of a site, in the database at `url` or in the site's own; `say` gets a sentence about it.

    Nothing is connected or started before `open`. Use it as a context manager: what was opened is closed.
    """

    root: Path
    site: Site
    url: str | None
    say: Callable[[str], None]
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> "SiteRecords":
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def open(self) -> PostgresRecords | None:
        """The records, None where the site declares no table. CommandError where no database can be had."""
        from fingerpost.sources.login import UrlLogin
        from fingerpost_tools.site_database import open_database

        url = self.url or os.environ.get(DATABASE_VARIABLE) or None
        database = self._stack.enter_context(open_database(self.root, self.site, url, self.say))
        if database.url is None:
            return None
        records = PostgresRecords(UrlLogin(database.url))
        self._stack.callback(records.close)
        return records
