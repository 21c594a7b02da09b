"""A bucket that a command writes to: what S3 is asked, and what its refusals mean to an owner."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from fingerpost_tools.command_error import CommandError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_WORKERS: Final = 16
# DeleteObjects takes at most this many keys.
_DELETED_AT_ONCE: Final = 1000
_MISSING: Final = frozenset({"NoSuchKey", "404", "NotFound"})
# RFC 9110 13.1: the condition does not hold; S3 answers 409 where another conditional write came between.
_CHANGED: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})
_DENIED: Final = frozenset({"AccessDenied", "403", "Forbidden"})

_T = TypeVar("_T")


class _Missing(Exception):  # noqa: N818 - an answer, more than an error
    """There is no such object."""


class Changed(Exception):  # noqa: N818 - an answer, more than an error
    """A conditional write found another object than the one it was to replace."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One object of a listing, with S3's own ETag."""

    etag: str
    size: int


@dataclass(frozen=True, slots=True)
class Held:
    """An object that was read. `age` is for how many seconds it has stood, by S3's own clock."""

    body: bytes
    etag: str
    written: datetime
    age: float


class Bucket:
    """Objects below `s3://name/prefix/`, by their key from there. CommandError where S3 can't or won't."""

    def __init__(self, name: str, prefix: str = "", client: "S3Client | None" = None) -> None:
        inner = prefix.strip("/")
        self.name = name
        self.prefix = f"{inner}/" if inner else ""
        self.client = client or _client()

    def __str__(self) -> str:
        return f"s3://{self.name}/{self.prefix}"

    def get(self, key: str) -> Held | None:
        """An object, None where there is none."""

        def ask() -> Held:
            answer = self.client.get_object(Bucket=self.name, Key=self.prefix + key)
            body = answer["Body"].read()
            age = (_now(answer) - answer["LastModified"]).total_seconds()
            return Held(body, answer["ETag"], answer["LastModified"].astimezone(UTC), age)

        try:
            return self._ask(ask, "s3:GetObject", key)
        except _Missing:
            return None

    def list(self, prefix: str = "") -> dict[str, Listed]:
        """Every object whose key begins with `prefix`."""

        def ask() -> dict[str, Listed]:
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.name, Prefix=self.prefix + prefix
            )
            return {
                line["Key"].removeprefix(self.prefix): Listed(line["ETag"], line["Size"])
                for page in pages
                for line in page.get("Contents", ())
            }

        return self._ask(ask, "s3:ListBucket", prefix)

    def put(
        self, key: str, body: bytes | BinaryIO, content_type: str, cache_control: str | None = None
    ) -> None:
        """Write an object, whatever stood there; with `Cache-Control` where it is given."""
        headers: dict[str, Any] = {} if cache_control is None else {"CacheControl": cache_control}
        self._ask(
            lambda: self.client.put_object(
                Bucket=self.name, Key=self.prefix + key, Body=body, ContentType=content_type, **headers
            ),
            "s3:PutObject",
            key,
        )

    def replace(self, key: str, body: bytes, etag: str | None) -> str:
        """Write a JSON object in place of the one with `etag` (of nothing, where None); its new ETag. Raises
        Changed where something else stands there."""
        condition: dict[str, Any] = {"IfNoneMatch": "*"} if etag is None else {"IfMatch": etag}

        def ask() -> str:
            answer = self.client.put_object(
                Bucket=self.name,
                Key=self.prefix + key,
                Body=body,
                ContentType="application/json; charset=utf-8",
                **condition,
            )
            return answer["ETag"]

        try:
            return self._ask(ask, "s3:PutObject", key)
        except _Missing:  # what was to be replaced is gone
            raise Changed(key) from None

    def copy(self, source: str, target: str, content_type: str, cache_control: str) -> None:
        """Copy an object within the bucket, with headers of its own."""

        def ask() -> None:
            self.client.copy_object(
                Bucket=self.name,
                Key=self.prefix + target,
                CopySource={"Bucket": self.name, "Key": self.prefix + source},
                MetadataDirective="REPLACE",
                ContentType=content_type,
                CacheControl=cache_control,
            )

        try:
            self._ask(ask, "s3:PutObject", target)
        except _Missing:
            raise CommandError(f"{self}{source}: was removed while the site was published") from None

    def remove(self, key: str, etag: str) -> None:
        """Remove the object with `etag`. Raises Changed where something else stands there."""

        def ask() -> None:
            self.client.delete_object(Bucket=self.name, Key=self.prefix + key, IfMatch=etag)

        with contextlib.suppress(_Missing):
            self._ask(ask, "s3:DeleteObject", key)

    def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; those that are not there count as removed."""
        pending = sorted(keys)
        for start in range(0, len(pending), _DELETED_AT_ONCE):
            self._delete(pending[start : start + _DELETED_AT_ONCE])

    def _delete(self, keys: Sequence[str]) -> None:
        answer = self._ask(
            lambda: self.client.delete_objects(
                Bucket=self.name,
                Delete={"Objects": [{"Key": self.prefix + key} for key in keys], "Quiet": True},
            ),
            "s3:DeleteObject",
            keys[0],
        )
        for refused in answer.get("Errors", ()):
            raise CommandError(
                f"s3://{self.name}/{refused.get('Key')}: could not be removed: {refused.get('Message')}"
            )

    def _ask(self, question: Callable[[], _T], permission: str, key: str) -> _T:
        """The answer to `question`. Raises _Missing where there is no such object, Changed where a condition
        does not hold, else CommandError."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return question()
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code in _MISSING:
                raise _Missing(key) from None
            if code in _CHANGED:
                raise Changed(key) from None
            raise CommandError(self._refusal(code, str(error), permission, key)) from error
        except BotoCoreError as error:
            raise CommandError(f"{self}: {_reason(error)}") from error

    def _refusal(self, code: str, said: str, permission: str, key: str) -> str:
        if code == "NoSuchBucket":
            return f"no bucket {self.name}: create it, or deploy the stack that does"
        if code in _DENIED:
            return f"{self}{key}: access denied: these credentials need {permission} there"
        return f"{self}{key}: {said}"


def in_parallel(work: Callable[[str], _T], names: Iterable[str]) -> Iterator[_T]:
    """What `work` gives for each name, as it comes; many are worked at together. The first that fails ends
    it, once what was begun by then has come to its end."""
    pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="bucket")
    try:
        for done in as_completed([pool.submit(work, name) for name in names]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _client() -> "S3Client":
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError

    # An endpoint of one's own seldom answers to bucket.host names.
    own_endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    config = Config(
        connect_timeout=10,
        read_timeout=60,
        retries={"mode": "standard", "total_max_attempts": 4},
        max_pool_connections=_WORKERS + 2,  # the lock is renewed beside the uploads
        s3={"addressing_style": "path" if own_endpoint else "auto"},
    )
    try:
        return boto3.client("s3", config=config)
    except (BotoCoreError, ValueError) as error:
        raise CommandError(_reason(error)) from error


def _reason(error: Exception) -> str:
    from botocore.exceptions import (
        ConnectionError as NoConnection,
    )
    from botocore.exceptions import (
        HTTPClientError,
        NoCredentialsError,
        ParamValidationError,
        PartialCredentialsError,
    )

    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return "no AWS credentials: run `aws configure`, or set AWS_PROFILE"
    if isinstance(error, HTTPClientError | NoConnection):
        return f"S3 can't be reached: {error}"
    if isinstance(error, ParamValidationError):
        return "no bucket can have that name"
    return str(error)


def _now(answer: Mapping[str, Any]) -> datetime:
    """S3's own time as its answer says it, so that no clock but one decides; this machine's where it does
    not."""
    from email.utils import parsedate_to_datetime

    said = answer["ResponseMetadata"].get("HTTPHeaders", {}).get("date")
    return parsedate_to_datetime(said) if said else datetime.now(UTC)
