"""Files that a warm instance has read: it need not ask the store again, and can answer while that is down."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from fingerpost.sources.objects import ObjectStore

# Bytes that a warm instance keeps, the least recently used leaving first; none larger than an eighth of it.
KEPT_BYTES: Final = 16 * 1024 * 1024


class Bodies:
    """Files by key and ETag: a changed file has another ETag, and is never served from memory."""

    def __init__(self, store: ObjectStore, most_bytes: int = KEPT_BYTES) -> None:
        self._store = store
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str, etag: str) -> bytes:
        """The bytes of the file at `key`, listed under `etag`; raises ObjectMissing or StoreUnavailable."""
        with self._lock:
            if (key, etag) in self._kept:
                self._kept.move_to_end((key, etag))
                return self._kept[key, etag]
        stored = self._store.read(key)
        with self._lock:
            self._keep((key, stored.etag), stored.body)
        return stored.body

    def _keep(self, name: tuple[str, str], body: bytes) -> None:
        if name in self._kept or len(body) > self._most_bytes // 8:
            return
        self._kept[name] = body
        self._bytes += len(body)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])
