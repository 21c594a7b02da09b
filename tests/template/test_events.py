"""The recorded events for `sam local invoke`: what a function sees of a request through the distribution."""

import json
from pathlib import Path
from typing import Any

import pytest

from fingerpost.web.request import from_event
from tests.template.cloudformation import ROOT, load, resolve
from tests.template.test_distribution import key, policies, target

EVENTS = {path.stem: path for path in sorted((ROOT / "infra" / "events").glob("*.json"))}
FUNCTION_OF = {
    "sitemap": "sitemap",
    "robots": "robots",
    "feed": "feed",
    "llms": "llms",
    "page-html": "page",
    "page-markdown": "page",
    "head": "page",
    "not-found": "page",
}


def read(path: Path) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return event


def test_there_is_an_event_for_each_answer() -> None:
    """Each function has an event at least, and pages have one for each form and failure."""
    assert EVENTS.keys() == FUNCTION_OF.keys()


@pytest.mark.parametrize("name", FUNCTION_OF)
def test_an_event_is_what_its_function_would_get(name: str) -> None:
    """The distribution would send each event's address to the function that it is recorded for."""
    resources = resolve(load())
    configuration = resources["Distribution"]["Properties"]["DistributionConfig"]
    event = read(EVENTS[name])
    request = from_event(event)
    assert target(configuration, request.path) == FUNCTION_OF[name]
    assert request.host == "www.example.com"
    assert request.method == ("HEAD" if name == "head" else "GET")
    assert event["version"] == "2.0"


@pytest.mark.parametrize("name", FUNCTION_OF)
def test_an_event_holds_no_header_that_the_distribution_keeps_back(name: str) -> None:
    """Of the visitor's own headers, an event holds those of its behaviour's cache key and no others."""
    policy = "PageCachePolicy" if FUNCTION_OF[name] == "page" else "DocumentCachePolicy"
    forwarded = set(key(policies(resolve(load()))[policy])["HeadersConfig"]["Headers"])
    added = {"accept-encoding", "host", "user-agent", "via", "x-amz-cf-id", "x-amzn-trace-id"}
    headers = {header for header in read(EVENTS[name])["headers"] if not header.startswith("x-forwarded-")}
    assert headers == forwarded | added
