"""The one rule of who may see what, each line of the table of section 4."""

import pytest

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document, Entry, Rule
from fingerpost.catalogue.visibility import (
    field_readers,
    may_open,
    readable_fields,
    table_readers,
)
from fingerpost.catalogue.visitor import ANONYMOUS, Visitor
from fingerpost.site.model import EVERYONE, NOBODY, SIGNED_IN, Readers
from tests.unit.catalogue.catalogues import LANGUAGES, addresses, articles, catalogue_of

MEMBER = Visitor(signed_in=True, roles=frozenset({"member"}))
OTHER = Visitor(signed_in=True, roles=frozenset({"other"}))
ADMIN = Visitor(signed_in=True, roles=frozenset({"admin"}))

ALL = set(Document)
OWN = {Document.HTML, Document.TWIN}
LISTS = ALL - OWN


def article(front: str, page: str = "", *, path: str = "/docs/:slug") -> Entry:
    """The one article of a page, of which `front` is the front matter and `page` more of its keys."""
    catalogue = catalogue_of(
        f"pages: [{{name: docs, path: '{path}', contentDir: {{directory: content}}, {page}}}]",
        {"content/a.md": f"---\n{front}\n---\nText\n"},
    )
    (entry,) = catalogue.all_entries()
    return entry


def page_entry(keys: str, path: str = "/p") -> Entry:
    (entry,) = catalogue_of(f"pages: [{{name: p, path: '{path}', {keys}}}]").all_entries()
    return entry


def allowed(entry: Entry) -> set[Document]:
    return {document for document in Document if entry.verdict.allows(document)}


@pytest.mark.parametrize(
    ("front", "documents", "noindex"),
    [
        ("", ALL, False),
        ("noindex: true", OWN | {Document.FEED}, True),
        ("seo: {noindex: true}", OWN | {Document.FEED}, True),
        ("robots: NoIndex, follow", OWN | {Document.FEED}, True),
        ("robots: [nofollow, NONE]", OWN | {Document.FEED}, True),
        ("robots: nofollow", ALL, False),
        ("robots: noindexer", ALL, False),
        ("hidden: true", OWN, False),
        ("canonical: https://other.example/a", OWN | {Document.FEED}, False),
        ("canonical: /docs/a", ALL, False),
        ("sitemap: false", ALL - {Document.SITEMAP}, False),
        ("ai: {exclude: true}", ALL - {Document.LLMS}, False),
        ("draft: true", set(), False),
        ("date: 2026-01-03", set(), False),
        ("date: 2026-01-02T03:04:05Z", ALL, False),
        ("date: 2026-01-02T03:04:06Z", set(), False),
        ("{noindex: true, ai: {exclude: true}, sitemap: false}", OWN | {Document.FEED}, True),
    ],
)
def test_articles(front: str, documents: set[Document], noindex: bool) -> None:
    """Front matter keeps an article out of exactly the documents that the table says."""
    entry = article(front)
    assert allowed(entry) == documents
    assert entry.verdict.noindex is noindex
    assert entry.verdict.readers == ()


@pytest.mark.parametrize(
    ("keys", "documents", "noindex"),
    [
        ("", ALL, False),
        ("meta: {noindex: true}", OWN | {Document.FEED}, True),
        ("meta: {robots: 'NOINDEX'}", OWN | {Document.FEED}, True),
        ("meta: {robots: 'none'}", OWN | {Document.FEED}, True),
        ("meta: {robots: 'index, follow'}", ALL, False),
        ("meta: {canonical: 'https://other.example/'}", OWN | {Document.FEED}, False),
        ("sitemap: false", ALL - {Document.SITEMAP}, False),
        ("access: authenticated", OWN, False),
        ("access: [member]", OWN, False),
        ("access: []", OWN, False),
        ("access: all", ALL, False),
        ("access: {require: authenticated, redirectTo: /sign-in}", OWN, False),
    ],
)
def test_pages_and_their_articles(keys: str, documents: set[Document], noindex: bool) -> None:
    """What a page says holds for itself and for each of its articles."""
    entries = [page_entry(keys)]
    if "canonical" not in keys:
        entries.append(article("", keys))
    for entry in entries:
        assert allowed(entry) == documents
        assert entry.verdict.noindex is noindex


@pytest.mark.parametrize("path", ["/_preview", "/%5Fpreview", "/_/x"])
def test_underscore(path: str) -> None:
    """A page under `/_` is served, noindex, and named nowhere."""
    entry = page_entry("", path)
    assert allowed(entry) == OWN
    assert entry.verdict.noindex
    assert entry.verdict.public


def test_underscore_in_each_language() -> None:
    """A language's prefix before `/_` changes nothing."""
    catalogue = catalogue_of(LANGUAGES + "pages: [{name: p, path: /_preview}]")
    assert [allowed(entry) for entry in catalogue.all_entries()] == [OWN, OWN]


def test_filtered_out() -> None:
    """An article that the directory's filter leaves out does not exist."""
    catalogue = catalogue_of(
        "pages: [{name: d, path: '/:slug', contentDir: {directory: c, filter: {draft: false, kind: a}}}]",
        {"c/a.md": "---\nkind: a\n---\n", "c/b.md": "---\nkind: b\n---\n"},
    )
    assert addresses(catalogue, Document.HTML) == ["/a"]
    rules = [entry.verdict.excluded.get(Document.TWIN) for entry in catalogue.all_entries()]
    assert rules == [None, Rule.FILTERED]


def test_the_first_rule_is_named() -> None:
    """A verdict names the rule that decided, the strongest first."""
    verdict = article("{draft: true, hidden: true}", "access: [member]").verdict
    assert set(verdict.excluded.values()) == {Rule.DRAFT}
    verdict = article("{hidden: true, noindex: true}", "access: [member]").verdict
    assert set(verdict.excluded.values()) == {Rule.RESTRICTED}
    verdict = article("{sitemap: false, noindex: true}").verdict
    assert verdict.excluded[Document.SITEMAP] is Rule.NOINDEX


@pytest.mark.parametrize(
    ("access", "readers"),
    [
        ("all", {ANONYMOUS, OTHER, MEMBER, ADMIN}),
        ("authenticated", {OTHER, MEMBER, ADMIN}),
        ("[member]", {MEMBER, ADMIN}),
        ("[member, other]", {OTHER, MEMBER, ADMIN}),
        ("[]", {ADMIN}),
        ("{require: [member]}", {MEMBER, ADMIN}),
    ],
)
def test_who_may_open(access: str, readers: set[Visitor]) -> None:
    """A restricted page opens for its readers and for admin, and for nobody else."""
    verdict = page_entry(f"access: {access}").verdict
    assert {visitor for visitor in (ANONYMOUS, OTHER, MEMBER, ADMIN) if may_open(verdict, visitor)} == readers


def test_nobody_opens_a_draft() -> None:
    """A draft does not exist for admin either."""
    assert not may_open(article("draft: true").verdict, ADMIN)


def test_roles_without_a_session_are_none() -> None:
    """Roles count in a session alone."""
    assert not may_open(page_entry("access: [member]").verdict, Visitor(roles=frozenset({"member", "admin"})))


TABLES = """tables:
  - {name: open, permissions: {read: all}}
  - {name: silent}
  - {name: empty, permissions: {}}
  - {name: members, permissions: {read: [member]}}
  - {name: signed, permissions: {read: authenticated}}
  - {name: heir, permissions: {inherit: open}}
  - {name: heir-of-members, permissions: {inherit: members}}
  - {name: grandchild, permissions: {inherit: heir-of-members}}
  - {name: own-read, permissions: {read: [member], inherit: open}}
  - {name: overrides, permissions: {inherit: members, override: {read: all}}}
  - {name: narrows, permissions: {inherit: open, override: {read: [member]}}}
  - {name: override-beats-read, permissions: {read: all, override: {read: [member]}}}
  - {name: orphan, permissions: {inherit: nowhere}}
  - {name: ring-a, permissions: {inherit: ring-b}}
  - {name: ring-b, permissions: {inherit: ring-a}}
  - {name: self, permissions: {inherit: self}}
  - {name: rows, permissions: {read: all}, rowLevelPermissions: {read: 'owner = me'}}
  - {name: heir-of-rows, permissions: {inherit: rows}}
  - {name: rows-for-writing, permissions: {read: all}, rowLevelPermissions: {update: 'owner = me'}}
"""


@pytest.mark.parametrize(
    ("table", "readers"),
    [
        ("open", EVERYONE),
        ("silent", NOBODY),
        ("empty", NOBODY),
        ("members", Readers(roles=frozenset({"member"}))),
        ("signed", SIGNED_IN),
        ("heir", EVERYONE),
        ("heir-of-members", Readers(roles=frozenset({"member"}))),
        ("grandchild", Readers(roles=frozenset({"member"}))),
        ("own-read", Readers(roles=frozenset({"member"}))),
        ("overrides", EVERYONE),
        ("narrows", Readers(roles=frozenset({"member"}))),
        ("override-beats-read", Readers(roles=frozenset({"member"}))),
        ("orphan", NOBODY),
        ("ring-a", NOBODY),
        ("ring-b", NOBODY),
        ("self", NOBODY),
        ("rows", NOBODY),
        ("heir-of-rows", NOBODY),
        ("rows-for-writing", EVERYONE),
    ],
)
def test_table_permissions(table: str, readers: Readers) -> None:
    """Absent is not public; inheritance is resolved; a missing parent, a ring or a row-level rule denies."""
    site = catalogue_of(TABLES).site
    declared = site.table(table)
    assert declared is not None
    assert table_readers(site, declared) == readers


POSTS = """tables:
  - name: posts
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: mail, type: email}]
    permissions: {%s}
pages:
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug}, %s}
"""


def records(permissions: str, page: str = "") -> Catalogue:
    return catalogue_of(POSTS % (permissions, page))


@pytest.mark.parametrize(
    ("permissions", "page", "documents", "public"),
    [
        ("read: all", "", ALL, True),
        ("read: all", "sitemap: false", ALL - {Document.SITEMAP}, True),
        ("read: all", "meta: {noindex: true}", OWN | {Document.FEED}, True),
        ("read: all, fields: [{field: mail, read: [member]}]", "", ALL, True),
        ("", "", OWN, False),
        ("read: authenticated", "", OWN, False),
        ("read: all", "access: [member]", OWN, False),
        ("read: all, fields: [{field: slug, read: [member]}]", "", OWN, False),
        ("inherit: nowhere", "", OWN, False),
    ],
)
def test_records(permissions: str, page: str, documents: set[Document], public: bool) -> None:
    """Records are public only where the page, the table and the slug's own field are."""
    (collection,) = records(permissions, page).collections.values()
    assert {document for document in Document if collection.verdict.allows(document)} == documents
    assert collection.verdict.public is public


def test_all_rules_must_hold() -> None:
    """A record opens only for who may read page, table and the slug's field."""
    catalogue = records("read: [member], fields: [{field: slug, read: [editor]}]", "access: authenticated")
    (collection,) = catalogue.collections.values()
    both = Visitor(signed_in=True, roles=frozenset({"member", "editor"}))
    opened = [may_open(collection.verdict, visitor) for visitor in (ANONYMOUS, MEMBER, OTHER, both, ADMIN)]
    assert opened == [False, False, False, True, True]


def test_fields() -> None:
    """A visitor reads the fields that nobody restricted, and those restricted to him."""
    site = records("read: all, fields: [{field: mail, read: [member]}]").site
    table = site.table("posts")
    assert table is not None
    assert [field.name for field in readable_fields(site, table, ANONYMOUS)] == ["slug", "title"]
    assert [field.name for field in readable_fields(site, table, MEMBER)] == ["slug", "title", "mail"]
    assert field_readers(site, table, "updated_at") == EVERYONE


INHERITED_FIELDS = """tables:
  - name: people
    fields: [{name: slug, type: single-line-text}, {name: mail, type: email}, {name: pay, type: number}]
    permissions: {read: all, fields: [{field: mail, read: [member]}, {field: updated_at, read: []}]}
  - name: staff
    fields: [{name: slug, type: single-line-text}, {name: mail, type: email}]
    permissions: {inherit: people, %s}
"""


@pytest.mark.parametrize(
    ("permissions", "read_by_all", "changed"),
    [
        ("", ["slug"], NOBODY),
        ("read: all", ["slug"], NOBODY),
        ("override: {read: all}", ["slug"], NOBODY),
        ("fields: [{field: slug, read: [member]}]", [], NOBODY),
        ("fields: [{field: mail, read: all}]", ["slug", "mail"], NOBODY),
        ("fields: [{field: mail, write: [admin]}]", ["slug"], NOBODY),
        ("override: {fields: [{field: mail, read: all}]}", ["slug", "mail"], NOBODY),
        (
            "override: {fields: [{field: mail, read: [admin]}]}, fields: [{field: mail, read: all}]",
            ["slug"],
            NOBODY,
        ),
        ("fields: [{field: updated_at, read: authenticated}]", ["slug"], SIGNED_IN),
    ],
)
def test_field_permissions_are_inherited(permissions: str, read_by_all: list[str], changed: Readers) -> None:
    """A field that its parent restricts is restricted in the heir too, unless the heir speaks of it."""
    site = catalogue_of(INHERITED_FIELDS % permissions).site
    table = site.table("staff")
    assert table is not None
    fields = [field.name for field in readable_fields(site, table, ANONYMOUS)]
    assert [name for name in fields if name != "updated_at"] == read_by_all
    assert field_readers(site, table, "updated_at") == changed


@pytest.mark.parametrize("parent", ["nowhere", "posts"])
def test_a_missing_parent_might_have_restricted_any_field(parent: str) -> None:
    """Below a missing parent or in a ring nobody reads a field that its own table does not speak of."""
    site = records(f"read: all, inherit: {parent}, fields: [{{field: title, read: all}}]").site
    table = site.table("posts")
    assert table is not None
    assert [field.name for field in readable_fields(site, table, ANONYMOUS)] == ["title"]
    assert field_readers(site, table, "slug") == NOBODY


def test_hidden_from_navigation_only() -> None:
    """A hidden article still opens at its own address."""
    entry = article("hidden: true")
    assert may_open(entry.verdict, ANONYMOUS)
    assert entry.verdict.public


def test_lists_agree() -> None:
    """Every list asks the one verdict: what a public site publishes is in all of them."""
    catalogue = catalogue_of(
        "pages: [{name: d, path: '/:slug', contentDir: {directory: content}}]", articles("content/a.md")
    )
    assert all(addresses(catalogue, document) == ["/a"] for document in LISTS)
