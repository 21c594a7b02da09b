"""One set a minute for all instances: what is served when, from where, and for how long yet."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web import generations as module
from fingerpost.web.generation import Generation, Line
from fingerpost.web.generations import Generations
from tests.unit.web.sitemap_fleet import BASE, Fleet, Instance


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
