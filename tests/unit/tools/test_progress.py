"""What a command says while it works: phases, counts, rates and the time that is left."""

import io

import pytest

from fingerpost_tools.building.report import size
from fingerpost_tools.progress import BarProgress, LineProgress, NoProgress, duration, progress_on


class Hands:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_tell_count_rate_and_time_left() -> None:
    """A line every five seconds, and one at the end of each phase."""
    stream, clock = io.StringIO(), Hands()
    progress = LineProgress(stream, clock)
    progress.begin("rendering", 100)
    progress.expect(900)
    for _ in range(3):
        clock.seconds += 2
        progress.advance(100)
    clock.seconds += 4
    progress.advance(700)
    progress.begin("writing")
    clock.seconds += 0.25
    progress.end()
    progress.end()
    assert stream.getvalue().splitlines() == [
        "rendering: 300 of 1,000, 50/s, 14 s left",
        "rendering: 1,000, 100/s, 10 s",
        "writing: 0.2 s",
    ]


def test_without_a_total_no_time_is_promised() -> None:
    """Where nobody knows how much there is, only what is done is told."""
    stream, clock = io.StringIO(), Hands()
    progress = LineProgress(stream, clock)
    progress.begin("rendering")
    clock.seconds += 6
    progress.advance(12_000)
    assert stream.getvalue() == "rendering: 12,000, 2,000/s\n"


def test_a_bar_ends_full(capsys: pytest.CaptureFixture[str]) -> None:
    """The bar shows what was done of what there was, and ends even where less was done than expected."""
    pytest.importorskip("rich")
    clock = Hands()
    progress = BarProgress(clock)
    progress.begin("rendering", 10)
    progress.expect(10)
    clock.seconds += 2
    progress.advance(18)
    progress.begin("writing")
    progress.end()
    shown = capsys.readouterr().err
    assert "rendering" in shown
    assert "18/18" in shown
    assert "9/s" in shown
    assert "writing" in shown


def test_who_looks_decides_the_form() -> None:
    """Lines where nobody looks, or on a terminal that can't draw; a bar on any other terminal."""
    assert isinstance(progress_on(io.StringIO()), LineProgress)
    pytest.importorskip("rich")
    assert isinstance(progress_on(Terminal()), BarProgress)


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where TERM says that nothing can be drawn, lines are written."""
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(progress_on(Terminal()), LineProgress)


def test_no_progress_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--quiet` and `--json`, nothing is said."""
    progress = NoProgress()
    progress.begin("rendering", 1)
    progress.expect(1)
    progress.advance(2)
    progress.end()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (26.4, "26 s"),
        (59.7, "1 min 0 s"),
        (185, "3 min 5 s"),
        (7_800, "2 h 10 min"),
    ],
)
def test_durations_as_people_say_them(seconds: float, words: str) -> None:
    """Tenths of a second at first, then seconds, minutes and hours."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (3_449_000, "3.4 MB"),
        (1_000_000_000, "1.0 GB"),
        (12_345_678_901, "12.3 GB"),
    ],
)
def test_sizes_as_people_read_them(count: int, words: str) -> None:
    """Decimal units, one digit behind the point."""
    assert size(count) == words
