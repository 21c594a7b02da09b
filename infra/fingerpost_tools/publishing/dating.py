"""The date of each article: git's, else the one recorded before, else the file's own; never a clone's."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fingerpost.sources.objects import ObjectInfo
from fingerpost.sources.published import PublishedFile
from fingerpost_tools.publishing.history import NoHistory, read_history

_SHALLOW = (
    "this clone is shallow: git names its oldest commit for every file that has not changed since, and the "
    "files themselves bear the clone's own date; a publication keeps the dates recorded before, and gives "
    "others its own time (for true dates fetch the history: `git fetch --unshallow`, `fetch-depth: 0` in "
    "GitHub Actions)"
)


@dataclass(frozen=True, slots=True)
class Dates:
    """What is known of articles' modification times. `committed` is git's word and final. `files` are the
    files' own times, which hold where nothing was recorded for the same content. Where `warnings` speak of
    it, an article is in neither."""

    committed: Mapping[str, datetime]
    files: Mapping[str, datetime]
    revision: str = ""
    warnings: tuple[str, ...] = ()

    def of(self, key: str, etag: str, before: PublishedFile | None) -> datetime | None:
        """The time an article's content was last changed, None where nobody knows. `before` is what was
        published at its key."""
        if key in self.committed:
            return self.committed[key]
        if before is not None and before.etag == etag and before.modified is not None:
            return before.modified
        return self.files.get(key)


def date_articles(root: Path, listing: Mapping[str, ObjectInfo], keys: Iterable[str]) -> Dates:
    """The dates of the articles at `keys`, files below `root` that `listing` shows."""
    # git knows a symbolic link, not the file behind it.
    real = {key: os.path.relpath(os.path.realpath(root / key), root).replace(os.sep, "/") for key in keys}
    own = {key: listing[key].modified.replace(microsecond=0) for key in real}
    try:
        history = read_history(root, set(real.values()))
    except NoHistory as reason:
        in_repository = any((folder / ".git").exists() for folder in (root, *root.parents))
        warning = f"git could not be asked for the dates of articles, the files' own are used: {reason}"
        return Dates({}, own, warnings=(warning,) if in_repository else ())
    committed = {key: history.changed[name] for key, name in real.items() if name in history.changed}
    if not history.shallow:
        return Dates(committed, own, history.revision)
    kept = {key: own[key] for key, name in real.items() if name in history.own}
    unknown = len(real) - len(committed) - len(kept)
    return Dates(committed, kept, history.revision, (_SHALLOW,) if unknown else ())
