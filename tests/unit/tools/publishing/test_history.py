"""Dates out of real git repositories, made here."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost_tools.publishing.history import NoHistory, read_history
from tests.unit.tools.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def agrees(repository: Repository) -> None:
    """Every committed file has the time that git gives it when asked about that file alone."""
    files = repository.files()
    history = read_history(repository.root, files)
    assert {name: history.changed.get(name) for name in files} == {
        name: repository.last(name) for name in files
    }
    assert not history.shallow
    assert not history.own


def test_each_file_has_its_own_commit(repository: Repository) -> None:
    """A commit dates the files it changed and no other; the committer's time counts, in UTC."""
    repository.write("a.md", "1")
    repository.write("b é & ü.md", "1")
    repository.commit()
    repository.write("a.md", "2")
    repository.commit()
    repository.commit()  # an empty one
    agrees(repository)
    changed = read_history(repository.root, ["b é & ü.md"]).changed
    assert changed == {"b é & ü.md": datetime(2023, 12, 31, 19, 30, tzinfo=UTC)}


def test_renames_deletions_and_modes(repository: Repository) -> None:
    """A renamed file, one that was deleted and came back, and one whose mode changed agree with git."""
    for name in ("old.md", "gone.md", "mode.md"):
        repository.write(name, name)
    repository.commit()
    repository.git("mv", "old.md", "new.md")
    repository.commit()
    (repository.root / "gone.md").unlink()
    repository.commit()
    repository.write("gone.md", "gone.md")
    repository.commit()
    (repository.root / "mode.md").chmod(0o755)
    repository.commit()
    agrees(repository)


def test_merges_of_every_kind(repository: Repository) -> None:
    """A clean merge, one that throws a side away, one that changes a file itself, and an octopus: the file's
    commit is on the side whose content the merge has."""
    for name in ("both.md", "main.md", "side.md", "thrown.md", "kept.md", "evil.md"):
        repository.write(name, "\n".join("abcdefghij"))
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.write("side.md", "side")
    repository.write("both.md", "A\n" + "\n".join("bcdefghij"))
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("main.md", "main")
    repository.write("both.md", "\n".join("abcdefghi") + "\nJ")
    repository.commit()
    repository.hours += 1
    repository.git("merge", "-q", "-m", "clean", "side")
    agrees(repository)

    repository.git("checkout", "-q", "-b", "thrown")
    repository.write("thrown.md", "never")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("kept.md", "kept")
    repository.commit()
    repository.hours += 1
    repository.git("merge", "-q", "-s", "ours", "-m", "ours", "thrown")
    agrees(repository)

    repository.git("checkout", "-q", "-b", "evil")
    repository.write("new.md", "new")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("main.md", "main again")
    repository.commit()
    repository.hours += 1
    repository.git("merge", "-q", "--no-commit", "evil")
    repository.write("evil.md", "in the merge alone")
    repository.commit()
    agrees(repository)

    branches = ["one", "two", "three"]
    for branch in branches:
        repository.git("checkout", "-q", "-b", branch, "main")
        repository.write(f"{branch}.md", branch)
        repository.commit()
    repository.git("checkout", "-q", "main")
    repository.hours += 1
    repository.git("merge", "-q", "-m", "octopus", *branches)
    agrees(repository)


@pytest.mark.parametrize("seed", range(4))
def test_any_history(repository: Repository, seed: int) -> None:
    """Histories with branches, merges, renames and deletions at random agree with git, file by file."""
    chance = random.Random(seed)
    repository.write("start.md", "start")
    repository.commit()
    for step in range(40):
        tracked = repository.files()
        action = chance.randrange(10)
        if action < 4:
            repository.write(f"f{chance.randrange(12)}.md", str(chance.randrange(3)))
            repository.commit()
        elif action == 4 and len(tracked) > 1:
            repository.git("rm", "-q", chance.choice(tracked))
            repository.commit()
        elif action == 5:
            repository.git("mv", chance.choice(tracked), f"moved{step}.md")
            repository.commit()
        elif action < 8:
            origin = f"HEAD~{chance.randrange(2)}" if step > 9 else "HEAD"
            repository.git("checkout", "-q", "-b", f"b{step}", origin)
        else:
            branch = chance.choice(repository.git("branch", "--format=%(refname:short)").split())
            how = chance.choice([("-s", "ours"), ("-X", "ours"), ("-X", "theirs")])
            repository.hours += 1
            repository.merge(branch, how)
    agrees(repository)


def test_a_site_in_a_folder_of_the_repository(repository: Repository) -> None:
    """The site may be a folder of the repository; paths are relative to it, and what else is there is not
    looked at."""
    repository.write("site/content/a.md", "1")
    repository.write("other/a.md", "1")
    repository.commit()
    repository.write("other/a.md", "2")
    repository.commit()
    history = read_history(repository.root / "site", ["content/a.md"])
    assert history.changed == {"content/a.md": repository.last("site/content/a.md")}


def test_what_is_not_committed_has_no_commit(repository: Repository) -> None:
    """Changed, staged, new and ignored files are the owner's own, and the revision says there are some."""
    for name in ("clean.md", "changed.md", "staged.md", "untracked.md"):
        repository.write(name, "1")
    repository.write(".gitignore", "ignored.md\n")
    repository.commit()
    head = repository.git("rev-parse", "HEAD").strip()
    assert read_history(repository.root, ["clean.md"]).revision == head
    repository.git("rm", "-q", "--cached", "untracked.md")
    repository.git("commit", "-q", "-m", "x")
    head = repository.git("rev-parse", "HEAD").strip()
    for name in ("changed.md", "staged.md", "new.md", "ignored.md"):
        repository.write(name, "2")
    repository.git("add", "staged.md")
    files = ["clean.md", "changed.md", "staged.md", "new.md", "ignored.md", "untracked.md"]
    history = read_history(repository.root, files)
    assert history.own == {"changed.md", "staged.md", "new.md", "ignored.md", "untracked.md"}
    assert list(history.changed) == ["clean.md"]
    assert history.revision == f"{head}+"


@pytest.mark.parametrize("depth", [1, 3])
def test_a_shallow_clone_dates_nothing_with_its_edge(
    repository: Repository, tmp_path: Path, depth: int
) -> None:
    """In a shallow clone a file has a date only where its commit is certainly the last one that changed it
    (case 77)."""
    for number in range(5):
        repository.write(f"{number}.md", "x")
        repository.commit()
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", str(depth), f"file://{repository.root}", str(clone))
    files = repository.files()
    history = read_history(clone, files)
    assert history.shallow
    certain = [f"{number}.md" for number in range(5 - (depth - 1), 5)]
    assert history.changed == {name: repository.last(name) for name in certain}


def test_the_edge_of_a_shallow_clone_with_merges(repository: Repository, tmp_path: Path) -> None:
    """A file whose last commit lies beyond the edge on a merged branch has no date; one before it has."""
    repository.write("old.md", "1")
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.write("side.md", "1")
    repository.commit()
    repository.write("late.md", "1")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("main.md", "1")
    repository.commit()
    repository.hours += 1
    repository.git("merge", "-q", "-m", "m", "side")
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", "2", f"file://{repository.root}", str(clone))
    assert read_history(clone, repository.files()).changed == {}
    deeper = tmp_path / "deeper"
    repository.git("clone", "-q", "--depth", "3", f"file://{repository.root}", str(deeper))
    assert read_history(deeper, repository.files()).changed == {
        "late.md": repository.last("late.md"),
        "main.md": repository.last("main.md"),
    }


def test_a_directory_without_history_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No repository, none with a commit, and no git each end in one sentence."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(NoHistory, match="not a git repository"):
        read_history(tmp_path, [])
    empty = Repository(tmp_path / "empty")
    with pytest.raises(NoHistory, match="single revision"):
        read_history(empty.root, [])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoHistory, match="git is not installed"):
        read_history(tmp_path, [])


def test_a_hooks_environment_does_not_lead_elsewhere(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a hook git's own variables name the repository that was pushed to, which is not the site's."""
    repository.write("a.md", "1")
    repository.commit()
    other = Repository(tmp_path / "other")
    other.hours = 9
    other.write("a.md", "1")
    other.commit()
    expected = repository.last("a.md")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    assert read_history(repository.root, ["a.md"]).changed == {"a.md": expected}
