"""`fingerpost build`: a site as files for any static host."""

import argparse
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fingerpost_tools import places
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import note, say

if TYPE_CHECKING:
    from fingerpost.catalogue.publication import Publication
    from fingerpost_tools.building.static_site import Wanted
    from fingerpost_tools.progress import Progress

_EPILOG = """\
Written are the pages, articles and records that everyone may read, with the files that search engines and
assistants look for. Records are read from --database-url, else DATABASE_URL, else a Postgres of the site's
own. DIR is replaced as a whole, and only once everything is written; files that did not change keep their
time.

exit codes: 0 built, 1 built, but something is missing (each is named), 2 not built, 130 and 143 interrupted

examples:
  fingerpost build my-site --out dist --base-url https://example.com
  fingerpost build my-site --out dist --base-url https://example.com/docs --json | jq .problems
  fingerpost build my-site --to s3://my-bucket/site --base-url https://example.com"""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `build` to the command line."""
    parser = subparsers.add_parser(
        "build",
        help="write a site as files for any static host",
        description="Write a site as files for any static host.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", help="directory with an app.yaml")
    parser.add_argument("--out", metavar="DIR", type=Path, help="directory to write (made where missing)")
    parser.add_argument("--to", metavar="s3://BUCKET/PREFIX", help="upload there, what has changed alone")
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="origin of every absolute URL (FINGERPOST_BASE_URL, deployment.site)",
    )
    parser.add_argument("--database-url", metavar="URL", help="read records there (DATABASE_URL)")
    parser.add_argument(
        "--no-sitemap", action="store_true", help="no sitemap and no records: nothing asks the database"
    )
    parser.add_argument("--processes", metavar="N", type=_processes, help="how many render (one per core)")
    parser.add_argument(
        "--force", action="store_true", help="replace DIR, or what is at --to, though no build wrote it"
    )
    parser.add_argument("--json", action="store_true", help="the summary as one JSON object, for machines")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost build`."""
    if arguments.out is None and arguments.to is None:
        raise CommandError("where to? Give --out DIR, --to s3://BUCKET/PREFIX, or both")
    from fingerpost_tools.building import upload
    from fingerpost_tools.building.output import replacing
    from fingerpost_tools.building.report import summary, tell
    from fingerpost_tools.building.static_site import build
    from fingerpost_tools.progress import NoProgress, progress_on
    from fingerpost_tools.whole_site import read_site

    began = time.monotonic()
    root = places.site(arguments.site)
    bucket = upload.target_of(arguments.to) if arguments.to is not None else None
    _, publication = read_site(root)
    wanted = _wanted(arguments, root, publication)
    target = arguments.out if arguments.out is not None else places.state(root) / "build"
    _check_apart(root, target, publication)
    progress: Progress = NoProgress() if arguments.quiet or arguments.json else progress_on(sys.stderr)
    uploaded = None
    with replacing(target, force=arguments.force or arguments.out is None) as output:
        report = build(wanted, output, progress, note)
        output.publish()
        seconds = time.monotonic() - began
        if bucket is not None:
            uploaded = upload.upload(output.target, bucket, report.owned, progress, force=arguments.force)
    if arguments.json:
        found = summary(root, output.target, wanted.origin, report, seconds, uploaded)
        say(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        tell(output.target, report, seconds, uploaded)
    return PROBLEMS if report.errors else 0


def _wanted(arguments: argparse.Namespace, root: Path, publication: "Publication") -> "Wanted":
    from fingerpost_tools.building.static_site import Wanted, is_sitemap_wanted
    from fingerpost_tools.whole_site import ORIGIN_VARIABLE, origin_of

    wanted = Wanted(
        root,
        publication,
        origin_of(publication.site, arguments.base_url),
        arguments.database_url,
        sitemap=not arguments.no_sitemap,
    )
    if arguments.processes is not None:
        wanted = replace(wanted, processes=arguments.processes)
    if wanted.origin.known is None and is_sitemap_wanted(wanted):
        raise CommandError(
            f"a sitemap holds absolute addresses: give --base-url URL (or set {ORIGIN_VARIABLE}), "
            "or --no-sitemap to build without it"
        )
    return wanted


def _check_apart(root: Path, target: Path, publication: "Publication") -> None:
    """CommandError where the output would take the site with it, or be taken for a part of it."""
    from fingerpost.catalogue.articles import directory_of
    from fingerpost.catalogue.publication import content_languages
    from fingerpost.sources.objects import PUBLIC

    target = Path(os.path.realpath(target))
    if root.is_relative_to(target):
        raise CommandError(f"--out {target} holds the site itself: name a directory of its own")
    if not target.is_relative_to(root):
        return
    key = f"{target.relative_to(root).as_posix()}/"
    site = publication.site
    taken = [PUBLIC]
    for page in site.pages:
        if page.content_dir is not None:
            taken += [directory_of(page.content_dir, code) for code in content_languages(site, page)]
    for prefix in taken:
        if key.startswith(prefix):
            raise CommandError(
                f"--out {target} is within {root / prefix}, whose files are the site's: name a directory "
                "outside of it"
            )


def _processes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 256, found {text}")
    return int(text)
