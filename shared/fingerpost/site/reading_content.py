"""What fills a page: `collection` (records), `contentDir` (articles) and `markdown`."""

from typing import Final

from fingerpost.site.model import (
    CollectionRef,
    Condition,
    ContentDir,
    MarkdownPage,
    Nav,
    Operator,
    Table,
    Toc,
)
from fingerpost.site.reading_tables import IMPLICIT
from fingerpost.site.value import Section, Value

_CONTENT_DIR: Final = ("directory", "slugFrom", "index", "include", "filter", "sort", "nav")
_NAV: Final = ("enabled", "groupBy", "labelFrom", "groupLabels")
_DIRECTIONS: Final = ("asc", "desc")


def read_collection(value: Value, tables: tuple[Table, ...]) -> CollectionRef:
    """`collection`. Its table and every field it names must be declared."""
    keys = value.section(("table", "slugField", "filter"))
    name, slug_field = keys.required("table"), keys.required("slugField")
    table = next((table for table in tables if table.name == name), None)
    if table is None and name:
        _named(keys, "table").error("unknown-table", f"expected a declared table, found `{name}`")
    if table is not None and slug_field:
        _check_field(_named(keys, "slugField"), slug_field, table)
    items = keys.read("filter", Value.items) or []
    conditions = tuple(found for item in items if (found := _read_condition(item, table)) is not None)
    return CollectionRef(name, slug_field, conditions)


def _named(keys: Section, key: str) -> Value:
    return keys.value(key) or keys.whole


def _check_field(value: Value, name: str, table: Table) -> None:
    names = [field.name for field in table.fields]
    if name not in names and name not in IMPLICIT:
        value.error(
            "unknown-field", f"expected a field of `{table.name}` ({', '.join(names)}), found `{name}`"
        )


def _read_condition(value: Value, table: Table | None) -> Condition | None:
    keys = value.section(("field", "operator", "value"))
    field = keys.required("field")
    if field and table is not None:
        _check_field(_named(keys, "field"), field, table)
    operator = keys.read("operator", lambda found: found.choice(Operator)) if "operator" in keys else "eq"
    compared = keys.value("value")
    if compared is None:
        keys.required("value")
        return None
    wanted = compared.texts() if operator == Operator.IN else compared.text()
    return None if operator is None or wanted is None else Condition(field, Operator(operator), wanted)


def read_content_dir(value: Value) -> ContentDir:
    """`contentDir`. `sort` is ascending unless `order` or `direction` says `desc`."""
    keys = value.section(_CONTENT_DIR)
    slug_from = keys.read("slugFrom", lambda found: found.choice(("filename", "filepath")))
    sort = keys.read("sort", lambda found: found.section(("field", "order", "direction")))
    direction = sort.first("order", "direction") if sort is not None else None
    directory = keys.required("directory")
    return ContentDir(
        directory=(_site_path(_named(keys, "directory"), directory) if directory else None) or "",
        by_path=slug_from == "filepath",
        index=keys.text("index"),
        include=keys.text("include") or "**/*.md",
        filter=keys.read("filter", lambda found: found.section().texts()) or {},
        sort_field=sort.required("field") if sort is not None else None,
        descending=direction is not None and direction.choice(_DIRECTIONS) == "desc",
        nav=keys.read("nav", _read_nav) or Nav(),
    )


def _read_nav(value: Value) -> Nav:
    if value.literal is not None:
        return Nav(enabled=value.literal)
    keys = value.section(_NAV)
    return Nav(
        enabled=keys.flag("enabled", True),
        group_by=keys.text("groupBy"),
        label_from=keys.text("labelFrom") or "title",
        group_labels=keys.read("groupLabels", lambda found: found.section().texts()) or {},
    )


def _site_path(value: Value, path: str) -> str | None:
    """A path of the site without `.` and doubled slashes."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or "\\" in path or not parts:
        value.expected("a path inside the site, such as content/docs", "bad-path")
        return None
    return "/".join(parts)


def read_markdown(value: Value) -> MarkdownPage:
    """`markdown`: inline `content` or a `file`, not both."""
    keys = value.section(("content", "file", "layout", "toc"))
    file = keys.value("file")
    if file is not None and "content" in keys:
        value.error("too-many", "expected `content` or `file`, found both")
    path = file.text() if file is not None else None
    return MarkdownPage(
        content=keys.text("content"),
        file=_site_path(file, path) if file is not None and path is not None else None,
        layout=keys.text("layout"),
        toc=keys.read("toc", _read_toc),
    )


def _read_toc(value: Value) -> Toc | None:
    if value.literal is not None:
        return Toc() if value.literal else None
    keys = value.section(("maxDepth", "position"))
    depth = keys.read("maxDepth", lambda found: found.integer(1, 6))
    return Toc(depth or Toc().max_depth, keys.text("position") or "inline")
