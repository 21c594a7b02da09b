"""Programs that tests start: ports for them, and waiting for what they will do."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 30
_STOP_SECONDS: Final = 30
_LOOK: Final = 0.02


def free_ports(number: int) -> list[int]:
    """So many ports of this machine that nobody listens on."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(number)]
        return [probe.getsockname()[1] for probe in probes]


def wait_until(met: Callable[[], bool], seconds: float) -> None:
    """Wait until something has come to pass; fail where it does not in time."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, f"it did not come to that within {seconds:g} s"
        time.sleep(_LOOK)


@contextlib.contextmanager
def listening(command: Sequence[str], port: int, log: Path, **settings: Any) -> Iterator[None]:
    """A program that listens on `port` once this is entered, and is gone after it.

    What it says goes to `log`; `settings` are Popen's.
    """
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output, **settings) as process,
    ):
        try:
            end = time.monotonic() + _START_SECONDS
            while not _listens(port):
                if process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"{command[0]} did not start: {log.read_text('utf-8', 'replace')}")
                time.sleep(_LOOK)
            yield
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            finally:
                process.kill()


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False
