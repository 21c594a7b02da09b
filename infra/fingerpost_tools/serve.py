"""`fingerpost serve`: a site on this machine, by the functions that run behind the CDN."""

import argparse
import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from fingerpost_tools import places
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.terminal import complain, note, say, styled

if TYPE_CHECKING:
    from fingerpost.site.model import Site
    from fingerpost_tools.local_server import LocalServer
    from fingerpost_tools.site_database import SiteDatabase
    from fingerpost_tools.visitor import Identity

_EPILOG = """\
Content is kept in an S3 of this process and follows the files of SITE; records are in a Postgres of the
site's own, whose data is in SITE/.fingerpost. Nothing else on this machine or elsewhere is touched.

exit codes: 0 closed by Ctrl-C, 2 it can't start

examples:
  fingerpost serve                                    the demo site
  fingerpost serve my-site --port 9000
  fingerpost serve my-site --visitor member,editor    as a signed-in visitor
  fingerpost serve my-site --database-url postgresql://me@localhost/mine
  fingerpost serve my-site --backends-only > env.json
    sam local invoke SitemapFunction --env-vars env.json --docker-network host"""

_ANY_ADDRESS: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
_CONFIGURATION: Final = (".yaml", ".yml", ".json")


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `serve` to the command line."""
    parser = subparsers.add_parser(
        "serve",
        help="open a site on this machine",
        description="Open a site on this machine, answered by the real functions.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="SITE", nargs="?", help="directory with an app.yaml (the demo site)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=_port, default=8000, help="port to listen on, 0 for any (%(default)s)")
    parser.add_argument(
        "--base-url", metavar="URL", help="origin of every absolute URL (the address served at)"
    )
    parser.add_argument("--database-url", metavar="URL", help="read records there (an embedded Postgres)")
    parser.add_argument("--visitor", metavar="ROLE[,ROLE]", help="be a signed-in visitor with these roles")
    parser.add_argument(
        "--backends-only",
        action="store_true",
        help="no HTTP: start S3 and Postgres, and print the environment for `sam local invoke`",
    )
    parser.add_argument("--quiet", action="store_true", help="no line per request")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost serve`, once it is stopped: Ctrl-C is how it ends well."""
    root = places.site(arguments.site)
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack:
        # The port before anything that takes time: a busy one should be told at once.
        server = None if arguments.backends_only else stack.enter_context(_server(arguments))
        backends = stack.enter_context(_backends(root, arguments))
        if server is None:
            _offer(backends)
        else:
            _serve(root, arguments, server, backends, stack)
    return 0


@dataclass(slots=True)
class _Backends:
    """What the functions lean on: the configuration last seen, its environment, and who is signed in."""

    site: "Site"
    database: "SiteDatabase"
    identity: "Identity | None"
    environment: dict[str, str]


@contextlib.contextmanager
def _backends(root: Path, arguments: argparse.Namespace) -> Iterator[_Backends]:
    from fingerpost_tools import embedded_s3, seeding, site_database, visitor

    site = _configuration(root)
    with site_database.open_database(root, site, arguments.database_url, note) as database:
        identity = None if arguments.visitor is None else visitor.signed_in(_roles(arguments.visitor))
        backends = _Backends(site, database, identity, {})

        def changed(keys: frozenset[str]) -> None:
            if not arguments.quiet:
                note(f"updated: {', '.join(sorted(keys)[:3])}{' ...' if len(keys) > 3 else ''}")
            if any(key.endswith(_CONFIGURATION) for key in keys):
                _redeclare(root, backends)
            if seeding.FILE in keys:
                _seed(root, database)

        with embedded_s3.running(root, changed) as store:
            backends.environment |= store.environment()
            if database.url is not None:
                backends.environment["DATABASE_URL"] = database.url
            if identity is not None:
                store.put_aside(visitor.JWKS_KEY, identity.jwks)
                backends.environment |= identity.environment()
            yield backends


def _redeclare(root: Path, backends: _Backends) -> None:
    """Follow a changed configuration: new tables and columns are made; a broken one changes nothing, as in
    production."""
    try:
        backends.site = _configuration(root)
        backends.database.declare(backends.site)
    except CommandError as error:
        complain(f"{error}\nthe last good configuration goes on")


def _seed(root: Path, database: "SiteDatabase") -> None:
    """Run a seed that is new, and say what becomes of one that has run."""
    try:
        database.seed(root, note)
    except CommandError as error:
        complain(str(error))


def _configuration(root: Path) -> "Site":
    """The site at `root`; CommandError with every problem where it can't be used."""
    from fingerpost.catalogue.publication import read_configuration
    from fingerpost.site.problems import SiteError
    from fingerpost.sources.directory import DirectoryStore
    from fingerpost.sources.objects import StoreUnavailable

    try:
        return read_configuration(DirectoryStore(root)).site
    except SiteError as error:
        raise CommandError(f"the configuration of {root} can't be used\n{error}") from error
    except StoreUnavailable as error:
        raise CommandError(str(error)) from error


def _serve(
    root: Path,
    arguments: argparse.Namespace,
    server: "LocalServer",
    backends: _Backends,
    stack: contextlib.ExitStack,
) -> None:
    from fingerpost_tools import environment, functions, tour
    from fingerpost_tools.local_server import Edge

    address = _address(arguments.host, server.port)
    base_url = _base_url(arguments.base_url, address, backends.site)
    stack.enter_context(environment.settings({**backends.environment, "BASE_URL": base_url}))
    loaded = functions.load(places.functions(), urlsplit(base_url).path.rstrip("/"))
    if backends.identity is not None:
        server.edge = Edge(backends.identity.cookie)
    say(f"{styled(backends.site.name, 'bold')} is open. Ctrl-C closes it.\n")
    # The tour takes a while, since it wakes every function: it is taken while the site is open.
    with server.serving(loaded.invoke) as serving:
        for stop in tour.stops(loaded, address):
            say(f"  {stop.label:{tour.LABEL_WIDTH}}  {styled(stop.url, 'cyan')}")
        if backends.identity is not None:
            say(f"\n  signed in with {', '.join(backends.identity.roles) or 'no role'}; the same elsewhere:")
            say(f"  curl -b '{backends.identity.cookie}' {address}{loaded.base}/")
        _warn(root)
        say()
        serving.join()


def _offer(backends: _Backends) -> None:
    """Print the environment as the file that `sam local invoke --env-vars` takes, and wait."""
    # First, so that whoever has read the whole file knows.
    note("S3 and Postgres are running; Ctrl-C stops them")
    say(json.dumps({"Parameters": backends.environment}, indent=2))
    threading.Event().wait()


def _warn(root: Path) -> None:
    from fingerpost.sources.directory import DirectoryStore
    from fingerpost_tools.check import essential, examine, summary

    problems = examine(DirectoryStore(root), checks=essential)
    if problems:
        say(styled(f"\n  {summary(problems)}: `fingerpost check {root}` lists them", "yellow"))


def _server(arguments: argparse.Namespace) -> "LocalServer":
    from fingerpost_tools.local_server import Edge, LocalServer

    def log(method: str, target: str, status: int, seconds: float) -> None:
        style = "green" if status < 400 else "yellow" if status < 500 else "red"
        say(f"{method} {target} {styled(str(status), style)} {seconds * 1000:.0f} ms")

    def silent(method: str, target: str, status: int, seconds: float) -> None:
        pass

    return LocalServer(arguments.host, arguments.port, Edge(), silent if arguments.quiet else log)


def _address(host: str, port: int) -> str:
    """Where a browser on this machine finds the server."""
    reachable = "127.0.0.1" if host in _ANY_ADDRESS else host
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def _base_url(given: str | None, address: str, site: "Site") -> str:
    """The origin as given, else the server's own address with the site's base path."""
    from fingerpost.catalogue.origin import resolve_origin
    from fingerpost.errors import SettingError

    if given is None:
        return f"{address}{resolve_origin(None, site).base}"
    try:
        origin = resolve_origin(given, site)
    except SettingError as error:
        raise CommandError(str(error).replace("BASE_URL", "--base-url")) from error
    return f"{origin.known}{origin.base}"


def _roles(text: str) -> tuple[str, ...]:
    return tuple(role.strip() for role in text.split(",") if role.strip())


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, found {text}")
    return int(text)
