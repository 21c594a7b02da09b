"""`fingerpost audit`: crawls a live site as a polite robot and says what crawlers will stumble over."""

import argparse
import json
import os
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from fingerpost.site.problems import Severity
from fingerpost_tools.command_error import PROBLEMS, CommandError
from fingerpost_tools.terminal import say

if TYPE_CHECKING:
    from fingerpost_tools.auditing.crawl import Limits
    from fingerpost_tools.auditing.facts import Facts
    from fingerpost_tools.auditing.report import Report

RATE: Final = 5.0
_OWN_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})

# RFC 6265 4.2.1, loosely: what a header can hold.
_COOKIE: Final = re.compile(r"[!-:<>-~]+=[ -~]*")

_EPILOG = """\
The crawl obeys robots.txt as `fingerpost-audit`, asks for one address at a time, honours Crawl-delay and
Retry-After, stays on the site's host, and sends nothing but GET and HEAD unless --post is given. On this
machine's own addresses it does not wait between requests, unless --rate is given.

exit codes: 0 no errors, 1 errors (with --strict warnings too), 2 cannot start, 130 interrupted

examples:
  fingerpost audit https://example.com
  fingerpost audit https://example.com --max-pages 50 --html report.html
  fingerpost audit http://127.0.0.1:8000 --strict
  fingerpost audit https://example.com --json | jq -r '.findings[] | "\\(.severity) \\(.id)"'"""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `audit` to the command line."""
    parser = subparsers.add_parser(
        "audit",
        help="crawl a live site and list what crawlers stumble over",
        description="Crawl any live site, from robots.txt to sitemaps, pages, feeds and Markdown twins, "
        "and list what crawlers stumble over.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", metavar="URL", help="the site's home page, http:// or https://")
    parser.add_argument(
        "--max-pages", type=_count, default=500, metavar="N", help="pages to visit at most (%(default)s)"
    )
    parser.add_argument(
        "--rate", type=_positive, metavar="N", help=f"requests a second at most ({RATE:g}; fractions allowed)"
    )
    parser.add_argument(
        "--timeout", type=_positive, default=30.0, metavar="S", help="seconds for one answer (%(default)g)"
    )
    parser.add_argument(
        "--sample",
        type=_count,
        default=20,
        metavar="N",
        help="pages to ask for in every way: Markdown, HEAD, validators, uncompressed (%(default)s)",
    )
    parser.add_argument(
        "--cookie",
        type=_cookie,
        metavar="NAME=VALUE",
        help="also ask the sample with this cookie",
    )
    parser.add_argument(
        "--post", action="store_true", help="also send one POST, without a body, to the home page"
    )
    parser.add_argument(
        "--ignore", action="append", default=[], metavar="ID", help="leave a check out; may be repeated"
    )
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write the report as one HTML page")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost audit`."""
    from fingerpost_tools.auditing.report import make_report

    url = _url(arguments.url)
    ignored = _ignored(arguments.ignore)
    _writable(arguments.html)
    facts = _crawl(url, arguments)
    report = make_report(facts, ignored)
    if arguments.html is not None:
        _write(arguments.html, report)
    _show(report, arguments.json)
    if facts.interrupted:
        raise KeyboardInterrupt
    failing = report.count(Severity.ERROR) + arguments.strict * report.count(Severity.WARNING)
    return PROBLEMS if failing else 0


def _crawl(url: str, arguments: argparse.Namespace) -> "Facts":
    """What is known of the site, up to an interruption; CommandError where nobody answers."""
    from fingerpost_tools.auditing import progress
    from fingerpost_tools.auditing.crawl import Crawl
    from fingerpost_tools.auditing.facts import Facts
    from fingerpost_tools.auditing.fetcher import Fetcher
    from fingerpost_tools.auditing.pace import Pace
    from fingerpost_tools.auditing.urls import Scope, normal

    facts = Facts(Scope.of(url), datetime.now(UTC))
    if normal(url) != normal(facts.scope.home):
        facts.notes.append(f"{url} is a page of {facts.scope.home}; end it in `/` if the site begins there.")
    fetcher = Fetcher(Pace(_seconds_between(url, arguments.rate)), arguments.timeout)
    began = time.monotonic()
    try:
        with progress.shown() as shown:
            Crawl(fetcher, facts, _limits(arguments), shown).run()
    except KeyboardInterrupt:
        facts.interrupted = True
    finally:
        fetcher.close()
    facts.requests, facts.seconds = fetcher.count, time.monotonic() - began
    if facts.robots_visit is not None and not facts.pages and not facts.robots_visit.last.status:
        raise CommandError(f"{facts.robots_visit.url} gives no answer: {facts.robots_visit.last.fault}")
    return facts


def _limits(arguments: argparse.Namespace) -> "Limits":
    from fingerpost_tools.auditing.crawl import Limits

    return Limits(arguments.max_pages, arguments.sample, arguments.post, arguments.cookie or "")


def _seconds_between(url: str, rate: float | None) -> float:
    if rate is None and urlsplit(url).hostname in _OWN_MACHINE:
        return 0.0
    return 1 / (rate or RATE)


def _show(report: "Report", as_json: bool) -> None:
    from fingerpost_tools.auditing.terminal_report import lines

    if as_json:
        say(json.dumps(report.to_json(), ensure_ascii=True, indent=2))
    else:
        for line in lines(report):
            say(line)


def _url(given: str) -> str:
    """The address of a home page, as given; CommandError where it is none."""
    from fingerpost_tools.auditing.urls import absolute

    parts = urlsplit(given) if absolute(given) else None
    if parts is None:
        tried = given.partition("://")[2] or given
        meant = f"; did you mean https://{tried}?" if absolute(f"https://{tried}") else ""
        raise CommandError(f"expected an http:// or https:// address, found {given!r}{meant}")
    if parts.username is not None:
        raise CommandError("expected an address without a user name: it would end up in the report")
    return given


def _ignored(ids: list[str]) -> frozenset[str]:
    from difflib import get_close_matches

    from fingerpost_tools.auditing import checks  # noqa: F401 - fills the registry
    from fingerpost_tools.auditing.registry import CHECKS

    for unknown in (each for each in ids if each not in CHECKS):
        near = get_close_matches(unknown, CHECKS, 1)
        raise CommandError(f"--ignore: there is no check {unknown!r}" + (f"; {near[0]!r}?" if near else ""))
    return frozenset(ids)


def _writable(file: Path | None) -> None:
    """Before the crawl, which takes minutes: CommandError where the report can't be written after it."""
    if file is None:
        return
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise CommandError(f"--html: {file} can't be written to")


def _write(file: Path, report: "Report") -> None:
    from fingerpost_tools.auditing.html_report import html_report

    try:
        file.write_text(html_report(report), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--html: {file}: {error.strerror}") from error


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number of 1 or more, found {text!r}")
    return int(text)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text!r}")
    return number


def _cookie(text: str) -> str:
    if not _COOKIE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found {text!r}")
    return text
