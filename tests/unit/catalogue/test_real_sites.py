"""Sites as people wrote them: every address they publish leads to what is published there."""

from pathlib import Path

import pytest

from fingerpost.catalogue.addresses import decode_path
from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document, Entry
from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost.sources.directory import DirectoryStore
from tests.support import ORIGIN, REAL_SITES
from tests.unit.catalogue.catalogues import NOW

SITES = sorted(path.parent for path in REAL_SITES.glob("*/app.yaml"))


@pytest.mark.skipif(not SITES, reason="the real sites are not at hand")
@pytest.mark.parametrize("root", SITES, ids=lambda path: path.name)
def test_addresses(root: Path) -> None:
    """No article is unreadable, no address collides, and each leads back to its entry and its cluster."""
    publication = read_publication(DirectoryStore(root))
    catalogue = Catalogue(publication, resolve_origin(ORIGIN, publication.site), NOW)
    assert publication.unreadable == ()
    assert list(catalogue.problems) == []
    entries = {entry.address: entry for entry in catalogue.entries(Document.HTML)}
    assert entries
    for address, entry in entries.items():
        segments = decode_path(address)
        assert segments is not None
        found = catalogue.resolve(tuple(filter(None, segments)))
        assert isinstance(found, Entry)
        assert found is entry
        for alternate in catalogue.alternates(entry):
            assert catalogue.alternates(entries[alternate.address]) == catalogue.alternates(entry)
