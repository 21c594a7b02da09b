"""Explaining records: every row of a table is a published record, or there is one reason why not."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.login import UrlLogin
from fingerpost.sources.postgres import PostgresRecords
from fingerpost_tools import places, seeding, tables
from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.explaining.explainer import Explainer
from fingerpost_tools.explaining.facts import Absence, Explanation, Named, is_served
from tests.support import ORIGIN, Functions, MemoryStore
from tests.unit.tools.explained import NOW, absence, documents, explanation, rules

pytestmark = pytest.mark.postgres

_APP = """\
name: Acme
tables:
- name: posts
  permissions: {read: all}
  fields:
  - {name: slug, type: single-line-text}
  - {name: status, type: single-line-text}
  - {name: rank, type: number}
  - {name: published_at, type: datetime}
  - {name: deleted_at, type: deleted-at}
- name: notes
  permissions: {read: all}
  fields: [{name: slug, type: single-line-text}]
pages:
- name: taken
  path: /blog/taken
- name: post
  path: /blog/:slug
  rss: {limit: 2}
  collection:
    table: posts
    slugField: slug
    filter:
    - {field: status, value: live}
    - {field: rank, operator: gte, value: 2}
"""
_ROWS = """
INSERT INTO posts (slug, status, rank, published_at, deleted_at) VALUES
  ('one', 'live', 2, '2024-01-01', NULL), ('dead', 'dead', 2, NULL, NULL), ('low', 'live', 1, NULL, NULL),
  ('gone', 'live', 2, NULL, now()), ('', 'live', 2, NULL, NULL), (NULL, 'live', 2, NULL, NULL),
  ('..', 'live', 2, NULL, NULL), ('one', 'live', 3, NULL, NULL), ('taken', 'live', 2, NULL, NULL),
  ('later', 'live', 2, '2027-01-01', NULL), ('a b', 'live', 2, '2024-02-02', NULL),
  ('old', 'live', 2, '2023-01-01', NULL)
"""
_LONG = "x" * 2048


@pytest.fixture
def records(database: Database) -> Iterator[PostgresRecords]:
    """The records of the empty database."""
    source = PostgresRecords(UrlLogin(database.url))
    yield source
    source.close()


def _filled(database: Database, records: PostgresRecords, app: str = _APP) -> Explainer:
    """The explainer of `app`, whose table `posts` holds the rows above."""
    store = MemoryStore({"app.yaml": app})
    publication = read_publication(store)
    connection = database.connect()
    tables.create(connection, publication.site)
    connection.run(_ROWS)
    connection.close()
    return Explainer(publication, store, resolve_origin(ORIGIN, publication.site), NOW, lambda: records)


# By key: the reason, and the line of the setting that it names (0: none).
_REASONS = [
    ("posts:2", "filtered", 24),
    ("posts:3", "filtered", 25),
    ("posts:4", "deleted", 0),
    ("posts:5", "slug-empty", 22),
    ("posts:6", "slug-empty", 22),
    ("posts:7", "address-impossible", 22),
    ("posts:8", "address-collision", 22),
    ("posts:9", "address-shadowed", 0),
    ("posts:99", "no-record", 0),
    ("posts:x", "no-record", 0),
    ("notes:1", "no-page", 11),
    ("/blog/dead", "filtered", 24),
    ("/blog/gone", "deleted", 0),
    ("/blog/onee", "no-record", 0),
]


def test_a_row_that_is_no_record_has_one_reason(database: Database, records: PostgresRecords) -> None:
    """Which condition it fails, that it is deleted, or what is wrong with its slug: by key and by address."""
    explainer = _filled(database, records)
    for asked, rule, line in _REASONS:
        found = absence(explainer, asked)
        assert (found.rule, found.place.line if found.place else 0) == (rule, line), asked
    assert absence(explainer, "posts:3").reason == "row 3 does not meet `rank gte 2`"
    assert absence(explainer, "/blog/onee").nearest[0] == "/blog/one"


def test_a_record_is_found_by_key_and_by_address(database: Database, records: PostgresRecords) -> None:
    """Both are one explanation, with the column that its lastmod comes from."""
    explainer = _filled(database, records)
    by_key, by_address = explanation(explainer, "posts:11"), explanation(explainer, "/blog/a%20b")
    assert by_key == by_address
    assert (by_key.source.table, by_key.source.key, by_key.source.page) == ("posts", "11", "post")
    assert by_key.lastmod.origin == "column posts.updated_at"
    assert documents(by_key) == {Named.SITEMAP, Named.FEED, Named.HTML, Named.ROBOTS}


def test_the_feed_leaves_out_what_is_old_or_to_come(database: Database, records: PostgresRecords) -> None:
    """The newest two are in; one whose date is in the future says so."""
    explainer = _filled(database, records)
    said = {key: rules(explanation(explainer, f"posts:{key}"))["feed"] for key in (1, 10, 11, 12)}
    assert said == {1: "(public)", 10: "future", 11: "(public)", 12: "beyond-limit"}


_CLOSED = [
    ("{read: authenticated}", "may be read by signed-in visitors alone", "permissions.read"),
    ("{}", "declares no `permissions.read: all`", "permissions"),
    ("{inherit: nowhere}", "inherits from `nowhere`, which is not declared", "permissions.inherit"),
    ("{inherit: posts}", "inherits, in the end, from itself", "permissions.inherit"),
    ("{read: all, override: {read: [editor]}}", "may be read by editor alone", "permissions.override.read"),
    ("{read: all}\n  rowLevelPermissions: {read: mine}", "has a row-level read rule", "rowLevelPermissions"),
    ("{read: all, fields: [{field: slug, read: [editor]}]}", "the field `slug`", "permissions.fields"),
]


@pytest.mark.parametrize(("permissions", "reason", "key"), _CLOSED)
def test_a_table_that_is_not_public_says_why(
    permissions: str, reason: str, key: str, database: Database, records: PostgresRecords
) -> None:
    """Each way for a record to be restricted by its table (SPEC section 4), with the deciding setting."""
    app = _APP.replace("{read: all}", permissions, 1)
    answer = explanation(_filled(database, records, app), "posts:1")
    for name in (Named.SITEMAP, Named.FEED, Named.LLMS):
        decision = answer.decisions[name]
        assert decision.rule == "restricted"
        assert reason in decision.reason
        assert decision.place is not None
        assert decision.place.path == f"tables[0].{key}"
    assert answer.decisions[Named.HTML].included


def test_a_record_too_long_for_a_loc(database: Database, records: PostgresRecords) -> None:
    """It is served and left out of the sitemap."""
    explainer = _filled(database, records)
    connection = database.connect()
    connection.run("INSERT INTO posts (slug, status, rank) VALUES (:slug, 'live', 2)", slug=_LONG)
    connection.close()
    assert rules(explanation(explainer, "posts:13"))["sitemap"] == "too-long"


def test_every_row_is_told_of(database: Database, records: PostgresRecords) -> None:
    """All of them at once give the same verdicts as the documents, and the slugs that make no address."""
    explainer = _filled(database, records)
    answers = list(explainer.everything())
    served = Functions(explainer._store, records)
    _compare(answers, served, ORIGIN)
    absent = [(answer.asked, answer.rule) for answer in answers if isinstance(answer, Absence)]
    assert absent == [
        ("/blog/taken", "address-shadowed"),
        ("posts:5", "slug-empty"),
        ("posts:6", "slug-empty"),
        ("posts:7", "address-impossible"),
        ("posts:8", "address-collision"),
    ]


def test_the_demo_is_as_it_is_explained(database: Database, records: PostgresRecords) -> None:
    """Sitemap, feed and pages of the demo, records and all, equal what is said of them."""
    store = DirectoryStore(places.demo())
    publication = read_publication(store)
    connection = database.connect()
    tables.create(connection, publication.site)
    connection.close()
    seeding.seed(database, places.demo())
    origin = resolve_origin(None, publication.site)
    explainer = Explainer(publication, store, origin, NOW, lambda: records, places.demo())
    served = Functions(store, records, base_url=None)
    _compare(list(explainer.everything()), served, str(origin.known))


def _compare(answers: list[Explanation | Absence], served: Functions, origin: str) -> None:
    explained = {answer.address: answer for answer in answers if isinstance(answer, Explanation)}
    sitemap = ElementTree.fromstring(served.get("/sitemap.xml").body)
    feed = ElementTree.fromstring(served.get("/feed.xml").body)
    locs = {str(loc.text).removeprefix(origin) for loc in sitemap.iter() if loc.tag.endswith("}loc")}
    items = {str(guid.text).removeprefix(origin) for guid in feed.iter("guid")}
    assert locs == {address for address, found in explained.items() if Named.SITEMAP in documents(found)}
    assert items == {address for address, found in explained.items() if Named.FEED in documents(found)}
    for address, found in explained.items():
        opens = is_served(found) and found.decisions[Named.HTML].rule != "restricted"
        assert (served.get(address).status == 200) == opens, address
