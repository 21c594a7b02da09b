"""The generations of the sitemap as shared objects: pointer, claims and documents.

Keys, for each state of the site (`base`): `{base}/current.json` is the pointer,
`{base}/claim-{replaced}.json` a claim, `{base}/{generation}/0.xml.gz` a generation's /sitemap.xml and
`{base}/{generation}/7.xml.gz` its seventh child. The pointer is written last: whoever reads it finds all that
it names.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from fingerpost.sources.shared_objects import SharedObject, SharedObjects
from fingerpost.web.generation import Generation, Line
from fingerpost.web.packed import Packed

# How long whoever claims a generation has to store it, and at most where the last one took its time
# (seconds). A visitor waits as long, so this stays below the time-out of a function.
_LEASE: Final = 10.0
_LEASE_MOST: Final = 20.0


class Pointer:
    """A line of generations as it was read, and what it takes to write another in its place."""

    def __init__(self, line: Line, etag: str | None = None) -> None:
        self.line = line
        self.etag = etag

    @property
    def lease(self) -> float:
        """How long the next generation may take its maker (seconds)."""
        latest = self.line.latest
        return min(_LEASE_MOST, max(_LEASE, 2 * latest.took if latest else 0.0))


class GenerationStore:
    """What all instances know of one state of the site. Each method raises StoreUnavailable."""

    def __init__(self, shared: SharedObjects, base: str, seconds: float, clock: Callable[[], float]) -> None:
        self._shared = shared
        self._base = base
        self._seconds = seconds
        self._clock = clock

    def pointer(self) -> Pointer:
        """The generations as they stand."""
        found = self._shared.read(self._pointer_key)
        if found is None:
            return Pointer(Line(self._seconds))
        generations = (Generation(**each) for each in _fields(found).get("generations", ()))
        return Pointer(Line(self._seconds, tuple(generations)), found.etag)

    def claim(self, pointer: Pointer) -> bool:
        """Whether it falls to us to compute what follows. A claim whose time is over passes to the first who
        takes it."""
        key = self._claim_key(pointer)
        name, now = os.urandom(8).hex(), self._clock()
        body = json.dumps({"by": name, "until": now + pointer.lease}).encode()
        if self._shared.create(key, body):
            return True
        held = self._shared.read(key)
        if held is None:
            return False
        claim = _fields(held)
        if claim.get("by") == name:  # our own: it was written twice, the first answer having been lost
            return True
        return claim.get("until", 0) < now and self._shared.replace(key, body, held.etag)

    def release(self, pointer: Pointer) -> None:
        """Give up a claim, so that somebody else may try at once."""
        self._shared.write(self._claim_key(pointer), json.dumps({"until": 0}).encode())

    def publish(self, pointer: Pointer, generation: Generation) -> Line:
        """The line once it ends with `generation`; what it has become where somebody else was faster."""
        line = pointer.line.followed_by(generation)
        body = json.dumps({"generations": [asdict(each) for each in line.generations]}).encode()
        if pointer.etag is None:
            written = self._shared.create(self._pointer_key, body)
        else:
            written = self._shared.replace(self._pointer_key, body, pointer.etag)
        return line if written else self.pointer().line

    def write(self, generation: str, number: int, document: Packed) -> None:
        """Store a document of the generation with that id."""
        self._shared.write(self._key(generation, number), document.gzipped, f"{document.size} {document.tag}")

    def read(self, generation: str, number: int) -> Packed | None:
        """A document of a generation, None where it is gone."""
        found = self._shared.read(self._key(generation, number))
        size, _, tag = found.note.partition(" ") if found else ("", "", "")
        return Packed(tag, int(size), found.body) if found and size.isdecimal() else None

    @property
    def _pointer_key(self) -> str:
        return f"{self._base}/current.json"

    def _claim_key(self, pointer: Pointer) -> str:
        latest = pointer.line.latest
        return f"{self._base}/claim-{latest.id if latest else 'first'}.json"

    def _key(self, generation: str, number: int) -> str:
        return f"{self._base}/{generation}/{number}.xml.gz"


def _fields(stored: SharedObject) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(stored.body)
    return fields
