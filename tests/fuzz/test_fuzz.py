"""Anything at all, sent as requests and written as sites: no failure, no answer slower than a second."""

import importlib.util
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.mutations import SEEDS, mutated, seeds
from tests.fuzz.targets import TARGETS, FindingError, configuration, cookies, paths, requests
from tests.template.cloudformation import ROOT

# How long each target is fuzzed by each of the two ways (seconds). FINGERPOST_FUZZ_SECONDS=600 is long.
SECONDS = float(os.environ.get("FINGERPOST_FUZZ_SECONDS", "3"))
_ROUND = settings(
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    """What is refused is told to a log that nobody reads here."""
    log = logging.getLogger("fingerpost")
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(logging.NOTSET)


def test_every_target_has_seeds() -> None:
    """Fuzzing begins with what a target is meant for, and with what was once found."""
    assert {path.name for path in SEEDS.iterdir()} == TARGETS.keys()
    assert all(seeds(name) for name in TARGETS)
    assert sum(path.stat().st_size for path in SEEDS.rglob("*")) < 200_000


@pytest.mark.parametrize(
    "seed", sorted(SEEDS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_seeds(seed: Path) -> None:
    """Nothing that was ever found is found again."""
    TARGETS[seed.parent.name](seed.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_mutations(name: str) -> None:
    """Neither is anything in what becomes of the seeds."""
    target, strategy = TARGETS[name], mutated(seeds(name))
    end, number = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:

        @hypothesis.seed(number)
        @_ROUND
        @given(strategy)
        def fuzz(data: bytes) -> None:
            target(data)

        fuzz()
        number += 1


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", TARGETS)
def test_coverage_guided(name: str, tmp_path: Path) -> None:
    """Nor in what a fuzzer finds that sees which way the code went."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.fuzz.fuzzer", name, f"-max_total_time={max(1, round(SECONDS))}"),
            *("-seed=1", "-timeout=30", "-rss_limit_mb=1024", "-verbosity=0"),
            *(f"-artifact_prefix={tmp_path}/", str(corpus), str(SEEDS / name)),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert done.returncode == 0, f"{found}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize(
    ("target", "data", "broken"),
    [
        (requests, b"GET /", "fingerpost.web.entry_point.to_event"),
        (paths, b"docs", "fingerpost.web.pages.find_target"),
        (configuration, b"name: x\npages: [{name: a, path: /a}]", "fingerpost.web.sitemap.render_children"),
    ],
    ids=["an exception", "a failure", "a failing document"],
)
def test_a_fault_is_found(
    target: Callable[[bytes], None], data: bytes, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The targets see what goes wrong."""

    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    target(data)
    monkeypatch.setattr(broken, fails)
    with pytest.raises((FindingError, ZeroDivisionError)):
        target(data)


def test_slowness_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The targets see what takes long."""
    monkeypatch.setattr("tests.fuzz.targets.SECONDS", 0.0)
    with pytest.raises(FindingError, match=r"took \d"):
        paths(b"docs")


def test_an_open_door_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The targets see when a restricted page opens."""
    monkeypatch.setattr("fingerpost.web.pages.may_open", lambda verdict, visitor: True)
    with pytest.raises(FindingError):
        cookies(b"session=x")
