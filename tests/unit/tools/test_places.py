"""Where local data goes."""

import os
import stat
from pathlib import Path

import pytest

from fingerpost_tools import places
from fingerpost_tools.command_error import CommandError


def test_a_sites_data_is_beside_it_and_out_of_its_repository(tmp_path: Path) -> None:
    """`.fingerpost` is made in the site, and no version control takes it along."""
    assert places.state(tmp_path) == tmp_path / ".fingerpost"
    assert (tmp_path / ".fingerpost/.gitignore").read_text(encoding="utf-8") == "*\n"


def test_a_site_that_can_not_be_written_to_has_its_data_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two such sites of one name do not share it, and nobody else may look into it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    folders = []
    for parent in ("a", "b"):
        site = tmp_path / parent / "site"
        site.mkdir(parents=True)
        folders.append(places.state(site))
    assert folders[0] != folders[1]
    assert all(folder.is_relative_to(tmp_path / "cache") for folder in folders)
    assert stat.S_IMODE(folders[0].stat().st_mode) == 0o700


def test_a_directory_that_is_not_ones_own_is_refused(tmp_path: Path) -> None:
    """In a shared directory somebody else may have put something there first."""
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(CommandError, match="expected to be a directory of this user's own"):
        places.private(tmp_path / "link")


def test_the_demo_and_the_functions_are_found() -> None:
    """What `serve` needs is where it looks."""
    assert (places.demo() / "app.yaml").is_file()
    assert (places.functions() / "page" / "app.py").is_file()
