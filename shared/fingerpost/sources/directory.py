"""A site's files in a directory, as a developer or a build machine has them."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from fingerpost.sources.objects import (
    PUBLIC,
    ObjectChanged,
    ObjectInfo,
    ObjectMissing,
    StoredObject,
    StoreUnavailable,
    content_etag,
    is_key,
    is_listed,
)

# Folders that stand beside a site's files without being part of it.
_NOT_THE_SITE = frozenset({".git", ".fingerpost"})
# Folders that programs fill where they are called, often in the site's own: by name, or by a file in them.
_PACKAGES = "node_modules"
BUILD_MARK = ".fingerpost-build.json"
_MARKS = frozenset({BUILD_MARK, "pyvenv.cfg"})

# What a file was when it was hashed: modification and change time (ns), size, inode.
_Stamp = tuple[int, int, int, int]


class DirectoryStore:
    """An ObjectStore over the files below `root`. ETags are hashes of the content, the same on every machine;
    a file is hashed again only when its times, size or inode differ.

    A symbolic link is followed as long as it stays below `root`; what it reaches elsewhere does not exist.
    A listing passes over installed packages (`node_modules`, virtual environments) and over built sites.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.path.realpath(root)
        self._etags: dict[str, tuple[_Stamp, str]] = {}

    def __repr__(self) -> str:
        return f"DirectoryStore({self._root})"

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        if not os.path.isdir(self._root):
            raise StoreUnavailable(f"{self._root}: expected a folder, found none")
        # Only the folder that the prefix names is walked; the rest of it picks among the names there.
        folder = prefix.rpartition("/")[0]
        start = self._resolved(folder) if folder else self._root
        if start is None or not os.path.isdir(start):
            return {}
        keys = self._walk(start, f"{folder}/" if folder else "", (start,))
        found = (self._info(key) for key in sorted(keys) if key.startswith(prefix))
        return {info.key: info for info in found if info is not None}

    def read(self, key: str) -> StoredObject:
        path, stat = self._file(key)
        try:
            body = Path(path).read_bytes()
        except FileNotFoundError:  # deleted since its status was asked for
            raise ObjectMissing(key) from None
        except OSError as error:
            raise StoreUnavailable(f"{path}: could not be read: {error.strerror}") from error
        modified = _time(stat)
        return StoredObject(key, body, self._remembered(key, stat, body), stored=modified, modified=modified)

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        _, stat = self._file(key)
        known = self._etags.get(key)
        if known is not None and known == (_stamp(stat), etag):
            return None
        found = self.read(key)
        return None if found.etag == etag else found

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        found = {}
        for key in dict.fromkeys(keys):
            with suppress(ObjectMissing):
                found[key] = self.read(key)
        return found

    def read_listed(self, key: str, etag: str) -> bytes:
        found = self.read(key)
        if found.etag != etag:
            raise ObjectChanged(key)
        return found.body

    def read_many_listed(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        found = {}
        for key, etag in etags.items():
            with suppress(ObjectMissing):
                found[key] = self.read_listed(key, etag)
        return found

    def _walk(self, folder: str, prefix: str, above: tuple[str, ...]) -> Iterator[str]:
        """Keys of all files below `folder`, a real path. `above` are the real paths of it and of the folders
        that led here: a link back to one of them would never end."""
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            raise StoreUnavailable(f"{folder}: could not be listed: {error.strerror}") from error
        if _is_made_by_a_program(prefix, entries):
            return
        for entry in entries:
            if entry.name in _NOT_THE_SITE or not is_key(entry.name):
                continue
            path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
            if not self._is_inside(path):
                continue
            if not os.path.isdir(path):
                yield prefix + entry.name
            elif path not in above:
                yield from self._walk(path, f"{prefix}{entry.name}/", (*above, path))

    def _info(self, key: str) -> ObjectInfo | None:
        if not is_listed(key):
            return None
        try:
            _, stat = self._file(key)
            known = self._etags.get(key)
            fresh = known is not None and known[0] == _stamp(stat)
            etag = known[1] if known is not None and fresh else self.read(key).etag
        except ObjectMissing:  # deleted since it was listed, or no regular file
            return None
        return ObjectInfo(key, etag, stat.st_size, _time(stat))

    def _file(self, key: str) -> tuple[str, os.stat_result]:
        """The real path of a key's file and its status; ObjectMissing for whatever is no file of the site."""
        path = self._resolved(key)
        if path is None:
            raise ObjectMissing(key)
        try:
            stat = os.stat(path)
        except OSError as error:
            if isinstance(error, PermissionError):
                raise StoreUnavailable(f"{path}: could not be read: {error.strerror}") from error
            raise ObjectMissing(key) from None
        if not S_ISREG(stat.st_mode):
            raise ObjectMissing(key)
        return path, stat

    def _resolved(self, key: str) -> str | None:
        """The real path of a key, None where it leaves the site."""
        if not is_key(key) or not _NOT_THE_SITE.isdisjoint(key.split("/")):
            return None
        path = os.path.realpath(os.path.join(self._root, *key.split("/")))
        return path if self._is_inside(path) else None

    def _is_inside(self, path: str) -> bool:
        below = os.path.join(self._root, "")
        return path.startswith(below) and _NOT_THE_SITE.isdisjoint(path[len(below) :].split(os.sep))

    def _remembered(self, key: str, stat: os.stat_result, body: bytes) -> str:
        etag = content_etag(body)
        self._etags[key] = _stamp(stat), etag
        return etag


def _is_made_by_a_program(prefix: str, entries: Iterable["os.DirEntry[str]"]) -> bool:
    """Whether the folder of keys that begin with `prefix` holds installed packages, or a build of the site.
    Neither is the site's, and there are tens of thousands of files in them."""
    if not prefix or prefix.startswith(PUBLIC):
        return False
    return prefix.split("/")[-2] == _PACKAGES or any(entry.name in _MARKS for entry in entries)


def _stamp(stat: os.stat_result) -> _Stamp:
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino


def _time(stat: os.stat_result) -> datetime:
    return datetime.fromtimestamp(stat.st_mtime, UTC)
