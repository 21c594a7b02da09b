"""Generations of the sitemap: one complete set a minute, the same for every instance of the function.

Memory comes first, then what other instances have stored, then computing. Whoever claims the generation that
is to be replaced computes the next one and stores it; the others wait for it. Where the shared objects can't
be had, each instance serves sets of its own.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from fingerpost.deadline import is_late_for
from fingerpost.observe import count, log_error
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.shared_objects import SharedObjects
from fingerpost.web.generation import Generation, Line
from fingerpost.web.generation_store import GenerationStore, Pointer
from fingerpost.web.packed import Packed
from fingerpost.web.sitemap_set import ComputedSet, Source, compute

# How long an instance waits before it looks again whether the one that claimed is done (seconds).
_POLL: Final = 0.05
_POLL_MOST: Final = 0.5
# What computing a set of its own may take an instance that has waited in vain (seconds).
_COMPUTING: Final = 10.0
# Documents that an instance remembers, the least recently used leaving first (bytes).
_MEMORY_BYTES: Final = 32 * 1024 * 1024
# States of the site that an instance remembers; several hosts are as many, where the origin is the request's.
_BASES: Final = 4


@dataclass(slots=True)
class _Known:
    """What an instance knows of one state of the site. `own` holds all documents of sets that only it has."""

    line: Line
    own: dict[str, dict[int, Packed]] = field(default_factory=dict)


class Generations:
    """The sitemap's generations as one instance sees them; safe to call from several threads.

    A generation is good for `seconds`; `clock` is the time of day. `shared` is where instances leave sets for
    each other, None where there is no such place.
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float],
        shared: SharedObjects | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._shared = shared
        self._sleep = sleep
        self._lock = threading.Lock()
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._memory = _Memory()

    def document(self, base: str, number: int, source: Source) -> tuple[Packed, int] | None:
        """Document `number` (0 is /sitemap.xml) of the site's state `base`, and for how many whole seconds it
        is still good; None where there is none. `source` makes the set where it has to be computed.

        Raises what `source` raises: there is no sitemap without its records.
        """
        with self._lock:
            known = self._known_of(base)
            generation = known.line.current(self._clock()) or self._next(base, known, source)
            if not generation.has(number):
                earlier = known.line.holding(number, self._clock())
                if earlier is None:
                    return None
                generation = earlier
            packed = self._read(base, known, generation, number)
            if packed is None:
                generation = self._keep(known, compute(source, self._clock))
                if not generation.has(number):
                    return None
                packed = known.own[generation.id][number]
            return packed, known.line.left(generation, self._clock())

    def refresh(self, base: str, source: Source) -> None:
        """Compute and store the next generation ahead of its time, so that no visitor waits for it: it is
        served once the latest is no longer good. Nothing is done where that is young, or somebody else is at
        it.

        Raises what `source` raises, and StoreUnavailable: other instances are all that this is done for.
        """
        store = self._store(base)
        if store is None:
            return
        pointer, now = store.pointer(), self._clock()
        latest = pointer.line.latest
        if latest is not None and now - latest.computed < self._seconds / 3:
            return
        if store.claim(pointer):
            made = self._compute(store, pointer, source)
            if made.refused is not None:
                raise made.refused
            store.publish(pointer, _generation(made, pointer.line.next_begins(made.computed)))

    def _known_of(self, base: str) -> _Known:
        known = self._known.setdefault(base, _Known(Line(self._seconds)))
        self._known.move_to_end(base)
        while len(self._known) > _BASES:
            self._known.popitem(last=False)
        return known

    def _store(self, base: str) -> GenerationStore | None:
        if self._shared is None:
            return None
        return GenerationStore(self._shared, base, self._seconds, self._clock)

    def _next(self, base: str, known: _Known, source: Source) -> Generation:
        """The generation to serve now that the last is no longer good: another instance's, else our own."""
        store = self._store(base)
        try:
            found = self._agree(store, known, source) if store is not None else None
        except StoreUnavailable as error:
            _report(error)
            found = None
        return found or self._keep(known, compute(source, self._clock))

    def _agree(self, store: GenerationStore, known: _Known, source: Source) -> Generation | None:
        """The generation that all instances serve; None where whoever claimed it takes too long."""
        waited, pause = 0.0, _POLL
        while True:
            pointer = store.pointer()
            current = pointer.line.current(self._clock())
            if current is not None:
                known.line, known.own = pointer.line, {}
                return current
            if store.claim(pointer):
                return self._make(store, known, pointer, source)
            if waited >= pointer.lease or is_late_for(_COMPUTING):
                return None
            self._sleep(pause)
            waited += pause
            pause = min(pause * 1.5, _POLL_MOST)

    def _make(self, store: GenerationStore, known: _Known, pointer: Pointer, source: Source) -> Generation:
        """Compute a generation for all instances; ours alone where it can't be stored, as it was computed."""
        made = self._compute(store, pointer, source)
        try:
            if made.refused is not None:
                raise made.refused
            line = store.publish(pointer, _generation(made, made.computed))
        except StoreUnavailable as error:
            if not made.whole:
                raise
            _report(error)
            return self._keep(known, made)
        current = line.current(self._clock())
        if current is None:  # it took longer than it is good for
            return self._keep(known, made)
        known.line, known.own = line, {}
        if current.id == made.id:
            for number, packed in made.documents.items():
                self._memory.put((made.id, number), packed)
        return current

    def _compute(self, store: GenerationStore, pointer: Pointer, source: Source) -> ComputedSet:
        """Compute and store what we claimed; where that fails, somebody else may try at once."""
        try:
            return compute(source, self._clock, store.write)
        except BaseException:
            with suppress(StoreUnavailable):
                store.release(pointer)
            raise

    def _keep(self, known: _Known, made: ComputedSet) -> Generation:
        """Serve a set that only this instance has."""
        generation = _generation(made, made.computed)
        known.line = known.line.followed_by(generation)
        kept = {each.id for each in known.line.generations}
        known.own = {name: documents for name, documents in known.own.items() if name in kept}
        known.own[made.id] = made.documents
        return generation

    def _read(self, base: str, known: _Known, generation: Generation, number: int) -> Packed | None:
        """A document that the generation has; None where it can't be had."""
        if generation.id in known.own:
            return known.own[generation.id].get(number)
        name = (generation.id, number)
        packed = self._memory.get(name)
        store = self._store(base)
        if packed is not None or store is None:
            return packed
        try:
            packed = store.read(generation.id, number)
        except StoreUnavailable as error:
            _report(error)
            return None
        if packed is not None:
            self._memory.put(name, packed)
        return packed


class _Memory:
    """Documents by generation and number, the least recently used leaving first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Packed] = OrderedDict()
        self._bytes = 0

    def get(self, name: tuple[str, int]) -> Packed | None:
        packed = self._kept.get(name)
        if packed is not None:
            self._kept.move_to_end(name)
        return packed

    def put(self, name: tuple[str, int], packed: Packed) -> None:
        self._kept[name] = packed
        self._bytes += len(packed.gzipped)
        while self._bytes > _MEMORY_BYTES and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1].gzipped)


def _generation(made: ComputedSet, begins: float) -> Generation:
    return Generation(made.id, made.computed, begins, made.took, made.children, made.entries)


def _report(error: StoreUnavailable) -> None:
    log_error("Sitemaps can't be shared; this instance serves one of its own", error=str(error))
    count("GenerationsUnavailable")
