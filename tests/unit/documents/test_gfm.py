"""The Markdown engine: what it renders, and that it gives back what it takes."""

import os
from pathlib import Path

import pytest

from fingerpost.documents.gfm import gfm_to_html


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
