"""The table of infra/README.md: what each document's answer says to caches, and what they do with it."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tests.e2e import caches
from tests.e2e.asking import AGENT, Ask
from tests.e2e.guarded_site import EDITOR, MEMBER
from tests.e2e.guarded_stack import Stack
from tests.figures import as_row
from tests.support import Response
from tests.template.cloudformation import ROOT

README: Final = ROOT / "infra" / "README.md"
NAME: Final = "shared-caches"

# What a row asks for, and who asks.
ROWS: Final = (
    ("`sitemap.xml`", "anybody", Ask("/sitemap.xml")),
    ("`robots.txt`", "anybody", Ask("/robots.txt")),
    ("`feed.xml`", "anybody", Ask("/feed.xml")),
    ("`llms.txt`", "anybody", Ask("/llms.txt")),
    ("`llms-full.txt`", "anybody", Ask("/llms-full.txt")),
    ("`agent-readability.json`", "anybody", Ask("/agent-readability.json")),
    ("article as HTML", "stranger", Ask("/docs/start")),
    ("article as HTML", "reader", Ask("/docs/start", MEMBER)),
    ("article as Markdown", "stranger", Ask("/docs/start", accept=AGENT)),
    ("article's `.md`", "stranger", Ask("/docs/start.md")),
    ("page without Markdown", "stranger", Ask("/about")),
    ("record", "stranger", Ask("/posts/first")),
    ("record with a field for editors", "editor", Ask("/posts/first", EDITOR)),
    ("page that lists members' records", "stranger", Ask("/board")),
    ("page that lists members' records", "member", Ask("/board", MEMBER)),
    ("members' article as HTML", "stranger", Ask("/members/plan")),
    ("members' article as HTML", "member", Ask("/members/plan", MEMBER)),
    ("members' article as Markdown", "member", Ask("/members/plan", MEMBER, AGENT)),
    ("members' article as HTML", "editor", Ask("/members/plan", EDITOR)),
    ("article behind `redirectTo`", "stranger", Ask("/editors/plan")),
    ("nothing", "stranger", Ask("/nowhere")),
    ("address with a trailing slash", "stranger", Ask("/about/")),
    ("file of `public/`", "stranger", Ask("/logo.svg")),
    ("file with a hashed name", "stranger", Ask("/site.0a1b2c3d.css")),
)
# nginx puts what it stores in place just after it has answered.
_PAUSE: Final = 0.02
_PROBE: Final = "x-probe"
# Varnish's words for what nginx tells in X-Cache.
_HANDLING: Final = {"hit": "HIT", "miss": "MISS", "hitmiss": "MISS", "pass": "BYPASS", "hitpass": "BYPASS"}


@dataclass(slots=True)
class Row:
    """A line of the table: the origin's answer, and what each cache did each time that it was asked."""

    document: str
    visitor: str
    sent: Response
    did: dict[str, list[str]] = field(default_factory=dict)

    def line(self) -> str:
        control = self.sent.headers["cache-control"]
        if "sitemap" in self.document:
            control = re.sub(r"max-age=\d+", "max-age=*left*", control)
        cells = [
            self.document,
            self.visitor,
            str(self.sent.status),
            control,
            self.sent.headers.get("vary", ""),
            *(", ".join(self.did[cache]) for cache in caches.CACHES),
        ]
        return as_row(cells)


def observe(stack: Stack, asks: Sequence[tuple[str, str, Ask]]) -> list[Row]:
    """Ask the origin once and each cache twice; each row at a host of its own, so that its address is new."""
    there = [replace(ask, host=f"row-{number}.example") for number, (_, _, ask) in enumerate(asks)]
    stack.edge.learn([ask.headers() for ask in there])
    probing = Probing(stack)
    rows: list[Row] = []
    with stack.client() as origin:
        for (document, visitor, _), ask in zip(asks, there, strict=True):
            rows.append(Row(document, visitor, origin.send(ask)))
            for _ in range(2):
                for cache in caches.CACHES:
                    probing.send(cache, ask)
    for cache in caches.CACHES:
        did = iter(probing.outcomes(cache))
        for row, first, second in zip(rows, did, did, strict=True):
            row.did[cache] = [first, second]
    return rows


class Probing:
    """Sends requests through caches, and tells afterwards what each cache did."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._sent: dict[str, list[tuple[str, Response]]] = {cache: [] for cache in caches.CACHES}

    def send(self, cache: str, ask: Ask) -> Response:
        probe = str(time.monotonic_ns())
        with self._stack.client(cache) as client:
            answer = client.send(ask, **{_PROBE: probe})
        self._sent[cache].append((probe, answer))
        time.sleep(_PAUSE)
        return answer

    def answers(self, cache: str) -> list[Response]:
        return [answer for _, answer in self._sent[cache]]

    def outcomes(self, cache: str) -> list[str]:
        """HIT, MISS, STALE or BYPASS, for each request in the order they were sent."""
        if cache != caches.VARNISH:
            return [answer.headers["x-cache"] for answer in self.answers(cache)]
        probes = [probe for probe, _ in self._sent[cache]]
        handled = self._stack.caches.varnish_handling(_PROBE)
        while not handled.keys() >= set(probes):  # its log is a little behind
            time.sleep(_PAUSE)
            handled = self._stack.caches.varnish_handling(_PROBE)
        return [_HANDLING[handled[probe]] for probe in probes]


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    head = ("asked for", "by", "status", "`Cache-Control`", "`Vary`", *caches.CACHES)
    return "\n".join([as_row(head), f"|{'---|' * len(head)}", *(row.line() for row in rows)])
