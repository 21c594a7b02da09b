"""Values that a warm instance computes once and serves unchanged for a while."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.values import dataclass

T = TypeVar("T")

# Hosts that a value is remembered for; a site with a configured origin has one.
_HOSTS: Final = 4


@dataclass(frozen=True, slots=True)
class _Held(Generic[T]):
    value: T
    catalogue: Catalogue
    computed: float


class Kept(Generic[T]):
    """One value for each origin, good for `seconds` from before it was made, and only for the catalogue that
    it was made from."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Held[T]] = OrderedDict()

    def get(self, origin: str, catalogue: Catalogue, make: Callable[[], T]) -> T:
        """The value; `make` computes it where none is held, and may raise."""
        with self._lock:
            now = self._clock()
            held = self._held.get(origin)
            if held is not None and held.catalogue is catalogue and 0 <= now - held.computed < self._seconds:
                return held.value
            fresh = _Held(make(), catalogue, now)
            self._held[origin] = fresh
            self._held.move_to_end(origin)
            while len(self._held) > _HOSTS:
                self._held.popitem(last=False)
            return fresh.value
