"""Records, read once and used twice: each page of them goes to the sitemap and to the rendering processes."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.collections import Collection, distinct
from fingerpost.catalogue.entry import Document
from fingerpost.catalogue.visitor import ANONYMOUS
from fingerpost.documents.sitemap import record_cap
from fingerpost.documents.view import Listing
from fingerpost.sources.records import Record, Snapshot
from fingerpost.web.listings import Seen, read_listing, with_names
from fingerpost_tools.building.jobs import Job, Question, RecordsJob, RecordTask
from fingerpost_tools.building.planning import Plan

# Records in one job: about a quarter of a second of work.
_JOB_RECORDS: Final = 200


class RecordReader:
    """Reads records as everyone may see them, all in one snapshot, and hands them to `submit` on the way.

    Several threads may ask for listings meanwhile.
    """

    def __init__(
        self, catalogue: Catalogue, plan: Plan, snapshot: Snapshot, submit: Callable[[Job], None]
    ) -> None:
        self._catalogue = catalogue
        self._plan = plan
        self._snapshot = snapshot
        self._submit = submit
        self._seen = Seen(lambda: ANONYMOUS)
        self._one_at_a_time = threading.Lock()
        self.done: set[int] = set()

    def expected(self) -> int:
        """How many addresses the records have, as far as one can tell without reading them."""
        cap = record_cap(self._catalogue)
        with self._one_at_a_time:
            return sum(
                self._snapshot.count(collection.selection, cap) * len(_public_templates(collection))
                for collection in self.public_collections()
            )

    def public_collections(self) -> list[Collection]:
        """The collections whose records have public pages."""
        return [c for c in self._catalogue.collections.values() if _public_templates(c)]

    def rows(self, collection: Collection, most: int) -> Iterator[Sequence[Sequence[Any]]]:
        """The rows that the sitemap asks for; by then their records are on the way to being rendered."""
        self.done.add(collection.route.position)
        fields = self._seen.fields(self._catalogue.site, collection.table)
        pages = self._snapshot.whole(collection.selection, fields, most)
        with self._one_at_a_time:
            versions = self._catalogue.family(collection).finder(self._snapshot)
        seen: set[str] = set()
        while (page := self._next(pages)) is not None:
            rows = [(row["$key"], row["$slug"], row["$lastmod"], versions(row), row) for row in page]
            self._render(collection, distinct([rows], collection, seen))
            yield rows

    def rest(self) -> None:
        """Render the records of the public collections that no sitemap asked for."""
        for collection in self.public_collections():
            if collection.route.position not in self.done:
                for _ in self.rows(collection, record_cap(self._catalogue)):
                    pass

    def listing(self, question: Question) -> Listing | None:
        """What a component's `dataSource` shows on a page."""
        languages = self._catalogue.site.languages
        language = languages.get(question.code) if languages and question.code else None
        with self._one_at_a_time:
            return read_listing(self._catalogue, question.source, language, self._seen, self._snapshot)

    def _next(self, pages: Iterator[Sequence[Record]]) -> Sequence[Record] | None:
        with self._one_at_a_time:
            return next(pages, None)

    def _render(self, collection: Collection, records: Iterable[tuple[str, str, Any]]) -> None:
        tasks = self._tasks(collection, records)
        while batch := list(islice(tasks, _JOB_RECORDS)):
            with self._one_at_a_time:
                named = with_names(
                    self._catalogue.site,
                    collection.table,
                    [task.record for task in batch],
                    self._seen,
                    self._snapshot,
                )
            shown = (task._replace(record=record) for task, record in zip(batch, named, strict=True))
            self._submit(RecordsJob(collection.route.position, tuple(shown)))

    def _tasks(self, collection: Collection, records: Iterable[tuple[str, str, Any]]) -> Iterator[RecordTask]:
        base, place = self._catalogue.origin.base, collection.route.page.place
        numbers = {id(template): number for number, template in enumerate(collection.templates)}
        for slug, encoded, (*_, versions, record) in records:
            files = []
            for template in collection.templates_of(slug, Document.HTML):
                if not template.verdict.public:
                    continue
                address = collection.address(template, encoded)
                file = self._plan.claim_page(address, base, place, f"record {slug!r} ({address})")
                if file is not None:
                    files.append((numbers[id(template)], file))
            if files:
                yield RecordTask(record, versions, tuple(files))


def _public_templates(collection: Collection) -> list[Any]:
    return [template for template in collection.templates if template.verdict.public]
