"""Figures that runs write into documentation."""

from pathlib import Path

import pytest

from tests import figures

TEXT = """# Tests

<!-- a:begin -->

old

<!-- a:end -->

<!-- b:begin -->

{table}

<!-- b:end -->
More.
"""
TABLE = "| site | pages |\n|---|---|\n| demo | 1 |\n| demo below `/wren` | 2 |"


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    """A document with two places for figures, the second of which holds a table."""
    file = tmp_path / "README.md"
    file.write_text(TEXT.format(table=TABLE), "utf-8")
    return file


def test_figures_are_written_in_place(readme: Path) -> None:
    """Figures replace those of their name and leave the rest of the document alone."""
    figures.write(readme, "a", "- 3\n- 4")
    assert readme.read_text("utf-8") == TEXT.format(table=TABLE).replace("old", "- 3\n- 4")


def test_figures_without_a_place_are_refused(readme: Path) -> None:
    """A document without the marks is told of, and not changed."""
    with pytest.raises(ValueError, match="expected figures between <!-- c:begin --> and <!-- c:end -->"):
        figures.write(readme, "c", "1")
    assert readme.read_text("utf-8") == TEXT.format(table=TABLE)


def test_figures_are_held_to_the_document(readme: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other figures than the document's fail, unless this run is to write them."""
    monkeypatch.setattr(figures, "WRITING", False)
    figures.hold(readme, "a", "old")
    with pytest.raises(AssertionError, match="FINGERPOST_WRITE_FIGURES=1 writes them anew"):
        figures.hold(readme, "a", "new")
    monkeypatch.setattr(figures, "WRITING", True)
    figures.hold(readme, "a", "new")
    assert figures.read(readme, "a") == "new"


def test_rows_are_held_one_by_one(readme: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row stands for what its first cell names: it replaces that one's row, or becomes the last."""
    monkeypatch.setattr(figures, "WRITING", False)
    figures.hold_row(readme, "b", ["demo", "1"])
    with pytest.raises(AssertionError, match=r"README\.md tells other figures of b"):
        figures.hold_row(readme, "b", ["demo", "7"])
    monkeypatch.setattr(figures, "WRITING", True)
    figures.hold_row(readme, "b", ["demo", "7"])
    figures.hold_row(readme, "b", ["blog", "3"])
    assert figures.read(readme, "b") == TABLE.replace("| demo | 1 |", "| demo | 7 |") + "\n| blog | 3 |"
