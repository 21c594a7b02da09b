"""The owner's own files, which win over everything derived."""

import pytest

from fingerpost.web.own_files import content_type_of, has_hashed_name
from tests.unit.web.answers import functions, store_of

PAGES = "pages: [{name: home, path: /}, {name: about, path: /about}]"


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("a.css", "text/css; charset=utf-8"),
        ("a.PNG", "image/png"),
        ("a.svg", "image/svg+xml"),
        ("site.webmanifest", "application/manifest+json"),
        ("a.tar.gz", "application/gzip"),
        ("css", "application/octet-stream"),
        (".well-known/security.txt", "text/plain; charset=utf-8"),
        ("a.exotic", "application/octet-stream"),
    ],
)
def test_content_types(name: str, content_type: str) -> None:
    """A file's media type is told by its suffix, whatever its case."""
    assert content_type_of(name) == content_type


@pytest.mark.parametrize(
    "name", ["app.3f2a9c1b.css", "index-BqXk91_z.js", "logo.0123456789abcdef.svg", "chunk-a1b2c3d4e5.js"]
)
def test_names_with_a_hash(name: str) -> None:
    """What build tools add to a name is a hash: copies of such a file stay good."""
    assert has_hashed_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "report-2024-01-08.pdf",
        "annual-report-2024.pdf",
        "report-20240108.pdf",
        "annual-report2024.pdf",
        "my-homepage2.png",
        "DSC-Photo001.jpg",
        "a-screenshot.png",
        "deadbeef.js",
        "app.3f2a9c1.css",
        "app-feedface.css",
        "3f2a9c1b",
        "jquery-3.7.1.min.js",
    ],
)
def test_names_without_a_hash(name: str) -> None:
    """A date, a number or a long word in a name is no hash: such a file may change under its name."""
    assert not has_hashed_name(name)


def test_headers() -> None:
    """An owner's file has its type and five minutes, one with a hash in its name a year."""
    site = functions(PAGES, {"public/a/b.css": "x", "public/app.3f2a9c1b.js": "y"})
    css, js = site.get("/a/b.css"), site.get("/app.3f2a9c1b.js")
    assert (css.body, css.headers["content-type"]) == (b"x", "text/css; charset=utf-8")
    assert css.headers["cache-control"] == "public, max-age=300"
    assert js.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/robots.txt", "public/robots.txt"),
        ("/sitemap.xml", "public/sitemap.xml"),
        ("/feed.xml", "public/feed.xml"),
        ("/llms.txt", "public/llms.txt"),
        ("/agent-readability.json", "public/agent-readability.json"),
        ("/about", "public/about"),
        ("/docs/start.md", "public/docs/start.md"),
        ("/.well-known/security.txt", "public/.well-known/security.txt"),
    ],
)
def test_they_win(path: str, key: str) -> None:
    """A file below `public/` answers at its path, whatever would be derived there."""
    files: dict[str, str | bytes] = {key: "mine", "c/start.md": "derived"}
    app = f"{PAGES[:-1]}, {{name: docs, path: '/docs/:slug', rss: true, contentDir: {{directory: c}}}}]"
    answer = functions(app, files).get(path)
    assert (answer.status, answer.body) == (200, b"mine")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/%61.css", 200),
        ("/d%2Fb.css", 404),
        ("/d/", 301),
        ("/a.css/", 301),
        ("/A.css", 404),
        ("/d/b.css", 200),
    ],
)
def test_paths(path: str, status: int) -> None:
    """A file answers at its decoded path, and at no other."""
    assert functions(PAGES, {"public/a.css": "x", "public/d/b.css": "y"}).get(path).status == status


def test_base_path() -> None:
    """Files answer below the base path."""
    site = functions(PAGES, {"public/a.css": "x"}, base_url="https://example.com/base", base="/base")
    assert site.get("/base/a.css").status == 200
    assert site.get("/a.css").status == 404


def test_changed_and_unreachable() -> None:
    """A changed file is served changed, and a file that was read is served while the store is down."""
    site = functions(PAGES, {"public/a.css": "old", "public/b.css": "x"})
    assert site.get("/a.css").body == b"old"
    store_of(site).files["public/a.css"] = b"new"
    assert site.get("/a.css").body == b"new"
    store_of(site).down = True
    assert site.get("/a.css").body == b"new"
    assert site.get("/b.css").status == 503
