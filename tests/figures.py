"""Figures that a run finds, in the documents that tell of them, between `<!-- NAME:begin -->` and
`<!-- NAME:end -->`.

With FINGERPOST_WRITE_FIGURES=1 a run writes what it finds, in place of what an earlier one found. What is the
same in every run is held to the document besides: `hold` and `hold_row` fail where it tells something else.
"""

import fcntl
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

WRITING: Final = bool(os.environ.get("FINGERPOST_WRITE_FIGURES"))


def read(file: Path, name: str) -> str:
    """The figures `name` of a document."""
    _, figures, _ = _parts(file, file.read_text("utf-8"), name)
    return figures.strip()


def write(file: Path, name: str, figures: str) -> None:
    """Put `figures` in place of the ones there; the rest of the document stays as it is."""
    _change(file, name, lambda _: figures)


def hold(file: Path, name: str, figures: str) -> None:
    """Fail where the document tells other figures."""
    if WRITING:
        write(file, name, figures)
    assert read(file, name) == figures, _advice(file, name)


def hold_row(file: Path, name: str, cells: Sequence[str]) -> None:
    """Fail where the table in the document has another row for the thing in the first cell, or none."""
    row = as_row(cells)
    if WRITING:
        _change(file, name, lambda table: _with_row(table, row))
    assert row in read(file, name).splitlines(), _advice(file, name)


def as_row(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def _with_row(table: str, row: str) -> str:
    """The table with `row` in place of the one with the same first cell, or as its last."""
    rows = table.splitlines()
    for number, each in enumerate(rows):
        if _first_cell(each) == _first_cell(row):
            rows[number] = row
            return "\n".join(rows)
    return "\n".join([*rows, row])


def _first_cell(row: str) -> str:
    return row.removeprefix("| ").partition(" |")[0]


def _change(file: Path, name: str, change: Callable[[str], str]) -> None:
    with file.open("r+", encoding="utf-8") as document:
        # Several processes of one run may write into one document.
        fcntl.flock(document, fcntl.LOCK_EX)
        before, figures, after = _parts(file, document.read(), name)
        document.seek(0)
        document.write(f"{before}\n\n{change(figures.strip())}\n\n{after}")
        document.truncate()


def _parts(file: Path, text: str, name: str) -> tuple[str, str, str]:
    """What stands before the figures with their first mark, the figures, and what follows with their last."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, begun, rest = text.partition(begin)
    figures, ended, after = rest.partition(end)
    if not begun or not ended:
        raise ValueError(f"{file}: expected figures between {begin} and {end}, found no such place")
    return before + begin, figures, end + after


def _advice(file: Path, name: str) -> str:
    return f"{file.name} tells other figures of {name}; FINGERPOST_WRITE_FIGURES=1 writes them anew"
