"""Which of several dates an article is published with."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.published import PublishedFile
from fingerpost_tools.publishing.dating import Dates, date_articles

GIT = datetime(2024, 1, 1, tzinfo=UTC)
RECORDED = datetime(2024, 2, 2, tzinfo=UTC)
OWN = datetime(2024, 3, 3, tzinfo=UTC)


def published(etag: str, modified: datetime | None = RECORDED) -> PublishedFile:
    return PublishedFile(etag, 1, RECORDED, modified)


@pytest.mark.parametrize(
    ("committed", "own", "before", "expected"),
    [
        (GIT, OWN, published("same"), GIT),
        (None, OWN, published("same"), RECORDED),
        (None, OWN, published("other"), OWN),
        (None, OWN, published("same", None), OWN),
        (None, OWN, None, OWN),
        (None, None, published("same"), RECORDED),
        (None, None, published("other"), None),
        (None, None, None, None),
    ],
)
def test_the_surest_date_wins(
    committed: datetime | None, own: datetime | None, before: PublishedFile | None, expected: datetime | None
) -> None:
    """git's date, else the one recorded for the same content, else the file's own, else none."""
    dates = Dates({"a": committed} if committed else {}, {"a": own} if own else {})
    assert dates.of("a", "same", before) == expected


def test_without_git_a_file_has_its_own_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside any repository the file's time counts, to the second, and there is nothing to warn of."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "a.md").write_text("a")
    os.utime(tmp_path / "a.md", (OWN.timestamp() + 0.5, OWN.timestamp() + 0.5))
    dates = date_articles(tmp_path, DirectoryStore(tmp_path).list(), ["a.md"])
    assert dates == Dates({}, {"a.md": OWN})


def test_a_repository_that_git_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is a repository and git can't be asked, the files' own dates are used and that is said."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.md").write_text("a")
    monkeypatch.setenv("PATH", str(tmp_path))
    dates = date_articles(tmp_path, DirectoryStore(tmp_path).list(), ["a.md"])
    assert list(dates.files) == ["a.md"]
    assert "git is not installed" in dates.warnings[0]
