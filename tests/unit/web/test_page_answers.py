"""Pages, articles and records at their own addresses: HTML and Markdown, as a client gets them."""

from typing import Any
from urllib.parse import quote

import pytest

from fingerpost.sources.records import RecordSource
from tests.support import ORIGIN, Clock, Functions
from tests.unit.documents.sitemaps import locs, read
from tests.unit.web.answers import (
    CREATE_POSTS,
    POSTS,
    alternates,
    canonical,
    functions,
    max_age,
    session,
)

MARKDOWN = "text/markdown"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
LANGUAGES = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"
DOCS = (
    "pages: [{name: home, path: /, markdown: {content: Welcome}}, {name: plain, path: /plain}, "
    "{name: docs, path: '/docs/:path*', contentDir: {directory: c, slugFrom: filepath, index: intro}}]"
)
FILES: dict[str, str | bytes] = {
    "c/intro.md": "---\ntitle: Intro\n---\nIntro body\n",
    "c/start.md": "---\ntitle: Start\n---\n# Start\n\n---\nnot front matter\n",
    "c/guide/index.md": "Guide\n",
}


def site_of_docs(**settings: Any) -> Functions:
    return functions(DOCS, FILES, **settings)


def test_twin() -> None:
    """The Markdown form is the file without its front matter, and names the HTML page as canonical
    (cases 49, 60)."""
    answer = site_of_docs().get("/docs/start.md")
    assert (answer.status, answer.text) == (200, "# Start\n\n---\nnot front matter\n")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["link"] == f'<{ORIGIN}/docs/start>; rel="canonical"'
    assert answer.headers["vary"] == "Accept, Accept-Encoding"
    assert answer.headers["cache-control"] == "public, max-age=300"


@pytest.mark.parametrize(
    "source",
    [b"no front matter\r\nat all", b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\nbody\r\n", b"", b"---\na: 1\n---",
     "é 🦊\n".encode(), b"----\nx\n----\n"],
)  # fmt: skip
def test_twin_is_the_body_to_the_byte(source: bytes) -> None:
    """Nothing of a body is changed on its way, whatever its line ends (cases 15, 60)."""
    body = source.partition(b"---\r\n")[2].partition(b"---\r\n")[2] if b"\xef\xbb\xbf" in source else source
    body = b"" if source == b"---\na: 1\n---" else body
    site = functions(DOCS, {"c/a.md": source})
    assert site.get("/docs/a.md").body == body
    assert site.get("/docs/a", MARKDOWN).body == body


@pytest.mark.parametrize(
    ("accept", "markdown"),
    [
        (None, False),
        (BROWSER, False),
        ("*/*", False),
        ("text/*", False),
        (MARKDOWN, True),
        ("text/markdown, text/html;q=0.9", True),
        ("text/html, text/markdown;q=0.9", False),
        ("text/html, text/markdown;q=0", False),
        ("application/json", False),
    ],
)
def test_negotiation(accept: str | None, markdown: bool) -> None:
    """One address has two forms; which one a client gets varies by Accept, and both say so (cases 3, 5)."""
    answer = site_of_docs().get("/docs/start", accept)
    kind = "text/markdown" if markdown else "text/html"
    assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
    assert answer.headers["vary"] == "Accept, Accept-Encoding"


def test_forms_have_tags_of_their_own() -> None:
    """The two forms have different ETags, and the address of one is good for neither the other."""
    site = site_of_docs()
    html, markdown = site.get("/docs/start"), site.get("/docs/start", MARKDOWN)
    assert html.headers["etag"] != markdown.headers["etag"]
    crossed = site.get("/docs/start", MARKDOWN, headers={"if-none-match": html.headers["etag"]})
    assert crossed.status == 200
    again = site.get("/docs/start", headers={"if-none-match": html.headers["etag"]})
    assert (again.status, again.headers["vary"]) == (304, "Accept, Accept-Encoding")


@pytest.mark.parametrize(
    ("twin", "html", "body"),
    [
        ("/index.md", "/", "Welcome"),
        ("/docs.md", "/docs", "Intro body\n"),
        ("/docs/guide.md", "/docs/guide", "Guide\n"),
    ],
)
def test_twins_of_indexes(twin: str, html: str, body: str) -> None:
    """The root's twin is `/index.md`, and an index's that of its address."""
    site = site_of_docs()
    answer = site.get(twin)
    assert (answer.status, answer.text) == (200, body)
    assert answer.headers["link"] == f'<{ORIGIN}{html}>; rel="canonical"'
    assert f'type="text/markdown" href="{ORIGIN}{twin}"' in site.get(html).text


def test_twins_in_languages() -> None:
    """Each language's root has a twin below it; an unprefixed one answers for the default language."""
    site = functions(LANGUAGES + DOCS, FILES)
    for path, address in (
        ("/fr/index.md", "/fr/"),
        ("/index.md", "/en/"),
        ("/docs/start.md", "/en/docs/start"),
        ("/fr/docs/start.md", "/fr/docs/start"),
    ):
        answer = site.get(path)
        assert answer.status == 200
        assert answer.headers["link"] == f'<{ORIGIN}{address}>; rel="canonical"'
    assert site.get("/fr.md").status == 404


@pytest.mark.parametrize("path", ["/plain.md", "/.md", "/docs/.md", "/docs/nothing.md", "/plain/index.md"])
def test_no_twin(path: str) -> None:
    """What has no Markdown has no twin."""
    site = site_of_docs()
    assert site.get(path) == site.get("/nothing")


def test_page_without_markdown() -> None:
    """A page with one form gets HTML whatever is asked for, and does not vary by Accept."""
    answer = site_of_docs().get("/plain", MARKDOWN)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/docs/start/", "/docs/start"),
        ("/docs/", "/docs"),
        ("/nothing/", "/nothing"),
        ("/docs/intro", "/docs"),
        ("/docs/index", None),
        ("/docs/guide/index", "/docs/guide"),
        ("/docs/guide/index.md", "/docs/guide.md"),
        ("/docs/intro.md", "/docs.md"),
        ("/%64ocs/b%c3%bc/", "/docs/b%C3%BC"),
    ],
)
def test_moves(path: str, location: str | None) -> None:
    """A trailing slash and another name of an index get one 301 to the address, the query kept (case 66); no
    shared cache may keep it, for the next query is another."""
    site = site_of_docs()
    answer = site.get(path)
    if location is None:
        assert answer.status == 404
        return
    assert (answer.status, answer.headers["location"], answer.body) == (301, location, b"")
    queried = site.get(path, query="a=b%20c&d")
    assert queried.headers["location"] == f"{location}?a=b%20c&d"
    assert answer.headers["cache-control"] == queried.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize(
    ("path", "base", "location"),
    [
        ("/fr", "", "/fr/"),
        ("/base", "/base", "/base/"),
        ("/base/fr", "/base", "/base/fr/"),
        ("/en", "", "/en/"),
    ],
)
def test_roots_keep_their_slash(path: str, base: str, location: str) -> None:
    """The root and each language's root end in a slash, and are redirected there without it (case 41)."""
    site = functions(LANGUAGES + DOCS, base_url=f"{ORIGIN}{base}", base=base)
    answer = site.get(path)
    assert (answer.status, answer.headers["location"]) == (301, location)
    assert site.get(location).status == 200


def test_double_slash_is_no_other_host() -> None:
    """`//evil.example/` is a 404, not a redirect elsewhere."""
    site = site_of_docs()
    for path in ("//evil.example/", "//evil.example", "/docs//", "/%2Fevil.example/"):
        answer = site.get(path)
        assert not answer.headers.get("location", "").startswith("//")
    assert site.get("//evil.example/").status == 404


@pytest.mark.parametrize("base", ["", "/base"])
def test_published_addresses_answer(run: Any, records: RecordSource, base: str) -> None:
    """Every loc answers 200 with itself as canonical and, as a twin, with itself as its Link (cases 36, 40,
    66, 71, 74, 75)."""
    run(CREATE_POSTS)
    for slug in ("q-&-a", "é", "a b", "100%25", "a?b#c", "a/b", "x.md", "it's", "a+b", "🦊", "50%", "<b>\"'"):
        run("INSERT INTO posts (slug) VALUES (:slug)", slug=slug)
    names = ("100% done", "c# & c?", "a%20b", "été", "v1.2", "a+b", "(x)'*")
    site = functions(
        LANGUAGES
        + POSTS
        + """  - {name: home, path: /, markdown: {content: x}}
  - {name: encoded, path: /B%C3%BCcher}
  - {name: about, path: "/:lang/über uns"}
  - {name: docs, path: "/docs/:path*", contentDir: {directory: "c/{lang}", slugFrom: filepath}}
""",
        {f"c/en/{name}/{name}.md": "x" for name in names} | {"c/fr/index.md": "x"},
        records=records,
        base_url=f"{ORIGIN}{base}",
        base=base,
    )
    listed = read(site.get(f"{base}/sitemap.xml").body)
    assert len(listed) == 2 * (12 + 3) + 7 + 1
    for element in listed:
        path = element.loc.removeprefix(ORIGIN)
        assert path.startswith(f"{base}/")
        assert path.count("/base") == (1 if base else 0)
        answer = site.get(path)
        assert (answer.status, canonical(answer)) == (200, element.loc)
        assert alternates(answer) == list(element.alternates)
        twin = site.get(path, MARKDOWN)
        if twin.headers["content-type"].startswith("text/markdown"):
            assert twin.headers["link"] == f'<{element.loc}>; rel="canonical"'


def test_encoded_forms_are_one_address() -> None:
    """An address answers in every encoding of it, with one canonical (case 12)."""
    site = functions("pages: [{name: p, path: /Bücher}]")
    for path in ("/B%C3%BCcher", "/B%c3%bccher", "/%42%C3%BCcher", "/Bücher"):
        answer = site.get(path)
        assert (answer.status, canonical(answer)) == (200, f"{ORIGIN}/B%C3%BCcher")


def test_encoded_slash_is_none() -> None:
    """`/a%2Fb` is not `/a/b` (case 66)."""
    site = functions(DOCS, {"c/a/b.md": "x"})
    assert site.get("/docs/a/b").status == 200
    assert site.get("/docs/a%2Fb").status == 404
    assert site.get("/docs%2Fa/b").status == 404


def test_unprefixed_paths() -> None:
    """On a multilingual site an unprefixed path answers with the default language's address as canonical."""
    site = functions(LANGUAGES + DOCS, FILES)
    answer = site.get("/docs/start")
    assert (answer.status, canonical(answer)) == (200, f"{ORIGIN}/en/docs/start")
    assert alternates(answer) == alternates(site.get("/fr/docs/start"))
    assert site.get("/de/docs/start").status == 404


@pytest.mark.parametrize(
    ("app", "base_url", "named"),
    [
        ("", ORIGIN, True),
        ("deployment: {site: 'https://example.com'}\n", None, True),
        ("", None, False),
    ],
)
def test_alternates_need_an_origin(
    app: str, base_url: str | None, named: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """A head's alternates need an origin known without the request; a site without one is warned once."""
    site = functions(app + LANGUAGES + "pages: [{name: p, path: /p}]", base_url=base_url)
    cluster = [f"en {ORIGIN}/en/p", f"fr {ORIGIN}/fr/p", f"x-default {ORIGIN}/en/p"]
    for _ in range(2):
        assert alternates(site.get("/fr/p")) == (cluster if named else [])
    assert caplog.text.count("neither BASE_URL nor deployment.site") == (0 if named else 1)


def test_origin_of_an_absolute_canonical() -> None:
    """A page with an absolute canonical of its own takes its origin from it."""
    site = functions(
        LANGUAGES + "pages: [{name: p, path: /p, meta: {canonical: 'https://own.example/p'}}]", base_url=None
    )
    answer = site.get("/fr/p")
    assert canonical(answer) == "https://own.example/fr/p"
    assert alternates(answer)[0] == "en https://own.example/en/p"


@pytest.mark.parametrize(
    ("declared", "written"),
    [
        ("https://other.example/x/", "https://other.example/x/"),
        ("/elsewhere/", f"{ORIGIN}/elsewhere"),
        ("/docs/:path*", f"{ORIGIN}/docs/a%20b"),
    ],
)
def test_canonical_in_the_head(declared: str, written: str) -> None:
    """The head's canonical is the real address, absolute, with its parameters filled (case 74)."""
    app = f"""pages:
  - {{name: docs, path: "/docs/:path*", contentDir: {{directory: c}}, meta: {{canonical: "{declared}"}}}}
"""
    assert canonical(functions(app, {"c/a b.md": "x"}).get("/docs/a%20b")) == written


def test_canonical_of_records(run: Any, records: RecordSource) -> None:
    """A record page's canonical elsewhere is filled for each record, and keeps it out of the sitemap."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('a&b')")
    app = POSTS.replace("slugField: slug}", "slugField: slug}, meta: {canonical: 'https://x.example/:slug'}")
    site = functions(app + "  - {name: home, path: /}", records=records)
    assert canonical(site.get("/blog/a&b")) == "https://x.example/a&b"
    assert locs(site.get("/sitemap.xml").body) == [f"{ORIGIN}/"]


def test_twin_before_record(run: Any, records: RecordSource) -> None:
    """A page's Markdown form keeps its address where a collection's route covers it, too."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('about.md'), ('other.md')")
    app = POSTS.replace(
        "pages:\n", "pages:\n  - {name: about, path: /blog/about, markdown: {content: About}}\n"
    )
    site = functions(app, records=records)
    assert site.get("/blog/about.md").text == "About"
    assert site.get("/blog/other.md").headers["content-type"] == "text/html; charset=utf-8"
    assert locs(site.get("/sitemap.xml").body) == [f"{ORIGIN}/blog/about", f"{ORIGIN}/blog/other.md"]


def test_home_names_the_files() -> None:
    """The home page, and no other, carries a Link header that names what is there for machines."""
    site = site_of_docs()
    link = site.get("/").headers["link"]
    assert "sitemap.xml" in link
    assert "llms.txt" in link
    assert "link" not in site.get("/plain").headers


def test_age_until_a_date_falls_due() -> None:
    """An answer is kept for less than its five minutes where a date falls due sooner, and not after it."""
    clock = Clock()
    site = functions(DOCS, {**FILES, "c/soon.md": "---\ndate: 2026-01-02T03:05:05Z\n---\n"}, clock=clock)
    assert max_age(site.get("/docs/start")) == 60
    assert max_age(site.get("/docs/start.md")) == 60
    assert site.get("/docs/soon").status == 404
    clock.seconds += 60
    assert max_age(site.get("/docs/soon")) == 300


@pytest.mark.parametrize("markdown", ['{content: "---\\nwho: you\\n---\\n# Hello"}', "{file: extra/page.md}"])
def test_markdown_pages(markdown: str) -> None:
    """A page's own Markdown, inline or from a file, is its body and its twin; its front matter is read."""
    site = functions(
        f"pages: [{{name: p, path: /p, meta: {{title: 'For $frontmatter.who'}}, markdown: {markdown}}}]",
        {"extra/page.md": "---\nwho: you\n---\n# Hello\n"},
    )
    assert site.get("/p.md").text.strip() == "# Hello"
    html = site.get("/p").text
    assert "<title>For you</title>" in html
    assert ">Hello</h1>" in html


@pytest.mark.parametrize("body", [None, b"\xff\xfe", b"---\na: [\n---\n"])
def test_markdown_file_that_is_no_use(body: bytes | None) -> None:
    """A page whose Markdown file is missing or can't be read is served without it, and has no twin."""
    files: dict[str, str | bytes] = {} if body is None else {"extra/page.md": body}
    site = functions("pages: [{name: p, path: /p, markdown: {file: extra/page.md}}]", files)
    assert site.get("/p").status == 200
    assert site.get("/p.md").status == 404


def test_head() -> None:
    """HEAD of a page says what GET says, without the body (case 72)."""
    site = site_of_docs()
    for accept in (None, MARKDOWN):
        got, head = site.get("/docs/start", accept), site.get("/docs/start", accept, method="HEAD")
        assert (head.status, head.headers, head.body) == (200, got.headers, b"")


@pytest.mark.parametrize(
    "header", ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-viewer-host"]
)
def test_headers_change_nothing(header: str) -> None:
    """With a configured origin nothing that a client sends changes what others are served (case 71)."""
    site = site_of_docs()
    assert site.get("/docs/start", headers={header: "evil.example"}) == site.get("/docs/start")
    assert site.get("/docs/start", query="utm_source=x") == site.get("/docs/start")


def test_session_changes_nothing_public() -> None:
    """A public page is the same for someone signed in."""
    site = site_of_docs()
    assert site.get("/docs/start", cookies=(session("admin"),)) == site.get("/docs/start")


def test_breadcrumbs_and_neighbours() -> None:
    """A page links the public pages above it, and no page grows with the site (case 78)."""
    few = functions(DOCS.replace("index: intro", "nav: true"), {f"c/{n:03}.md": "x" for n in range(50)})
    many = functions(DOCS.replace("index: intro", "nav: true"), {f"c/{n:03}.md": "x" for n in range(500)})
    assert abs(len(few.get("/docs/025").body) - len(many.get("/docs/025").body)) < 200


def test_awkward_records(run: Any, records: RecordSource) -> None:
    """A record with any slug answers at its address alone, to the letter (cases 66, 71)."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug, title) VALUES ('Straße', 'One'), ('strasse', 'Two'), ('a%62', 'Three')")
    site = functions(POSTS, records=records)
    for slug, title in (("Straße", "One"), ("strasse", "Two"), ("a%62", "Three")):
        assert f">{title}<" in site.get(f"/blog/{quote(slug, safe='')}").text
    for slug in ("STRASSE", "ab", "strasse "):
        assert site.get(f"/blog/{quote(slug, safe='')}").status == 404
