"""GitHub Flavored Markdown to HTML, by comrak: the one place that knows the engine and its options.

comrak frees what it allocates. cmark's Python bindings do not: each render leaves about fifteen times
its input behind, which a warm function would die of.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from comrak import ExtensionOptions, RenderOptions

# Comrak stops to resolve references once they have added up to the text's own length, where cmark and GitHub
# do so at 100,000 bytes at least: a short table whose rows share one long address would lose its links. A
# blank first line gives the text that length, and nothing else.
_REFERENCES_ROOM: Final = " " * 100_000 + "\n"

_options: "tuple[ExtensionOptions, RenderOptions] | None" = None


def gfm_to_html(markdown: str) -> str:
    """The HTML of a Markdown text: tables, strikethrough, autolinks, task lists and footnotes.

    Raw HTML passes as written; what it may do is for the sanitiser to say.
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
    if "]:" in markdown:
        markdown = _REFERENCES_ROOM + markdown
    return render_markdown(markdown, extension_options=_options[0], render_options=_options[1])
