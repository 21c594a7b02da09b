"""One instance of the sitemap function among many: asks its own handler in rounds, and tells what it got.

    python -m tests.e2e.fleet START ROUNDS PAUSE

The rounds begin at START (seconds since the epoch), so that all instances ask at once. Each prints one JSON
line: when the index was asked for, how long it may be kept, the tags of all documents, whether they were one
set, what a set that was new to this instance holds, and when this instance has read Postgres so far.
"""

import importlib.util
import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fingerpost.sources.postgres import PostgresRecords
from tests.support import Response, make_event, read_response

ROOT = Path(__file__).resolve().parents[2]
LOC = re.compile(rb"<loc>([^<]*)</loc>")


def load_handler() -> Any:
    """The function's handler, loaded as Lambda loads it."""
    spec = importlib.util.spec_from_file_location("app", ROOT / "functions" / "sitemap" / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.handler


def count_snapshots() -> list[float]:
    """The times at which this process opens a snapshot of the database, from now on."""
    opened: list[float] = []
    snapshot = PostgresRecords.snapshot

    @contextmanager
    def counted(self: PostgresRecords) -> Iterator[Any]:
        opened.append(time.time())
        with snapshot(self) as found:
            yield found

    PostgresRecords.snapshot = counted  # type: ignore[method-assign]
    return opened


class Asker:
    """Asks for whole sets."""

    def __init__(self) -> None:
        self._handler = load_handler()
        self._known: set[str] = set()

    def round(self) -> dict[str, Any]:
        """The index, all its children, and the index again."""
        asked = time.time()
        index = self._get("/sitemap.xml")
        paths = [loc.decode().removeprefix("https://fleet.example") for loc in LOC.findall(index.body)]
        children = [self._get(path) for path in paths]
        again = self._get("/sitemap.xml")
        one = index.headers["etag"] == again.headers["etag"]
        tags = [index.headers["etag"], *(child.headers["etag"] for child in children)]
        said: dict[str, Any] = {
            "asked": asked,
            "max_age": int(index.headers["cache-control"].partition("max-age=")[2].partition(",")[0]),
            "one": one,
            "tags": tags,
        }
        if one and tags[0] not in self._known:
            self._known.add(tags[0])
            slugs = [
                loc.rpartition(b"/")[2].decode() for child in children for loc in LOC.findall(child.body)
            ]
            said["twice"] = len(slugs) - len(set(slugs))
            said["permanent"] = sum(slug.startswith("permanent-") for slug in slugs)
            said["others"] = [slug for slug in slugs if not slug.startswith("permanent-")]
        return said

    def _get(self, path: str) -> Response:
        answer = read_response(self._handler(make_event(path, headers={"accept-encoding": "gzip"}), None))
        assert answer.status == 200, (path, answer.status)
        return answer


def main(start: float, rounds: int, pause: float) -> None:
    opened = count_snapshots()
    asker = Asker()
    for turn in range(rounds):
        time.sleep(max(0.0, start + turn * pause - time.time()))
        said = asker.round()
        print(json.dumps({**said, "reads": opened}), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
