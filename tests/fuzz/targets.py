"""What is fuzzed: each target takes any bytes, and raises where Fingerpost does what it must not.

An exception that no caller is told of, a 5xx other than a 503, an answer that takes more than a second, a
restricted page that opens: those are findings. Everything else is a right answer to a wrong question.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from fingerpost.site.frontmatter import ArticleError, body_of, read_front_matter
from fingerpost.web.negotiation import accepts_gzip, prefers_markdown
from tests.memory_records import MemoryRecords
from tests.support import ORIGIN, Functions, MemoryStore, Response, make_event, read_response
from tests.unit.documents import sitemaps
from tests.unit.web.answers import SESSIONS, jwks

Target = Callable[[bytes], None]

# The processor's time that an answer may take (seconds): what else the machine does is not held against it.
SECONDS = 1.0
# RFC 9110 names for what a request may be answered with; 503 is SPEC section 13's.
_ANSWERS: Final = frozenset({200, 301, 302, 304, 404, 405, 503})
_DOCUMENTS: Final = (
    *("/sitemap.xml", "/robots.txt", "/feed.xml", "/llms.txt", "/llms-full.txt"),
    "/agent-readability.json",
)
_FUNCTIONS: Final = ("page", "sitemap", "robots", "feed", "llms")
# Listed addresses that are asked for, of one site.
_FOLLOWED: Final = 6

SITE: Final = """name: Acme
description: A site with a bit of everything
languages: {default: en, supported: [{code: en}, {code: fr, locale: fr-CA}, {code: zh-hans}]}
tables:
  - name: posts
    permissions: {read: all}
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: updated_at, type: updated-at}]
pages:
  - {name: home, path: /, meta: {title: Home}}
  - {name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath, index: intro}}
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}, rss: true}
  - {name: members, path: /members, access: [member], meta: {title: Zaunkoenig}}
  - {name: club, path: /club, access: {require: authenticated, redirectTo: /sign-in}}
  - {name: preview, path: "/_preview/:id"}
"""
ARTICLES: Final = """name: Acme
pages: [{name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath}, rss: true}]
"""
FILES: Final = {
    "app.yaml": SITE,
    "content/intro.md": "---\ntitle: Intro\n---\n# Intro\n",
    "content/guide/index.md": "Guide\n",
    "content/café & co.md": "---\ntitle: Café\nnoindex: true\n---\n[a](../intro)\n",
    "public/own.txt": "own\n",
    "config/jwks.json": jwks(),
}
ROWS: Final[Sequence[Mapping[str, Any]]] = [
    {"slug": "one", "title": "One", "updated_at": "2026-01-02T03:04:05Z"},
    {"slug": "a/b %2F", "title": "]]> & <b>", "updated_at": None},
    {"slug": None, "title": None, "updated_at": None},
]
_SECRET: Final = "Zaunkoenig"


class FindingError(AssertionError):
    """Fingerpost did what it must not."""


def requests(data: bytes) -> None:
    """A request as lines, its first and its headers; or an event of any shape as JSON."""
    text = data.decode("utf-8", "surrogateescape")
    event = _as_json(text) if text.startswith("{") else _event(text)
    for name in _FUNCTIONS:
        _answered(site(), event, name)


def paths(data: bytes) -> None:
    """A path, as it stands in a request line."""
    path = "/" + data.decode("utf-8", "replace")
    for name in _FUNCTIONS:
        response = _answered(site(), make_event(path), name)
        if response.status not in (301, 302):
            continue
        target = response.headers["location"]
        if not target.startswith("/") or target.startswith(("//", "/\\")):
            raise FindingError(f"{path!r} leads elsewhere: {target!r}")
        if _answered(site(), make_event(_path(target)), name).status == 301:
            raise FindingError(f"{path!r} is moved twice, over {target!r}")


def accept(data: bytes) -> None:
    """Accept, and Accept-Encoding and If-None-Match with it, one on each line."""
    lines = [*data.decode("utf-8", "replace").split("\n"), "", ""]
    headers = {"accept": lines[0], "accept-encoding": lines[1], "if-none-match": lines[2]}
    response = _answered(site(), make_event("/docs", headers=headers), "page")
    if response.status == 304:
        return
    form = "text/markdown" if prefers_markdown(lines[0]) else "text/html"
    if not response.headers["content-type"].startswith(form):
        raise FindingError(f"{lines[0]!r} got {response.headers['content-type']}")
    if (response.headers.get("content-encoding") == "gzip") and not accepts_gzip(lines[1]):
        raise FindingError(f"{lines[1]!r} got gzip")
    if "Accept" not in response.headers["vary"]:
        raise FindingError("an address with two bodies does not say so")


def cookies(data: bytes) -> None:
    """Cookies, one on each line: none of them opens what is restricted, or tells it from what is missing."""
    found = data.decode("utf-8", "replace").split("\n")
    missing = _answered(site(), make_event("/nothing", cookies=found), "page")
    restricted = _answered(site(), make_event("/members", cookies=found), "page")
    if restricted != missing or missing.status != 404:
        raise FindingError("a restricted page does not answer like a missing one")
    if _answered(site(), make_event("/club", cookies=found), "page").status != 302:
        raise FindingError("a page for members does not lead to where they sign in")


def front_matter(data: bytes) -> None:
    """An article: it is refused by name, or read and served in each of its forms."""
    began = time.process_time()
    try:
        _, body = read_front_matter(data, "content/x.md")
    except ArticleError as error:
        _in_time(began, "refusing the article")
        if error.problem.place.file != "content/x.md":
            raise FindingError(f"a refusal that names no place: {error}") from error
        return
    _in_time(began, "reading the article")
    if body_of(data) != body.encode():
        raise FindingError("two readings of one article differ")
    files: dict[str, str | bytes] = {"app.yaml": ARTICLES, "content/x.md": data}
    _serves(Functions(MemoryStore(files)), ("/docs/x", "/docs/x.md"))


def configuration(data: bytes) -> None:
    """An `app.yaml`: it is refused with a place for each reason, or a site of it is served."""
    served = Functions(MemoryStore({**FILES, "app.yaml": data}), MemoryRecords(ROWS))
    _serves(served, ("/", "/blog/one", "/docs/intro", "/docs/intro.md", "/members"))


TARGETS: Final[Mapping[str, Target]] = {
    "requests": requests,
    "paths": paths,
    "accept": accept,
    "cookies": cookies,
    "front_matter": front_matter,
    "configuration": configuration,
}


@cache
def site() -> Functions:
    """The site that is asked, warm."""
    return Functions(MemoryStore(FILES), MemoryRecords(ROWS), environment=SESSIONS)


def _serves(served: Functions, paths: Iterable[str]) -> None:
    """Every document of the site, and some of the addresses it lists."""
    answers = {path: _answered(served, make_event(path)) for path in (*_DOCUMENTS, *paths)}
    listed = answers["/sitemap.xml"]
    if listed.status != 200:
        return
    for entry in sitemaps.read(listed.body)[:_FOLLOWED]:
        response = _answered(served, make_event(_path(entry.loc.removeprefix(ORIGIN))))
        if response.status != 200:
            raise FindingError(f"{entry.loc} is listed and answers {response.status}")


def _answered(served: Functions, event: Mapping[str, Any], name: str | None = None) -> Response:
    """The answer to an event, of the function that the CDN would ask or of the one called `name`."""
    path = str(event.get("rawPath", "/"))
    handler = served.handler(path) if name is None else served.named(name)
    began = time.process_time()
    answer = handler(event, None)
    _in_time(began, f"{name or ''} {path[:200]!r}")
    json.dumps(answer).encode("ascii")
    response = read_response(answer)
    if response.status not in _ANSWERS:
        raise FindingError(f"{path[:200]!r} answers {response.status}")
    for header, value in response.headers.items():
        if not (value.isascii() and value.isprintable()):
            raise FindingError(f"{path[:200]!r} answers with a header {header}: {value!r}")
    if _SECRET.encode() in response.body and response.status == 200 and served is site():
        raise FindingError(f"{path[:200]!r} shows what is restricted")
    return response


def _in_time(began: float, what: str) -> None:
    took = time.process_time() - began
    if took > SECONDS:
        raise FindingError(f"{what} took {took:.1f} s")


def _event(text: str) -> dict[str, Any]:
    first, *rest = text.split("\n")
    method, _, target = first.partition(" ")
    headers: dict[str, str] = {}
    found: list[str] = []
    for line in rest:
        name, _, value = line.partition(":")
        if name.lower() == "cookie":
            found.append(value)
        else:
            headers[name.lower()] = value
    return make_event(_path(target), method, headers, found, target.partition("?")[2])


def _as_json(text: str) -> Mapping[str, Any]:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}


def _path(target: str) -> str:
    return target.partition("?")[0]
