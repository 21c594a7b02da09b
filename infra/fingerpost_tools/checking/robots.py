"""robots.txt, where it works against the pages."""

from collections.abc import Iterator

from fingerpost.catalogue.entry import Document, Entry, Rule
from fingerpost.documents.robots import RobotsTooLargeError
from fingerpost.site.problems import Place, Problem
from fingerpost_tools.auditing.robots_file import SEARCH_ENGINES
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject
from fingerpost_tools.robots_rules import EVERYONE, RobotsRules, Ruling


def rules(subject: Subject) -> Iterator[Problem]:
    """Rules of the author's own that keep search engines from seeing a page's `noindex`, told once for each
    rule, and more rules than robots read."""
    try:
        robots = RobotsRules(subject.catalogue, subject.store, subject.places)
    except RobotsTooLargeError as error:
        yield finding("robots-too-large", subject.places.of("robots.groups"), str(error))
        return
    hidden: dict[str, tuple[Ruling, str, list[str]]] = {}
    unindexed = list(_unindexed(subject))
    for robot in _welcome(robots, f"{subject.catalogue.origin.base}/"):
        for path in unindexed:
            ruling = robots.ruling(path, robot)
            if not ruling.allowed and not ruling.derived and ruling.pattern is not None:
                _, first, paths = hidden.setdefault(ruling.pattern, (ruling, robot, []))
                if first == robot:
                    paths.append(path)
    for pattern, (ruling, robot, paths) in hidden.items():
        who = "robots" if robot == EVERYONE else robot
        count = f"{len(paths)} noindex address{'es' if len(paths) > 1 else ''}"
        place = ruling.place or Place("app.yaml", 0, "robots")
        message = f"`Disallow: {pattern}` keeps {who} from {count}, {paths[0]} for one"
        yield finding("noindex-disallowed", place, message)


def _welcome(robots: RobotsRules, home: str) -> Iterator[str]:
    """Every robot that has no group of its own, and the search engines that are not turned away from the site
    as a whole."""
    yield EVERYONE
    yield from (engine for engine in SEARCH_ENGINES if robots.ruling(home, engine).allowed)


def _unindexed(subject: Subject) -> Iterator[str]:
    """Addresses that ask not to be indexed; for a collection, where its records' addresses begin."""
    for part in subject.catalogue.parts:
        verdict = part.verdict
        if not verdict.noindex or not verdict.allows(Document.HTML):
            continue
        if Rule.UNDERSCORE in verdict.excluded.values():  # meant to be disallowed
            continue
        if isinstance(part, Entry):
            yield part.address
        else:
            yield from (template.prefix for template in part.templates)
