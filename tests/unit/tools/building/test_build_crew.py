"""Processes that work through jobs: all of them, with questions in between, and with what goes wrong told."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from fingerpost_tools.building.crew import Crew, CrewFailed, Worker, cores

METHODS = ["fork", "spawn"]


class Squarer:
    """Squares numbers; words make it do other things."""

    def run(self, job: Any, ask: Callable[[Any], Any]) -> Any:
        if job == "ask":
            return ask("what?")
        if job == "fail":
            raise ValueError("no such number")
        if job == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "sleep":
            time.sleep(60)
        return job * job


def broken() -> Worker:
    raise RuntimeError("nothing to work with")


def unanswered(question: Any) -> Any:
    raise AssertionError(f"nobody should ask {question!r}")


@pytest.fixture
def results() -> list[Any]:
    return []


@pytest.mark.parametrize("method", METHODS)
def test_every_job_is_done_once(results: list[Any], method: str) -> None:
    """However many jobs and processes there are, each job has one result."""
    crew = Crew(Squarer, 3, unanswered, results.append, method)
    for number in range(200):
        crew.submit(number)
    crew.finish()
    crew.stop()
    assert sorted(results) == [number * number for number in range(200)]


@pytest.mark.parametrize("method", METHODS)
def test_a_question_is_answered_here(results: list[Any], method: str) -> None:
    """A process that asks gets the answer that this process has."""
    crew = Crew(Squarer, 2, lambda question: f"{question} {os.getpid()}", results.append, method)
    for _ in range(5):
        crew.submit("ask")
    crew.finish()
    crew.stop()
    assert results == [f"what? {os.getpid()}"] * 5


@pytest.mark.parametrize(
    ("job", "message"),
    [("fail", "ValueError: no such number"), ("die", "was killed before its work was done")],
)
def test_what_goes_wrong_ends_the_work(results: list[Any], job: str, message: str) -> None:
    """A job that fails and a process that is killed are told to whoever hands over jobs."""
    crew = Crew(Squarer, 2, unanswered, results.append, "fork")

    def work() -> None:
        for number in range(1_000):
            crew.submit(job if number == 10 else number)
        crew.finish()

    with pytest.raises(CrewFailed, match=message):
        work()
    crew.stop()
    assert len(results) < 1_000


@pytest.mark.parametrize("where", ["answer", "done"])
def test_what_goes_wrong_here_ends_the_work(where: str) -> None:
    """An answer that can't be given, or a result that can't be taken, is told as it is."""

    def fail(_: Any) -> Any:
        raise LookupError("the database is gone")

    def ignore(_: Any) -> Any:
        return None

    answer, done = (fail, ignore) if where == "answer" else (ignore, fail)
    crew = Crew(Squarer, 1, answer, done, "fork")
    crew.submit("ask")
    with pytest.raises(LookupError, match="the database is gone"):
        crew.finish()
    crew.stop()


def test_a_worker_that_can_not_be_made(results: list[Any]) -> None:
    """What stops a process at its beginning is told with its reason."""
    crew = Crew(broken, 1, unanswered, results.append, "fork")
    crew.submit(1)
    with pytest.raises(CrewFailed, match="RuntimeError: nothing to work with"):
        crew.finish()
    crew.stop()


def test_stopping_waits_for_nothing(results: list[Any]) -> None:
    """Processes are ended in the middle of their work, and stay so."""
    crew = Crew(Squarer, 2, unanswered, results.append, "fork")
    for _ in range(3):
        crew.submit("sleep")
    began = time.monotonic()
    crew.stop()
    crew.stop()
    assert time.monotonic() - began < 10
    with pytest.raises(CrewFailed, match="stopped"):
        crew.submit(1)


def test_jobs_do_not_pile_up(results: list[Any]) -> None:
    """Whoever hands over jobs waits once a few of them wait for each process."""
    crew = Crew(Squarer, 1, unanswered, results.append, "fork")
    handed_over: list[int] = []

    def hand_over() -> None:
        with suppress(CrewFailed):
            for number in range(100):
                crew.submit("sleep")
                handed_over.append(number)

    thread = threading.Thread(target=hand_over)
    thread.start()
    thread.join(1)
    assert thread.is_alive()
    assert len(handed_over) == 3  # one at work, two waiting
    crew.stop()
    thread.join()
    assert len(handed_over) < 100


def test_the_processes_end_with_the_one_that_leads_them() -> None:
    """A leading process that is killed leaves none behind: each sees that its link is gone."""
    script = (
        "import os, time\n"
        "from tests.unit.tools.building.test_build_crew import Squarer, unanswered\n"
        "from fingerpost_tools.building.crew import Crew\n"
        "crew = Crew(Squarer, 3, unanswered, print, 'fork')\n"
        "print(*[process.pid for process in crew._processes], flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as leader:
        assert leader.stdout is not None
        processes = [int(word) for word in leader.stdout.readline().split()]
        leader.kill()
    end = time.monotonic() + 10
    while (alive := [process for process in processes if _is_alive(process)]) and time.monotonic() < end:
        time.sleep(0.05)
    assert alive == []


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that ended stays in the table until whoever inherited it has looked.
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_there_is_a_core() -> None:
    """At least one processor is there to use."""
    assert cores() >= 1
