"""What stops a publication: the site before it stays as it was, and one line says why."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingerpost_tools.main import main
from fingerpost_tools.publishing.lock import LOCK
from tests.unit.tools.publishing.sites import BUCKET, Captured, Publish, live, local, stored, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def test_errors_of_the_site_stop_it(
    publish: Publish, site: Path, writes: list[str], capsys: Captured
) -> None:
    """A site with errors is not published: exit code 1, each error with its place, nothing written. Warnings
    do not stop it."""
    write(site, "content/broken.md", "---\ntitle: [\n---\n")
    assert publish() == 1
    assert "content/broken.md:" in capsys.readouterr().err
    write(site, "content/broken.md", "# Fine\n")
    write(site, "app.yaml", "pages: []\n")
    assert publish() == 1
    assert "expected `name`" in capsys.readouterr().err
    assert writes == []
    write(site, "app.yaml", "name: x\nlanguage: en\npages: []\n")
    assert publish() == 0
    assert "1 warning" in capsys.readouterr().err


def test_most_of_a_site_does_not_go_by_accident(
    publish: Publish, site: Path, s3: "S3Client", writes: list[str], capsys: Captured
) -> None:
    """--delete refuses to take away more than half of what is live, before anything is written; --force
    means it."""
    publish()
    for name in (
        "content/pruning.md",
        "public/assets/logo.svg",
        "public/assets/app.3f2a9c1b.css",
        "public/.well-known/security.txt",
    ):
        (site / name).unlink()
    before, writes[:] = live(s3), []
    capsys.readouterr()
    assert publish("--delete") == 2
    assert "--delete would take away 4 of the 7 files" in capsys.readouterr().err
    assert writes == []
    assert live(s3) == before
    assert publish("--delete", "--force") == 0
    assert live(s3) == local(site)


def test_a_file_that_changes_meanwhile_stops_it(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """What was checked is what is published: a file that changes while the rest is sent ends the command, and
    the old site stays."""
    from fingerpost_tools.publishing import lock

    publish()
    before = live(s3)
    write(site, "content/pruning.md", "# Checked\n")
    acquire = lock._acquire

    def slow(*arguments: Any) -> str:
        write(site, "content/pruning.md", "# Not checked\n", 1_700_000_001)
        return acquire(*arguments)

    monkeypatch.setattr(lock, "_acquire", slow)
    assert publish() == 2
    assert "content/pruning.md was changed while the site was published" in capsys.readouterr().err
    assert live(s3) == before
    assert LOCK not in stored(s3)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("AccessDenied", "access denied: these credentials need s3:ListBucket there"),
        ("ExpiredToken", "ExpiredToken"),
    ],
)
def test_a_refusal_is_one_line(
    publish: Publish, monkeypatch: pytest.MonkeyPatch, capsys: Captured, code: str, said: str
) -> None:
    """No permission and an expired login each are one line and exit code 2."""
    import botocore.client
    from botocore.exceptions import ClientError

    real = botocore.client.BaseClient._make_api_call  # type: ignore[attr-defined]

    def call(client: Any, operation: str, arguments: dict[str, Any]) -> Any:
        if operation == "ListObjectsV2":
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, operation)
        return real(client, operation, arguments)

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)
    assert publish() == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_wrong_arguments_are_one_line(publish: Publish, site: Path, tmp_path: Path, capsys: Captured) -> None:
    """A site that is none, a bucket that is none, and a prefix that leaves it."""
    for arguments, said in (
        ([str(tmp_path / "none"), "--bucket", BUCKET], "there is no such directory"),
        ([str(tmp_path), "--bucket", BUCKET], "holds no app.yaml"),
        (["--bucket", BUCKET], "which site?"),
        ([str(site), "--bucket", "nowhere"], "no bucket nowhere"),
        ([str(site), "--bucket", "no/bucket"], "no bucket can have that name"),
        ([str(site), "--bucket", f"s3://{BUCKET}"], "--bucket: expected a bucket's name alone"),
        ([str(site), "--bucket", BUCKET, "--prefix", "a/../b"], "--prefix: expected a path"),
    ):
        assert main(["publish", *arguments]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1


def test_no_network_is_one_line(site: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint that nobody listens on ends the command with one line."""
    import boto3

    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it remembers the endpoint
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    assert main(["publish", str(site), "--bucket", BUCKET]) == 2
    err = capsys.readouterr().err
    assert "S3 can't be reached" in err
    assert err.count("\n") == 1


def test_ctrl_c_leaves_the_old_site_and_no_lock(
    publish: Publish, site: Path, s3: "S3Client", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted among the uploads: exit code 130, the old site is live, and the next publisher need not
    wait."""
    from fingerpost_tools.publishing import transfer

    publish()
    before = live(s3)
    write(site, "content/pruning.md", "# Other\n")

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(transfer, "switch", interrupted)
    assert publish() == 130
    assert live(s3) == before
    assert LOCK not in stored(s3)
