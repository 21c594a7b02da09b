"""A small healthy site behind a real HTTP server, which a test breaks in exactly one way."""

import contextlib
import gzip
import hashlib
import socket
import socketserver
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Final

import pytest

from tests.certificates import self_signed

# They stand for the origin and its host in every text: the port is known only once the server listens.
O: Final = "$O"  # noqa: E741
HOST: Final = "$HOST"
PUBLIC: Final = "public, max-age=300"
# RFC 8446 5.1: the first octet of a client that begins TLS.
_HANDSHAKE: Final = b"\x16"


@dataclass
class Request:
    """What a client sent; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    secure: bool = False


@dataclass
class Reply:
    """What the server is about to answer."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Resource:
    """What lies at a path: `body`, and a Markdown body beside it where the path negotiates."""

    body: str
    type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    markdown: str | None = None


Hook = Callable[[Request, Reply], None]


class HangUp(Exception):  # noqa: N818 - it is no error
    """A hook's way to end the connection without an answer."""


@dataclass
class ServedSite:
    """The site: resources by path. `shapes` change an answer before conditions are evaluated, `hooks` at the
    very end. A `secure` site is an https one, whose port also takes plain http and sends it on to https."""

    resources: dict[str, Resource]
    shapes: list[Hook] = field(default_factory=list)
    hooks: list[Hook] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    origin: str = ""
    secure: bool = False
    answers_in_plain: bool = False

    def replace(self, path: str, old: str, new: str) -> None:
        """Change a text that has to be there."""
        resource = self.resources[path]
        assert old in resource.body, (path, old)
        resource.body = resource.body.replace(old, new)

    def add_page(self, path: str, title: str, **words: str) -> None:
        self.resources[path] = Resource(page(path, title, **words))

    def redirect(self, path: str, target: str) -> None:
        self.resources[path] = Resource("", status=301, headers={"location": target})

    def list_entry(self, loc: str, rest: str = "") -> None:
        """List one more address in the second sitemap."""
        self.replace("/sitemap-2.xml", "</urlset>", f"<url><loc>{loc}</loc>{rest}</url></urlset>")

    def offer(self, url: str) -> None:
        """List one more address in llms.txt, which makes it known without any page linking to it."""
        self.resources["/llms.txt"].body += f"- [More]({url})\n"

    def link(self, path: str, href: str) -> None:
        """Let a page link to an address."""
        self.replace(path, "</body>", f'<a href="{href}">more</a></body>')

    def answer(self, request: Request) -> Reply:
        if self.secure and not request.secure and not self.answers_in_plain:
            return Reply(301, {"location": f"{self.origin}{request.path}"}, b"")
        reply = self._representation(request)
        for shape in self.shapes:
            shape(request, reply)
        if reply.status == 200 and request.headers.get("if-none-match") == reply.headers.get("etag", "-"):
            kept = {"etag", "vary", "cache-control"}
            reply = Reply(304, {k: v for k, v in reply.headers.items() if k in kept}, b"")
        for hook in self.hooks:
            hook(request, reply)
        return reply

    def _filled(self, text: str) -> str:
        return text.replace(O, self.origin).replace(HOST, self.origin.partition("://")[2])

    def _representation(self, request: Request) -> Reply:
        resource = self.resources.get(request.path)
        if resource is None:
            headers = {"content-type": "text/html; charset=utf-8", "cache-control": "private, no-cache"}
            return Reply(404, headers, b"<!doctype html><title>Not found</title>")
        if request.method not in ("GET", "HEAD"):
            return Reply(405, {"allow": "GET, HEAD", "cache-control": "no-store"}, b"")
        media_type, text = resource.type, resource.body
        vary = ["Accept-Encoding"]
        if resource.markdown is not None:
            vary.append("Accept")
            accept = request.headers.get("accept", "")
            if "text/markdown" in accept and "q=0" not in accept:
                media_type, text = "text/markdown; charset=utf-8", resource.markdown
        body = self._filled(text).encode(errors="surrogateescape")
        headers = {"content-type": media_type, "cache-control": PUBLIC, "vary": ", ".join(vary)}
        headers |= {name: self._filled(value) for name, value in resource.headers.items()}
        if "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 1, mtime=0)
            headers["content-encoding"] = "gzip"
        headers["etag"] = f'"{hashlib.sha256(body).hexdigest()[:12]}"'
        return Reply(resource.status, headers, body)


@contextmanager
def serving(site: ServedSite) -> Iterator[str]:
    """The site on a port of this machine; its origin."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    class Exchange(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True
        secure = False

        def setup(self) -> None:
            if site.secure and self.request.recv(1, socket.MSG_PEEK) == _HANDSHAKE:
                self.request = context.wrap_socket(self.request, server_side=True)
                self.secure = True
            super().setup()

        def finish(self) -> None:
            super().finish()
            self.request.close()

        def answer(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers, self.secure)
            site.requests.append(request)
            try:
                reply = site.answer(request)
            except HangUp:
                self.close_connection = True
                return
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 304 and "content-length" not in reply.headers:
                self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD" and reply.status != 304:
                self.wfile.write(reply.body)

        do_GET = do_HEAD = do_POST = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that has read enough hangs up; that is no error."""

    with contextlib.ExitStack() as stack:
        if site.secure:
            context.load_cert_chain(stack.enter_context(_trusted_certificate()))
        server = stack.enter_context(Server(("127.0.0.1", 0), Exchange))
        site.origin = f"http{'s' if site.secure else ''}://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
        thread.start()
        yield site.origin
        server.shutdown()
        thread.join()


@contextmanager
def _trusted_certificate() -> Iterator[Path]:
    """A certificate for this machine, which this process trusts as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        certificate = self_signed(Path(folder), "127.0.0.1")
        patch.setenv("SSL_CERT_FILE", str(certificate))
        yield certificate


def page(path: str, title: str, head: str = "", body: str = "", lang: str = "en", canonical: str = "") -> str:
    """A page with everything a crawler looks for."""
    named = canonical or f"{O}{path}"
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="description" content="All about {title}.">'
        f'<link rel="canonical" href="{named}"><meta property="og:url" content="{named}">'
        f'<meta property="og:image" content="{O}/wren.png">{head}'
        '<script type="application/ld+json">{"@context": "https://schema.org"}</script></head>'
        f'<body><h1 id="top-of-page">{title}</h1>{body}</body></html>'
    )


def _urlset(entries: Mapping[str, str]) -> str:
    urls = "".join(f"<url><loc>{O}{path}</loc>{rest}</url>" for path, rest in entries.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        f'xmlns:xhtml="http://www.w3.org/1999/xhtml">{urls}</urlset>'
    )


def healthy_site() -> ServedSite:
    """A site in which there is nothing to find."""
    languages = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{O}{path}">'
        for code, path in (("en", "/"), ("fr", "/fr/"), ("x-default", "/"))
    )
    cluster = languages.replace('<link rel="alternate"', '<xhtml:link rel="alternate"').replace('">', '"/>')
    feed = '<link rel="alternate" type="application/rss+xml" title="Posts" href="$O/feed.xml">'
    posts = [f"/posts/{number}" for number in range(1, 7)]
    links = "".join(f'<a href="{path}">{path}</a>' for path in ("/fr/", "/about", "/thanks", *posts))
    docs = ("/docs/start", "/docs/next")
    links += "".join(f'<a href="{path}#top-of-page">{path}</a>' for path in docs)
    resources = {
        "/": Resource(page("/", "Vane and Wren", languages + feed, links)),
        "/fr/": Resource(page("/fr/", "Girouette et troglodyte", languages, lang="fr")),
        "/about": Resource(page("/about", "Who we are")),
        "/thanks": Resource(page("/thanks", "Thank you", '<meta name="robots" content="noindex, follow">')),
        "/robots.txt": Resource(
            "User-agent: *\nAllow: /\nDisallow: /_private # not yet\n\n"
            f"User-agent: GPTBot\nDisallow: /\n\nSitemap: {O}/sitemap.xml\n",
            "text/plain; charset=utf-8",
        ),
        "/feed.xml": Resource(_feed(posts[:3]), "application/rss+xml; charset=utf-8"),
        "/llms.txt": Resource(
            "# Vane and Wren\n\n> Weather stations\n\n## Docs\n\n"
            + "".join(f"- [{path}]({O}{path}.md): how to\n" for path in docs),
            "text/plain; charset=utf-8",
        ),
        "/sitemap.xml": Resource(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            f"<sitemap><loc>{O}/sitemap-1.xml</loc><lastmod>2026-03-14</lastmod></sitemap>"
            f"<sitemap><loc>{O}/sitemap-2.xml</loc></sitemap></sitemapindex>",
            "application/xml",
        ),
        "/sitemap-1.xml": Resource(
            _urlset(
                {
                    "/": f"<lastmod>2026-03-14</lastmod>{cluster}",
                    "/fr/": f"<lastmod>2026-03-15T10:00:00Z</lastmod>{cluster}",
                    "/about": "<lastmod>2026-02-01</lastmod>",
                }
            ),
            "application/xml",
        ),
        "/sitemap-2.xml": Resource(
            _urlset(
                {
                    path: f"<lastmod>2026-01-0{number}</lastmod><priority>0.5</priority>"
                    for number, path in enumerate((*docs, *posts), 1)
                }
            ),
            "application/xml; charset=utf-8",
        ),
    }
    for path in posts:
        filler = f"<p>{path} says that the wind turned.</p>" * 600
        resources[path] = Resource(page(path, f"Post {path[-1]}", body=filler))
    for path in docs:
        twin = f'<link rel="alternate" type="text/markdown" href="{O}{path}.md">'
        text = f"# Guide {path}\n\nRead it.\n"
        resources[path] = Resource(page(path, f"Guide {path}", twin), markdown=text)
        resources[f"{path}.md"] = Resource(
            text, "text/markdown; charset=utf-8", headers={"link": f'<{O}{path}>; rel="canonical"'}
        )
    return ServedSite(resources)


def _feed(paths: list[str]) -> str:
    items = "".join(
        f"<item><title>{path}</title><link>{O}{path}</link><guid>{O}{path}</guid>"
        f"<pubDate>Sat, 1{number} Jan 2026 09:26:53 GMT</pubDate>"
        f'<content:encoded>&lt;img src="{O}/wren.png"&gt;</content:encoded></item>'
        for number, path in enumerate(paths)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Posts</title>'
        f"<link>{O}/</link><description>What we write</description>"
        f'<atom:link rel="self" href="{O}/feed.xml"/>{items}</channel></rss>'
    )
