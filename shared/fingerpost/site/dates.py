"""Dates: what an author wrote as a W3C datetime, and a W3C datetime as every document needs it.

One form is kept everywhere: `2024-01-08` where the author gave a day, else UTC to the second with `Z`
(`2024-01-08T11:58:15Z`). Texts of this form sort as the moments they name.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

# W3C datetime and the looser spellings that YAML 1.1, Jekyll and Hugo taught authors: a space for the T,
# one-digit months, no seconds, `+0530`.
_WRITTEN: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)
# XML Schema 3.2.7.3: "the time zone ... up to 14:00".
_MOST_OFFSET: Final = timedelta(hours=14)
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class DateError(ValueError):
    """A text that names no date; says what was expected and what was found."""


def w3c_of(text: str) -> str:
    """An author's date or time as a W3C datetime; a time without a zone counts as UTC.

    Fractions of a second are cut off. Raises DateError on any other text and on days, times and offsets
    that do not exist (`2024-02-30`, `24:00`, `+15:00`).
    """
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise DateError(f"expected a date such as 2024-01-08 or 2024-01-08T17:28:15Z, found {_shown(text)}")
    try:
        day = date(int(written["year"]), int(written["month"]), int(written["day"]))
        if written["hour"] is None:
            return day.isoformat()
        second = int(written["second"] or 0)
        moment = datetime(
            day.year, day.month, day.day, int(written["hour"]), int(written["minute"]), second, tzinfo=UTC
        )
        return to_w3c(moment - _offset(written["zone"]))
    except (ValueError, OverflowError) as error:
        raise DateError(f"expected a date that exists, found {_shown(text)} ({error})") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone[0] not in "+-":
        return timedelta()
    minutes = int(zone[-2:]) if len(zone) > 3 else 0
    offset = timedelta(hours=int(zone[1:3]), minutes=minutes)
    if minutes > 59 or offset > _MOST_OFFSET:
        raise ValueError("no such offset")
    return -offset if zone[0] == "-" else offset


def to_w3c(moment: datetime) -> str:
    """A moment as a W3C datetime in UTC, cut off to the second; a naive one counts as UTC.

    Raises DateError where the moment lies outside the years 1 to 9999 in UTC.
    """
    try:
        aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise DateError(f"expected a moment in the years 1 to 9999, found {moment.isoformat()}") from error
    return f"{aware.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def instant(w3c: str) -> datetime:
    """The aware moment of a W3C datetime; a date counts from 00:00Z. Raises ValueError on any other text."""
    moment = datetime.fromisoformat(w3c)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def sort_key(w3c: str | None) -> str:
    """What W3C datetimes of our form sort by, dates and times mixed; None sorts as the oldest."""
    return w3c or ""


def newest(dates: Iterable[str | None]) -> str | None:
    """The newest of some W3C datetimes of our form, None where none is known."""
    return max(dates, key=sort_key, default=None)


def imf_fixdate(moment: datetime) -> str:
    """An aware moment as an HTTP date (RFC 9110 5.6.7), English names whatever the locale."""
    utc = moment.astimezone(UTC)
    return (
        f"{_DAYS[utc.weekday()]}, {utc.day:02} {_MONTHS[utc.month - 1]} {utc.year:04} "
        f"{utc.hour:02}:{utc.minute:02}:{utc.second:02} GMT"
    )


def rfc822(w3c: str) -> str:
    """A W3C datetime as RSS 2.0 wants it (RFC 822 5, with the four-digit year of RFC 5322): the form is
    that of an HTTP date."""
    return imf_fixdate(instant(w3c))
