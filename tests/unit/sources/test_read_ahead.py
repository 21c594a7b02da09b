"""Reading ahead."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from fingerpost.limits import RECORD_PAGE_ROWS
from fingerpost.sources.read_ahead import PAGES_AHEAD, read_ahead
from fingerpost.sources.records import RecordsUnavailable

FULL = range(RECORD_PAGE_ROWS)


class Pages:
    """Pages; how many were read is noted, and by which threads. `fails` is raised in the end."""

    def __init__(self, *pages: Sequence[int], fails: Exception | None = None) -> None:
        self._pages = pages
        self._fails = fails
        self.read = 0
        self.threads: set[str] = set()
        self.second = threading.Event()

    def __iter__(self) -> Iterator[Sequence[int]]:
        for page in self._pages:
            self.threads.add(threading.current_thread().name.partition("_")[0])
            self.read += 1
            if self.read == 2:
                self.second.set()
            yield page
        if self._fails is not None:
            raise self._fails


@pytest.mark.parametrize("pages", [[], [[1]], [FULL], [FULL, [1]], [FULL, FULL, FULL, []]])
def test_the_same_pages_come_in_the_same_order(pages: list[Sequence[int]]) -> None:
    """Whatever the pages are, they come as they would without reading ahead."""
    assert list(read_ahead(iter(Pages(*pages)))) == pages


def test_the_next_page_is_read_meanwhile() -> None:
    """While a page is in use, the next one is already being read."""
    pages = Pages(FULL, FULL, [1])
    ahead = read_ahead(iter(pages))
    next(ahead)
    assert pages.second.wait(10)
    ahead.close()


def test_a_single_page_costs_no_thread() -> None:
    """A page that is not full is the last one, and is read in the thread that asks."""
    pages = Pages([1, 2])
    before = threading.active_count()
    assert list(read_ahead(iter(pages))) == [[1, 2]]
    assert (threading.active_count(), pages.threads) == (before, {threading.current_thread().name})


def test_an_error_comes_where_its_page_would() -> None:
    """What reading raises is raised in its turn, after the pages before it."""
    ahead = read_ahead(iter(Pages(FULL, FULL, fails=RecordsUnavailable("gone"))))
    assert [len(next(ahead)), len(next(ahead))] == [RECORD_PAGE_ROWS] * 2
    with pytest.raises(RecordsUnavailable, match="gone"):
        next(ahead)


def test_closing_waits_for_what_is_under_way() -> None:
    """Once it is closed nothing is read any more: the connection may go to somebody else."""
    pages = Pages(*[FULL] * 5)
    ahead = read_ahead(iter(pages))
    next(ahead)
    ahead.close()
    read = pages.read
    assert read <= 1 + PAGES_AHEAD
    assert pages.read == read
    assert not [each for each in threading.enumerate() if each.name.startswith("read-ahead")]
