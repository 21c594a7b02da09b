"""Pages while something fails: the store, the configuration, the database, one article (SPEC section 13)."""

from typing import Any

from fingerpost.sources.objects import ObjectMissing, StoredObject
from fingerpost.sources.records import RecordSource
from tests.support import Functions, MemoryStore
from tests.unit.web.answers import CREATE_POSTS, POSTS, NoDatabase, functions, store_of

MARKDOWN = "text/markdown"
DOCS = (
    "pages: [{name: home, path: /}, {name: docs, path: '/docs/:path*', "
    "contentDir: {directory: c, slugFrom: filepath}}]"
)
FILES: dict[str, str | bytes] = {"c/start.md": "# Start\n", "c/guide/index.md": "Guide\n"}


class Vanishing(MemoryStore):
    """A store whose articles are listed, and gone when their body is asked for."""

    def read(self, key: str) -> StoredObject:
        if key.startswith("c/"):
            raise ObjectMissing(key)
        return super().read(key)

    def read_many(self, keys: Any) -> Any:
        return {key: MemoryStore.read(self, key) for key in keys if key in self.files}


def test_removed_before_it_is_read() -> None:
    """An article that is removed between the listing and the reading is any missing thing."""
    site = Functions(Vanishing({"app.yaml": f"name: x\n{DOCS}", **FILES}))
    missing = site.get("/nothing")
    assert missing.status == 404
    for answer in (site.get("/docs/start"), site.get("/docs/start.md"), site.get("/docs/start", MARKDOWN)):
        assert answer == missing


def test_changed_file() -> None:
    """A changed article is served changed at once."""
    site = functions(DOCS, FILES)
    assert "# Start" in site.get("/docs/start.md").text
    store_of(site).files["c/start.md"] = b"New"
    assert site.get("/docs/start.md").text == "New"


def test_store_down() -> None:
    """While the store is down what was read is served; what was not is 503, not 404."""
    site = functions(DOCS, FILES)
    good = site.get("/docs/start")
    store_of(site).down = True
    assert site.get("/docs/start") == good
    other = site.get("/docs/guide")
    assert (other.status, other.headers["cache-control"]) == (503, "no-store")
    assert other.headers["retry-after"].isdigit()
    assert site.get("/nothing").status == 404
    cold = functions(DOCS, FILES)
    store_of(cold).down = True
    assert cold.get("/docs/start").status == 503
    assert cold.get("/nothing").status == 503


def test_broken_configuration() -> None:
    """A configuration that breaks leaves the last good one in place; at a cold start it is 503, never 404."""
    site = functions(DOCS, FILES)
    good = site.get("/docs/start")
    store_of(site).files["app.yaml"] = b"name: [\n"
    assert site.get("/docs/start") == good
    for files in ({"app.yaml": "name: [\n"}, {}):
        cold = Functions(MemoryStore(files)).get("/docs/start")
        assert (cold.status, cold.headers["cache-control"]) == (503, "no-store")


def test_database_down() -> None:
    """While the database is down record pages are 503, and twins, pages and articles are unaffected."""
    site = functions(
        POSTS + "  - {name: about, path: /about, markdown: {content: x}}\n", records=NoDatabase()
    )
    answer = site.get("/blog/a")
    assert (answer.status, answer.headers["cache-control"]) == (503, "no-store")
    assert answer.headers["retry-after"].isdigit()
    for path in ("/about", "/about.md", "/nothing"):
        assert site.get(path).status in (200, 404)


def test_broken_column(run: Any, records: RecordSource) -> None:
    """A record page whose table lacks a column is 503, not 404."""
    run(CREATE_POSTS.replace("title text, ", ""))
    assert functions(POSTS, records=records).get("/blog/a").status == 503


def test_unreadable_article() -> None:
    """One unreadable article is missing, and the rest of the site answers."""
    site = functions(DOCS, {**FILES, "c/bad.md": b"caf\xe9"})
    assert site.get("/docs/bad") == site.get("/nothing")
    assert site.get("/docs/start").status == 200
