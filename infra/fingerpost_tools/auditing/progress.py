"""What a person at a terminal sees while a long crawl goes on."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, Protocol


class Progress(Protocol):
    """Is told how far the crawl has come."""

    def stage(self, name: str, total: int) -> None:
        """A new stage begins, of about `total` steps."""

    def step(self, total: int) -> None:
        """One step is done; `total` is what the stage is now known to come to."""


class Silent:
    """Nobody is watching."""

    def stage(self, name: str, total: int) -> None:
        pass

    def step(self, total: int) -> None:
        pass


class _Bar:
    """One line on stderr, drawn by rich."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task = bar.add_task("robots.txt", total=None)

    def stage(self, name: str, total: int) -> None:
        self._bar.update(self._task, description=name, completed=0, total=total)

    def step(self, total: int) -> None:
        self._bar.update(self._task, advance=1, total=total)


@contextlib.contextmanager
def shown() -> Iterator[Progress]:
    """A progress line while the block runs, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar)
