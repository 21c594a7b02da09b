"""`fingerpost init`: a site that is right from the start, and nobody's files overwritten."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from fingerpost_tools import schema
from fingerpost_tools.main import main


def test_the_new_site_has_no_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was made passes `check` without so much as a hint, and its articles answer."""
    site = tmp_path / "new" / "site"
    assert main(["init", str(site)]) == 0
    said = capsys.readouterr().out
    assert f"fingerpost serve {site}" in said
    assert main(["check", str(site), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []


def test_an_editor_finds_the_schema(tmp_path: Path) -> None:
    """The first line of app.yaml points at the schema beside it."""
    assert main(["init", str(tmp_path / "site")]) == 0
    first = (tmp_path / "site" / "app.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == schema.MODELINE
    assert (tmp_path / "site" / schema.FILE).read_text(encoding="utf-8") == schema.text()


def test_an_empty_directory_is_taken(tmp_path: Path) -> None:
    """A directory that is there already may be used as long as it is empty."""
    assert main(["init", str(tmp_path)]) == 0
    assert (tmp_path / "content" / "notes" / "cleaning-glass.md").is_file()


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory that holds anything, a hidden file even, is left alone."""
    (tmp_path / ".gitignore").write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "expected an empty directory" in err
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]


def test_a_place_where_none_can_be_made_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in the way ends the command with one line."""
    (tmp_path / "file").write_text("x")
    for place in ("file", "file/site"):
        assert main(["init", str(tmp_path / place)]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "could not be made" in err


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    """What was made until then is taken away, so that the next attempt finds the directory empty."""
    site = tmp_path / "site"

    def allow_small_files_alone() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "fingerpost_tools", "init", str(site)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
        preexec_fn=allow_small_files_alone,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"fingerpost: {site}: could not be made: ")
    assert "File too large" in done.stderr
    assert list(site.iterdir()) == []
    assert main(["init", str(site)]) == 0
