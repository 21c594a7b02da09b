"""How fast the crawler asks."""

from dataclasses import dataclass, field

from fingerpost_tools.auditing.pace import Pace


@dataclass
class Time:
    """A clock that moves only when somebody sleeps."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


def paced(time: Time, seconds: float) -> Pace:
    return Pace(seconds, lambda: time.now, time.sleep)


def test_requests_keep_their_distance() -> None:
    """The first request starts at once, each further one that much after the one before."""
    time = Time()
    pace = paced(time, 0.2)
    for _ in range(4):
        pace.wait()
    assert time.slept == [0.2, 0.2, 0.2]


def test_time_that_an_answer_took_counts() -> None:
    """A slow answer is not waited for twice, and is not made up for by haste either."""
    time = Time()
    pace = paced(time, 0.2)
    pace.wait()
    time.now += 0.15
    pace.wait()
    time.now += 5
    pace.wait()
    pace.wait()
    assert time.slept == [0.05, 0.2]


def test_a_wish_for_less_slows_down_and_never_speeds_up() -> None:
    """Crawl-delay makes the pace slower only."""
    time = Time()
    pace = paced(time, 0.2)
    pace.wait()
    pace.slow_to(2)
    pace.slow_to(0)
    pace.wait()
    pace.wait()
    assert time.slept == [2.0, 2.0]


def test_a_rest_comes_before_the_next_request() -> None:
    """After a rest the pace is what it was."""
    time = Time()
    pace = paced(time, 1)
    pace.wait()
    pace.rest(30)
    pace.wait()
    pace.wait()
    assert time.slept == [30.0, 1.0]
