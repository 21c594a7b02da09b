"""Callouts: `:::` blocks and GitHub's alerts."""

import pytest

from fingerpost.documents.callouts import expand_callouts
from fingerpost.documents.markdown import markdown_to_html
from fingerpost.documents.words import Words, words_for

WORDS = Words()


@pytest.mark.parametrize(
    ("opening", "kind", "title"),
    [
        (":::note", "note", "Note"),
        ("::: tip", "tip", "Tip"),
        (":::warning Mind the gap", "warning", "Mind the gap"),
        (":::danger[Set a `baseUrl`]", "danger", "Set a <code>baseUrl</code>"),
        (":::caution", "warning", "Warning"),
        (":::info{open=true}", "note", "Note"),
        ("::::NOTE", "note", "Note"),
    ],
)
def test_blocks(opening: str, kind: str, title: str) -> None:
    """A block is an aside of its kind, with its own title or the kind's, around rendered Markdown."""
    html = markdown_to_html(f"before\n{opening}\nSome **bold**.\n:::\nafter")
    assert f'<aside class="fp-callout fp-{kind}">' in html
    assert f'<div class="fp-callout-title">\n<p>{title}</p>\n</div>' in html
    assert "<p>Some <strong>bold</strong>.</p>\n</aside>" in html
    assert html.startswith("<p>before</p>")
    assert html.rstrip().endswith("<p>after</p>")


def test_plain_callout_has_no_title() -> None:
    """`::: callout` is a box and nothing more."""
    assert markdown_to_html("::: callout\nText.\n:::").split() == (
        ["<aside", 'class="fp-callout', 'fp-callout">', "<p>Text.</p>", "</aside>"]
    )


@pytest.mark.parametrize(
    "source",
    [
        "```\n:::note\nx\n:::\n```",
        "~~~~\n```\n:::note\nx\n:::\n~~~~",
        "- a\n\n  ```\n  :::note\n  x\n  :::\n  ```",
        # The first fence is within an HTML block, so that it is the second that opens code.
        "<Tabs>\n```\nx\n\n```\n</Tabs>\n\n:::note\nx\n:::",
        "    :::note\n    x\n    :::",
        "::: callout :::",
        ":::steps\nx\n:::",
        ":::note\nnever closed",
        "closed only\n:::",
        "`:::note`",
    ],
)
def test_what_is_no_callout_is_left(source: str) -> None:
    """In code, without a partner, or of an unknown name, the marks stay as written."""
    assert expand_callouts(source, WORDS) == source


def test_code_inside_a_block_is_code() -> None:
    """A fence inside a callout hides the marks in it, and the callout still closes."""
    html = markdown_to_html(":::tip\n```md\n:::note\nx\n:::\n```\n:::\nafter")
    assert html.count("<aside") == html.count("</aside>") == 1
    assert ":::note\nx\n:::" in html
    assert html.index("</aside>") < html.index("after")


def test_nested_and_listed_blocks() -> None:
    """Callouts nest, and stand inside list items."""
    html = markdown_to_html(
        "::::note\n:::tip\ninner\n:::\n::::\n\n1. a\n\n   :::warning\n   in list\n   :::\n"
    )
    assert html.count("<aside") == html.count("</aside>") == 3
    listed = html[html.index("<li>") : html.index("</li>")]
    assert "in list" in listed
    assert "</aside>" in listed


def test_crlf_blocks() -> None:
    """Case 15: a file with CRLF line ends has the same callouts."""
    assert "fp-note" in markdown_to_html(":::note\r\nText.\r\n:::\r\n")


@pytest.mark.parametrize(("mark", "kind"), [("NOTE", "note"), ("tip", "tip"), ("CAUTION", "warning")])
def test_alerts(mark: str, kind: str) -> None:
    """A block quote that opens with `[!NOTE]` and its like is a callout; any other stays a quotation."""
    html = markdown_to_html(f"> [!{mark}]\n> Text.")
    assert f'<blockquote class="fp-callout fp-{kind}">' in html
    assert "[!" not in html
    assert "<blockquote>" in markdown_to_html("> [!OTHER]\n> Text.")


def test_titles_speak_the_page_language() -> None:
    """A callout without a title of its own has one in the page's language."""
    assert "Astuce" in markdown_to_html(":::tip\nx\n:::", words_for("fr-CA"))
