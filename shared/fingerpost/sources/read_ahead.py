"""Reading ahead: the next page comes from Postgres while the one before it is being used."""

from collections.abc import Generator, Iterator, Sequence
from typing import TypeVar

from fingerpost.deadline import carried
from fingerpost.limits import RECORD_PAGE_ROWS

_T = TypeVar("_T")


def read_ahead(pages: Iterator[Sequence[_T]]) -> Generator[Sequence[_T], None, None]:
    """`pages` of records, each asked for in a thread as soon as the one before it has come.

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
    with ThreadPoolExecutor(1, thread_name_prefix="read-ahead") as thread:
        while page is not None:
            coming = thread.submit(following, pages, None)
            yield page
            page = coming.result()
