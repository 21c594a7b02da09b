"""Figures of a run, written where people look for them: below a title of a section of a Markdown file."""

import re
from collections.abc import Sequence
from pathlib import Path


def write_figures(file: Path, section: str, title: str, figures: Sequence[str]) -> None:
    """Write `figures` as a list below `### title` of `## section`, in place of the last ones. What is missing
    of the file, the section and the title is added; the rest stays as it is."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    sections = _parts(text, "## ")
    place = _place(sections, f"## {section}")
    parts = _parts(sections[place], "### ")
    parts[_place(parts, f"### {title}")] = "\n".join([f"### {title}\n", *(f"- {each}" for each in figures)])
    sections[place] = _joined(parts)
    file.write_text(_joined(sections) + "\n", encoding="utf-8")


def _parts(text: str, heading: str) -> list[str]:
    return re.split(rf"(?m)^(?={re.escape(heading)})", text)


def _place(parts: list[str], heading: str) -> int:
    """Where the part with that heading stands, at the end where there was none."""
    for number, part in enumerate(parts):
        if part.partition("\n")[0] == heading:
            return number
    parts.append(heading)
    return len(parts) - 1


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())
