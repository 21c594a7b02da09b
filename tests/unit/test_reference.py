"""The reference: every setting, key, command and option stands in it, and nothing that is no more."""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost_tools.completion import Command, commands
from fingerpost_tools.configuration_keys import KEYS, Key, reference_row
from fingerpost_tools.main import parser

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "shared" / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "infra" / "README.md").read_text(encoding="utf-8").partition("\n## Command line\n")[2]

_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
# Options of a socket, by their names in the module `socket`.
_SOCKET_OPTION = re.compile(r"TCP_[A-Z_]+")


def texts(folder: str) -> Iterator[ast.Constant]:
    """Every text in the code below a folder."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node


def documented_variables(reference: str) -> set[str]:
    return {name for name in re.findall(r"`([A-Z][A-Z0-9_]*)`", reference) if _VARIABLE.fullmatch(name)}


def test_every_variable_that_the_functions_read_is_documented() -> None:
    """Names of environment variables in the layer's code are those of the reference's table, which has no
    others but those that Powertools reads."""
    read = {text.value for folder in ("shared/fingerpost", "functions") for text in texts(folder)}
    names = {name for name in read if isinstance(name, str) and _VARIABLE.fullmatch(name)}
    names = {name for name in names if not _SOCKET_OPTION.fullmatch(name)}
    assert names == documented_variables(REFERENCE) - {"POWERTOOLS_LOG_LEVEL"}


def test_every_variable_that_the_commands_read_is_documented() -> None:
    """What the commands ask the environment for stands in the section on the command line, or is one of the
    functions' own."""
    asked: set[str] = set()
    for path in (ROOT / "infra" / "fingerpost_tools").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        asked.update(re.findall(r'os\.environ\.get\("([A-Z_]+)"', source))
        asked.update(re.findall(r'^[A-Z]+_VARIABLE: Final = "([A-Z_]+)"', source, re.MULTILINE))
    known = COMMAND_LINE + REFERENCE
    assert {name for name in asked if not re.search(rf"\b{name}\b", known)} == set()
    assert {"NO_COLOR", "TERM", "XDG_CACHE_HOME", "FINGERPOST_BASE_URL", "DATABASE_URL"} <= asked


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_every_key_is_documented(key: Key) -> None:
    """Each key of the configuration has its row, with the type, default and meaning that editors show."""
    assert reference_row(key) in REFERENCE.splitlines()


def test_no_key_is_documented_that_is_none() -> None:
    """The tables of keys hold no row but those."""
    tables = REFERENCE.split("\n| key | type | default | meaning | problems |\n|---|---|---|---|---|\n")[1:]
    rows = [row for table in tables for row in table.partition("\n\n")[0].splitlines()]
    assert sorted(rows) == sorted(map(reference_row, KEYS))


def section(command: Command) -> str:
    """What the README says of one command."""
    _, found, rest = COMMAND_LINE.partition(f"\n### fingerpost {command.name}\n")
    assert found, f"infra/README.md has no section on fingerpost {command.name}"
    return rest.partition("\n### ")[0]


@pytest.mark.parametrize("command", commands(parser()), ids=lambda command: command.name)
def test_every_command_and_option_is_documented(command: Command) -> None:
    """Each command has a line in the overview and a section with its exit codes, and each option a row there;
    no row is of an option that is no more."""
    assert re.search(rf"^\| `fingerpost {command.name}[ `]", COMMAND_LINE, re.MULTILINE)
    said = section(command)
    assert "Exit codes: 0 " in said
    options = {name for option in command.options for name in option.names if name not in ("-h", "--help")}
    assert set(re.findall(r"^\| `(--[a-z-]+)`", said, re.MULTILINE)) == options


@pytest.mark.parametrize("command", commands(parser()), ids=lambda command: command.name)
def test_every_help_text_has_examples(command: Command) -> None:
    """`--help` says the exit codes and shows the command at work."""
    inner = next(
        action.choices[command.name]
        for action in parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    said = inner.format_help()
    assert "exit codes: 0 " in said
    assert re.search(rf"^  .*fingerpost {command.name}", said.partition("\nexamples:\n")[2], re.MULTILINE)
    assert all(option.help for option in command.options)


@pytest.mark.parametrize("name", ["shared/README.md", "infra/README.md"])
def test_links_within_the_documentation_lead_somewhere(name: str) -> None:
    """A relative link names a file that is there, and a heading of it."""
    page = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        found = (page.parent / file).resolve() if file else page
        assert found.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in slugs, target
