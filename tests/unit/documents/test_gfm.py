"""The Markdown engine: what it renders, and that it gives back what it takes."""

import resource
import sys

from fingerpost.documents.gfm import gfm_to_html

_KILOBYTES = 1024 if sys.platform == "darwin" else 1


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


def test_a_warm_function_renders_for_ever() -> None:
    """A thousand renders of a long document leave nothing behind that a function's memory could not bear."""
    document = (
        "# Title\n\nSome *text* with [a link](/x) and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" * 100
    )
    gfm_to_html(document)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        gfm_to_html(document)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / _KILOBYTES
    assert grown < 20_000, f"{grown} KB"
