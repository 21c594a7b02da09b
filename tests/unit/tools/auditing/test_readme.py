"""What infra/README.md and the changelog say of `fingerpost audit` is true."""

import re
from pathlib import Path

from fingerpost_tools.auditing import checks
from fingerpost_tools.auditing.registry import CHECKS
from fingerpost_tools.main import parser

ROOT = Path(__file__).parents[4]
TEXT = ROOT.joinpath("infra", "README.md").read_text("utf-8")
SECTION = TEXT[TEXT.index("### fingerpost audit") :].split("\n### ", 1)[0]

assert checks.__all__


def rows(heading: str) -> list[list[str]]:
    """The cells of every row of the section's table whose header begins with `heading`."""
    table = SECTION[SECTION.index(f"| {heading} |") :].split("\n\n", 1)[0].rstrip()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_check_is_in_the_table() -> None:
    """Each check with its severity and what it says, in the registry's order, and no other."""
    expected = [[f"`{each.id}`", str(each.severity), each.says] for each in CHECKS.values()]
    assert rows("check") == expected


def test_the_checks_are_counted_truthfully() -> None:
    """However many the changelog says there are."""
    told = re.findall(r"\*\*`audit`\*\*: what (\d+) checks", ROOT.joinpath("CHANGELOG.md").read_text("utf-8"))
    assert told == [str(len(CHECKS))]


def test_every_option_is_in_the_table_with_its_default() -> None:
    """Each option of the command, and no other; a number is told as the command has it."""
    arguments = vars(parser().parse_args(["audit", "https://example.com/"]))
    told = {name.strip("`"): default for name, default, _ in rows("option")}
    assert {name.removeprefix("--").replace("-", "_") for name in told} == arguments.keys() - {"url", "run"}
    for name, default in told.items():
        value = arguments[name.removeprefix("--").replace("-", "_")]
        if default.isdecimal() and value is not None:
            assert float(default) == value
        elif default == "off":
            assert value is False
