"""robots.txt, where it works against the pages."""

from collections.abc import Iterator

from fingerpost.catalogue.entry import Document, Entry, Rule
from fingerpost.documents.robots import RobotsTooLargeError
from fingerpost.site.problems import Place, Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject
from fingerpost_tools.robots_rules import RobotsRules, Ruling


def rules(subject: Subject) -> Iterator[Problem]:
    """Rules of the author's own that keep robots from seeing a page's `noindex`, told once for each rule, and
    more rules than robots read."""
    try:
        robots = RobotsRules(subject.catalogue, subject.store, subject.places)
    except RobotsTooLargeError as error:
        yield finding("robots-too-large", subject.places.of("robots.groups"), str(error))
        return
    hidden: dict[str, tuple[Ruling, list[str]]] = {}
    for path in _unindexed(subject):
        ruling = robots.ruling(path)
        if not ruling.allowed and not ruling.derived and ruling.pattern is not None:
            hidden.setdefault(ruling.pattern, (ruling, []))[1].append(path)
    for pattern, (ruling, paths) in hidden.items():
        count = f"{len(paths)} noindex address{'es' if len(paths) > 1 else ''}"
        place = ruling.place or Place("app.yaml", 0, "robots")
        message = f"`Disallow: {pattern}` keeps robots from {count}, {paths[0]} for one"
        yield finding("noindex-disallowed", place, message)


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
