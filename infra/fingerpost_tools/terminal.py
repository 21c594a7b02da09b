"""Words for a terminal: colour where a person is looking and wants it."""

import os
import sys
from typing import Final, TextIO

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
    """Write one line at once: a reader at the other end of a pipe sees it when it happens."""
    print(text, file=stream or sys.stdout, flush=True)


def complain(message: str) -> None:
    """Write one line of trouble to stderr, after the command's name."""
    say(f"{styled('fingerpost:', 'red', sys.stderr)} {message}", sys.stderr)
