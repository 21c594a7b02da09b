"""A site's files in S3, under one bucket and prefix."""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fingerpost.deadline import carried, within
from fingerpost.sources.attempts import client_config, give_up_in_time
from fingerpost.sources.objects import (
    ObjectChanged,
    ObjectInfo,
    ObjectMissing,
    StoredObject,
    StoreUnavailable,
    is_key,
    is_listed,
)

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import (
        GetObjectOutputTypeDef,
        ListObjectsV2OutputTypeDef,
        ObjectTypeDef,
    )

# Where publication records a file's own modification time: object metadata, a W3C datetime.
MODIFIED_METADATA = "modified"

PARALLEL_READS = 16
# How much of a body is read between two looks at the clock.
_PIECE_BYTES = 16 * 1024

# S3 API reference, "Error responses"; HEAD-like answers carry the bare status.
_MISSING = frozenset({"NoSuchKey", "NoSuchVersion", "404", "NotFound"})

_T = TypeVar("_T")


class NotModified(StoreUnavailable):
    """RFC 9110 15.4.5: the object is still the one that If-None-Match named."""


class PreconditionFailed(StoreUnavailable):
    """RFC 9110 15.5.13: the object is not the one that If-Match named, or is there despite
    `If-None-Match: *`."""


_CONDITIONS: Mapping[str, type[StoreUnavailable]] = {
    "304": NotModified,
    "NotModified": NotModified,
    "412": PreconditionFailed,
    "PreconditionFailed": PreconditionFailed,
    # Another write of the same key was under way.
    "409": PreconditionFailed,
    "ConditionalRequestConflict": PreconditionFailed,
}


class S3Store:
    """An ObjectStore over `s3://bucket/prefix/`. The client is built at the first question, once.

    A missing key is told from a forbidden one only where the role may list the bucket; without that right S3
    answers AccessDenied to both, which is StoreUnavailable here. The endpoint is the SDK's own setting
    (`AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`).
    """

    def __init__(self, bucket: str, prefix: str = "", client: "S3Client | None" = None) -> None:
        self._bucket = bucket
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._own_client = client
        self._building = threading.Lock()

    def __repr__(self) -> str:
        return f"S3Store(s3://{self._bucket}/{self._prefix})"

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        def ask(client: "S3Client") -> dict[str, ObjectInfo]:
            pages = client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix + prefix
            )
            found = (self._info(line) for page in pages for line in _lines(page))
            return {info.key: info for info in found if is_listed(info.key)}

        if prefix and not is_key(prefix.removesuffix("/")):
            return {}
        # S3 sorts by UTF-8 bytes, which is the order of code points.
        return self._ask(ask, prefix)

    def read(self, key: str) -> StoredObject:
        return self._ask(lambda client: self._get(client, key), self._checked(key))

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        def ask(client: "S3Client") -> StoredObject:
            return self._get(client, key, IfNoneMatch=f'"{etag}"')

        try:
            return self._ask(ask, self._checked(key))
        except NotModified:
            return None

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        return self._together(self.read, keys)

    def read_listed(self, key: str, etag: str) -> bytes:
        def ask(client: "S3Client") -> StoredObject:
            return self._get(client, key, IfMatch=f'"{etag}"')

        try:
            return self._ask(ask, self._checked(key)).body
        except PreconditionFailed:
            raise ObjectChanged(key) from None

    def read_many_listed(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        return self._together(lambda key: self.read_listed(key, etags[key]), etags)

    def _together(self, read: Callable[[str], _T], keys: Iterable[str]) -> dict[str, _T]:
        """What `read` answers for each key, in parallel; keys without an object are left out."""

        def read_if_there(key: str) -> list[tuple[str, _T]]:
            try:
                return [(key, read(key))]
            except ObjectMissing:
                return []

        wanted = list(dict.fromkeys(keys))
        if len(wanted) < 2:
            return dict(chain.from_iterable(map(read_if_there, wanted)))
        from concurrent.futures import ThreadPoolExecutor

        self.client()  # the SDK's session is not to be built by many threads
        pool = ThreadPoolExecutor(min(PARALLEL_READS, len(wanted)), thread_name_prefix="s3-read")
        try:
            return dict(chain.from_iterable(pool.map(carried(read_if_there), wanted)))
        finally:
            pool.shutdown(cancel_futures=True)

    def _checked(self, key: str) -> str:
        if not is_key(key):
            raise ObjectMissing(key)
        return key

    def _info(self, line: Any) -> ObjectInfo:
        key = line["Key"].removeprefix(self._prefix)
        return ObjectInfo(key, line["ETag"].strip('"'), line["Size"], line["LastModified"].astimezone(UTC))

    def _get(self, client: "S3Client", key: str, **conditions: Any) -> StoredObject:
        answer = client.get_object(Bucket=self._bucket, Key=self._prefix + key, **conditions)
        body = read_whole(answer)
        return StoredObject(
            key=key,
            body=body,
            etag=answer["ETag"].strip('"'),
            stored=answer["LastModified"].astimezone(UTC),
            modified=recorded_time(answer["Metadata"].get(MODIFIED_METADATA)),
        )

    def _ask(self, question: Callable[["S3Client"], _T], key: str) -> _T:
        return ask_s3(lambda: question(self.client()), self, key)

    def disconnect(self) -> None:
        """Close what connections there are; the next question opens new ones."""
        if self._own_client is not None:
            self._own_client.close()

    def client(self) -> "S3Client":
        """The client, built once; others may ask through it too."""
        with self._building:
            if self._own_client is None:
                self._own_client = make_client()
        return self._own_client


def make_client() -> "S3Client":
    """A client that gives up within seconds: a page is waiting for its answer."""
    # botocore alone: what boto3 adds (resources, managed transfers) costs a cold start, and is not used here.
    from botocore.session import get_session

    # An endpoint of one's own seldom answers to bucket.host names.
    own_endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    config = client_config(
        max_pool_connections=PARALLEL_READS,
        tcp_keepalive=True,
        response_checksum_validation="when_required",
        s3={"addressing_style": "path" if own_endpoint else "auto"},
    )
    session = get_session()
    # A listing holds a time for each object; the SDK's own reader takes longer for those than for the rest.
    session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=_time)
    client = session.create_client("s3", config=config)
    give_up_in_time(client)
    return cast("S3Client", client)


def ask_s3(question: Callable[[], _T], store: object, key: str) -> _T:
    """What `question`, a request about the object at `key`, answers.

    Raises ObjectMissing, and for whatever else S3 or the way to it may do StoreUnavailable, which names
    `store` and key: NotModified and PreconditionFailed answer a request with such a condition.
    """
    from botocore.exceptions import BotoCoreError, ClientError
    from botocore.parsers import ResponseParserError

    try:
        return question()
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "")
        if code in _MISSING:
            raise ObjectMissing(key) from None
        kind = _CONDITIONS.get(code, StoreUnavailable)
        raise kind(f"{store!r} {key}: {error}") from error
    except (BotoCoreError, ResponseParserError, TimeoutError) as error:
        raise StoreUnavailable(f"{store!r} {key}: {error}") from error
    except KeyError as error:
        raise StoreUnavailable(
            f"{store!r} {key}: expected an answer of S3's, found one without {error}"
        ) from error


def read_whole(answer: "GetObjectOutputTypeDef") -> bytes:
    """The body of an object, and all of it.

    Raises a BotoCoreError where fewer bytes come than were announced, TimeoutError where they come too slowly
    for the answer they are for, and KeyError where none were announced: a connection that breaks within the
    header section leaves what looks like a whole answer of no bytes.
    """
    # As its own context manager the body hands out the raw stream, which doesn't count its bytes.
    with closing(answer["Body"]) as stream:
        answer["ContentLength"]
        pieces = []
        while piece := stream.read(_PIECE_BYTES):
            pieces.append(piece)
            within(inf)
        return b"".join(pieces)


def _lines(page: "ListObjectsV2OutputTypeDef") -> "Sequence[ObjectTypeDef]":
    """The lines of one page of a listing; KeyError where it is none, however empty."""
    page["IsTruncated"]
    return page.get("Contents", ())


def _time(value: Any) -> datetime:
    """A time of an answer of S3: ISO 8601 in listings, an HTTP date in headers."""
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        from botocore.utils import parse_timestamp

        moment: datetime = parse_timestamp(value)
        return moment


def recorded_time(text: str | None) -> datetime | None:
    """A W3C datetime of metadata, aware and in UTC; a date alone is its midnight, anything else None."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
