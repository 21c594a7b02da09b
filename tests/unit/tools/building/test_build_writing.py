"""Writing into an output: what did not change keeps its time, and no name is written twice."""

import os
import time
from pathlib import Path

import pytest

from fingerpost_tools.building.writing import NameRefused, Tally, Writer

OLD = 1_700_000_000


def _old(path: Path, body: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    os.utime(path, (OLD, OLD))
    return path


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """An empty new output and an old one."""
    new, old = tmp_path / "new", tmp_path / "old"
    new.mkdir()
    old.mkdir()
    return new, old


def test_unchanged_files_keep_their_time(folders: tuple[Path, Path]) -> None:
    """A file with the same bytes is taken over with its modification time; any other is new."""
    new, old = folders
    _old(old / "a/same.html", b"same")
    _old(old / "a/other.html", b"before")
    writer = Writer(new, old)
    writer.write("a/same.html", b"same")
    writer.write("a/other.html", b"behind")
    writer.write("b/fresh.html", b"fresh")
    assert (new / "a/same.html").stat().st_mtime == OLD
    assert (new / "a/other.html").stat().st_mtime > time.time() - 60
    assert [(new / f).read_bytes() for f in ("a/same.html", "a/other.html", "b/fresh.html")] == [
        b"same",
        b"behind",
        b"fresh",
    ]
    assert (old / "a/other.html").read_bytes() == b"before"
    assert writer.taken() == Tally(files=3, size=15, unchanged=1)
    assert writer.taken() == Tally()


def test_without_hard_links_the_old_file_is_copied(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a file system that knows no hard links, an unchanged file keeps its time as well."""
    new, old = folders
    _old(old / "x/a.html", b"a")

    def refuse(source: str, target: str) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    Writer(new, old).write("x/a.html", b"a")
    assert (new / "x/a.html").read_bytes() == b"a"
    assert (new / "x/a.html").stat().st_mtime == OLD
    assert (new / "x/a.html").stat().st_ino != (old / "x/a.html").stat().st_ino


def test_a_link_in_the_old_output_is_not_followed(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """A symbolic link that somebody put into the output is replaced by a file."""
    new, old = folders
    _old(tmp_path / "elsewhere", b"a")
    (old / "a.html").symlink_to(tmp_path / "elsewhere")
    Writer(new, old).write("a.html", b"a")
    assert not (new / "a.html").is_symlink()
    assert (new / "a.html").read_bytes() == b"a"


def test_a_copy_has_the_sources_time(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """An owner's file is copied with its time, and taken over from the old output where it is the same."""
    new, old = folders
    source = _old(tmp_path / "logo.svg", b"<svg/>")
    source.chmod(0o600)
    writer = Writer(new, old)
    writer.copy("assets/logo.svg", source)
    assert (new / "assets/logo.svg").stat().st_mtime == OLD
    assert (new / "assets/logo.svg").stat().st_mode & 0o044 == 0o044
    os.utime(_old(old / "icon.svg", b"<svg/>"), (OLD - 5, OLD - 5))
    writer.copy("icon.svg", source)
    assert (new / "icon.svg").stat().st_mtime == OLD - 5
    assert writer.taken() == Tally(files=2, size=12, unchanged=1)


def test_a_name_that_the_file_system_refuses(folders: tuple[Path, Path]) -> None:
    """A name too long for the disk, or one that is there already, is told as such; other trouble is not."""
    new, _ = folders
    writer = Writer(new, None)
    with pytest.raises(NameRefused, match="refuses the name"):
        writer.write("x" * 300, b"")
    writer.write("twice.html", b"first")
    with pytest.raises(NameRefused, match="refuses the name"):
        writer.write("twice.html", b"second")
    assert (new / "twice.html").read_bytes() == b"first"
    with pytest.raises(NotADirectoryError):
        writer.write("twice.html/below.html", b"")
