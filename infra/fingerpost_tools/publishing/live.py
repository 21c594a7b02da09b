"""What a bucket holds of a site: the publication that is live, or a plain tree, and the objects around it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from fingerpost.sources.objects import content_etag, is_listed
from fingerpost.sources.published import (
    CURRENT,
    OBJECTS,
    STATE,
    Manifest,
    ManifestError,
    PublishedFile,
    read_manifest,
)
from fingerpost.sources.s3 import S3Store
from fingerpost_tools.bucket import Bucket
from fingerpost_tools.command_error import CommandError

PUBLICATIONS: Final = f"{STATE}publications/"
# What S3 itself serves to the CDN, and so needs objects at their own names besides.
ASSETS: Final = "public/assets/"
# Where a site's files are. A bucket may hold other things.
_PLAIN: Final = ("config/", "content/", "public/")
_CONFIGURATION: Final = "app.yaml"


@dataclass(frozen=True, slots=True)
class Live:
    """The state of a bucket. `manifest` is the live publication, None where a plain tree or nothing is live;
    `pointer` is S3's ETag of it. `objects` and `assets` are S3's ETags by key."""

    bucket: Bucket
    manifest: Manifest | None
    pointer: str | None
    objects: Mapping[str, str]
    assets: Mapping[str, str]
    keys: frozenset[str]

    @property
    def files(self) -> Mapping[str, PublishedFile]:
        """The files of the live publication, without those of a plain tree."""
        return self.manifest.files if self.manifest is not None else {}

    def read(self, key: str) -> bytes:
        """A file of the live publication, b"" where it has none."""
        file = self.files.get(key)
        held = self.bucket.get(OBJECTS + file.etag) if file is not None else None
        return held.body if held is not None else b""

    def keep(self, key: str) -> tuple[PublishedFile, Callable[[], bytes]]:
        """One of `keys` as a file of the next publication, with its content."""
        if key in self.files:
            return self.files[key], lambda: self._lost(key)
        # A plain tree's: its object is not named after its content yet.
        found = S3Store(self.bucket.name, self.bucket.prefix, self.bucket.client).read(key)
        modified = found.modified.replace(microsecond=0) if found.modified is not None else None
        file = PublishedFile(
            content_etag(found.body), len(found.body), found.stored.replace(microsecond=0), modified
        )
        return file, lambda: found.body

    def _lost(self, key: str) -> bytes:
        raise CommandError(
            f"{key} is live and no longer in the site, and its content is gone from {self.bucket}{OBJECTS}: "
            "put the file back, or take it out with --delete"
        )


def look(bucket: Bucket) -> Live:
    """What `bucket` holds now."""
    current = bucket.get(CURRENT)
    manifest = None if current is None else manifest_of(bucket, CURRENT, current.body)
    assets = {key: listed.etag for key, listed in bucket.list(ASSETS).items() if is_listed(key)}
    if manifest is None:
        keys = {key for key in bucket.list("") if _is_plain(key)}
    else:
        keys = {key for key in manifest.files if not key.startswith(STATE)} | assets.keys()
    return Live(
        bucket=bucket,
        manifest=manifest,
        pointer=None if current is None else current.etag,
        objects={key: listed.etag for key, listed in bucket.list(OBJECTS).items()},
        assets=assets,
        keys=frozenset(keys),
    )


def manifest_of(bucket: Bucket, key: str, body: bytes) -> Manifest:
    """The manifest in an object of the bucket; CommandError where it is none."""
    try:
        return read_manifest(body)
    except ManifestError as error:
        raise CommandError(f"{bucket}{key}: {error}") from error


def _is_plain(key: str) -> bool:
    return is_listed(key) and (key == _CONFIGURATION or key.startswith(_PLAIN))
