"""What tests of the whole way share: a site written in the test, its functions in this process, events."""

import base64
import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fingerpost.settings import Settings
from fingerpost.sources.objects import (
    ObjectChanged,
    ObjectInfo,
    ObjectMissing,
    ObjectStore,
    StoredObject,
    StoreUnavailable,
)
from fingerpost.sources.records import NoRecords, RecordSource
from fingerpost.web.entry_point import Handler, handler_for
from fingerpost.web.feed import FeedAnswers
from fingerpost.web.instance import Answers, Instance
from fingerpost.web.llms import LlmsAnswers
from fingerpost.web.pages import PageAnswers
from fingerpost.web.robots import RobotsAnswers
from fingerpost.web.sitemap import SitemapAnswers
from fingerpost.web.visitor import SessionReader
from fingerpost_tools.functions import ROUTES

REAL_SITES = Path(__file__).parents[2] / "shared" / "real-sites"
STORED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ORIGIN = "https://example.com"

_ANSWERS: Mapping[str, Callable[[Instance], Answers]] = {
    "sitemap": SitemapAnswers,
    "robots": RobotsAnswers,
    "feed": FeedAnswers,
    "llms": LlmsAnswers,
    "page": PageAnswers,
}


class MemoryStore:
    """A site's files in memory, behind S3's own protocol. `down` makes it unreachable; `reads` counts."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = {key: body.encode() if isinstance(body, str) else body for key, body in files.items()}
        self.modified: dict[str, datetime] = {}
        self.down = False
        self.reads: list[str] = []

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        self._ask()
        return {
            key: ObjectInfo(key, _etag(body), len(body), STORED)
            for key, body in sorted(self.files.items())
            if key.startswith(prefix)
        }

    def read(self, key: str) -> StoredObject:
        self._ask()
        self.reads.append(key)
        if key not in self.files:
            raise ObjectMissing(key)
        body = self.files[key]
        return StoredObject(key, body, _etag(body), STORED, self.modified.get(key))

    def read_if_changed(self, key: str, etag: str) -> StoredObject | None:
        stored = self.read(key)
        return None if stored.etag == etag else stored

    def read_many(self, keys: Iterable[str]) -> Mapping[str, StoredObject]:
        return {key: self.read(key) for key in keys if key in self.files}

    def read_listed(self, key: str, etag: str) -> bytes:
        stored = self.read(key)
        if stored.etag != etag:
            raise ObjectChanged(key)
        return stored.body

    def read_many_listed(self, etags: Mapping[str, str]) -> Mapping[str, bytes]:
        return {key: self.read_listed(key, etag) for key, etag in etags.items() if key in self.files}

    def _ask(self) -> None:
        if self.down:
            raise StoreUnavailable("memory: down")


def _etag(body: bytes) -> str:
    return hashlib.md5(body, usedforsecurity=False).hexdigest()


@dataclass
class Clock:
    """A time of day that a test moves."""

    seconds: float = STORED.timestamp()

    def __call__(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class Response:
    """What a client sees: status, lower-case headers, and the body as it was before compression."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Functions:
    """All functions of one site in this process, each with an instance of its own, as Lambda has them."""

    store: ObjectStore
    records: RecordSource = field(default_factory=NoRecords)
    base_url: str | None = ORIGIN
    environment: Mapping[str, str] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    sitemap_seconds: float = 60
    base: str = ""
    check_seconds: float = 0
    time_left: float | None = None  # what Lambda says when it calls (seconds)
    _handlers: dict[str, Handler] = field(default_factory=dict)

    def handler(self, path: str) -> Handler:
        """The handler of the function that the CDN asks for `path`."""
        below = path.removeprefix(self.base) if path.startswith(f"{self.base}/") else path
        return self.named(next((name for name, pattern in ROUTES if pattern.fullmatch(below)), "page"))

    def named(self, name: str) -> Handler:
        """The handler of the function with that name."""
        if name not in self._handlers:
            settings = Settings(
                directory="unused",
                base_url=self.base_url,
                sitemap_seconds=self.sitemap_seconds,
                check_seconds=self.check_seconds,
            )
            sessions = SessionReader.from_environment(self.environment, self.store)
            instance = Instance(settings, self.store, self.records, sessions, self.clock)
            self._handlers[name] = handler_for(_ANSWERS[name](instance).answer)
        return self._handlers[name]

    def get(
        self,
        path: str,
        accept: str | None = None,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        cookies: Iterable[str] = (),
        query: str = "",
    ) -> Response:
        """What a client gets for `path` (still encoded)."""
        sent = dict(headers or {})
        if accept is not None:
            sent["accept"] = accept
        event = make_event(path, method, sent, cookies, query)
        context = None if self.time_left is None else Context(self.time_left)
        return read_response(self.handler(path)(event, context))


@dataclass(frozen=True)
class Context:
    """Of Lambda's context object, how long the function may still take."""

    seconds: float

    def get_remaining_time_in_millis(self) -> int:
        return int(self.seconds * 1000)


def make_event(
    path: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    cookies: Iterable[str] = (),
    query: str = "",
) -> dict[str, Any]:
    """A function-URL event, payload 2.0."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "cookies": list(cookies),
        "headers": {"x-viewer-host": "viewer.example", **(headers or {})},
        "requestContext": {
            "domainName": "abc.lambda-url.eu-west-3.on.aws",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
        },
        "isBase64Encoded": False,
    }


def read_response(event: Mapping[str, Any]) -> Response:
    """A function's response as a client sees it."""
    body = base64.b64decode(event["body"]) if event.get("isBase64Encoded") else event.get("body", "").encode()
    headers = event.get("headers", {})
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    return Response(event["statusCode"], headers, body)


def site(app: str, **files: str | bytes) -> dict[str, str | bytes]:
    """A site's files: `app.yaml`, and others by key with `__` for `/` and a trailing `_md` for `.md`."""
    named = {
        key.replace("__", "/").removesuffix("_md") + (".md" if key.endswith("_md") else ""): body
        for key, body in files.items()
    }
    return {"app.yaml": app, **named}
