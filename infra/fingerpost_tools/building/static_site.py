"""A build from beginning to end: the site is read once, at one moment, and written whole."""

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from fingerpost import __version__
from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication
from fingerpost.documents.errors import not_found_page
from fingerpost.documents.robots import RobotsTooLargeError, own_robots
from fingerpost.documents.view import Listing
from fingerpost.errors import Unavailable
from fingerpost.site.loading import CONFIGURATION
from fingerpost.site.problems import Place, Problem, Severity
from fingerpost.sources.directory import BUILD_MARK
from fingerpost.web.llms import has_llms_full
from fingerpost_tools.building.crew import Crew, cores, start_method
from fingerpost_tools.building.documents import NOT_FOUND_FILE, ROBOTS, SITEMAP, site_documents
from fingerpost_tools.building.files import NameTaken
from fingerpost_tools.building.jobs import FullTextJob, Job, Outcome, PagesJob, Question
from fingerpost_tools.building.output import Output
from fingerpost_tools.building.planning import plan
from fingerpost_tools.building.records import RecordReader
from fingerpost_tools.building.rendering import Recipe, renderer_of
from fingerpost_tools.building.sitemap import Listed, write_sitemap
from fingerpost_tools.building.writing import NameRefused, Writer
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.progress import Progress
from fingerpost_tools.whole_site import SiteRecords

# Pages and articles in one job.
_JOB_PAGES: Final = 50


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to build: the publication of the site at `root`, with every URL behind `origin`. `sitemap` is
    False where neither it nor any record is wanted."""

    root: Path
    publication: Publication
    origin: Origin
    database_url: str | None = None
    sitemap: bool = True
    processes: int = field(default_factory=cores)
    method: str = field(default_factory=start_method)


@dataclass(slots=True)
class Report:
    """What a build wrote, and every problem of it. `due` is the moment from which another build would give
    another site, because some article's date arrives."""

    outcome: Outcome
    owned: frozenset[str] = frozenset()
    sitemap_entries: int = 0
    due: datetime | None = None

    @property
    def errors(self) -> list[Problem]:
        return [p for p in self.outcome.problems if p.severity is Severity.ERROR]


def build(wanted: Wanted, output: Output, progress: Progress, say: Callable[[str], None]) -> Report:
    """Write the site into the folder of `output`; publishing it is the caller's. `say` gets a sentence about
    what is done beside. Raises CommandError where the build can't go on: a database, a disk, a process."""
    try:
        return _Build(wanted, output, progress).run(say)
    except (Unavailable, OSError) as error:
        raise CommandError(f"the build stopped: {error}") from error


class _Build:
    def __init__(self, wanted: Wanted, output: Output, progress: Progress) -> None:
        self._wanted = wanted
        self._output = output
        self._progress = progress
        self._catalogue = Catalogue(wanted.publication, wanted.origin, datetime.now(UTC))
        self._plan = plan(self._catalogue)
        self._writer = Writer(output.folder, output.previous)
        self._outcome = Outcome()
        self._reader: RecordReader | None = None
        self._empty_lists: set[str] = set()

    def run(self, say: Callable[[str], None]) -> Report:
        # First of all: DIR may be in the site, and whoever looks at the site meanwhile should pass over this.
        mark = json.dumps({"generator": f"fingerpost {__version__}"}) + "\n"
        self._writer.write(BUILD_MARK, mark.encode())
        with self._crew() as crew, self._records(crew.submit, say) as reader:
            self._reader = reader
            self._progress.begin("rendering", len(self._plan.tasks))
            if reader is not None:
                self._progress.expect(reader.expected())
            self._submit_pages(crew.submit)
            listed = self._write_sitemap(reader)
            if reader is not None:
                reader.rest()
            crew.finish()
        self._progress.begin("writing what is around them")
        self._copy_owned()
        self._write_documents()
        self._progress.end()
        return self._report(listed)

    @contextmanager
    def _crew(self) -> Iterator[Crew]:
        wanted, output = self._wanted, self._output
        recipe = Recipe(
            wanted.root,
            wanted.publication.fingerprint,
            wanted.origin,
            self._catalogue.now,
            output.folder,
            output.previous,
        )
        copies = wanted.method == "fork"
        make = partial(renderer_of, recipe, self._catalogue) if copies else partial(renderer_of, recipe)
        # What was made until now lives as long as the build. Searching it for garbage would write into every
        # page of it, and so give each process a copy of its own.
        gc.collect()
        gc.freeze()
        crew = Crew(make, wanted.processes, self._answer, self._done, wanted.method)
        try:
            yield crew
        finally:
            crew.stop()
            gc.unfreeze()

    @contextmanager
    def _records(
        self, submit: Callable[[Job], None], say: Callable[[str], None]
    ) -> Iterator[RecordReader | None]:
        """The reader of the site's records, None where it has none or none are wanted."""
        wanted, site = self._wanted, self._catalogue.site
        with SiteRecords(wanted.root, site, wanted.database_url, say) as source:
            records = source.open() if wanted.sitemap and site.tables else None
            if records is None:
                yield None
            else:
                with records.snapshot() as snapshot:
                    yield RecordReader(self._catalogue, self._plan, snapshot, submit)

    def _submit_pages(self, submit: Callable[[Job], None]) -> None:
        tasks = iter(self._plan.tasks)
        # The longest job first.
        if has_llms_full(self._catalogue):
            submit(FullTextJob(frozenset(self._plan.owned)))
        while batch := tuple(islice(tasks, _JOB_PAGES)):
            submit(PagesJob(batch))

    def _write_sitemap(self, reader: RecordReader | None) -> Listed:
        origin = self._wanted.origin.known
        if not is_sitemap_wanted(self._wanted) or origin is None:
            return Listed()
        rows = reader.rows if reader is not None else lambda collection, most: iter(())
        return write_sitemap(self._catalogue, origin, rows, self._put)

    def _answer(self, question: Question) -> Listing | None:
        if self._reader is not None:
            return self._reader.listing(question)
        self._empty_lists.add(str(question.source.get("table")))
        return None

    def _done(self, outcome: Outcome) -> None:
        self._outcome.add(outcome)
        self._progress.advance(outcome.addresses + len(outcome.problems))

    def _copy_owned(self) -> None:
        for file, key in self._plan.owned.items():
            source = self._wanted.root / key
            try:
                if file == ROBOTS:
                    self._writer.write(file, own_robots(source.read_bytes()))
                else:
                    self._writer.copy(file, source)
            except (FileNotFoundError, NameRefused) as error:
                self._problem("not-copied", Place(key), f"the file is not copied: {error}")

    def _write_documents(self) -> None:
        owned = self._plan.owned
        has_sitemap = SITEMAP in self._plan.names
        try:
            for file, body in site_documents(self._catalogue, has_sitemap=has_sitemap):
                if file not in owned:
                    self._put(file, body)
        except RobotsTooLargeError as error:
            self._problem("robots-size", Place(CONFIGURATION), str(error))
        if NOT_FOUND_FILE not in self._plan.names:
            self._put(NOT_FOUND_FILE, not_found_page(self._catalogue.origin.base))

    def _put(self, file: str, body: bytes) -> None:
        try:
            self._plan.names.claim(file)
            self._writer.write(file, body)
        except (NameTaken, NameRefused) as error:
            self._problem("file-name", Place(CONFIGURATION), f"{file} is not written: {error}")
        else:
            self._outcome.documents += 1

    def _problem(self, name: str, place: Place, message: str, severity: Severity = Severity.ERROR) -> None:
        self._outcome.problems.append(Problem(name, place, message, severity))

    def _report(self, listed: Listed) -> Report:
        publication = self._catalogue.publication
        for table in sorted(self._empty_lists):
            message = f"lists of table {table} are empty, since no record is read without the sitemap"
            self._problem("empty-list", Place(CONFIGURATION), message, Severity.WARNING)
        outcome = self._outcome
        outcome.problems = [
            *publication.problems,
            *publication.unreadable,
            *self._catalogue.problems,
            *self._plan.problems,
            *listed.problems(),
            *outcome.problems,
        ]
        outcome.tally.add(self._writer.taken())
        return Report(
            outcome,
            owned=frozenset(self._plan.owned),
            sitemap_entries=listed.entries,
            due=self._catalogue.valid_until,
        )


def is_sitemap_wanted(wanted: Wanted) -> bool:
    """Whether the build makes a sitemap: it is asked for, and the site neither refuses it nor has its own."""
    publication = wanted.publication
    return wanted.sitemap and publication.site.seo.sitemap and publication.public_file(SITEMAP) is None
