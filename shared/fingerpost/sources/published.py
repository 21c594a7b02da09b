"""A published site: one object names every file of it, so that replacing that object is the whole switch.

Files lie below `.fingerpost/objects/` under the hash of their content, and none is ever overwritten. The
manifest in `.fingerpost/current.json` says which of them are the site, and carries the configuration along:
what every function reads first costs one request. Whoever reads sees the publication before or the one after,
and nothing between. Without that object the store is an ordinary tree of files.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from fingerpost.site.dates import instant, to_w3c
from fingerpost.sources.objects import (
    ObjectInfo,
    ObjectMissing,
    ObjectStore,
    StoredObject,
    StoreUnavailable,
)
from fingerpost.values import dataclass

STATE: Final = ".fingerpost/"
CURRENT: Final = f"{STATE}current.json"
OBJECTS: Final = f"{STATE}objects/"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file of a publication. `etag` is `content_etag` of its bytes and names its object. `stored` is when
    this content was first published at this key, `modified` the file's own time where that is known; both
    aware, in whole seconds. `text` is the content itself, where the manifest carries it along."""

    etag: str
    size: int
    stored: datetime
    modified: datetime | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """One publication: its files by key. Ids sort by the time of publication; `revision` is the commit it was
    made from, "" where there was none."""

    id: str
    published: datetime
    files: Mapping[str, PublishedFile]
    revision: str = ""


class ManifestError(ValueError):
    """Bytes that are no manifest; says what was expected and what was found."""


def write_manifest(manifest: Manifest) -> bytes:
    """The manifest as UTF-8 JSON: the same bytes for the same publication."""
    files: dict[str, dict[str, Any]] = {}
    for key, file in sorted(manifest.files.items()):
        files[key] = {"etag": file.etag, "size": file.size, "stored": to_w3c(file.stored)}
        if file.modified is not None:
            files[key]["modified"] = to_w3c(file.modified)
        if file.text is not None:
            files[key]["text"] = file.text
    document = {
        "format": FORMAT,
        "id": manifest.id,
        "published": to_w3c(manifest.published),
        "revision": manifest.revision,
        "files": files,
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def read_manifest(body: bytes) -> Manifest:
    """What `write_manifest` wrote. Raises ManifestError."""
    try:
        document = json.loads(body)
        if document["format"] != FORMAT:
            raise ManifestError(f"expected a manifest of format {FORMAT}, found {document['format']!r}")
        return Manifest(
            document["id"],
            instant(document["published"]),
            MappingProxyType({key: _file(file) for key, file in sorted(document["files"].items())}),
            document["revision"],
        )
    except ManifestError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(f"expected a manifest, found other content ({error!r})") from error


def _file(file: Mapping[str, Any]) -> PublishedFile:
    modified = file.get("modified")
    return PublishedFile(
        file["etag"],
        file["size"],
        instant(file["stored"]),
        None if modified is None else instant(modified),
        file.get("text"),
    )


@dataclass(frozen=True, slots=True)
class _Tree:
    """The publication that is read from: its manifest, the manifest's ETag, and its files as a listing."""

    etag: str
    manifest: Manifest
    listing: Mapping[str, ObjectInfo]


class PublishedStore:
    """An ObjectStore over another one, which may hold a published site; an ordinary tree is read as it is.

    `list` looks which publication is live, at the cost of one conditional read. What is read by key alone is
    of the publication that the last `list` found, so that what belongs together is read together; what is
    read as it was listed is so also after another publication became live, as long as its contents are kept.
    Names below `.fingerpost/` that are no file of the publication are the store's own, and are read as they
    are.
    """

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._looked = False
        self._ever_published = False
        self._tree: _Tree | None = None

    def __repr__(self) -> str:
        return f"PublishedStore({self._store!r})"

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        tree = self._look()
        if tree is None:
            return self._store.list(prefix)
        if not prefix:
            return tree.listing
        return {key: info for key, info in tree.listing.items() if key.startswith(prefix)}

    def read(self, key: str) -> StoredObject:
        file = self._find(key)
        return self._store.read(key) if file is None else self._read(key, file)

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        file = self._find(key)
        if file is None:
            return self._store.read_if_changed(key, etag)
        return None if file.etag == etag else self._read(key, file)

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        tree = self._current()
        if tree is None:
            return self._store.read_many(keys)
        wanted, files = list(dict.fromkeys(keys)), tree.manifest.files
        contents = self._contents({key: files[key].etag for key in wanted if key in files})
        own = self._store.read_many(key for key in wanted if key not in files and key.startswith(STATE))
        published = (_published(key, files[key], contents.get(key)) for key in wanted if key in files)
        return {**own, **{stored.key: stored for stored in published}}

    def read_listed(self, key: str, etag: str) -> bytes:
        found = self.read_many_listed({key: etag})
        if key not in found:
            raise ObjectMissing(key)
        return found[key]

    def read_many_listed(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        tree = self._current()
        if not self._ever_published:
            return self._store.read_many_listed(etags)
        found = self._contents(etags)
        gone = {key: etag for key, etag in etags.items() if key not in found}
        if gone and tree is not None:
            raise _lost(*gone.popitem())
        # The publication was taken away, and what is listed may be the plain tree that has come to light.
        return {**found, **self._store.read_many_listed(gone)}

    def _find(self, key: str) -> PublishedFile | None:
        """The file at `key`, None where the store underneath is to be asked; ObjectMissing where there is
        none."""
        tree = self._current()
        if tree is None:
            return None
        file = tree.manifest.files.get(key)
        if file is None and not key.startswith(STATE):
            raise ObjectMissing(key)
        return file

    def _current(self) -> _Tree | None:
        """The publication that the last look found."""
        return self._tree if self._looked else self._look()

    def _read(self, key: str, file: PublishedFile) -> StoredObject:
        return _published(key, file, self._contents({key: file.etag}).get(key))

    def _contents(self, etags: Mapping[str, str]) -> dict[str, bytes]:
        """The contents with those ETags, by the keys they are of; those that are kept no longer left out."""
        tree = self._tree
        found = {} if tree is None else _carried(tree.manifest, etags)
        names = {key: OBJECTS + etag for key, etag in etags.items() if key not in found}
        stored = self._store.read_many(names.values())
        return found | {key: stored[name].body for key, name in names.items() if name in stored}

    def _look(self) -> _Tree | None:
        """The publication that is live now, None where the store holds an ordinary tree."""
        with self._lock:
            held = self._tree
            try:
                if held is None:
                    found: StoredObject | None = self._store.read(CURRENT)
                else:
                    found = self._store.read_if_changed(CURRENT, held.etag)
            except ObjectMissing:
                self._tree = None
            else:
                if found is not None:
                    self._tree = self._grown(found)
                    self._ever_published = True
            self._looked = True
            return self._tree

    def _grown(self, found: StoredObject) -> _Tree:
        try:
            manifest = read_manifest(found.body)
        except ManifestError as error:
            raise StoreUnavailable(f"{self._store!r} {CURRENT}: {error}") from error
        listing = {
            key: ObjectInfo(key, file.etag, file.size, file.modified or file.stored)
            for key, file in manifest.files.items()
        }
        return _Tree(found.etag, manifest, MappingProxyType(listing))


def _carried(manifest: Manifest, etags: Mapping[str, str]) -> dict[str, bytes]:
    """What of the listed files the manifest carries along."""
    files = ((key, manifest.files.get(key), etag) for key, etag in etags.items())
    return {
        key: file.text.encode()
        for key, file, etag in files
        if file is not None and file.text is not None and file.etag == etag
    }


def _published(key: str, file: PublishedFile, body: bytes | None) -> StoredObject:
    if body is None:
        raise _lost(key, file.etag)
    return StoredObject(key, body, file.etag, file.stored, file.modified)


def _lost(key: str, etag: str) -> StoreUnavailable:
    """A content that is not there was taken away by hand, or with the last of the publications that it
    belonged to: a page that should exist must not turn into one that doesn't."""
    return StoreUnavailable(f"{key}: expected its content in {OBJECTS}{etag}, found nothing there")
