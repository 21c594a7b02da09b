"""Settings that can be used, and still do not do what their author will have meant."""

from collections.abc import Iterator

from fingerpost.catalogue.addresses import split_path
from fingerpost.catalogue.visibility import table_reading
from fingerpost.documents.components import skipped_types
from fingerpost.site.model import NOBODY
from fingerpost.site.problems import Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject


def redirects(subject: Subject) -> Iterator[Problem]:
    """`redirectTo` that leads nowhere, or to a page that sends its visitor on."""
    for page in subject.site.pages:
        to = page.access.redirect_to
        if to is None:
            continue
        place = subject.page_place(page, "access.redirectTo")
        found = subject.absences.resolve(_target(subject, to))
        if found.entry is not None:
            if found.entry.verdict.readers:
                message = f"{to} is restricted itself: who is sent there may not open it"
                yield finding("redirect-restricted", place, message)
        elif found.record is None and found.note is not None and not found.note.served:
            yield finding("redirect-nowhere", place, f"{to} leads nowhere: {found.note.reason}")


def components(subject: Subject) -> Iterator[Problem]:
    """Components that the server leaves out. One in a template is told once, however many pages place it."""
    told: set[str] = set()
    for page in subject.site.pages:
        for kind, path in skipped_types(page, subject.site):
            if path not in told:
                told.add(path)
                message = f"the component `{kind}` is not rendered"
                yield finding("component-skipped", subject.places.of(path), message)


def unreadable_collections(subject: Subject) -> Iterator[Problem]:
    """Public pages whose records no one may read."""
    for collection in subject.catalogue.collections.values():
        page = collection.route.page
        reading = table_reading(subject.site, collection.table)
        if page.access.readers.everyone and reading.readers == NOBODY:
            why = subject.reasons.unreadable(reading)
            place = why.place or subject.page_place(page, "collection")
            message = f"page `{page.name}` publishes no record: {why.reason}"
            yield finding("collection-unreadable", place, message)


def _target(subject: Subject, to: str) -> str:
    """The path that a visitor without a session is sent to, in the default language where there is one."""
    catalogue, languages = subject.catalogue, subject.site.languages
    path, _ = split_path(to)
    code = languages.default if languages is not None else None
    return catalogue.author_address(path, code)
