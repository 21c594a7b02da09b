"""The SQL that reads records: text and values, built from what a table holds and nothing else.

Every identifier is quoted, every value is a parameter and is typed by its column. Each statement answers one
text value, a JSON array: Postgres writes it and `json.loads` reads it in C, which for a page of 5,001 rows is
an order of magnitude faster than one protocol message a row.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from fingerpost.site.model import Condition, Operator, Table
from fingerpost.sources.columns import Family, Relation, Type, kept_elsewhere
from fingerpost.sources.records import KEY, RecordsUnavailable, Selection, Sort
from fingerpost.values import dataclass

# Session settings of one snapshot, local to its transaction so that a pooler in between is not disturbed.
# pg_catalog first: nothing in `public` can stand in for a built-in function or type.
BEGIN = """
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL search_path = pg_catalog, public;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, YMD';
SET LOCAL statement_timeout = {statement_ms};
SET LOCAL lock_timeout = {lock_ms};
SET LOCAL idle_in_transaction_session_timeout = {idle_ms}
"""

_COMPARISONS = {
    Operator.EQ: "=",
    Operator.NEQ: "IS DISTINCT FROM",  # a null is not equal to any value, so it passes
    Operator.GT: ">",
    Operator.GTE: ">=",
    Operator.LT: "<",
    Operator.LTE: "<=",
}
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)  # certain to fit into a bigint
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)

# Rows with one key or slug that are looked at closely.
_EXAMINED_ROWS = 100
_MOMENTS = frozenset({Family.DATE, Family.TIMESTAMP, Family.TIMESTAMPTZ})


@dataclass(frozen=True, slots=True)
class Query:
    """One statement, the values of its `:name` placeholders by name; it answers one row of one JSON text."""

    sql: str
    values: Mapping[str, str]


@dataclass(slots=True)
class _Values:
    """Hands out a placeholder for each value."""

    given: dict[str, str] = field(default_factory=dict)

    def add(self, value: str) -> str:
        name = f"v{len(self.given)}"
        self.given[name] = value
        return f":{name}"


def quoted(identifier: str) -> str:
    """An identifier in double quotes, which keeps its case and any character but NUL, that none can hold."""
    return '"' + identifier.replace("\0", "").replace('"', '""') + '"'


def rows_page(relation: Relation, selection: Selection, limit: int, after: str | None = None) -> Query:
    """`[keys, slugs, lastmods]` of up to `limit` records by ascending key, from behind the key `after`: three
    lists of one length (null for none), a lastmod in UTC and still without its `Z`."""
    values = _Values()
    key = relation.key_column()
    columns = (
        f"CAST({_column(key)} AS text) AS k, {_slug(relation, selection)} AS s, "
        f"{_lastmod(relation, selection.table, _second)} AS m"
    )
    where = _where(relation, selection, values, after)
    inner = _select(relation, columns, where, _column(key), values, limit)
    # Three long arrays take Postgres half the time of many short ones.
    sql = f"SELECT json_build_array(json_agg(k), json_agg(s), json_agg(m))::text FROM ({inner}) page"  # noqa: S608
    return Query(sql, values.given)


def records_page(
    relation: Relation, selection: Selection, fields: Sequence[str], limit: int, after: str | None = None
) -> Query:
    """Up to `limit` records with `fields` by ascending key, from behind the key `after`."""
    values = _Values()
    where = _where(relation, selection, values, after)
    columns = _columns(relation, selection, fields)
    return _objects(_select(relation, columns, where, _column(relation.key_column()), values, limit), values)


def record_by_slug(relation: Relation, selection: Selection, slug: str, fields: Sequence[str]) -> Query:
    """The first record by key whose slug is exactly `slug`."""
    values = _Values()
    where = [*_where(relation, selection, values), *_slug_is(relation, selection.slug_field, slug, values)]
    columns = _columns(relation, selection, fields)
    return _objects(_select(relation, columns, where, _column(relation.key_column()), values, 1), values)


def listing(
    relation: Relation,
    selection: Selection,
    fields: Sequence[str],
    sort: Sequence[Sort],
    limit: int,
    offset: int = 0,
) -> Query:
    """Up to `limit` records with `fields` in the order of `sort`, nulls last, then by key."""
    values = _Values()
    declared = {each.name: each for each in selection.table.fields}
    order = []
    for each in sort:
        if each.field == KEY:
            order.append(f"{_column(relation.key_column())} {'DESC' if each.descending else 'ASC'}")
        elif relation.has(each.field) or not kept_elsewhere(declared.get(each.field)):
            relation.type_of(each.field)
            order.append(f"{_column(each.field)} {'DESC' if each.descending else 'ASC'} NULLS LAST")
    order.append(_column(relation.key_column()))
    where = _where(relation, selection, values)
    columns = _columns(relation, selection, fields)
    return _objects(_select(relation, columns, where, ", ".join(order), values, limit, offset), values)


def records_count(relation: Relation, selection: Selection, most: int) -> Query:
    """How many records there are, `most` at most."""
    values = _Values()
    where = _where(relation, selection, values)
    inner = _select(relation, "1", where, _column(relation.key_column()), values, most)
    return Query(f"SELECT CAST(count(*) AS text) FROM ({inner}) page", values.given)  # noqa: S608


def rows_with_key(relation: Relation, selection: Selection, key: str) -> Query:
    """Rows whose key is `key`, examined: deleted ones too, and those that a condition leaves out."""
    values = _Values()
    same = f"CAST({_column(relation.key_column())} AS text) = CAST({values.add(key)} AS text)"
    return _examined(relation, selection, [same], values)


def rows_with_slug(relation: Relation, selection: Selection, slug: str) -> Query:
    """The same, of rows whose slug is exactly `slug`."""
    values = _Values()
    return _examined(relation, selection, _slug_is(relation, selection.slug_field, slug, values), values)


def indexes_of(relation: Relation, column: str) -> Query:
    """Whether the table has an index whose first column is `column`."""
    sql = (
        "SELECT CAST(to_json(EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
        "AND a.attnum = i.indkey[0] WHERE i.indisvalid AND i.indrelid = to_regclass(:relation) "
        "AND a.attname = CAST(:column AS text))) AS text)"
    )
    return Query(sql, {"relation": f"{quoted('public')}.{quoted(relation.name)}", "column": column})


def _examined(relation: Relation, selection: Selection, where: Sequence[str], values: _Values) -> Query:
    """`[[key, slug, {deletion mark: whether it is set}, [whether each condition is met]], ...]` by key."""
    marks = ", ".join(
        f"CAST({values.add(name)} AS text), {_column(name)} IS NOT NULL"
        for name in _deletion_marks(relation, selection.table)
    )
    met = ", ".join(
        f"({_condition(relation, condition, values)}) IS TRUE" for condition in selection.conditions
    )
    key = _column(relation.key_column())
    columns = f"{key} AS k, {_slug(relation, selection)} AS s, "
    columns += f"json_build_object({marks}) AS d, json_build_array({met}) AS m"
    inner = _select(relation, columns, where, key, values, _EXAMINED_ROWS)
    row = "json_build_array(CAST(k AS text), s, d, m)"
    return Query(f"SELECT coalesce(json_agg({row} ORDER BY k)::text, '[]') FROM ({inner}) page", values.given)  # noqa: S608


def _select(
    relation: Relation,
    columns: str,
    where: Sequence[str],
    order: str,
    values: _Values,
    limit: int,
    offset: int = 0,
) -> str:
    conditions = f" WHERE {' AND '.join(where)}" if where else ""
    skip = f" OFFSET CAST({values.add(str(offset))} AS bigint)" if offset else ""
    table = f"{quoted('public')}.{quoted(relation.name)}"
    tail = f"ORDER BY {order} LIMIT CAST({values.add(str(limit))} AS bigint){skip}"
    return f"SELECT {columns} FROM {table} AS t{conditions} {tail}"  # noqa: S608 - identifiers are quoted


def _objects(inner: str, values: _Values) -> Query:
    return Query(f"SELECT coalesce(json_agg(page)::text, '[]') FROM ({inner}) page", values.given)  # noqa: S608


def _column(name: str) -> str:
    # Qualified, or ORDER BY would take an output column of the same name in its place.
    return f"t.{quoted(name)}"


def _columns(relation: Relation, selection: Selection, fields: Sequence[str]) -> str:
    """The select list: `$key`, `$slug`, `$lastmod` and the fields asked for, never another column."""
    declared = {each.name: each for each in selection.table.fields}
    listed = {
        "$key": f"CAST({_column(relation.key_column())} AS text)",
        "$slug": _slug(relation, selection),
        "$lastmod": _lastmod(relation, selection.table, _moment),
    }
    for name in fields:
        if not relation.has(name) and kept_elsewhere(declared.get(name)):
            listed[name] = "CAST(NULL AS text)"
        else:
            listed[name] = _written(_column(name), relation.type_of(name))
    return ", ".join(f"{expression} AS {quoted(name)}" for name, expression in listed.items())


def _slug(relation: Relation, selection: Selection) -> str:
    if not selection.slug_field:
        return "CAST(NULL AS text)"
    relation.type_of(selection.slug_field)
    return f"CAST({_column(selection.slug_field)} AS text)"


def _lastmod(relation: Relation, table: Table, write: Callable[[str, Family], str]) -> str:
    """The declared field of type `updated-at`, else a column `updated_at`, else none; a column that holds no
    date or time says nothing either. `write` says how it is handed over."""
    declared = next((each.name for each in table.fields if each.type == "updated-at"), None)
    name = declared or "updated_at"
    if declared is None and not relation.has(name):
        return "CAST(NULL AS text)"
    kind = relation.type_of(name)
    return write(_column(name), kind.family) if kind.family in _MOMENTS else "CAST(NULL AS text)"


def _written(expression: str, kind: Type) -> str:
    """How a value is handed over: dates as `YYYY-MM-DD`, times in UTC with `Z`, numerics digit for digit
    (as text: JSON numbers become floats), arrays as lists of such; the rest as Postgres writes JSON."""
    if kind.family in _MOMENTS:
        return _moment(expression, kind.family)
    if kind.family is Family.NUMERIC:
        return f"CAST({expression} AS text)"
    element = kind.element
    if element is not None and (element.family in _MOMENTS or element.family is Family.NUMERIC):
        return (
            f"CASE WHEN {expression} IS NOT NULL THEN ARRAY(SELECT {_written('item.e', element)} "  # noqa: S608
            f"FROM unnest({expression}) WITH ORDINALITY AS item(e, n) ORDER BY item.n) END"
        )
    return expression


def _moment(expression: str, family: Family) -> str:
    """A date or time as text: a W3C datetime in UTC."""
    pattern = "YYYY-MM-DD" if family is Family.DATE else 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
    return _within(expression, f"to_char({_in_utc(expression, family)}, '{pattern}')")


def _second(expression: str, family: Family) -> str:
    """A date, or a time in UTC to the second, as a value: JSON writes it as W3C does, but for the `Z`, and in
    a third of the time that `to_char` takes."""
    utc = _in_utc(expression, family)
    return _within(expression, utc if family is Family.DATE else f"date_trunc('second', {utc})")


def _in_utc(expression: str, family: Family) -> str:
    return f"({expression} AT TIME ZONE 'UTC')" if family is Family.TIMESTAMPTZ else expression


def _within(expression: str, written: str) -> str:
    # W3C datetimes have four digits for the year. The same bounds leave out plus and minus infinity.
    return f"CASE WHEN {expression} >= '0001-01-01' AND {expression} < '10000-01-01' THEN {written} END"


def _where(relation: Relation, selection: Selection, values: _Values, after: str | None = None) -> list[str]:
    where = [f"{_column(name)} IS NULL" for name in _deletion_marks(relation, selection.table)]
    where += [_condition(relation, condition, values) for condition in selection.conditions]
    if selection.not_after is not None:
        name, moment = selection.not_after
        column = _column(name)
        where.append(f"({column} IS NULL OR {column} <= {_typed(moment, relation.type_of(name), values)})")
    if after is not None:
        key = relation.key_column()
        where.append(f"{_column(key)} > {_typed(after, relation.type_of(key), values)}")
    return where


def _deletion_marks(relation: Relation, table: Table) -> list[str]:
    """Columns that hold something in a soft-deleted row: `deleted_at`, and any field of type `deleted-at`."""
    marks = [each.name for each in table.fields if each.type == "deleted-at"]
    if relation.has("deleted_at") and "deleted_at" not in marks:
        marks.append("deleted_at")
    for name in marks:
        relation.type_of(name)
    return marks


def _condition(relation: Relation, condition: Condition, values: _Values) -> str:
    column, kind = _column(condition.field), relation.type_of(condition.field)
    operator, value = condition.operator, condition.value
    if operator is Operator.IN:
        each = (value,) if isinstance(value, str) else value
        return "(" + (" OR ".join(_is_one(column, kind, one, values) for one in each) or "FALSE") + ")"
    if not isinstance(value, str):
        raise RecordsUnavailable(
            f"public.{relation.name}.{condition.field}: filter {operator} takes one value, found {len(value)}"
        )
    if operator is Operator.CONTAINS:
        if kind.element is not None:
            return _is_one(column, kind, value, values)
        # Byte for byte, whatever the column's collation: a substring search knows no wildcards.
        return f'strpos(CAST({column} AS text) COLLATE "C", CAST({values.add(value)} AS text)) > 0'
    return f"{column} {_COMPARISONS[operator]} {_typed(value, kind, values)}"


def _is_one(column: str, kind: Type, value: str, values: _Values) -> str:
    """Equality with one value; on an array, membership of it."""
    if kind.element is not None:
        return f"{_typed(value, kind.element, values)} = ANY({column})"
    return f"{column} = {_typed(value, kind, values)}"


def _typed(value: str, kind: Type, values: _Values) -> str:
    """A parameter as a value of the column's type, so that the comparison is the column's own and an index
    on it serves."""
    placeholder = values.add(value)
    if kind.family is Family.INTEGER:
        # 4.5 is a fair bound for whole numbers, and 99999999999 for small ones.
        wide = "bigint" if _WHOLE_NUMBER.fullmatch(value) else "numeric"
        return f"CAST({placeholder} AS {wide})"
    if kind.family is Family.TIMESTAMP:
        # A plain cast would drop the zone that the value names.
        return f"(CAST({placeholder} AS timestamp with time zone) AT TIME ZONE 'UTC')"
    return f"CAST({placeholder} AS {kind.sql})"


def _slug_is(relation: Relation, slug_field: str, slug: str, values: _Values) -> list[str]:
    """Conditions that hold where the slug is `slug` to the letter. The second adds nothing but the column's
    own comparison, which an index serves; it stands only where the cast can't fail."""
    kind = relation.type_of(slug_field)
    column = _column(slug_field)
    exact = f'CAST({column} AS text) COLLATE "C" = CAST({values.add(slug)} AS text)'
    castable = (
        kind.family is Family.TEXT
        or (kind.family is Family.INTEGER and _WHOLE_NUMBER.fullmatch(slug))
        or (kind.family is Family.UUID and _UUID.fullmatch(slug))
    )
    return [exact, f"{column} = {_typed(slug, kind, values)}"] if castable else [exact]
