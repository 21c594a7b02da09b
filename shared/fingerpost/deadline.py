"""How long the answer being made may still take.

A function that outlives its time-out is killed, and the visitor gets the platform's 502 instead of our 503.
So whoever waits for S3 or Postgres waits no longer than this.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import ParamSpec, TypeVar

from fingerpost.values import dataclass

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Deadline:
    seconds: float  # from its beginning
    due: float  # on the monotonic clock


_NONE = _Deadline(inf, inf)
_current: ContextVar[_Deadline] = ContextVar("deadline", default=_NONE)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """What is done in this block, and in threads it is carried to, has to end in `seconds`."""
    token = _current.set(_Deadline(seconds, monotonic() + seconds))
    try:
        yield
    finally:
        _current.reset(token)


def seconds_left() -> float:
    """The time that is left, infinite where there is no deadline; not below zero."""
    return max(0.0, _current.get().due - monotonic())


def within(most: float) -> float:
    """How long one wait may take: `most` seconds, or what is left of the time; TimeoutError where none is."""
    left = seconds_left()
    if left <= 0:
        raise TimeoutError("the time for this answer is over")
    return min(most, left)


def is_late_for(seconds: float) -> bool:
    """Whether what can't be cut short, and takes up to `seconds`, should not begin any more. Where there
    never was much more time than that, its last third is late."""
    return seconds_left() <= min(seconds, _current.get().seconds / 3)


def carried(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """`function` under the deadline of here and now, whichever thread calls it."""
    held = _current.get()

    def call(*arguments: _P.args, **named: _P.kwargs) -> _T:
        token = _current.set(held)
        try:
            return function(*arguments, **named)
        finally:
            _current.reset(token)

    return call
