"""Which line of a site's robots.txt decides on an address, and where its author wrote it (RFC 9309 2.2.2)."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from protego import Protego

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.documents.robots import author_pattern, own_robots, render_robots
from fingerpost.site.problems import Place
from fingerpost.sources.objects import ObjectStore
from fingerpost.web.robots import disallowed_paths, robots_input
from fingerpost_tools.auditing.robots_file import RobotsFile, Rule, read_robots
from fingerpost_tools.configuration_places import ConfigurationPlaces

NAME: Final = "robots.txt"
EVERYONE: Final = "*"
# Any origin serves: robots.txt speaks of paths.
_ORIGIN: Final = "https://site.example"


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether a robot may fetch a path. `pattern` and `place` are those of the rule that says so, None where
    none does; `derived` where it is no rule of the author's own."""

    allowed: bool
    pattern: str | None = None
    place: Place | None = None
    derived: bool = False


class RobotsRules:
    """The robots.txt of a site as served: the owner's own, else the derived one, else none.

    Raises RobotsTooLargeError where the derived one is larger than crawlers read.
    """

    def __init__(self, catalogue: Catalogue, store: ObjectStore, places: ConfigurationPlaces) -> None:
        self._catalogue = catalogue
        self._places = places
        self.own = catalogue.publication.public_file(NAME)
        self.exists = self.own is not None or catalogue.site.seo.robots
        body = b""
        if self.own is not None:
            body = own_robots(store.read(self.own).body)
        elif self.exists:
            body = render_robots(robots_input(catalogue, _ORIGIN, False))
        self.file: RobotsFile = read_robots(body)

    def ruling(self, path: str, robot: str = EVERYONE) -> Ruling:
        """What decides on a published path for a robot: the longest pattern that fits, Allow where two are
        equally long."""
        fitting = [
            rule
            for group in self.file.groups_for(robot)
            for rule in group.rules
            if rule.pattern and _fits(rule.pattern, path)
        ]
        if not fitting:
            return Ruling(True)
        rule = max(fitting, key=lambda rule: (len(rule.pattern), rule.allows))
        place, derived = self._origin_of(rule)
        return Ruling(rule.allows, rule.pattern, place, derived)

    def refused(self, path: str) -> tuple[str, ...]:
        """The robots with a group of their own that may not fetch a path."""
        return tuple(
            agent
            for group in self.file.groups
            if not group.any_robot and not self.ruling(path, group.agents[0]).allowed
            for agent in group.agents
        )

    def _origin_of(self, rule: Rule) -> tuple[Place | None, bool]:
        """Where the author wrote a rule, and whether it is one of ours, made from a page's path."""
        if self.own is not None:
            return Place(self.own, rule.line), False
        site, key = self._catalogue.site, "allow" if rule.allows else "disallow"
        for number, group in enumerate(site.robots.groups):
            patterns = group.allow if rule.allows else group.disallow
            if rule.pattern in map(author_pattern, filter(None, map(str.strip, patterns))):
                return self._places.of(f"robots.groups[{number}].{key}"), False
        for route in self._catalogue.router.routes:
            if rule.pattern in map(author_pattern, disallowed_paths(self._catalogue, route)):
                return self._places.of_page(route.page, "path"), True
        return (None, True) if rule.allows else (self._places.of("robots.ai"), False)


def _fits(pattern: str, path: str) -> bool:
    return not _alone(pattern).can_fetch(_ORIGIN + path, EVERYONE)


@cache
def _alone(pattern: str) -> Protego:
    """A robots.txt with this one rule."""
    return Protego.parse(f"User-agent: *\nDisallow: {pattern}\n")
