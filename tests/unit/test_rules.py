"""The reference's table of rules: each has a home and a test that exist, and none has two homes."""

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
REFERENCE = (TESTS.parent / "shared" / "README.md").read_text("utf-8")

HEADER = "| section | rule | home | test |\n|---|---|---|---|\n"
ROW = re.compile(r"\| ([^|]+) \| ([^|]+) \| `([\w.]+)` \| `([\w/.]+)::(\w+)` \|")
ROWS = [row.groups() for row in ROW.finditer(REFERENCE.partition(HEADER)[2].partition("\n\n")[0])]


def test_the_table_is_read_whole() -> None:
    """Every line of the table is a row of the form that the other tests read."""
    lines = REFERENCE.partition(HEADER)[2].partition("\n\n")[0].splitlines()
    assert len(ROWS) == len(lines) > 60


@pytest.mark.parametrize("home", sorted({row[2] for row in ROWS}))
def test_a_rule_has_its_home(home: str) -> None:
    """The home is a module, or a public function or class that is defined in the module named."""
    package = home if home.startswith("fingerpost_tools.") else f"fingerpost.{home}"
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        module, _, name = package.rpartition(".")
        found = getattr(importlib.import_module(module), name)
        assert found.__module__ == module
        assert not name.startswith("_")


@cache
def _names_of_tests(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"^def (test_\w+)", (TESTS / file).read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize(("file", "name"), [row[3:] for row in ROWS])
def test_a_rule_has_its_test(file: str, name: str) -> None:
    """The test stands in the file named."""
    assert name in _names_of_tests(file)


def test_no_rule_is_named_twice() -> None:
    """Each rule stands in the table once."""
    rules = [row[1] for row in ROWS]
    assert sorted(rules) == sorted(set(rules))


def test_every_section_has_its_rules() -> None:
    """Sections 2 to 13, which docstrings name, are all there."""
    sections = {row[0].partition(" ")[0] for row in ROWS}
    assert sections >= {str(number) for number in range(2, 14)}
