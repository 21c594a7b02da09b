"""Percent-encoding, decoding and route patterns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.addresses import (
    Pattern,
    author_path,
    author_segment,
    build_path,
    decode_path,
    encode_segment,
    is_addressable,
    is_based,
    is_reserved,
    parse_pattern,
    with_base,
)
from fingerpost.limits import PATH_CHARACTERS

SLUGS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(is_addressable)


@given(SLUGS)
def test_round_trip(slug: str) -> None:
    """Any slug that has an address is built into one that decodes and matches as that slug again."""
    path = build_path("/base", parse_pattern("/blog/:slug").fill({"slug": slug}))
    segments = decode_path(path)
    assert segments is not None
    assert segments[0] == "base"
    assert parse_pattern("/blog/:slug").match(segments[1:]) == {"slug": slug}


@given(st.lists(SLUGS.filter(lambda slug: "/" not in slug), min_size=1, max_size=4))
def test_round_trip_of_the_rest(parts: list[str]) -> None:
    """A value of several segments round-trips through `:x*`."""
    pattern = parse_pattern("/docs/:path*")
    path = build_path("", pattern.fill({"path": "/".join(parts)}))
    assert pattern.match(decode_path(path) or ()) == {"path": "/".join(parts)}


@given(st.text(max_size=40))
def test_built_paths_are_urls(text: str) -> None:
    """A built path holds only what RFC 3986 allows, and nothing that Markdown, robots or quotes read."""
    try:
        built = encode_segment(text)
    except UnicodeEncodeError:
        assert any("\ud800" <= character <= "\udfff" for character in text)
        return
    assert built.isascii()
    assert not set(built) & set("\"'<>()[]{}|\\^`#?/*; ")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_author_text_is_encoded_once(text: str) -> None:
    """What an author wrote, encoded or not, gives the same address when it is read again (case 12)."""
    once = encode_segment(author_segment(text))
    assert encode_segment(author_segment(once)) == once


@pytest.mark.parametrize("written", ["/Bücher", "/B%C3%BCcher", "/B%c3%bccher"])
def test_author_paths_are_idempotent(written: str) -> None:
    """`/Bücher` and its encoded forms are one address (case 12)."""
    assert author_path("", written) == "/B%C3%BCcher"


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("/", "/base/"),
        ("/sign-in", "/base/sign-in"),
        ("/fr/", "/base/fr/"),
        ("/a//b", "/base/a/b"),
        ("/a%2Fb", "/base/a%2Fb"),
        ("/100%", "/base/100%25"),
        ("/100%25", "/base/100%25"),
        ("/caf%E9", "/base/caf%25E9"),
        ("/sign-in?next=/a b#top", "/base/sign-in?next=/a b#top"),
        ("/sign-in#top?", "/base/sign-in#top?"),
        ("/base/sign-in?next=/", "/base/sign-in?next=/"),
        ("/b%61se/sign-in", "/base/sign-in"),
        ("/basement", "/base/basement"),
    ],
)
def test_author_path(written: str, path: str) -> None:
    """A path gains the base once, whether its author wrote it or not; its query and fragment stay."""
    assert author_path("/base", written) == path
    assert author_path("/base", path) == path


@given(st.sampled_from(["", "/a", "/base", "/base/x", "/base?q", "/base#f", "/basement"]))
def test_the_base_path_is_gained_once(reference: str) -> None:
    """A reference that has the base path does not gain another (case 40)."""
    once = with_base(reference, "/base")
    assert is_based(once, "/base")
    assert with_base(once, "/base") == once
    assert with_base(reference, "") == reference


@pytest.mark.parametrize(
    ("slug", "encoded"),
    [
        ("100%25", "100%2525"),
        ("a/b", "a%2Fb"),
        ("q-&-a", "q-&-a"),
        ("&quot;", "&quot%3B"),
        ("a b+c", "a%20b+c"),
        ("it's (1)*", "it%27s%20%281%29%2A"),
        ("é", "%C3%A9"),
        ("🦊", "%F0%9F%A6%8A"),
        ("~._-", "~._-"),
    ],
)
def test_slugs_are_literal(slug: str, encoded: str) -> None:
    """A slug is encoded from its letters, and `%25` in it is three of them."""
    assert encode_segment(slug) == encoded


def test_the_root_is_a_slash() -> None:
    """The root is `/`, behind a base path too (case 41)."""
    assert build_path("", ()) == "/"
    assert build_path("/base", ()) == "/base/"
    assert build_path("/base", ("fr",), root=True) == "/base/fr/"


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("/", ("",)),
        ("/a/b", ("a", "b")),
        ("/a/b/", ("a", "b", "")),
        ("/a%2Fb", ("a/b",)),
        ("/a+b", ("a+b",)),
        ("/100%2525", ("100%25",)),
        ("/%E2%98%83", ("☃",)),
        ("/%5Bx%5D", ("[x]",)),
        ("/☃", ("☃",)),
    ],
)
def test_decode(path: str, segments: tuple[str, ...]) -> None:
    """A path is cut into segments first, then each is decoded once (case 66)."""
    assert decode_path(path) == segments


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a",
        "/a/../b",
        "/a/%2e%2e/b",
        "/%2E",
        "/..%2fapp.yaml",
        "/..%5capp.yaml",
        "/a%00",
        "/a\x00",
        "/a%0Ab",
        "/a%7F",
        "/a%C2%85",
        "/%",
        "/%4",
        "/%zz",
        "/%C3",
        "/%ED%A0%80",
        "/\ud800",
        "/\ud800%41",
        "/" + "a" * PATH_CHARACTERS,
    ],
)
def test_impossible_paths(path: str) -> None:
    """Traversal, control characters, bad encodings, lone surrogates and overlong paths are no addresses."""
    assert decode_path(path) is None


@given(st.text(max_size=60))
def test_decoding_never_fails(path: str) -> None:
    """Whatever is asked for, decoding gives segments or None."""
    segments = decode_path(f"/{path}")
    assert segments is None or all(is_addressable(segment, empty=True) for segment in segments)


def test_double_encoding_is_literal() -> None:
    """`%252e%252e` is a name with percent signs, not a way out."""
    assert decode_path("/%252e%252e/app.yaml") == ("%2e%2e", "app.yaml")


@pytest.mark.parametrize(
    "slug", [".", "..", "../x", "a/../b", "a\\..", "\\..\\x", "a\n", "\x85", "\ud800", ""]
)
def test_impossible_slugs(slug: str) -> None:
    """A slug that a client would drop, or that hides a way out, has no address."""
    assert not is_addressable(slug)


@pytest.mark.parametrize("slug", ["...", ".a", "a..b", "a\\b", "a/b", " ", "\u2028"])
def test_possible_slugs(slug: str) -> None:
    """Dots, slashes and backslashes that lead nowhere are letters like others."""
    assert is_addressable(slug)


@pytest.mark.parametrize(
    ("pattern", "path", "parameters"),
    [
        ("/", (), {}),
        ("/about", ("about",), {}),
        ("/about/", ("about",), {}),
        ("/B%C3%BCcher", ("Bücher",), {}),
        ("/blog/:slug", ("blog", "a"), {"slug": "a"}),
        ("/blog/:slug", ("blog", "a/b"), {"slug": "a/b"}),
        ("/blog/:slug", ("blog",), None),
        ("/blog/:slug", ("blog", ""), None),
        ("/blog/:slug", ("blog", "a", "b"), None),
        ("/docs/:path*", ("docs", "a", "b"), {"path": "a/b"}),
        ("/docs/:path*", ("docs", "a/b"), None),
        ("/docs/:path*", ("docs",), None),
        ("/docs/:path*", ("docs", "a", ""), None),
        ("/:lang/x", ("fr", "x"), {"lang": "fr"}),
        ("/:slug/read", ("a", "read"), {"slug": "a"}),
        ("/:", (":",), {}),
        ("/About", ("about",), None),
    ],
)
def test_match(pattern: str, path: tuple[str, ...], parameters: dict[str, str] | None) -> None:
    """`:x` is one segment, `:x*` the rest, and an encoded slash separates nothing (case 66)."""
    assert parse_pattern(pattern).match(path) == parameters


@pytest.mark.parametrize(
    ("pattern", "parameter", "base"),
    [("/docs/:path*", "path", "/docs"), ("/:slug", "slug", "/"), ("/docs/:slug/read", "slug", "/docs/read")],
)
def test_without(pattern: str, parameter: str, base: str) -> None:
    """The base of a pattern is itself without its parameter, which is what an empty value fills it to."""
    assert parse_pattern(pattern).without(parameter) == parse_pattern(base)
    assert parse_pattern(pattern).fill({parameter: ""}) == parse_pattern(base).fill({})


_PARTS = st.lists(st.sampled_from(["a", "b", ":x", ":y"]), max_size=3)
_PATTERNS = st.builds(
    lambda parts, rest: parse_pattern("/" + "/".join([*parts, *([":z*"] if rest else [])])),
    _PARTS,
    st.booleans(),
)
_PATHS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=4)


@given(_PATTERNS, _PATTERNS, _PATHS)
def test_overlaps_and_covers(one: Pattern, other: Pattern, path: list[str]) -> None:
    """Patterns that share a path overlap, and one that covers another matches all that the other does."""
    in_one, in_other = one.match(path) is not None, other.match(path) is not None
    if in_one and in_other:
        assert one.overlaps(other)
        assert other.overlaps(one)
    if one.covers(other):
        assert in_one or not in_other


@pytest.mark.parametrize(
    ("one", "other", "covers"),
    [
        ("/blog/:slug", "/blog/:id", True),
        ("/:a/:b", "/blog/:id", True),
        ("/:rest*", "/blog/:id", True),
        ("/blog/:slug", "/blog/:path*", False),
        ("/blog/:slug", "/:a/:b", False),
        ("/blog", "/blog/:slug", False),
    ],
)
def test_covers(one: str, other: str, covers: bool) -> None:
    """A pattern covers what it leaves no path to."""
    assert parse_pattern(one).covers(parse_pattern(other)) is covers


@pytest.mark.parametrize(
    "name",
    ["robots.txt", "sitemap.xml", "sitemap-12.xml", "feed.xml", "llms.txt", "llms-full-2.txt",
     "agent-readability.json"],
)  # fmt: skip
def test_reserved(name: str) -> None:
    """A well-known file is reserved directly below the base path, and nowhere else."""
    assert is_reserved((name,))
    assert not is_reserved(("blog", name))
    assert not is_reserved((f"x{name}",))
