"""Placeholders in the author's texts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.site.model import Language, Languages
from fingerpost.site.placeholders import (
    Reference,
    Values,
    as_text,
    fill,
    fill_deep,
    fill_html,
    look_up,
    single_reference,
)

LANGUAGES = Languages(
    "en",
    (Language("en", "en"), Language("fr", "fr-FR"), Language("de", "de")),
    fallback="de",
    translations={
        "en": {"only-en": "English", "nav.home": "Home"},
        "fr": {"nav.home": "Accueil"},
        "de": {"only-de": "Deutsch", "nav.home": "Start"},
    },
)
VALUES = Values(
    record={"title": "Tom & Jerry", "tags": ["a", None, "b"], "views": 3, "empty": None, "$key": "7"},
    frontmatter={"title": "Start", "seo": {"title": "Deep"}},
    languages=LANGUAGES,
    code="fr",
)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("$record.title", "Tom & Jerry"),
        ("By $record.title.", "By Tom & Jerry."),
        ("$record.title.Next", "Tom & Jerry.Next"),
        ("$record.title-$record.views", "Tom & Jerry-3"),
        ("$record.tags", "a, b"),
        ("<$record.missing>", "<>"),
        ("$record.empty!", "!"),
        ("$record.$key", "$record.$key"),
        ("$frontmatter.title / $frontmatter.seo.title", "Start / Deep"),
        ("$frontmatter.seo", ""),
        ("$t:nav.home.", "Accueil."),
        ("$t:only-de", "Deutsch"),
        ("$t:only-en", "English"),
        ("$t:nowhere.at-all", "nowhere.at-all"),
        ("costs $5, $HOME, $", "costs $5, $HOME, $"),
    ],
)
def test_fill(text: str, filled: str) -> None:
    """Known values are put in, missing ones are empty, a translation falls back, the rest stays."""
    assert fill(text, VALUES) == filled


def test_values_are_not_filled_again() -> None:
    """A record can't name another field, a translation, or front matter."""
    values = Values(record={"a": "$record.b $t:nav.home $frontmatter.x", "b": "secret"}, languages=LANGUAGES)
    assert fill("$record.a", values) == "$record.b $t:nav.home $frontmatter.x"


def test_without_record_everything_is_empty() -> None:
    """A page that shows no record has empty places, not names, where one would speak."""
    assert fill("[$record.title][$frontmatter.x][$t:key]", Values()) == "[][][key]"


def test_fill_deep_fills_texts_and_keeps_the_rest() -> None:
    """Every text of plain data is filled; keys, truth values and null are not touched."""
    data = {"$record.title": ["$record.title", True, None, {"x": "$t:nav.home"}]}
    assert fill_deep(data, VALUES) == {"$record.title": ["Tom & Jerry", True, None, {"x": "Accueil"}]}


def test_fill_html_escapes_values_only() -> None:
    """The author's own markup stays markup, what is filled in does not become any."""
    assert fill_html("<b>$record.title</b>", VALUES, lambda text: text.replace("&", "&amp;")) == (
        "<b>Tom &amp; Jerry</b>"
    )


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        (" $record.body ", Reference("record", "body")),
        ("$frontmatter.seo.title", Reference("frontmatter", "seo.title")),
        ("By $record.body", None),
        ("$record.body$record.body", None),
        ("$t:body", None),
    ],
)
def test_single_reference(text: str, reference: Reference | None) -> None:
    """A text is one reference only where nothing stands beside it."""
    assert single_reference(text) == reference


def test_look_up() -> None:
    """A reference gives the value itself, not its text."""
    assert look_up(Reference("record", "tags"), VALUES) == ["a", None, "b"]
    assert look_up(Reference("frontmatter", "seo.title"), VALUES) == "Deep"
    assert look_up(Reference("frontmatter", "title.more"), VALUES) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (2.0, "2"),
        (0.75, "0.75"),
        ({"a": 1}, ""),
        ([], ""),
    ],
)
def test_as_text(value: Any, text: str) -> None:
    """Plain values have one form for readers."""
    assert as_text(value) == text


@given(st.text(st.characters(exclude_characters="$")))
def test_text_without_dollar_is_kept(text: str) -> None:
    """A text that names nothing is left as it is."""
    assert fill(text, VALUES) == text


@given(st.text())
def test_whatever_a_record_holds_is_put_in_as_it_is(value: str) -> None:
    """Filling neither escapes nor changes a value: that is done once, where the text is written."""
    assert fill("<$record.x>", Values(record={"x": value})) == f"<{value}>"
