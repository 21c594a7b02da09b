"""A built site in S3: what changed is put, what is gone is deleted, and the sitemap comes last of all.

Unchanged is what has the same MD5 as the object's ETag. Objects encrypted with a KMS key have another ETag,
and are put each time. The build's mark is put as well: it tells a site that a build may replace from other
objects, and its content tells whether the objects there have the headers of this version.
"""

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from fingerpost.sources.directory import BUILD_MARK
from fingerpost.web.answer import RSS
from fingerpost.web.own_files import content_type_of, has_hashed_name
from fingerpost.web.policy import Policy
from fingerpost_tools.bucket import Bucket, in_parallel
from fingerpost_tools.building.documents import FEED, NOT_FOUND_FILE, SITEMAP
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.progress import Progress

_SITEMAPS: Final = re.compile(r"sitemap(-[0-9]+)?\.xml")
_DOCUMENTS: Final = re.compile(r"robots\.txt|feed\.xml|llms[^/]*\.txt|agent-readability\.json")
# What stands at the mark's place until everything is there.
_UNFINISHED: Final = b"{}\n"


class Target(NamedTuple):
    """A bucket, and the prefix of its keys, "" or ending in `/`."""

    bucket: str
    prefix: str


@dataclass(slots=True)
class Uploaded:
    """What an upload did: objects put, with their bytes, objects that were as they should be, and deleted."""

    put: int = 0
    size: int = 0
    unchanged: int = 0
    deleted: int = 0


def target_of(text: str) -> Target:
    """`s3://bucket/prefix`, the prefix optional. CommandError where it is something else."""
    found = re.fullmatch(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(/.*)?", text)
    if found is None:
        raise CommandError(f"--to: expected s3://BUCKET or s3://BUCKET/PREFIX, found {text}")
    segments = [segment for segment in (found[2] or "").split("/") if segment]
    return Target(found[1], "".join(f"{segment}/" for segment in segments))


class Headers(NamedTuple):
    """What an object is answered with."""

    content_type: str
    cache_control: str


def headers_of(file: str, *, owned: bool) -> Headers:
    """The media type and caching of a file as the functions answer it. A name with a content hash is one only
    where its owner's tools made it (`owned`)."""
    if file == NOT_FOUND_FILE:
        policy = Policy.PRIVATE
    elif _SITEMAPS.fullmatch(file):
        policy = Policy.SITEMAP
    elif _DOCUMENTS.fullmatch(file):
        policy = Policy.DOCUMENT
    else:
        policy = Policy.HASHED if owned and has_hashed_name(file.rpartition("/")[2]) else Policy.PAGE
    kind = RSS if file == FEED else content_type_of(file)
    return Headers(kind, policy.cache_control())


def upload(
    folder: Path, target: Target, owned: frozenset[str], progress: Progress, *, force: bool
) -> Uploaded:
    """Make the objects below `target` the files below `folder`, of which `owned` are the site owner's.

    CommandError where S3 can't do it, or where objects are there that no build put (`force` deletes them).
    """
    bucket = Bucket(target.bucket, target.prefix)
    try:
        return _Upload(bucket, folder, owned, progress).run(force=force)
    except OSError as error:
        raise CommandError(f"--to {bucket}: {error}") from error


class _Upload:
    def __init__(self, bucket: Bucket, folder: Path, owned: frozenset[str], progress: Progress) -> None:
        self._bucket = bucket
        self._folder = folder
        self._owned = owned
        self._progress = progress
        self._done = Uploaded()

    def run(self, *, force: bool) -> Uploaded:
        there = {file: listed.etag.strip('"') for file, listed in self._bucket.list().items()}
        if there and BUILD_MARK not in there and not force:
            raise CommandError(
                f"--to {self._bucket} holds {len(there)} objects that no build put there, {min(there)} among "
                "them: name an empty prefix, or give --force to delete them"
            )
        files = sorted(_files(self._folder))
        finished = there.get(BUILD_MARK) == _md5(self._folder / BUILD_MARK)
        if not finished:
            self._put(BUILD_MARK, _UNFINISHED)
        self._progress.begin("uploading", len(files))
        known = there if finished else {}
        self._put_all([file for file in files if file not in (BUILD_MARK, SITEMAP)], known)
        self._delete(there.keys() - files)
        for file in (BUILD_MARK, SITEMAP):
            if file in files:
                self._put_all([file], known)
        self._progress.end()
        return self._done

    def _put_all(self, files: Collection[str], known: Mapping[str, str]) -> None:
        for size in in_parallel(lambda file: self._put_changed(file, known.get(file)), files):
            self._count(size)

    def _put_changed(self, file: str, etag: str | None) -> int | None:
        """Put a file unless `etag` is that of its content; the bytes sent, None for nothing."""
        path = self._folder / file
        if etag is not None and etag == _md5(path):
            return None
        with path.open("rb") as body:
            self._put(file, body)
        return path.stat().st_size

    def _count(self, size: int | None) -> None:
        if size is None:
            self._done.unchanged += 1
        else:
            self._done.put += 1
            self._done.size += size
        self._progress.advance(1)

    def _put(self, file: str, body: BinaryIO | bytes) -> None:
        headers = headers_of(file, owned=file in self._owned)
        self._bucket.put(file, body, headers.content_type, headers.cache_control)

    def _delete(self, files: Collection[str]) -> None:
        self._bucket.delete(files)
        self._done.deleted += len(files)


def _files(folder: Path) -> Iterator[str]:
    """The files below `folder`, relative, `/` between segments."""
    for path, _, names in os.walk(folder):
        relative = os.path.relpath(path, folder)
        prefix = "" if relative == "." else f"{relative}/".replace(os.sep, "/")
        yield from (prefix + name for name in names)


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, _new_md5).hexdigest()


def _new_md5() -> "hashlib._Hash":
    # For comparison with an ETag, on systems too that allow no MD5 for security.
    return hashlib.md5(usedforsecurity=False)
