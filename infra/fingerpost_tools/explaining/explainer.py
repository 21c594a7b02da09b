"""Explaining a whole site, or one thing of it that was asked for."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from fingerpost.catalogue.building import place_of
from fingerpost.catalogue.catalogue import Catalogue, RecordPath
from fingerpost.catalogue.entry import Article, Entry
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication
from fingerpost.site.model import Table
from fingerpost.site.problems import Place
from fingerpost.sources.objects import PUBLIC, ObjectStore, is_key
from fingerpost.sources.postgres import PostgresRecords
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.absence import Absences
from fingerpost_tools.explaining.documents import Decider, entry_candidate, too_long_addresses
from fingerpost_tools.explaining.facts import Absence, Answer, Explanation, Lastmod, Source
from fingerpost_tools.explaining.reasons import Reasons, changed_key, changed_line, table_named
from fingerpost_tools.explaining.records import RecordExplainer
from fingerpost_tools.robots_rules import RobotsRules

_RECORD: Final = re.compile(r"([^:/?#]+):([^/].*)", re.DOTALL)
_MARKDOWN: Final = ".md"
# Records among which a misspelt address is looked for.
_NEAR_RECORDS: Final = 5_000


class Explainer:
    """Explains one publication at one moment.

    `records` opens the database; it is called at most once, when the first record is in question, and gives
    None where the site has none. Raises StoreUnavailable, RecordsUnavailable, RobotsTooLargeError.
    """

    def __init__(
        self,
        publication: Publication,
        store: ObjectStore,
        origin: Origin,
        now: datetime,
        records: Callable[[], PostgresRecords | None] = lambda: None,
        root: Path | None = None,
    ) -> None:
        self.catalogue = Catalogue(publication, origin, now)
        self._publication = publication
        self._store = store
        self._root = root
        self._open = records
        self._opened: RecordExplainer | None = None
        self._places = ConfigurationPlaces(publication.site, store)
        self._reasons = Reasons(publication.site, self._places)
        robots = RobotsRules(self.catalogue, store, self._places)
        self._decider = Decider(self.catalogue, robots, self._reasons, self._places, self._feed_records)
        self._too_long = too_long_addresses(self.catalogue)
        self._absences = Absences(self.catalogue, self._places, self._reasons)

    def everything(self) -> Iterator[Answer]:
        """Every entry in catalogue order, then what is declared and has no address."""
        for part in self.catalogue.parts:
            if isinstance(part, Entry):
                yield self.entry(part)
            elif (records := self._records()) is not None:
                yield from records.every(part, self._decider)
        for dropped in self.catalogue.dropped:
            yield Absence(dropped.address, dropped.reason, dropped.message, dropped.place)
        for problem in self._publication.unreadable:
            yield Absence(problem.place.file, "unreadable", problem.message, problem.place)

    def asked(self, target: str) -> Iterator[Answer]:
        """What an address, a path, a file or `TABLE:KEY` is, or why it is nothing."""
        record = _RECORD.fullmatch(target)
        table = table_named(self._publication.site.tables, record[1]) if record else None
        if record is not None and table is not None:
            yield from self._record(table, record[2])
        elif (key := self._key_of(target)) is not None:
            yield from self._file(key, target)
        else:
            yield from self._address(target)

    def entry(self, entry: Entry) -> Explanation:
        """A page or an article, absent ones too."""
        article = entry.article
        candidate = entry_candidate(self.catalogue, entry, entry.address in self._too_long)
        tags = [a.hreflang for a in candidate.alternates if a.hreflang != "x-default"]
        tag = entry.language.tag if entry.language else None
        return Explanation(
            address=entry.address,
            source=self._source_of(entry),
            language=tag,
            languages=tuple(tags or ([tag] if tag else [])),
            lastmod=self._lastmod(article),
            decisions=self._decider.decisions(candidate),
        )

    # What was asked for

    def _record(self, table: Table, key: str) -> Iterator[Answer]:
        records = self._records()
        if records is None:
            yield Absence(f"{table.name}:{key}", "no-database", "no database is configured")
            return
        yield from records.with_key(table, key, self._decider)

    def _file(self, key: str, asked: str) -> Iterator[Answer]:
        found = False
        for entry in self.catalogue.all_entries():
            written = entry.page.markdown.file if entry.page.markdown else None
            if key in (entry.article.key if entry.article else None, written):
                found = True
                yield self.entry(entry)
        for dropped in self.catalogue.dropped:
            if dropped.article is not None and dropped.article.key == key:
                found = True
                absence = Absence(asked, dropped.reason, dropped.message, dropped.place)
                yield self._with_nearest(absence, dropped.address)
        if not found:
            yield self._absences.of_file(key, asked)

    def _address(self, asked: str) -> Iterator[Answer]:
        found = self._absences.resolve(asked)
        if found.note is not None:
            yield self._with_nearest(found.note, asked)
        if found.entry is not None:
            yield self.entry(found.entry)
        elif found.record is not None:
            yield self._record_at(found.record, asked)

    def _record_at(self, path: RecordPath, asked: str) -> Answer:
        records, collection = self._records(), path.collection
        if records is None:
            reason = f"the records of `{collection.table.name}` are in a database, and none is configured"
            return Absence(asked, "no-database", reason)
        template = next(each for each in collection.templates if each.variant is path.variant)
        answer = records.at(collection, template, path.slug, asked, self._decider)
        if isinstance(answer, Absence):
            return self._with_nearest(answer, asked, records.addresses(collection, _NEAR_RECORDS))
        return answer

    def _with_nearest(self, absence: Absence, asked: str, more: Iterable[str] = ()) -> Absence:
        if absence.served:
            return absence
        return replace(absence, nearest=self._absences.nearest(asked, more))

    # Parts of an explanation

    def _source_of(self, entry: Entry) -> Source:
        place, page = place_of(entry), self._places.of_page(entry.page)
        if entry.article is not None:
            return Source("article", entry.page.name, page, file=entry.article.key)
        written = entry.page.markdown.file if entry.page.markdown else None
        return Source("page", entry.page.name, page, file=written or place.file)

    def _lastmod(self, article: Article | None) -> Lastmod:
        if article is None:
            return Lastmod(None, "a declared page has none")
        if article.front.changed is not None:
            return Lastmod(article.lastmod, f"front matter, `{changed_key(article)}`", changed_line(article))
        place = Place(article.key)
        recorded = self._store.read(article.key)
        if recorded.modified is not None and recorded.modified != recorded.stored:
            return Lastmod(article.lastmod, "the last commit that changed it", place)
        return Lastmod(article.lastmod, "the file's own time", place)

    def _key_of(self, target: str) -> str | None:
        """The key of the site's file that `target` names, None where it names none.

        A file is named from the site's root or from where the command is given. One that is not there counts
        where only a file can be meant.
        """
        if "://" in target:
            return None
        if target in self._publication.listing:
            return target
        if self._root is not None:
            path = Path(target).expanduser().absolute()
            if path.is_file() and path.resolve().is_relative_to(self._root):
                return path.resolve().relative_to(self._root).as_posix()
        looks_like_one = target.lower().endswith((_MARKDOWN, ".yaml", ".yml")) or target.startswith(PUBLIC)
        return target if looks_like_one and not target.startswith("/") and is_key(target) else None

    def _records(self) -> RecordExplainer | None:
        if self._opened is None:
            source = self._open()
            if source is None:
                return None
            self._opened = RecordExplainer(self.catalogue, source, self._places)
        return self._opened

    def _feed_records(self) -> frozenset[str]:
        records = self._records()
        return records.feed_items(self.catalogue.now) if records is not None else frozenset()
