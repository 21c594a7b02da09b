"""One set a minute for all instances: who computes, who waits, and what is served meanwhile."""

import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.sitemap import Child
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.sources.shared_objects import SharedObject
from fingerpost.web import generations as module
from fingerpost.web.generation import Generation, Line
from fingerpost.web.generations import Generations
from fingerpost.web.sitemap_set import Source
from tests.support import Clock

BASE = "state"


@dataclass
class Shared:
    """Objects in memory. `refused` are patterns for what fails (`read *`, `* */current.json`)."""

    objects: dict[str, SharedObject] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    writes: int = 0

    def read(self, key: str) -> SharedObject | None:
        self._ask("read", key)
        return self.objects.get(key)

    def write(self, key: str, body: bytes, note: str = "") -> None:
        self._ask("write", key)
        self._put(key, body, note)

    def create(self, key: str, body: bytes) -> bool:
        self._ask("create", key)
        if key in self.objects:
            return False
        self._put(key, body)
        return True

    def replace(self, key: str, body: bytes, etag: str) -> bool:
        self._ask("replace", key)
        if key not in self.objects or self.objects[key].etag != etag:
            return False
        self._put(key, body)
        return True

    def _put(self, key: str, body: bytes, note: str = "") -> None:
        self.writes += 1
        self.objects[key] = SharedObject(body, str(self.writes), note)

    def _ask(self, operation: str, key: str) -> None:
        self.asked.append(f"{operation} {key}")
        if any(fnmatch(f"{operation} {key}", pattern) for pattern in self.refused):
            raise StoreUnavailable(f"{operation} {key}")


@dataclass
class Maker:
    """Makes sets of `children` urlsets, and counts them; what the first holds names the set."""

    children: int = 2
    made: int = 0
    during: Callable[[], object] = lambda: None
    fails: bool = False

    @property
    def source(self) -> Source:
        return Source(self._children, self._index)

    def _children(self) -> Generator[Child, None, None]:
        self.made += 1
        name = self.made
        self.during()
        if self.fails:
            raise RecordsUnavailable("Postgres is down")
        for number in range(1, self.children + 1):
            yield Child(f"set {name} child {number}".encode(), 3, None)

    def _index(self, lastmods: Sequence[str | None]) -> bytes:
        return f"set {self.made} index of {len(lastmods)}".encode()


@dataclass
class Fleet:
    """Instances that share objects, a clock and a source. Whoever waits lets time pass."""

    shared: Shared = field(default_factory=Shared)
    clock: Clock = field(default_factory=lambda: Clock(1_000_000.0))
    maker: Maker = field(default_factory=Maker)
    waited: float = 0.0

    def instance(self, sleep: Callable[[float], None] | None = None) -> "Instance":
        return Instance(self, Generations(60, self.clock, self.shared, sleep or self.sleep))

    def sleep(self, seconds: float) -> None:
        self.waited += seconds
        self.clock.seconds += seconds

    def pass_by(self, seconds: float) -> None:
        self.clock.seconds += seconds


@dataclass
class Instance:
    """One instance of a fleet."""

    fleet: Fleet
    generations: Generations

    def ask(self, number: int = 0) -> tuple[str, int] | None:
        """The text of a document and its seconds left."""
        found = self.generations.document(BASE, number, self.fleet.maker.source)
        return None if found is None else (found[0].plain().decode(), found[1])

    def refresh(self) -> None:
        self.generations.refresh(BASE, self.fleet.maker.source)


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


# Memory, then shared objects, then computing


def test_a_set_is_computed_once_and_kept(fleet: Fleet) -> None:
    """Within the minute an instance serves from memory: nothing is computed and nobody is asked."""
    one = fleet.instance()
    assert one.ask() == ("set 1 index of 2", 60)
    fleet.shared.asked.clear()
    fleet.pass_by(59)
    assert one.ask(1) == ("set 1 child 1", 1)
    assert one.ask(2) == ("set 1 child 2", 1)
    assert one.ask(3) is None
    assert (fleet.maker.made, fleet.shared.asked) == (1, [])


def test_others_serve_what_one_has_computed(fleet: Fleet) -> None:
    """A second instance finds the set, with the bytes, the tag and the age of the first one's."""
    first, second = fleet.instance(), fleet.instance()
    assert first.ask() == ("set 1 index of 2", 60)
    fleet.pass_by(20)
    assert [second.ask(number) for number in range(4)] == [
        ("set 1 index of 2", 40),
        ("set 1 child 1", 40),
        ("set 1 child 2", 40),
        None,
    ]
    source = fleet.maker.source
    mine = first.generations.document(BASE, 1, source)
    yours = second.generations.document(BASE, 1, source)
    assert mine == yours
    assert fleet.maker.made == 1


def test_a_document_is_fetched_once(fleet: Fleet) -> None:
    """What another instance stored is read from there once, and then remembered."""
    fleet.instance().ask()
    second = fleet.instance()
    for _ in range(3):
        assert second.ask(2) == ("set 1 child 2", 60)
    assert [each for each in fleet.shared.asked if each.endswith("/2.xml.gz")] == [
        f"write {BASE}/{generation(fleet)}/2.xml.gz",
        f"read {BASE}/{generation(fleet)}/2.xml.gz",
    ]


def generation(fleet: Fleet) -> str:
    """The id of the last set that was stored."""
    return [key.split("/")[1] for key in fleet.shared.objects if key.endswith("/0.xml.gz")][-1]


def test_after_a_minute_there_is_another(fleet: Fleet) -> None:
    """A set that is a minute old is served by no instance: the first to be asked makes the next."""
    first, second = fleet.instance(), fleet.instance()
    first.ask()
    second.ask()
    fleet.pass_by(60)
    assert second.ask() == ("set 2 index of 2", 60)
    assert first.ask() == ("set 2 index of 2", 60)
    assert fleet.maker.made == 2


def test_another_state_of_the_site_starts_afresh(fleet: Fleet) -> None:
    """A new publication has sets of its own from the first request on."""
    one = fleet.instance()
    one.ask()
    found = one.generations.document("another", 1, fleet.maker.source)
    assert found is not None
    assert (found[0].plain(), found[1]) == (b"set 2 child 1", 60)
    assert one.ask(1) == ("set 1 child 1", 60)


def test_a_single_urlset_has_no_children(fleet: Fleet) -> None:
    """Where one urlset holds everything, it is the sitemap itself."""
    fleet.maker.children = 1
    for instance in (fleet.instance(), fleet.instance()):
        assert instance.ask() == ("set 1 child 1", 60)
        assert instance.ask(1) is None


def test_nothing_to_list_is_nothing_to_serve(fleet: Fleet) -> None:
    """An empty set is known as such by every instance, and not computed again within the minute."""
    fleet.maker.children = 0
    for instance in (fleet.instance(), fleet.instance()):
        assert instance.ask() is None
        assert instance.ask(1) is None
    assert fleet.maker.made == 1


def test_hosts_are_remembered_in_small_number(fleet: Fleet) -> None:
    """An instance that is asked for many hosts remembers the last few."""
    one = Generations(60, fleet.clock)
    for host in "abcdef":
        one.document(host, 0, fleet.maker.source)
    one.document("f", 0, fleet.maker.source)
    assert fleet.maker.made == 6
    one.document("a", 0, fleet.maker.source)
    assert fleet.maker.made == 7


# Age


def test_age_counts_from_before_the_set_was_read(fleet: Fleet) -> None:
    """A set is as old as the moment it describes: what computing takes is not given away."""
    fleet.maker.during = lambda: fleet.pass_by(7.5)
    assert fleet.instance().ask() == ("set 1 index of 2", 52)
    assert fleet.instance().ask(1) == ("set 1 child 1", 52)


@given(st.floats(0, 86_400), st.floats(0, 2e9), st.floats(-0.9, 90_000))
def test_no_set_is_kept_beyond_its_time(seconds: float, computed: float, later: float) -> None:
    """Whatever the clock says, age and max-age of what is served come to no more than it is good for."""
    line = Line(seconds, (Generation("a", computed, computed, 0, 0, 1),))
    now = computed + later
    found = line.current(now)
    assert (found is not None) == (now - computed < seconds)
    if found is not None:
        assert 0 <= line.left(found, now) <= min(seconds, seconds - (now - computed))


def test_a_set_that_takes_more_than_a_minute_is_kept_by_nobody(fleet: Fleet) -> None:
    """A set that is a minute old when it is done answers the one request it was made for, uncached."""
    fleet.maker.during = lambda: fleet.pass_by(61)
    assert fleet.instance().ask() == ("set 1 index of 2", 0)


@pytest.mark.parametrize("behind", [0.2, 0.9])
def test_clocks_differ_a_little(fleet: Fleet, behind: float) -> None:
    """An instance whose clock is a little behind takes a fresh set for fresh, for a minute at most."""
    fleet.instance().ask()
    fleet.pass_by(-behind)
    assert fleet.instance().ask() == ("set 1 index of 2", 60)
    assert fleet.maker.made == 1


# Waiting


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


# Shared objects that can't be had


@pytest.mark.parametrize(
    "refused",
    [
        "*",
        "read *",
        "write *",
        "create *",
        "create */claim-*",
        "create */current.json",
        "write */0.xml.gz",
        "write */2.xml.gz",
    ],
)
def test_an_instance_serves_what_it_computed(fleet: Fleet, refused: str) -> None:
    """Whatever the store refuses, an instance serves the set it computed, computes it once and keeps it."""
    fleet.shared.refused = {refused}
    one = fleet.instance()
    assert one.ask() == ("set 1 index of 2", 60)
    fleet.pass_by(59)
    assert [one.ask(number) for number in (1, 2, 3)] == [("set 1 child 1", 1), ("set 1 child 2", 1), None]
    assert fleet.maker.made == 1


def test_the_store_is_tried_again_after_a_minute(fleet: Fleet) -> None:
    """An instance that had a set of its own joins the others once the store is back."""
    fleet.shared.refused = {"read *"}
    one = fleet.instance()
    one.ask()
    fleet.shared.refused = set()
    fleet.pass_by(60)
    assert fleet.instance().ask() == ("set 2 index of 2", 60)
    assert one.ask(1) == ("set 2 child 1", 60)


def test_what_is_half_stored_is_named_by_nobody(fleet: Fleet) -> None:
    """A set that could not be stored whole is not pointed to: others compute."""
    fleet.shared.refused = {"write */2.xml.gz"}
    assert fleet.instance().ask(2) == ("set 1 child 2", 60)
    assert f"{BASE}/current.json" not in fleet.shared.objects


def test_a_document_that_is_gone_is_computed(fleet: Fleet) -> None:
    """Where a stored document can't be read, the instance makes a whole set of its own and keeps to it."""
    fleet.instance().ask()
    for key in [key for key in fleet.shared.objects if key.endswith("/2.xml.gz")]:
        del fleet.shared.objects[key]
    second = fleet.instance()
    assert second.ask() == ("set 1 index of 2", 60)
    assert second.ask(2) == ("set 2 child 2", 60)
    assert second.ask() == ("set 2 index of 2", 60)


def test_whoever_publishes_first_is_served(fleet: Fleet) -> None:
    """Of two sets for one minute all serve the one that the pointer names, also who computed the other."""

    def meanwhile() -> None:
        fleet.maker.during = lambda: None
        fleet.shared.objects.pop(f"{BASE}/claim-first.json")
        fleet.instance().ask()

    fleet.maker.during = meanwhile
    one = fleet.instance()
    assert one.ask(1) == ("set 2 child 1", 60)
    assert fleet.maker.made == 2


def test_a_damaged_pointer_is_no_hindrance(fleet: Fleet) -> None:
    """A pointer of another form is replaced."""
    fleet.shared.write(f"{BASE}/current.json", b"{}")
    assert fleet.instance().ask() == ("set 1 index of 2", 60)
    assert fleet.instance().ask() == ("set 1 index of 2", 60)


# Children of the generation before


@pytest.mark.parametrize("shared", [True, False], ids=["fleet", "alone"])
def test_a_child_stays_while_a_cache_may_name_it(fleet: Fleet, shared: bool) -> None:
    """When the next set has fewer children, the others of the last one answer a minute longer, uncached."""
    one = Instance(fleet, Generations(60, fleet.clock, fleet.shared if shared else None))
    one.ask()
    fleet.pass_by(60)
    fleet.maker.children = 1
    assert one.ask() == ("set 2 child 1", 60)
    assert one.ask(2) == ("set 1 child 2", 0)
    fleet.pass_by(59.9)
    assert one.ask(2) == ("set 1 child 2", 0)
    fleet.pass_by(0.1)
    assert one.ask(2) is None


def test_a_later_instance_knows_the_last_children_too(fleet: Fleet) -> None:
    """An instance that never served the last set serves its children as long as the others do."""
    one = fleet.instance()
    one.ask()
    fleet.pass_by(70)
    fleet.maker.children = 1
    one.ask()
    fleet.pass_by(40)
    assert fleet.instance().ask(2) == ("set 1 child 2", 0)


# Computed ahead


def test_a_set_made_ahead_begins_when_the_last_one_ends(fleet: Fleet) -> None:
    """A set computed ahead is served by nobody before the last one is over, and by everybody from then on."""
    warm, later = fleet.instance(), fleet.instance()
    warm.ask()
    fleet.pass_by(30)
    fleet.instance().refresh()
    assert fleet.maker.made == 2
    fleet.pass_by(29.5)
    assert warm.ask(1) == later.ask(1) == ("set 1 child 1", 0)
    fleet.pass_by(0.5)
    assert warm.ask(1) == later.ask(1) == fleet.instance().ask(1) == ("set 2 child 1", 30)
    fleet.pass_by(30)
    assert warm.ask(1) == ("set 3 child 1", 60)


def test_refreshing_every_half_minute_no_visitor_computes(fleet: Fleet) -> None:
    """With a refresh every half minute, sets are made by it alone, and every answer is good to the minute."""
    visitor = fleet.instance()
    for turn in range(10):
        fleet.instance().refresh()
        for _ in range(6):
            answer = visitor.ask(1)
            assert answer is not None
            assert 0 <= answer[1] <= 60
            fleet.pass_by(5)
        assert fleet.maker.made == turn + 1
    assert fleet.waited == 0


def test_a_young_set_is_not_replaced(fleet: Fleet) -> None:
    """A refresh that comes soon after another does nothing."""
    fleet.instance().refresh()
    fleet.pass_by(15)
    fleet.instance().refresh()
    assert fleet.maker.made == 1


def test_a_refresh_that_fails_says_so(fleet: Fleet) -> None:
    """A refresh that can't read records or store raises, and what is there stays."""
    fleet.instance().ask()
    fleet.pass_by(30)
    fleet.maker.fails = True
    with pytest.raises(RecordsUnavailable):
        fleet.instance().refresh()
    fleet.maker.fails = False
    fleet.shared.refused = {"write *"}
    with pytest.raises(StoreUnavailable):
        fleet.instance().refresh()
    fleet.shared.refused = set()
    assert fleet.instance().ask() == ("set 1 index of 2", 30)


def test_alone_there_is_nothing_to_refresh(fleet: Fleet) -> None:
    """Without shared objects a refresh would serve nobody, and does nothing."""
    Generations(60, fleet.clock).refresh(BASE, fleet.maker.source)
    assert fleet.maker.made == 0


# Memory


def test_memory_is_bounded(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """An instance remembers a limited number of bytes of what is stored, the least recently used leaving."""
    fleet.maker.children = 9
    fleet.instance().ask()
    one = fleet.instance()
    found = one.generations.document(BASE, 1, fleet.maker.source)
    assert found is not None
    monkeypatch.setattr(module, "_MEMORY_BYTES", 3 * len(found[0].gzipped) + 1)
    read(one, range(1, 10))
    fleet.shared.asked.clear()
    read(one, (7, 8, 9))
    assert fleet.shared.asked == []
    read(one, (1,))
    assert len(fleet.shared.asked) == 1


def read(instance: Instance, numbers: Iterable[int]) -> None:
    for number in numbers:
        assert instance.ask(number) == (f"set 1 child {number}", 60)
