"""/sitemap.xml and its children, as a client gets them."""

from typing import Any

import pytest

from fingerpost.sources.records import RecordSource
from tests.support import ORIGIN, Clock, Response
from tests.unit.documents.sitemaps import Element, locs, read
from tests.unit.web.answers import CREATE_POSTS, POSTS, NoDatabase, functions, max_age, store_of

PAGES = "pages: [{name: home, path: /}, {name: about, path: /about}]"
CONTROL = "public, max-age=60, stale-if-error=86400"


def test_headers() -> None:
    """A sitemap is XML that a cache may keep for its minute, and for longer only while the origin fails."""
    answer = functions(PAGES).get("/sitemap.xml")
    assert (answer.status, answer.headers["cache-control"]) == (200, CONTROL)
    assert answer.headers["content-type"] == "application/xml; charset=utf-8"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert locs(answer.body) == [f"{ORIGIN}/", f"{ORIGIN}/about"]


def test_methods() -> None:
    """HEAD says what GET says, without the body; other methods are refused by name (cases 9, 72)."""
    site = functions(PAGES)
    got, head = site.get("/sitemap.xml"), site.get("/sitemap.xml", method="HEAD")
    assert (head.status, head.headers, head.body) == (200, got.headers, b"")
    assert head.headers["content-length"] == str(len(got.body))
    refused = site.get("/sitemap.xml", method="POST")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")
    assert refused.headers["cache-control"] == "no-store"


def test_conditional() -> None:
    """A client whose copy is still good gets 304."""
    site = functions(PAGES)
    tag = site.get("/sitemap.xml").headers["etag"]
    again = site.get("/sitemap.xml", headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert again.headers["cache-control"] == CONTROL


@pytest.mark.parametrize(
    "path", ["/sitemap-0.xml", "/sitemap-1.xml", "/sitemap-01.xml", "/sitemap-9999999.xml", "/sitemap-.xml"]
)
def test_out_of_range(path: str) -> None:
    """A number that is none of the set is the 404 of any missing thing."""
    site = functions(PAGES)
    assert site.get(path).status == 404
    assert site.get(path) == site.get("/nothing")


@pytest.mark.parametrize(
    "app",
    [
        "",
        "pages: [{name: p, path: /, sitemap: false}]",
        "pages: [{name: p, path: /, meta: {noindex: true}}]",
        "pages: [{name: p, path: /, access: authenticated}]",
        f"seo: {{sitemap: false}}\n{PAGES}",
    ],
)
def test_nothing_to_list(app: str) -> None:
    """Nothing to list, or none wanted, is the 404 of any missing thing, never an empty set (case 55)."""
    site = functions(app)
    assert site.get("/sitemap.xml") == site.get("/nothing")
    assert "Sitemap:" not in site.get("/robots.txt").text


def test_own_sitemap() -> None:
    """The owner's sitemap is served as it is, his children too, and none of the derived ones beside it."""
    site = functions(PAGES, {"public/sitemap.xml": "<mine/>", "public/sitemap-2.xml": "<two/>"})
    assert site.get("/sitemap.xml").body == b"<mine/>"
    assert site.get("/sitemap-2.xml").body == b"<two/>"
    assert site.get("/sitemap-1.xml").status == 404
    assert site.get("/sitemap.xml").headers["cache-control"] == CONTROL


def test_own_sitemap_where_none_is_wanted() -> None:
    """`seo.sitemap: false` switches off what is derived, not what the owner wrote."""
    site = functions(f"seo: {{sitemap: false}}\n{PAGES}", {"public/sitemap.xml": "<mine/>"})
    assert site.get("/sitemap.xml").status == 200
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in site.get("/robots.txt").text


def test_base_path() -> None:
    """Under a base path the sitemap is there alone, and the base is in every loc once (case 40)."""
    site = functions(PAGES, base_url=f"{ORIGIN}/base", base="/base")
    assert locs(site.get("/base/sitemap.xml").body) == [f"{ORIGIN}/base/", f"{ORIGIN}/base/about"]
    assert site.get("/sitemap.xml").status == 404


def test_origin_of_the_request() -> None:
    """Without a configured origin the viewer's host counts, as the CDN passed it, and no other header."""
    site = functions(PAGES, base_url=None)
    forged = {"host": "evil.example", "x-forwarded-host": "evil.example", "x-viewer-host": "a.example"}
    assert locs(site.get("/sitemap.xml", headers=forged).body) == [
        "https://a.example/",
        "https://a.example/about",
    ]
    other = site.get("/sitemap.xml", headers={"x-viewer-host": "b.example"})
    assert locs(other.body) == ["https://b.example/", "https://b.example/about"]


def test_configured_origin() -> None:
    """With a configured origin no header changes a byte (case 71)."""
    site = functions(PAGES)
    plain = site.get("/sitemap.xml")
    for header in ("host", "x-forwarded-host", "x-viewer-host", "x-forwarded-proto", "forwarded"):
        assert site.get("/sitemap.xml", headers={header: "evil.example"}) == plain
    assert site.get("/sitemap.xml", query="utm_source=x") == plain


def listed(answer: Response) -> list[str]:
    return [loc.removeprefix(f"{ORIGIN}/blog/") for loc in locs(answer.body)]


def test_records(run: Any, records: RecordSource) -> None:
    """Public records stand in key order with their own dates, soft-deleted ones and empty slugs do not."""
    run(CREATE_POSTS)
    run(
        "INSERT INTO posts (slug, updated, deleted_at) VALUES ('b', '2026-03-14 09:26:53.9', NULL),"
        " ('gone', NULL, now()), ('', NULL, NULL), (NULL, NULL, NULL), ('a&é', 'infinity', NULL),"
        " ('b', '2027-01-01', NULL)"
    )
    assert read(functions(POSTS, records=records).get("/sitemap.xml").body) == [
        Element(f"{ORIGIN}/blog/b", "2026-03-14T09:26:53Z"),
        Element(f"{ORIGIN}/blog/a&%C3%A9"),
    ]


@pytest.mark.parametrize(
    "permissions",
    [
        "{}",
        "{read: authenticated}",
        "{read: [member]}",
        "{inherit: nowhere}",
        "{read: all, fields: [{field: slug, read: [member]}]}",
        "{read: all}\n    rowLevelPermissions: {read: mine}",
    ],
)
def test_restricted_records(permissions: str) -> None:
    """Records that not everyone may read are not listed, and the database is not asked for them."""
    database = NoDatabase()
    app = POSTS.replace("{read: all}", permissions) + "  - {name: home, path: /}\n"
    assert locs(functions(app, records=database).get("/sitemap.xml").body) == [f"{ORIGIN}/"]
    assert database.asked == 0


def test_noindex_records_need_no_database() -> None:
    """Records that are public but not listed do not make the sitemap depend on the database."""
    app = POSTS.replace("slugField: slug}", "slugField: slug}, meta: {noindex: true}")
    site = functions(app + "  - {name: home, path: /}\n", records=NoDatabase())
    assert locs(site.get("/sitemap.xml").body) == [f"{ORIGIN}/"]


def test_database_down() -> None:
    """There is never a sitemap without its records: 503, to be tried again, and not to be kept."""
    answer = functions(POSTS + "  - {name: home, path: /}\n", records=NoDatabase()).get("/sitemap.xml")
    assert (answer.status, answer.headers["cache-control"]) == (503, "no-store")
    assert answer.headers["retry-after"].isdigit()


@pytest.mark.parametrize("missing", ["slug", "id", "updated"])
def test_column_missing(run: Any, records: RecordSource, missing: str) -> None:
    """A missing column is 503, not a shorter sitemap."""
    run(CREATE_POSTS)
    run(f"ALTER TABLE posts DROP COLUMN {missing}")
    assert functions(POSTS, records=records).get("/sitemap.xml").status == 503


def test_a_minute(run: Any, records: RecordSource) -> None:
    """An answer is served unchanged for its minute, its max-age counting down, and then made anew."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('a')")
    clock = Clock()
    site = functions(POSTS, records=records, clock=clock)
    start = clock.seconds
    first = site.get("/sitemap.xml")
    assert max_age(first) == 60
    run("INSERT INTO posts (slug) VALUES ('b')")
    for passed, left in ((0.5, 59), (20, 40), (59.9, 0)):
        clock.seconds = start + passed
        answer = site.get("/sitemap.xml")
        assert (answer.body, max_age(answer)) == (first.body, left)
    clock.seconds = start + 60
    answer = site.get("/sitemap.xml")
    assert (listed(answer), max_age(answer)) == (["a", "b"], 60)


def test_clock_set_back(run: Any, records: RecordSource) -> None:
    """A clock that is set back makes no answer live longer."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('a')")
    clock = Clock()
    site = functions(POSTS, records=records, clock=clock)
    site.get("/sitemap.xml")
    run("INSERT INTO posts (slug) VALUES ('b')")
    clock.seconds -= 3_600
    assert listed(site.get("/sitemap.xml")) == ["a", "b"]


def test_new_publication() -> None:
    """A new publication of the site starts afresh at once, within the minute too."""
    clock = Clock()
    site = functions(PAGES, clock=clock)
    site.get("/sitemap.xml")
    clock.seconds += 30
    store_of(site).files["app.yaml"] = b"name: Acme\npages: [{name: new, path: /new}]"
    answer = site.get("/sitemap.xml")
    assert (locs(answer.body), max_age(answer)) == ([f"{ORIGIN}/new"], 60)


def test_a_date_falls_due() -> None:
    """An article whose date comes within the minute is listed when it does."""
    clock = Clock()
    site = functions(
        "pages: [{name: d, path: '/:slug', contentDir: {directory: c}}]",
        {"c/a.md": "", "c/b.md": "---\ndate: 2026-01-02T03:04:35Z\n---\n"},
        clock=clock,
    )
    assert locs(site.get("/sitemap.xml").body) == [f"{ORIGIN}/a"]
    clock.seconds += 30
    assert locs(site.get("/sitemap.xml").body) == [f"{ORIGIN}/a", f"{ORIGIN}/b"]


def test_thousands_of_records(run: Any, records: RecordSource) -> None:
    """12,000 rows become an index with three children, which hold each public record once, with its date."""
    run(CREATE_POSTS)
    run(
        "INSERT INTO posts (slug, updated, deleted_at) "
        "SELECT 'p' || n, timestamp '2026-01-01' + n * interval '1 minute', "
        "CASE WHEN n % 100 = 0 THEN now() END "
        "FROM generate_series(1, 12000) n"
    )
    rows = run(
        'SELECT slug, to_char(updated, \'YYYY-MM-DD"T"HH24:MI:SS"Z"\') FROM posts '
        "WHERE deleted_at IS NULL ORDER BY id"
    )
    site = functions(POSTS, records=records)
    index = read(site.get("/sitemap.xml").body)
    assert [element.loc for element in index] == [f"{ORIGIN}/sitemap-{n}.xml" for n in (1, 2, 3)]
    children = [read(site.get(f"/sitemap-{n}.xml").body) for n in (1, 2, 3)]
    assert [len(child) for child in children] == [5_000, 5_000, 1_880]
    assert [element for child in children for element in child] == [
        Element(f"{ORIGIN}/blog/{slug}", lastmod) for slug, lastmod in rows
    ]
    assert [element.lastmod for element in index] == [child[-1].lastmod for child in children]
    assert site.get("/sitemap-4.xml").status == 404


def test_one_moment(run: Any, records: RecordSource) -> None:
    """Index and children of one minute describe one moment, however late a child is asked for."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) SELECT 'p' || n FROM generate_series(1, 5001) n")
    clock = Clock()
    site = functions(POSTS, records=records, clock=clock)
    assert len(locs(site.get("/sitemap.xml").body)) == 2
    run("DELETE FROM posts")
    clock.seconds += 30
    child = site.get("/sitemap-2.xml")
    assert (listed(child), max_age(child)) == (["p5001"], 30)


def test_cap(run: Any, records: RecordSource, caplog: pytest.LogCaptureFixture) -> None:
    """Of 60,000 rows the first 50,010 by key are listed, and the log says that there are more."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) SELECT 'p' || n FROM generate_series(1, 60000) n")
    site = functions(POSTS, records=records)
    children = len(locs(site.get("/sitemap.xml").body))
    found = [slug for n in range(children) for slug in listed(site.get(f"/sitemap-{n + 1}.xml"))]
    assert found == [f"p{n}" for n in range(1, 50_011)]
    assert children == 11
    assert "A collection has more records than are listed" in caplog.text


def test_own_cap(run: Any, records: RecordSource) -> None:
    """`seo.sitemap.maxRecords` is the cap where it is set."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('a'), ('b'), ('c')")
    app = "seo: {sitemap: {maxRecords: 2}}\n" + POSTS
    assert listed(functions(app, records=records).get("/sitemap.xml")) == ["a", "b"]


def test_languages(run: Any, records: RecordSource) -> None:
    """Records, articles and pages of a multilingual site are in one sitemap, each with its whole cluster."""
    run(CREATE_POSTS)
    run("INSERT INTO posts (slug) VALUES ('a')")
    app = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n" + POSTS
    answer = functions(app + "  - {name: home, path: /}", records=records).get("/sitemap.xml")
    for element in read(answer.body):
        urls = [alternate.split(" ")[1] for alternate in element.alternates]
        assert len(urls) == 3
        assert element.loc in urls


def test_last_good_configuration() -> None:
    """A configuration that breaks leaves the last good one's sitemap in place; at a cold start it is 503."""
    site = functions(PAGES)
    good = site.get("/sitemap.xml")
    store_of(site).files["app.yaml"] = b"name: [\n"
    assert site.get("/sitemap.xml") == good
    store_of(site).down = True
    assert site.get("/sitemap.xml") == good
    cold = functions("pages: [\n").get("/sitemap.xml")
    assert (cold.status, cold.headers["cache-control"]) == (503, "no-store")
    assert cold.headers["retry-after"].isdigit()
