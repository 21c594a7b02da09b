"""A fleet of instances that share objects, a clock and a source of sitemaps, all in this process."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from fingerpost.documents.sitemap import Child
from fingerpost.sources.objects import StoreUnavailable
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.sources.shared_objects import SharedObject
from fingerpost.web.generations import Generations
from fingerpost.web.sitemap_set import Source
from tests.support import Clock

BASE = "state"


@dataclass
class Shared:
    """Objects in memory. `refused` are patterns for what fails (`read *`, `* */current.json`)."""

    objects: dict[str, SharedObject] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    writes: int = 0

    def read(self, key: str) -> SharedObject | None:
        self._ask("read", key)
        return self.objects.get(key)

    def write(self, key: str, body: bytes, note: str = "") -> None:
        self._ask("write", key)
        self._put(key, body, note)

    def create(self, key: str, body: bytes) -> bool:
        self._ask("create", key)
        if key in self.objects:
            return False
        self._put(key, body)
        return True

    def replace(self, key: str, body: bytes, etag: str) -> bool:
        self._ask("replace", key)
        if key not in self.objects or self.objects[key].etag != etag:
            return False
        self._put(key, body)
        return True

    def _put(self, key: str, body: bytes, note: str = "") -> None:
        self.writes += 1
        self.objects[key] = SharedObject(body, str(self.writes), note)

    def _ask(self, operation: str, key: str) -> None:
        self.asked.append(f"{operation} {key}")
        if any(fnmatch(f"{operation} {key}", pattern) for pattern in self.refused):
            raise StoreUnavailable(f"{operation} {key}")


@dataclass
class Maker:
    """Makes sets of `children` urlsets, and counts them; what the first holds names the set."""

    children: int = 2
    made: int = 0
    during: Callable[[], object] = lambda: None
    fails: bool = False

    @property
    def source(self) -> Source:
        return Source(self._children, self._index)

    def _children(self) -> Generator[Child, None, None]:
        self.made += 1
        name = self.made
        self.during()
        if self.fails:
            raise RecordsUnavailable("Postgres is down")
        for number in range(1, self.children + 1):
            yield Child(f"set {name} child {number}".encode(), 3, None)

    def _index(self, lastmods: Sequence[str | None]) -> bytes:
        return f"set {self.made} index of {len(lastmods)}".encode()


@dataclass
class Fleet:
    """Instances that share objects, a clock and a source. Whoever waits lets time pass."""

    shared: Shared = field(default_factory=Shared)
    clock: Clock = field(default_factory=lambda: Clock(1_000_000.0))
    maker: Maker = field(default_factory=Maker)
    waited: float = 0.0

    def instance(self, sleep: Callable[[float], None] | None = None) -> "Instance":
        return Instance(self, Generations(60, self.clock, self.shared, sleep or self.sleep))

    def sleep(self, seconds: float) -> None:
        self.waited += seconds
        self.clock.seconds += seconds

    def pass_by(self, seconds: float) -> None:
        self.clock.seconds += seconds


@dataclass
class Instance:
    """One instance of a fleet."""

    fleet: Fleet
    generations: Generations

    def ask(self, number: int = 0) -> tuple[str, int] | None:
        """The text of a document and its seconds left."""
        found = self.generations.document(BASE, number, self.fleet.maker.source)
        return None if found is None else (found[0].plain().decode(), found[1])

    def refresh(self) -> None:
        self.generations.refresh(BASE, self.fleet.maker.source)
