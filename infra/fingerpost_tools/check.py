"""`fingerpost check`: every problem of a site, where it is and what to do about it."""

import argparse
import contextlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fingerpost.site.problems import Problem, Severity
from fingerpost_tools import places
from fingerpost_tools.checking.report import as_json, count_of, line, lines, summary
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import say

if TYPE_CHECKING:
    from fingerpost.sources.objects import ObjectStore
    from fingerpost.sources.postgres import PostgresRecords
    from fingerpost_tools.checking.subject import Check

_EPILOG = """\
An error is certainly wrong; warnings and hints are judgement. Records are looked at only with --database-url.

exit codes: 0 no errors, 1 errors (with --strict warnings too), 2 not a site

examples:
  fingerpost check my-site
  fingerpost check my-site --strict --database-url postgresql://me@localhost/mine
  fingerpost check my-site --format json | jq -r '.problems[] | "\\(.severity) \\(.id)"'
  fingerpost check my-site --format sarif > fingerpost.sarif"""

__all__ = ["essential", "every", "examine", "line", "register", "run", "summary"]

_FORMATS: Final = ("text", "json", "sarif")


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `check` to the command line."""
    parser = subparsers.add_parser(
        "check",
        help="list every problem of a site",
        description="List every problem of a site as `file:line config.path: severity: message [id]`.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", help="directory with an app.yaml")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--format", choices=_FORMATS, default="text", help="form of the list (%(default)s)")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="--format json")
    parser.add_argument("--base-url", metavar="URL", help="origin of the site (deployment.site)")
    parser.add_argument("--database-url", metavar="URL", help="look at the records there too")
    parser.set_defaults(run=run)


def essential() -> "tuple[Check, ...]":
    """The checks that read no article's body: what is served that should not be, or the other way."""
    from fingerpost_tools.checking import content

    return (content.configuration, content.articles, content.guards, content.addresses)


def every() -> "tuple[Check, ...]":
    """Every check, in the order that findings are told in."""
    from fingerpost_tools.checking import content, dates, heads, languages, links, records, robots, settings

    return (
        *essential(),
        languages.origin,
        languages.codes,
        languages.holes,
        heads.titles,
        heads.descriptions,
        heads.canonicals,
        dates.future,
        dates.equal,
        links.dead,
        settings.redirects,
        settings.components,
        settings.unreadable_collections,
        robots.rules,
        content.owned_documents,
        records.records,
    )


def examine(
    store: "ObjectStore",
    base_url: str | None = None,
    database: "PostgresRecords | None" = None,
    root: Path | None = None,
    checks: "Callable[[], tuple[Check, ...]]" = every,
) -> list[Problem]:
    """What `checks` find in the site in `store`, or, where its configuration can't be used, every reason why
    not. Raises StoreUnavailable, RecordsUnavailable; CommandError on a wrong `base_url`."""
    from fingerpost.catalogue.publication import read_publication
    from fingerpost.site.problems import SiteError
    from fingerpost_tools.checking.subject import make_subject
    from fingerpost_tools.whole_site import origin_of

    try:
        publication = read_publication(store)
    except SiteError as error:
        return list(error.problems)
    origin = origin_of(publication.site, base_url)
    subject = make_subject(publication, store, origin, datetime.now(UTC), database, root)
    return [problem for check in checks() for problem in check(subject)]


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost check`."""
    from fingerpost.errors import Unavailable
    from fingerpost_tools.dated_directory import DatedDirectory

    root = places.site(arguments.site)
    with contextlib.ExitStack() as stack:
        try:
            database = _database(arguments.database_url)
            if database is not None:
                stack.callback(database.close)
            problems = examine(DatedDirectory(root), arguments.base_url, database, root)
        except Unavailable as error:
            raise CommandError(str(error)) from error
    _tell(arguments.format, root, problems)
    failing = [Severity.ERROR, Severity.WARNING] if arguments.strict else [Severity.ERROR]
    return PROBLEMS if any(count_of(problems, severity) for severity in failing) else 0


def _database(url: str | None) -> "PostgresRecords | None":
    """The records at a URL; RecordsUnavailable where it is no URL of a database."""
    if url is None:
        return None
    from fingerpost.sources.login import UrlLogin
    from fingerpost.sources.postgres import PostgresRecords

    login = UrlLogin(url)
    # A site without records would never look at it.
    login.current()
    return PostgresRecords(login)


def _tell(form: str, root: Path, problems: Sequence[Problem]) -> None:
    if form == "text":
        for text in lines(problems):
            say(text)
        return
    from fingerpost_tools.checking.sarif import sarif

    document = as_json(root, problems) if form == "json" else sarif(root, problems, Path.cwd())
    say(json.dumps(document, ensure_ascii=False, indent=2))
