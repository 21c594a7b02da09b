"""Where files are kept: one small protocol for S3 and for a directory.

Keys are relative to the site's root and use `/`: `app.yaml`, `content/docs/start.md`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class StoreUnavailable(Exception):
    """The store could not be asked (network, permission, throttling); says which store and which key."""


class ObjectMissing(Exception):
    """The store answered that there is no such object; the argument is its key."""


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """One line of a listing. `etag` changes whenever the bytes do; `modified` is aware, in UTC."""

    key: str
    etag: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object's bytes. `modified` is the modification time recorded at publication (object metadata
    `modified`), None where none was recorded; `stored` is the store's own time."""

    key: str
    body: bytes
    etag: str
    stored: datetime
    modified: datetime | None = None


class ObjectStore(Protocol):
    """A place that holds a site's files.

    Every method raises StoreUnavailable when the store can't be asked. Nothing outside the site's
    prefix or directory can be read: a key that tries is ObjectMissing.
    """

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        """All objects whose key starts with `prefix`, sorted by key; AppleDouble files (`._*`) and
        zero-byte directory markers are left out."""

    def read(self, key: str) -> StoredObject:
        """One object; ObjectMissing where there is none."""

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        """One object, or None where its ETag is still `etag`; ObjectMissing where there is none."""

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        """Several objects, read in parallel; those that are missing are left out."""
