"""Tables: fields, and who may read them."""

from collections.abc import Callable

import pytest

from fingerpost.site.loading import Loaded
from fingerpost.site.model import EVERYONE, NOBODY, SIGNED_IN, Field, Readers, Site, Table
from fingerpost.site.problems import Problem

FIELDS = "fields: [{name: slug, type: single-line-text}, {name: salary, type: number}]"


@pytest.fixture
def table(site: Callable[[str], Site]) -> Callable[[str], Table]:
    """The one table of a site, from its keys in flow style."""
    return lambda keys: site(f"tables: [{{name: posts, {FIELDS}, {keys}}}]").tables[0]


Tables = Callable[[str], Table]


def test_a_table_that_declares_nothing(table: Tables) -> None:
    """Without permissions nothing is said of reading, which is not the same as public."""
    found = table("")
    assert (found.read, found.inherit, found.override, found.row_level_read) == (None, None, None, False)
    assert found.fields == (Field("slug", "single-line-text"), Field("salary", "number"))


@pytest.mark.parametrize(
    ("written", "readers"),
    [
        ("all", EVERYONE),
        ("authenticated", SIGNED_IN),
        ("[admin, editor]", Readers(roles=frozenset({"admin", "editor"}))),
        ("[]", NOBODY),
    ],
)
def test_read(table: Tables, written: str, readers: Readers | None) -> None:
    """`read` takes the three forms of an access rule."""
    assert table(f"permissions: {{read: {written}, create: [admin]}}").read == readers


def test_inherit_and_override(site: Callable[[str], Site]) -> None:
    """The parent and the overriding rule are kept for whoever resolves them."""
    parent, child = site(
        "tables: [{name: a, permissions: {read: all}},"
        " {name: b, permissions: {inherit: a, override: {read: [x]}}}]"
    ).tables
    assert (parent.read, child.read, child.inherit) == (EVERYONE, None, "a")
    assert child.override == Readers(roles=frozenset({"x"}))


def test_an_unknown_parent_is_a_warning(load: Callable[[str], Loaded]) -> None:
    """A parent that does not exist lets nobody read, and the author is told."""
    loaded = load("name: x\ntables: [{name: b, permissions: {inherit: a}}]")
    assert [problem.id for problem in loaded.problems] == ["unknown-table"]


def test_field_permissions(table: Tables) -> None:
    """A field may ask for readers of its own; a field that only restricts writing does not."""
    found = table(
        "permissions: {read: all, fields: [{field: salary, read: [hr]}, {field: slug, write: [admin]}]}"
    )
    assert found.fields == (
        Field("slug", "single-line-text"),
        Field("salary", "number", Readers(roles=frozenset({"hr"}))),
    )


def test_a_restricted_column_that_every_table_has(table: Tables) -> None:
    """A column that no one declares can be restricted too."""
    found = table("permissions: {read: all, fields: [{field: created_at, read: authenticated}]}")
    assert found.fields[-1] == Field("created_at", "created-at", SIGNED_IN)


@pytest.mark.parametrize(
    ("rules", "reading"),
    [
        ("{read: {when: {field: owner, operator: eq, value: $currentUser.id}}}", True),
        ("{create: {when: {}}, write: {when: {}}, delete: {when: {}}}", False),
        ("{update: [x]}", False),
        ("{select: x}", True),
        ("[x]", True),
        ("owner", True),
        ("true", True),
        ("{}", False),
        ("[]", False),
        ("false", False),
    ],
)
def test_row_level_rules(table: Tables, rules: str, reading: bool) -> None:
    """A row-level rule counts as one of reading unless it clearly speaks of writing alone."""
    assert table(f"rowLevelPermissions: {rules}").row_level_read is reading


def test_options_of_a_relationship(site: Callable[[str], Site]) -> None:
    """A relationship keeps what is needed to follow it."""
    (field,) = (
        site(
            "tables: [{name: a, fields: [{name: author, type: relationship, relatedTable: authors,"
            " relationType: many-to-one, displayField: name, onDelete: restrict}]}]"
        )
        .tables[0]
        .fields
    )
    assert field.options == {"relatedTable": "authors", "relationType": "many-to-one", "displayField": "name"}


@pytest.mark.parametrize(
    ("written", "id", "path"),
    [
        ("{fields: []}", "missing", "name"),
        ("{name: a, fields: [{name: b}]}", "missing", "fields[0].type"),
        ("{name: a, fields: [{type: b}]}", "missing", "fields[0].name"),
        ("{name: a, fields: [{name: b, type: c}, {name: b, type: c}]}", "duplicate-field", "fields[1]"),
        ("{name: a, permissions: all}", "wrong-type", "permissions"),
        ("{name: a, permissions: {read: everyone}}", "wrong-type", "permissions.read"),
        ("{name: a, permissions: {read: {type: owner}}}", "wrong-type", "permissions.read"),
        ("{name: a, permissions: {override: {read: public}}}", "wrong-type", "permissions.override.read"),
        (
            "{name: a, permissions: {fields: [{field: b, read: all}]}}",
            "unknown-field",
            "permissions.fields[0]",
        ),
        (
            "{name: a, permissions: {override: {fields: [{field: b, read: all}]}}}",
            "unknown-field",
            "permissions.override.fields[0]",
        ),
        ("{name: a, permissions: {fields: [{read: all}]}}", "missing", "permissions.fields[0].field"),
        ("{name: a, permissions: {inherit: [b]}}", "wrong-type", "permissions.inherit"),
        ("a", "wrong-type", ""),
    ],
)
def test_tables_refused(errors: Callable[[str], list[Problem]], written: str, id: str, path: str) -> None:  # noqa: A002
    """A permission that can't be understood refuses the site: it is never read as none."""
    found = errors(f"name: x\ntables: [{written}]")
    assert [(problem.id, problem.place.path) for problem in found] == [(id, f"tables[0].{path}".rstrip("."))]


def test_a_table_declared_twice(errors: Callable[[str], list[Problem]]) -> None:
    """Two tables of one name are refused at the second."""
    found = errors("name: x\ntables: [{name: a}, {name: a}]")
    assert [(problem.id, problem.place.path) for problem in found] == [("duplicate-table", "tables[1]")]
