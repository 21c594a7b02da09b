"""Sets that a schedule computes ahead of their time, so that no visitor waits for one."""

import pytest

from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.web.generations import Generations
from tests.unit.web.sitemap_fleet import BASE, Fleet


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
