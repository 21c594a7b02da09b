"""How things are timed: side by side in one run, so that a busy machine is busy for one as for the other."""

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class NotMeasuredError(Exception):
    """This machine lacks what a benchmark needs; the message says what."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `ratio` is what the figure is compared by, `most` or `least` where it should
    stay, neither where the line only tells. `detail` goes into the JSON."""

    benchmark: str
    what: str
    figure: str
    ratio: float | None = None
    most: float | None = None
    least: float | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the ratio is where it should be; None where nothing was asked."""
        if self.ratio is None or (self.most is None and self.least is None):
            return None
        return (self.most is None or self.ratio <= self.most) and (
            self.least is None or self.ratio >= self.least
        )

    @property
    def target(self) -> str:
        if self.most is not None:
            return f"<= {self.most:g}"
        return f">= {self.least:g}" if self.least is not None else ""


@dataclass(frozen=True, slots=True)
class Timing:
    """Several runs of one thing, in milliseconds."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)

    @property
    def best(self) -> float:
        return min(self.runs)

    def over(self, floor: "Timing") -> float:
        """How many times as long as `floor`: the median of what the rounds say, whose runs came one after
        the other and found the machine as busy as it was just then."""
        return statistics.median(ours / least for ours, least in zip(self.runs, floor.runs, strict=True))

    def __str__(self) -> str:
        return f"{self.median:.1f} ms" if self.median < 100 else f"{self.median:.0f} ms"


def milliseconds(action: Callable[[], object]) -> float:
    """How long one call takes, garbage of the calls before it collected."""
    gc.collect()
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def side_by_side(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Timing]:
    """Each action once before it counts, then `rounds` times, all of them in turn."""
    for action in actions.values():
        action()
    runs: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            runs[name].append(milliseconds(action))
    return {name: Timing(tuple(each)) for name, each in runs.items()}


def repeated(action: Callable[[], object], times: int) -> Timing:
    """Many calls of something short, each timed."""
    runs = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        runs.append((time.perf_counter() - began) * 1000)
    return Timing(tuple(runs))


def machine() -> str:
    """The processor, its cores, the system and the interpreter."""
    info = Path("/proc/cpuinfo")
    names = [
        line.partition(":")[2].strip()
        for line in (info.read_text("ascii", "replace").splitlines() if info.is_file() else ())
        if line.startswith("model name")
    ]
    release = ".".join(platform.release().split(".")[:2])  # what follows names a build of it
    return (
        f"{names[0] if names else platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.system()} {release}, Python {platform.python_version()}"
    )
