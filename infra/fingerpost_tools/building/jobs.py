"""What the leading process and the rendering ones say to each other: jobs, outcomes, and questions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fingerpost.catalogue.families import Versions
from fingerpost.site.problems import Problem
from fingerpost.sources.records import Record
from fingerpost_tools.building.writing import Tally


class PageTask(NamedTuple):
    """A page or article to write: its place among the catalogue's entries, the files its HTML goes to, and
    that of its Markdown form. A form that is announced without a file of its own is the owner's."""

    number: int
    files: tuple[str, ...]
    twin: str | None = None
    announces_twin: bool = False


class RecordTask(NamedTuple):
    """A record to write, with its language versions: for each language it has an address in, the template's
    place and the file."""

    record: Record
    versions: Versions
    files: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PagesJob:
    """Pages and articles to write."""

    tasks: tuple[PageTask, ...]


@dataclass(frozen=True, slots=True)
class RecordsJob:
    """Records of the collection at the route `position`, with the fields that everyone may read."""

    position: int
    tasks: tuple[RecordTask, ...]


@dataclass(frozen=True, slots=True)
class FullTextJob:
    """llms-full.txt and its further parts to write, except those that the owner has `own` files for."""

    own: frozenset[str]


Job = PagesJob | RecordsJob | FullTextJob


@dataclass(frozen=True, slots=True)
class Question:
    """A component's `dataSource`, asked for a page in the language `code`."""

    source: Mapping[str, Any]
    code: str | None


@dataclass(slots=True)
class Outcome:
    """What came of jobs: how many addresses, Markdown forms and documents were written, into which files, and
    what was not written."""

    pages: int = 0
    articles: int = 0
    records: int = 0
    twins: int = 0
    documents: int = 0
    tally: Tally = field(default_factory=Tally)
    problems: list[Problem] = field(default_factory=list)

    @property
    def addresses(self) -> int:
        return self.pages + self.articles + self.records

    def add(self, other: "Outcome") -> None:
        self.pages += other.pages
        self.articles += other.articles
        self.records += other.records
        self.twins += other.twins
        self.documents += other.documents
        self.tally.add(other.tally)
        self.problems += other.problems
