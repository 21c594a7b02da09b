"""Publications written straight into a store in memory, as `fingerpost publish` leaves them in a bucket."""

from collections.abc import Mapping
from datetime import UTC, datetime

from fingerpost.sources.objects import content_etag
from fingerpost.sources.published import CURRENT, OBJECTS, Manifest, PublishedFile, write_manifest
from tests.support import MemoryStore

FIRST = datetime(2024, 1, 8, 11, 58, 15, tzinfo=UTC)
CHANGED = datetime(2023, 5, 5, tzinfo=UTC)


def publish(store: MemoryStore, files: Mapping[str, str], name: str = "one") -> None:
    """Make `files` the live publication; the contents of those before it stay."""
    entries = {}
    for key, text in files.items():
        body = text.encode()
        store.files[OBJECTS + content_etag(body)] = body
        modified = CHANGED if key.endswith(".md") else None
        entries[key] = PublishedFile(content_etag(body), len(body), FIRST, modified)
    store.files[CURRENT] = write_manifest(Manifest(name, FIRST, entries))


def forget(store: MemoryStore, files: Mapping[str, str]) -> None:
    """Remove the contents of `files`, as publishing does once no publication that is kept has them."""
    for text in files.values():
        store.files.pop(OBJECTS + content_etag(text.encode()), None)
