"""What the tools' tests share: a directory that a Postgres of another user can reach, and a running one."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost_tools import embedded_postgres


@pytest.fixture(scope="session")
def reachable() -> Iterator[Path]:
    """A directory every user may pass through; pytest's own are closed, and Postgres never runs as root."""
    folder = Path(tempfile.mkdtemp(prefix="fingerpost-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server(reachable: Path) -> Iterator[embedded_postgres.Database]:
    """A running Postgres with one database."""
    state = reachable / "server"
    state.mkdir()
    with embedded_postgres.running(state) as database:
        yield database


@pytest.fixture
def database(server: embedded_postgres.Database) -> embedded_postgres.Database:
    """The same database, empty."""
    connection = server.connect()
    connection.run("DROP SCHEMA IF EXISTS fingerpost CASCADE")
    for (name,) in connection.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
        connection.run(f'DROP TABLE public."{name}" CASCADE')
    connection.close()
    return server
