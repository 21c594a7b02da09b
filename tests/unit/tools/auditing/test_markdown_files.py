"""llms.txt and Markdown twins."""

import pytest

from fingerpost_tools.auditing.markdown_files import is_html, read_llms, read_markdown


def test_an_llms_file_has_a_title_and_links() -> None:
    """Links are those that begin a list item, with escaped brackets and parentheses in them."""
    llms = read_llms(
        b"\xef\xbb\xbf\n# Vane & Wren\n\n> A [link](https://example.com/no) in the text\n\n## Docs\n"
        b"- [One](https://example.com/1.md): first\n* [T\\[w\\]o](<https://example.com/a b.md>)\n"
        b"- [Three](https://example.com/a_(b).md)\n- no link\n"
    )
    assert llms.title == "Vane & Wren"
    assert llms.links == [
        "https://example.com/1.md",
        "https://example.com/a b.md",
        "https://example.com/a_(b).md",
    ]


@pytest.mark.parametrize("body", [b"", b"Vane\n# Wren\n", b"## Docs\n", b"#Vane\n", b"<!doctype html>"])
def test_anything_else_first_is_no_title(body: bytes) -> None:
    """llmstxt.org: an H1 with the name of the project stands first."""
    assert read_llms(body).title == ""


@pytest.mark.parametrize(
    ("body", "leaks"),
    [
        (b"---\ntitle: x\n---\n# x\n", True),
        (b"\xef\xbb\xbf---\r\ntitle: x\r\ndraft:\r\n---\r\n", True),
        (b"---\n\ndate: 2026-03-14\n---", True),
        (b"---\n\nA rule, and then text: like this\n\n---\n", False),
        (b"# x\n\n---\ntitle: x\n---\n", False),
        (b"---\ntitle: x\n", False),
    ],
)
def test_front_matter_is_told_from_a_rule(body: bytes, leaks: bool) -> None:
    """Case 60: a block of keys between fences at the very start, and nothing else."""
    assert read_markdown(body).front_matter is leaks


def test_white_space_at_the_ends_makes_no_difference() -> None:
    """Two forms are equal when their text is."""
    assert read_markdown(b"# x\n").digest == read_markdown(b"\n# x").digest != read_markdown(b"# y").digest


@pytest.mark.parametrize(
    ("body", "html"),
    [
        (b"<!DOCTYPE html><p>", True),
        (b" <!-- x --> <html lang=en>", True),
        (b"# x\n\n<html>", False),
        (b"<div>Markdown may begin so</div>", False),
    ],
)
def test_a_document_is_told_from_markdown_with_html_in_it(body: bytes, html: bool) -> None:
    """Only what begins as an HTML document is one."""
    assert is_html(body) is html
