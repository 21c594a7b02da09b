"""GitHub Flavored Markdown to HTML, by comrak: the one place that knows the engine and its options.

comrak frees what it allocates. cmark's Python bindings do not: each render leaves about fifteen times
its input behind, which a warm function would die of.
"""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from comrak import ExtensionOptions, RenderOptions

# Comrak stops to resolve references once they have added up to the text's own length, where cmark and GitHub
# do so at 100,000 bytes at least: a short table whose rows share one long address would lose its links. A
# blank first line gives the text that length, and nothing else.
_REFERENCES_ROOM: Final = " " * 100_000 + "\n"

# GFM 6.11, disallowed raw HTML: after these tags an HTML parser takes everything up to the end tag for text.
_SWALLOWING: Final = re.compile(
    r"<(/?)(title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?=[\s/>])", re.IGNORECASE
)

_options: "tuple[ExtensionOptions, RenderOptions] | None" = None


def gfm_to_html(markdown: str) -> str:
    """The HTML of a Markdown text: tables, strikethrough, autolinks, task lists and footnotes.

    Raw HTML passes as written; what it may do is for the sanitiser to say. But a `<script>` or its like that
    nothing ends is text, or the rest of the page would be lost in it.
    """
    global _options
    from comrak import ExtensionOptions, RenderOptions, render_markdown

    if _options is None:
        extensions, rendering = ExtensionOptions(), RenderOptions()
        extensions.table = extensions.strikethrough = extensions.autolink = True
        extensions.tasklist = extensions.footnotes = True
        rendering.unsafe_ = True
        rendering.gfm_quirks = True  # `****x****` is one <strong>, as on GitHub
        _options = (extensions, rendering)
    source = _REFERENCES_ROOM + markdown if "]:" in markdown else markdown
    html: str = render_markdown(source, extension_options=_options[0], render_options=_options[1])
    return _escape_unended(html) if "<" in markdown else html


def _escape_unended(html: str) -> str:
    """`html` with the `<` of each swallowing tag escaped that no end tag of its name follows."""
    tags = list(_SWALLOWING.finditer(html))
    if not tags:
        return html
    # `plaintext` has no end: the parser never leaves it.
    last_end = {tag[2].lower(): tag.start() for tag in tags if tag[1] and tag[2].lower() != "plaintext"}
    pieces, done = [], 0
    for tag in tags:
        if not tag[1] and last_end.get(tag[2].lower(), -1) < tag.start():
            pieces += [html[done : tag.start()], "&lt;"]
            done = tag.start() + 1
    return "".join([*pieces, html[done:]])
