"""A large body that is kept in its gzip form alone: less memory, and ready for nearly every client."""

import zlib

from fingerpost.values import dataclass
from fingerpost.web.compression import GZIP_WINDOW, QUICK_LEVEL, gzip
from fingerpost.web.conditional import entity_tag


@dataclass(frozen=True, slots=True)
class Packed:
    """A body in gzip form. `tag` is the strong entity tag of the plain form, `size` its length in bytes."""

    tag: str
    size: int
    gzipped: bytes

    def plain(self) -> bytes:
        """The body as it was before compression."""
        return zlib.decompress(self.gzipped, GZIP_WINDOW, self.size)


def pack(body: bytes) -> Packed:
    """`body` in gzip form, its tag and size noted."""
    return Packed(entity_tag(body), len(body), gzip(body))


def pack_quickly(body: bytes) -> Packed:
    """The same of a sitemap, whose elements are so much alike that looking closely gains nothing."""
    return Packed(entity_tag(body), len(body), gzip(body, QUICK_LEVEL))
