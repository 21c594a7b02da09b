"""The licences of what the layer ships: `python -m fingerpost_tools.supply.licences > shared/LICENSES.md`.

Run it in an environment that holds the pinned versions, as the tests' own does.
"""

import sys
from collections.abc import Sequence
from typing import Final

from fingerpost_tools.supply.shipped import REQUIREMENTS, Package, read_pins, shipped

# Licences that ask for nothing but their own text and a notice.
PERMISSIVE: Final = frozenset(
    {
        *("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause"),
        *(
            "CC0-1.0",
            "ISC",
            "MIT",
            "MIT-0",
            "PSF-2.0",
            "Unicode-3.0",
            "Unicode-DFS-2016",
            "Unlicense",
            "Zlib",
        ),
    }
)

_HEAD: Final = """\
# Licences of what the layer ships

Fingerpost itself is under the MIT License. The layer that `sam build` makes also holds these packages, each
with its licence's text in its own `.dist-info` folder. A test keeps this list true; it is written by
`python -m fingerpost_tools.supply.licences`.

| package | version | licence |
|---|---|---|
"""
_PARTS: Final = """
## Compiled into them

As the packages' own bills of materials tell.

| package | licences of its parts |
|---|---|
"""
_OTHERS: Final = """
Some parts are under a licence that covers their own source files and asks that these stay public. They are
used as they came, and their source is public under the name and version given here.

| package | part | licence |
|---|---|---|
"""


def is_permissive(expression: str) -> bool:
    """Whether an SPDX expression (annex D) can be met by permissive licences alone: by one of those joined by
    OR, by all of those joined by AND."""
    text = expression.strip()
    for operator, enough in ((" AND ", all), (" OR ", any)):
        terms = _split(text, operator)
        if len(terms) > 1:
            return enough(map(is_permissive, terms))
    if text.startswith("(") and text.endswith(")"):
        return is_permissive(text[1:-1])
    return text in PERMISSIVE


def _split(expression: str, operator: str) -> list[str]:
    """The terms of an expression, cut at an operator outside parentheses."""
    terms, depth, start = [], 0, 0
    for at, character in enumerate(expression):
        depth += (character == "(") - (character == ")")
        if depth == 0 and expression.startswith(operator, at):
            terms.append(expression[start:at])
            start = at + len(operator)
    return [*terms, expression[start:]]


def render_licences(packages: Sequence[Package]) -> str:
    """The list as Markdown."""
    lines = [f"| {package.pin.name} | {package.pin.version} | {package.licence} |\n" for package in packages]
    compiled = [package for package in packages if package.parts]
    kinds = [
        f"| {package.pin.name} | {', '.join(sorted({part.licence for part in package.parts}))} |\n"
        for package in compiled
    ]
    others = [
        f"| {package.pin.name} | {part.name} {part.version} | {part.licence} |\n"
        for package in compiled
        for part in package.parts
        if not is_permissive(part.licence)
    ]
    return "".join([_HEAD, *lines, _PARTS, *kinds, *([_OTHERS, *others] if others else [])])


if __name__ == "__main__":
    sys.stdout.write(render_licences(shipped(read_pins(REQUIREMENTS.read_text(encoding="utf-8")))))
