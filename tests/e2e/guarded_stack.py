"""The guarded site on Postgres, answered by the functions, behind every shared cache."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.e2e import caches, functions_process, guarded_site
from tests.e2e.asking import Client
from tests.e2e.edge_function import Edge
from tests.e2e.own_postgres import OwnPostgres, own_postgres


@dataclass(frozen=True, slots=True)
class Stack:
    """A running stack. `port` is the origin's."""

    port: int
    sessions: guarded_site.Sessions
    caches: caches.Caches
    database: OwnPostgres
    edge: Edge

    @contextlib.contextmanager
    def client(self, cache: str | None = None) -> Iterator[Client]:
        """A client of one cache, or of the origin itself. Before the CDN's stands its viewer function."""
        port = self.port if cache is None else self.caches.ports[cache]
        on_the_way = (self.edge.passed_on,) if cache == caches.BY_POLICY else ()
        client = Client(port, self.sessions.cookies, *on_the_way)
        with contextlib.closing(client):
            yield client


@contextlib.contextmanager
def running(folder: Path, sitemap_seconds: int) -> Iterator[Stack]:
    """A stack with its files below `folder`. A sitemap is served unchanged for `sitemap_seconds`."""
    sessions = guarded_site.sessions()
    guarded_site.write(folder / "site", sessions)
    with own_postgres() as database:
        database.run(guarded_site.SCHEMA)
        settings = {
            **guarded_site.settings(),
            "SITE_DIRECTORY": str(folder / "site"),
            "DATABASE_URL": database.url(),
            "SITEMAP_SECONDS": str(sitemap_seconds),
        }
        with (
            functions_process.running(settings, folder / "functions.log") as functions,
            caches.running(functions.port, folder) as started,
        ):
            yield Stack(functions.port, sessions, started, database, Edge())
