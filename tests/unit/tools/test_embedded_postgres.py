"""The embedded Postgres: started, shared, stopped, and honest about what stops it."""

import resource
import shutil
from dataclasses import replace
from pathlib import Path

import pg8000.exceptions
import pytest

from fingerpost.sources.records import RecordsUnavailable
from fingerpost_tools import embedded_postgres
from fingerpost_tools.command_error import CommandError

pytestmark = pytest.mark.postgres


def test_a_database_answers_and_keeps_its_rows(reachable: Path) -> None:
    """What one run stored, the next run finds, on a server that was stopped in between."""
    state = reachable / "kept"
    state.mkdir()
    with embedded_postgres.running(state) as first:
        connection = first.connect()
        connection.run("CREATE TABLE kept (word text)")
        connection.run("INSERT INTO kept VALUES ('still here')")
        connection.close()
    with pytest.raises(RecordsUnavailable):
        first.connect()
    with embedded_postgres.running(state) as second:
        connection = second.connect()
        assert connection.run("SELECT word FROM kept") == [["still here"]]
        connection.close()


def test_a_copied_site_keeps_its_rows(reachable: Path) -> None:
    """A site copied with its data, whoever owns the copy, opens with its rows."""
    state = reachable / "original"
    state.mkdir()
    with embedded_postgres.running(state) as first:
        connection = first.connect()
        connection.run("CREATE TABLE kept AS SELECT 'still here' AS word")
        connection.close()
    copied = shutil.copytree(state, reachable / "copied")
    with embedded_postgres.running(copied) as second:
        connection = second.connect()
        assert connection.run("SELECT word FROM kept") == [["still here"]]
        connection.close()


def test_two_users_share_one_server_and_the_last_one_stops_it(reachable: Path) -> None:
    """A second command on the same site joins the server, and keeps it when the first one leaves."""
    state = reachable / "joined"
    state.mkdir()
    first = embedded_postgres.running(state)
    second = embedded_postgres.running(state)
    database = first.__enter__()
    assert second.__enter__() == database
    first.__exit__(None, None, None)
    database.connect().close()
    second.__exit__(None, None, None)
    with pytest.raises(RecordsUnavailable):
        database.connect()


def test_the_sites_sql_can_not_run_programs(server: embedded_postgres.Database) -> None:
    """The database's owner is no superuser: a site's SQL stays inside the database."""
    connection = server.connect()
    with pytest.raises(pg8000.exceptions.DatabaseError, match="permission denied"):
        connection.run("COPY (SELECT 1) TO PROGRAM 'cat'")
    connection.close()


def test_the_password_is_for_its_owner_alone(server: embedded_postgres.Database) -> None:
    """Another user of the machine can't read the password, and is not let in without it."""
    with pytest.raises(RecordsUnavailable, match="password authentication failed"):
        replace(server, password="guess").connect()


def test_data_of_another_version_is_told_apart(reachable: Path) -> None:
    """Data that another major version made is named with the way out, and left as it is."""
    data = reachable / "old" / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9\n", encoding="ascii")
    with (
        pytest.raises(
            CommandError, match=r"expected to hold the data of Postgres \d+, found 9: remove the folder"
        ),
        embedded_postgres.running(reachable / "old"),
    ):
        pytest.fail("a server started on data it can't read")
    assert (data / "PG_VERSION").read_text(encoding="ascii") == "9\n"


def test_a_left_over_process_file_does_not_stop_the_next_start(reachable: Path) -> None:
    """After a crash the file that names the server's process is still there; the next start gets past it."""
    state = reachable / "crashed"
    state.mkdir()
    with embedded_postgres.running(state):
        left_over = (state / "postgres" / "postmaster.pid").read_text(encoding="ascii")
    # A process number that nobody has, as after a restart of the machine.
    lines = ["4194303", *left_over.splitlines()[1:]]
    (state / "postgres" / "postmaster.pid").write_text("\n".join(lines) + "\n", encoding="ascii")
    with embedded_postgres.running(state) as database:
        database.connect().close()


def test_a_start_that_fails_leaves_no_server_behind(reachable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted between server and database, a start stops what it started; the next one succeeds."""
    state = reachable / "interrupted"
    state.mkdir()

    def interrupted(database: embedded_postgres.Database) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(embedded_postgres.Database, "create", interrupted)
        with pytest.raises(KeyboardInterrupt), embedded_postgres.running(state):
            pytest.fail("the database was never made")
    assert not (state / "postgres" / "postmaster.pid").exists()
    with embedded_postgres.running(state) as database:
        database.connect().close()


def test_a_full_disk_is_named(reachable: Path) -> None:
    """Where Postgres can't write its data, its own reason is told, and not what it did afterwards."""
    state = reachable / "full"
    state.mkdir()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, before[1]))
    try:
        with pytest.raises(CommandError, match=r"could not make its data .*File too large"):
            embedded_postgres.running(state).__enter__()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
