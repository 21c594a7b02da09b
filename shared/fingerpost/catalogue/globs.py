"""Globs over keys, for `contentDir.include`: `**` any folders, `*`, `?` and `[...]` within one, `{a,b}`.

A glob is matched folder by folder, each name by the standard library's `fnmatch`, whose patterns do not
backtrack. So no glob takes long, however many wildcards it has.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from functools import lru_cache
from itertools import islice, product

from fingerpost.values import dataclass

# Alternatives that `{a,b}{c,d}` and the like are written out into; of more of them, these are the first.
_ALTERNATIVES = 1_000
_BRACES = re.compile(r"\{([^{}]*)\}")
_ANY_FOLDERS = "**"


@dataclass(frozen=True, slots=True)
class Glob:
    """A glob made ready. Each alternative is its folders' and its file's patterns, None for `**`."""

    alternatives: tuple[tuple[re.Pattern[str] | None, ...], ...]

    def matches(self, key: str) -> bool:
        """Whether the whole relative `key` matches; case does not matter, so `.MD` is an article too."""
        names = key.split("/")
        return any(_matches(patterns, names) for patterns in self.alternatives)


@lru_cache(maxsize=64)
def compile_glob(glob: str) -> Glob:
    """The glob that an author wrote. A brace or bracket without its other half is plain text."""
    return Glob(
        tuple(
            tuple(None if part == _ANY_FOLDERS else _name_pattern(part) for part in each.split("/"))
            for each in islice(_written_out(glob), _ALTERNATIVES)
        )
    )


def _written_out(glob: str) -> Iterator[str]:
    """The globs that one with braces stands for, innermost braces first where they nest."""
    inner = list(_BRACES.finditer(glob))
    if not inner:
        yield glob
        return
    if "{" in _BRACES.sub("", glob) and "}" in _BRACES.sub("", glob):
        first = inner[0]
        for choice in first[1].split(","):
            yield from _written_out(glob[: first.start()] + choice + glob[first.end() :])
        return
    texts = _BRACES.split(glob)
    for choices in product(*(text.split(",") for text in texts[1::2])):
        yield "".join(plain + choice for plain, choice in zip(texts[::2], (*choices, ""), strict=True))


def _name_pattern(part: str) -> re.Pattern[str]:
    return re.compile(translate(part), re.IGNORECASE)


def _matches(patterns: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Whether the names match one by one, `**` taking as few as it can: the last `**` seen is the only place
    to come back to, since what matched before it needs no other place."""
    at = name = 0
    resume: tuple[int, int] | None = None
    while name < len(names):
        pattern = patterns[at] if at < len(patterns) else None
        if at < len(patterns) and pattern is None:
            resume = (at + 1, name)
            at += 1
        elif pattern is not None and pattern.match(names[name]):
            at, name = at + 1, name + 1
        elif resume is not None:
            resume = (resume[0], resume[1] + 1)
            at, name = resume
        else:
            return False
    return all(pattern is None for pattern in patterns[at:])
