"""Words for a terminal: colour where a person is looking and wants it."""

import os
import sys
from typing import Final, TextIO

from fingerpost_tools.command_error import CommandError

_CODES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def coloured(stream: TextIO) -> bool:
    """Whether `stream` takes colour: a terminal, not a dumb one, and no NO_COLOR (no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """`text` in `style` where `stream` (stdout when None) takes colour, else `text` itself."""
    if not coloured(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Write one line at once: a reader at the other end of a pipe sees it when it happens. CommandError where
    it can't be written, BrokenPipeError where nobody reads any more."""
    stream = stream or sys.stdout
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up(stream)
        raise CommandError(f"the output can't be written: {error.strerror}") from error


def give_up(stream: TextIO) -> None:
    """Drop what `stream` still holds: Python would try once more while it exits, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def note(text: str) -> None:
    """Write one line to stderr about what is done on the side."""
    say(styled(text, "dim", sys.stderr), sys.stderr)


def complain(message: str) -> None:
    """Write one line of trouble to stderr, after the command's name."""
    say(f"{styled('fingerpost:', 'red', sys.stderr)} {message}", sys.stderr)
