"""The schedule's side of the sitemap: sets computed ahead of their time, so that no visitor waits for one."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from fingerpost.errors import Unavailable
from fingerpost.observe import count, log_error
from fingerpost.web.instance import Instance
from fingerpost.web.sitemap import SitemapAnswers

# A rule of EventBridge fires once a minute at most (seconds). A set is good for as long, from the moment it
# describes: made a minute after the last one, it would come too late by the time that making it takes.
_PERIOD: Final = 60.0
_TURNS: Final = 2

Refresh = Callable[[Mapping[str, Any], object], None]


def refresher_for(
    open_instance: Callable[[], Instance], sleep: Callable[[float], None] = time.sleep
) -> Refresh:
    """A handler (event, context -> nothing) for a schedule that fires once a minute: it makes a set at once,
    and another half a minute later. What fails is logged, and raised once all that could be done is done."""
    made: list[tuple[Instance, SitemapAnswers]] = []

    def refresh(event: Mapping[str, Any], context: object) -> None:
        if not made:
            instance = open_instance()
            made.append((instance, SitemapAnswers(instance)))
        instance, answers = made[0]
        began, failure = instance.clock(), None
        for turn in range(_TURNS):
            sleep(max(0.0, began + turn * _PERIOD / _TURNS - instance.clock()))
            try:
                answers.refresh()
            except Unavailable as error:
                log_error(f"{type(error).__name__}: {error}", turn=turn)
                count("Unavailable")
                failure = error
        if failure is not None:
            raise failure

    return refresh
