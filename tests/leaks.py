"""Secrets that reach a log: a watch over all that the tests log, print and leave in log files.

A plugin of pytest: a test fails for what was said while it ran. What is looked for: whatever looks like a
session token (RFC 7519) or a URL with a password (RFC 3986 3.2.1), and the secrets of fixtures, which say so
by `keep_secret`.
"""

import logging
import os
import re
from collections.abc import Generator, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

import pytest

_FORMS: Final = (
    # Header, claims and signature, as they are sent; the header of JSON begins with `{"`.
    ("a session token", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}", re.ASCII)),
    (
        "a URL with a password",
        re.compile(r"[a-z][a-z0-9+]*://[^/\s:@'\"]*:(?!\[hidden\])[^/\s@'\"]+@", re.ASCII),
    ),
)
_HIDDEN: Final = "[hidden]"
# What programs that the tests start write their logs to.
_LOG_FILES: Final = ("*.log", "*.out", "*.err", "stdout*", "stderr*")
# Text around a leak that helps to find it.
_AROUND: Final = 60

_kept: set[str] = set()


def keep_secret(value: str) -> str:
    """`value`, which no log may hold from now on."""
    _kept.add(value)
    return value


def leaks(text: str) -> Iterator[str]:
    """What of `text` is secret: its kind, and what stands around it."""
    for kind, form in (
        *_FORMS,
        *(("a fixture's secret", re.compile(re.escape(each))) for each in sorted(_kept)),
    ):
        for found in form.finditer(text):
            around = text[max(0, found.start() - _AROUND) : found.start()] + _HIDDEN
            yield f"{kind}: ...{_without_secrets(around)}"


def _without_secrets(text: str) -> str:
    for _, form in _FORMS:
        text = form.sub(_HIDDEN, text)
    for each in _kept:
        text = text.replace(each, _HIDDEN)
    return text


class _Listener(logging.Handler):
    """Hears every record, whoever captures it too."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        # A line that can't be formatted is the concern of whoever reads it.
        try:
            text = self.format(record)
        except Exception:
            text = f"{record.msg} {record.args}"
        self.found += leaks(text)

    def told(self) -> list[str]:
        found, self.found = self.found, []
        return found


_listener: Final = _Listener()


def pytest_configure() -> None:
    """Begin to listen."""
    logging.getLogger().addHandler(_listener)


def pytest_unconfigure() -> None:
    """Listen no longer."""
    logging.getLogger().removeHandler(_listener)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test for what was logged or printed in this phase of it."""
    report = yield
    printed = (text for title, text in report.sections if title.endswith(f" {report.when}"))
    found = [*_listener.told(), *(leak for text in printed for leak in leaks(text))]
    if found:
        report.outcome = "failed"
        report.longrepr = _complaint(f"the log of {item.nodeid}", found)
    return report


@pytest.fixture(scope="session", autouse=True)
def watch_log_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Look through the log files that the tests left, in the end."""
    yield
    for file in _log_files(tmp_path_factory.getbasetemp()):
        found = list(leaks(file.read_text(encoding="utf-8", errors="replace")))
        if found:
            pytest.fail(_complaint(str(file), found), pytrace=False)


def _log_files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            if any(fnmatch(name, form) for form in _LOG_FILES):
                yield Path(place, name)


def _complaint(place: str, found: list[str]) -> str:
    lines = "\n".join(f"  {each}" for each in dict.fromkeys(found))
    return f"expected no secret in {place}, found\n{lines}"
