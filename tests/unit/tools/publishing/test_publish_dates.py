"""The dates that articles are published with."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from fingerpost.catalogue.publication import Publications
from fingerpost.sources.published import PublishedStore
from fingerpost.sources.s3 import S3Store
from fingerpost_tools.main import main
from tests.unit.tools.publishing.sites import BUCKET, PREFIX, Captured, Publish, report, write

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def test_articles_carry_the_time_of_their_file(publish: Publish, s3: "S3Client") -> None:
    """Without git the file's own time is the article's lastmod, not the time of upload."""
    publish()
    publication = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current()
    assert publication.articles["content/pruning.md"].modified == datetime.fromtimestamp(1_700_000_000, UTC)


def test_articles_carry_the_time_of_their_commit(
    publish: Publish, site: Path, s3: "S3Client", capsys: Captured
) -> None:
    """In a repository lastmod is what `git log -1` says of the file; a later commit of the same content dates
    it anew."""
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        identity |= {f"GIT_{role}_NAME": "n", f"GIT_{role}_EMAIL": "n@e.example"}

    def git(*arguments: str, date: str) -> str:
        environment = {**os.environ, **identity, "GIT_COMMITTER_DATE": date}
        return subprocess.run(
            ("git", *arguments), cwd=site, env=environment, check=True, capture_output=True, text=True
        ).stdout

    def lastmod(key: str) -> datetime:
        return Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current().articles[key].modified

    publish()
    git("init", "-q", date="")
    git("add", "content/pruning.md", date="")
    git("commit", "-q", "-m", "x", date="2024-05-06T07:08:09+02:00")
    capsys.readouterr()
    assert publish("--json") == 0
    assert report(capsys)["redated"] == ["content/pruning.md"]
    said = git("log", "-1", "--format=%cI", "--", "content/pruning.md", date="")
    assert lastmod("content/pruning.md") == datetime.fromisoformat(said.strip())
    assert lastmod("content/grafting.md") == datetime.fromtimestamp(1_700_000_000, UTC)


def test_a_shallow_clone_keeps_what_was_recorded(
    publish: Publish, site: Path, s3: "S3Client", tmp_path: Path, capsys: Captured
) -> None:
    """Published from a shallow clone, articles keep their recorded dates, a new one gets none but the moment
    of publication, and that is said (case 77)."""
    publish()
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@e.example"]
    write(site, "content/new.md", "# New\n")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-q", "-m", "1"],
        ["commit", "-q", "--allow-empty", "-m", "2"],
    ):
        subprocess.run([*git, *command], cwd=site, check=True)
    clone = tmp_path / "clone"
    subprocess.run([*git, "clone", "-q", "--depth", "1", f"file://{site}", str(clone)], check=True)
    capsys.readouterr()
    began = datetime.now(UTC).replace(microsecond=0)
    assert main(["publish", str(clone), "--bucket", BUCKET, "--prefix", PREFIX]) == 0
    assert "this clone is shallow" in capsys.readouterr().err
    articles = Publications(PublishedStore(S3Store(BUCKET, PREFIX, s3))).current().articles
    assert articles["content/pruning.md"].modified == datetime.fromtimestamp(1_700_000_000, UTC)
    assert articles["content/new.md"].modified >= began


def test_other_times_alone_change_nothing(publish: Publish, site: Path, writes: list[str]) -> None:
    """A checkout elsewhere gives every file another time: what is recorded for the same content stays."""
    assert publish() == 0
    writes.clear()
    for path in site.rglob("*.md"):
        os.utime(path, (1_800_000_000, 1_800_000_000))
    assert publish() == 0
    assert writes == []
