"""Which of many to look at when not all can be."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most `most` of `items`, taken evenly from the first to the last."""
    if len(items) <= most:
        return list(items)
    return [items[index * len(items) // most] for index in range(most)]
