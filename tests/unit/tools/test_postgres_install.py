"""Where Postgres keeps its data when it may not run as the one who asks."""

import pwd
import stat
from pathlib import Path

import pytest

from fingerpost_tools import postgres_install

_ACCOUNT = pwd.getpwnam("nobody")


@pytest.fixture
def elsewhere(reachable: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands in for the directory that everybody may pass through."""
    folder = reachable / "elsewhere"
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(postgres_install, "_roots_own", lambda: folder)
    return folder


def test_ones_own_account_keeps_data_where_it_is_asked_to(tmp_path: Path) -> None:
    """Without another account there is nothing to find out."""
    assert postgres_install.home(tmp_path, None) == tmp_path


def test_another_account_uses_a_folder_it_can_reach(reachable: Path, elsewhere: Path) -> None:
    """A site that everybody may pass through keeps its data beside it."""
    assert postgres_install.home(reachable, _ACCOUNT) == reachable


def test_a_closed_folder_is_not_opened_for_another_account(
    reachable: Path, elsewhere: Path, tmp_path: Path
) -> None:
    """A site in a closed home keeps its data elsewhere, and the home stays closed."""
    closed = reachable / "closed"
    closed.mkdir(mode=0o700)
    site = closed / "site"
    site.mkdir()
    assert postgres_install.home(site, _ACCOUNT).is_relative_to(elsewhere)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_programs_out_of_reach_are_copied(
    reachable: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs installed in a closed home are copied to where the account may run them, once."""
    installed = postgres_install.programs(None)
    monkeypatch.setattr(postgres_install, "_open_to_all", lambda path: False)
    copy = postgres_install.programs(_ACCOUNT)
    assert copy.is_relative_to(elsewhere)
    assert postgres_install.version(copy) == postgres_install.version(installed)
    assert postgres_install.programs(_ACCOUNT) == copy


def test_the_users_own_settings_of_postgres_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """PGHOST and its like would lead the programs to another server."""
    monkeypatch.setenv("PGHOST", "production.example")
    monkeypatch.setenv("LC_MESSAGES", "fr_FR.UTF-8")
    environment = postgres_install.environment()
    assert "PGHOST" not in environment
    assert "LC_MESSAGES" not in environment
    assert environment["LC_ALL"] == "C"
