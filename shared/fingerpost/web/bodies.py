"""Files that a warm instance has read: it need not ask the store again, and can answer while that is down."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from fingerpost.sources.objects import ObjectChanged, ObjectStore

# Bytes that a warm instance keeps, the least recently used leaving first; none larger than an eighth of it.
KEPT_BYTES: Final = 16 * 1024 * 1024


class Bodies:
    """Files by key and ETag, as they were listed: a listing and its bodies are one state of the site.

    A file that is no longer as it was listed is ObjectChanged; `outdated` is told of it first. Everything
    here raises StoreUnavailable too.
    """

    def __init__(
        self, store: ObjectStore, outdated: Callable[[], None] = lambda: None, most_bytes: int = KEPT_BYTES
    ) -> None:
        self._store = store
        self._outdated = outdated
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: str, etag: str) -> bytes:
        """The bytes of the file at `key`, listed under `etag`; raises ObjectMissing too."""
        with self._lock:
            if (key, etag) in self._kept:
                self._kept.move_to_end((key, etag))
                return self._kept[key, etag]
        try:
            body = self._store.read_listed(key, etag)
        except ObjectChanged:
            self._outdated()
            raise
        with self._lock:
            self._keep((key, etag), body)
        return body

    def get_many(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        """The bytes of files by key, those that are missing left out; none of them is kept."""
        try:
            return self._store.read_many_listed(etags)
        except ObjectChanged:
            self._outdated()
            raise

    def _keep(self, name: tuple[str, str], body: bytes) -> None:
        if name in self._kept or len(body) > self._most_bytes // 8:
            return
        self._kept[name] = body
        self._bytes += len(body)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])
