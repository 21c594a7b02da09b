"""What a rendering process does: jobs in, files out, by the views and documents that the functions use."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Entry
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.documents.html import render_page
from fingerpost.documents.view import Listing, ListingReader
from fingerpost.site.frontmatter import body_behind
from fingerpost.site.problems import ArticleError, Place, Problem
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.objects import ObjectMissing
from fingerpost.web.llms import part_name, render_full
from fingerpost.web.views import Text, Views, record_entry, text_of
from fingerpost_tools.building.jobs import (
    FullTextJob,
    Job,
    Outcome,
    PagesJob,
    PageTask,
    Question,
    RecordsJob,
    RecordTask,
)
from fingerpost_tools.building.writing import NameRefused, Writer
from fingerpost_tools.dated_directory import DatedDirectory

Ask = Callable[[Question], Listing | None]

# Lists that a process remembers: most do not depend on the page they stand on.
_LISTINGS: Final = 64


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a process needs to have the same catalogue as this one: the site, its state, origin and moment."""

    root: Path
    fingerprint: str
    origin: Origin
    now: datetime
    folder: Path
    previous: Path | None


class SiteChanged(Exception):  # noqa: N818 - says what happened
    """The site is not the one that the build began with."""


def renderer_of(recipe: Recipe, catalogue: Catalogue | None = None) -> "Renderer":
    """The renderer of a process. A copy of the leading process has its `catalogue`; any other reads the site
    again, and raises SiteChanged where it is not the same any more."""
    store = DirectoryStore(recipe.root)
    if catalogue is None:
        publication = read_publication(DatedDirectory(recipe.root))
        if publication.fingerprint != recipe.fingerprint:
            raise SiteChanged("the site changed while it was built: build again")
        catalogue = Catalogue(publication, recipe.origin, recipe.now)
    return Renderer(catalogue, store, Writer(recipe.folder, recipe.previous))


class Renderer:
    """Renders pages and records of a catalogue, and writes them."""

    def __init__(self, catalogue: Catalogue, store: DirectoryStore, writer: Writer) -> None:
        self._catalogue = catalogue
        self._entries = tuple(catalogue.all_entries())
        self._views = Views(catalogue)
        self._store = store
        self._writer = writer
        self._origin = catalogue.origin.known or ""
        self._listings: OrderedDict[str, Listing | None] = OrderedDict()

    def run(self, job: Job, ask: Ask) -> Outcome:
        """Do one job. Raises OSError where the disk fails; whatever else fails is a problem of its page."""
        outcome = Outcome()
        if isinstance(job, PagesJob):
            for task in job.tasks:
                self._page(task, ask, outcome)
        elif isinstance(job, RecordsJob):
            for record in job.tasks:
                self._record(job.position, record, ask, outcome)
        else:
            self._full_text(job, outcome)
        outcome.tally = self._writer.taken()
        return outcome

    def _page(self, task: PageTask, ask: Ask, outcome: Outcome) -> None:
        entry = self._entries[task.number]
        if not task.announces_twin:
            entry = replace(entry, twin=None)
        place = Place(entry.article.key) if entry.article is not None else entry.page.place

        def write() -> None:
            text = text_of(self._catalogue, entry, self._read)
            body = self._html(entry, text, ask)
            for file in task.files:
                self._writer.write(file, body)
            if task.twin is not None and text is not None:
                self._writer.write(task.twin, text.body.encode())
                outcome.twins += 1
            if entry.article is not None:
                outcome.articles += 1
            else:
                outcome.pages += 1

        _attempt(write, place, entry.address, outcome)

    def _record(self, position: int, task: RecordTask, ask: Ask, outcome: Outcome) -> None:
        collection = self._catalogue.collections[position]
        for number, file in task.files:

            def write(number: int = number, file: str = file) -> None:
                template = collection.templates[number]
                entry = record_entry(self._catalogue, collection, template, task.record, task.versions)
                if entry is not None:
                    self._writer.write(file, self._html(entry, None, ask))
                    outcome.records += 1

            _attempt(write, collection.route.page.place, f"record {task.record['$slug']!r}", outcome)

    def _full_text(self, job: FullTextJob, outcome: Outcome) -> None:
        articles = self._catalogue.publication.articles

        def body(key: str) -> str | None:
            try:
                return body_behind(articles[key].front, self._read(key, articles[key].etag))
            except (ArticleError, ObjectMissing, SiteChanged):  # told where its page is rendered
                return None

        for number, part in enumerate(render_full(self._catalogue, self._origin, body), 1):
            if part_name(number) not in job.own:
                self._writer.write(part_name(number), part)
                outcome.documents += 1

    def _html(self, entry: Entry, text: Text | None, ask: Ask) -> bytes:
        return render_page(self._views.view(entry, text, self._origin, self._listing_reader(entry, ask)))

    def _read(self, key: str, etag: str) -> bytes:
        stored = self._store.read(key)
        if stored.etag != etag:
            raise SiteChanged("the file changed while the site was built: build again")
        return stored.body

    def _listing_reader(self, entry: Entry, ask: Ask) -> ListingReader:
        code = entry.language.code if entry.language is not None else None

        def read(source: Mapping[str, Any]) -> Listing | None:
            name = json.dumps([source, code], sort_keys=True, default=str)
            if name not in self._listings:
                self._listings[name] = ask(Question(dict(source), code))
                if len(self._listings) > _LISTINGS:
                    self._listings.popitem(last=False)
            self._listings.move_to_end(name)
            return self._listings[name]

        return read


def _attempt(write: Callable[[], None], place: Place, what: str, outcome: Outcome) -> None:
    """Do `write`; what goes wrong is a problem of `what`, unless the disk is at fault."""
    try:
        write()
    except ArticleError as error:
        outcome.problems += error.problems.errors
    except NameRefused as error:
        outcome.problems.append(Problem("file-name", place, f"{what} is not written: {error}"))
    except ObjectMissing as error:
        outcome.problems.append(Problem("not-rendered", place, f"{what} is not written: {error} is gone"))
    except SiteChanged as error:
        outcome.problems.append(Problem("site-changed", place, f"{what}: {error}"))
    except OSError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        outcome.problems.append(Problem("not-rendered", place, f"{what} can't be rendered: {reason}"))
