"""How long an answer may take, and who keeps to it."""

import math
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fingerpost.deadline import carried, deadline, is_late_for, seconds_left, within
from fingerpost.limits import ANSWERING_SECONDS
from fingerpost.web.answer import TEXT, Answer
from fingerpost.web.entry_point import handler_for
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from tests.support import Clock, Context, make_event


def test_there_is_no_deadline_unless_one_is_set() -> None:
    """Tools and tests wait as long as they like."""
    assert seconds_left() == math.inf
    assert within(3) == 3
    assert not is_late_for(1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that deadlines are measured by, moved by the test alone."""
    clock = Clock()
    monkeypatch.setattr("fingerpost.deadline.monotonic", clock)
    return clock


def test_a_wait_is_as_long_as_there_is_time(clock: Clock) -> None:
    """A wait ends with the answer it is for, and none begins after that."""
    with deadline(5):
        assert (within(1), within(10), seconds_left()) == (1, 5, 5)
        clock.seconds += 3
        assert (within(1), within(10), seconds_left()) == (1, 2, 2)
        clock.seconds += 3
        assert seconds_left() == 0
        with pytest.raises(TimeoutError):
            within(10)
    assert seconds_left() == math.inf


@pytest.mark.parametrize(("left", "late"), [(24.0, False), (7.1, False), (6.9, True)])
def test_what_can_not_be_cut_short_begins_early_or_not_at_all(left: float, late: bool, clock: Clock) -> None:
    """An attempt of up to seven seconds needs as many, where the answer ever had them."""
    with deadline(24):
        clock.seconds += 24 - left
        assert is_late_for(7) == late


@pytest.mark.parametrize(("left", "late"), [(3.0, False), (1.1, False), (0.9, True)])
def test_where_time_is_short_from_the_start_its_last_third_is_late(
    left: float, late: bool, clock: Clock
) -> None:
    """A function with a time-out of a few seconds still asks."""
    with deadline(3):
        clock.seconds += 3 - left
        assert is_late_for(7) == late


def test_threads_have_the_deadline_that_is_carried_to_them() -> None:
    """A thread knows of no deadline but the one it is given, and forgets it afterwards."""
    with deadline(5), ThreadPoolExecutor(1) as pool:
        assert pool.submit(seconds_left).result() == math.inf
        assert pool.submit(carried(seconds_left)).result() <= 5
        assert pool.submit(seconds_left).result() == math.inf


def test_requests_side_by_side_have_their_own() -> None:
    """One request's time is not another's."""
    found: dict[str, float] = {}
    both = threading.Barrier(2)

    def answer(name: str, seconds: float) -> None:
        with deadline(seconds):
            both.wait(5)
            found[name] = seconds_left()

    threads = [threading.Thread(target=answer, args=each) for each in (("short", 5), ("long", 50))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert found["short"] <= 5 < 40 < found["long"] <= 50


@pytest.mark.parametrize(("context", "most"), [(Context(25), 25 - ANSWERING_SECONDS), (None, math.inf)])
def test_a_function_keeps_time_for_its_answer(context: object, most: float) -> None:
    """What Lambda says is left is how long the answer may take, less what giving it takes."""
    found: list[float] = []

    def answer(request: Request) -> Answer:
        found.append(seconds_left())
        return Answer(200, b"", TEXT, Policy.DOCUMENT)

    handler_for(answer)(make_event("/"), context)
    assert most - 1 <= found[0] <= most
    assert seconds_left() == math.inf
