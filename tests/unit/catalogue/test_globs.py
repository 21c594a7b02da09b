"""Globs: what each matches, that anything is one, and that none takes long."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingerpost.catalogue.globs import compile_glob


@pytest.mark.parametrize(
    ("glob", "matching", "others"),
    [
        ("**/*.md", ["a.md", "a/b/c.MD"], ["a.txt", "a.md/"]),
        ("*.md", ["a.md"], ["a/b.md"]),
        ("docs/**", ["docs/a", "docs/a/b.md"], ["docs", "a/docs/x"]),
        ("**/draft/**/*.md", ["draft/a.md", "a/draft/b/c.md", "draft/draft/x.md"], ["a/drafts/b.md"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("[a-c]x", ["ax", "Bx"], ["dx", "-x"]),
        ("[!a-c]x", ["dx"], ["ax", "/x"]),
        ("[^a]x", ["bx"], ["ax"]),
        ("[z-a]x", [], ["zx", "ax", "-x", "x"]),
        ("[!z-a]x", ["zx"], ["/x"]),
        ("[]]x", ["]x"], ["x"]),
        ("[!]]x", ["ax"], ["]x"]),
        ("[!]", ["[!]"], ["a"]),
        ("[^]", ["[^]"], ["a"]),
        ("[a", ["[a"], ["a"]),
        ("[a-]", ["a", "-"], ["b"]),
        (r"[\d]", ["\\", "d"], ["1"]),
        ("[{]a", ["{a"], ["a"]),
        ("{a,b}.md", ["a.md", "b.md"], ["c.md", "{a,b}.md"]),
        ("{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]),
        ("{a/*,b}/x", ["a/z/x", "b/x"], ["a/x"]),
        ("x{,y}", ["x", "xy"], ["y"]),
        ("{a", ["{a"], ["a"]),
        ("a}", ["a}"], ["a"]),
        ("*{ab,a}*bc", ["abc", "xabzbc"], ["abd"]),
        ("*a*a*", ["aa", "xaxax"], ["xax"]),
        ("*a/b*c", ["xa/bxc", "a/bc"], ["a/xbc"]),
        ("**/a/**/b/**/c", ["a/b/c", "x/a/x/b/x/c", "a/b/b/c"], ["b/a/c", "ab/c"]),
        ("**/*a*/**/*b", ["a/b", "xax/y/zb"], ["x/b"]),
        ("**/a**/b", ["a/b", "axx/yy/b"], ["xa/c"]),
        ("a\nb", ["a\nb"], ["a"]),
    ],
)
def test_what_a_glob_matches(glob: str, matching: list[str], others: list[str]) -> None:
    """A glob matches what its author means, and nothing else."""
    pattern = compile_glob(glob)
    assert [key for key in matching if not pattern.fullmatch(key)] == []
    assert [key for key in others if pattern.fullmatch(key)] == []


def matches(glob: str, key: str) -> bool:
    """The rules by themselves, for globs of `a`, `b`, `/` and wildcards: slow, and plain."""
    if not glob:
        return not key
    if glob.startswith("**/"):
        rest, (folder, slash, below) = glob[3:], key.partition("/")
        return matches(rest, key) or bool(folder and slash and matches(glob, below))
    if glob.startswith("**"):
        return any(matches(glob[2:], key[at:]) for at in range(len(key) + 1))
    if glob.startswith("*"):
        return matches(glob[1:], key) or bool(key and key[0] != "/" and matches(glob, key[1:]))
    if not key:
        return False
    one = key[0] != "/" if glob[0] == "?" else key[0] == glob[0]
    return one and matches(glob[1:], key[1:])


@given(
    st.lists(st.sampled_from(["**/", "*", "?", "a", "b", "/", "**"]), max_size=9).map("".join),
    st.text("ab/", max_size=10),
)
@example("**/a**/b", "axx/yy/b")
@example("*a*a/**/b*b/**/", "aa/bb/")
@example("**a*b**ab", "abab")
@example("**b**/a**a", "b/a/aa")
def test_wildcards_match_by_their_rules(glob: str, key: str) -> None:
    """However wildcards follow each other, the quick way finds what the plain one does."""
    assert bool(compile_glob(glob).fullmatch(key)) == matches(glob, key)


@given(st.text("[]!^-\\{},*?/az", max_size=14) | st.text(max_size=10), st.text(max_size=8))
@example("[!]", "x")
@example("[^]", "x")
@example("[n-G]", "x")
def test_anything_is_a_glob(glob: str, key: str) -> None:
    """Whatever an author writes is a glob: nothing raises, nothing of it is a regular expression's own."""
    compile_glob(glob).fullmatch(key)


@pytest.mark.parametrize(
    ("glob", "key"),
    [
        ("*a" * 12 + "b", "a" * 255),
        ("**/*a*/" * 6 + "*.md", "a/" * 500 + "x"),
        ("**/a/" * 8 + "b", "a/" * 500),
        ("**/" * 20 + "x.md", "a/" * 100 + "y.md"),
        ("**a" * 12 + "b", "a" * 1_000),
        ("**a*b" * 6 + "c", "ab" * 500),
        ("{a,b}" * 40, "a" * 39),
        ("{" * 500 + "," * 500 + "}" * 500, "x"),
        ("[" * 500 + "!" * 500, "x"),
    ],
)
def test_no_glob_takes_long(glob: str, key: str) -> None:
    """Wildcards in a row do not try each other's places again and again."""
    began = time.process_time()
    compile_glob(glob).fullmatch(key)
    assert time.process_time() - began < 0.5
