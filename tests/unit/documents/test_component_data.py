"""Lists and tables of records."""

from collections.abc import Mapping
from typing import Any

from fingerpost.documents.view import Listing
from tests.unit.documents.views import component_html, listing_of

ONE = {
    "title": "A < B",
    "slug": "one",
    "excerpt": "Short",
    "body": "# T\n\nSome **bold** text",
    "published_at": "2026-03-14T23:26:53Z",
    "version": "2024-01-01",
    "tags": ["x", "y"],
    "$key": "1",
}
TWO = {"title": "Two", "published_at": None, "$key": "2"}
SOURCE = {"table": "posts"}


def shown(component: Mapping[str, Any], listing: Listing | None) -> str:
    """A component of a page whose tables hold one listing."""
    return component_html(component, listing=lambda source: listing)


def test_table_has_the_declared_columns() -> None:
    """Columns stand in their order with their labels; the first cell leads to the record's own address."""
    listing = listing_of(ONE, TWO, addresses=("/blog/one", None))
    html = shown(
        {
            "type": "data-table",
            "dataSource": SOURCE,
            "columns": [
                {"field": "title", "label": "Name <x>"},
                {"field": "published_at"},
                {"field": "tags"},
                {"field": "body"},
                {"type": "actions", "label": "Actions"},
            ],
        },
        listing,
    )
    assert html == (
        '<div class="fp-scroll"><table><thead><tr><th scope="col">Name &lt;x&gt;</th>'
        '<th scope="col">Published at</th><th scope="col">Tags</th><th scope="col">Body</th></tr></thead>'
        '<tbody><tr><td><a href="/blog/one">A &lt; B</a></td>'
        '<td><time datetime="2026-03-14T23:26:53Z">14 March 2026</time></td><td>x, y</td>'
        "<td>Some bold text</td></tr>"
        "<tr><td>Two</td><td></td><td></td><td></td></tr></tbody></table></div>"
    )


def test_table_without_columns_shows_what_it_was_given() -> None:
    """Without columns, the declared fields that the records hold are shown, long bodies and keys left out."""
    html = shown({"type": "table", "dataSource": SOURCE}, listing_of(ONE))
    heads = ["Title", "Slug", "Published at", "Version", "Tags"]
    assert [f'<th scope="col">{head}</th>' in html for head in heads] == [True] * 5
    assert html.count("<th") == 6  # with the one of <thead>
    assert "<td>2024-01-01</td>" in html


def test_list_from_a_described_item() -> None:
    """An item template of parts gives a title that links, lines, a badge and fields."""
    html = shown(
        {
            "type": "list",
            "dataSource": SOURCE,
            "listDisplay": {
                "itemTemplate": {
                    "title": "$record.title",
                    "subtitle": "$record.excerpt",
                    "badge": "$record.version",
                    "metadata": [{"field": "published_at"}, {"field": "nothing"}],
                }
            },
        },
        listing_of(ONE, addresses=("/blog/one",)),
    )
    assert html == (
        '<ul class="fp-list"><li><p class="fp-item-title"><a href="/blog/one">A &lt; B</a></p>\n'
        "<p>Short</p>\n"
        '<p class="fp-meta"><span class="fp-badge">2024-01-01</span> '
        '<span><time datetime="2026-03-14T23:26:53Z">14 March 2026</time></span></p></li></ul>'
    )


def test_list_from_components() -> None:
    """A template of components is rendered per record, and leads to it unless it has links itself."""
    children = [{"type": "text", "element": "h3", "content": "$record.title"}]
    listing = listing_of(ONE, TWO, addresses=("/blog/one", None))
    html = shown({"type": "list", "dataSource": SOURCE, "children": children}, listing)
    assert html == (
        '<ul class="fp-list"><li><a class="fp-item" href="/blog/one"><h3>A &lt; B</h3></a></li>'
        "<li><h3>Two</h3></li></ul>"
    )
    linked = [*children, {"type": "link", "content": "Read", "props": {"href": "/read/$record.slug"}}]
    html = shown({"type": "list", "dataSource": SOURCE, "children": linked}, listing)
    assert "fp-item" not in html
    assert '<a href="/read/one">Read</a>' in html


def test_rich_text_in_a_list_item() -> None:
    """A listing's records are of their own table: its rich-text fields are rendered as such."""
    children = [{"type": "text", "content": "$record.body"}]
    html = shown({"type": "list", "dataSource": SOURCE, "children": children}, listing_of(ONE))
    assert "<strong>bold</strong>" in html


def test_the_source_is_asked_for_a_page() -> None:
    """The reader gets the source as written, its placeholders filled, with the page size as its limit."""
    asked: list[Mapping[str, Any]] = []

    def reader(source: Mapping[str, Any]) -> Listing | None:
        asked.append(source)
        return None

    source = {"table": "posts", "filter": [{"field": "tag", "operator": "eq", "value": "$frontmatter.tag"}]}
    component_html(
        {"type": "data-table", "dataSource": source, "pagination": {"pageSize": "10"}},
        {"type": "list", "dataSource": {**source, "limit": "3"}, "pagination": {"pageSize": "10"}},
        listing=reader,
        frontmatter={"tag": "news"},
    )
    filled = [{"field": "tag", "operator": "eq", "value": "news"}]
    assert asked == [
        {"table": "posts", "filter": filled, "limit": "10"},
        {"table": "posts", "filter": filled, "limit": "3"},
    ]


def test_nothing_to_show() -> None:
    """No record and a table that may not be read look alike: the empty message, or nothing."""
    for component in ({"type": "list"}, {"type": "data-table"}):
        told = {**component, "dataSource": SOURCE, "emptyMessage": "None <yet>"}
        for listing in (None, listing_of()):
            assert shown(told, listing) == '<p class="fp-empty">None &lt;yet&gt;</p>'
            assert shown({**component, "dataSource": SOURCE}, listing) == ""


def test_no_more_items_than_asked_for() -> None:
    """`maxItems` ends a listing."""
    component = {"type": "list", "dataSource": SOURCE, "maxItems": "1", "children": [{"type": "divider"}]}
    html = shown(component, listing_of(ONE, TWO))
    assert html.count("<li>") == 1
