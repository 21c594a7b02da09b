"""Each fault that others have reported and that this project undertook to make impossible has a test that
names it.

A test says in its docstring which cases it holds (`case 12`, `cases 12, 13 and 66`). `python -m
tests.test_cases` prints the index.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent

CASES: Final[Mapping[int, str]] = {
    1: "characters that XML forbids",
    3: "q=0 refuses Markdown",
    5: "Vary on both forms",
    6: "a shared cache that ignores Vary",
    8: "304 with its headers; lists and weak tags",
    9: "HEAD and other methods",
    12: "encoded once, decoded once",
    13: "escaped exactly once",
    15: "CRLF front matter",
    18: "YAML 1.1 booleans",
    20: "files that are not UTF-8, empty or the desktop's",
    21: "a date stays a date",
    22: "an offset is kept or converted",
    25: "dates of several kinds in one order",
    26: "no date moves by a time zone",
    28: "English dates in any locale",
    30: "`]]>` in a body",
    31: "lastBuildDate is not now",
    33: "pubDate is the publication's",
    34: "relative addresses in a feed",
    35: "guid is the full address",
    36: "one form of an address everywhere",
    37: "the feed's own address",
    38: "newest first, ties stable",
    39: "a description escaped once",
    40: "the base path, once, everywhere",
    41: "the root's slash",
    42: "language prefixes never stacked",
    45: "BCP 47 tags",
    46: "one loc per address",
    49: "twins name their page as canonical",
    51: "the sitemap's absolute address",
    52: "BOM and CR in robots.txt",
    54: "count and bytes of a sitemap; no nested index",
    55: "no empty sitemap",
    56: "no empty lastmod; the index's is the newest",
    57: "priority 0, and out of range",
    58: "every link of llms.txt answers",
    60: "no front matter in a twin",
    61: "one rule and the author's order in llms.txt",
    63: "a dead connection is replaced",
    64: "TLS is verified",
    66: "dots, spaces, plus and emoji in a path",
    67: "`.MD` is an article",
    68: "errors uncached; the query no key",
    69: "the built layer can be imported",
    70: "gated articles are nowhere",
    71: "slugs in a sitemap; forged hosts",
    72: "HEAD's length, POST, ETag and Vary",
    73: "deleted records and permissions",
    74: "a canonical with its parameters filled",
    75: "file names with %, # and ?",
    76: "brackets and newlines in llms.txt",
    77: "shallow clones",
    78: "a page's size does not grow with the site",
}
_NAMED = re.compile(r"\bcases? (\d+(?:(?:, and |, | and )(?:case )?\d+)*)", re.IGNORECASE)


def index_of_tests() -> dict[int, list[str]]:
    """Case -> the tests that name it, as `path::name`."""
    index: dict[int, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, docstring in _documented(path):
            for group in _NAMED.findall(" ".join(docstring.split())):
                for number in re.findall(r"\d+", group):
                    index[int(number)].append(f"{path.relative_to(TESTS)}::{name}")
    return dict(index)


def _documented(path: Path) -> Iterator[tuple[str, str]]:
    """The test functions of a module with their docstrings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name, ast.get_docstring(node) or ""


def test_every_case_has_a_test() -> None:
    """No case is without a test that names it, and no test names a case that there is not."""
    assert index_of_tests().keys() == CASES.keys()


if __name__ == "__main__":
    for number, tests in sorted(index_of_tests().items()):
        print(f"{number:3} {CASES[number]}", *(f"      {test}" for test in tests), sep="\n")
