"""The owner's own files: what stands in `public/` wins over anything derived (SPEC section 2)."""

import re
from typing import Final

from fingerpost.catalogue.publication import Publication
from fingerpost.sources.objects import ObjectMissing
from fingerpost.web.answer import Answer
from fingerpost.web.instance import Instance
from fingerpost.web.policy import Policy

_TYPES: Final = {
    "atom": "application/atom+xml",
    "avif": "image/avif",
    "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "gif": "image/gif",
    "gz": "application/gzip",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "map": "application/json; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "otf": "font/otf",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xml": "application/xml; charset=utf-8",
    "zip": "application/zip",
}
_UNKNOWN: Final = "application/octet-stream"
# Build tools put a content hash into a name: eight or more hexadecimal digits (`app.3f2a9c1b.css`), or eight
# characters of base64url (`index-BqXk91_z.js`). A date, a number behind a word and a word itself are none.
_HASHED = re.compile(
    r"[.-](?:(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,64}"
    r"|(?=\w*[a-z])(?=\w*[A-Z])(?=\w*[0-9]\w*[A-Za-z_])\w{8})\.[A-Za-z0-9]+\Z",
    re.ASCII,
)


def content_type_of(name: str) -> str:
    """The media type of a file by its name, the same on every machine."""
    return _TYPES.get(name.rpartition(".")[2].lower() if "." in name else "", _UNKNOWN)


def has_hashed_name(name: str) -> bool:
    """Whether the name changes with the content, so that a copy of it stays good."""
    return _HASHED.search(name) is not None


def own_file(
    instance: Instance, publication: Publication, path: str, content_type: str | None = None
) -> tuple[bytes, str] | None:
    """The owner's file for a site path without leading slash: its bytes and media type, None without one."""
    key = publication.public_file(path)
    if key is None:
        return None
    try:
        body = instance.bodies.get(key, publication.listing[key].etag)
    except ObjectMissing:  # removed between the listing and now
        return None
    return body, content_type or content_type_of(key)


def asset(instance: Instance, publication: Publication, segments: tuple[str, ...]) -> Answer | None:
    """A file below `public/` at its own path: five minutes, or a year where its name changes with it."""
    if not segments or any("/" in segment for segment in segments):
        return None
    found = own_file(instance, publication, "/".join(segments))
    if found is None:
        return None
    policy = Policy.HASHED if has_hashed_name(segments[-1]) else Policy.PAGE
    return Answer(200, found[0], found[1], policy)
