"""A small site of every sort of file, and what a reader finds of it once it is published."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost.catalogue.publication import Publications
from fingerpost.sources.published import PublishedStore
from fingerpost.sources.s3 import S3Store

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUCKET = "sites"
PREFIX = "mine"

Publish = Callable[..., int]
Captured = pytest.CaptureFixture[str]
PUBLISHED = (
    "app.yaml",
    "config/guides.yaml",
    "content/grafting.md",
    "content/pruning.md",
    "public/.well-known/security.txt",
    "public/assets/app.3f2a9c1b.css",
    "public/assets/logo.svg",
)


def make_site(root: Path) -> Path:
    """The site at `root`."""
    for name, text in {
        "app.yaml": (
            "name: Orchard\ndeployment: {site: 'https://orchard.example'}\npages:\n"
            "  - {name: home, path: /, meta: {title: Orchard, description: Apples.}}\n"
            "  - $ref: ./config/guides.yaml\n"
        ),
        "config/guides.yaml": (
            "name: guides\npath: /guides/:path*\nmeta: {title: Guides, description: How to.}\n"
            "contentDir: {directory: content, slugFrom: filepath}\n"
        ),
        "content/pruning.md": "---\ntitle: Pruning\ndescription: When to cut.\n---\n\nIn winter.\n",
        "content/grafting.md": "---\ntitle: Grafting\ndescription: How to join.\n---\n\nIn spring.\n",
        "public/.well-known/security.txt": "Contact: mailto:a@orchard.example\n",
        "public/assets/app.3f2a9c1b.css": "body { color: green }\n",
        "public/assets/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
        "seed.sql": "SELECT 1;\n",
        ".env": "SECRET=1\n",
    }.items():
        write(root, name, text)
    return root


def write(root: Path, name: str, text: str, time: float = 1_700_000_000) -> None:
    """A file of a site, modified at `time`."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time, time))


def live(s3: "S3Client") -> dict[str, bytes]:
    """The site as a function reads it: every listed file with its bytes, through the real classes."""
    store = PublishedStore(S3Store(BUCKET, PREFIX, s3))
    publication = Publications(store).current()
    keys = [key for key in publication.listing if not key.startswith(".fingerpost/")]
    return {key: stored.body for key, stored in store.read_many(keys).items()}


def report(capsys: pytest.CaptureFixture[str]) -> Any:
    """The JSON that the last command wrote."""
    return json.loads(capsys.readouterr().out)


def stored(s3: "S3Client", prefix: str = "") -> list[str]:
    """Keys in the bucket below the site's prefix."""
    lines = s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{PREFIX}/{prefix}").get("Contents", [])
    return [line["Key"].removeprefix(f"{PREFIX}/") for line in lines]


def put(s3: "S3Client", key: str, body: str = "x", **metadata: str) -> None:
    s3.put_object(Bucket=BUCKET, Key=f"{PREFIX}/{key}", Body=body.encode(), Metadata=metadata)


def local(site: Path) -> dict[str, bytes]:
    return {key: (site / key).read_bytes() for key in PUBLISHED if (site / key).exists()}
