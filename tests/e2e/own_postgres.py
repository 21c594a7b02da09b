"""A Postgres that a test may stop, kill and starve: a server of its own, on a TCP port of 127.0.0.1."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fingerpost.sources.connect import connect
from fingerpost.sources.login import Login
from fingerpost.sources.records import RecordsUnavailable
from fingerpost_tools import postgres_install
from tests.e2e.processes import HOST, free_ports
from tests.leaks import keep_secret

# Long and like nothing else, so that it would be found wherever it were written.
PASSWORD: Final = keep_secret("zaunkoenig-geheim-7f3a91")
_SUPERUSER: Final = "postgres"
_READER: Final = "reader"
_SECONDS: Final = 30
# Few enough to be used up: three of them are the superuser's.
_CONNECTIONS: Final = 12
_RESERVED: Final = 3


@dataclass(slots=True, eq=False)
class OwnPostgres:
    """A server with one database, `site`. `reader` is who the functions are: it may read, and no more."""

    folder: Path
    port: int
    programs: Path
    account: postgres_install.Account | None
    process: subprocess.Popen[bytes] | None = None

    def url(self, port: int | None = None) -> str:
        """What DATABASE_URL takes; `port` is another way to the server."""
        return f"postgresql://{_READER}:{PASSWORD}@{HOST}:{port or self.port}/site"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.process = subprocess.Popen(
            [
                str(self.programs / "postgres"),
                *("-D", str(self.folder / "data"), "-p", str(self.port)),
                *("-c", f"listen_addresses={HOST}", "-c", "unix_socket_directories="),
                *("-c", "fsync=off", "-c", "shared_buffers=32MB"),
                *("-c", f"max_connections={_CONNECTIONS}"),
                *("-c", f"superuser_reserved_connections={_RESERVED}"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **self._as_account(),
        )
        end = time.monotonic() + _SECONDS
        while True:
            try:
                self.connect("postgres").close()
            except RecordsUnavailable:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """A fast shutdown: sessions are told, and ended."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """An immediate shutdown: every process is gone at once, as in a crash of the machine."""
        self._end(signal.SIGQUIT)

    def connect(self, database: str = "site") -> Any:
        """A connection of the superuser's."""
        return connect(Login(HOST, _SUPERUSER, PASSWORD, database, self.port, tls=False), read_seconds=60)

    def run(self, sql: str, database: str = "site") -> Any:
        """Run statements as the superuser."""
        connection = self.connect(database)
        try:
            return connection.run(sql)
        finally:
            connection.close()

    def readers(self) -> int:
        """How many connections of the functions the server knows of."""
        count: int = self.run(f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{_READER}'")[0][0]
        return count

    def initialise(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD, encoding="ascii")
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        if self.account is not None:
            for path in (password, data):
                os.chown(path, self.account.pw_uid, self.account.pw_gid)
        subprocess.run(
            [
                str(self.programs / "initdb"),
                *("-D", str(data), "-U", _SUPERUSER, f"--pwfile={password}"),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--no-sync", "--no-instructions", "--locale=C"),
            ],
            check=True,
            capture_output=True,
            **self._as_account(),
        )
        self.start()
        self.run(f"CREATE ROLE {_READER} LOGIN PASSWORD '{PASSWORD}'", "postgres")
        self.run("CREATE DATABASE site", "postgres")
        self.run(f"ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO {_READER}")

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(_SECONDS)

    def _as_account(self) -> dict[str, Any]:
        settings: dict[str, Any] = {"env": postgres_install.environment(), "cwd": "/"}
        if self.account is not None:
            settings |= {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []}
        return settings


@contextlib.contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """A new server, running; its data goes with it."""
    account = postgres_install.account()
    (port,) = free_ports(1)
    folder = Path(tempfile.mkdtemp(prefix="fingerpost-faults-"))
    folder.chmod(0o755)
    server = OwnPostgres(folder, port, postgres_install.programs(account), account)
    try:
        server.initialise()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
