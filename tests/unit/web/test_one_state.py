"""A listing and its bodies are one state of the site: no answer is made of two."""

import pytest

from fingerpost.sources.published import PublishedStore
from tests.publications import forget, publish
from tests.support import Functions, MemoryStore

APP = """
name: {name}
deployment: {{site: "https://example.com"}}
pages:
  - {{name: home, path: /, markdown: {{file: content/home.md}}}}
  - {{name: docs, path: "/docs/:slug", contentDir: {{directory: content/docs}}, rss: true}}
"""
BROKEN = "name: [\n"
PATHS = (
    "/",
    "/docs/a",
    "/docs/a.md",
    "/style.css",
    "/feed.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/robots.txt",
)


def files(word: str, app: str | None = None) -> dict[str, str]:
    """A site every file of which says `word`."""
    return {
        "app.yaml": APP.format(name=word) if app is None else app,
        "content/home.md": f"Home is {word}.",
        "content/docs/a.md": f"---\ntitle: {word}\n---\nA is {word}.",
        "public/style.css": f"/* {word} */",
        "public/robots.txt": f"# {word}\n",
    }


OLD, REFUSED = files("oldest"), files("newest", BROKEN)


def published() -> tuple[MemoryStore, Functions]:
    store = MemoryStore({})
    publish(store, OLD)
    return store, Functions(PublishedStore(store))


def words(site: Functions) -> dict[str, tuple[bool, bool]]:
    """Of each address, whether it says anything of the old site, and of the new one."""
    texts = {path: site.get(path).text for path in PATHS}
    return {path: ("oldest" in text, "newest" in text) for path, text in texts.items()}


ALL_OLD, ALL_NEW = dict.fromkeys(PATHS, (True, False)), dict.fromkeys(PATHS, (False, True))


@pytest.mark.parametrize("first", ["/docs/b", *PATHS])
def test_a_refused_publication(first: str) -> None:
    """Beside a configuration that is refused, whatever was published with it is not served: all is of the
    last good publication, bodies that nobody had read before too."""
    store, site = published()
    for path in {first, "/", "/feed.xml", "/llms.txt", "/robots.txt"}:
        site.get(path)
    publish(store, REFUSED, "two")
    assert words(site) == ALL_OLD
    publish(store, files("newest"), "three")
    assert words(site) == ALL_NEW


def test_a_refused_publication_that_outlives_the_last_good_one() -> None:
    """Once the contents of the last good publication are gone, what an instance has read is served, and the
    rest is unavailable: never missing, never the refused one's."""
    store, site = published()
    assert site.get("/docs/a").status == 200
    for function in ("feed", "llms", "robots"):
        site.get(f"/{function}.xml")
        site.get(f"/{function}.txt")
    publish(store, REFUSED, "two")
    forget(store, OLD)
    assert {path: site.get(path).status for path in PATHS} == {
        "/": 503,
        "/docs/a": 200,
        "/docs/a.md": 200,
        "/style.css": 503,
        "/feed.xml": 200,
        "/llms.txt": 200,
        "/llms-full.txt": 503,
        "/robots.txt": 200,
    }
    assert "oldest" in site.get("/docs/a").text


def plain() -> tuple[MemoryStore, Functions]:
    """A plain tree, whose functions look for changes once in a while only."""
    store = MemoryStore(OLD)
    return store, Functions(store, check_seconds=3600)


def test_a_file_that_changed_after_the_listing() -> None:
    """In a plain tree the older bytes are gone: the site is listed anew, and the answer is all new."""
    store, site = plain()
    for path in ("/docs/b", "/llms.txt"):
        site.get(path)
    store.files = MemoryStore(files("newest")).files
    for path in ("/docs/a", "/docs/a.md", "/llms-full.txt", "/style.css", "/"):
        text = site.get(path).text
        assert ("oldest" in text, "newest" in text) == (False, True), path


@pytest.mark.parametrize("path", ["/docs/a", "/docs/a.md", "/llms-full.txt"])
def test_a_draft_beside_a_refused_configuration(path: str) -> None:
    """What became a draft is not shown under the older front matter: where neither the older text nor the
    newer state can be had, the answer is unavailable."""
    store, site = plain()
    site.get("/docs/b")
    site.get("/llms.txt")
    store.files |= {"app.yaml": BROKEN.encode(), "content/docs/a.md": b"---\ndraft: true\n---\nnewest"}
    answer = site.get(path)
    assert (answer.status, "newest" in answer.text) == (503, False)
