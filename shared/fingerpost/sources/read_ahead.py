"""Reading ahead: the next pages come from Postgres while one is being used."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Final, TypeVar

from fingerpost.deadline import carried
from fingerpost.limits import RECORD_PAGE_ROWS

_T = TypeVar("_T")

# Pages that wait to be used, so that Postgres never waits for whoever uses them.
PAGES_AHEAD: Final = 2


def read_ahead(pages: Iterator[Sequence[_T]]) -> Generator[Sequence[_T], None, None]:
    """`pages` of records, up to two of them read in a thread before they are asked for.

    Nobody else may ask the same snapshot meanwhile, and it may only end after the generator was closed. A
    single page, which is not full, costs no thread.
    """
    page = next(pages, None)
    if page is None:
        return
    if len(page) < RECORD_PAGE_ROWS:
        yield page
        yield from pages
        return
    from concurrent.futures import ThreadPoolExecutor

    following = carried(next)
    thread = ThreadPoolExecutor(1, thread_name_prefix="read-ahead")
    try:
        coming = deque(thread.submit(following, pages, None) for _ in range(PAGES_AHEAD))
        while page is not None:
            yield page
            page = coming.popleft().result()
            coming.append(thread.submit(following, pages, None))
    finally:
        thread.shutdown(cancel_futures=True)
