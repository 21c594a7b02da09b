"""Records in components: what a listing reads, links and names."""

from typing import Any

import pytest

from fingerpost.catalogue.visitor import ANONYMOUS, Visitor
from fingerpost.site.model import Condition, Operator
from fingerpost.sources.records import RecordSource, Sort
from fingerpost.web.listings import (
    PAGE_SIZE,
    PAGE_SIZE_MOST,
    Seen,
    read_conditions,
    read_listing,
    read_sorts,
)
from tests.unit.catalogue.catalogues import catalogue_of

MEMBER = Visitor(signed_in=True, roles=frozenset({"member"}))
APP = """tables:
  - name: posts
    fields: [{name: slug, type: single-line-text}, {name: title, type: single-line-text},
             {name: author, type: relationship, relatedTable: people, relationType: many-to-one,
              displayField: name}]
    permissions: {read: all}
  - name: people
    fields: [{name: name, type: single-line-text}, {name: mail, type: email}]
    permissions: {read: %s}
pages:
  - {name: early, path: /blog/taken}
  - {name: post, path: "/blog/:slug", collection: {table: posts, slugField: slug%s}}
"""


def fill(run: Any) -> None:
    run("CREATE TABLE people (id serial PRIMARY KEY, name text, mail text)")
    run("CREATE TABLE posts (id serial PRIMARY KEY, slug text, title text, author int)")
    run("INSERT INTO people (name) VALUES ('Ada')")
    run("INSERT INTO posts (slug, title, author) VALUES ('a', 'A', 1), ('taken', 'B', NULL), (NULL, 'C', 2)")


def listing(records: RecordSource, app: str, source: dict[str, Any], visitor: Visitor = ANONYMOUS) -> Any:
    catalogue, seen = catalogue_of(app), Seen(lambda: visitor)
    with records.snapshot() as snapshot:
        return read_listing(catalogue, source, None, seen, snapshot), seen


def test_who_asks_is_told_once_and_only_where_it_matters() -> None:
    """Public rows and fields are anybody's; for restricted ones a session is read, once for all of them."""
    asked: list[Visitor] = []

    def ask() -> Visitor:
        asked.append(MEMBER)
        return MEMBER

    site, seen = catalogue_of(APP % ("[member]", "")).site, Seen(ask)
    posts, people = site.table("posts"), site.table("people")
    assert posts is not None
    assert people is not None
    assert seen.may_read_rows(site, posts)
    assert seen.fields(site, posts) == ["slug", "title", "author"]
    assert (asked, seen.more_than_anonymous) == ([], False)
    assert seen.may_read_rows(site, people)
    assert seen.may_read_rows(site, people)
    assert (asked, seen.more_than_anonymous) == ([MEMBER], True)


def test_addresses(run: Any, records: RecordSource) -> None:
    """A record is linked where it has an address of its own: not without a slug, nor where a page answers."""
    fill(run)
    found, seen = listing(records, APP % ("all", ""), {"table": "posts"})
    assert list(found.addresses) == ["/blog/a", None, None]
    assert [record["author"] for record in found.records] == ["Ada", None, None]
    assert not seen.more_than_anonymous


def test_addresses_under_a_condition(run: Any, records: RecordSource) -> None:
    """A page that publishes some records only links those of a listing that asks for no others."""
    fill(run)
    condition = {"field": "title", "operator": "eq", "value": "A"}
    app = APP % ("all", ", filter: [{field: title, operator: eq, value: A}]")
    assert list(listing(records, app, {"table": "posts"})[0].addresses) == [None, None, None]
    assert list(listing(records, app, {"table": "posts", "filter": [condition]})[0].addresses) == ["/blog/a"]


def test_names_are_as_restricted_as_their_table(run: Any, records: RecordSource) -> None:
    """A relationship is named to those who may read the other table, and counts as more than anyone's."""
    fill(run)
    app = APP % ("[member]", "")
    found, seen = listing(records, app, {"table": "posts"})
    assert [record["author"] for record in found.records] == [None, None, None]
    assert not seen.more_than_anonymous
    found, seen = listing(records, app, {"table": "posts"}, MEMBER)
    assert found.records[0]["author"] == "Ada"
    assert seen.more_than_anonymous


@pytest.mark.parametrize("table", ["people", "nothing", "", None])
def test_tables_that_may_not_be_read(run: Any, records: RecordSource, table: str | None) -> None:
    """A restricted table and one that is not there are the same: no listing."""
    fill(run)
    assert listing(records, APP % ("[member]", ""), {"table": table})[0] is None


@pytest.mark.parametrize(
    ("limit", "rows"),
    [
        (None, PAGE_SIZE),
        ("2", 2),
        ("0", PAGE_SIZE),
        ("-1", PAGE_SIZE),
        ("x", PAGE_SIZE),
        ("9999", PAGE_SIZE_MOST),
    ],
)
def test_limit(run: Any, records: RecordSource, limit: str | None, rows: int) -> None:
    """A listing is as long as it says, within bounds that no page outgrows (case 78)."""
    fill(run)
    run("INSERT INTO posts (slug) SELECT 's' || n FROM generate_series(1, 200) n")
    found, _ = listing(records, APP % ("all", ""), {"table": "posts", "limit": limit})
    assert len(found.records) == rows


@pytest.mark.parametrize(
    ("declared", "conditions"),
    [
        (None, ()),
        ([], ()),
        ([{"field": "a", "value": "x"}], (Condition("a", Operator.EQ, "x"),)),
        ({"field": "a", "operator": "gt", "value": "1"}, (Condition("a", Operator.GT, "1"),)),
        ([{"field": "a", "value": True}], (Condition("a", Operator.EQ, "true"),)),
        ([{"field": "a", "operator": "in", "value": ["x", "y"]}], (Condition("a", Operator.IN, ("x", "y")),)),
        ([{"field": "a", "operator": "eq", "value": ["x"]}], None),
        ([{"field": "a", "operator": "like", "value": "x"}], None),
        ([{"value": "x"}], None),
        (["a = x"], None),
        ("a = x", None),
    ],
)
def test_conditions(declared: Any, conditions: tuple[Condition, ...] | None) -> None:
    """A filter that can't be understood is no filter at all, rather than one that lets everything through."""
    assert read_conditions(declared) == conditions


@pytest.mark.parametrize(
    ("declared", "sorts"),
    [
        (None, ()),
        ({"field": "a"}, (Sort("a"),)),
        ([{"field": "a", "direction": "DESC"}, {"field": "b", "order": "asc"}], (Sort("a", True), Sort("b"))),
        (["a", {"direction": "desc"}], ()),
    ],
)
def test_sorts(declared: Any, sorts: tuple[Sort, ...]) -> None:
    """A sort is a list of fields with a direction, or one of them."""
    assert read_sorts(declared) == sorts
