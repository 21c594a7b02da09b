"""Globs: what each matches, that anything is one, and that wildcards do not multiply."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingerpost.catalogue.globs import compile_glob


@pytest.mark.parametrize(
    ("glob", "matching", "others"),
    [
        ("**/*.md", ["a.md", "a/b/c.MD"], ["a.txt", "a.md/"]),
        ("*.md", ["a.md"], ["a/b.md"]),
        ("docs/**", ["docs/a", "docs/a/b.md"], ["a/docs/x", "doc/a"]),
        ("**/draft/**/*.md", ["draft/a.md", "a/draft/b/c.md", "draft/draft/x.md"], ["a/drafts/b.md"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("[a-c]x", ["ax", "Bx"], ["dx", "-x"]),
        ("[!a-c]x", ["dx"], ["ax", "/x"]),
        ("[]]x", ["]x"], ["x"]),
        ("[a", ["[a"], ["a"]),
        ("{a,b}.md", ["a.md", "b.md"], ["c.md", "{a,b}.md"]),
        ("{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]),
        ("{a/*,b}/x", ["a/z/x", "b/x"], ["a/x"]),
        ("x{,y}", ["x", "xy"], ["y"]),
        ("{a", ["{a"], ["a"]),
        ("a}", ["a}"], ["a"]),
        ("*a*a*", ["aa", "xaxax"], ["xax"]),
        ("*a/b*c", ["xa/bxc", "a/bc"], ["a/xbc"]),
        ("**/a/**/b/**/c", ["a/b/c", "x/a/x/b/x/c", "a/b/b/c"], ["b/a/c", "ab/c"]),
        ("**/*a*/**/*b", ["a/b", "xax/y/zb"], ["x/b"]),
        ("a\nb", ["a\nb"], ["a"]),
        ("a.md", ["a.md", "A.md"], ["aXmd"]),
    ],
)
def test_what_a_glob_matches(glob: str, matching: list[str], others: list[str]) -> None:
    """A glob matches what its author means, and nothing else."""
    pattern = compile_glob(glob)
    assert [key for key in matching if not pattern.matches(key)] == []
    assert [key for key in others if pattern.matches(key)] == []


def plainly(globs: list[str], names: list[str]) -> bool:
    """The rule of `**` by itself, for names that are letters: every place tried, slow and plain."""
    if not globs:
        return not names
    if globs[0] == "**":
        return any(plainly(globs[1:], names[at:]) for at in range(len(names) + 1))
    return bool(names) and globs[0] in ("*", names[0]) and plainly(globs[1:], names[1:])


@given(
    st.lists(st.sampled_from(["**", "*", "a", "b"]), min_size=1, max_size=8),
    st.lists(st.sampled_from("ab"), min_size=1, max_size=8),
)
@example(["**", "a", "**", "b", "a"], ["a", "b", "b", "a"])
def test_any_folders(globs: list[str], names: list[str]) -> None:
    """However many `**` there are, the quick way finds what the plain one does."""
    assert compile_glob("/".join(globs)).matches("/".join(names)) == plainly(globs, names)


@given(st.text("[]!^-\\{},*?/az", max_size=14) | st.text(max_size=10), st.text(max_size=8))
@example("[z-a]", "x")
@example("{" * 200 + "," * 200 + "}" * 200, "x")
@example("{a,b}" * 40, "a" * 39)
@example("**/*a*/" * 40 + "*.md", "a/" * 500 + "x")
@example("*a" * 40 + "b", "a" * 255)
def test_anything_is_a_glob(glob: str, key: str) -> None:
    """Whatever an author writes is a glob, and finds an end: nothing raises, no wildcards multiply."""
    compile_glob(glob).matches(key)
