"""The one exception that ends a command with a sentence in place of a traceback."""

from typing import Final

# The exit codes of every command: done, done and found wanting, never begun.
PROBLEMS: Final = 1
CANNOT_START: Final = 2


class CommandError(Exception):
    """The command can't go on; says what was expected and what was found. `code` is the exit code."""

    def __init__(self, message: str, code: int = CANNOT_START) -> None:
        super().__init__(message)
        self.code = code
