"""The command `fingerpost`: reads the arguments, runs one subcommand, turns trouble into an exit code.

Exit codes: 0 done, 1 problems found, 2 cannot start (a wrong argument, no site, no database, a busy port),
130 interrupted, 143 terminated.
"""

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Final

from fingerpost import __version__
from fingerpost_tools import audit, build, check, completion, explain, init, publish, schema, serve
from fingerpost_tools.command_error import CANNOT_START, CommandError
from fingerpost_tools.terminal import complain, give_up

# Each module offers `register(subparsers)`, which adds its parser and sets `run` to a function from the
# parsed arguments to an exit code. A module imports what is heavy inside that function.
SUBCOMMANDS: Final[tuple[ModuleType, ...]] = (
    serve,
    build,
    check,
    explain,
    audit,
    publish,
    init,
    schema,
    completion,
)

INTERRUPTED: Final = 130
TERMINATED: Final = 143

_DESCRIPTION = """\
The well-known files of a site (sitemap, robots.txt, feed, llms.txt, Markdown twins), derived from the
configuration its owner has already written."""

_EXAMPLES = """\
examples:
  fingerpost serve                 open the demo site on http://127.0.0.1:8000
  fingerpost serve my-site         open your own
  fingerpost build my-site --out d write it as files for any static host
  fingerpost check my-site         list every problem of a site
  fingerpost explain my-site /a    say why an address is, or is not, in each document
  fingerpost audit URL             crawl a live site and list what crawlers stumble over"""


def parser() -> argparse.ArgumentParser:
    """The whole command line, every subcommand included."""
    command = argparse.ArgumentParser(
        prog="fingerpost",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--version", action="version", version=f"fingerpost {__version__}")
    subparsers = command.add_subparsers(metavar="COMMAND", required=True)
    for module in SUBCOMMANDS:
        module.register(subparsers)
    return command


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (the process's own when None); the exit code."""
    arguments = parser().parse_args(argv)
    try:
        with _stopped_by_sigterm():
            code: int = arguments.run(arguments)
        sys.stdout.flush()
    except CommandError as failure:
        complain(str(failure))
        return failure.code
    except _Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) has seen enough.
        give_up(sys.stdout)
        return 0
    except OSError as failure:
        # A file that this user may not touch, or a folder that is none: no bug, and told without a traceback.
        if failure.filename is None:
            raise
        complain(f"{failure.filename}: {failure.strerror}")
        return CANNOT_START
    finally:
        _settle_ctrl_c()
    return code


def _settle_ctrl_c() -> None:
    """Let the exit code stand.

    CPython notes a Ctrl-C that leaves an `exec` of a text, by which the standard library makes dataclasses
    while a module is imported, and in the end dies of it, whatever became of it since. The next such `exec`
    takes the note back.
    """
    exec("")  # noqa: S102


class _Terminated(KeyboardInterrupt):
    """SIGTERM: what was started is stopped, and what is half done undone, as after Ctrl-C."""


@contextlib.contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
