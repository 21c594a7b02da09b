"""The Markdown engine: what it renders, and that it gives back what it takes."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.gfm import gfm_to_html
from fingerpost.documents.sanitise import sanitise


def test_github_flavour() -> None:
    """Tables, strikethrough, autolinks, task lists and footnotes are rendered; raw HTML passes."""
    html = gfm_to_html("|a|\n|-|\n|~~b~~|\n\n- [x] www.example.com\n\nc[^1] <i>d</i>\n\n[^1]: e\n")
    for part in (
        "<table>",
        "<del>b</del>",
        'href="http://www.example.com"',
        'type="checkbox"',
        "footnote-ref",
        "<i>d</i>",
    ):
        assert part in html


def test_a_short_text_may_use_a_reference_often() -> None:
    """Each use of a reference is a link, however short the text and long the address."""
    html = gfm_to_html("- [r]\n" * 200 + "\n[r]: https://example.com/a/long/address\n")
    assert html.count('<a href="https://example.com/a/long/address">r</a>') == 200


SWALLOWING = ("title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext")


@pytest.mark.parametrize("name", [*SWALLOWING, "SCRIPT"])
def test_a_tag_that_nothing_ends_does_not_swallow_the_page(name: str) -> None:
    """GFM 6.11: `<script>` and its like are text where no end tag follows; code is left as it is."""
    html = gfm_to_html(
        f"<Steps>\n1. Add a `<{name}>` tag, see </{name}x>.\n\n```\n<{name}>\n```\n\n## Next\n"
    )
    assert f"`&lt;{name}>` tag" in html
    assert html.count(f"&lt;{name}") == 2
    assert "<h2>Next" in sanitise(html)


def test_what_is_ended_passes_for_the_sanitiser_to_drop() -> None:
    """An embed is raw HTML as before, and the last one of several, if open, is text."""
    html = gfm_to_html("<div>\n<script src=a></script>b <Style>c</sTYLE\n>d <script>e\n</div>\n")
    assert html == "<div>\n<script src=a></script>b <Style>c</sTYLE\n>d &lt;script>e\n</div>\n"
    assert sanitise(html) == "<div>\nb d &lt;script&gt;e\n</div>\n"


@given(st.lists(st.sampled_from([*(f"<{name}>" for name in SWALLOWING), "</script>", "</title x>", "<b>"])))
def test_what_stands_behind_the_last_end_tag_is_kept(tags: list[str]) -> None:
    """Whatever was opened before, a text after the last end tag is read."""
    assert "kept" in sanitise(gfm_to_html(f"<div>\n{' '.join(tags)}</script></title>kept\n</div>\n"))


def _memory() -> int:
    """The memory that this process holds now (bytes)."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's account of memory")
def test_a_warm_function_renders_for_ever() -> None:
    """A thousand renders of a long document leave nothing behind that a function's memory could not bear."""
    document = (
        "# Title\n\nSome *text* with [a link](/x) and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" * 100
    )
    gfm_to_html(document)
    before = _memory()
    for _ in range(1000):
        gfm_to_html(document)
    assert _memory() - before < 20_000_000
