"""Catalogues to test: a site written in the test, read as a function reads it."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document, Entry
from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from tests.support import ORIGIN as ORIGIN
from tests.support import MemoryStore

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LANGUAGES = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"

Files = Mapping[str, str | bytes]


def catalogue_of(
    app: str, files: Files | None = None, *, base_url: str | None = ORIGIN, now: datetime = NOW
) -> Catalogue:
    """The catalogue of a site: `app` behind a name, and its other files by key."""
    store = MemoryStore({"app.yaml": f"name: Acme\n{app}", **(files or {})})
    publication = read_publication(store)
    return Catalogue(publication, resolve_origin(base_url, publication.site), now)


def articles(*keys: str) -> dict[str, str | bytes]:
    """An article with nothing but a body for each key."""
    return dict.fromkeys(keys, "Text\n")


def addresses(catalogue: Catalogue, document: Document = Document.SITEMAP) -> list[str]:
    """The addresses of the pages and articles in `document`, in catalogue order."""
    return [entry.address for entry in catalogue.entries(document)]


def entry_at(catalogue: Catalogue, address: str) -> Entry:
    """The one entry at `address`."""
    (entry,) = (entry for entry in catalogue.all_entries() if entry.address == address)
    return entry


def found(catalogue: Catalogue) -> list[str]:
    """What the catalogue reports: `id place`, in order."""
    return [f"{problem.id} {problem.place.file}" for problem in catalogue.problems]


def cluster(catalogue: Catalogue, address: str) -> list[str]:
    """The hreflang cluster of the entry at `address`, as `tag address`."""
    return [" ".join(alternate) for alternate in catalogue.alternates(entry_at(catalogue, address))]


def titles(entries: Iterable[Entry]) -> list[str]:
    """The titles of some articles."""
    return [entry.article.title for entry in entries if entry.article is not None]
