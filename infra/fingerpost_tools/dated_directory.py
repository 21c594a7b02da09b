"""A site's directory, its articles dated as `publish` dates them: by the last commit that changed each.

A clone or a build machine gives every file the time of the checkout, which would be everybody's lastmod.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.objects import ObjectInfo, StoredObject
from fingerpost_tools.publishing.dating import Dates, date_articles


class DatedDirectory(DirectoryStore):
    """A DirectoryStore that gives articles git's dates, asked for once, when it is made. What differs from
    the commit, and what is changed later, has the file's own time; so has everything where there is no git.

    `warnings` says where articles could not be dated. Raises StoreUnavailable where the directory can't be
    read.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._committed: Mapping[tuple[str, str], datetime] = {}
        listing = super().list()
        articles = [key for key in listing if key.lower().endswith(".md")]
        dates = date_articles(root, listing, articles) if articles else Dates({}, {})
        self.warnings = dates.warnings
        self._committed = {(key, listing[key].etag): time for key, time in dates.committed.items()}

    def list(self, prefix: str = "") -> Mapping[str, ObjectInfo]:
        listing = super().list(prefix)
        return {
            key: replace(info, modified=self._committed.get((key, info.etag), info.modified))
            for key, info in listing.items()
        }

    def read(self, key: str) -> StoredObject:
        found = super().read(key)
        return replace(found, modified=self._committed.get((key, found.etag), found.modified))
