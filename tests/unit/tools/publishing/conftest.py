"""A site to publish, and the bucket it goes to."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost_tools.main import main
from tests.unit.tools.publishing.sites import BUCKET, PREFIX, Publish, make_site

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small site of every sort of file, outside any repository."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return make_site(tmp_path / "site")


@pytest.fixture
def publish(s3: "S3Client", site: Path, capsys: pytest.CaptureFixture[str]) -> Publish:
    """Runs `fingerpost publish` on the site; its exit code."""

    def run(*options: str, site_too: bool = True) -> int:
        named = [str(site)] if site_too else []
        return main(["publish", *named, "--bucket", BUCKET, "--prefix", PREFIX, *options])

    return run


@pytest.fixture
def writes(s3: "S3Client", monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys that are written, copied or removed, as they are."""
    import botocore.client

    seen: list[str] = []
    real = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]

    def call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        if operation in ("PutObject", "CopyObject", "DeleteObject"):
            seen.append(arguments["Key"])
        elif operation == "DeleteObjects":
            seen.extend(each["Key"] for each in arguments["Delete"]["Objects"])
        return real(client, operation, arguments)

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)
    return seen
