"""A site's directory with git's dates: what `serve`, `build`, `check` and `explain` read."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost_tools.dated_directory import DatedDirectory
from fingerpost_tools.main import main
from tests.unit.tools.repository import Repository

SITE = """\
name: Acme
pages:
- {name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath}}
"""
CHECKOUT = datetime(2026, 5, 5, tzinfo=UTC)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A site with two articles of two commits, whose files bear the time of a checkout."""
    made = Repository(tmp_path / "site")
    made.write("app.yaml", SITE)
    made.write("content/a.md", "# A")
    made.commit()
    made.write("content/b.md", "# B")
    made.commit()
    for file in made.files():
        os.utime(made.root / file, (CHECKOUT.timestamp(),) * 2)
    return made


def test_an_article_has_the_time_of_its_last_commit(repository: Repository) -> None:
    """Listing and reading say when the last commit changed each article."""
    store = DatedDirectory(repository.root)
    listing = store.list()
    for name in ("content/a.md", "content/b.md"):
        assert listing[name].modified == store.read(name).modified == repository.last(name)
    assert listing["content/a.md"].modified != listing["content/b.md"].modified


def test_what_is_edited_has_its_own_time(repository: Repository) -> None:
    """An article that differs from the commit, at the start or later, is dated by its file."""
    repository.write("content/a.md", "# A, edited")
    os.utime(repository.root / "content/a.md", (CHECKOUT.timestamp(),) * 2)
    store = DatedDirectory(repository.root)
    assert store.list()["content/a.md"].modified == CHECKOUT
    repository.write("content/b.md", "# B, edited later")
    os.utime(repository.root / "content/b.md", (CHECKOUT.timestamp() + 9,) * 2)
    assert store.read("content/b.md").modified == datetime.fromtimestamp(CHECKOUT.timestamp() + 9, UTC)


def test_without_git_the_files_own_times_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside any repository a directory is as it always was, and there is nothing to warn of."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "a.md").write_text("a")
    os.utime(tmp_path / "a.md", (CHECKOUT.timestamp(),) * 2)
    store = DatedDirectory(tmp_path)
    assert store.list()["a.md"].modified == store.read("a.md").modified == CHECKOUT
    assert store.warnings == ()


def test_a_build_dates_articles_by_their_commits(repository: Repository, tmp_path: Path) -> None:
    """case 77: a built sitemap says when content changed, whatever the checkout did to the files."""
    out = tmp_path / "out"
    assert main(["build", str(repository.root), "--out", str(out), "--base-url", "https://x.example"]) == 0
    sitemap = (out / "sitemap.xml").read_text("utf-8")
    for name in ("a", "b"):
        moment = repository.last(f"content/{name}.md").astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        assert f"<loc>https://x.example/docs/{name}</loc><lastmod>{moment}</lastmod>" in sitemap.replace(
            "\n", ""
        ).replace(" ", "")


def test_a_shallow_clone_is_told(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """case 77: a shallow clone's dates are not taken for git's, and the command says so."""
    clone = tmp_path / "clone"
    subprocess.run(("git", "clone", "-q", "--depth", "1", repository.root.as_uri(), str(clone)), check=True)
    assert main(["explain", str(clone), "/docs/a"]) == 0
    said = capsys.readouterr()
    assert "this clone is shallow" in said.err
    assert "the file's own time" in said.out
