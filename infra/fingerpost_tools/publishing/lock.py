"""One publisher at a time: an object in the bucket, held by whoever created it for as long as it is renewed.

The lock keeps publishers apart; it is not what keeps a site whole. That is the last step of a publication,
which replaces the manifest it began with and no other.
"""

import contextlib
import getpass
import json
import socket
import threading
from collections.abc import Iterator
from typing import Final

from fingerpost.site.dates import to_w3c
from fingerpost.sources.published import STATE
from fingerpost_tools.bucket import Bucket, Changed, Held
from fingerpost_tools.command_error import CommandError

LOCK: Final = f"{STATE}lock.json"
# A lock that was not renewed for so long belongs to a publisher that was killed (seconds).
LEASE_SECONDS: Final = 30.0
_RENEWALS: Final = 4


class Lease:
    """A lock that is held for as long as it is renewed."""

    def __init__(self, bucket: Bucket, etag: str, body: bytes) -> None:
        self._bucket = bucket
        self._body = body
        self._etag = etag
        self._renewing = threading.Lock()
        self._ended = threading.Event()

    def renew(self) -> None:
        """Hold the lock for another while. CommandError where another publisher has taken it over."""
        with self._renewing:
            try:
                self._etag = self._bucket.replace(LOCK, self._body, self._etag)
            except Changed:
                raise CommandError(
                    f"this publication took too long between two signs of life, and another publisher has "
                    f"taken {self._bucket} over: publish again"
                ) from None

    def keep(self, every: float) -> None:
        """Renew the lock every so many seconds until `end`. A failure shows when it counts: at the switch."""
        while not self._ended.wait(every):
            with contextlib.suppress(CommandError):
                self.renew()

    def end(self) -> None:
        self._ended.set()

    def release(self) -> None:
        """Let the next publisher in, unless one has taken over already."""
        with contextlib.suppress(Changed):
            self._bucket.remove(LOCK, self._etag)


@contextlib.contextmanager
def locked(bucket: Bucket, lease_seconds: float = LEASE_SECONDS) -> Iterator[Lease]:
    """Hold the bucket's lock; CommandError where another publisher does."""
    body = json.dumps({"owner": _owner()}).encode()
    lease = Lease(bucket, _acquire(bucket, body, lease_seconds), body)
    every = lease_seconds / _RENEWALS
    keeper = threading.Thread(target=lease.keep, args=(every,), daemon=True, name="lock-keeper")
    keeper.start()
    try:
        yield lease
    finally:
        lease.end()
        keeper.join()
        lease.release()


def _acquire(bucket: Bucket, body: bytes, lease_seconds: float) -> str:
    """The ETag of the lock, now ours."""
    try:
        return bucket.replace(LOCK, body, None)
    except Changed:
        held = bucket.get(LOCK)
    if held is not None and held.age <= lease_seconds:
        raise CommandError(_busy(bucket, held, lease_seconds))
    try:
        # Of several who find it stale, one replaces what all of them saw.
        return bucket.replace(LOCK, body, held.etag if held is not None else None)
    except Changed:
        raise CommandError(f"another publication to {bucket} has just begun: try again later") from None


def _busy(bucket: Bucket, held: Held, lease_seconds: float) -> str:
    try:
        owner = str(json.loads(held.body)["owner"])
    except (ValueError, KeyError, TypeError):
        owner = "somebody"
    rest = max(1, round(lease_seconds - held.age))
    return (
        f"{owner} is publishing to {bucket} (seen at {to_w3c(held.written)}): try again later; "
        f"if that publication was killed, its lock ends in {rest} s"
    )


def _owner() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container's user need not have a name
        name = "unknown"
    return f"{name}@{socket.gethostname()}"
