"""The handler that a schedule calls."""

from typing import Any

import pytest

from fingerpost.settings import Settings
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.web.instance import Instance
from fingerpost.web.refresh import refresher_for
from fingerpost.web.sitemap import SitemapAnswers
from fingerpost.web.visitor import SessionReader
from tests.support import Clock, MemoryStore
from tests.unit.web.answers import POSTS, NoDatabase
from tests.unit.web.sitemap_fleet import Shared

EVENT = {"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}}


class Schedule:
    """One call of the handler over a site, at a time that passes while it sleeps."""

    def __init__(self, app: str = POSTS, base_url: str | None = "https://example.com", **files: str) -> None:
        self.clock = Clock()
        self.shared = Shared()
        self.slept: list[float] = []
        store = MemoryStore({"app.yaml": f"name: Acme\n{app}", **files})
        settings = Settings(directory="unused", base_url=base_url)
        self.instance = Instance(
            settings, store, NoDatabase(), SessionReader(None, None), self.clock, self.shared
        )
        self.handler = refresher_for(lambda: self.instance, self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.seconds += seconds


def test_two_sets_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call makes a set at once and another half a minute later, whatever the event holds."""
    schedule, moments = Schedule(), []

    def refresh(self: SitemapAnswers) -> None:
        moments.append(schedule.clock.seconds)
        schedule.clock.seconds += 4

    monkeypatch.setattr(SitemapAnswers, "refresh", refresh)
    began = schedule.clock.seconds
    events: list[dict[str, Any]] = [EVENT, {}]
    for event in events:
        schedule.handler(event, None)
    assert moments == [began, began + 30, began + 34, began + 64]
    assert schedule.slept == [0, 26, 0, 26]


def test_what_fails_is_tried_again_and_then_raised() -> None:
    """Where Postgres can't be read the second half minute is not given up; the call fails in the end."""
    schedule = Schedule()
    with pytest.raises(RecordsUnavailable):
        schedule.handler(EVENT, None)
    assert len(schedule.slept) == 2
    assert not [key for key in schedule.shared.objects if "current" in key]


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(base_url=None),
        Schedule("pages: [{name: home, path: /}]"),
        Schedule(f"seo: {{sitemap: false}}\n{POSTS}"),
        Schedule(**{"public/sitemap.xml": "<urlset/>"}),
    ],
    ids=["origin unknown", "no records", "no sitemap", "the owner's own"],
)
def test_nothing_is_made_that_nobody_is_served(schedule: Schedule) -> None:
    """Without an origin, records or a sitemap of ours there is nothing to compute ahead."""
    schedule.handler(EVENT, None)
    assert schedule.shared.asked == []
