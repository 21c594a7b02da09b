"""A page as HTML: the head, the site's own frame, and the article or the component tree within it."""

from collections.abc import Mapping

from fingerpost.documents.component_layout import breadcrumb_trail
from fingerpost.documents.component_scope import Budget, Scope
from fingerpost.documents.components import render_components
from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.documents.head import head
from fingerpost.documents.markdown import Heading, Outline, Rendered, insert_below_title, render_body
from fingerpost.documents.summary import summarise
from fingerpost.documents.view import Link, LinkGroup, PageView
from fingerpost.documents.words import Words, direction_of, time_element, words_for
from fingerpost.site.placeholders import Values, as_text

# No heading's fragment has a capital letter, so none can be this one.
_CONTENT = "Content"
_CURRENT = ' aria-current="page"'


def render_page(view: PageView) -> bytes:
    """The HTML document of a page, article or record, in UTF-8. The same view gives the same bytes."""
    entry = view.entry
    tag = language_tag(view)
    languages = view.site.languages
    code = entry.language.code if entry.language else (languages.default if languages else None)
    words = words_for(tag, languages, code)
    values = Values(entry.record, view.frontmatter, languages, code)
    outline = Outline()
    body: Rendered | None = None
    if view.markdown is not None:
        article = view.entry.article
        title = as_text(view.frontmatter.get("title")) or (article.title if article else None)
        body = render_body(view.markdown, words, outline, references=view.references, title=title)
        html = insert_below_title(body.html, _byline(view, tag) + _contents(view, words, body.headings))
        content = f'<article class="fp-prose">\n{html}{_updated(view, words, tag)}</article>'
    else:
        table = view.site.table(entry.page.collection.table) if entry.page.collection else None
        scope = Scope(view, values, words, tag, outline, Budget(), render_components, table)
        content = f'<div class="fp-page">{render_components(entry.page.components, scope)}</div>'
    summary = summarise(view, values, tag, body)
    direction = entry.language.direction if entry.language else direction_of(tag)
    document = (
        f'<!doctype html>\n<html lang="{html_attribute(tag)}" dir="{html_attribute(direction)}">\n'
        f"<head>\n{head(view, summary, values)}\n</head>\n"
        f"<body>\n{_frame(view, words, content)}\n</body>\n</html>\n"
    )
    return document.encode()


def language_tag(view: PageView) -> str:
    """The page's BCP 47 tag: its entry's language, else `meta.lang`, else the site's default, else `en`."""
    languages = view.site.languages
    if view.entry.language is not None:
        return view.entry.language.tag
    if written := view.entry.page.meta.lang:
        known = languages.get(written) if languages else None
        return known.tag if known else written.replace("_", "-")
    default = languages.get(languages.default) if languages else None
    return default.tag if default else "en"


def _byline(view: PageView, tag: str) -> str:
    """The date of publication, and who wrote it, below an article's title."""
    article = view.entry.article
    date = time_element(article.front.published, tag) if article and article.front.published else None
    author = html_text(as_text(view.frontmatter.get("author")))
    parts = " · ".join(filter(None, (date, author)))
    return f'<p class="fp-meta">{parts}</p>\n' if parts else ""


def _contents(view: PageView, words: Words, headings: tuple[Heading, ...]) -> str:
    """The list of contents that `markdown.toc` asks for; one heading alone is no list."""
    markdown = view.entry.page.markdown
    toc = markdown.toc if markdown else None
    if toc is None:
        return ""
    listed = [heading for heading in headings if 2 <= heading.level <= toc.max_depth and heading.text]
    if len(listed) < 2:
        return ""
    items = "".join(
        f'<li class="fp-level-{heading.level}"><a href="#{html_attribute(heading.anchor)}">'
        f"{html_text(heading.text)}</a></li>"
        for heading in listed
    )
    place = "fp-toc fp-aside" if toc.position == "sidebar" else "fp-toc"
    label = html_text(words.contents)
    return f'<details class="{place}"><summary>{label}</summary><ul>{items}</ul></details>\n'


def _updated(view: PageView, words: Words, tag: str) -> str:
    entry = view.entry
    published = entry.article.front.published if entry.article else None
    if entry.article is None or entry.lastmod is None or entry.lastmod[:10] == (published or "")[:10]:
        return ""
    date = time_element(entry.lastmod, tag)
    return f'<p class="fp-meta fp-updated">{html_text(words.updated)} {date}</p>' if date else ""


def _frame(view: PageView, words: Words, content: str) -> str:
    own_header, own_footer = _brings(view, "header"), _brings(view, "footer")
    navigation = _navigation(view.nav, words)
    trail = [(link.title, None if link.current else link.address) for link in view.breadcrumbs]
    main = "\n".join(
        filter(
            None,
            [
                breadcrumb_trail(trail, words.breadcrumb) if len(trail) > 1 else "",
                content,
                _pager(view.previous, view.next, words),
            ],
        )
    )
    parts = [
        f'<a class="fp-skip" href="#{_CONTENT}">{html_text(words.skip)}</a>',
        _languages(view, words) if own_header else _header(view, words),
        f'<div class="fp-frame{" fp-with-nav" if navigation else ""}">',
        navigation,
        f'<main id="{_CONTENT}">\n{main}\n</main>',
        "</div>",
        "" if own_footer else _footer(view),
    ]
    return "\n".join(filter(None, parts))


def _brings(view: PageView, element: str) -> bool:
    """Whether the page's tree has a header or footer of its own at its top, which then is the only one."""
    return view.markdown is None and any(
        isinstance(component, Mapping) and element in (component.get("element"), component.get("type"))
        for component in view.entry.page.components
    )


def _header(view: PageView, words: Words) -> str:
    language = view.entry.language
    home = f"{view.base}/{language.code}/" if language else f"{view.base}/"
    name = f'<a class="fp-site" href="{html_attribute(home)}">{html_text(view.site.name)}</a>'
    return f'<header class="fp-header">{name}{_languages(view, words)}</header>'


def _languages(view: PageView, words: Words) -> str:
    if not view.languages:
        return ""
    label = html_attribute(words.languages)
    return f'<nav class="fp-languages" aria-label="{label}">{_links(view.languages)}</nav>'


def _navigation(groups: tuple[LinkGroup, ...], words: Words) -> str:
    parts = []
    for group in groups:
        title = f'<p class="fp-nav-title">{html_text(group.title)}</p>' if group.title else ""
        parts.append(title + _links(group.links))
    if not parts:
        return ""
    label = html_text(words.menu)
    return (
        f'<details class="fp-nav"><summary>{label}</summary>'
        f'<nav aria-label="{html_attribute(words.menu)}">{"".join(parts)}</nav></details>'
    )


def _links(links: tuple[Link, ...]) -> str:
    items = "".join(
        f'<li><a href="{html_attribute(link.address)}"{_CURRENT if link.current else ""}>'
        f"{html_text(link.title)}</a></li>"
        for link in links
    )
    return f"<ul>{items}</ul>"


def _pager(previous: Link | None, following: Link | None, words: Words) -> str:
    links = [
        f'<a class="fp-{rel}" rel="{rel}" href="{html_attribute(link.address)}">'
        f"<small>{html_text(label)}</small>{html_text(link.title)}</a>"
        for rel, link, label in (("prev", previous, words.previous), ("next", following, words.next))
        if link is not None
    ]
    return f'<nav class="fp-pager">{"".join(links)}</nav>' if links else ""


def _footer(view: PageView) -> str:
    links = []
    if view.entry.twin is not None:
        links.append(f'<a href="{html_attribute(view.entry.twin)}" rel="alternate">Markdown</a>')
    if view.feed is not None:
        links.append(f'<a href="{html_attribute(view.feed[1])}" rel="alternate">RSS</a>')
    name = f"<span>{html_text(view.site.name)}</span>"
    return f'<footer class="fp-footer">{"".join([name, *links])}</footer>'
