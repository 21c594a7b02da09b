"""Figures that runs write into documentation."""

from pathlib import Path

from tests.e2e.figures import write_figures


def test_figures_are_written_in_place(tmp_path: Path) -> None:
    """Figures replace the earlier ones of their title and leave the rest of the file alone."""
    readme = tmp_path / "README.md"
    readme.write_text("# Tests\n\nAll.\n\n## Load\n\nHow.\n\n## Next\n\nMore.\n", encoding="utf-8")
    write_figures(readme, "Load", "One", ["1"])
    write_figures(readme, "Load", "Two", ["2"])
    write_figures(readme, "Load", "One", ["3", "4"])
    assert readme.read_text(encoding="utf-8") == (
        "# Tests\n\nAll.\n\n## Load\n\nHow.\n\n### One\n\n- 3\n- 4\n\n### Two\n\n- 2\n\n## Next\n\nMore.\n"
    )
