"""Findings for a terminal and as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fingerpost.site.problems import Problem, Severity
from fingerpost_tools.checking.kinds import KINDS
from fingerpost_tools.terminal import styled

_STYLES: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.HINT: "cyan"}
# Findings of one kind that are listed, errors aside: the rest is counted.
_OF_A_KIND: Final = 10


def lines(problems: Sequence[Problem]) -> Iterator[str]:
    """One line a problem, advice below the first of each kind, and the count of each severity."""
    told: Counter[str] = Counter()
    total = Counter(problem.id for problem in problems if problem.severity is not Severity.ERROR)
    for problem in problems:
        if problem.severity is not Severity.ERROR:
            told[problem.id] += 1
            if told[problem.id] == _OF_A_KIND + 1:
                left = total[problem.id] - _OF_A_KIND
                yield styled(f"  and {left} more of {problem.id}; --format json lists them all", "dim")
            if told[problem.id] > _OF_A_KIND:
                continue
        elif problem.id not in told:
            told[problem.id] += 1
        yield line(problem)
        if told[problem.id] == 1:
            yield styled(f"  {KINDS[problem.id].advice}", "dim")
    yield summary(problems)


def line(problem: Problem) -> str:
    """One problem as a line, its severity in colour on a terminal."""
    severity = styled(str(problem.severity), _STYLES[problem.severity])
    return f"{problem.place}: {severity}: {problem.message} [{problem.id}]"


def summary(problems: Sequence[Problem]) -> str:
    """How many problems there are of each severity: `2 errors, 1 warning`."""
    counted = [(count_of(problems, severity), str(severity)) for severity in Severity]
    said = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counted if count]
    return ", ".join(said) or styled("no problems", "green")


def count_of(problems: Sequence[Problem], severity: Severity) -> int:
    """How many problems are of a severity."""
    return sum(problem.severity is severity for problem in problems)


def as_json(root: Path, problems: Sequence[Problem]) -> dict[str, Any]:
    """The JSON form. Its keys stay: later versions only add to them. `line` is 0 where a problem belongs to
    a whole file, `path` "" where it belongs to no setting."""
    return {
        "site": str(root),
        "errors": count_of(problems, Severity.ERROR),
        "warnings": count_of(problems, Severity.WARNING),
        "hints": count_of(problems, Severity.HINT),
        "problems": [
            told_to_machines(problem) | {"advice": KINDS[problem.id].advice} for problem in problems
        ],
    }


def told_to_machines(problem: Problem) -> dict[str, str | int]:
    """A problem as the commands' JSON has it."""
    return {
        "id": problem.id,
        "severity": str(problem.severity),
        "file": problem.place.file,
        "line": problem.place.line,
        "path": problem.place.path,
        "message": problem.message,
    }
