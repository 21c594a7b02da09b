"""A site served by `fingerpost serve` in a process of its own, and a client that asks it over real HTTP."""

import contextlib
import gzip
import http.client
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from tests.support import Response

MARKDOWN = "text/markdown"
START_SECONDS = 120


@dataclass(slots=True)
class Client:
    """One connection to `address` (`http://host:port`), kept open; it follows no redirect."""

    address: str
    _connection: http.client.HTTPConnection | None = None

    def get(self, url: str, accept: str | None = None, *, method: str = "GET", **headers: str) -> Response:
        """What the server answers for `url`: an absolute one of this server, or a target that is sent as it
        stands. Header names are keyword arguments with `_` for `-`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if accept is not None:
            sent["accept"] = accept
        target = url.removeprefix(self.address) if url.startswith(self.address) else url
        if not target.startswith("/"):
            raise ValueError(f"expected a target on {self.address}, found {url}")
        try:
            return self._ask(method, target, sent)
        except (http.client.RemoteDisconnected, ConnectionError):
            # The server closes what was idle for long.
            self.close()
            return self._ask(method, target, sent)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, target: str, headers: Mapping[str, str]) -> Response:
        if self._connection is None:
            parts = urlsplit(self.address)
            self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()
        with self._connection.getresponse() as answer:
            body = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
            if found.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            return Response(answer.status, found, body)


@dataclass(frozen=True, slots=True)
class Served:
    """A running site: its directory, its origin (`http://host:port`), its base path and what it has
    logged."""

    root: Path
    address: str
    base: str
    log: Path
    client: Client = field(compare=False)
    process: "subprocess.Popen[str]" = field(compare=False)

    @property
    def home(self) -> str:
        """The address of the root, without its trailing slash."""
        return f"{self.address}{self.base}"

    def get(self, url: str, accept: str | None = None, *, method: str = "GET", **headers: str) -> Response:
        return self.client.get(url, accept, method=method, **headers)

    def stop(self) -> None:
        """Ask the server to end, and do not wait for it."""
        self.client.close()
        if self.process.poll() is None:
            # Not SIGINT: what a shell starts in the background ignores that.
            self.process.terminate()

    def logged(self) -> str:
        """What the functions and the command have written to stderr so far."""
        return self.log.read_text(encoding="utf-8")


@contextlib.contextmanager
def serving(root: Path, *arguments: str) -> Iterator[Served]:
    """`fingerpost serve ROOT` on a free port, with more `arguments`, until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="fingerpost-log-") as folder:
        log = Path(folder, "stderr")
        with log.open("w", encoding="utf-8") as stderr, _process(root, stderr, arguments) as process:
            address, base = _opened(process, log)
            # The lines to come are nobody's business, but a full pipe would stop the server.
            drain = threading.Thread(target=_drain, args=(process.stdout,), daemon=True)
            drain.start()
            served = Served(root, address, base, log, Client(address), process)
            try:
                yield served
            finally:
                served.stop()
                process.wait(timeout=60)
                drain.join(timeout=10)


@contextlib.contextmanager
def _process(root: Path, stderr: IO[str], arguments: tuple[str, ...]) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-m", "fingerpost_tools", "serve", str(root), "--port", "0", "--quiet", *arguments],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"},
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _opened(process: "subprocess.Popen[str]", log: Path) -> tuple[str, str]:
    """Origin and base path as the command prints them, once the site is open."""
    watchdog = threading.Timer(START_SECONDS, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            # robots.txt answers whatever else is out of order.
            found = re.search(r"(http://[\d.]+:\d+)(\S*)/robots\.txt\s", line)
            if found:
                return found[1], found[2]
    finally:
        watchdog.cancel()
    raise AssertionError(f"the site did not open: {log.read_text(encoding='utf-8')}")


def _drain(stream: IO[str] | None) -> None:
    for _ in stream or ():
        pass
