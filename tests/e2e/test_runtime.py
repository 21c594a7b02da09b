"""The built functions in Lambda's own runtime, against S3 and Postgres, answer as they do in this process."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalogue.publication import read_configuration
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.web.entry_point import handler_for
from fingerpost.web.feed import FeedAnswers
from fingerpost.web.instance import Answers, Instance, open_instance
from fingerpost.web.llms import LlmsAnswers
from fingerpost.web.pages import PageAnswers
from fingerpost.web.robots import RobotsAnswers
from fingerpost.web.sitemap import SitemapAnswers
from fingerpost_tools import embedded_s3, environment, site_database, visitor
from fingerpost_tools.functions import PAGE, ROUTES
from tests.e2e import lambda_runtime, sites
from tests.e2e.lambda_runtime import Function
from tests.lambda_build import ROOT, layer

RUNTIME = lambda_runtime.find_runtime()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif(isinstance(RUNTIME, str), reason=str(RUNTIME)),
]

Event = dict[str, Any]
Answer = dict[str, Any]
Invoke = Callable[[Event], Answer]

ANSWERS: Mapping[str, Callable[[Instance], Answers]] = {
    "sitemap": SitemapAnswers,
    "robots": RobotsAnswers,
    "feed": FeedAnswers,
    "llms": LlmsAnswers,
    PAGE: PageAnswers,
}
RECORDED: Mapping[str, Event] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "infra/events").glob("*.json"))
}
# How much later one of two answers may have been made (seconds), which a sitemap's lifetime tells.
APART = 10


def like(name: str, path: str, method: str = "GET", query: str = "", **headers: str) -> Event:
    """The recorded event `name` for another path, with other headers (`_` for `-`)."""
    event: Event = json.loads(json.dumps(RECORDED[name]))
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    event["rawQueryString"] = query
    event["requestContext"]["http"]["method"] = method
    event["headers"] |= {header.replace("_", "-"): value for header, value in headers.items()}
    return event


# Where a cookie is due, it is the member's.
MEMBER = "member"
EVENTS: Mapping[str, Event] = {
    **{f"recorded {name}": event for name, event in RECORDED.items()},
    "a sitemap without compression": like("sitemap", "/sitemap.xml", accept_encoding="gzip;q=0"),
    "a sitemap's head": like("sitemap", "/sitemap.xml", "HEAD"),
    "a child that is not there": like("sitemap", "/sitemap-7.xml"),
    "a post to the feed": like("feed", "/feed.xml", "POST"),
    "all articles in one": like("llms", "/llms-full.txt"),
    "the manifest": like("llms", "/agent-readability.json"),
    "a twin": like("page-html", "/fr/docs/start/placing.md"),
    "a record": like("page-html", "/en/blog/late-frost-in-the-orchard"),
    "a record with an ampersand": like("page-html", "/en/blog/q-&-a"),
    "a record beyond ASCII": like("page-html", "/fr/blog/caf%C3%A9-in-the-drizzle"),
    "a record with an encoded percent": like("page-html", "/en/blog/100%2525"),
    "a listing of records": like("page-html", "/en/gardens"),
    "a trailing slash": like("page-html", "/en/about/", query="from=news&x=%2F"),
    "a picture": like("page-html", "/assets/wren.svg"),
    "bytes that are no text": like("page-html", "/favicon.ico"),
    "the members' page, to a stranger": like("page-html", "/en/members"),
    "the members' page, to a member": like("page-html", "/en/members") | {"cookies": [MEMBER]},
    "a traversal": like("page-html", "/en/..%2f..%2fapp.yaml"),
    "a path that is no UTF-8": like("page-html", "/en/%ff"),
    "another host": like("robots", "/robots.txt", x_viewer_host="evil.example"),
}


@pytest.fixture(scope="module")
def member() -> visitor.Identity:
    """A signed-in member of the demo site."""
    return visitor.signed_in(["member"])


@pytest.fixture(scope="module")
def settings(reachable: Path, member: visitor.Identity) -> Iterator[dict[str, str]]:
    """The functions' settings: the demo site in S3 and Postgres on this machine, and its members."""
    root = sites.copy(sites.DEMO, reachable / "runtime")
    site = read_configuration(DirectoryStore(root)).site
    with (
        site_database.open_database(root, site, None, lambda said: None) as database,
        embedded_s3.running(root, lambda keys: None) as store,
    ):
        assert database.url is not None
        store.put_aside(visitor.JWKS_KEY, member.jwks)
        yield {**store.environment(), **member.environment(), "DATABASE_URL": database.url}


@pytest.fixture(scope="module")
def in_lambda(
    built: Path, settings: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Function]]:
    """Each function by name, in a runtime of its own that starts when it is first asked for."""
    assert not isinstance(RUNTIME, str)
    runtime, running = RUNTIME, dict[str, Function]()
    with contextlib.ExitStack() as stack:

        def function(name: str) -> Function:
            if name not in running:
                title = f"{name.capitalize()}Function"
                started = lambda_runtime.running(
                    runtime, title, built / title, layer(built), settings, tmp_path_factory.mktemp(name)
                )
                running[name] = stack.enter_context(started)
            return running[name]

        yield function


@pytest.fixture(scope="module")
def in_process(settings: Mapping[str, str]) -> Iterator[Callable[[str], Invoke]]:
    """The same functions' answers without a runtime, by name."""
    handlers: dict[str, Invoke] = {}
    with contextlib.ExitStack() as stack:
        stack.enter_context(environment.settings(settings))

        def handler(name: str) -> Invoke:
            if name not in handlers:
                instance = open_instance()
                assert isinstance(instance.records, PostgresRecords)
                stack.callback(instance.records.close)
                stack.callback(instance.restored)  # lets go of its connections to S3
                answer = handler_for(ANSWERS[name](instance).answer)
                handlers[name] = lambda event: answer(event, None)
            return handlers[name]

        yield handler


def function_of(event: Event) -> str:
    """The name of the function that the CDN sends an event to."""
    path = event["rawPath"]
    return next((name for name, pattern in ROUTES if pattern.fullmatch(path)), PAGE)


def without_age(answer: Answer) -> tuple[Answer, int]:
    """An answer without its lifetime, which is what is left of a minute, and that lifetime (seconds)."""
    told = answer["headers"]["cache-control"]
    found = re.search(r"max-age=(\d+)", told)
    if found is None:
        return answer, 0
    headers = answer["headers"] | {"cache-control": told.replace(found[0], "max-age=")}
    return answer | {"headers": headers}, int(found[1])


@pytest.mark.parametrize("name", EVENTS)
def test_the_runtime_answers_as_this_process_does(
    name: str,
    in_lambda: Callable[[str], Function],
    in_process: Callable[[str], Invoke],
    member: visitor.Identity,
) -> None:
    """Status, headers and body of each recorded event are the same in Lambda's runtime, with the built
    function and layer alone, as they are here."""
    event = EVENTS[name]
    if event.get("cookies") == [MEMBER]:
        event = event | {"cookies": [member.cookie]}
    expected, expected_age = without_age(in_process(function_of(event))(event))
    found, age = without_age(in_lambda(function_of(event)).invoke(event))
    assert found == expected
    assert abs(age - expected_age) <= APART


STATUSES = {
    "recorded not-found": 404,
    "a child that is not there": 404,
    "a post to the feed": 405,
    "a trailing slash": 301,
    "the members' page, to a stranger": 302,
    "a traversal": 404,
    "a path that is no UTF-8": 404,
}


def test_the_events_cover_what_the_functions_answer(in_process: Callable[[str], Invoke]) -> None:
    """Each event has the status it stands for; answers are text, base64 or without a body."""
    answers = {
        name: in_process(function_of(event))(event)
        for name, event in EVENTS.items()
        if event.get("cookies") != [MEMBER]
    }
    assert {name: each["statusCode"] for name, each in answers.items()} == {
        name: STATUSES.get(name, 200) for name in answers
    }
    forms = {(bool(each["body"]), each["isBase64Encoded"]) for each in answers.values()}
    assert forms == {(True, True), (True, False), (False, False)}


def test_a_member_sees_what_a_stranger_does_not(
    in_lambda: Callable[[str], Function], member: visitor.Identity
) -> None:
    """A session signed with a key of the site's JWKS opens the members' page in the runtime too."""
    event = EVENTS["the members' page, to a member"] | {"cookies": [member.cookie]}
    answer = in_lambda(PAGE).invoke(event)
    assert answer["statusCode"] == 200
    assert answer["headers"]["cache-control"] == "private, no-cache"


def test_a_copy_that_is_still_good_is_told_so(in_lambda: Callable[[str], Function]) -> None:
    """The ETag of one answer gets 304 for the next, without a body (case 8)."""
    function = in_lambda("robots")
    tag = function.invoke(RECORDED["robots"])["headers"]["etag"]
    answer = function.invoke(like("robots", "/robots.txt", if_none_match=tag))
    assert (answer["statusCode"], answer["body"]) == (304, "")
    assert {"cache-control", "etag", "vary"} == answer["headers"].keys()


def test_a_failure_is_logged_and_counted_as_lambda_has_it(
    built: Path, settings: Mapping[str, str], tmp_path: Path
) -> None:
    """Without its database the sitemap is a 503, its reason one structured line without the password, and its
    count a metric of the function's own."""
    assert not isinstance(RUNTIME, str)
    broken = dict(settings) | {"DATABASE_URL": "postgresql://reader:hunter2@127.0.0.1:9/site"}
    function, title = built / "SitemapFunction", "SitemapFunction"
    with lambda_runtime.running(RUNTIME, title, function, layer(built), broken, tmp_path) as sitemap:
        answer = sitemap.invoke(RECORDED["sitemap"])
        log = sitemap.logged()
    assert (answer["statusCode"], answer["headers"]["cache-control"]) == (503, "no-store")
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    (error,) = [line for line in lines if line.get("level") == "ERROR"]
    assert "127.0.0.1:9/site could not be reached" in error["message"]
    assert error["detail"]["path"] == "/sitemap.xml"
    assert "hunter2" not in log
    (metric,) = [line for line in lines if "_aws" in line]
    assert (metric["function"], metric["Unavailable"]) == (title, [1.0])
    assert metric["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Fingerpost"
