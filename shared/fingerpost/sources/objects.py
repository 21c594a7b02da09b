"""Where files are kept: one small protocol for S3 and for a directory.

Keys are relative to the site's root and use `/`: `app.yaml`, `content/docs/start.md`.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

from fingerpost.errors import Unavailable
from fingerpost.values import dataclass


class StoreUnavailable(Unavailable):
    """The store could not be asked (network, permission, throttling); says which store and which key."""


class ObjectMissing(Exception):  # noqa: N818 - an answer, more than an error
    """The store answered that there is no such object; the argument is its key."""


class ObjectChanged(StoreUnavailable):
    """The object is another than was listed: the listing is out of date. The argument is its key."""

    def __str__(self) -> str:
        return f"{self.args[0]}: is no longer what was listed"


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


# Where the files are that are served as they are.
PUBLIC = "public/"

# S3: an object key is at most 1,024 bytes of UTF-8.
_KEY_BYTES = 1024
# Control characters, the separator of other systems, and lone surrogates, which UTF-8 has no form for.
_FOREIGN = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")


def is_key(key: str) -> bool:
    """Whether a key can name an object of the site: `/`-separated segments, none of them empty, `.` or `..`,
    without control characters or backslashes. No store is asked for any other."""
    if not key or _FOREIGN.search(key) or len(key.encode()) > _KEY_BYTES:
        return False
    return not any(segment in ("", ".", "..") for segment in key.split("/"))


def is_listed(key: str) -> bool:
    """Whether a listing shows the object: a key as above, and not an AppleDouble file (`._*`)."""
    return is_key(key) and not key.rpartition("/")[2].startswith("._")


def content_etag(body: bytes) -> str:
    """The ETag of a file where this program makes it: half of its SHA-256, the same on every machine."""
    return hashlib.sha256(body).hexdigest()[:32]


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

    def read_listed(self, key: str, etag: str) -> bytes:
        """The bytes of an object as it was listed, with that ETag: never others. ObjectMissing where there is
        no object any more, ObjectChanged where there is another."""

    def read_many_listed(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        """Several objects as they were listed, by key; those that are missing are left out."""
