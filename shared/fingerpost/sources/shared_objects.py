"""Objects that all instances of a function share: whoever is first writes, and the others can tell.

S3 decides who was first: by `If-None-Match: *` for an object that is to be new, by `If-Match` for one that is
to take another's place (RFC 9110 13.1)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fingerpost.sources.objects import ObjectMissing
from fingerpost.sources.s3 import PreconditionFailed, ask_s3, read_whole

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

# Object metadata: a short text that goes with the bytes.
_NOTE = "note"


class SharedObject(NamedTuple):
    """An object's bytes, the ETag that a replacement has to name, and the note that was left with it."""

    body: bytes
    etag: str
    note: str


class SharedObjects(Protocol):
    """Where instances leave objects for each other. Every method raises StoreUnavailable when that can't be
    asked; keys are those of `sources.objects`."""

    def read(self, key: str) -> SharedObject | None:
        """One object, None where there is none."""

    def write(self, key: str, body: bytes, note: str = "") -> None:
        """Write an object, whether or not there is one."""

    def create(self, key: str, body: bytes) -> bool:
        """Write a new object; False where there is one already."""

    def replace(self, key: str, body: bytes, etag: str) -> bool:
        """Write in place of the object with that ETag; False where it is gone or has become another."""


class S3SharedObjects:
    """SharedObjects in a bucket of their own. `client` hands out the SDK's client."""

    def __init__(self, bucket: str, client: Callable[[], "S3Client"]) -> None:
        self._bucket = bucket
        self._client = client

    def __repr__(self) -> str:
        return f"S3SharedObjects(s3://{self._bucket})"

    def read(self, key: str) -> SharedObject | None:
        def ask() -> SharedObject:
            answer = self._client().get_object(Bucket=self._bucket, Key=key)
            return SharedObject(read_whole(answer), answer["ETag"], answer["Metadata"].get(_NOTE, ""))

        try:
            return ask_s3(ask, self, key)
        except ObjectMissing:
            return None

    def write(self, key: str, body: bytes, note: str = "") -> None:
        self._put(key, body, Metadata={_NOTE: note} if note else {})

    def create(self, key: str, body: bytes) -> bool:
        return self._put(key, body, IfNoneMatch="*")

    def replace(self, key: str, body: bytes, etag: str) -> bool:
        return self._put(key, body, IfMatch=etag)

    def _put(self, key: str, body: bytes, **how: Any) -> bool:
        """Whether the object was written: not where its condition failed, or nothing is there to replace."""

        def ask() -> None:
            self._client().put_object(Bucket=self._bucket, Key=key, Body=body, **how)

        try:
            ask_s3(ask, self, key)
        except (ObjectMissing, PreconditionFailed):
            return False
        return True
