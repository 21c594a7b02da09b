"""Properties of whole sites, through the functions' own events: addresses, XML, text and visibility."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree, html
from markdown_it import MarkdownIt

from fingerpost.catalogue.addresses import build_path
from fingerpost.documents.escape import drop_forbidden, drop_from_html
from tests.memory_records import MemoryRecords
from tests.strategies import Flags, accesses, any_text, flags, moments, paths, quoted, sites, slugs
from tests.support import ORIGIN, Functions, MemoryStore, Response
from tests.unit.documents import sitemaps

RECORDS = """\
name: Acme
tables:
  - name: posts
    permissions: {read: all}
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: body, type: rich-text}, {name: published_at, type: datetime},
             {name: updated_at, type: updated-at}]
pages:
  - name: post
    path: "/blog/:slug"
    collection: {table: posts, slugField: slug}
    rss: {limit: 200}
    meta: {title: $record.title}
    components: [{type: text, element: h1, content: $record.title}, {type: text, content: $record.body}]
"""
RECORDS_IN_TWO_LANGUAGES = (
    RECORDS.replace("/blog/:slug", "/en/blog/:slug")
    + """\
  - {name: french, path: "/fr/blog/:slug", collection: {table: posts, slugField: slug}}
"""
)
LANGUAGES = "languages: {default: en, supported: [{code: en}, {code: fr, locale: fr-CA}, {code: zh-hans}]}\n"
ARTICLES = """\
name: Acme
pages:
  - {name: docs, path: "/docs/:path*", contentDir: {directory: content, slugFrom: filepath}}
"""
MARKDOWN = "text/markdown"

thorough = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def html_of(response: Response) -> Any:
    return html.document_fromstring(response.body)


def check_addresses(
    served: Functions, listed: Sequence[sitemaps.Element], *, alternates: bool = True
) -> None:
    """Each listed address answers 200, at itself and as its own canonical, with the alternates of the sitemap
    where that has them."""
    for entry in listed:
        page = served.get(urlsplit(entry.loc).path)
        assert page.status == 200, entry.loc
        tree = html_of(page)
        assert tree.xpath("//link[@rel='canonical']/@href") == [entry.loc]
        if alternates:
            links = tree.xpath("//link[@hreflang]")
            assert tuple(f"{link.get('hreflang')} {link.get('href')}" for link in links) == entry.alternates


def listing(served: Functions) -> list[sitemaps.Element]:
    """The valid sitemap's entries; a site without any has none."""
    answer = served.get("/sitemap.xml")
    return sitemaps.read(answer.body) if answer.status == 200 else []


@thorough
@given(sites())
def test_whatever_a_site_publishes_resolves(files: Mapping[str, str | bytes]) -> None:
    """On sites of any mixture of flags, languages, collisions and files of the owner's, each loc, alternate,
    feed link and llms link answers 200 as what it was said to be (cases 40, 41, 42, 46 and 58)."""
    served = Functions(MemoryStore(files))
    owned = {key.removeprefix("public/") for key in files if key.startswith("public/")}
    if "sitemap.xml" not in owned:
        alternates = "alternates: false" not in str(files["app.yaml"])
        check_addresses(served, listing(served), alternates=alternates)
    if "llms.txt" not in owned and served.get("/llms.txt").status == 200:
        for url in markdown_links(served.get("/llms.txt").text):
            answer = served.get(urlsplit(url).path)
            assert answer.status == 200, url
            assert answer.headers["content-type"].startswith("text/plain" if "llms-full" in url else MARKDOWN)
    feed = served.get("/feed.xml")
    if "feed.xml" not in owned and feed.status == 200:
        for link in etree.fromstring(feed.body).iterfind("channel/item/link"):
            page = served.get(urlsplit(str(link.text)).path)
            assert page.status == 200
            assert page.headers["cache-control"].startswith("public")


rows: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"slug": st.none() | slugs, "title": any_text, "body": any_text, "published_at": st.none() | moments,
     "updated_at": st.none() | moments}
)  # fmt: skip


@thorough
@given(
    st.lists(rows, max_size=5),
    st.sampled_from([(RECORDS, 1), (LANGUAGES + RECORDS, 3), (LANGUAGES + RECORDS_IN_TWO_LANGUAGES, 2)]),
)
def test_records_are_published_at_addresses_that_resolve(
    found: list[Mapping[str, Any]], published: tuple[str, int]
) -> None:
    """Whatever a table holds, the sitemap is valid, lists a slug once in each language, and each loc resolves
    to itself with the alternates it is listed with (cases 12, 13, 41, 46, 66 and 71)."""
    app, languages = published
    served = Functions(MemoryStore({"app.yaml": app}), records=MemoryRecords(found))
    listed = listing(served)
    check_addresses(served, listed)
    last = [unquote(entry.loc.rpartition("/")[2]) for entry in listed]
    possible = {row["slug"] for row in found if can_be_asked_for(row["slug"])}
    assert set(last) == possible
    assert len(last) == len(possible) * languages
    assert {len(entry.alternates) for entry in listed} <= {languages + 1 if languages > 1 else 0}


@thorough
@given(
    st.lists(rows, max_size=5),
    st.lists(st.none() | any_text | paths | slugs.map(lambda slug: f"/blog/{slug}"), min_size=5, max_size=5),
)
def test_a_records_canonical_keeps_it_in_the_sitemap_or_out(
    found: list[dict[str, Any]], named: list[str | None]
) -> None:
    """Whatever a field holds that the canonical is made of, a record is listed just where its page says that
    it is its own canonical."""
    for row, body in zip(found, named, strict=False):
        row["body"] = body
    app = RECORDS.replace("{title: $record.title}", "{canonical: $record.body}")
    served = Functions(MemoryStore({"app.yaml": app}), records=MemoryRecords(found))
    listed = {entry.loc for entry in listing(served)}
    for slug in {row["slug"] for row in found if can_be_asked_for(row["slug"])}:
        address = build_path("", ["blog", slug])
        (canonical,) = html_of(served.get(address)).xpath("//link[@rel='canonical']/@href")
        assert (canonical == ORIGIN + address) == (ORIGIN + address in listed)


def can_be_asked_for(slug: str | None) -> bool:
    """Whether any client can ask for a segment: not empty, no control character, no dot segment, hidden or
    not."""
    if not slug or any(ord(character) < 32 or 127 <= ord(character) < 160 for character in slug):
        return False
    return not {".", ".."} & set(slug.replace("\\", "/").split("/"))


@thorough
@given(rows.filter(lambda row: can_be_asked_for(row["slug"]) and row["title"].strip()))
@example({"slug": "a", "title": "a\x1db]]>&amp;<b>", "body": "]]>", "published_at": None, "updated_at": None})
def test_text_of_records_reaches_page_and_feed_unchanged(row: Mapping[str, Any]) -> None:
    """A title is in the page's title and heading, and in the feed, with exactly its characters, less what the
    format forbids (cases 1, 13, 30 and 39)."""
    served = Functions(MemoryStore({"app.yaml": RECORDS}), records=MemoryRecords([row]))
    (loc,) = (entry.loc for entry in listing(served))
    tree = html_of(served.get(urlsplit(loc).path))
    assert tree.xpath("string(//h1)") == drop_from_html(row["title"])
    item = etree.fromstring(served.get("/feed.xml").body).find("channel/item")
    assert item is not None
    assert (item.findtext("link"), item.findtext("guid")) == (loc, loc)
    assert spaced(item.findtext("title")) == spaced(drop_forbidden(row["title"])) or not row["title"].strip()
    assert (item.findtext("pubDate") is None) == (row["published_at"] is None)


def spaced(text: str | None) -> str:
    return " ".join((text or "").split())


@thorough
@given(st.dictionaries(slugs, any_text, max_size=4), st.booleans())
@example({"100%25": "x", "a/b": "y", "x": "", "x.md": ""}, False)
def test_articles_are_published_at_addresses_that_resolve(
    found: Mapping[str, str], multilingual: bool
) -> None:
    """Whatever articles' files are called, each listed loc resolves to itself, its twin holds the file byte
    for byte, and llms.txt links it (cases 58, 60, 66 and 75)."""
    app = LANGUAGES + ARTICLES if multilingual else ARTICLES
    # A text that began with a fence would be front matter.
    bodies = {f"content/{slug}.md": f"Text: {text}" for slug, text in found.items()}
    served = Functions(MemoryStore({"app.yaml": app, **bodies}))
    listed = listing(served)
    check_addresses(served, listed)
    linked = markdown_links(served.get("/llms.txt").text) - {f"{ORIGIN}/llms-full.txt"}
    for entry in listed:
        page = html_of(served.get(urlsplit(entry.loc).path))
        (twin,) = page.xpath("//link[@type='text/markdown']/@href") or [None]
        if twin is None:
            continue  # another article answers at the address of its twin
        answer = served.get(urlsplit(twin).path)
        assert answer.headers["link"] == f'<{entry.loc}>; rel="canonical"'
        assert answer.body == served.get(urlsplit(entry.loc).path, MARKDOWN).body
        assert answer.text in bodies.values()
        assert twin in linked
    assert len(linked) <= len(listed)


def markdown_links(text: str) -> set[str]:
    return {
        str(child.attrs["href"])
        for token in MarkdownIt("commonmark").parse(text)
        for child in token.children or ()
        if child.type == "link_open"
    }


@thorough
@given(any_text.filter(str.strip), any_text)
@example("[Un]balanced [title](x)", "a\nb `c` *d* <e>")
@example("100% & <b>", "]]>")
def test_text_of_front_matter_reaches_every_document(title: str, description: str) -> None:
    """A title of front matter is the page's title and the text of its link in llms.txt (cases 13 and 76)."""
    front = f"---\ntitle: {quoted(title)}\ndescription: {quoted(description)}\n---\nText.\n"
    served = Functions(MemoryStore({"app.yaml": ARTICLES, "content/a.md": front}))
    page = served.get("/docs/a")
    assert page.status == 200
    assert spaced(html_of(page).findtext("head/title")) == spaced(drop_from_html(title))
    tokens = MarkdownIt("commonmark").parse(served.get("/llms.txt").text)
    (line,) = [token for token in tokens if token.type == "inline" and token.level == 3][:1]
    shown = "".join(child.content for child in line.children or ())
    assert spaced(shown).startswith(spaced(drop_forbidden(title)))
    assert (
        len([token for token in tokens if token.type == "heading_open"]) == 3
    )  # site, group, and the full text


@thorough
@given(paths, st.sampled_from(["GET", "HEAD"]), st.none() | any_text)
def test_any_path_gets_an_answer(path: str, method: str, accept: str | None) -> None:
    """No path raises or is a fault: it is found, moved once to what is found, or the one 404 (cases 66 and
    72)."""
    files = {
        "app.yaml": LANGUAGES + ARTICLES,
        "content/a.md": "A",
        "content/b/index.md": "B",
        "public/x.txt": "x",
    }
    served = Functions(MemoryStore(files))
    target, _, query = path.partition("?")
    answer = served.get(target, accept, method=method, query=query)
    assert answer.status in {200, 301, 404}
    if answer.status == 301:
        moved = served.get(urlsplit(answer.headers["location"]).path, accept)
        assert moved.status in {200, 404}
    if answer.status == 404:
        nothing = served.get("/nowhere", method=method)
        assert (answer.headers, answer.body) == (nothing.headers, nothing.body)


def expected(flag: Flags, access: str) -> dict[str, bool]:
    """SPEC section 4's table, row by row: where an article with these flags is."""
    absent = flag.draft or flag.future or flag.filtered
    public = not absent and access == "all"
    return {
        "html": public,
        "twin": public,
        "sitemap": public and not (flag.noindex or flag.hidden or flag.elsewhere or flag.unlisted),
        "feed": public and not flag.hidden,
        "llms": public and not (flag.noindex or flag.hidden or flag.elsewhere or flag.ai_exclude),
    }


@thorough
@given(st.lists(flags, min_size=1, max_size=4), accesses)
@example([Flags()], "all")
@example([Flags(noindex=True), Flags(hidden=True), Flags(ai_exclude=True)], "all")
@example([Flags()], "{require: [member], redirectTo: /sign-in}")
def test_visibility_is_one_rule_in_every_document(found: list[Flags], access: str) -> None:
    """Each article is exactly where the table of SPEC section 4 has it: page, twin, negotiated form, sitemap,
    feed, llms.txt and llms-full.txt, and robots tags say the same (case 70)."""
    app = f"""\
name: Acme
pages:
  - name: docs
    path: "/docs/:slug"
    access: {access}
    rss: {{limit: 200}}
    contentDir: {{directory: content, filter: {{kind: guide}}}}
  - {{name: sign-in, path: /sign-in, components: []}}
"""
    files = {
        f"content/a{number}.md": f"{flag.front_matter()}# Mark-{number}\n"
        for number, flag in enumerate(found)
    }
    served = Functions(MemoryStore({"app.yaml": app, **files}))
    documents = {
        "sitemap": served.get("/sitemap.xml"),
        "feed": served.get("/feed.xml"),
        "llms": served.get("/llms.txt"),
        "llms full": served.get("/llms-full.txt"),
    }
    for number, flag in enumerate(found):
        wanted = expected(flag, access)
        address = f"/docs/a{number}"
        forms = {
            "html": served.get(address),
            "twin": served.get(f"{address}.md"),
            "negotiated": served.get(address, MARKDOWN),
        }
        assert (forms["html"].status == 200) == wanted["html"]
        assert (forms["twin"].status == 200) == (forms["negotiated"].status == 200) == wanted["twin"]
        for form in forms.values():
            assert ("x-robots-tag" in form.headers) == (form.status == 200 and flag.noindex)
            assert (f"Mark-{number}" in form.text) == wanted["html"]
        assert holds(documents["sitemap"], f"<loc>{ORIGIN}{address}</loc>") == wanted["sitemap"]
        assert holds(documents["feed"], f"<link>{ORIGIN}{address}</link>") == wanted["feed"]
        assert holds(documents["llms"], f"({ORIGIN}{address}.md)") == wanted["llms"]
        assert holds(documents["llms full"], f"Mark-{number}") == wanted["llms"]
        assert not holds(documents["feed"], f"Mark-{number}") or wanted["feed"]


def holds(document: Response, text: str) -> bool:
    return document.status == 200 and text in document.text


@thorough
@given(flags)
def test_a_restricted_article_is_a_missing_one(flag: Flags) -> None:
    """Under a restricted page, no flag of an article makes its answers differ from those for one that never
    was."""
    app = 'name: A\npages: [{name: d, path: "/docs/:slug", access: [member], contentDir: {directory: c}}]\n'
    file = replace(flag, filtered=False).front_matter() + "Secret"
    served = Functions(MemoryStore({"app.yaml": app, "c/there.md": file}))
    for suffix in ("", ".md", "/", "/index"):
        for accept in (None, MARKDOWN):
            there, absent = (served.get(f"/docs/{name}{suffix}", accept) for name in ("there", "never"))
            location = there.headers.get("location", "").replace("there", "never")
            assert (there.status, there.body) == (absent.status, absent.body)
            assert {**there.headers, "location": location} == {"location": "", **absent.headers}
