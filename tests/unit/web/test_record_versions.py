"""Language versions and canonicals of records: sitemap, heads and explain say the same of each address."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from lxml import html as lxml_html

from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordSource
from fingerpost_tools.explaining.explainer import Explainer
from fingerpost_tools.explaining.facts import Explanation, Named
from tests.support import ORIGIN, STORED, Functions, MemoryStore

pytestmark = pytest.mark.postgres

LANGUAGES = "languages: {default: en, supported: [{code: en}, {code: fr}, {code: de}]}\n"
FIELDS = (
    "[{name: slug, type: single-line-text}, {name: lang, type: single-line-text}, "
    "{name: first, type: url}, {name: code, type: single-line-text}, {name: secret, type: url}]"
)
RESTRICTED = "{read: all, fields: [{field: secret, read: [member]}]}"
TABLES = (
    f"tables: [{{name: posts, permissions: {RESTRICTED}, fields: {FIELDS}}}, "
    f"{{name: others, permissions: {{read: all}}, fields: {FIELDS}}}, "
    f"{{name: closed, permissions: {{read: [member]}}, fields: {FIELDS}}}]\n"
)

_NS = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def page(path: str, table: str = "posts", lang: str | None = None, more: str = "") -> str:
    condition = f", filter: [{{field: lang, operator: eq, value: {lang}}}]" if lang else ""
    return (
        f"  - {{name: '{path}', path: '{path}', collection: {{table: {table}, slugField: slug{condition}}}"
        f"{more}}}\n"
    )


@pytest.fixture
def served(run: Any, records: RecordSource) -> Callable[..., Functions]:
    """Serves pages over tables with rows."""

    def make(pages: str, posts: str, others: str = "", languages: str = LANGUAGES) -> Functions:
        for table, rows in (("posts", posts), ("others", others), ("closed", posts)):
            run(
                f"CREATE TABLE {table} "
                "(id serial PRIMARY KEY, slug text, lang text, first text, code text, secret text)"
            )
            if rows:
                run(f"INSERT INTO {table} (slug, lang, first, code, secret) VALUES {rows}")
        app = f"name: Acme\n{languages}{TABLES}pages:\n{pages}"
        return Functions(MemoryStore({"app.yaml": app}), records)

    return make


def clusters(site: Functions) -> dict[str, list[str]]:
    """What the sitemap lists, each with its cluster; the head of each address says the same, and so does
    `explain`."""
    answer = site.get("/sitemap.xml")
    if answer.status == 404:
        listed: dict[str, list[str]] = {}
    else:
        listed = {
            path(url.findtext("s:loc", namespaces=_NS) or ""): [
                f"{link.get('hreflang')} {path(link.get('href') or '')}"
                for link in url.iterfind("x:link", _NS)
            ]
            for url in etree.fromstring(answer.body).iterfind("s:url", _NS)
        }
    for address, links in listed.items():
        canonical, in_head = head(site, address)
        assert canonical == address
        assert in_head == links
        for other in (link.split()[1] for link in links):
            assert listed[other] == links
    tags = {address: ", ".join(link.split()[0] for link in links) for address, links in listed.items()}
    assert explained(site) == tags
    return listed


def explained(site: Functions) -> dict[str, str]:
    """What `explain` says is in the sitemap, each with the languages of its cluster."""
    publication = read_publication(site.store)
    source = site.records
    assert isinstance(source, PostgresRecords)
    origin = resolve_origin(ORIGIN, publication.site)
    explainer = Explainer(publication, site.store, origin, STORED, lambda: source)
    found = {}
    for answer in explainer.everything():
        if not isinstance(answer, Explanation):
            continue
        assert list(explainer.asked(answer.address)) == [answer]
        if answer.decisions[Named.SITEMAP].included:
            hreflang = answer.decisions[Named.HREFLANG]
            found[answer.address] = hreflang.reason if hreflang.included else ""
    return found


def head(site: Functions, address: str) -> tuple[str, list[str]]:
    """The canonical and the alternates in the head of the page at an address."""
    answer = site.get(address)
    assert answer.status == 200, address
    document = lxml_html.fromstring(answer.body)
    (canonical,) = document.xpath('//link[@rel="canonical"]/@href')
    links = document.xpath('//link[@rel="alternate"][@hreflang]')
    return path(canonical), [f"{link.get('hreflang')} {path(link.get('href'))}" for link in links]


def path(url: str) -> str:
    return re.sub(f"^{ORIGIN}", "", url)


ROWS = "('a', 'en', NULL, NULL, NULL), ('b', 'fr', NULL, NULL, NULL)"
EN, FR, DE = "/en/blog/:slug", "/fr/blog/:slug", "/de/blog/:slug"


def cluster(slug: str, *codes: str) -> list[str]:
    """The cluster of one slug in some languages."""
    default = [f"x-default /en/blog/{slug}"] if "en" in codes else []
    return [*(f"{code} /{code}/blog/{slug}" for code in codes), *default]


def test_one_table_under_literal_prefixes(served: Callable[..., Functions]) -> None:
    """A record that pages of several languages publish is a version of itself under each prefix."""
    site = served(page(EN) + page(FR), "('a', 'en', NULL, NULL, NULL), ('b c', 'fr', NULL, NULL, NULL)")
    assert clusters(site) == {
        "/en/blog/a": cluster("a", "en", "fr"),
        "/en/blog/b%20c": cluster("b%20c", "en", "fr"),
        "/fr/blog/a": cluster("a", "en", "fr"),
        "/fr/blog/b%20c": cluster("b%20c", "en", "fr"),
    }


def test_filters_that_differ(served: Callable[..., Functions]) -> None:
    """Where each page has rows of its own, those with one slug are versions of each other, and no others."""
    rows = ", ".join(
        f"('{slug}', '{code}', NULL, NULL, NULL)"
        for slug, codes in {
            "a": ("en", "fr"),
            "b": ("en",),
            "c": ("de", "fr"),
            "d": ("de", "fr", "en"),
        }.items()
        for code in codes
    )
    site = served(page(EN, lang="en") + page(FR, lang="fr") + page(DE, lang="de"), rows)
    found = clusters(site)
    assert found["/en/blog/a"] == cluster("a", "en", "fr")
    assert found["/en/blog/b"] == []
    assert found["/de/blog/c"] == cluster("c", "fr", "de")
    assert found["/fr/blog/d"] == cluster("d", "en", "fr", "de")
    assert len(found) == 8


def test_one_filter_is_narrower(served: Callable[..., Functions]) -> None:
    """A record that only one page publishes has no version under the other."""
    site = served(
        page(EN) + page(FR, lang="fr"), "('a', 'en', NULL, NULL, NULL), ('b', 'fr', NULL, NULL, NULL)"
    )
    assert clusters(site) == {
        "/en/blog/a": [],
        "/en/blog/b": cluster("b", "en", "fr"),
        "/fr/blog/b": cluster("b", "en", "fr"),
    }


def test_a_table_for_each_language(served: Callable[..., Functions]) -> None:
    """Pages over different tables are versions of each other where both have the slug; a page that not
    everyone may read is a version of nothing."""
    site = served(
        page(EN) + page(FR, "others") + page(DE, "closed"),
        "('a', '', NULL, NULL, NULL), ('b', '', NULL, NULL, NULL)",
        "('b', '', NULL, NULL, NULL), ('c', '', NULL, NULL, NULL)",
    )
    assert clusters(site) == {
        "/en/blog/a": [],
        "/en/blog/b": cluster("b", "en", "fr"),
        "/fr/blog/b": cluster("b", "en", "fr"),
        "/fr/blog/c": [],
    }


def test_other_paths_are_other_things(served: Callable[..., Functions]) -> None:
    """Records below another path are no versions, whatever their slugs."""
    site = served(page(EN) + page("/fr/journal/:slug"), "('a', '', NULL, NULL, NULL)")
    assert clusters(site) == {"/en/blog/a": [], "/fr/journal/a": []}


def test_a_literal_page_before_a_plain_one(served: Callable[..., Functions]) -> None:
    """A page of one language before one of all has that language's addresses, and their place in clusters."""
    site = served(page(FR, lang="fr") + page("/blog/:id"), ROWS)
    found = clusters(site)
    assert found["/en/blog/a"] == cluster("a", "en", "de")
    assert found["/fr/blog/b"] == cluster("b", "en", "fr", "de")
    assert "/fr/blog/a" not in found


CANONICAL = ", meta: {canonical: '%s'}"


@pytest.mark.parametrize(
    ("canonical", "elsewhere"),
    [
        ("$record.first", {"b": "https://old.example/b", "c": "/blog/a"}),
        ("https://old.example/$record.code", {"b": "https://old.example/x%20y/1%2525"}),
        ("https://old.example/$record.slug/$record.code", {"b": "https://old.example/b/x%20y/1%2525"}),
        ("$record.secret", {}),
        ("https://old.example/$record.nothing", {}),
        ("/blog/a", {"b": "/blog/a", "c": "/blog/a", "d": "/blog/a"}),
        ("/blog/$record.slug", {}),
    ],
)
def test_a_canonical_that_depends_on_the_record(
    served: Callable[..., Functions], canonical: str, elsewhere: dict[str, str]
) -> None:
    """A record whose canonical is elsewhere is open and in no list; a field that not everyone may read, and
    what comes to no address, declare none."""
    site = served(
        page("/blog/:slug", more=CANONICAL % canonical),
        "('a', '', '/blog/a/', NULL, 'https://old.example/'), "
        "('b', '', 'https://old.example/b', 'x y/1%25', 'https://old.example/'), "
        "('c', '', '/blog/a', '', 'https://old.example/'), ('d', '', 'not an address', NULL, NULL)",
        languages="",
    )
    assert set(clusters(site)) == {f"/blog/{slug}" for slug in "abcd" if slug not in elsewhere}
    for slug, address in elsewhere.items():
        assert head(site, f"/blog/{slug}")[0] == address


def test_a_canonical_elsewhere_leaves_its_cluster(served: Callable[..., Functions]) -> None:
    """A version that names another address is in no cluster, with the same rows or with others."""
    rows = ", ".join(
        f"('{slug}', '{code}', {first}, NULL, NULL)"
        for slug, first in (("a", "NULL"), ("b", "'https://old.example/'"))
        for code in ("en", "fr", "de")
    )
    more = CANONICAL % "$record.first"
    together = served(page(EN) + page(FR, more=more) + page(DE, more=more), rows)
    apart = Functions(
        MemoryStore(
            {
                "app.yaml": f"name: Acme\n{LANGUAGES}{TABLES}pages:\n"
                + page(EN, lang="en")
                + page(FR, lang="fr", more=more)
                + page(DE, lang="de")
            }
        ),
        together.records,
    )
    found = clusters(together)
    assert found["/en/blog/a"] == cluster("a", "en", "fr", "de")
    assert found["/en/blog/b"] == []
    assert "/fr/blog/b" not in found
    found = clusters(apart)
    assert found["/de/blog/a"] == cluster("a", "en", "fr", "de")
    assert found["/en/blog/b"] == cluster("b", "en", "de")
