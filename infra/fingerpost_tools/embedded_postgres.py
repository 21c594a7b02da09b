"""A Postgres of one's own for one site, its data beside the site.

The server listens on 127.0.0.1 with a password, so that every program (the functions, `psql`, `sam local`)
takes the same DATABASE_URL. Several commands may use one site's server at a time: the last one stops it.
"""

import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fingerpost.sources.connect import connect
from fingerpost.sources.login import Login
from fingerpost.sources.records import RecordsUnavailable
from fingerpost_tools import locks, postgres_install
from fingerpost_tools.command_error import CommandError

HOST: Final = "127.0.0.1"
NAME: Final = "site"
_SUPERUSER: Final = "postgres"
_START_SECONDS: Final = 30
_ANSWER_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 30
_ERROR: Final = re.compile(r"\b(?:FATAL|PANIC|ERROR|error):")


@dataclass(frozen=True, slots=True)
class Database:
    """A running server's database. Its user owns it and is no superuser: SQL that comes with a site can
    neither run programs nor read files of this machine."""

    port: int
    password: str = field(repr=False)
    programs: Path
    data: Path

    @property
    def url(self) -> str:
        """What DATABASE_URL takes."""
        return f"postgresql://{NAME}:{self.password}@{HOST}:{self.port}/{NAME}"

    def connect(self) -> Any:
        """A pg8000.native connection as the database's owner; RecordsUnavailable where the server is gone."""
        return self._connect(NAME, NAME)

    def psql(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run psql on the database, without the user's own settings."""
        # `-X` passes over ~/.psqlrc. The password is in no argument, where other users could read it.
        return subprocess.run(
            [
                str(self.programs / "psql"),
                *("-X", "-q", "-h", HOST, "-p", str(self.port), "-U", NAME, "-d", NAME),
                *arguments,
            ],
            input=stdin,
            capture_output=True,
            check=False,
            env={**postgres_install.environment(), "PGPASSWORD": self.password},
        )

    def create(self) -> None:
        """Make the database and its owner where they are missing."""
        connection = self._connect(_SUPERUSER, _SUPERUSER)
        try:
            if not connection.run("SELECT 1 FROM pg_roles WHERE rolname = :name", name=NAME):
                # Neither statement takes parameters; the password is hexadecimal digits of our own making.
                connection.run(f"CREATE ROLE {NAME} LOGIN PASSWORD '{self.password}'")
            if not connection.run("SELECT 1 FROM pg_database WHERE datname = :name", name=NAME):
                connection.run(f"CREATE DATABASE {NAME} OWNER {NAME}")
        finally:
            connection.close()

    def _connect(self, user: str, database: str) -> Any:
        login = Login(HOST, user, self.password, database, self.port, tls=False)
        return connect(login, read_seconds=_ANSWER_SECONDS)


@contextlib.contextmanager
def running(state: Path) -> Iterator[Database]:
    """The server whose data is below `state`, started unless it runs. CommandError where it can't be."""
    account = postgres_install.account()
    home = postgres_install.home(state, account)
    server = _Server(
        home / "postgres", home / "postgres.password", postgres_install.programs(account), account
    )
    with locks.shared(home / "postgres.users") as users:
        try:
            with locks.exclusive(home / "postgres.lock"):
                database = server.start()
            yield database
        finally:
            with locks.exclusive(home / "postgres.lock"):
                if locks.alone(users):
                    server.stop()
                elif server.process is not None:
                    _left_to_others.append(server.process)


# Servers this process started and did not stop: to forget one is an error while it runs.
_left_to_others: list[subprocess.Popen[bytes]] = []


@dataclass(slots=True)
class _Server:
    data: Path
    password: Path
    programs: Path
    account: postgres_install.Account | None
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Database:
        if not self.data.exists():
            self._initialise()
        self._check_version()
        self._take_over()
        database = self._listening()
        if database is None:
            database = self._launched(_free_port())
        # Every time: an interrupted start may have come as far as the server and no further.
        database.create()
        return database

    def stop(self) -> None:
        """Fast shutdown: sessions are ended, everything committed is kept. Nothing where no server runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(_STOP_SECONDS)
        elif self._listening() is not None and (state := self._postmaster()):
            os.kill(int(state[0]), signal.SIGINT)
            # Its parent is another command: the file goes when the server does.
            _until(lambda: self._postmaster() is None, _STOP_SECONDS)
        for process in _left_to_others:
            process.poll()

    def _take_over(self) -> None:
        """Hand the data to the server's account where it is another's: a site that root copied is root's."""
        if self.account is None or self.data.stat().st_uid == self.account.pw_uid:
            return
        for path in (self.password, self.data, *self.data.rglob("*")):
            os.chown(path, self.account.pw_uid, self.account.pw_gid, follow_symlinks=False)

    def _initialise(self) -> None:
        """Make the data directory under another name first: an interrupted attempt leaves nothing behind
        that looks finished."""
        fresh = self.data.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        self.password.unlink(missing_ok=True)
        self.password.touch(mode=0o600)
        self.password.write_text(secrets.token_hex(16), encoding="ascii")
        fresh.mkdir(mode=0o700)
        if self.account is not None:
            for path in (fresh, self.password):
                os.chown(path, self.account.pw_uid, self.account.pw_gid)
        made = subprocess.run(
            [
                str(self.programs / "initdb"),
                *("-D", str(fresh), "-U", _SUPERUSER, f"--pwfile={self.password}"),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-sync", "--no-instructions"),
                # The same order of texts on every machine.
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
            ],
            capture_output=True,
            check=False,
            **self._as_account(),
        )
        if made.returncode:
            raise CommandError(f"Postgres could not make its data in {fresh}: {_reason(made.stderr)}")
        fresh.rename(self.data)

    def _check_version(self) -> None:
        version = self.data / "PG_VERSION"
        found = version.read_text(encoding="ascii").strip() if version.is_file() else "none"
        expected = postgres_install.version(self.programs)
        if found != expected:
            raise CommandError(
                f"{self.data} was expected to hold the data of Postgres {expected}, found {found}: "
                "remove the folder to start afresh"
            )

    def _launched(self, port: int) -> Database:
        with (self.data / "server.log").open("wb") as log:
            process = subprocess.Popen(
                [
                    str(self.programs / "postgres"),
                    *("-D", str(self.data), "-p", str(port)),
                    *("-c", f"listen_addresses={HOST}", "-c", "unix_socket_directories="),
                    # A crash of the machine may lose the last moment, never the consistency.
                    *("-c", "synchronous_commit=off", "-c", "shared_buffers=32MB"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C is for this command, which then stops the server itself, or leaves it to the others.
                start_new_session=True,
                **self._as_account(),
            )
        self.process = process
        _until(lambda: self._ready(process.pid) or process.poll() is not None, _START_SECONDS)
        database = self._listening() if self._ready(process.pid) else None
        if database is None:
            process.kill()
            process.wait()
            said = (self.data / "server.log").read_bytes()
            raise CommandError(f"Postgres did not start on {self.data}: {_reason(said)}")
        return database

    def _ready(self, process: int) -> bool:
        """Whether the server of that process takes connections: a crash leaves another's file behind."""
        state = self._postmaster()
        return (
            state is not None and len(state) > 7 and state[0] == str(process) and state[7].strip() == "ready"
        )

    def _listening(self) -> Database | None:
        """The database where a server answers: the file alone proves nothing after a crash."""
        state = self._postmaster()
        if not state or not self._ready(int(state[0])):
            return None
        password = self.password.read_text(encoding="ascii").strip()
        database = Database(int(state[3]), password, self.programs, self.data)
        try:
            database._connect(_SUPERUSER, _SUPERUSER).close()
        except RecordsUnavailable:
            return None
        return database

    def _postmaster(self) -> list[str] | None:
        """Lines of postmaster.pid: process, data, start, port, socket directory, host, memory, status."""
        try:
            return (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return None

    def _as_account(self) -> dict[str, Any]:
        # The unprivileged user may not stand in the directory where the command was given.
        settings: dict[str, Any] = {"env": postgres_install.environment(), "cwd": "/"}
        if self.account is not None:
            settings |= {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}
        return settings


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _until(met: Callable[[], bool], seconds: float) -> None:
    """Wait until the condition is met, or the time is up: the caller looks which."""
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:
        time.sleep(0.02)


def _reason(output: bytes) -> str:
    """What a program of Postgres gives as its reason: its first error, else the last that it says."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = (line for line in lines if _ERROR.search(line))
    return next(errors, lines[-1] if lines else "no reason given")
