"""Processes that work through jobs, fed no faster than they can follow, with a line back to this process.

Each process has a thread here that hands it one job at a time and answers what it asks meanwhile. The
queue between is short, so that whoever makes the jobs waits instead of piling them up in memory.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import Empty, Full, Queue
from typing import Any, Final, NamedTuple, Protocol

from fingerpost_tools.command_error import CommandError

# Jobs that wait, for each process, beyond the one it is at.
_WAITING: Final = 2
# How long a thread waits before it looks whether another one failed (seconds).
_LOOK_SECONDS: Final = 0.1


class Worker(Protocol):
    """What runs in a process: makes results of jobs, and may ask a question in between."""

    def run(self, job: Any, ask: Callable[[Any], Any]) -> Any:
        """The result of one job; `ask` gives the answer of the process that feeds this one."""


class CrewFailed(CommandError):  # noqa: N818 - the name says what happened
    """A process of the crew failed or died: what it was at is not done."""


class _Asked(NamedTuple):
    question: Any


class _Done(NamedTuple):
    result: Any


class _Failed(NamedTuple):
    reason: str


def start_method() -> str:
    """How processes start: as copies of this one where that is safe, since nothing need be sent to them."""
    # macOS's own libraries start threads that a copy would lack.
    return "fork" if sys.platform == "linux" else "spawn"


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """`count` processes, each with the worker that `make` makes there. Start it before any other thread.

    `answer` answers their questions and `done` takes their results, in threads of this process but each only
    one at a time. Where processes start by another method than `fork`, `make` has to be picklable.
    """

    def __init__(
        self,
        make: Callable[[], Worker],
        count: int,
        answer: Callable[[Any], Any],
        done: Callable[[Any], None],
        method: str,
    ) -> None:
        context: Any = multiprocessing.get_context(method)
        self._answer, self._done = answer, done
        self._answering, self._reporting = threading.Lock(), threading.Lock()
        self._jobs: Queue[Any] = Queue(count * _WAITING)
        self._failure: BaseException | None = None
        self._links: list[Connection] = []
        self._processes: list[Any] = []
        self._threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                self._start_process(context, make, copies=method == "fork")
            for link in self._links:
                thread = threading.Thread(target=self._feed, args=(link,), daemon=True)
                thread.start()
                self._threads.append(thread)
        except BaseException:
            self.stop()
            raise

    def _start_process(self, context: Any, make: Callable[[], Worker], *, copies: bool) -> None:
        ours, theirs = context.Pipe()
        self._links.append(ours)
        # A copy holds our ends as well; unless it lets go of them, none would see this process die.
        inherited = list(self._links) if copies else []
        process = context.Process(target=_work, args=(theirs, inherited, make), daemon=True)
        process.start()
        theirs.close()
        self._processes.append(process)

    def submit(self, job: Any) -> None:
        """Hand over a job; waits while there are enough. Raises CrewFailed, and what `answer` and `done`
        raised, once anything failed."""
        while True:
            self._check()
            with suppress(Full):
                self._jobs.put(job, timeout=_LOOK_SECONDS)
                return

    def finish(self) -> None:
        """Wait until all jobs are done. Raises as `submit` does."""
        for _ in self._threads:
            self.submit(None)
        for thread in self._threads:
            while thread.is_alive():
                thread.join(_LOOK_SECONDS)
                self._check()
        self._check()

    def stop(self) -> None:
        """End the processes, whatever they are at. A second time it does nothing."""
        self._fail(CrewFailed("the crew was stopped"))
        # Not by a signal that can be caught: a copy that has only just begun has this process's handlers.
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        for thread in self._threads:
            thread.join()
        for link in self._links:
            link.close()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _fail(self, error: BaseException) -> None:
        if self._failure is None:
            self._failure = error

    def _feed(self, link: Connection) -> None:
        """A process's thread: jobs out, questions and results in, until there are no more or one fails."""
        try:
            while self._failure is None:
                with suppress(Empty):
                    job = self._jobs.get(timeout=_LOOK_SECONDS)
                    if job is None:
                        return
                    link.send(job)
                    self._converse(link)
        except (EOFError, OSError):
            self._fail(CrewFailed("a process of the build was killed before its work was done"))
        except BaseException as error:
            self._fail(error)

    def _converse(self, link: Connection) -> None:
        while True:
            said = link.recv()
            if isinstance(said, _Asked):
                with self._answering:
                    link.send(self._answer(said.question))
            elif isinstance(said, _Failed):
                raise CrewFailed(said.reason)
            else:
                with self._reporting:
                    self._done(said.result)
                return


def _work(link: Connection, inherited: list[Connection], make: Callable[[], Worker]) -> None:
    """The life of a process: jobs until the link closes. Ctrl-C is for the process that leads it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in inherited:
        other.close()

    def ask(question: Any) -> Any:
        link.send(_Asked(question))
        return link.recv()

    worker: Worker | None = None
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            job = link.recv()
            try:
                worker = worker or make()
                answer: _Done | _Failed = _Done(worker.run(job, ask))
            except EOFError:
                raise
            except Exception as error:
                answer = _Failed(f"the build stopped: {type(error).__name__}: {error}")
            link.send(answer)
