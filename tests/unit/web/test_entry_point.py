"""What every function does around its own document."""

import subprocess
import sys
from typing import Any

import pytest

from fingerpost.errors import ConfigurationUnavailable, Unavailable
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.web.answer import TEXT, Answer
from fingerpost.web.entry_point import handler_for
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request

HELLO = Answer(200, b"hello", TEXT, Policy.DOCUMENT)


class Context:
    """What of Lambda's context is used."""

    aws_request_id = "9a1c"


def event(method: str = "GET", path: str = "/x", **headers: str) -> dict[str, Any]:
    return {
        "rawPath": path,
        "headers": headers,
        "rawQueryString": "key=s3cret",
        "requestContext": {"http": {"method": method}},
    }


def hello(request: Request) -> Answer:
    return HELLO


def raising(error: Exception) -> Any:
    def answer(request: Request) -> Answer:
        raise error

    return answer


@pytest.mark.parametrize("method", ["GET", "HEAD", "get"])
def test_answers(method: str) -> None:
    """GET and HEAD reach the document."""
    response = handler_for(hello)(event(method), Context())
    assert response["statusCode"] == 200
    assert response["headers"]["content-length"] == "5"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods(method: str) -> None:
    """case 9: any other method gets 405 with Allow, without asking the document."""
    response = handler_for(raising(AssertionError("asked")))(event(method), Context())
    assert response["statusCode"] == 405
    assert response["headers"]["allow"] == "GET, HEAD"
    assert response["headers"]["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "error",
    [
        Unavailable("somewhere is down"),
        StoreUnavailable("s3://bucket: timed out"),
        RecordsUnavailable("public.posts.slug: no such column"),
        ConfigurationUnavailable("app.yaml: missing"),
    ],
)
def test_unavailable(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """What can't be had now is a 503 with Retry-After that tells the client nothing and the log what."""
    response = handler_for(raising(error))(event(), Context())
    assert response["statusCode"] == 503
    assert response["headers"]["retry-after"] == "30"
    assert response["headers"]["cache-control"] == "no-store"
    assert str(error) not in response["body"]
    assert str(error) in caplog.text
    assert "9a1c" in caplog.text


@pytest.mark.parametrize("error", [ValueError("boom at 10.0.0.1"), KeyError("slug"), RecursionError("deep")])
def test_failure(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """Any other exception is a 500 that says nothing, with a traceback in the log and no query."""
    response = handler_for(raising(error))(event(cookie="session=a.b.c"), Context())
    assert response["statusCode"] == 500
    assert response["body"] == "Internal server error\n"
    assert response["headers"]["cache-control"] == "no-store"
    assert type(error).__name__ in caplog.text
    assert "Traceback" in caplog.text
    assert "s3cret" not in caplog.text
    assert "a.b.c" not in caplog.text


def test_head_of_a_failure_has_no_body() -> None:
    """A HEAD that fails is answered without a body like any other."""
    assert handler_for(raising(ValueError()))(event("HEAD"), Context())["body"] == ""


@pytest.mark.parametrize("garbage", [{}, {"headers": []}, {"requestContext": "x"}, {"rawPath": 5}])
def test_garbage_events(garbage: dict[str, Any]) -> None:
    """An event of another shape never raises."""
    assert handler_for(hello)(garbage, None)["statusCode"] == 200


def test_imports_stay_light() -> None:
    """Loading the entry point and the visitor's reader loads nothing that costs tens of milliseconds."""
    heavy = (
        "boto3 botocore pg8000 yaml jwt cryptography aws_lambda_powertools logging email urllib.request "
        "http.client asyncio html difflib ssl"
    )
    program = (
        "import sys; import fingerpost.web.entry_point, fingerpost.web.visitor; "
        f"print(*[name for name in {heavy.split()!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, 'shared'); {program}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=__file__.rpartition("/tests/")[0],
    )
    assert done.stdout.split() == []
