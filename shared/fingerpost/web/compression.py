"""The gzip form of a body: which types have one, and a small memory of those already made."""

import zlib
from collections import OrderedDict
from threading import Lock
from typing import Final

# Below this many bytes gzip saves less than its own headers and base64 cost.
LEAST_BYTES: Final = 1024
# What a warm instance keeps of compressed bodies (bytes); a sitemap or feed is a tenth of it or less.
_KEPT_BYTES: Final = 16 * 1024 * 1024
# zlib: 16 more than the window size means a gzip header and trailer.
GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS
_LEVEL: Final = 6
# Half the time, for a text that says nearly the same thing thousands of times and hardly gets larger by it.
QUICK_LEVEL: Final = 1

_TEXTS: Final = frozenset(
    {"application/json", "application/xml", "application/javascript", "application/manifest+json"}
)


def is_text(content_type: str) -> bool:
    """Whether a media type (parameters allowed) is text, hence worth compressing."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence.startswith("text/") or essence in _TEXTS or essence.endswith(("+xml", "+json"))


def gzip(body: bytes, level: int = _LEVEL) -> bytes:
    """`body` in gzip format (RFC 1952), always the same bytes: no file name, and no time."""
    return zlib.compress(body, level, GZIP_WINDOW)


class CompressedBodies:
    """Compressed bodies by the entity tag of what they hold, the least recently used leaving first."""

    def __init__(self, most_bytes: int = _KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()  # a local server answers from several threads

    def get(self, tag: str, body: bytes) -> bytes:
        """The gzip form of `body`, whose entity tag is `tag`."""
        with self._lock:
            if tag in self._kept:
                self._kept.move_to_end(tag)
                return self._kept[tag]
        compressed = gzip(body)
        with self._lock:
            if tag not in self._kept:
                self._kept[tag] = compressed
                self._bytes += len(compressed)
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return compressed
