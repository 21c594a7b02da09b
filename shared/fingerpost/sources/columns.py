"""What Postgres itself says of a table: its columns, their types and its primary key.

The declared types of `app.yaml` are what the author meant; the catalog is what is there. SQL is built
from the latter, so that a value is compared and written by the type its column really has.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import field
from enum import Enum, auto

from fingerpost.site.model import Field, Table
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.values import dataclass

# Relationships of these kinds are kept in another table; there is no column to read.
_ELSEWHERE = frozenset({"many-to-many", "one-to-many"})

# One row of JSON per column. A domain is taken as the type it rests on in the end: a filter's value that
# breaks the domain's check should match nothing, not fail. The modifier -1 leaves lengths out of the type's
# name, since a cast to varchar(3) would cut the value that it is compared with.
CATALOG_QUERY = """
SELECT json_agg(json_build_array(
         a.attname, format_type(base.oid, -1), base.typcategory,
         CASE WHEN base.typcategory = 'A' THEN format_type(element.oid, -1) END, element.typcategory,
         key.indexrelid IS NOT NULL
       ) ORDER BY a.attnum)::text
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_type own ON own.oid = a.atttypid
CROSS JOIN LATERAL (
  WITH RECURSIVE beneath AS (
    SELECT own.* UNION ALL
    SELECT t.* FROM beneath b JOIN pg_catalog.pg_type t ON b.typtype = 'd' AND t.oid = b.typbasetype
  ) SELECT * FROM beneath WHERE typtype <> 'd'
) base
LEFT JOIN pg_catalog.pg_type element ON element.oid = base.typelem
LEFT JOIN pg_catalog.pg_index key ON key.indrelid = a.attrelid AND key.indisprimary
     AND key.indnkeyatts = 1 AND key.indkey[0] = a.attnum
WHERE a.attrelid = to_regclass(:relation) AND a.attnum > 0 AND NOT a.attisdropped
"""


class Family(Enum):
    """Types that are compared and written alike."""

    TEXT = auto()
    INTEGER = auto()
    NUMERIC = auto()
    DATE = auto()
    TIMESTAMP = auto()  # without time zone: read as UTC
    TIMESTAMPTZ = auto()
    UUID = auto()
    ARRAY = auto()
    OTHER = auto()


_FAMILIES = {
    "smallint": Family.INTEGER,
    "integer": Family.INTEGER,
    "bigint": Family.INTEGER,
    "numeric": Family.NUMERIC,
    "date": Family.DATE,
    "timestamp without time zone": Family.TIMESTAMP,
    "timestamp with time zone": Family.TIMESTAMPTZ,
    "uuid": Family.UUID,
}


@dataclass(frozen=True, slots=True)
class Type:
    """A column's type: its name as SQL, safe to cast to, and its family. `element` is an array's own type."""

    sql: str
    family: Family
    element: "Type | None" = None


@dataclass(frozen=True, slots=True)
class Relation:
    """One table as it stands in Postgres. `key` is its single-column primary key, None where it has none."""

    name: str
    types: Mapping[str, Type] = field(default_factory=dict)
    key: str | None = None

    def type_of(self, column: str) -> Type:
        """The type of `column`; RecordsUnavailable where there is no such column."""
        found = self.types.get(column)
        if found is None:
            raise RelationMismatch(f"public.{self.name}.{column}: there is no such column")
        return found

    def has(self, column: str) -> bool:
        return column in self.types

    def key_column(self) -> str:
        """The primary key; RecordsUnavailable where the table has none of one column."""
        if self.key is None:
            raise RelationMismatch(f"public.{self.name}: expected a primary key of one column, found none")
        return self.key


class RelationMismatch(RecordsUnavailable):
    """What the table was last known to hold does not serve; reading its columns again may help."""


def relation_name(table: Table) -> str:
    """The relation of a declared table: lower case, any character but `[a-z0-9_]` as `_` (SPEC section 5)."""
    return re.sub("[^a-z0-9_]", "_", table.name.lower())


def kept_elsewhere(field: Field | None) -> bool:
    """Whether a declared field has no column of its own, as a many-to-many relationship has none."""
    return (
        field is not None and field.type == "relationship" and field.options.get("relationType") in _ELSEWHERE
    )


def relation_from(name: str, catalog: str | None) -> Relation:
    """Read the answer to CATALOG_QUERY; RecordsUnavailable where there is no such table."""
    if catalog is None:
        raise RelationMismatch(f"public.{name}: there is no such table")
    types: dict[str, Type] = {}
    key: str | None = None
    for column, sql, category, element, element_category, is_key in json.loads(catalog):
        inner = None if element is None else _type(element, element_category)
        types[column] = _type(sql, category, inner)
        key = column if is_key else key
    return Relation(name, types, key)


def _type(sql: str, category: str, element: Type | None = None) -> Type:
    if category == "A" and element is not None:
        return Type(sql, Family.ARRAY, element)
    if category == "S":
        return Type(sql, Family.TEXT)
    return Type(sql, _FAMILIES.get(sql, Family.OTHER))
