"""`fingerpost explain`: why an address is, or is not, in each document."""

import argparse
import json
import shutil
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from fingerpost_tools import places
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import note, say

if TYPE_CHECKING:
    from fingerpost_tools.explaining.explainer import Explainer
    from fingerpost_tools.explaining.facts import Answer

_EPILOG = """\
ADDRESS is an absolute URL or a path, as a browser shows it; FILE a file of the site; TABLE:KEY a row by its
primary key. Records are read from --database-url, else DATABASE_URL, else a Postgres of the site's own, and
only where one is asked for.

exit codes: 0 everything asked for is served, 1 something is not, 2 not a site

examples:
  fingerpost explain my-site /docs/start
  fingerpost explain my-site https://example.com/fr/about content/docs/draft.md
  fingerpost explain my-site posts:42 --database-url postgresql://me@localhost/mine
  fingerpost explain my-site --all
  fingerpost explain my-site --all --json | jq '.counts.sitemap'"""

# A table that no terminal shows is as wide as its addresses.
_UNBOUNDED: Final = 100_000


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `explain` to the command line."""
    parser = subparsers.add_parser(
        "explain",
        help="say why an address is, or is not, in each document",
        description="Say of each address what it is made from, when it changed, and for every document "
        "whether it is in, with the one rule that decided and where that rule's setting stands.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", help="directory with an app.yaml")
    parser.add_argument(
        "target", metavar="ADDRESS|FILE|TABLE:KEY", nargs="*", help="what to explain (nothing: all)"
    )
    parser.add_argument("--all", action="store_true", help="a table of every entry, with counts per rule")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--base-url", metavar="URL", help="origin of the site (deployment.site)")
    parser.add_argument("--database-url", metavar="URL", help="read records there (DATABASE_URL)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost explain`."""
    from fingerpost.documents.robots import RobotsTooLargeError
    from fingerpost.errors import Unavailable
    from fingerpost_tools.explaining.explainer import Explainer
    from fingerpost_tools.whole_site import SiteRecords, origin_of, read_site

    root = places.site(arguments.site)
    store, publication = read_site(root)
    origin = origin_of(publication.site, arguments.base_url)
    with SiteRecords(root, publication.site, arguments.database_url, note) as records:
        try:
            explainer = Explainer(publication, store, origin, datetime.now(UTC), records.open, root)
            asked = [answer for target in arguments.target for answer in explainer.asked(target)]
            if arguments.all or not arguments.target:
                return _tell_all(arguments, explainer, asked, origin.known)
        except (Unavailable, RobotsTooLargeError) as error:
            raise CommandError(str(error)) from error
    if arguments.json:
        _tell_as_json(arguments.site, origin.known, asked)
    else:
        _tell(asked, origin.known)
    return _code(asked)


def _tell_all(
    arguments: argparse.Namespace, explainer: "Explainer", asked: list["Answer"], origin: str | None
) -> int:
    from fingerpost_tools.explaining.report import table

    everything = list(explainer.everything())
    if arguments.json:
        _tell_as_json(arguments.site, origin, everything)
        return _code(asked)
    if asked:
        _tell(asked, origin)
        say()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBOUNDED
    for line in table(everything, width):
        say(line)
    return _code(asked)


def _tell(answers: Iterable["Answer"], origin: str | None) -> None:
    from fingerpost_tools.explaining.report import in_full

    for number, answer in enumerate(answers):
        if number:
            say()
        for line in in_full(answer, origin or ""):
            say(line)


def _tell_as_json(site: str, origin: str | None, answers: list["Answer"]) -> None:
    from fingerpost_tools.explaining.report import report

    say(json.dumps(report(site, origin, answers), ensure_ascii=False, indent=2))


def _code(answers: Iterable["Answer"]) -> int:
    """Whether everything that was asked for is served."""
    from fingerpost_tools.explaining.facts import is_served

    return 0 if all(map(is_served, answers)) else PROBLEMS
