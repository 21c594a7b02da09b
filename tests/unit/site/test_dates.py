"""Dates: the author's text, W3C datetimes, and the forms that documents need."""

import locale
import re
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.site.dates import (
    DateError,
    imf_fixdate,
    instant,
    newest,
    rfc822,
    sort_key,
    to_w3c,
    w3c_of,
)

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=OFFSETS)


@pytest.mark.parametrize(
    ("written", "w3c"),
    [
        ("2024-01-08", "2024-01-08"),
        (" 2024-1-8 ", "2024-01-08"),
        ("2024-01-08T17:28:15Z", "2024-01-08T17:28:15Z"),
        ("2024-01-08T17:28:15+05:30", "2024-01-08T11:58:15Z"),
        ("2024-01-08 17:28:15 +0530", "2024-01-08T11:58:15Z"),
        ("2024-01-08 17:28:15 -03", "2024-01-08T20:28:15Z"),
        ("2024-01-08 17:28:15 UTC", "2024-01-08T17:28:15Z"),
        ("2024-01-08T17:28:15", "2024-01-08T17:28:15Z"),
        ("2024-01-08T17:28:15.999999999Z", "2024-01-08T17:28:15Z"),
        ("2024-01-08t17:28z", "2024-01-08T17:28:00Z"),
        ("2024-05-26T23:10:33-07:00", "2024-05-27T06:10:33Z"),
        ("2024-02-29", "2024-02-29"),
    ],
)
def test_written_forms(written: str, w3c: str) -> None:
    """A day stays a day and a time becomes UTC with `Z` (cases 21 and 22)."""
    assert w3c_of(written) == w3c


@pytest.mark.parametrize(
    "written",
    [
        "", "2024", "2024-01", "8 January 2024", "{{ .Date }}", "2024-02-30", "2023-02-29", "2024-13-01",
        "0000-01-01", "2024-01-08T24:00:00Z", "2024-01-08T10:60:00Z", "2024-01-08T10:00:60Z",
        "2024-01-08T10:00:00+15:00", "2024-01-08T10:00:00+05:60", "2024-01-08T", "2024-01-08T10",
        "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "٢٠٢٤-٠١-٠٨", "2024-01-08\n2024-01-09",
    ],
)  # fmt: skip
def test_impossible_dates_are_named(written: str) -> None:
    """A text that names no day or time that exists is an error which shows it."""
    with pytest.raises(DateError, match=re.escape(repr(written)[:20])):
        w3c_of(written)


@given(MOMENTS)
def test_any_iso_moment_keeps_its_instant(moment: datetime) -> None:
    """Whatever the offset, the W3C datetime names the moment that was written, cut off to the second."""
    written = w3c_of(moment.isoformat())
    assert written == to_w3c(moment)
    assert written.endswith("Z")
    assert instant(written) == moment.replace(microsecond=0)


@given(st.dates())
def test_any_date_stays_a_date(day: date) -> None:
    """A date without a time is never given one, and counts from midnight UTC."""
    assert w3c_of(day.isoformat()) == day.isoformat()
    assert instant(day.isoformat()) == datetime(day.year, day.month, day.day, tzinfo=UTC)


@given(st.lists(st.one_of(st.dates().map(date.isoformat), MOMENTS.map(to_w3c))))
def test_mixed_dates_sort_as_their_instants(dates: list[str]) -> None:
    """Dates and times in one sort never raise, and come in the order of their moments (case 25)."""
    assert [instant(w3c) for w3c in sorted(dates, key=sort_key)] == sorted(instant(w3c) for w3c in dates)


def test_newest_ignores_the_unknown() -> None:
    """The newest of some dates is the latest known one, and None where none is known (case 56)."""
    assert newest(["2024-01-08", None, "2024-01-08T00:00:01Z", "2023-12-31"]) == "2024-01-08T00:00:01Z"
    assert newest([None]) is None
    assert newest([]) is None


def test_a_naive_moment_is_utc() -> None:
    """A moment without a zone counts as UTC, whatever the machine's own zone."""
    assert to_w3c(datetime(2026, 3, 14, 9, 26, 53, 999)) == "2026-03-14T09:26:53Z"


def test_a_moment_outside_the_calendar_is_named() -> None:
    """A moment whose UTC form leaves the years 1 to 9999 is an error."""
    with pytest.raises(DateError, match="years 1 to 9999"):
        to_w3c(datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-14))))


@pytest.mark.parametrize(
    ("w3c", "written"),
    [
        ("2026-03-14T09:26:53Z", "Sat, 14 Mar 2026 09:26:53 GMT"),
        ("2024-01-08", "Mon, 08 Jan 2024 00:00:00 GMT"),
        ("0987-06-05T04:03:02Z", "Tue, 05 Jun 0987 04:03:02 GMT"),
    ],
)
def test_rfc822(w3c: str, written: str) -> None:
    """An RSS date has English names, two-digit days and a four-digit year."""
    assert rfc822(w3c) == written


def test_names_are_english_in_any_locale() -> None:
    """The process's locale changes no name (case 28)."""
    before = locale.setlocale(locale.LC_TIME)
    try:
        for name in ("fr_FR.UTF-8", "de_DE.UTF-8", "ja_JP.UTF-8", "C"):
            try:
                locale.setlocale(locale.LC_TIME, name)
            except locale.Error:
                continue
            assert rfc822("2024-02-07") == "Wed, 07 Feb 2024 00:00:00 GMT"
    finally:
        locale.setlocale(locale.LC_TIME, before)


@given(MOMENTS)
def test_http_dates_are_read_back(moment: datetime) -> None:
    """An HTTP date is in GMT and names the moment to the second."""
    written = imf_fixdate(moment)
    assert len(written) == 29
    if moment.astimezone(UTC).year >= 1000:  # the standard library reads smaller years as two-digit ones
        assert parsedate_to_datetime(written) == moment.replace(microsecond=0)
