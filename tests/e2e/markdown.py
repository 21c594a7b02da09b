"""What markdown-it, a parser that is none of the product's, finds in Markdown."""

from markdown_it import MarkdownIt


def links(text: str) -> list[str]:
    """Where the links of a text lead, in its order."""
    return [
        str(child.attrs["href"])
        for token in MarkdownIt("commonmark").parse(text)
        for child in token.children or ()
        if child.type == "link_open"
    ]
