"""The demo site: free of problems, and with one of each thing that a reader of the docs is told about."""

import re
from pathlib import Path

import pytest

from fingerpost.catalogue.publication import Publication, read_publication
from fingerpost.sources.directory import DirectoryStore
from fingerpost_tools import places, seeding, tables
from fingerpost_tools.check import examine
from fingerpost_tools.embedded_postgres import Database
from fingerpost_tools.seeding import Seeding


@pytest.fixture(scope="module")
def demo() -> Publication:
    """The demo as it would be published."""
    return read_publication(DirectoryStore(places.demo()))


def test_it_has_no_problems() -> None:
    """`fingerpost check` finds nothing."""
    assert examine(DirectoryStore(places.demo())) == []


def test_it_has_an_article_of_every_kind(demo: Publication) -> None:
    """Drafts, hidden, noindex and canonical-elsewhere articles are there, and one is not translated."""
    fronts = {key: article.front for key, article in demo.articles.items()}
    for kept_out in ("draft", "hidden", "noindex", "canonical"):
        assert any(getattr(front, kept_out) for front in fronts.values()), kept_out
    english = {key.replace("/en/", "/") for key in fronts if "/en/" in key}
    french = {key.replace("/fr/", "/") for key in fronts if "/fr/" in key}
    assert english - french == {"content/docs/reading/glossary.md"}
    assert not french - english


def test_both_languages_have_the_same_words(demo: Publication) -> None:
    """No text of one language is missing in the other."""
    assert demo.site.languages is not None
    english, french = (demo.site.languages.translations[code] for code in ("en", "fr"))
    assert english.keys() == french.keys()


def test_every_word_that_a_page_asks_for_is_there(demo: Publication) -> None:
    """Each `$t:` key of the pages and templates has a text, and each text is asked for."""
    assert demo.site.languages is not None
    sources = [places.demo() / "config" / "components.yaml", *(places.demo() / "config/pages").glob("*.yaml")]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    asked = set(re.findall(r"\$t:(\w+(?:[.-]\w+)*)", text))
    assert asked == set(demo.site.languages.translations["en"])


@pytest.mark.postgres
def test_its_records_are_there(database: Database, demo: Publication, tmp_path: Path) -> None:
    """The seed fills the declared tables: forty entries or more, and some of every kind that stays unseen."""
    connection = database.connect()
    tables.create(connection, demo.site)
    assert seeding.seed(database, places.demo()) is Seeding.RAN
    rows = connection.run("SELECT slug, status, deleted_at IS NOT NULL, author_email FROM posts")
    connection.close()
    seen = [slug for slug, status, deleted, _ in rows if slug and status == "published" and not deleted]
    assert len(seen) >= 40
    assert {"q-&-a", "beans & patience", "grêle", "100%25", "a/b-testing-the-north-wind"} <= set(seen)
    assert any(status == "draft" for _, status, _, _ in rows)
    assert any(deleted for _, _, deleted, _ in rows)
    assert any(not slug for slug, _, _, _ in rows)
    assert all(email.endswith("@vane-and-wren.example") for *_, email in rows)


def test_one_field_is_for_editors_alone(demo: Publication) -> None:
    """The table is public but for the address of its authors."""
    posts = demo.site.table("posts")
    assert posts is not None
    assert posts.read is not None
    assert posts.read.everyone
    restricted = [
        field.name for field in posts.fields if field.readers is not None and not field.readers.everyone
    ]
    assert restricted == ["author_email"]
