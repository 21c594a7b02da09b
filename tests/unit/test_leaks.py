"""The watch over the logs sees what it is there for."""

import os
import subprocess
import sys
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
LEAKING = {
    "a logger": "logging.getLogger('deep.down').error('the session is %s', SECRET)",
    "a quiet level": "each = logging.getLogger('x'); each.setLevel(logging.DEBUG); each.debug(SECRET)",
    "a traceback": "try: raise ValueError(SECRET)\n    except ValueError: logging.exception('it failed')",
    "stdout": "print('asked with', SECRET)",
    "stderr": "print(SECRET, file=sys.stderr)",
    "a program": "subprocess.run([sys.executable, '-c', f'print({SECRET!r})'])",
    "a log file": "(tmp_path / 'server.log').write_text(f'connecting to {SECRET}')",
    "a teardown": "request.addfinalizer(lambda: logging.error(SECRET))",
}


def run(folder: Path, line: str, secret: str) -> "subprocess.CompletedProcess[str]":
    """A session of pytest of its own, with one test of one line."""
    (folder / "conftest.py").write_text(CONFTEST.replace("KEPT", repr(KEPT)))
    (folder / "test_it.py").write_text(
        f"import logging, subprocess, sys\nSECRET = {secret!r}\ndef test_it(tmp_path, request):\n    {line}\n"
    )
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"),
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
    done = run(tmp_path, QUIET, TOKEN)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("how", LEAKING)
def test_a_leak_fails_the_test(how: str, tmp_path: Path) -> None:
    """Whichever way a secret gets out, the session fails, and its report does not spread it further."""
    done = run(tmp_path, LEAKING[how], TOKEN)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "expected no secret in" in done.stdout
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.parametrize("secret", [TOKEN, URL, KEPT], ids=["token", "URL", "a fixture's"])
def test_every_kind_of_secret_counts(secret: str, tmp_path: Path) -> None:
    """A session token, the password in a database's URL, and what a fixture calls secret."""
    done = run(tmp_path, LEAKING["a logger"], secret)
    assert done.returncode == 1, done.stdout + done.stderr


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
