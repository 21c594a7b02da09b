"""A build that is killed or interrupted, at several moments, leaves the output of the last one as it was."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.tools.building.sites import ORIGIN, Build, files, fingerprint, write

pytestmark = pytest.mark.slow

ARTICLES = 1_000
SECONDS = 60

# How many files of the new output are there when the build is stopped.
MOMENTS = {"begun": 0, "some pages": 50, "most pages": 1_200}


@pytest.fixture
def large(site: Path) -> Path:
    """The site with so many articles that its build takes a while."""
    paragraph = "Words *and* more [words](/about), and `code`.\n\n"
    write(site, {f"content/many/article-{number}.md": paragraph * 40 for number in range(ARTICLES)})
    return site


def started(site: Path, out: Path) -> "subprocess.Popen[bytes]":
    """The command in a process of its own."""
    command = [sys.executable, "-m", "fingerpost_tools", "build", str(site), "--out", str(out), "--quiet"]
    return subprocess.Popen(
        [*command, "--base-url", ORIGIN],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def staging(out: Path) -> Iterator[Path]:
    """The directories that builds write before they publish."""
    return (path for path in out.parent.glob(f".{out.name}.fingerpost-*") if path.is_dir())


def wait_until(process: "subprocess.Popen[bytes]", out: Path, count: int) -> None:
    """Wait until the new output holds `count` files and the build still runs."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for folder in staging(out):
            if sum(len(names) for _, _, names in os.walk(folder)) >= count:
                return
        assert process.poll() is None, "the build was over before it could be stopped"
    pytest.fail("the build did not get that far")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_a_stopped_build_changes_nothing(
    build: Build, large: Path, out: Path, moment: str, number: signal.Signals, code: int
) -> None:
    """The old output is the same file by file, and the next build succeeds with nothing left behind."""
    write(out, {"index.html": "old", "old.html": "old", ".fingerpost-build.json": "{}"})
    before = fingerprint(out)
    with started(large, out) as process:
        wait_until(process, out, MOMENTS[moment])
        process.send_signal(number)
        process.communicate()
    assert process.returncode == code
    assert fingerprint(out) == before
    if number is not signal.SIGKILL:
        assert list(staging(out)) == []
    shutil.rmtree(large / "content" / "many")  # a smaller build tells as much
    result = build()
    assert result.code == 0
    assert result.report["articles"] == 5
    assert "old.html" not in files(out)
    assert sorted(os.listdir(out.parent)) == ["out", "site"]
