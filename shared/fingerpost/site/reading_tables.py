"""`tables`: their fields, and who may read them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from fingerpost.site.model import Field, Readers, Table
from fingerpost.site.reading_access import read_readers
from fingerpost.site.value import Section, Value

_KEYS: Final = ("name", "fields", "permissions", "rowLevelPermissions")
_PERMISSIONS: Final = ("read", "fields", "inherit", "override")
_OVERRIDE: Final = ("read", "fields")
_OPTIONS: Final = ("relatedTable", "relationType", "displayField")
_WRITING: Final = frozenset({"create", "update", "write", "delete"})
# Columns that every table has, declared or not, with the field type that would declare each.
IMPLICIT: Final[Mapping[str, str]] = {
    "id": "id",
    "created_at": "created-at",
    "updated_at": "updated-at",
    "deleted_at": "deleted-at",
}


def read_tables(value: Value) -> tuple[Table, ...]:
    """Every table. A parent that is not declared is a warning, since its heirs let nobody read."""
    tables: dict[str, Table] = {}
    for item in value.items():
        table = _read_table(item)
        if table.name in tables:
            item.error("duplicate-table", f"expected each table once, found `{table.name}` again")
        tables.setdefault(table.name, table)
    for table in tables.values():
        if table.inherit is not None and table.inherit not in tables:
            message = f"expected a declared table in `inherit`, found `{table.inherit}`; nobody may read"
            value.problems.warning("unknown-table", table.place, message)
    return tuple(tables.values())


def _read_table(value: Value) -> Table:
    keys = value.section(_KEYS)
    permissions = keys.read("permissions", lambda found: found.section(_PERMISSIONS)) or Section(value, {})
    override = permissions.read("override", lambda found: found.section(_OVERRIDE)) or Section(value, {})
    fields = keys.read("fields", _read_fields) or {}
    for restrictions in (permissions, override):
        _restrict(fields, restrictions)
    return Table(
        name=keys.required("name"),
        place=value.place,
        fields=tuple(fields.values()),
        read=permissions.read("read", read_readers),
        inherit=permissions.text("inherit"),
        override=override.read("read", read_readers),
        row_level_read=keys.read("rowLevelPermissions", _rules_reading) or False,
    )


def _read_fields(value: Value) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    for item in value.items():
        keys = item.section()
        name = keys.required("name")
        if name in fields:
            item.error("duplicate-field", f"expected each field once, found `{name}` again")
        options = {key: text for key in _OPTIONS if (text := keys.text(key)) is not None}
        fields.setdefault(name, Field(name, keys.required("type"), options=options))
    return fields


def _restrict(fields: dict[str, Field], permissions: Section) -> None:
    """Give the fields their readers. A restricted column that every table has becomes a field."""
    for item in permissions.read("fields", Value.items) or ():
        keys = item.section(("field", "read"))
        name = keys.required("field")
        readers: Readers | None = keys.read("read", read_readers)
        if readers is None:
            continue
        if name in fields:
            fields[name] = replace(fields[name], readers=readers)
        elif name in IMPLICIT:
            fields[name] = Field(name, IMPLICIT[name], readers)
        elif name:
            known = ", ".join(fields)
            item.error("unknown-field", f"expected a field of the table ({known}), found `{name}`")


def _rules_reading(value: Value) -> bool:
    """Whether row-level rules may say anything about reading: all but those of writing alone do."""
    if value.is_empty:
        return False
    return not value.is_mapping or any(key not in _WRITING for key, _ in value.section())
