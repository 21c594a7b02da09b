"""When each file was last changed, as git tells: `git log -1 -- FILE` for all files, in one walk.

`git log -1 -- FILE` goes from the newest commit to the first one where the file differs from every parent,
and passes a merge on the side whose file is the merge's own. Here all files go that way together: each commit
is looked at once, and only while some file still seeks its own.
"""

import os
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

# git compares nothing but trees here: no rename detection, no filters, no colours, no configuration of diffs.
_DIFFERENCES: Final = (
    "diff-tree", "-r", "-z", "--name-only", "--no-commit-id", "--no-renames", "--relative", "--stdin",
)  # fmt: skip
# diff-tree repeats a line that is no commit, and no path of a tree begins so.
_END: Final = b"/\n"
# A hook sets these, for a repository that need not be the site's.
_ELSEWHERE: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")

Changed = Callable[[str, str], set[str]]


class NoHistory(Exception):  # noqa: N818 - an answer, more than an error
    """The directory has no history to ask; says why."""


@dataclass(frozen=True, slots=True)
class History:
    """What git knows of some files. `changed` is the time of the last commit that changed each file which
    stands as it was committed; in a shallow clone those are missing whose commit may lie before its edge.
    `own` are the files whose content is not the committed one. `revision` is the newest commit, with `+`
    where anything differs from it."""

    changed: Mapping[str, datetime]
    own: frozenset[str]
    shallow: bool
    revision: str


def read_history(root: Path, files: Collection[str]) -> History:
    """The history of `files`, paths relative to `root` with `/`. Raises NoHistory where there is no git, no
    repository, or no commit in it."""
    git = _Git(root)
    head = git.line("rev-parse", "--verify", "HEAD")
    shallow = git.line("rev-parse", "--is-shallow-repository") == "true"
    committed = git.names("ls-tree", "-r", "-z", "--name-only", "HEAD")
    modified = git.names("diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "HEAD")
    own = frozenset(file for file in files if file not in committed or file in modified)
    with git.differences() as differing:
        changed = _walk(git.commits(), set(files) - own, differing, git.edge() if shallow else frozenset())
    return History(changed, own, shallow, f"{head}+" if modified else head)


def _walk(
    commits: Iterator[tuple[datetime, str, list[str]]],
    files: set[str],
    differing: Changed,
    edge: Collection[str],
) -> dict[str, datetime]:
    """The time of the commit that each file ends at. `commits` come with their parents, children first; those
    in `edge` have parents that a shallow clone lacks."""
    changed: dict[str, datetime] = {}
    seeking: dict[str, set[str]] = {}
    for moment, commit, parents in commits:
        # Nothing is sought anywhere yet: this is the newest commit, where every file sets out.
        here = seeking.pop(commit, set()) if seeking else files
        for parent in parents:
            if not here:
                break
            touched = differing(commit, parent) & here
            here -= touched
            if parent in seeking:
                seeking[parent] |= here
            elif here:
                seeking[parent] = here
            here = touched
        if commit not in edge:
            changed.update(dict.fromkeys(here, moment))
        if not seeking:
            break
    return changed


class _Git:
    """git, asked about one directory of a working tree."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | {
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
        }

    def line(self, *arguments: str) -> str:
        return self._ask(*arguments).decode("utf-8", "replace").strip()

    def names(self, *arguments: str) -> frozenset[str]:
        return frozenset(os.fsdecode(name) for name in self._ask(*arguments).split(b"\0") if name)

    def edge(self) -> frozenset[str]:
        """The commits whose parents a shallow clone lacks (gitformat-shallow)."""
        file = self._root / self.line("rev-parse", "--git-path", "shallow")
        return frozenset(file.read_text(encoding="ascii").split())

    def commits(self) -> Iterator[tuple[datetime, str, list[str]]]:
        """Every commit from HEAD on: its time, its id, and its parents'."""
        with self._running("rev-list", "--topo-order", "--parents", "--timestamp", "HEAD") as git:
            for line in _pipe(git.stdout):
                seconds, commit, *parents = line.decode("ascii").split()
                yield datetime.fromtimestamp(int(seconds), UTC), commit, parents

    @contextmanager
    def differences(self) -> Iterator[Changed]:
        """Which files below the directory differ between a commit and one of its parents."""
        with self._running(*_DIFFERENCES) as git:
            asking, answering = _pipe(git.stdin), _pipe(git.stdout)

            def differing(commit: str, parent: str) -> set[str]:
                try:
                    asking.write(f"{commit} {parent}\n".encode() + _END)
                    asking.flush()
                except BrokenPipeError:
                    raise NoHistory("git ended before it was asked everything") from None
                return {os.fsdecode(name) for name in _answer(answering)}

            yield differing

    @contextmanager
    def _running(self, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
        """A git that is talked to; it ends with the block, whatever is left to say."""
        git = subprocess.Popen(
            ("git", *arguments),
            cwd=self._root,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield git
        finally:
            git.kill()
            git.wait()
            for pipe in (git.stdin, git.stdout):
                _pipe(pipe).close()

    def _ask(self, *arguments: str) -> bytes:
        try:
            done = subprocess.run(
                ("git", *arguments), cwd=self._root, env=self._environment, capture_output=True, check=True
            )
        except FileNotFoundError:
            raise NoHistory("git is not installed") from None
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip().splitlines()
            raise NoHistory(said[0] if said else f"git ended with {error.returncode}") from None
        return done.stdout


def _answer(pipe: IO[bytes]) -> Iterator[bytes]:
    """The names of one answer, up to its end mark."""
    rest = b""
    while True:
        # Whatever is there, and never more than git has said: it waits for the next question.
        block = os.read(pipe.fileno(), 1 << 16)
        if not block:
            raise NoHistory("git ended before it had answered")
        *names, rest = (rest + block).split(b"\0")
        yield from names
        if rest == _END:
            return


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise NoHistory("git could not be talked to")
    return pipe
