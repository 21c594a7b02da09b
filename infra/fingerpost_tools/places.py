"""Where things are: the functions and the demo site, and where a site's local data may be kept."""

import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Final

from fingerpost_tools.command_error import CommandError

STATE: Final = ".fingerpost"

_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parents[1]
_INSTALLED = _HERE / "_data"


def functions() -> Path:
    """The folder with one folder per Lambda function, each with its `app.py`."""
    return _shipped(_CHECKOUT / "functions", _INSTALLED / "functions")


def demo() -> Path:
    """The demo site."""
    return _shipped(_CHECKOUT / "infra" / "demo", _INSTALLED / "demo")


def _shipped(in_checkout: Path, installed: Path) -> Path:
    for folder in (in_checkout, installed):
        if folder.is_dir():
            return folder
    raise CommandError(f"this installation lacks {installed}: install fingerpost again")


def site(given: str | None) -> Path:
    """The site's root: what was `given`, or the demo. CommandError where it is not a site."""
    if given is None:
        return demo()
    root = Path(given).expanduser()
    if not root.exists():
        raise CommandError(f"no site at {given}: there is no such directory")
    if not root.is_dir():
        raise CommandError(f"no site at {given}: expected a directory with an app.yaml, found a file")
    if not (root / "app.yaml").is_file():
        raise CommandError(f"no site at {given}: the directory holds no app.yaml")
    return root.resolve()


def state(root: Path) -> Path:
    """A directory for the local data of the site at `root`: `SITE/.fingerpost`, or one of the user's own
    where the site can't be written to or belongs to an installed package."""
    if not root.is_relative_to(_INSTALLED) and os.access(root, os.W_OK):
        folder = root / STATE
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        return folder
    return private(cache() / f"{root.name}-{fingerprint(root)}")


def cache() -> Path:
    """The user's own cache directory for this program, made where missing."""
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    for base in (Path(os.environ.get("XDG_CACHE_HOME") or usual), Path(tempfile.gettempdir())):
        name = "fingerpost" if base.is_relative_to(Path.home()) else f"fingerpost-{os.getuid()}"
        try:
            return private(base / name)
        except OSError:
            continue
    raise CommandError(
        f"no directory for local data: {usual} and {tempfile.gettempdir()} can't be written to"
    )


def private(folder: Path, mode: int = 0o700) -> Path:
    """`folder`, made with `mode` where missing. CommandError where somebody else owns it: in a shared
    directory like /tmp another user could have put it there first."""
    folder.mkdir(mode=mode, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise CommandError(f"{folder} was expected to be a directory of this user's own, and is not")
    return folder


def fingerprint(path: Path) -> str:
    """A short name for a directory, the same each time and unlike any other's."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
