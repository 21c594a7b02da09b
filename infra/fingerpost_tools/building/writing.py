"""Writing files into the new output: what has not changed is taken over from the old one with its time."""

import errno
import filecmp
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Final

# What a file system answers about a name that it can't hold; anything else is trouble with the disk.
_REFUSALS: Final = frozenset({errno.EEXIST, errno.EILSEQ, errno.EINVAL, errno.ENAMETOOLONG})


class NameRefused(Exception):  # noqa: N818 - an answer about one name
    """The file system has no place for a file of this name; says why."""


@dataclass(slots=True)
class Tally:
    """Files that were put into the output: how many, their bytes, and how many of them are the old ones."""

    files: int = 0
    size: int = 0
    unchanged: int = 0

    def add(self, other: "Tally") -> None:
        self.files += other.files
        self.size += other.size
        self.unchanged += other.unchanged


class Writer:
    """Puts files below `folder`, each name once. `previous` is the output of the last build, where there is
    one: it is only read."""

    def __init__(self, folder: Path, previous: Path | None) -> None:
        self._folder = os.fspath(folder)
        self._previous = None if previous is None else os.fspath(previous)
        self._tally = Tally()

    def write(self, file: str, body: bytes) -> None:
        """Put `body` at `file` (relative). Raises NameRefused, and OSError where the disk fails."""
        path, old = self._paths(file)
        if old is not None and _holds(old, body):
            _place(path, partial(_take_over, old))
            self._tally.unchanged += 1
        else:
            _place(path, partial(_create, body))
        self._count(len(body))

    def copy(self, file: str, source: Path) -> None:
        """Put a copy of the file `source` at `file`, with its modification time. Raises as `write` does."""
        path, old = self._paths(file)
        if old is not None and _is_copy(old, source):
            _place(path, partial(_take_over, old))
            self._tally.unchanged += 1
        else:
            _place(path, partial(_copy, source))
        self._count(os.stat(path).st_size)

    def taken(self) -> Tally:
        """What was put into the output since this was asked last."""
        tally, self._tally = self._tally, Tally()
        return tally

    def _paths(self, file: str) -> tuple[str, str | None]:
        old = None if self._previous is None else f"{self._previous}/{file}"
        return f"{self._folder}/{file}", old

    def _count(self, size: int) -> None:
        self._tally.files += 1
        self._tally.size += size


def _place(path: str, action: Callable[[str], None]) -> None:
    """Do `action` at `path`; the folder is made where it turns out to be missing, which is seldom."""
    try:
        try:
            action(path)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            action(path)
    except OSError as error:
        if error.errno in _REFUSALS:
            raise NameRefused(f"the file system refuses the name ({error.strerror})") from error
        raise


def _create(body: bytes, path: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        left = memoryview(body)
        while left:
            left = left[os.write(descriptor, left) :]
    finally:
        os.close(descriptor)


def _copy(source: str | Path, path: str) -> None:
    # Of the source's metadata its time alone: a file that only its owner may read serves no host.
    with open(source, "rb") as read, open(path, "xb") as written:
        shutil.copyfileobj(read, written)
        status = os.fstat(read.fileno())
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _take_over(old: str, path: str) -> None:
    """Give the old file its new name as well; a copy where the file system knows no hard links."""
    try:
        os.link(old, path)
    except (FileNotFoundError, FileExistsError):
        raise
    except OSError:
        _copy(old, path)


def _holds(old: str, body: bytes) -> bool:
    try:
        descriptor = os.open(old, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        status = os.fstat(descriptor)
        if not S_ISREG(status.st_mode) or status.st_size != len(body):
            return False
        return os.read(descriptor, len(body)) == body
    finally:
        os.close(descriptor)


def _is_copy(old: str, source: Path) -> bool:
    try:
        return S_ISREG(os.lstat(old).st_mode) and filecmp.cmp(old, source, shallow=False)
    except OSError:
        return False
