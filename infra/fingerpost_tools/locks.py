"""Locks between processes: several commands may use one site's database at a time."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file `path` alone; waits for whoever holds it."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def shared(path: Path) -> Iterator[BinaryIO]:
    """Hold the lock file `path` together with others; the handle is for `alone`."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield file


def alone(handle: BinaryIO) -> bool:
    """Whether nobody else holds the shared lock of `handle`. A process that dies lets go of its share."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
