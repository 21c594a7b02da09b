"""Findings as SARIF 2.1.0 (OASIS Standard), which code review on the usual platforms reads."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from fingerpost import __version__
from fingerpost.site.problems import Problem, Severity
from fingerpost_tools.checking.kinds import KINDS

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME: Final = "https://github.com/fingerpost/fingerpost"
# SARIF 3.27.10: how grave a result is.
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
# What code review takes for the root of the repository.
_ROOT: Final = "%SRCROOT%"


def sarif(root: Path, problems: Sequence[Problem], here: Path) -> dict[str, Any]:
    """The log of one run. Files are relative to `here`, where the command was given, as long as the site at
    `root` is below it: code review expects them relative to the repository."""
    base = here if root.is_relative_to(here) else root
    rules = sorted({problem.id for problem in problems})
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "fingerpost",
                        "version": __version__,
                        "informationUri": _HOME,
                        "rules": [_rule(name) for name in rules],
                    }
                },
                "originalUriBaseIds": {_ROOT: {"uri": f"{base.as_uri()}/"}},
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(problem, rules.index(problem.id), root.relative_to(base).as_posix())
                    for problem in problems
                ],
            }
        ],
    }


def _rule(id: str) -> dict[str, Any]:  # noqa: A002 - SARIF's own name
    kind = KINDS[id]
    return {
        "id": id,
        "shortDescription": {"text": id.replace("-", " ").capitalize()},
        "help": {"text": kind.advice},
        "defaultConfiguration": {"level": _LEVELS[kind.severities[0]]},
    }


def _result(problem: Problem, rule: int, folder: str) -> dict[str, Any]:
    place = problem.place
    file = place.file if folder == "." else f"{folder}/{place.file}"
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file), "uriBaseId": _ROOT}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place.path:
        location["logicalLocations"] = [{"fullyQualifiedName": place.path}]
    return {
        "ruleId": problem.id,
        "ruleIndex": rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": problem.message},
        "locations": [location],
    }
