"""The output directory: made beside the old one, put in its place in one step, and only ever by one build.

A build writes into a sibling, `.NAME.fingerpost-PID`, so that whatever stops it leaves the output of the last
build whole. The lock is on `.NAME.fingerpost-lock`: it belongs to the processes of a build and ends with the
last of them, so what lies around under such a name while nobody holds the lock was left by a build that died.
"""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fingerpost.sources.directory import BUILD_MARK
from fingerpost_tools.building.exchange import exchange
from fingerpost_tools.command_error import CommandError

# A repository in the output (a branch that is published) would be gone with the old output.
_REPOSITORY: Final = ".git"
# The processes of a build that was killed end within moments.
_LOCK_SECONDS: Final = 5.0


@dataclass(slots=True)
class Output:
    """A build's output. `folder` is where to write, `previous` the last build's, where there is one."""

    target: Path
    folder: Path
    previous: Path | None

    def publish(self) -> None:
        """Put the new output in the old one's place. At no moment is there half of either."""
        _put_in_place(self.folder, self.target, _backup(self.target))


@contextlib.contextmanager
def replacing(target: Path, *, force: bool) -> Iterator[Output]:
    """A new output for `target`; without `publish` nothing changes there. CommandError where the directory is
    not a build's own (`force` takes it all the same), can't be replaced, or another build is at it."""
    target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        raise CommandError(f"--out {target}: expected {target.parent} to be a directory, found none")
    with _alone(target):
        _recover(target)
        previous = _previous(target, force)
        folder = target.with_name(f"{_prefix(target)}{os.getpid()}")
        try:
            folder.mkdir()
            if target.is_dir():
                shutil.copymode(target, folder)
            yield Output(target, folder, previous)
        finally:
            _remove(folder)


def holds_a_build(folder: Path) -> bool:
    """Whether a build wrote what is in `folder`."""
    return (folder / BUILD_MARK).is_file()


def _previous(target: Path, force: bool) -> Path | None:
    """The old output as far as a build wrote it; CommandError where it must not be replaced."""
    if not target.exists():
        return None
    if not target.is_dir():
        raise CommandError(f"--out {target}: expected a directory, found a file")
    if os.path.ismount(target):
        raise CommandError(
            f"--out {target} is a mount point, which can't be replaced: name a directory in it"
        )
    names = os.listdir(target)
    if _REPOSITORY in names and not force:
        raise CommandError(
            f"--out {target} holds a repository ({_REPOSITORY}), which would be gone with what is there now: "
            "build elsewhere and copy, or give --force"
        )
    if holds_a_build(target):
        return target
    if names and not force:
        raise CommandError(
            f"--out {target} holds {_some(names)}, which no build wrote: name an empty directory, "
            "or give --force to replace it"
        )
    return None


def _some(names: list[str]) -> str:
    shown = ", ".join(sorted(names)[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def _prefix(target: Path) -> str:
    return f".{target.name}.fingerpost-"


def _backup(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}old")


def _put_in_place(folder: Path, target: Path, backup: Path) -> None:
    if not target.exists() or not os.listdir(target):
        folder.rename(target)  # onto an empty directory too (POSIX rename)
        return
    if exchange(folder, target):
        return
    try:
        # Killed between these two, the next build finds the backup and puts it back.
        target.rename(backup)
        folder.rename(target)
    except BaseException:
        if not target.exists() and backup.exists():
            backup.rename(target)
        raise
    _remove(backup)


def _recover(target: Path) -> None:
    """Bring back an output that a build died over, and remove what others left. Only with the lock held."""
    backup = _backup(target)
    if backup.is_dir() and not target.exists():
        backup.rename(target)
    for left in target.parent.glob(f"{_prefix(target).replace('[', '[[]')}*"):
        if left.is_dir() and not left.is_symlink():
            _remove(left)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Hold the lock of `target`; CommandError where another build keeps it."""
    path = target.with_name(f"{_prefix(target)}lock")
    end = time.monotonic() + _LOCK_SECONDS
    while (descriptor := _locked(path)) is None:
        if time.monotonic() > end:
            raise CommandError(f"another build is writing {target}")
        time.sleep(0.05)
    try:
        yield
    finally:
        # Removed while it is held: whoever waits for it finds that it is gone, and makes a new one.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise CommandError(f"{path.parent} can't be written to: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_ino == os.stat(path).st_ino:
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None
