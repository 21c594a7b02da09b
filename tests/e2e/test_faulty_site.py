"""A site with bad input in it: what is wrong is named and left out, and the rest of the site is unharmed."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.crawling import crawl_documents
from tests.e2e.processes import wait_until
from tests.e2e.serving import MARKDOWN, Served, serving

pytestmark = pytest.mark.slow

APP = """\
name: Faulty
colour: blue
tables:
  - name: notes
    permissions: {read: all}
    fields: [{name: slug, type: single-line-text}]
pages:
  - {name: home, path: /, components: [{type: text, element: h1, content: Hello}]}
  - {name: note, path: "/notes/:slug", collection: {table: notes, slugField: slug}, components: []}
  - {name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath}}
"""
WHOLE = APP.replace("  - {name: note", "  # - {name: note")
ARTICLES = {
    "good.md": b"---\ntitle: Good\n---\n# Good\n",
    "latin.md": b"---\ntitle: caf\xe9\n---\n# caf\xe9\n",
    "february.md": b"---\ntitle: Never\ndate: 2024-02-30\n---\n# Never\n",
    "broken.md": b"---\ntitle: [\n---\n# Broken\n",
    "windows.md": b"\xef\xbb\xbf---\r\ntitle: From Windows\r\n---\r\n# Windows\r\n",
    "LOUD.MD": b"# Loud\n",
    "100% done #1?.md": b"# All done\n",
    "empty.md": b"",
    "._good.md": b"\x00\x05\x16\x07",
    "folder/index.md": b"# Folder\n",
    "not-front.md": b"----\ntitle: none\n----\n# Rules\n",
}


def site(root: Path, app: str) -> Path:
    for name, body in ARTICLES.items():
        file = root / "content" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    (root / "app.yaml").write_text(app, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def faulty(reachable: Path) -> Iterator[Served]:
    """The site without records."""
    with serving(site(reachable / "faulty", WHOLE)) as served:
        yield served


def test_unreadable_articles_are_left_out_by_name(faulty: Served) -> None:
    """Latin-1, an impossible date and broken YAML are named in the log; every other article is published,
    once, at an address without its suffix (cases 15, 20, 67 and 75)."""
    found = crawl_documents(faulty)
    assert sorted(entry.loc.removeprefix(faulty.home) for entry in found.listed) == sorted(
        [
            "/",
            "/docs/good",
            "/docs/windows",
            "/docs/LOUD",
            "/docs/100%25%20done%20%231%3F",
            "/docs/empty",
            "/docs/folder",
            "/docs/not-front",
        ]
    )
    for entry in found.listed:
        assert faulty.get(entry.loc).status == 200
    logged = faulty.logged()
    for name in ("latin.md", "february.md", "broken.md"):
        assert f"content/{name}" in logged
        assert faulty.get(f"/docs/{name}").status == 404
    assert "._good.md" not in logged


def test_front_matter_is_found_where_it_is(faulty: Served) -> None:
    """A BOM and CRLF hide no front matter, and four dashes open none (cases 15 and 60)."""
    assert "<title>From Windows</title>" in faulty.get("/docs/windows").text
    assert faulty.get("/docs/windows.md").body == b"# Windows\r\n"
    assert faulty.get("/docs/not-front", MARKDOWN).body == ARTICLES["not-front.md"]


def test_a_broken_edit_leaves_the_last_good_site(reachable: Path) -> None:
    """A configuration that is broken while it is served changes nothing until it is mended."""
    root = site(reachable / "edited", WHOLE)
    with serving(root) as served:
        assert "Hello" in served.get("/").text
        for broken in ("name: [", "name: x\npages: 5\n", "$ref: ./app.yaml\n", "pages:\n  - {path: /}\n"):
            (root / "app.yaml").write_text(broken, encoding="utf-8")
            time.sleep(1.5)
            assert "Hello" in served.get("/").text
            assert served.get("/robots.txt").status == 200
            assert served.get("/docs/good").status == 200
        (root / "app.yaml").write_text(WHOLE.replace("Hello", "Mended"), encoding="utf-8")
        wait_until(lambda: "Mended" in served.get("/").text, 20)


def test_a_missing_column_costs_only_what_needs_it(reachable: Path) -> None:
    """Without its column a collection and the sitemap are 503 with Retry-After, uncached; pages, articles,
    twins, robots.txt and llms.txt are as ever."""
    root = site(reachable / "columnless", APP)
    (root / "seed.sql").write_text("ALTER TABLE notes DROP COLUMN slug;\n", encoding="utf-8")
    with serving(root) as served:
        for path in ("/sitemap.xml", "/notes/anything"):
            answer = served.get(path)
            assert (answer.status, answer.headers["cache-control"]) == (503, "no-store")
            assert int(answer.headers["retry-after"]) > 0
        for path in ("/", "/docs/good", "/docs/good.md", "/robots.txt", "/llms.txt", "/llms-full.txt"):
            assert served.get(path).status == 200
        assert "public.notes" in served.logged()
