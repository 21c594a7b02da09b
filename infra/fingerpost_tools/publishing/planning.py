"""What a publication will do, before anything is done: the site as it is beside the one that is live."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypedDict

from fingerpost.catalogue.article_index import INDEX, read_index, write_index
from fingerpost.catalogue.articles import ArticleFile
from fingerpost.catalogue.publication import Publication, read_publication
from fingerpost.sources.directory import DirectoryStore
from fingerpost.sources.objects import PUBLIC, ObjectInfo, content_etag
from fingerpost.sources.published import OBJECTS, STATE, Manifest, PublishedFile
from fingerpost_tools import schema
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.publishing.dating import Dates, date_articles
from fingerpost_tools.publishing.live import ASSETS, Live

# Rows for the embedded database, and what an editor reads.
_NOT_PUBLISHED: Final = frozenset({"seed.sql", schema.FILE})

# What the manifest carries of the configuration (bytes): every function reads it first, and all of it.
_CARRIED_BYTES: Final = 256 * 1024

Body = Callable[[], bytes]


class Differences(TypedDict):
    """What a publication changes, by key. `changed` have other content, `redated` another date alone."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    redated: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalSite:
    """A site on this machine as it is to be published: its files, and the dates of its articles. `at` is the
    moment of publication, in whole seconds."""

    store: DirectoryStore
    publication: Publication
    files: Mapping[str, ObjectInfo]
    dates: Dates
    at: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """One publication to be. `manifest` is the live one's own where no file differs from it.

    `uploads` are the contents that the bucket lacks, by the name of their object. `added`, `changed`,
    `redated` and `gone` are keys, compared with what is live; `kept` are not in the site any more and stay,
    as nobody said to delete them. `removed_assets` are those that S3 is to serve no longer.
    """

    manifest: Manifest
    live: Live
    uploads: Mapping[str, Body]
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    redated: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed_assets: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def switches(self) -> bool:
        """Whether another publication becomes live."""
        return self.live.manifest is None or self.manifest.id != self.live.manifest.id

    @property
    def new_assets(self) -> list[str]:
        """Assets that S3 does not serve yet: nothing that is live names them."""
        return [key for key in self._assets() if key not in self.live.assets]

    @property
    def changed_assets(self) -> list[str]:
        """Assets that S3 serves with other content. A content that is yet to be uploaded is such a one."""
        return [
            key
            for key, file in self._assets().items()
            if (there := self.live.assets.get(key)) is not None
            and there != self.live.objects.get(OBJECTS + file.etag)
        ]

    @property
    def is_nothing(self) -> bool:
        """Whether the bucket is already as it should be."""
        return not (
            self.switches or self.uploads or self.new_assets or self.changed_assets or self.removed_assets
        )

    def _assets(self) -> dict[str, PublishedFile]:
        return {key: file for key, file in self.manifest.files.items() if key.startswith(ASSETS)}


def read_local_site(root: Path, at: datetime) -> LocalSite:
    """The site at `root`. Raises SiteError and StoreUnavailable."""
    store = DirectoryStore(root)
    publication = read_publication(store)
    files = {key: info for key, info in publication.listing.items() if is_published(key)}
    dates = date_articles(root, files, [key for key in publication.articles if key in files])
    return LocalSite(store, publication, files, dates, at.replace(microsecond=0))


def is_published(key: str) -> bool:
    """Whether a file of a site's directory is part of the site: hidden ones are so below `public/` alone
    (`public/.well-known/`, but no `.env`)."""
    hidden = any(part.startswith(".") for part in key.split("/"))
    return key not in _NOT_PUBLISHED and (not hidden or key.startswith(PUBLIC))


def plan(site: LocalSite, live: Live, *, delete: bool) -> Plan:
    """How to make `site` live. What is live and no longer of the site stays, unless `delete`."""
    gone = tuple(sorted(live.keys - site.files.keys()))
    files = {key: _file(site, live, key) for key in site.files}
    bodies: dict[str, Body] = {
        OBJECTS + info.etag: _checked(site.store, key, info.etag) for key, info in site.files.items()
    }
    if not delete:
        for key in gone:
            files[key], body = live.keep(key)
            bodies.setdefault(OBJECTS + files[key].etag, body)
    files |= _carried(site, files)
    index = _index(site, live, files)
    files[INDEX] = PublishedFile(content_etag(index), len(index), site.at)
    before = live.files.get(INDEX)
    if before is not None and before.etag == files[INDEX].etag:
        files[INDEX] = before
    bodies[OBJECTS + files[INDEX].etag] = lambda: index
    manifest = _manifest(site, live, files)
    needed = {OBJECTS + file.etag for file in files.values()}
    return Plan(
        manifest=manifest,
        live=live,
        uploads={name: bodies[name] for name in sorted(needed) if name not in live.objects},
        kept=() if delete else gone,
        removed_assets=tuple(key for key in live.assets if key not in files) if delete else (),
        warnings=site.dates.warnings,
        **differences(files, live),
    )


def differences(files: Mapping[str, PublishedFile], live: Live) -> Differences:
    """The keys of `files` and of what is live, by what becomes of them."""
    keys = sorted(key for key in files if not key.startswith(STATE))
    shared = {key: live.files[key] for key in keys if key in live.files}
    same = {key: before for key, before in shared.items() if before.etag == files[key].etag}
    return {
        "added": tuple(key for key in keys if key not in shared),
        "changed": tuple(key for key in shared if key not in same),
        "redated": tuple(key for key, before in same.items() if before.modified != files[key].modified),
        "gone": tuple(sorted(live.keys - files.keys())),
    }


def guard_removal(planned: Plan, *, force: bool) -> None:
    """CommandError where more than half of what is live would go: then it is mostly another site, or a
    checkout that is not whole."""
    gone, live = len(planned.gone), len(planned.live.keys)
    if gone * 2 > live and not force:
        raise CommandError(
            f"--delete would take away {gone} of the {live} files that are live; if so meant, add --force"
        )


def _file(site: LocalSite, live: Live, key: str) -> PublishedFile:
    info, before = site.files[key], live.files.get(key)
    same = before is not None and before.etag == info.etag
    stored = before.stored if before is not None and same else site.at
    modified = site.dates.of(key, info.etag, before) if key in site.publication.articles else None
    return PublishedFile(info.etag, info.size, stored, modified)


def _carried(site: LocalSite, files: Mapping[str, PublishedFile]) -> dict[str, PublishedFile]:
    """The configuration files with their texts, app.yaml first, as long as they are small in all."""
    carried: dict[str, PublishedFile] = {}
    left = _CARRIED_BYTES
    for key in site.publication.site.files:
        if key in site.files and files[key].size <= left:
            body = _checked(site.store, key, files[key].etag)()
            carried[key] = replace(files[key], text=body.decode("utf-8"))
            left -= files[key].size
    return carried


def _checked(store: DirectoryStore, key: str, etag: str) -> Body:
    """Reads the file once more when it is sent: what goes under a content's name has to be that content."""

    def read() -> bytes:
        found = store.read(key)
        if found.etag != etag:
            raise CommandError(f"{key} was changed while the site was published: publish again")
        return found.body

    return read


def _index(site: LocalSite, live: Live, files: Mapping[str, PublishedFile]) -> bytes:
    """The index of every article in `files`, with the date that each is published with."""

    def dated(articles: Iterable[ArticleFile]) -> Iterable[ArticleFile]:
        for article in articles:
            file = files.get(article.key)
            if file is not None and file.etag == article.etag:
                yield ArticleFile(article.key, file.etag, article.front, file.modified or file.stored)

    kept = read_index(live.read(INDEX)) if any(key not in site.files for key in files) else {}
    known = {article.key: article for article in kept.values()} | dict(site.publication.articles)
    return write_index(dated(known.values()))


def _manifest(site: LocalSite, live: Live, files: Mapping[str, PublishedFile]) -> Manifest:
    if live.manifest is not None and dict(live.manifest.files) == files:
        return live.manifest
    said = "".join(f"{key}\0{file.etag}\0{file.modified}\n" for key, file in sorted(files.items()))
    name = f"{site.at:%Y%m%dT%H%M%SZ}-{content_etag(said.encode())[:8]}"
    return Manifest(name, site.at, MappingProxyType(files), site.dates.revision)
