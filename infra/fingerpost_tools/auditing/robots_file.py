"""robots.txt as a crawler reads it (RFC 9309), with the lines that a check wants to point at.

Protego decides what may be fetched; this module keeps what it does not tell: groups, line numbers, and lines
that mean nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from protego import Protego

BOM: Final = "\ufeff"
# The robots of search engines that a site loses visitors by turning away.
SEARCH_ENGINES: Final = ("Googlebot", "Bingbot", "DuckDuckBot")
_GROUP_RULES: Final = frozenset({"allow", "disallow"})
# Not in RFC 9309, but read by some crawler and harmless to the others (2.2.4: "other records").
_GROUP_RECORDS: Final = frozenset(
    {"crawl-delay", "request-rate", "visit-time", "content-signal", "content-usage", "noindex"}
)
_FILE_RECORDS: Final = frozenset({"sitemap", "host", "clean-param", "license", "schemamap"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One `Allow` or `Disallow` line with its pattern, which may be empty."""

    line: int
    allows: bool
    pattern: str


@dataclass(slots=True)
class Group:
    """One group: the robots it names as they are written, its rules and its content signals."""

    line: int
    agents: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    signals: str = ""

    @property
    def any_robot(self) -> bool:
        return "*" in self.agents


@dataclass(frozen=True, slots=True)
class Oddity:
    """A line that no robot understands, and why."""

    line: int
    text: str
    reason: str


@dataclass(slots=True)
class RobotsFile:
    """What robots.txt says. `sitemaps` are (line, value) as written."""

    groups: list[Group] = field(default_factory=list)
    sitemaps: list[tuple[int, str]] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    bom: bool = False
    _decider: Protego = field(default_factory=lambda: Protego.parse(""))

    def permits(self, url: str, token: str) -> bool:
        """Whether the robot with this product token may fetch `url` (RFC 9309 2.2.2)."""
        return bool(self._decider.can_fetch(url, token))

    def delay(self, token: str) -> float:
        """The Crawl-delay for a robot in seconds, 0 where none is asked for."""
        return float(self._decider.crawl_delay(token) or 0)

    def groups_for(self, token: str) -> list[Group]:
        """The groups that a robot obeys: those with the longest name its token begins with, else `*`
        (RFC 9309 2.2.1: several groups of one name count as one)."""
        lower = token.lower()
        named = {agent.lower() for group in self.groups for agent in group.agents if agent != "*"}
        fitting = [name for name in named if lower.startswith(name)]
        wanted = max(fitting, key=len, default="*")
        return [group for group in self.groups if wanted in [agent.lower() for agent in group.agents]]


def read_robots(body: bytes) -> RobotsFile:
    """Read a robots.txt; octets that are no UTF-8 count as one odd character each, as crawlers take them."""
    text = body.decode("utf-8", "replace")
    bom = text.startswith(BOM)
    text = text.removeprefix(BOM)
    robots = RobotsFile(bom=bom, _decider=Protego.parse(text))
    _Reader(robots).read(text)
    return robots


class _Reader:
    """Puts one line after the other where it belongs."""

    def __init__(self, robots: RobotsFile) -> None:
        self.robots = robots
        self.group: Group | None = None
        self.naming = False

    def read(self, text: str) -> None:
        for number, line in _lines(text):
            name, colon, value = line.partition("#")[0].partition(":")
            if colon:
                self._record(number, line, name.strip().lower(), value.strip())
            else:
                self._odd(number, line, "expected `name: value`")

    def _record(self, number: int, line: str, name: str, value: str) -> None:
        if name == "user-agent":
            self._names(number, value)
        elif name == "sitemap":
            self.robots.sitemaps.append((number, value))
        elif name in _GROUP_RULES or name in _GROUP_RECORDS:
            self._belongs(number, line, name, value)
        elif name not in _FILE_RECORDS:
            self._odd(number, line, "no robot knows this record")

    def _names(self, number: int, agent: str) -> None:
        if not self.naming or self.group is None:
            self.group = Group(number)
            self.robots.groups.append(self.group)
            self.naming = True
        self.group.agents.append(agent)

    def _belongs(self, number: int, line: str, name: str, value: str) -> None:
        self.naming = False
        if self.group is None:
            self._odd(number, line, "no User-agent line stands before it")
        elif name == "content-signal":
            self.group.signals = value
        elif name in _GROUP_RULES:
            if value and value[0] not in "/*$":
                self._odd(number, line, "a path begins with `/`")
            self.group.rules.append(Rule(number, name == "allow", value))

    def _odd(self, number: int, line: str, reason: str) -> None:
        self.robots.oddities.append(Oddity(number, line.strip()[:120], reason))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold anything but a comment, with their numbers from 1."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if line.partition("#")[0].strip():
            yield number, line
