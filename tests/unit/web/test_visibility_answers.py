"""Who gets what, over HTTP: each line of section 4, for each kind of visitor and in each form."""

from typing import Any

import pytest

from fingerpost.sources.records import RecordSource
from tests.support import Functions, Response
from tests.unit.web.answers import CREATE_POSTS, POSTS, NoDatabase, functions, session

MARKDOWN = "text/markdown"
VISITORS = {
    "anonymous": (),
    "other": (session("other"),),
    "member": (session("member"),),
    "admin": (session("admin"),),
}
WELL_KNOWN = ("/sitemap.xml", "/feed.xml", "/llms.txt", "/llms-full.txt", "/agent-readability.json")


def docs(front: str, page: str = "") -> Functions:
    """A site with one article, /docs/a, titled Secret."""
    return functions(
        "pages: [{name: home, path: /, markdown: {content: Hi}}, "
        f"{{name: docs, path: '/docs/:slug', rss: true, contentDir: {{directory: c, nav: true}}, {page}}}]",
        {"c/a.md": f"---\ntitle: Secret\n{front}\n---\nBody\n"},
    )


def named_in(site: Functions, address: str) -> set[str]:
    """The documents that name an address or what stands at it, as anyone gets them."""
    found = set()
    for path in WELL_KNOWN:
        answer = site.get(path)
        if answer.status == 200 and (address in answer.text or "Secret" in answer.text):
            found.add(path.strip("/").partition(".")[0])
    return found


ALL = {"sitemap", "feed", "llms", "llms-full"}


@pytest.mark.parametrize(
    ("front", "documents", "noindex"),
    [
        ("", ALL, False),
        ("noindex: true", {"feed"}, True),
        ("robots: NOINDEX", {"feed"}, True),
        ("robots: none", {"feed"}, True),
        ("hidden: true", set(), False),
        ("canonical: https://other.example/", {"feed"}, False),
        ("canonical: /docs/a/", ALL, False),
        ("sitemap: false", ALL - {"sitemap"}, False),
        ("ai: {exclude: true}", {"sitemap", "feed"}, False),
    ],
)
def test_what_is_served(front: str, documents: set[str], noindex: bool) -> None:
    """What keeps an article out of lists keeps it open at its own address, in both forms."""
    site = docs(front)
    assert named_in(site, "/docs/a") == documents
    html, twin = site.get("/docs/a"), site.get("/docs/a.md")
    assert (html.status, twin.status) == (200, 200)
    for answer in (html, twin):
        assert answer.headers["cache-control"] == "public, max-age=300"
        assert answer.headers.get("x-robots-tag") == ("noindex" if noindex else None)
    assert ('<meta name="robots" content="noindex' in html.text or 'content="none"' in html.text) is noindex
    negotiated = site.get("/docs/a", MARKDOWN)
    assert (negotiated.body, negotiated.headers["content-type"]) == (
        b"Body\n",
        "text/markdown; charset=utf-8",
    )


@pytest.mark.parametrize("front", ["draft: true", "date: 2999-01-01"])
@pytest.mark.parametrize("visitor", VISITORS)
def test_what_does_not_exist(front: str, visitor: str) -> None:
    """A draft and an article of the future are the 404 of any missing thing, for admin too."""
    site = docs(front)
    missing = site.get("/nothing")
    assert missing.status == 404
    for answer in every_form(site, "/docs/a", VISITORS[visitor]):
        assert answer == missing
    assert named_in(site, "/docs/a") == set()


def every_form(site: Functions, path: str, cookies: tuple[str, ...]) -> list[Response]:
    return [
        site.get(path, cookies=cookies),
        site.get(f"{path}.md", cookies=cookies),
        site.get(path, MARKDOWN, cookies=cookies),
    ]


@pytest.mark.parametrize(
    ("access", "readers"),
    [
        ("authenticated", {"other", "member", "admin"}),
        ("[member]", {"member", "admin"}),
        ("[]", {"admin"}),
        ("{require: [member]}", {"member", "admin"}),
    ],
)
@pytest.mark.parametrize("visitor", VISITORS)
def test_restricted_articles(access: str, readers: set[str], visitor: str) -> None:
    """A restricted article opens for its readers alone, never into a shared cache; others get any 404."""
    site = docs("", f"access: {access}")
    answers = every_form(site, "/docs/a", VISITORS[visitor])
    if visitor not in readers:
        assert all(answer == site.get("/nothing") for answer in answers)
    else:
        assert [answer.status for answer in answers] == [200, 200, 200]
        for answer in answers:
            assert answer.headers["cache-control"] == "private, no-cache"
            assert answer.headers["vary"] == "Accept, Accept-Encoding"
    assert named_in(site, "/docs/a") == set()


def test_404s_are_one(run: Any, records: RecordSource) -> None:
    """A restricted, a missing, a drafted and a switched off thing answer byte for byte alike, headers too."""
    run(CREATE_POSTS)
    app = (
        "seo: {robots: false}\n"
        + POSTS
        + """  - {name: secret, path: /secret, access: [member], markdown: {content: x}}
  - {name: docs, path: "/docs/:slug", access: [member], contentDir: {directory: c}}
  - {name: open, path: "/open/:slug", sitemap: false, contentDir: {directory: d}}
"""
    )
    files: dict[str, str | bytes] = {"c/a.md": "", "d/draft.md": "---\ndraft: true\n---\n", "app/x": ""}
    site = functions(app, files, records=records)
    missing = site.get("/nothing")
    assert (missing.status, missing.headers["cache-control"]) == (404, "private, no-cache")
    for path in (
        "/secret",
        "/secret.md",
        "/secret/more",
        "/docs",
        "/docs/a",
        "/docs/a.md",
        "/docs/nothing",
        "/open/draft",
        "/open/draft.md",
        "/blog/nothing",
        "/blog",
        "/feed.xml",
        "/robots.txt",
        "/sitemap-7.xml",
        "/llms-full-9.txt",
        "/app.yaml",
        "/c/a.md",
    ):
        assert site.get(path) == missing, path
        assert site.get(path, method="HEAD").headers == missing.headers, path


@pytest.mark.parametrize(
    "path",
    [
        "/../app.yaml",
        "/%2e%2e/app.yaml",
        "/docs/..%2f..%2fapp.yaml",
        "/docs/%2e%2e%5capp.yaml",
        "/%252e%252e/app.yaml",
        "/public/../app.yaml",
        "/docs/a%00",
        "/docs/a%00.md",
        "/%c3%28",
        "/" + "a" * 8_200,
        "/docs/" + "%61" * 2_700,
        "//docs/a",
        "/docs//a",
        "/docs%2Fa",
        "/docs/a%2F",
        "/config/jwks.json",
        "/app.yaml",
    ],
)
def test_hostile_paths(path: str) -> None:
    """Traversal, NUL, bad and double encodings and overlong paths are 404, and nothing else is asked for."""
    site = docs("")
    site.get("/")
    store: Any = site.store
    store.reads.clear()
    answer = site.get(path)
    assert answer == site.get("/nothing")
    assert store.reads == []


REDIRECTS = """pages:
  - {name: members, path: "/members/:slug", access: {require: [member], redirectTo: /sign-in},
     contentDir: {directory: c, index: home}}
  - {name: sign-in, path: /sign-in}
"""


@pytest.mark.parametrize("visitor", ["anonymous", "other"])
@pytest.mark.parametrize("slug", ["/a", "/nothing", "/draft", "", "/home", "/a.md.x"])
def test_redirects(slug: str, visitor: str) -> None:
    """Under a page with `redirectTo` every HTML address redirects alike, and every Markdown one is a 404."""
    files: dict[str, str | bytes] = {"c/a.md": "", "c/home.md": "", "c/draft.md": "---\ndraft: true\n---\n"}
    site = functions(REDIRECTS, files)
    path, cookies = f"/members{slug}", VISITORS[visitor]
    answer = site.get(path, cookies=cookies)
    assert (answer.status, answer.headers["location"], answer.body) == (302, "/sign-in", b"")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.headers["vary"] == "Accept"
    assert answer == site.get("/members/a", cookies=cookies)
    assert site.get(path, MARKDOWN, cookies=cookies) == site.get("/x")
    if slug:
        assert site.get(f"{path}.md", cookies=cookies) == site.get("/x")


def test_redirects_tell_no_file_names() -> None:
    """An article whose own name ends in `.md` is told from a missing one no more than any other."""
    site = functions(REDIRECTS, {"c/notes.md.md": ""})
    assert site.get("/members/notes.md") == site.get("/members/other.md")


@pytest.mark.parametrize(
    ("to", "base", "location"),
    [
        ("/sign-in", "", "/sign-in"),
        ("/sign-in", "/base", "/base/sign-in"),
        ("/sign-in?next=https://a.example/#x", "/base", "/base/sign-in?next=https://a.example/#x"),
        ("/elsewhere/é", "/base", "/base/elsewhere/%C3%A9"),
        ("/", "/base", "/base/"),
    ],
)
def test_where_redirects_lead(to: str, base: str, location: str) -> None:
    """A redirect leads to the page's published address, its query and fragment kept."""
    site = functions(
        f"pages: [{{name: a, path: /a, access: {{require: [member], redirectTo: '{to}'}}}}, "
        "{name: s, path: /sign-in}]",
        base_url=f"https://example.com{base}",
        base=base,
    )
    assert site.get(f"{base}/a").headers["location"] == location


def test_redirects_keep_the_language() -> None:
    """On a multilingual site the redirect leads to the page in the same language."""
    site = functions(
        "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"
        "pages: [{name: a, path: /a, access: {require: [member], redirectTo: /sign-in?x=1}}, "
        "{name: s, path: /sign-in}]"
    )
    for path, location in (
        ("/fr/a", "/fr/sign-in?x=1"),
        ("/en/a", "/en/sign-in?x=1"),
        ("/a", "/en/sign-in?x=1"),
    ):
        assert site.get(path).headers["location"] == location


def records_site(records: RecordSource, permissions: str, page: str = "", more: str = "") -> Functions:
    app = POSTS.replace("{read: all}", permissions).replace("slugField: slug}", f"slugField: slug}}, {page}")
    return functions(app + more, records=records)


FILL_POSTS = (
    "INSERT INTO posts (slug, title, mail, deleted_at) VALUES "
    "('a', 'First post', 'secret@example.com', NULL), ('gone', 'Deleted post', NULL, now())"
)


@pytest.mark.parametrize(
    ("permissions", "page", "readers"),
    [
        ("{read: all}", "", {"anonymous", "other", "member", "admin"}),
        ("{}", "", {"admin"}),
        ("{read: authenticated}", "", {"other", "member", "admin"}),
        ("{read: [member]}", "", {"member", "admin"}),
        ("{read: all}", "access: [member]", {"member", "admin"}),
        ("{read: all, fields: [{field: slug, read: [member]}]}", "", {"member", "admin"}),
        ("{read: [other]}", "access: [member]", {"admin"}),
        ("{read: [member], override: {read: all}}", "", {"anonymous", "other", "member", "admin"}),
        ("{inherit: nowhere}", "", {"admin"}),
        ("{inherit: posts}", "", {"admin"}),
    ],
)
def test_records(run: Any, records: RecordSource, permissions: str, page: str, readers: set[str]) -> None:
    """A record opens for who may read page, table and slug; for others it is any missing thing (case 73)."""
    run(CREATE_POSTS)
    run(FILL_POSTS)
    site = records_site(records, permissions, page)
    missing = site.get("/nothing")
    for visitor, cookies in VISITORS.items():
        answer = site.get("/blog/a", cookies=cookies)
        if visitor not in readers:
            assert answer == missing
        else:
            assert (answer.status, "First post" in answer.text) == (200, True)
            public = "anonymous" in readers
            assert answer.headers["cache-control"] == (
                "public, max-age=300" if public else "private, no-cache"
            )
        assert site.get("/blog/gone", cookies=cookies) == missing
        assert site.get("/blog/nothing", cookies=cookies) == missing
        assert site.get("/blog/a.md", cookies=cookies) == missing
    assert (site.get("/sitemap.xml").status == 200) is ("anonymous" in readers)


def test_restricted_fields(run: Any, records: RecordSource) -> None:
    """A field is shown to those who may read it, and what they get is nobody else's to keep."""
    run(CREATE_POSTS)
    run(FILL_POSTS)
    fields = "{read: all, fields: [{field: mail, read: [member]}]}"
    site = records_site(
        records, fields, "components: [{type: text, content: 'Mail: $record.mail'}], rss: true"
    )
    for visitor, cookies in VISITORS.items():
        answer = site.get("/blog/a", cookies=cookies)
        reads = visitor in ("member", "admin")
        assert ("secret@example.com" in answer.text) is reads
        assert answer.headers["cache-control"] == ("private, no-cache" if reads else "public, max-age=300")
    assert "secret@example.com" not in site.get("/feed.xml", cookies=VISITORS["admin"]).text


def test_restricted_date(run: Any, records: RecordSource) -> None:
    """A restricted time of change is told neither in the sitemap nor in the page."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug, title, updated) VALUES ('a', 'A', '2020-05-06 07:08:09')")
    fields = "{read: all, fields: [{field: updated, read: [member]}]}"
    site = records_site(records, fields)
    for path in ("/sitemap.xml", "/blog/a"):
        assert "2020-05-06" not in site.get(path).text
    assert "2020-05-06" in records_site(records, "{read: all}").get("/sitemap.xml").text


LIST = """  - name: list
    path: /list
    components:
      - type: list
        dataSource: {table: posts%s}
        itemTemplate: {title: $record.title}
"""


@pytest.mark.parametrize("permissions", ["{}", "{read: [member]}"])
def test_listings_on_a_public_page(run: Any, records: RecordSource, permissions: str) -> None:
    """A public page that shows a signed-in visitor more is his alone; anyone else shares the rest."""
    run(CREATE_POSTS)
    run(FILL_POSTS)
    site = records_site(records, permissions, more=LIST % "")
    readers = {"admin"} if permissions == "{}" else {"member", "admin"}
    for visitor, cookies in VISITORS.items():
        answer = site.get("/list", cookies=cookies)
        assert answer.status == 200
        assert ("First post" in answer.text) is (visitor in readers)
        assert "Deleted post" not in answer.text
        private = answer.headers["cache-control"] == "private, no-cache"
        assert private is (visitor in readers)


def test_restricted_listings_need_no_database() -> None:
    """What a visitor may not read is not asked for either."""
    database = NoDatabase()
    site = records_site(database, "{read: [member]}", more=LIST % "")
    assert (site.get("/list").status, database.asked) == (200, 0)
    assert site.get("/list", cookies=VISITORS["member"]).status == 503


@pytest.mark.parametrize(
    ("filtered", "shown"),
    [
        (", filter: [{field: slug, operator: eq, value: a}]", True),
        (", filter: {field: slug, value: a}", True),
        (", filter: [{field: slug, operator: neq, value: a}]", False),
        (", filter: [{field: slug, operator: equals, value: a}]", False),
        (", filter: [{operator: eq, value: a}]", False),
        (", filter: all", False),
    ],
)
def test_filters_of_listings(run: Any, records: RecordSource, filtered: str, shown: bool) -> None:
    """A filter keeps back what it says, and a filter that can't be understood keeps back everything."""
    run(CREATE_POSTS)
    run(FILL_POSTS)
    answer = records_site(records, "{read: all}", more=LIST % filtered).get("/list")
    assert (answer.status, "First post" in answer.text) == (200, shown)


def test_bad_sessions() -> None:
    """A session that is not one makes its bearer anonymous, and breaks nothing."""
    site = docs("", "access: [member]")
    token = session("member")
    for cookies in (("session=x",), (token[:-4] + "AAAA",), (token, session("admin")), ("other=1",)):
        assert site.get("/docs/a", cookies=cookies) == site.get("/nothing")
    assert site.get("/docs/a", cookies=("a=b", token)).status == 200
