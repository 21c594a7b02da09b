"""Nothing restricted, draft, hidden, noindex, deleted or filtered is anywhere it must not be (SPEC section
4)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from lxml import html

from tests.e2e import blog as posts
from tests.e2e import sites
from tests.e2e.conftest import Sites
from tests.e2e.crawling import Crawl, article_bodies
from tests.e2e.serving import MARKDOWN, Served, serving
from tests.support import Response
from tests.unit.documents.payloads import assert_harmless

pytestmark = pytest.mark.slow

LISTS = ("robots.txt", "sitemap.xml", "feed.xml", "llms.txt", "llms-full.txt", "agent-readability.json")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that must not be seen everywhere. `marks` are its title and words of its text; `addresses`
    its paths below the base path; `may_be_in` the documents that may name it; `opens` whether it answers
    itself."""

    marks: tuple[str, ...]
    addresses: tuple[str, ...] = ()
    may_be_in: tuple[str, ...] = ()
    opens: bool = False
    on_pages: bool = False


THINGS = {
    "draft article": Thing(
        ("The tall mast", "Le grand mât"), ("/en/docs/start/mast-kit", "/fr/docs/start/mast-kit")
    ),
    "draft record": Thing(
        (
            "Diary of the tall mast",
            "Journal du grand mât",
            "Do not publish before it stops",
            "The price of copper",
        ),
        ("/en/blog/tall-mast-diary", "/fr/blog/tall-mast-diary", "/en/blog/price-of-copper"),
    ),
    "deleted record": Thing(
        (
            "A map of our neighbours",
            "La carte de nos voisins",
            "Spiders considered harmful",
            "nest in the funnel",
        ),
        ("/en/blog/a-map-of-our-neighbours", "/fr/blog/spiders-considered-harmful"),
    ),
    "record without an address": Thing(("Name me.", "Name me too."), ("/en/blog/", "/fr/blog/NULL")),
    "filtered row": Thing(("A garden that does not share", "Please do not list this one")),
    "restricted field": Thing(
        ("nerys@vane-and-wren.example", "bastien@vane-and-wren.example", "author_email")
    ),
    "restricted page": Thing(
        ("The 2026 cup bearing", "Firmware 4.2", "Batch 61", "Le carnet des lots"),
        ("/members", "/en/members", "/fr/members"),
    ),
    "hidden article": Thing(
        ("If your Wren is of batch 17", "Si votre Wren est du lot 17"),
        ("/en/docs/care/batch-17", "/fr/docs/care/batch-17"),
        opens=True,
    ),
    "noindex article": Thing(
        ("Raw registers", "Registres bruts"),
        ("/en/docs/reading/registers", "/fr/docs/reading/registers"),
        opens=True,
        on_pages=True,
    ),
    "article that is canonical elsewhere": Thing(
        ("The Beaufort scale", "L'échelle de Beaufort"),
        ("/en/docs/reading/beaufort", "/fr/docs/reading/beaufort"),
        opens=True,
        on_pages=True,
    ),
    "noindex page": Thing((), ("/en/sign-in", "/fr/sign-in"), opens=True, on_pages=True),
    "page outside the sitemap": Thing(("Your order has arrived",), ("/en/thanks", "/fr/thanks"), opens=True),
    "underscored page": Thing(
        ("Component preview",),
        ("/_preview", "/en/_preview", "/fr/_preview"),
        may_be_in=("robots.txt",),
        opens=True,
    ),
}


@pytest.fixture(params=[sites.DEMO, sites.BASED], scope="module")
def either(request: pytest.FixtureRequest, all_sites: Sites) -> Crawl:
    """The demo, with and without a base path."""
    return all_sites.crawl(request.param)


def test_what_is_public_is_found_by_the_same_search(either: Crawl) -> None:
    """The search below finds the title and the address of a public article wherever they belong."""
    found = {
        url.rpartition("/")[2]
        for url, answer in either.everything()
        if "Where to put it" in text_of(answer) and "/en/docs/start/placing" in text_of(answer)
    }
    assert {"llms.txt", "llms-full.txt", "placing"} <= found


@pytest.mark.parametrize("thing", THINGS.values(), ids=list(THINGS))
def test_it_is_nowhere_else(either: Crawl, thing: Thing) -> None:
    """Neither a word nor an address of it is in a document, a page, a twin or a header that may not name it
    (case 70 and case 73)."""
    own = {either.served.home + address for address in thing.addresses}
    marks = [*thing.marks, *(address for address in thing.addresses if not address.endswith("/"))]
    for url, answer in either.everything():
        name = url.rpartition("/")[2]
        if url in own or name in thing.may_be_in or (thing.on_pages and name not in LISTS):
            continue
        told = text_of(answer)
        for mark in marks:
            pattern = rf"{re.escape(mark)}(?![\w-])"
            assert re.search(pattern, told) is None, f"{url} holds {mark!r}"


@pytest.mark.parametrize(
    "address",
    sorted({address for thing in THINGS.values() if not thing.opens for address in thing.addresses}),
)
@pytest.mark.parametrize("accept", [None, MARKDOWN])
def test_what_does_not_open_is_a_missing_thing(either: Crawl, address: str, accept: str | None) -> None:
    """A draft, deleted or unnamed thing answers byte for byte like one that never was; so does a restricted
    page's Markdown, while its HTML sends visitors to sign in."""
    answer = either.served.get(either.served.base + address.rstrip("/"), accept)
    if address.endswith("/"):
        assert answer.status == 200  # the journal itself
    elif address.endswith("/members"):
        code = "fr" if address.startswith("/fr") else "en"
        assert (answer.status, answer.headers["cache-control"]) == (302, "private, no-cache")
        assert answer.headers["location"] == f"{either.served.base}/{code}/sign-in"
    else:
        nothing = either.served.get(f"{either.served.base}/en/blog/there-is-no-such-thing", accept)
        assert answer.status == 404
        assert same(answer) == same(nothing)


@pytest.mark.parametrize("name", ["noindex article", "noindex page", "underscored page", "hidden article"])
def test_what_opens_says_whether_it_may_be_indexed(either: Crawl, name: str) -> None:
    """noindex things carry `X-Robots-Tag: noindex` in each form and the tag in their head; a hidden one does
    not."""
    noindex = name != "hidden article"
    for address in THINGS[name].addresses:
        url = either.served.home + address
        page = either.served.get(url)
        tree = html.document_fromstring(page.text)
        forms = [page]
        if "article" in name:
            forms += [either.served.get(f"{url}.md"), either.served.get(url, MARKDOWN)]
        assert [answer.status for answer in forms] == [200] * len(forms)
        for answer in forms:
            assert answer.headers.get("x-robots-tag") == ("noindex" if noindex else None)
        tags = tree.xpath("//meta[@name='robots']/@content")
        assert any("noindex" in tag for tag in tags) == noindex


def test_what_is_canonical_elsewhere_says_so(either: Crawl) -> None:
    """Its page and its twin name the other address, and no hreflang."""
    for code, target in (("en", "beaufort"), ("fr", "fr/beaufort")):
        url = f"{either.served.home}/{code}/docs/reading/beaufort"
        tree = html.document_fromstring(either.served.get(url).text)
        assert tree.xpath("//link[@rel='canonical']/@href") == [f"https://weather-words.example/{target}"]
        assert tree.xpath("//link[@hreflang]") == []


def test_the_handbook_gives_nothing_away(handbook: Crawl) -> None:
    """Not a title, an address, a heading or a sentence of the gated handbook is in any document, page or
    header (case 70)."""
    root = handbook.served.root
    marks = set()
    for key, body in article_bodies(root).items():
        whole = (root / key).read_text(encoding="utf-8")
        marks.add(f"/kb/{Path(key).stem}")
        marks |= {line.strip() for line in body.splitlines() if len(line.strip()) > 12}
        marks |= set(re.findall(r"^(?:title|description): (.+)$", whole, re.MULTILINE))
    marks.remove("Welcome")  # too common a word to tell anything
    assert len(marks) > 50
    for url, answer in handbook.everything():
        told = text_of(answer)
        assert [mark for mark in marks if mark in told] == [], url
        assert "/kb" not in told


KB_SLUGS = ("welcome", "onboarding", "it-setup", "expense-policy", "security-policy")


@pytest.mark.parametrize("slug", KB_SLUGS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("suffix", ["", ".md", "/", "/index", "/index.md", ".MD", "?x=1"])
@pytest.mark.parametrize("accept", [None, MARKDOWN])
def test_nobody_can_tell_whether_there_is_an_article(
    handbook: Crawl, slug: str, method: str, suffix: str, accept: str | None
) -> None:
    """Existing and missing articles of the handbook answer alike in every form, status, header and byte; its
    Markdown like anything missing."""
    served = handbook.served
    headers = {"if_none_match": "*", "cookie": "session=a.b.c", "accept_encoding": "gzip"}
    there = served.get(f"/kb/{slug}{suffix}", accept, method=method, **headers)
    absent = served.get(f"/kb/unheard-of{suffix}", accept, method=method, **headers)
    assert same(there, slug) == same(absent, "unheard-of")
    if method == "GET" and suffix == ".md":
        assert same(there) == same(served.get("/nowhere"))
    if suffix == "" and accept is None and method != "POST":
        assert (there.status, there.headers["location"]) == (302, "/sign-in")


@pytest.fixture(scope="module")
def as_employee(handbook: Crawl) -> Iterator[Served]:
    """The handbook as a signed-in visitor is served it."""
    with serving(handbook.served.root, "--visitor", "employee") as served:
        yield served


def test_its_readers_get_it_and_no_cache_does(handbook: Crawl, as_employee: Served) -> None:
    """A signed-in visitor reads every article in each form, `private, no-cache`; the documents stay as they
    were."""
    for slug in KB_SLUGS:
        for answer in (
            as_employee.get(f"/kb/{slug}"),
            as_employee.get(f"/kb/{slug}.md"),
            as_employee.get(f"/kb/{slug}", MARKDOWN),
        ):
            assert (answer.status, answer.headers["cache-control"]) == (200, "private, no-cache")
            assert "Accept" in answer.headers["vary"].split(", ")
    assert same(as_employee.get("/kb/unheard-of")) == same(as_employee.get("/nowhere"))
    for name, before in handbook.documents.items():
        now = as_employee.get(f"/{name}").text.replace(as_employee.address, handbook.served.address)
        assert now == before.text


def test_a_session_for_elsewhere_is_nobody(handbook: Crawl, as_employee: Served) -> None:
    """Garbage, an unsigned token and a 16 KB cookie are an anonymous visitor's."""
    unsigned = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6ImFkbWluIn0."
    for token in ("x", unsigned, "a" * 16_384, "a.b.c"):
        answer = as_employee.get("/kb/welcome", cookie=f"session={token}")
        assert (answer.status, answer.headers["cache-control"]) == (302, "private, no-cache")


def test_an_editors_page_is_nobody_elses(demo: Crawl) -> None:
    """An answer that shows an editor more than anyone would see is private, on a public page too; everyone
    else's stays shared and without it."""
    with serving(demo.served.root, "--visitor", "editor") as served:
        mine = served.get("/en/blog/blackthorn-winter")
        assert "bastien@vane-and-wren.example" in mine.text
        assert mine.headers["cache-control"] == "private, no-cache"
        theirs = served.get("/en/blog/blackthorn-winter", cookie="session=x")
        assert "bastien@" not in theirs.text
        assert theirs.headers["cache-control"] == "public, max-age=300"
        assert "bastien@" not in served.get("/feed.xml").text


def test_unseen_posts_are_unseen(blog: Crawl) -> None:
    """Drafts and deleted rows are in no document and no page; asked for, they are not there (case 73)."""
    for url, answer in blog.everything():
        assert posts.UNSEEN not in text_of(answer), url
        assert posts.NAMELESS not in text_of(answer) or url == f"{blog.served.home}/", url
    nothing = blog.served.get("/blog/there-is-nothing-here")
    for post in (*posts.unseen_posts(), *posts.nameless_posts()):
        if post.slug:
            answer = blog.served.get(f"/blog/{quote(post.slug, safe='')}")
            assert same(answer) == same(nothing), post.slug


def test_stored_attacks_do_nothing(blog: Crawl) -> None:
    """Pages, the feed's content too, hold no script, event, frame or form from any row."""
    for page in blog.pages.values():
        assert_harmless(page.tree)


def text_of(answer: Response) -> str:
    """Everything an answer says: headers and body, as written and as decoded."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    body = answer.body.decode("utf-8")
    return "\n".join((headers, body, unquote(body), body.replace("&#x27;", "'").replace("&#39;", "'")))


def same(answer: Response, slug: str = "\0") -> tuple[int, dict[str, str], bytes]:
    """An answer for comparison: no date, and `slug` left out of the address it may send to."""
    headers = {name: value.replace(slug, "") for name, value in answer.headers.items() if name != "date"}
    return answer.status, headers, answer.body
