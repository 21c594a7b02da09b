"""Globs over keys, for `contentDir.include`: `**/` any folders, `*` and `?` within one, `[...]`, `{a,b}`."""

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def compile_glob(glob: str) -> re.Pattern[str]:
    """A regular expression that a whole relative key must match; case does not matter (`.MD`)."""
    return re.compile(_translate(glob), re.IGNORECASE)


def _translate(glob: str) -> str:
    out: list[str] = []
    braces = 0
    position = 0
    while position < len(glob):
        rest = glob[position:]
        if rest.startswith("**/"):
            out.append("(?:[^/]+/)*")
            position += 3
            continue
        if rest.startswith("**"):
            out.append(".*")
            position += 2
            continue
        character = glob[position]
        position += 1
        if character == "*":
            out.append("[^/]*")
        elif character == "?":
            out.append("[^/]")
        elif character == "{" and "}" in rest:
            out.append("(?:")
            braces += 1
        elif character == "}" and braces:
            out.append(")")
            braces -= 1
        elif character == "," and braces:
            out.append("|")
        elif character == "[" and (closing := rest.find("]", 2)) > 0:
            inside = re.sub(r"([\\\[\]&~|])", r"\\\1", rest[1:closing])
            out.append("[" + ("^" + inside[1:] if inside.startswith("!") else inside) + "]")
            position += closing
        else:
            out.append(re.escape(character))
    return "".join(out) + (")" * braces)
