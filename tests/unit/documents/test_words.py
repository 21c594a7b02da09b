"""The page's own words, and dates as people write them."""

import os
import time
from collections.abc import Iterator
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.words import direction_of, shown_date, time_element, words_for
from fingerpost.site.model import Language, Languages

SPOKEN = ["en", "fr", "de", "es", "it", "pt", "nl", "ja", "zh", "ko", "ar"]


@pytest.fixture(params=["Pacific/Honolulu", "Pacific/Kiritimati"])
def far_zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """The process runs far west, or far east, of UTC."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("far_zone")
@pytest.mark.parametrize("value", ["2026-03-14", "2026-03-14T00:00:00Z", "2026-03-14T23:59:59.999Z"])
def test_the_calendar_date_is_kept(value: str) -> None:
    """Case 26: a date is shown as it stands, wherever the server is."""
    assert shown_date(value, "en") == "14 March 2026"


@given(st.dates(), st.sampled_from(SPOKEN))
def test_every_day_shows_its_numbers(day: object, tag: str) -> None:
    """Case 26: in every language, the shown date holds the year and the day that were written."""
    shown = shown_date(str(day), tag)
    year, _, number = str(day).split("-")
    assert shown is not None
    assert str(int(year)) in shown
    assert str(int(number)) in shown


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        ("en-GB", "1 August 2024"),
        ("fr", "1 août 2024"),
        ("de-CH", "1. August 2024"),
        ("pt-BR", "1 de agosto de 2024"),
        ("ja", "2024年8月1日"),
        ("zh-Hans", "2024年8月1日"),
        ("ko", "2024년 8월 1일"),
        ("fi", "2024-08-01"),
    ],
)
def test_dates_in_words(tag: str, shown: str) -> None:
    """A date is written as its language does; a language we don't speak gets the international form."""
    assert shown_date("2024-08-01T10:00:00+05:30", tag) == shown


@pytest.mark.parametrize(
    "value", ["", "today", "2024-13-01", "2024-01-32", "2024-1-1", "2024-01-01 10:00", "1.10"]
)
def test_what_is_no_date_is_not_shown_as_one(value: str) -> None:
    """Only a W3C datetime is a date."""
    assert shown_date(value, "en") is None
    assert time_element(value, "en") is None


def test_time_element_keeps_the_instant() -> None:
    """The machine-readable date is the value itself."""
    assert time_element("2026-03-14T09:26:53Z", "en") == (
        '<time datetime="2026-03-14T09:26:53Z">14 March 2026</time>'
    )


@pytest.mark.parametrize("tag", SPOKEN)
def test_every_language_has_every_word(tag: str) -> None:
    """No label is empty, and all but English have their own."""
    words = words_for(tag)
    assert all(astuple(words))
    assert (words == words_for("en")) == (tag == "en")


def test_site_translations_win() -> None:
    """A site may word the page's labels itself, in its own languages."""
    languages = Languages(
        "en", (Language("en", "en"), Language("fi", "fi")), translations={"fi": {"chrome.next": "Seuraava"}}
    )
    words = words_for("fi", languages, "fi")
    assert (words.next, words.previous) == ("Seuraava", "Previous")


@pytest.mark.parametrize(
    ("tag", "direction"), [("ar-EG", "rtl"), ("he", "rtl"), ("en", "ltr"), ("fr-CA", "ltr")]
)
def test_direction(tag: str, direction: str) -> None:
    """A language's direction follows its primary subtag."""
    assert direction_of(tag) == direction
