"""Who computes the next set, who waits for it, and for how long."""

import threading
import time
from dataclasses import dataclass, field

import pytest

from fingerpost.sources.records import RecordsUnavailable
from fingerpost.sources.shared_objects import SharedObject
from tests.unit.web.sitemap_fleet import BASE, Fleet, Instance, Maker


@dataclass
class Computing:
    """An instance in a thread of its own, in the middle of computing a set until `finish`."""

    fleet: Fleet
    _go: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        begun = threading.Event()

        def during() -> None:
            self.fleet.maker.during = lambda: None
            begun.set()
            assert self._go.wait(10)

        self.fleet.maker.during = during
        self._thread = threading.Thread(target=self.fleet.instance().ask)
        self._thread.start()
        assert begun.wait(10)

    def finish(self, seconds: float = 0) -> None:
        self._go.set()
        self._thread.join(10)


def test_whoever_comes_meanwhile_waits(fleet: Fleet) -> None:
    """While one instance computes, another waits for its set instead of reading Postgres too."""
    computing = Computing(fleet)
    assert fleet.instance(computing.finish).ask() == ("set 1 index of 2", 60)
    assert fleet.maker.made == 1


def test_many_at_once_read_postgres_once(fleet: Fleet) -> None:
    """Of eight instances that are asked in the same moment, one computes, and all serve its set."""
    instances = [fleet.instance(sleep=lambda seconds: time.sleep(0.001)) for _ in range(8)]
    answers: list[object] = []
    start = threading.Barrier(8)

    def ask(instance: Instance) -> None:
        start.wait(10)
        answers.append([instance.ask(number) for number in (0, 1, 2)])

    threads = [threading.Thread(target=ask, args=(instance,)) for instance in instances]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == [[("set 1 index of 2", 60), ("set 1 child 1", 60), ("set 1 child 2", 60)]] * 8
    assert fleet.maker.made == 1


def crash(fleet: Fleet) -> None:
    """An instance claims the next set and is never heard of again."""

    def killed() -> None:
        fleet.shared.refused = {"write *"}  # a killed instance gives nothing up
        raise KeyboardInterrupt

    fleet.maker.during = killed
    with pytest.raises(KeyboardInterrupt):
        fleet.instance().ask()
    fleet.shared.refused = set()
    fleet.maker = Maker()


def test_a_claim_passes_on_when_its_time_is_over(fleet: Fleet) -> None:
    """Where whoever claimed a set is gone, the next takes over after ten seconds, and stores it for all."""
    crash(fleet)
    assert fleet.instance().ask() == ("set 1 index of 2", 60)
    assert 10 <= fleet.waited < 11
    assert fleet.instance().ask(1) == ("set 1 child 1", 60)
    assert fleet.maker.made == 1


def test_a_claim_that_is_over_costs_nobody_a_wait(fleet: Fleet) -> None:
    """A claim whose time was over before anybody asked is taken at once."""
    crash(fleet)
    fleet.pass_by(11)
    assert fleet.instance().ask() == ("set 1 index of 2", 60)
    assert fleet.waited == 0


def test_one_of_many_takes_over(fleet: Fleet) -> None:
    """A claim that is over passes to one instance; the others wait for that one."""
    crash(fleet)
    fleet.pass_by(11)
    computing = Computing(fleet)
    assert fleet.instance(computing.finish).ask() == ("set 1 index of 2", 60)
    assert fleet.maker.made == 1


def test_waiting_ends(fleet: Fleet) -> None:
    """Whoever has waited as long as a claim lasts computes a set of its own, which it alone serves."""
    computing = Computing(fleet)
    try:
        alone = fleet.instance()
        fleet.shared.objects[f"{BASE}/claim-first.json"] = SharedObject(b'{"until": 9e9}', "1", "")
        assert alone.ask() == ("set 2 index of 2", 60)
        assert 10 <= fleet.waited < 11
        assert f"{BASE}/current.json" not in fleet.shared.objects
    finally:
        computing.finish()
    assert alone.ask(1) == ("set 2 child 1", 60)


def test_failing_gives_the_claim_up(fleet: Fleet) -> None:
    """Without its records there is no sitemap; as soon as they are back there is, with nobody waiting."""
    fleet.maker.fails = True
    for _ in range(3):
        with pytest.raises(RecordsUnavailable):
            fleet.instance().ask()
    fleet.maker.fails = False
    assert fleet.instance().ask() == ("set 4 index of 2", 60)
    assert fleet.waited == 0


def test_a_claim_that_was_written_twice_is_ours(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the SDK repeats a write whose answer was lost, the claim it finds then is the instance's own."""
    create = fleet.shared.create

    def repeated(key: str, body: bytes) -> bool:
        create(key, body)
        return create(key, body)

    monkeypatch.setattr(fleet.shared, "create", repeated)
    assert fleet.instance().ask() == ("set 1 index of 2", 60)
    assert fleet.waited == 0
    assert fleet.instance().ask(1) == ("set 1 child 1", 60)
    assert fleet.maker.made == 1
