"""Components that show one thing: text, links, images, icons, badges, alerts, code and raw HTML."""

from collections.abc import Callable, Mapping
from typing import Any

from fingerpost.documents.component_scope import Component, Scope, first
from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.documents.icons import icon
from fingerpost.documents.sanitise import sanitise
from fingerpost.documents.url_attributes import with_references
from fingerpost.site.placeholders import as_text, fill_html

_ELEMENT_NAMES = """
    h1 h2 h3 h4 h5 h6 p span div strong em b i small mark del ins sub sup s code kbd samp var pre blockquote q
    cite abbr time li dt dd figcaption caption address
"""
_ELEMENTS = frozenset(_ELEMENT_NAMES.split())

_ALERT_KINDS = {
    "info": "note",
    "default": "note",
    "success": "tip",
    "warning": "warning",
    "error": "danger",
    "destructive": "danger",
    "danger": "danger",
}


def text(component: Component, scope: Scope) -> str:
    """`text`: one element of text. One rich-text field becomes a block of HTML, whatever the element."""
    content = component.get("content")
    html = scope.rich_text(content)
    if html is None and first(component, "format") == "markdown":
        html = scope.markdown(scope.fill(content))
    if html is not None:
        return f"<div{scope.attributes(component, 'fp-prose')}>{html}</div>"
    element = _text_element(component)
    classes = "fp-lines" if scope.is_long_text(content) and element != "pre" else ""
    # A parser drops a line feed right after <pre>, so the text's own must not be the first.
    start = "\n" if element == "pre" else ""
    inner = scope.inner(component)
    if element == "h1":
        scope.outline.entitle(inner)
    return f"<{element}{scope.attributes(component, classes)}>{start}{inner}</{element}>"


def link(component: Component, scope: Scope) -> str:
    """`link`: an anchor; without a safe address it keeps its text and leads nowhere."""
    href = scope.href(first(component, "href", "to", "url"))
    inner = scope.inner(component) or scope.text(first(component, "label", "text"))
    return f"<a{scope.attributes(component, href=href)}>{inner}</a>"


def button(component: Component, scope: Scope) -> str:
    """`button`: a link where it navigates; any other does nothing without script, and is left out."""
    href = scope.href(destination(component))
    if href is None:
        return ""
    variant = scope.fill(first(component, "variant"))
    classes = "fp-button" if variant in ("", "default", "primary") else "fp-button fp-quiet"
    inner = scope.inner(component) or scope.text(first(component, "label", "text"))
    return f"<a{scope.attributes(component, classes, href=href)}>{inner}</a>"


def destination(button: Component) -> Any:
    """Where a button leads: its `href`, a `navigate` action, or a click that navigates; None for nowhere."""
    if address := first(button, "href", "to", "url"):
        return address
    interactions = button.get("interactions")
    click = interactions.get("click") if isinstance(interactions, Mapping) else None
    for action in (button.get("action"), click):
        if not isinstance(action, Mapping):
            continue
        if action.get("type") in (None, "navigate"):
            for key in ("navigate", "href", "url", "path", "to"):
                if isinstance(action.get(key), str):
                    return action[key]
    return None


def image(component: Component, scope: Scope) -> str:
    """`image`: loaded when it comes near the screen, with an empty `alt` where none is given."""
    src = scope.image(first(component, "src", "url"))
    if src is None:
        return ""
    html = "<img{}>".format(
        scope.attributes(
            component,
            src=src,
            alt=scope.fill(first(component, "alt")),
            loading=scope.fill(first(component, "loading")) or "lazy",
            decoding="async",
        )
    )
    caption = scope.text(component.get("caption"))
    return f"<figure>{html}<figcaption>{caption}</figcaption></figure>" if caption else html


def icon_component(component: Component, scope: Scope) -> str:
    """`icon`: drawn in the text's colour; one we can't draw leaves its label, if it has one."""
    label = scope.fill(first(component, "label", "title", "aria-label", "ariaLabel"))
    return icon(scope.fill(first(component, "name", "icon", "content")), label) or html_text(label)


def badge(component: Component, scope: Scope) -> str:
    """`badge`: a short word in a pill."""
    inner = scope.inner(component) or scope.text(first(component, "label", "text"))
    return f"<span{scope.attributes(component, 'fp-badge')}>{inner}</span>" if inner else ""


def alert(component: Component, scope: Scope) -> str:
    """`alert`: a callout; it is part of the page from the start, so it is a note and not a live region."""
    kind = _ALERT_KINDS.get(scope.fill(first(component, "variant", "status")), "note")
    title = scope.text(component.get("title"))
    heading = f'<p class="fp-callout-title">{title}</p>' if title else ""
    body = scope.inner(component) or scope.text(first(component, "description", "message"))
    attributes = scope.attributes(component, f"fp-callout fp-{kind}", role="note", title=None)
    return f"<div{attributes}>{heading}{body}</div>"


def code(component: Component, scope: Scope) -> str:
    """`code`: a block of source text, below its file name where one is given."""
    language = scope.fill(first(component, "language", "lang"))
    source = scope.text(first(component, "content", "code"))
    marked = f' class="language-{html_attribute(language)}"' if language else ""
    block = f"<pre><code{marked}>{source}</code></pre>"
    caption = scope.text(first(component, "filename", "caption"))
    head = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure{scope.attributes(component, 'fp-code', lang=None)}>{head}{block}</figure>"


def divider(component: Component, scope: Scope) -> str:
    """`divider`: a thematic break."""
    return f"<hr{scope.attributes(component)}>"


def custom_html(component: Component, scope: Scope) -> str:
    """`customHTML`: the author's HTML, its placeholders escaped into it, then sanitised."""
    source = as_text(first(component, "html", "content"))
    html = sanitise(fill_html(source, scope.values, html_attribute))
    html = with_references(html, scope.view.references)
    return f"<div{scope.attributes(component)}>{html}</div>" if html else ""


def _text_element(component: Component) -> str:
    element = as_text(first(component, "element", "level")).lower()
    if element.isdecimal():
        element = f"h{element}"
    if element in _ELEMENTS:
        return element
    kind = str(component.get("type"))
    if kind in _ELEMENTS:
        return kind
    return "h2" if kind == "heading" else "p"


RENDERERS: Mapping[str, Callable[[Component, Scope], str]] = {
    "text": text,
    "heading": text,
    "paragraph": text,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "p", "span", "blockquote"), text),
    "link": link,
    "button": button,
    "image": image,
    "icon": icon_component,
    "badge": badge,
    "alert": alert,
    "code": code,
    "divider": divider,
    "customHTML": custom_html,
}
