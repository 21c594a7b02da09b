"""`fingerpost init`: a small site to start from."""

import argparse
import contextlib
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fingerpost_tools import schema
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.terminal import say, styled

_EPILOG = """\
The site has a home page, two articles and a page that no search engine keeps, each with a comment on what it
is there for. DIR is made where it is missing, and has to be empty where it is not.

exit codes: 0 made, 2 not made

examples:
  fingerpost init my-site
  fingerpost init my-site && fingerpost serve my-site"""

_STARTER: Final = Path(__file__).resolve().parent / "starter"


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `init` to the command line."""
    parser = subparsers.add_parser(
        "init",
        help="make a small site to start from",
        description="Make a small site to start from.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="where to make it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost init`."""
    root: Path = arguments.directory.expanduser()
    if root.is_dir() and any(root.iterdir()):
        raise CommandError(f"{root}: expected an empty directory, or none, found one that holds something")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _emptied_on_failure(root):
            shutil.copytree(_STARTER, root, dirs_exist_ok=True)
            (root / schema.FILE).write_text(schema.text(), encoding="utf-8")
    except shutil.Error as error:
        # One line for each file that could not be copied; the first is as good as any.
        raise CommandError(f"{root}: could not be made: {error.args[0][0][2]}") from error
    except OSError as error:
        raise CommandError(f"{error.filename or root}: could not be made: {error.strerror}") from error
    named = shlex.quote(str(arguments.directory))
    say(f"{styled(str(root), 'bold')} is a site. Next:\n")
    say(f"  fingerpost serve {named}    open it, and see each change at once")
    say(f"  fingerpost check {named}    list what is wrong with it")
    return 0


@contextlib.contextmanager
def _emptied_on_failure(root: Path) -> Iterator[None]:
    """Half of a site is nothing to start from, and would be in the way of another attempt."""
    try:
        yield
    except BaseException:
        for path in root.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        raise
