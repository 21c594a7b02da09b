"""What the operator gets to see."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.observe import count, log_error, log_warning, without_secrets

TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
ROOT = Path(__file__).parents[2]


def test_line(caplog: pytest.LogCaptureFixture) -> None:
    """A line outside Lambda holds the message and its fields, and goes to the logger `fingerpost`."""
    log_warning("the keys can't be read", reason="timed out", tries=2, empty=None)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("fingerpost", "WARNING")
    assert record.getMessage() == "the keys can't be read reason=timed out tries=2"


def test_traceback(caplog: pytest.LogCaptureFixture) -> None:
    """An error says where it was raised while it is being handled, and nothing more otherwise."""
    try:
        raise ValueError("boom")
    except ValueError:
        log_error("failed")
    log_error("failed again")
    first, second = (record.getMessage() for record in caplog.records)
    assert "test_observe.py" in first
    assert first.endswith("ValueError: boom")
    assert second == "failed again"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("connect postgres://fp:hunter2@db.internal/site failed", "hunter2"),
        (f"bad token {TOKEN} seen", TOKEN),
        ("dsn host=db password=hunter2 user=fp", "hunter2"),
        ("dsn host=db PASSWORD=hunter2", "hunter2"),
        (f"cookie session={TOKEN[:-13]}", TOKEN[:-14]),
    ],
)
def test_secrets_in_text(text: str, hidden: str, caplog: pytest.LogCaptureFixture) -> None:
    """Passwords and tokens are hidden in messages, fields and tracebacks, and the rest stays readable."""
    try:
        raise ValueError(text)
    except ValueError as error:
        log_error(text, reason=error)
    assert hidden not in caplog.text
    assert "[hidden]" in caplog.text
    assert text.split()[0] in caplog.text


@pytest.mark.parametrize(
    "name", ["cookie", "cookies", "session_token", "password", "Authorization", "secret_arn"]
)
def test_secret_fields(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """A field whose name says that it is secret is not written."""
    log_error("failed", **{name: "hunter2"})
    assert "hunter2" not in caplog.text
    assert name in caplog.text


@given(st.text())
def test_hiding_never_fails(text: str) -> None:
    """Any text can be searched for secrets, and what has been hidden stays as it is."""
    once = without_secrets(text)
    assert without_secrets(once) == once


def test_count_outside_lambda(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing collects metrics, none is printed."""
    count("Failed")
    assert capsys.readouterr().out == ""


def in_lambda(program: str) -> list[dict[str, Any]]:
    """What a program prints where it is told that it runs in Lambda, line by line."""
    environment = os.environ | {
        "AWS_LAMBDA_FUNCTION_NAME": "fingerpost-sitemap",
        "PYTHONPATH": str(ROOT / "shared"),
        "POWERTOOLS_TRACE_DISABLED": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_in_lambda() -> None:
    """In Lambda lines are JSON with the fields under `detail`, nothing secret in them, and counts are EMF."""
    line, metric = in_lambda(
        "from fingerpost.observe import *\n"
        "try:\n"
        "    raise ValueError('password=hunter2')\n"
        "except ValueError:\n"
        "    log_error('failed', name='x', path='/a', cookie='c', size=3)\n"
        "count('Failed')\n"
    )
    assert (line["level"], line["message"], line["service"]) == ("ERROR", "failed", "fingerpost")
    assert line["detail"] == {"name": "x", "path": "/a", "cookie": "[hidden]", "size": 3}
    assert line["traceback"].endswith("ValueError: password=[hidden]")
    assert "exception" not in line
    (directive,) = metric["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == "Fingerpost"
    assert directive["Metrics"] == [{"Name": "Failed", "Unit": "Count"}]
    assert metric["Failed"] == [1.0]
    assert metric["function"] == "fingerpost-sitemap"


def test_import_costs_nothing() -> None:
    """Importing the module loads neither a logger nor Powertools."""
    (loaded,) = in_lambda(
        "import sys; before = set(sys.modules); import fingerpost.observe, json; "
        "heavy = {'logging', 'traceback', 'aws_lambda_powertools'}; "
        "print(json.dumps({'heavy': sorted(heavy & (set(sys.modules) - before))}))"
    )
    assert loaded == {"heavy": []}
