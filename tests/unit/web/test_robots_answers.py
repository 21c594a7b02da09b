"""/robots.txt, as a client gets it."""

from collections.abc import Mapping

import pytest

from fingerpost.sources.objects import ObjectInfo, StoreUnavailable
from tests.support import ORIGIN, Functions, MemoryStore
from tests.unit.web.answers import POSTS, NoDatabase, functions, store_of

BASIC = """User-agent: *
Allow: /
Disallow: /_preview
Sitemap: https://example.com/sitemap.xml
"""
PAGES = "pages: [{name: home, path: /}, {name: preview, path: /_preview}]"


def test_basic_form() -> None:
    """The basic file, byte for byte, and its headers."""
    answer = functions(PAGES).get("/robots.txt")
    assert (answer.status, answer.text) == (200, BASIC)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=300, stale-if-error=86400"


def test_methods() -> None:
    """HEAD says what GET says, without the body; other methods are refused by name (case 9)."""
    site = functions(PAGES)
    got, head = site.get("/robots.txt"), site.get("/robots.txt", method="HEAD")
    assert (head.status, head.headers, head.body) == (200, got.headers, b"")
    assert site.get("/robots.txt", method="PUT").status == 405


@pytest.mark.parametrize("path", ["/robots.txt", "/base/robots.txt"])
def test_base_path(path: str) -> None:
    """Under a base path the file is there and at the host's root, its addresses absolute (cases 40, 51)."""
    site = functions(PAGES, base_url=f"{ORIGIN}/base", base="/base")
    text = site.get(path).text
    assert "Disallow: /base/_preview\n" in text
    assert f"Sitemap: {ORIGIN}/base/sitemap.xml\n" in text


def test_underscore_pages() -> None:
    """One Disallow per page under `/_`, up to its first parameter, wildcards in it literal."""
    site = functions(
        "pages: [{name: a, path: '/_drafts/:slug', contentDir: {directory: c}}, {name: b, path: /_x}, "
        "{name: c, path: /_x/y}, {name: d, path: '/_é*$'}, {name: e, path: /__}, {name: f, path: /x/_y}, "
        "{name: g, path: '/:x/_z', contentDir: {directory: c}}]"
    )
    lines = site.get("/robots.txt").text.splitlines()
    assert [line.removeprefix("Disallow: ") for line in lines if "Disallow" in line] == [
        "/_drafts",
        "/_x",
        "/_x/y",
        "/_%C3%A9%2A%24",
        "/__",
    ]


def test_underscore_pages_in_languages() -> None:
    """On a multilingual site the prefixed addresses are disallowed, too."""
    languages = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"
    lines = functions(languages + PAGES).get("/robots.txt").text.splitlines()
    assert [line for line in lines if line.startswith("Disallow")] == [
        "Disallow: /_preview",
        "Disallow: /en/_preview",
        "Disallow: /fr/_preview",
    ]


def test_noindex_is_not_disallowed() -> None:
    """A noindex page must be crawled for its tag to be seen."""
    site = functions("pages: [{name: a, path: /a, meta: {noindex: true}}, {name: b, path: /b}]")
    assert "Disallow" not in site.get("/robots.txt").text


@pytest.mark.parametrize("app", ["", "pages: [{name: p, path: /, access: [member]}]"])
def test_nothing_is_listed(app: str) -> None:
    """Where nothing is listed there is no Sitemap line (case 55)."""
    assert functions(app).get("/robots.txt").text == "User-agent: *\nAllow: /\n"


def test_articles_alone() -> None:
    """Articles are looked at where a site has nothing else to list, and a draft alone lists nothing."""
    app = "pages: [{name: d, path: '/:slug', contentDir: {directory: c}}]"
    assert "Sitemap:" in functions(app, {"c/a.md": ""}).get("/robots.txt").text
    assert "Sitemap:" not in functions(app, {"c/a.md": "---\ndraft: true\n---\n"}).get("/robots.txt").text


def test_reads_no_article_it_can_do_without() -> None:
    """Where a page is listed anyway, no article is read."""
    app = f"{PAGES[:-1]}, {{name: d, path: '/d/:slug', contentDir: {{directory: c}}}}]"
    site = functions(app, {"c/a.md": "", "c/b.md": ""})
    assert site.get("/robots.txt").status == 200
    assert store_of(site).reads == ["app.yaml"]


def test_never_needs_the_database() -> None:
    """A site of records is answered without asking for them."""
    database = NoDatabase()
    answer = functions(POSTS, records=database).get("/robots.txt")
    assert (answer.status, database.asked) == (200, 0)
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in answer.text


def test_own_file() -> None:
    """The owner's file is served without the byte order mark and CRs that crawlers stumble on (case 52)."""
    site = functions(PAGES, {"public/robots.txt": b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /x\r\n"})
    assert site.get("/robots.txt").body == b"User-agent: *\nDisallow: /x\n"


def test_switched_off() -> None:
    """`seo.robots: false` is the 404 of any missing thing."""
    site = functions("seo: {robots: false}\n" + PAGES)
    assert site.get("/robots.txt") == site.get("/nothing")


def test_content_signals() -> None:
    """Content signals are said where the owner gave them, and nowhere else."""
    site = functions("agents: {contentSignals: {aiTrain: false}}\n" + PAGES)
    signal = "Content-Signal: search=yes, ai-input=yes, ai-train=no"
    assert site.get("/robots.txt").text.splitlines()[1] == signal
    assert "Content-Signal" not in functions(PAGES).get("/robots.txt").text


def test_configuration_that_breaks() -> None:
    """While a good configuration is known it is never 5xx: not when it breaks, not when the store is down."""
    articles = "pages: [{name: d, path: '/:slug', contentDir: {directory: c}}]"
    for app, files in ((PAGES, {}), (articles, {"c/a.md": ""}), (PAGES, {"public/robots.txt": "mine"})):
        site = functions(app, files)
        good = site.get("/robots.txt")
        store_of(site).files["app.yaml"] = b"name: [\n"
        assert site.get("/robots.txt") == good
        store_of(site).down = True
        assert site.get("/robots.txt") == good
    cold = functions("pages: [\n").get("/robots.txt")
    assert (cold.status, cold.headers["retry-after"].isdigit()) == (503, True)


class PublicAlone(MemoryStore):
    """A store that lists the owner's own files, and fails when asked for more."""

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        if prefix != "public/":
            raise StoreUnavailable("throttled")
        return super().list(prefix)


def test_store_fails_for_the_articles() -> None:
    """Where the configuration is known but no article can be had, the sitemap is named all the same."""
    app = "name: x\npages: [{name: d, path: '/:slug', contentDir: {directory: c}}]"
    answer = Functions(PublicAlone({"app.yaml": app})).get("/robots.txt")
    assert (answer.status, "Sitemap:" in answer.text) == (200, True)


def test_policy_that_is_too_large() -> None:
    """Rules beyond the 500 KiB that crawlers read never replace those that were good."""
    site = functions(PAGES)
    good = site.get("/robots.txt")
    rules = ", ".join(f"/{n}{'x' * 100}" for n in range(6_000))
    store_of(site).files["app.yaml"] = (
        f"name: Acme\nrobots: {{groups: [{{userAgents: [A], disallow: [{rules}]}}]}}\n{PAGES}".encode()
    )
    assert site.get("/robots.txt") == good


def test_origin_of_the_request() -> None:
    """Without a configured origin the viewer's host is the sitemap's."""
    site = functions(PAGES, base_url=None)
    answer = site.get("/robots.txt", headers={"x-viewer-host": "a.example", "host": "evil.example"})
    assert "Sitemap: https://a.example/sitemap.xml" in answer.text
