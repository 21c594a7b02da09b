"""A problem of a site: where it is, what was expected there and what stood there."""

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from fingerpost.values import dataclass


class Severity(StrEnum):
    """How much a problem matters: an error is certainly wrong, the rest is judgement."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a file of the site: `file` relative to the site's root, `line` from 1, `path` as in
    `pages[2].sitemap.priority`."""

    file: str
    line: int = 0
    path: str = ""

    def __str__(self) -> str:
        spot = f"{self.file}:{self.line}" if self.line else self.file
        return f"{spot} {self.path}" if self.path else spot


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `id` is stable (kebab-case); `message` says what was expected and what was found."""

    id: str
    place: Place
    message: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"


@dataclass(slots=True)
class Problems:
    """Collects findings, so that all problems of a site are reported together."""

    found: list[Problem] = field(default_factory=list)

    def error(self, id: str, place: Place, message: str) -> None:  # noqa: A002 - the field's own name
        self.found.append(Problem(id, place, message))

    def warning(self, id: str, place: Place, message: str) -> None:  # noqa: A002
        self.found.append(Problem(id, place, message, Severity.WARNING))

    def hint(self, id: str, place: Place, message: str) -> None:  # noqa: A002
        self.found.append(Problem(id, place, message, Severity.HINT))

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.found if problem.severity is Severity.ERROR]

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


class SiteError(Exception):
    """A site whose configuration can't be used; `problems` names every reason."""

    def __init__(self, problems: Problems) -> None:
        super().__init__("\n".join(str(problem) for problem in problems.errors))
        self.problems = problems


class NotASite(SiteError):  # noqa: N818 - the name says what is wrong
    """There is no `app.yaml`: the place holds no site at all."""


class ArticleError(Exception):
    """An article that can't be read, and is left out by name; `problem` is the first of its `problems`."""

    def __init__(self, problems: Problems) -> None:
        super().__init__("\n".join(str(problem) for problem in problems.errors))
        self.problems = problems

    @property
    def problem(self) -> Problem:
        return self.problems.errors[0]
