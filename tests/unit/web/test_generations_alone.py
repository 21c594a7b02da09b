"""Shared objects that can't be had, or not all of them: an instance serves what it has computed."""

import pytest

from tests.unit.web.sitemap_fleet import BASE, Fleet


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
