"""What fills a page: `collection`, `contentDir` and `markdown`, and what is refused there."""

from collections.abc import Callable

import pytest

from fingerpost.site.loading import Loaded
from fingerpost.site.model import (
    CollectionRef,
    Condition,
    ContentDir,
    MarkdownPage,
    Nav,
    Operator,
    Page,
    Site,
    Toc,
)
from fingerpost.site.problems import Problem

Pages = Callable[[str], Page]
Sites = Callable[[str], Site]
Load = Callable[[str], Loaded]
Errors = Callable[[str], list[Problem]]
PageErrors = Callable[[str], list[tuple[str, str]]]

TABLES = """tables:
  - {name: posts, fields: [{name: slug, type: single-line-text}, {name: status, type: single-select}]}
"""


def test_collection(site: Sites) -> None:
    """A collection names a table, the field of its address, and conditions with texts as written."""
    found = site(
        TABLES + "pages: [{name: p, path: '/:slug', collection: {table: posts, slugField: slug, filter: ["
        "{field: status, operator: eq, value: published}, {field: id, operator: in, value: [1, 02]},"
        "{field: slug, value: no}]}}]"
    ).pages[0]
    assert found.collection == CollectionRef(
        "posts",
        "slug",
        (
            Condition("status", Operator.EQ, "published"),
            Condition("id", Operator.IN, ("1", "02")),
            Condition("slug", Operator.EQ, "no"),
        ),
    )


@pytest.mark.parametrize("field", ["id", "created_at", "updated_at"])
def test_columns_that_every_table_has(site: Sites, field: str) -> None:
    """An address may be built from a column that no one declares."""
    collection = (
        site(f"{TABLES}pages: [{{name: p, path: '/:x', collection: {{table: posts, slugField: {field}}}}}]")
        .pages[0]
        .collection
    )
    assert collection is not None
    assert collection.slug_field == field


@pytest.mark.parametrize(
    ("written", "id", "path"),
    [
        ("{table: post, slugField: slug}", "unknown-table", "collection.table"),
        ("{slugField: slug}", "missing", "collection.table"),
        ("{table: posts}", "missing", "collection.slugField"),
        ("{table: posts, slugField: slag}", "unknown-field", "collection.slugField"),
        ("{table: posts, slugField: slug, filter: {status: x}}", "wrong-type", "collection.filter"),
        (
            "{table: posts, slugField: slug, filter: [{field: stats, value: x}]}",
            "unknown-field",
            "collection.filter[0].field",
        ),
        ("{table: posts, slugField: slug, filter: [{field: slug}]}", "missing", "collection.filter[0].value"),
        (
            "{table: posts, slugField: slug, filter: [{field: slug, operator: is, value: x}]}",
            "unknown-value",
            "collection.filter[0].operator",
        ),
        (
            "{table: posts, slugField: slug, filter: [{field: slug, operator: in, value: x}]}",
            "wrong-type",
            "collection.filter[0].value",
        ),
        (
            "{table: posts, slugField: slug, filter: [{field: slug, value: [x]}]}",
            "wrong-type",
            "collection.filter[0].value",
        ),
        ("posts", "wrong-type", "collection"),
    ],
)
def test_collection_refused(errors: Errors, written: str, id: str, path: str) -> None:  # noqa: A002
    """A table, field or operator that does not exist is refused, never read as no condition."""
    found = errors(f"name: x\n{TABLES}pages: [{{name: p, path: '/:slug', collection: {written}}}]")
    assert [(problem.id, problem.place.path) for problem in found] == [(id, f"pages[0].{path}")]


def test_content_dir(site: Sites) -> None:
    """A content directory with all it may say."""
    found = site(
        "pages: [{name: p, path: '/:path*', contentDir: {directory: ./content//docs/, slugFrom: filepath,"
        "index: introduction, include: '*.md', filter: {draft: false, version: 1.10},"
        "sort: {field: order, order: desc},"
        "nav: {groupBy: category, labelFrom: label, groupLabels: {a: A}}}}]"
    ).pages[0]
    assert found.content_dir == ContentDir(
        "content/docs",
        True,
        "introduction",
        "*.md",
        {"draft": "false", "version": "1.10"},
        "order",
        True,
        Nav(True, "category", "label", {"a": "A"}),
    )


@pytest.mark.parametrize(
    ("sort", "descending"),
    [
        ("", False),
        ("order: asc", False),
        ("order: desc", True),
        ("direction: desc", True),
        ("direction: asc", False),
    ],
)
def test_sort_takes_order_or_direction(site: Sites, sort: str, descending: bool) -> None:
    """Both names of the direction are read; without either the order is ascending."""
    content = (
        site(
            f"pages: [{{name: p, path: '/:s', contentDir: {{directory: c, sort: {{field: date, {sort}}}}}}}]"
        )
        .pages[0]
        .content_dir
    )
    assert content is not None
    assert (content.sort_field, content.descending) == ("date", descending)


@pytest.mark.parametrize(
    ("written", "id", "path"),
    [
        ("{}", "missing", "contentDir.directory"),
        ("{directory: ../x}", "bad-path", "contentDir.directory"),
        ("{directory: /x}", "bad-path", "contentDir.directory"),
        ("{directory: .}", "bad-path", "contentDir.directory"),
        ("{directory: c, slugFrom: file}", "unknown-value", "contentDir.slugFrom"),
        ("{directory: c, sort: {order: desc}}", "missing", "contentDir.sort.field"),
        ("{directory: c, sort: {field: a, order: down}}", "unknown-value", "contentDir.sort.order"),
        ("{directory: c, filter: {draft: [a]}}", "wrong-type", "contentDir.filter.draft"),
        ("{directory: 'c/{lang}'}", "no-languages", "contentDir"),
    ],
)
def test_content_dir_refused(errors: Errors, written: str, id: str, path: str) -> None:  # noqa: A002
    """A directory outside the site, or a word that the language lacks, is refused."""
    found = errors(f"name: x\npages: [{{name: p, path: '/:slug', contentDir: {written}}}]")
    assert [(problem.id, problem.place.path) for problem in found] == [(id, f"pages[0].{path}")]


@pytest.mark.parametrize("key", ["contentDir: {directory: c}", "collection: {table: posts, slugField: slug}"])
def test_a_parameter_is_needed(errors: Errors, key: str) -> None:
    """Articles and records need a parameter in the path; `:lang` tells none of them apart."""
    languages = "languages: {default: en, supported: [{code: en}]}\n"
    for path in ("/docs", "/:lang/docs"):
        found = errors(f"name: x\n{TABLES}{languages}pages: [{{name: p, path: '{path}', {key}}}]")
        assert [problem.id for problem in found] == ["no-parameter"]


def test_lang_is_a_parameter_where_there_are_no_languages(site: Sites) -> None:
    """Without `languages`, `:lang` is a parameter like any other."""
    assert (
        site("pages: [{name: p, path: '/:lang', contentDir: {directory: c}}]").pages[0].content_dir
        is not None
    )


def test_several_parameters_list_nothing(load: Load) -> None:
    """A route with more than one parameter lists nothing, and its author is told."""
    loaded = load(
        f"name: x\n{TABLES}pages:\n"
        "  - {name: p, path: '/:a/:b', collection: {table: posts, slugField: slug}}"
    )
    assert [problem.id for problem in loaded.problems] == ["many-parameters"]


@pytest.mark.parametrize(
    ("written", "markdown"),
    [
        ("{content: '# Hi', layout: prose}", MarkdownPage("# Hi", None, "prose")),
        ("{file: ./content/a.md, toc: true}", MarkdownPage(None, "content/a.md", None, Toc())),
        (
            "{layout: docs, toc: {maxDepth: 4, position: sidebar}}",
            MarkdownPage(None, None, "docs", Toc(4, "sidebar")),
        ),
        ("{toc: false}", MarkdownPage()),
        ("{toc: {}}", MarkdownPage(toc=Toc(3, "inline"))),
    ],
)
def test_markdown(page: Pages, written: str, markdown: MarkdownPage) -> None:
    """Inline Markdown, a file, or the layout of a content directory."""
    assert page(f"markdown: {written}").markdown == markdown


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{content: a, file: b.md}", "markdown"),
        ("{file: ../b.md}", "markdown.file"),
        ("{toc: {maxDepth: 7}}", "markdown.toc.maxDepth"),
        ("{toc: {maxDepth: deep}}", "markdown.toc.maxDepth"),
        ("text", "markdown"),
    ],
)
def test_markdown_refused(page_errors: PageErrors, written: str, path: str) -> None:
    """Two sources, a file outside the site, or a heading level that does not exist are refused."""
    assert [where for _, where in page_errors(f"markdown: {written}")] == [f"pages[0].{path}"]
