"""`fingerpost check`: every problem of a site, where it is and what was expected there."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fingerpost.site.problems import Problem, Severity
from fingerpost.sources.objects import ObjectStore, StoreUnavailable
from fingerpost_tools import places
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import say, styled

_EPILOG = """\
exit codes: 0 clean (warnings allowed), 1 problems, 2 not a site

examples:
  fingerpost check my-site
  fingerpost check my-site --json | jq -r '.problems[].message'"""

_STYLES: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a check looks at: a site whose configuration can be used. `publication` is its
    fingerpost.catalogue.publication.Publication, `store` its files."""

    publication: Any
    store: ObjectStore


Check = Callable[[Subject], Iterator[Problem]]


def configuration(subject: Subject) -> Iterator[Problem]:
    """What the configuration says that can be used and still deserves a word."""
    yield from subject.publication.problems


def articles(subject: Subject) -> Iterator[Problem]:
    """Articles that are left out because their file can't be read, each with every reason."""
    from fingerpost.site.frontmatter import read_front_matter
    from fingerpost.site.problems import ArticleError

    for unreadable in subject.publication.unreadable:
        key = unreadable.place.file
        try:
            read_front_matter(subject.store.read(key).body, key)
        except ArticleError as error:
            yield from error.problems


def addresses(subject: Subject) -> Iterator[Problem]:
    """Addresses that are left out: taken by another entry, too long, without a slug."""
    from fingerpost.catalogue.catalogue import Catalogue
    from fingerpost.catalogue.origin import resolve_origin

    publication = subject.publication
    yield from Catalogue(publication, resolve_origin(None, publication.site), datetime.now(UTC)).problems


CHECKS: Final[tuple[Check, ...]] = (configuration, articles, addresses)


def examine(store: ObjectStore) -> list[Problem]:
    """Every problem of the site in `store`: what `CHECKS` find, or, where the configuration can't be used,
    every reason why not. Raises StoreUnavailable."""
    from fingerpost.catalogue.publication import read_publication
    from fingerpost.site.problems import SiteError

    try:
        subject = Subject(read_publication(store), store)
    except SiteError as error:
        return list(error.problems)
    return [problem for check in CHECKS for problem in check(subject)]


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `check` to the command line."""
    parser = subparsers.add_parser(
        "check",
        help="list every problem of a site",
        description="List every problem of a site as `file:line config.path: severity: message`.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", help="directory with an app.yaml")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost check`."""
    from fingerpost.sources.directory import DirectoryStore

    root = places.site(arguments.site)
    try:
        problems = examine(DirectoryStore(root))
    except StoreUnavailable as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        say(json.dumps(report(root, problems), ensure_ascii=False, indent=2))
    else:
        for problem in problems:
            say(line(problem))
        say(summary(problems))
    return PROBLEMS if _count(problems, Severity.ERROR) else 0


def report(root: Path, problems: Sequence[Problem]) -> dict[str, Any]:
    """The JSON form. Its keys stay: later versions only add to them. `line` is 0 where a problem belongs to
    a whole file, `path` "" where it belongs to no setting."""
    return {
        "site": str(root),
        "errors": _count(problems, Severity.ERROR),
        "warnings": _count(problems, Severity.WARNING),
        "hints": _count(problems, Severity.HINT),
        "problems": [
            {
                "id": problem.id,
                "severity": str(problem.severity),
                "file": problem.place.file,
                "line": problem.place.line,
                "path": problem.place.path,
                "message": problem.message,
            }
            for problem in problems
        ],
    }


def line(problem: Problem) -> str:
    """One problem as a line, its severity in colour on a terminal."""
    severity = styled(str(problem.severity), _STYLES[problem.severity])
    return f"{problem.place}: {severity}: {problem.message}"


def summary(problems: Sequence[Problem]) -> str:
    """How many problems there are of each severity: `2 errors, 1 warning`."""
    counted = [(_count(problems, severity), str(severity)) for severity in Severity]
    said = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counted if count]
    return ", ".join(said) or styled("no problems", "green")


def _count(problems: Sequence[Problem], severity: Severity) -> int:
    return sum(problem.severity is severity for problem in problems)
