"""`fingerpost publish`: a site into the bucket that the functions read."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from fingerpost_tools import places
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import complain, note, say, styled

if TYPE_CHECKING:
    from fingerpost_tools.bucket import Bucket
    from fingerpost_tools.publishing.live import Live
    from fingerpost_tools.publishing.planning import LocalSite, Plan

_EPILOG = """\
The site is checked first; an error stops it. What is uploaded is what the bucket lacks. Readers see the site
as it was until the last write, and as it is from then on, whenever the command is stopped. Files in
public/assets/ are the exception: S3 serves them directly, new ones before that write, changed ones after it.
Articles keep the date of the last commit that changed them; without git, of their file. seed.sql and hidden
files outside public/ are not published.

exit codes: 0 published or up to date, 1 the site has errors, 2 not published, 130 interrupted

examples:
  fingerpost publish my-site --bucket my-bucket
  fingerpost publish my-site --bucket my-bucket --prefix sites/mine --dry-run
  fingerpost publish my-site --bucket my-bucket --delete --invalidate E2EXAMPLE
  fingerpost publish --bucket my-bucket --rollback
  fingerpost publish my-site --bucket my-bucket --json | jq -r '.changed[]'"""

_NAMED: Final = 3

MakePlan = Callable[["Live"], "Plan"]


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `publish` to the command line."""
    parser = subparsers.add_parser(
        "publish",
        help="put a site into the bucket that the functions read",
        description="Put a site into the bucket that the functions read.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", nargs="?", help="directory with an app.yaml")
    parser.add_argument("--bucket", metavar="B", required=True, help="the bucket (output SiteLocation)")
    parser.add_argument("--prefix", metavar="P", default="", help="where in the bucket (its root)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("--delete", action="store_true", help="take out what the site no longer has")
    parser.add_argument(
        "--force", action="store_true", help="let --delete take out more than half of what is live"
    )
    parser.add_argument(
        "--rollback", metavar="ID", nargs="?", const="", help="go back to that publication (the one before)"
    )
    parser.add_argument(
        "--invalidate", metavar="DISTRIBUTION", help="have this CloudFront distribution ask anew at once"
    )
    parser.add_argument("--json", action="store_true", help="the summary as one JSON object, for machines")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost publish`."""
    _check_names(arguments.bucket, arguments.prefix)
    make_plan: MakePlan
    if arguments.rollback is not None:
        make_plan = _rollback(arguments.rollback)
    elif arguments.site is None:
        raise CommandError("which site? Give its directory, or --rollback")
    else:
        site = _checked_site(arguments.site)
        if site is None:
            return PROBLEMS
        make_plan = _publication(site, arguments)

    from fingerpost_tools.bucket import Bucket

    bucket = Bucket(arguments.bucket, arguments.prefix)
    planned = _carried_out(bucket, make_plan, arguments)
    invalidation = None
    if arguments.invalidate is not None and not arguments.dry_run:
        invalidation = _invalidate(bucket, planned, arguments.invalidate)
    if arguments.json:
        say(json.dumps(report(planned, dry_run=arguments.dry_run, invalidation=invalidation), indent=2))
    else:
        _tell(planned, arguments)
    return 0


def _check_names(bucket: str, prefix: str) -> None:
    """CommandError where S3 need not be asked to know that there can be no such place."""
    from fingerpost.sources.objects import is_key

    if bucket.startswith("s3://"):
        raise CommandError(
            f"--bucket: expected a bucket's name alone, found {bucket!r}; a path in it is for --prefix"
        )
    inner = prefix.strip("/")
    if inner and not is_key(inner):
        raise CommandError(f"--prefix: expected a path such as sites/mine, found {prefix!r}")


def report(planned: "Plan", *, dry_run: bool, invalidation: str | None) -> dict[str, object]:
    """The JSON form. Its keys stay: later versions only add to them."""
    before = planned.live.manifest
    return {
        "publication": planned.manifest.id,
        "previous": None if before is None else before.id,
        "dryRun": dry_run,
        "switched": planned.switches and not dry_run,
        "uploaded": len(planned.uploads),
        "added": planned.added,
        "changed": planned.changed,
        "redated": planned.redated,
        "removed": planned.gone,
        "kept": planned.kept,
        "warnings": planned.warnings,
        "invalidation": invalidation,
    }


def _checked_site(given: str) -> "LocalSite | None":
    """The site to publish, None where it has errors, which are listed."""
    from fingerpost.site.problems import Severity, SiteError
    from fingerpost.sources.objects import StoreUnavailable
    from fingerpost_tools.check import examine, line, summary
    from fingerpost_tools.dated_directory import DatedDirectory
    from fingerpost_tools.publishing.planning import read_local_site

    root = places.site(given)
    try:
        problems = examine(DatedDirectory(root))
        errors = [problem for problem in problems if problem.severity is Severity.ERROR]
        for problem in errors:
            say(line(problem), sys.stderr)
        if errors:
            complain(f"{summary(problems)}: nothing is published")
            return None
        if problems:
            note(f"{summary(problems)}: `fingerpost check {given}` lists them")
        return read_local_site(root, datetime.now(UTC))
    except (SiteError, StoreUnavailable) as error:  # the second where the site changes under our hands
        raise CommandError(str(error)) from error


def _publication(site: "LocalSite", arguments: argparse.Namespace) -> MakePlan:
    from fingerpost_tools.publishing.planning import guard_removal, plan

    for warning in site.dates.warnings:
        complain(styled(warning, "yellow", sys.stderr))

    def make(live: "Live") -> "Plan":
        planned = plan(site, live, delete=arguments.delete)
        guard_removal(planned, force=arguments.force)
        return planned

    return make


def _rollback(wanted: str) -> MakePlan:
    from fingerpost_tools.publishing.earlier import plan_rollback

    return lambda live: plan_rollback(live, wanted)


def _carried_out(bucket: "Bucket", make_plan: MakePlan, arguments: argparse.Namespace) -> "Plan":
    """The plan, done unless it is a dry run or there is nothing to do."""
    from fingerpost_tools.progress import NoProgress, progress_on
    from fingerpost_tools.publishing.earlier import prune
    from fingerpost_tools.publishing.live import look
    from fingerpost_tools.publishing.lock import locked
    from fingerpost_tools.publishing.transfer import carry_out

    planned = make_plan(look(bucket))
    if arguments.dry_run or planned.is_nothing:
        return planned
    progress = NoProgress() if arguments.quiet else progress_on(sys.stderr)
    with locked(bucket) as lease:
        # What another publisher did before the lock was ours counts.
        planned = make_plan(look(bucket))
        try:
            carry_out(planned, lease, progress)
        finally:
            progress.end()
        if arguments.delete:
            prune(look(bucket))
    return planned


def _invalidate(bucket: "Bucket", planned: "Plan", distribution: str) -> str:
    from fingerpost.sources.published import CURRENT
    from fingerpost_tools.publishing.invalidation import invalidate

    current = bucket.get(CURRENT)
    since = "" if current is None else f"{current.written:%Y%m%dT%H%M%S}"
    return invalidate(distribution, f"{planned.manifest.id}-{since}")


def _tell(planned: "Plan", arguments: argparse.Namespace) -> None:
    if arguments.dry_run:
        for mark, style, keys in (
            ("+", "green", planned.added),
            ("~", "yellow", planned.changed),
            ("d", "cyan", planned.redated),
            ("-", "red", planned.gone),
        ):
            for key in keys:
                say(f"{styled(mark, style)} {key}")
    bucket, name = planned.live.bucket, styled(planned.manifest.id, "bold")
    if planned.is_nothing:
        say(f"{bucket} is up to date: publication {name}")
    elif not planned.switches:
        say(f"{bucket} is mended: publication {name}")
    else:
        verb = "would be live" if arguments.dry_run else "is live"
        say(f"publication {name} {verb} in {bucket}: {_counts(planned)}")
    if planned.kept:
        say(f"no longer in the site, and still live: {_some(planned.kept)} (--delete takes them out)")


def _counts(planned: "Plan") -> str:
    counted = (
        (planned.added, "added"),
        (planned.changed, "changed"),
        (planned.redated, "with another date"),
        (planned.gone, "removed"),
    )
    said = [f"{len(keys)} {word}" for keys, word in counted if keys]
    return f"{', '.join(said) or 'no file differs'}; {len(planned.uploads)} uploaded"


def _some(keys: tuple[str, ...]) -> str:
    rest = len(keys) - _NAMED
    return ", ".join(keys[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
