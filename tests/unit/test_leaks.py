"""The watch over the logs sees what it is there for."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.leaks import leaks
from tests.template.cloudformation import ROOT

TOKEN = ".".join(("eyJhbGciOiJFUzI1NiJ9", "eyJyb2xlcyI6WyJhZG1pbiJdfQ", "c2lnbmF0dXJlLXNpZ25hdHVyZQ"))
URL = "postgresql://reader:" + "hunter2!" + "@db.example/site"
KEPT = "zaunkoenig-of-the-test"

CONFTEST = """
from tests import leaks

leaks.keep_secret(KEPT)

def pytest_configure(config):
    config.pluginmanager.register(leaks)
"""
QUIET = "logging.getLogger('x').warning('a line of %s', 'text')"
LOGGED = "logging.getLogger('deep.down').error('the session is %s', SECRET)"
LEAKING = {
    "a_logger": (LOGGED, TOKEN),
    "a_url": (LOGGED, URL),
    "a_fixtures_secret": (LOGGED, KEPT),
    "a_quiet_level": (
        "each = logging.getLogger('x'); each.setLevel(logging.DEBUG); each.debug(SECRET)",
        TOKEN,
    ),
    "a_traceback": (
        "try: raise ValueError(SECRET)\n    except ValueError: logging.exception('it failed')",
        TOKEN,
    ),
    "stdout": ("print('asked with', SECRET)", TOKEN),
    "stderr": ("print(SECRET, file=sys.stderr)", TOKEN),
    "a_program": ("subprocess.run([sys.executable, '-S', '-c', f'print({SECRET!r})'])", TOKEN),
    "a_teardown": ("request.addfinalizer(lambda: logging.error(SECRET))", TOKEN),
}
LOG_FILE = "(tmp_path / 'server.log').write_text(f'connecting to {SECRET}')"


def run(folder: Path, tests: Mapping[str, tuple[str, str]]) -> "subprocess.CompletedProcess[str]":
    """A session of pytest of its own, with tests of one line by name, each with its secret."""
    (folder / "conftest.py").write_text(CONFTEST.replace("KEPT", repr(KEPT)))
    bodies = (
        f"def test_{name}(tmp_path, request):\n    SECRET = {secret!r}\n    {line}\n"
        for name, (line, secret) in tests.items()
    )
    (folder / "test_it.py").write_text("import logging, subprocess, sys\n" + "".join(bodies))
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "-W", "error"),
            *("--show-capture=no", f"--rootdir={folder}", str(folder)),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_quiet_test_passes(tmp_path: Path) -> None:
    """Where nothing leaks, the watch is not noticed."""
    done = run(tmp_path, {"quiet": (QUIET, TOKEN)})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a session says in which a test leaks in every way, and another does not."""
    done = run(tmp_path_factory.mktemp("leaking"), {"quiet": (QUIET, TOKEN), **LEAKING})
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("how", LEAKING)
def test_a_leak_fails_the_test(how: str, report: str) -> None:
    """Whichever way a secret gets out, and whatever makes it one, that test fails."""
    assert re.search(rf"^(FAILED|ERROR) test_it\.py::test_{how}\b", report, re.MULTILINE), report


def test_the_test_beside_it_passes(report: str) -> None:
    """A leak is held against the test that leaks, and no other."""
    assert "test_quiet" not in report


def test_a_report_does_not_spread_what_leaked(report: str) -> None:
    """The report says where a secret was, and not which."""
    assert report.count("expected no secret in") >= len(LEAKING)
    assert not any(secret in report for secret in (TOKEN, URL, KEPT))


def test_a_leak_into_a_log_file_fails_the_session(tmp_path: Path) -> None:
    """What programs write into their logs is looked through in the end."""
    done = run(tmp_path, {"log_file": (LOG_FILE, TOKEN)})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "expected no secret in" in done.stdout
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://reader:[hidden]@db.example/site",
        "https://example.com/a:b",
        "mailto:jane@example.com",
        "eyJhbGciOiJFUzI1NiJ9.[hidden]",
        "at 12:30 http://127.0.0.1:8000/@user",
        "eyJ.a.b",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    """What is hidden already, ports, and addresses of people are no secrets."""
    assert list(leaks(text)) == []


def test_a_leak_is_told_without_the_secret() -> None:
    """What is said of a leak is its kind and what stands before it, with every secret taken out."""
    (found,) = leaks(f"first {URL}")
    assert found == "a URL with a password: ...first [hidden]"
    assert not any("hunter2" in each for each in leaks(f"{URL} and {URL} and {TOKEN}"))
