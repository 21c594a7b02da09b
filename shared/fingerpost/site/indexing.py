"""The `robots` meta value: whether it asks search engines not to index."""

import re

_SEPARATORS = re.compile(r"[\s,;]+")


def is_noindex(robots: str) -> bool:
    """Whether `robots` holds the token `noindex` or `none`, in any case (`NoIndex, follow`)."""
    return any(token.lower() in ("noindex", "none") for token in _SEPARATORS.split(robots))
