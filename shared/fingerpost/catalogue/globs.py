"""Globs over keys, for `contentDir.include`: `**/` any folders, `*` and `?` within one, `[...]`, `{a,b}`.

A glob becomes a regular expression that looks for each part once, in time that grows with the key alone: what
stands between two wildcards is best found as early as it can be, since the second wildcard takes up the rest.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product

# Alternatives that `{a,b}{c,d}` and the like are written out into; of more of them, these are the first.
_ALTERNATIVES = 1_000

_CLASS = re.compile(r"\[([!^]?)(\]?[^\]]*)\]")
_STAR = "[^/]*"
_FOLDERS = "(?:[^/]+/)*"
_ANYTHING = ".*"


@lru_cache(maxsize=64)
def compile_glob(glob: str) -> re.Pattern[str]:
    """A regular expression that a whole relative key must match; case does not matter (`.MD`)."""
    written_out = islice(_expanded(glob), _ALTERNATIVES)
    return re.compile(
        "|".join(_pattern(list(_tokens(each))) for each in written_out), re.IGNORECASE | re.DOTALL
    )


def _expanded(glob: str) -> Iterator[str]:
    """The globs that one with braces stands for. A brace without its other half is plain text."""
    opening = _outside_classes(glob, "{")
    closing = _closing(glob, opening)
    if closing < 0:
        yield glob
        return
    inner = [each for choice in _choices(glob[opening + 1 : closing]) for each in _expanded(choice)]
    for middle, rest in product(inner, _expanded(glob[closing + 1 :])):
        yield glob[:opening] + middle + rest


def _closing(glob: str, opening: int) -> int:
    """Where the brace that opens there is closed, -1 where it is not, or none opens."""
    depth = 0
    for at in range(opening, len(glob)) if opening >= 0 else ():
        depth += (glob[at] == "{") - (glob[at] == "}")
        if depth == 0:
            return at
    return -1


def _choices(inside: str) -> list[str]:
    """What stands between the commas of one pair of braces."""
    choices, depth, start = [], 0, 0
    for at, character in enumerate(inside):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            choices.append(inside[start:at])
            start = at + 1
    return [*choices, inside[start:]]


def _outside_classes(glob: str, wanted: str) -> int:
    position = 0
    while position < len(glob):
        if glob[position] == wanted:
            return position
        found = _CLASS.match(glob, position)
        position = found.end() if found else position + 1
    return -1


def _tokens(glob: str) -> Iterator[str]:
    """The glob as regular expressions, each a wildcard or one character."""
    position = 0
    while position < len(glob):
        wildcard = next((each for each in _WILDCARDS if glob.startswith(each, position)), None)
        found = _CLASS.match(glob, position)
        if wildcard is not None:
            yield _WILDCARDS[wildcard]
            position += len(wildcard)
        elif found is not None:
            yield _class(found[1], found[2])
            position = found.end()
        else:
            yield re.escape(glob[position])
            position += 1


_WILDCARDS = {"**/": _FOLDERS, "**": _ANYTHING, "*": _STAR, "?": "[^/]"}


def _class(negation: str, members: str) -> str:
    """A character class, which never holds a slash. A range that runs backwards holds nothing (as in a
    shell)."""
    parts = re.findall(r"(.)-(.)|(.)", members, re.DOTALL)
    ranges = [(low, high) if low else (single, single) for low, high, single in parts]
    inside = "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in ranges if low <= high)
    if not inside:
        return "[^/]" if negation else "(?!)"
    return f"(?!/)[{'^' if negation else ''}{inside}]"


def _pattern(tokens: list[str]) -> str:
    first, *others = _split(tokens, _ANYTHING)
    parts = [_with_folders(first)]
    for number, unit in enumerate(others, 1):
        settled = number < len(others) and _FOLDERS not in unit
        inner = _within_folder(unit, settled) if settled else _with_folders(unit)
        parts.append(_found(_ANYTHING, inner, settled))
    return "".join(parts)


def _with_folders(tokens: list[str]) -> str:
    first, *others = _split(tokens, _FOLDERS)
    parts = [_within_folder(first)]
    for number, unit in enumerate(others, 1):
        # Only where it ends with its folder can the next `**/` take up what lies behind.
        settled = number < len(others) and unit[-1:] == ["/"]
        parts.append(_found(_FOLDERS, _within_folder(unit), settled))
    return "".join(parts)


def _within_folder(tokens: list[str], settled: bool = False) -> str:
    """`settled`: what follows takes up anything, so that the last wildcard ends as early as it can, too."""
    first, *others = _split(tokens, _STAR)
    return "".join(first) + "".join(
        _found(_STAR, "".join(each), settled or number < len(others)) for number, each in enumerate(others, 1)
    )


def _found(wildcard: str, pattern: str, settled: bool) -> str:
    """A wildcard and what follows it: where it is first found, for good (`(?>`), or wherever it may be."""
    return f"(?>{wildcard}?{pattern})" if settled else f"{wildcard}{pattern}"


def _split(tokens: Iterable[str], at: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
