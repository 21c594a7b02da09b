"""S3 of one's own: moto's server in this process, holding a site's files and following their changes."""

import contextlib
import mimetypes
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fingerpost.catalogue.article_index import INDEX, write_index
from fingerpost.catalogue.articles import ArticleFile
from fingerpost.site.frontmatter import ArticleError, read_front_matter
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.objects import ObjectInfo, ObjectMissing, StoreUnavailable
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.dated_directory import DatedDirectory
from fingerpost_tools.terminal import complain

BUCKET: Final = "site"
HOST: Final = "127.0.0.1"
REGION: Final = "us-east-1"
POLL_SECONDS: Final = 0.5
# Looking at a very large site takes a while; most of the time belongs to whoever asks for its pages.
_REST: Final = 10

Changed = Callable[[frozenset[str]], None]


@dataclass(slots=True)
class EmbeddedS3:
    """A running store with one bucket, a mirror of `site`. `backend` is moto's memory of the bucket."""

    site: DirectoryStore
    endpoint: str
    backend: Any
    _mirrored: dict[str, ObjectInfo] = field(default_factory=dict)
    _articles: dict[str, ArticleFile] = field(default_factory=dict)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def environment(self) -> dict[str, str]:
        """What a process needs to find the site in the store."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "SITE_BUCKET": BUCKET,
            "SITE_PREFIX": "",
        }

    def put(self, key: str, body: bytes, modified: datetime) -> str:
        """Store an object as `publish` does, the file's modification time in its metadata; its ETag."""
        # Straight into moto's memory: through HTTP a thousand files take five seconds, and it is the
        # functions' reading, not this filling, that should go the way it goes in production.
        stored = self.backend.put_object(BUCKET, key, body)
        stored.set_metadata(
            {
                "Content-Type": mimetypes.guess_type(key)[0] or "application/octet-stream",
                "x-amz-meta-modified": modified.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )
        return str(stored.etag).strip('"')

    def put_aside(self, key: str, body: bytes) -> None:
        """Store an object that is no file of the site; the mirror leaves it alone."""
        self.put(key, body, datetime.now(UTC))

    def refresh(self) -> frozenset[str]:
        """Bring the bucket up to date with the directory, with the index of articles that `publish` would
        have written; the keys that changed, came or went.

        StoreUnavailable where a file can't be read; those before it are up to date.
        """
        files = self.site.list()
        touched = {key for key, info in files.items() if self._mirrored.get(key) != info}
        gone = self._mirrored.keys() - files.keys()
        for key in gone:
            self.backend.delete_object(BUCKET, key)
            self._articles.pop(key, None)
            del self._mirrored[key]
        for key in sorted(touched):
            # A file that is gone again since it was listed is settled at the next look.
            with contextlib.suppress(ObjectMissing):
                self._mirror(key, self.site.read(key).body, files[key])
        if touched or gone:
            self.put_aside(INDEX, write_index(self._articles.values()))
        return frozenset(touched | gone)

    def _mirror(self, key: str, body: bytes, info: ObjectInfo) -> None:
        etag = self.put(key, body, info.modified)
        self._mirrored[key] = info
        self._articles.pop(key, None)
        if key.lower().endswith(".md"):
            # One that can't be read is left out: the functions read it themselves, and say so.
            with contextlib.suppress(ArticleError):
                front, _ = read_front_matter(body, key)
                self._articles[key] = ArticleFile(key, etag, front, info.modified)

    def follow(self, changed: Changed) -> None:
        """Look for changes every half second until `stop`, and tell `changed` which keys they touched."""
        took = 0.0
        trouble = ""
        while not self._stopped.wait(max(POLL_SECONDS, took * _REST)):
            began = time.monotonic()
            try:
                keys = self.refresh()
            except StoreUnavailable as error:
                if str(error) != trouble:
                    complain(str(error))
                trouble = str(error)
                continue
            took = time.monotonic() - began
            trouble = ""
            if keys:
                changed(keys)

    def stop(self) -> None:
        self._stopped.set()


@contextlib.contextmanager
def running(root: Path, changed: Changed) -> Iterator[EmbeddedS3]:
    """A store filled from the site at `root` and kept up to date with it; `changed` hears of each change,
    in a thread of its own. CommandError where a file can't be read."""
    server, backend = _server()
    try:
        host, port = server.get_host_and_port()
        try:
            store = EmbeddedS3(DatedDirectory(root), f"http://{host}:{port}", backend)
            store.refresh()
        except StoreUnavailable as error:
            raise CommandError(str(error)) from error
        follower = threading.Thread(target=store.follow, args=(changed,), daemon=True, name="site-follower")
        follower.start()
        try:
            yield store
        finally:
            store.stop()
            follower.join()
    finally:
        server.stop()
        backend.reset()


def _server() -> tuple[Any, Any]:
    try:
        from moto.core.models import DEFAULT_ACCOUNT_ID
        from moto.moto_server.threaded_moto_server import ThreadedMotoServer
        from moto.s3.models import s3_backends
    except ImportError:
        raise CommandError(
            "the embedded S3 needs the extra `local` (pip install 'fingerpost[local]')"
        ) from None
    import logging

    # Each read of the functions would be a line on the terminal.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    # All interfaces is what it listens on unless told otherwise.
    server = ThreadedMotoServer(HOST, 0, verbose=False)
    server.start()
    backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    backend.reset()
    backend.create_bucket(BUCKET, REGION)
    return server, backend
