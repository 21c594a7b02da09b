"""Markdown to HTML: GitHub's flavour with heading anchors and callouts, always sanitised.

Whatever is added to the rendered HTML (anchors, scroll boxes) is added before sanitising, so that no text of
an author's can break out of it.
"""

import re
import unicodedata
from dataclasses import field

from fingerpost.documents.callouts import expand_callouts, mark_alerts
from fingerpost.documents.escape import drop_forbidden, html_attribute, html_text
from fingerpost.documents.gfm import gfm_to_html
from fingerpost.documents.references import AT_ROOT, PageReferences
from fingerpost.documents.sanitise import sanitise, strip_tags
from fingerpost.documents.url_attributes import with_references
from fingerpost.documents.words import Words
from fingerpost.values import dataclass

_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ANCHOR_ASCII = re.compile(r"[^a-z0-9_\- ]")

# One HTML block from its first character to its last, as rich-text editors write it.
_HTML_START = re.compile(
    r"\s*<(?:p|div|h[1-6]|ul|ol|table|blockquote|section|article|figure|pre|hr)\b[^>]*>", re.IGNORECASE
)
_PREFORMATTED = re.compile(r"<pre\b.*?</pre>", re.DOTALL | re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")

_BLOCK_EDGE = re.compile(r"</?(?:p|div|li|h[1-6]|br|tr|td|th|blockquote|section|pre|dt|dd)\b", re.IGNORECASE)
_FOOTNOTE_REFERENCE = re.compile(r'<sup class="footnote-ref">.*?</sup>', re.DOTALL)
_FOOTNOTES = '<section class="footnotes"'
_TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL | re.IGNORECASE)
_FIRST_TITLE = re.compile(rf"\s*{_TITLE.pattern}", _TITLE.flags)
_LEVEL = re.compile(r"(</?h)([1-6])\b", re.IGNORECASE)
# HTML's own white space; a no-break or ideographic space is a character of the text.
_SPACE = re.compile(r"[ \t\n\r\f]+")
# A callout's usual title is the page's word, not part of the text.
_NO_WORDS = Words(**dict.fromkeys(Words.__dataclass_fields__, ""))
# The start of a body is looked for in this many characters of its HTML.
_TEXT_WINDOW = 20_000


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: level 1 to 6, its text, and the fragment that leads to it."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """Sanitised HTML and its headings in order."""

    html: str
    headings: tuple[Heading, ...]


@dataclass(slots=True)
class Outline:
    """The outline of a page while it is rendered: `title` is the text of its `h1` once it has one, and each
    fragment is given out once, as GitHub does: `intro`, `intro-1`, `intro-2`."""

    title: str | None = None
    _taken: dict[str, int] = field(default_factory=dict)

    def entitle(self, html: str) -> None:
        """The page has an `h1` of this content."""
        if self.title is None:
            self.title = _plain(html)

    def take(self, text: str) -> str:
        """The fragment of a heading with this text."""
        wanted = slug(text) or "section"
        anchor = wanted
        while anchor in self._taken:
            self._taken[wanted] += 1
            anchor = f"{wanted}-{self._taken[wanted]}"
        self._taken[anchor] = 0
        return anchor


def render_body(
    markdown: str,
    words: Words,
    outline: Outline,
    *,
    references: PageReferences = AT_ROOT,
    title: str | None = None,
) -> Rendered:
    """A body for the page: with anchors, scroll boxes around tables, and links as `references` have them.

    A page has one `h1`. `title` becomes that of a body that has none. Where the page has its own already, the
    body's is left out if it says the same, and else all its headings are a level lower.
    """
    html = mark_alerts(_to_html(expand_callouts(drop_forbidden(markdown), words)), words)
    if outline.title is not None:
        html = _below_title(html, outline.title)
    headings: list[Heading] = []

    def anchored(match: re.Match[str]) -> str:
        level, inner = int(match[1]), match[2]
        heading = Heading(level, _plain(inner), outline.take(_plain(inner)))
        headings.append(heading)
        anchor = html_attribute(heading.anchor)
        link = (
            f'<a class="fp-anchor" href="#{anchor}" aria-hidden="true" tabindex="-1"></a>'
            if level > 1
            else ""
        )
        return f'<h{level} id="{anchor}">{inner}{link}</h{level}>'

    html = _HEADING.sub(anchored, html)
    own = _title_in(html)
    if own is not None:
        outline.entitle(own[1])
    elif title:
        outline.entitle(html_text(title))
        headings.insert(0, Heading(1, title, outline.take(title)))
        html = f'<h1 id="{html_attribute(headings[0].anchor)}">{html_text(title)}</h1>\n{html}'
    html = html.replace("<table>", '<div class="fp-scroll"><table>').replace("</table>", "</table></div>")
    return Rendered(with_references(sanitise(html), references), tuple(headings))


def markdown_to_html(markdown: str, words: Words | None = None) -> str:
    """Markdown, or HTML as rich-text editors write it, as sanitised HTML with no additions of the page's."""
    words = words or Words()
    return sanitise(mark_alerts(_to_html(expand_callouts(drop_forbidden(markdown), words)), words))


def heading_list(markdown: str) -> tuple[Heading, ...]:
    """The headings of a Markdown body, with the fragments that its page gives them."""
    return render_body(markdown, Words(), Outline()).headings


def body_text(markdown: str, characters: int) -> str:
    """The start of a body as plain text on one line: at most `characters`, cut between words, then `…`.

    The body's own title, its footnotes and whatever carries no text are left out.
    """
    html = _to_html(expand_callouts(drop_forbidden(markdown), _NO_WORDS))
    return html_start(mark_alerts(html, _NO_WORDS), characters)


def html_start(html: str, characters: int) -> str:
    """The start of an HTML body as plain text, as `body_text` does for Markdown."""
    html = _FIRST_TITLE.sub("", html[:_TEXT_WINDOW].partition(_FOOTNOTES)[0], count=1)
    html = _FOOTNOTE_REFERENCE.sub("", html)
    text = _unescape(strip_tags(_BLOCK_EDGE.sub(r" \g<0>", html)))
    text = _SPACE.sub(" ", text).strip()
    if len(text) <= characters:
        return text
    cut = text[:characters]
    # Scripts without spaces between words are cut where the room ends.
    words, _, rest = cut.rpartition(" ")
    return (words if words and len(rest) < characters // 2 else cut[:-1]).rstrip(" ,;:.—–-") + "…"


def slug(text: str) -> str:
    """A heading's fragment: lower case, letters, digits, marks, `_` and `-` kept, spaces as `-`."""
    lowered = text.strip().lower()
    if lowered.isascii():
        return _ANCHOR_ASCII.sub("", lowered).replace(" ", "-")
    kept = (c for c in lowered if c in " -_" or unicodedata.category(c)[0] in "LMN")
    return "".join(kept).replace(" ", "-")


def _to_html(text: str) -> str:
    if _is_html(text):
        return text
    return gfm_to_html(text)


def _is_html(text: str) -> bool:
    """Whether a text is HTML throughout: a blank line outside `pre` would let Markdown begin again."""
    if not _HTML_START.match(text) or not text.rstrip().endswith(">"):
        return False
    return _BLANK_LINE.search(_PREFORMATTED.sub("", text.strip())) is None


def _below_title(html: str, title: str) -> str:
    """A body on a page whose `h1` says `title`, without one of its own."""
    own = _FIRST_TITLE.match(html)
    if own and _plain(own[1]) == title:
        html = html[own.end() :]
    if _title_in(html) is None:
        return html
    return _LEVEL.sub(lambda match: f"{match[1]}{min(int(match[2]) + 1, 6)}", html)


def insert_below_title(html: str, addition: str) -> str:
    """A rendered body with HTML of the page's below its first `h1` or, where there is none, at the top."""
    own = _title_in(html)
    end = own.end() if own else 0
    return f"{html[:end]}\n{addition}{html[end:]}" if addition else html


def _title_in(html: str) -> re.Match[str] | None:
    """The first `h1`. Most bodies have none, which is quicker seen by its tag's few letters."""
    return _TITLE.search(html) if "<h1" in html or "<H1" in html else None


def _plain(html: str) -> str:
    return _SPACE.sub(" ", _unescape(_TAG.sub("", html))).strip()


def _unescape(text: str) -> str:
    """Undo the escapes that the renderer and the sanitiser write in text; `&amp;` comes last."""
    return (
        text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", '"')
        .replace("&nbsp;", "\u00a0")
        .replace("&amp;", "&")
    )
