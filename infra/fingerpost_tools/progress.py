"""How a command tells what it is at: a bar where a person is looking, else a line now and then."""

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from fingerpost_tools.terminal import say

if TYPE_CHECKING:
    from typing import TextIO

_LINE_SECONDS: Final = 5.0
_FRAME_SECONDS: Final = 0.1


class Progress(Protocol):
    """Hears of phases and of what is done in them, from any thread but one at a time."""

    def begin(self, phase: str, total: int | None = None) -> None:
        """A phase begins, which ends the one before; `total` is how much there is to do, if that is known."""

    def expect(self, more: int) -> None:
        """There is more to do in this phase."""

    def advance(self, count: int) -> None:
        """So much more is done."""

    def end(self) -> None:
        """Nothing follows."""


class NoProgress:
    """Says nothing."""

    def begin(self, phase: str, total: int | None = None) -> None: ...
    def expect(self, more: int) -> None: ...
    def advance(self, count: int) -> None: ...
    def end(self) -> None: ...


class LineProgress:
    """Lines of text: `rendering: 12,000 of 55,000, 1,640/s, 26 s left` every few seconds, and at the end of a
    phase `rendering: 55,000, 1,655/s, 33 s`."""

    def __init__(self, stream: "TextIO", clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._phase = ""
        self._total: int | None = None
        self._done = 0
        self._began = self._said = 0.0

    def begin(self, phase: str, total: int | None = None) -> None:
        self.end()
        self._phase, self._total, self._done = phase, total, 0
        self._began = self._said = self._clock()

    def expect(self, more: int) -> None:
        self._total = (self._total or 0) + more

    def advance(self, count: int) -> None:
        self._done += count
        if self._clock() - self._said >= _LINE_SECONDS:
            self._said = self._clock()
            self._say(over=False)

    def end(self) -> None:
        if self._phase:
            self._say(over=True)
        self._phase = ""

    def _say(self, *, over: bool) -> None:
        seconds = self._clock() - self._began
        rate = self._done / seconds if seconds > 0 else 0.0
        words = []
        if self._done:
            words = [f"{self._done:,}", f"{rate:,.0f}/s"]
        if self._total is not None and rate and not over:
            words[0] += f" of {self._total:,}"
            words.append(f"{duration(max(0, self._total - self._done) / rate)} left")
        if over:
            words.append(duration(seconds))
        say(f"{self._phase}: {', '.join(words)}", self._stream)


class BarProgress:
    """A bar per phase, drawn by rich. It draws when it hears of something: no thread of its own, which a
    process that starts others as its copies may not have."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._clock = clock
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            auto_refresh=False,
        )
        self._task: Any = None
        self._began = self._drawn = 0.0
        self._done = 0

    def begin(self, phase: str, total: int | None = None) -> None:
        self._finish()
        self._bars.start()
        self._began, self._done = self._clock(), 0
        self._task = self._bars.add_task(phase, total=total, rate="")
        self._draw()

    def expect(self, more: int) -> None:
        task = self._bars.tasks[-1]
        self._bars.update(self._task, total=(task.total or 0) + more)
        self._draw()

    def advance(self, count: int) -> None:
        self._done += count
        seconds = self._clock() - self._began
        rate = f"{self._done / seconds:,.0f}/s" if seconds > 0 else ""
        self._bars.update(self._task, advance=count, rate=rate)
        if self._clock() - self._drawn >= _FRAME_SECONDS:
            self._draw()

    def end(self) -> None:
        self._finish()
        self._bars.stop()

    def _finish(self) -> None:
        if self._task is None:
            return
        # A phase that is over is a full bar, however much or little was expected of it.
        whole = self._done or 1
        self._bars.update(self._task, total=whole, completed=whole)
        self._draw()

    def _draw(self) -> None:
        self._drawn = self._clock()
        self._bars.refresh()


def progress_on(stream: "TextIO") -> Progress:
    """A bar where `stream` is a terminal that can draw one and rich is there, else lines."""
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return LineProgress(stream)
    try:
        return BarProgress()
    except ImportError:
        return LineProgress(stream)


def duration(seconds: float) -> str:
    """`0.8 s`, `26 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
