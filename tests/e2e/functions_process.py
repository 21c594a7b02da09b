"""The site's functions behind a port, in a process of their own."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.template.cloudformation import ROOT

_STOP_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Running:
    """A process by its id, and the port it listens on."""

    process: int
    port: int


@contextlib.contextmanager
def running(settings: Mapping[str, str], log: Path) -> Iterator[Running]:
    """`tests.e2e.origin` with `settings` as environment variables; what it complains of goes to `log`."""
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.origin"],
            env={**os.environ, **settings, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Running(process.pid, int(process.stdout.readline()))
        finally:
            process.stdin.close()
            try:
                process.wait(_STOP_SECONDS)
            finally:
                process.kill()
