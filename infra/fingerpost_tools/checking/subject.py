"""What every check looks at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Entry
from fingerpost.catalogue.origin import Origin
from fingerpost.catalogue.publication import Publication
from fingerpost.site.model import Page, Site
from fingerpost.site.problems import Place, Problem
from fingerpost.sources.objects import ObjectStore
from fingerpost.sources.postgres import PostgresRecords
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.explaining.absence import Absences
from fingerpost_tools.explaining.reasons import Reasons


@dataclass(frozen=True, slots=True)
class Subject:
    """A site whose configuration can be used. `records` is None where no database was named, `root` where
    its files are in no directory."""

    publication: Publication
    store: ObjectStore
    catalogue: Catalogue
    places: ConfigurationPlaces
    reasons: Reasons
    absences: Absences
    records: PostgresRecords | None = None
    root: Path | None = None

    @property
    def site(self) -> Site:
        return self.publication.site

    def page_place(self, page: Page, key: str = "") -> Place:
        """Where a page or one of its settings stands."""
        return self.places.of_page(page, key)

    def place(self, entry: Entry, *keys: str) -> Place:
        """Where an entry is written: the line of the first of `keys` that its front matter has, else its page
        or the head of its file."""
        if entry.article is None:
            return self.places.of_page(entry.page)
        lines = entry.article.front.lines
        key = next((key for key in keys if key in lines), None)
        return Place(entry.article.key, lines[key], key) if key else Place(entry.article.key, 1)


Check = Callable[[Subject], Iterator[Problem]]


def make_subject(
    publication: Publication,
    store: ObjectStore,
    origin: Origin,
    now: datetime,
    records: PostgresRecords | None = None,
    root: Path | None = None,
) -> Subject:
    """The subject of one publication at one moment."""
    catalogue = Catalogue(publication, origin, now)
    places = ConfigurationPlaces(publication.site, store)
    reasons = Reasons(publication.site, places)
    absences = Absences(catalogue, places, reasons)
    return Subject(publication, store, catalogue, places, reasons, absences, records, root)
