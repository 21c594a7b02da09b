"""gzip undone within a bound: a few kilobytes on the wire may claim to be gigabytes (RFC 1952)."""

import zlib
from typing import Final

MAGIC: Final = b"\x1f\x8b"
_GZIP: Final = 31


class TooLarge(ValueError):  # noqa: N818 - the name says what is wrong
    """More octets came out than were allowed; `body` is as many as were."""

    def __init__(self, body: bytes) -> None:
        super().__init__("too large")
        self.body = body


class Gunzip:
    """Undoes gzip piece by piece; raises TooLarge once more than `limit` octets have come out of it, and
    zlib.error on what is no gzip. A file of several members is one (RFC 1952 2.2)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._body = bytearray()
        self._member = zlib.decompressobj(wbits=_GZIP)

    def feed(self, octets: bytes) -> None:
        while octets:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=_GZIP)
            self._body += self._member.decompress(octets, self._limit + 1 - len(self._body))
            if len(self._body) > self._limit:
                raise TooLarge(bytes(self._body[: self._limit]))
            octets = self._member.unused_data

    @property
    def whole(self) -> bool:
        """Whether the last member has ended."""
        return self._member.eof

    @property
    def body(self) -> bytes:
        return bytes(self._body)
