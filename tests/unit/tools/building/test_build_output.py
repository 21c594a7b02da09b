"""The output directory: replaced in one step, whole or not at all, by one build at a time."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from fingerpost.sources.directory import BUILD_MARK
from fingerpost_tools.building import output
from fingerpost_tools.building.exchange import exchange
from fingerpost_tools.building.output import replacing
from fingerpost_tools.command_error import CommandError


def _tree(folder: Path) -> Mapping[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def _build(target: Path, body: str, *, force: bool = False) -> None:
    with replacing(target, force=force) as made:
        (made.folder / "index.html").write_text(body, encoding="utf-8")
        (made.folder / BUILD_MARK).write_text("{}", encoding="utf-8")
        made.publish()


@pytest.fixture(params=["exchanged", "renamed"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of putting an output in place: in one step, and on a file system that can't do that."""
    if request.param == "renamed":
        monkeypatch.setattr(output, "exchange", lambda one, other: False)
    return str(request.param)


@pytest.mark.usefixtures("way")
def test_a_new_output_replaces_the_old(tmp_path: Path) -> None:
    """Files of the last build that the new one has not are gone, and nothing else is left beside it."""
    target = tmp_path / "dist"
    _build(target, "first")
    (target / "gone.html").write_text("x", encoding="utf-8")
    _build(target, "second")
    assert _tree(target) == {"index.html": "second", BUILD_MARK: "{}"}
    assert os.listdir(tmp_path) == ["dist"]


def test_the_last_build_is_the_previous_one(tmp_path: Path) -> None:
    """A build is told where the last one's files are; an empty directory has none, and keeps its mode."""
    target = tmp_path / "dist"
    target.mkdir(mode=0o750)
    with replacing(target, force=False) as made:
        assert made.previous is None
    _build(target, "first")
    assert target.stat().st_mode & 0o777 == 0o750
    with replacing(target, force=False) as made:
        assert made.previous == target


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failed_build_changes_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    """Whatever ends a build before it is published, the old output is as it was, with nothing beside it."""
    target = tmp_path / "dist"
    _build(target, "first")

    def fail() -> None:
        with replacing(target, force=False) as made:
            (made.folder / "index.html").write_text("half", encoding="utf-8")
            raise error

    with pytest.raises(error):
        fail()
    assert _tree(target) == {"index.html": "first", BUILD_MARK: "{}"}
    assert os.listdir(tmp_path) == ["dist"]


def test_an_interruption_between_the_renames_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where two renames are needed, and the second does not happen, the old output is put back."""
    target = tmp_path / "dist"
    _build(target, "first")
    monkeypatch.setattr(output, "exchange", lambda one, other: False)
    rename = Path.rename

    def interrupted(self: Path, to: Path) -> Path:
        if to == target and not self.name.endswith("old"):
            raise KeyboardInterrupt
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _build(target, "second")
    assert _tree(target) == {"index.html": "first", BUILD_MARK: "{}"}
    assert os.listdir(tmp_path) == ["dist"]


def test_a_build_that_died_between_the_renames_is_recovered(tmp_path: Path) -> None:
    """The next build finds the old output under its other name, and puts it back before anything else."""
    target = tmp_path / "dist"
    _build(target, "first")
    target.rename(tmp_path / ".dist.fingerpost-old")
    (tmp_path / ".dist.fingerpost-4711").mkdir()
    (tmp_path / ".dist.fingerpost-4711" / "half.html").write_text("x", encoding="utf-8")
    (tmp_path / ".other.fingerpost-4711").mkdir()
    with replacing(target, force=False) as made:
        assert made.previous == target
        assert _tree(target) == {"index.html": "first", BUILD_MARK: "{}"}
    assert sorted(os.listdir(tmp_path)) == [".other.fingerpost-4711", "dist"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["notes.txt"], r"holds notes\.txt, which no build wrote"),
        (["a", "b", "c", "d", "e"], "holds a, b, c and 2 more, which no build wrote"),
        ([BUILD_MARK, ".git"], r"holds a repository \(\.git\)"),
    ],
)
def test_what_no_build_wrote_is_not_replaced(tmp_path: Path, files: list[str], message: str) -> None:
    """A directory with somebody's files, or a repository, is refused as it is; `--force` replaces it."""
    target = tmp_path / "dist"
    target.mkdir()
    for name in files:
        (target / name).write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match=message):
        _build(target, "first")
    assert sorted(os.listdir(target)) == sorted(files)
    assert os.listdir(tmp_path) == ["dist"]
    _build(target, "forced", force=True)
    assert _tree(target) == {"index.html": "forced", BUILD_MARK: "{}"}


def test_places_that_can_not_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, a mount point and a directory in a place that is not there are each told by name."""
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(CommandError, match="expected a directory, found a file"):
        _build(file, "x", force=True)
    with pytest.raises(CommandError, match=r"expected .*nowhere to be a directory, found none"):
        _build(tmp_path / "nowhere" / "dist", "x")
    mount = tmp_path / "mount"
    mount.mkdir()
    monkeypatch.setattr("os.path.ismount", lambda path: path == mount)
    with pytest.raises(CommandError, match="is a mount point"):
        _build(mount, "x")


def test_a_link_to_the_output_stays_a_link(tmp_path: Path) -> None:
    """Where DIR is a symbolic link, the directory that it leads to is replaced."""
    target, link = tmp_path / "releases", tmp_path / "current"
    target.mkdir()
    link.symlink_to(target)
    _build(link, "first")
    assert link.is_symlink()
    assert _tree(target) == {"index.html": "first", BUILD_MARK: "{}"}


_HOLDER = """
import sys, time
from pathlib import Path
from fingerpost_tools.building.output import replacing
with replacing(Path(sys.argv[1]), force=False) as made:
    (made.folder / "half.html").write_text("x")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_two_builds_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one build is at a directory another is refused; once it was killed, the next one cleans up."""
    monkeypatch.setattr(output, "_LOCK_SECONDS", 0.2)
    target = tmp_path / "dist"
    _build(target, "first")
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(target)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        with pytest.raises(CommandError, match=r"another build is writing .*dist"):
            _build(target, "second")
        _build(tmp_path / "elsewhere", "not in the way")
        other.kill()
    assert (tmp_path / f".dist.fingerpost-{other.pid}").is_dir()
    assert _tree(target) == {"index.html": "first", BUILD_MARK: "{}"}
    monkeypatch.setattr(output, "_LOCK_SECONDS", 10)
    _build(target, "second")
    assert _tree(target) == {"index.html": "second", BUILD_MARK: "{}"}
    assert sorted(os.listdir(tmp_path)) == ["dist", "elsewhere"]


def test_two_directories_change_names_in_one_step(tmp_path: Path) -> None:
    """Both are there afterwards, each under the other's name; with one of them missing nothing happens."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    (one / "a").touch()
    if not exchange(one, other):
        pytest.skip("this system or file system can't exchange directories")
    assert (os.listdir(one), os.listdir(other)) == ([], ["a"])
    assert not exchange(one, tmp_path / "nowhere")
    assert os.listdir(one) == []
