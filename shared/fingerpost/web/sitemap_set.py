"""Computing a complete set: children are rendered one after the other, packed as they come, and stored.

No more than a few of them are ever in memory in their plain form.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, Final

from fingerpost.deadline import carried
from fingerpost.documents.sitemap import Child
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.values import dataclass
from fingerpost.web.packed import Packed, pack_quickly

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

# Packed documents that a set keeps in memory although they are stored (bytes).
_KEPT_BYTES: Final = 32 * 1024 * 1024
# Documents that are packed and stored at a time, and that wait for it.
_WORKERS: Final = 4
_WAITING: Final = 4
_TURN_SECONDS: Final = 0.0005

# Stores document `number` of the generation with that id; raises StoreUnavailable.
Store = Callable[[str, int, Packed], None]


@dataclass(frozen=True, slots=True)
class Source:
    """What a set is made of: its children, one by one, and from their lastmods the index."""

    children: Callable[[], Generator[Child, None, None]]
    index: Callable[[Sequence[str | None]], bytes]


@dataclass(slots=True)
class ComputedSet:
    """A set of the moment `computed` (seconds since the epoch). `documents` holds 0 for /sitemap.xml and N
    for /sitemap-N.xml; those that are stored may be left out. `refused` is why storing failed, if it did."""

    id: str
    computed: float
    took: float = 0.0
    children: int = 0
    entries: int = 0
    documents: dict[int, Packed] = field(default_factory=dict)
    refused: StoreUnavailable | None = None

    @property
    def whole(self) -> bool:
        """Whether every document is in memory."""
        return len(self.documents) == (self.children + 1 if self.entries else 0)


def compute(source: Source, clock: Callable[[], float], store: Store | None = None) -> ComputedSet:
    """The set as it is now, stored as it grows where there is a `store`. Raises what `source` raises.

    Once storing was refused it is not tried again: the set is whole in memory then, unless it is a huge one.
    """
    computed = clock()
    made = ComputedSet(f"{int(computed * 1000):x}-{os.urandom(4).hex()}", computed)
    began = time.perf_counter()
    writer = _Writer(made, store)
    with closing(source.children()) as children:
        first, second = next(children, None), next(children, None)
        if first is not None and second is None:
            made.entries = first.entries
            writer.write(0, first.body)
        elif first is not None and second is not None:
            lastmods = _write_children(made, writer, chain((first, second), children))
            writer.write(0, source.index(lastmods))
    made.took = time.perf_counter() - began
    return made


def _write_children(made: ComputedSet, writer: "_Writer", children: Iterable[Child]) -> list[str | None]:
    from concurrent.futures import ThreadPoolExecutor

    lastmods: list[str | None] = []
    with _taking_turns(), ThreadPoolExecutor(_WORKERS, thread_name_prefix="sitemap") as pool:
        for number, child in enumerate(children, 1):
            writer.write_soon(pool, number, child.body)
            lastmods.append(child.lastmod)
            made.entries += child.entries
            made.children = number
        writer.finish()
    return lastmods


@contextmanager
def _taking_turns() -> Iterator[None]:
    """Let threads take over from each other sooner: one that renders would keep those that read and pack,
    which need the interpreter for a moment only, waiting for the usual 5 ms each time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


class _Writer:
    """Packs and stores the documents of a set."""

    def __init__(self, made: ComputedSet, store: Store | None) -> None:
        self._made = made
        self._store = store
        self._bytes = 0
        self._waiting: deque[Future[tuple[int, Packed, bool]]] = deque()

    def write(self, number: int, body: bytes) -> None:
        self._take(*self._write(number, body))

    def write_soon(self, pool: "ThreadPoolExecutor", number: int, body: bytes) -> None:
        """Pack and store in a thread; waits while too many are under way: plain bodies never pile up."""
        self._waiting.append(pool.submit(carried(self._write), number, body))
        while len(self._waiting) > _WORKERS + _WAITING:
            self._take(*self._waiting.popleft().result())

    def finish(self) -> None:
        while self._waiting:
            self._take(*self._waiting.popleft().result())

    def _write(self, number: int, body: bytes) -> tuple[int, Packed, bool]:
        packed = pack_quickly(body)
        if self._store is None or self._made.refused is not None:
            return number, packed, False
        try:
            self._store(self._made.id, number, packed)
        except StoreUnavailable as error:
            self._made.refused = error
            return number, packed, False
        return number, packed, True

    def _take(self, number: int, packed: Packed, stored: bool) -> None:
        self._bytes += len(packed.gzipped)
        if not stored or self._bytes <= _KEPT_BYTES:
            self._made.documents[number] = packed
