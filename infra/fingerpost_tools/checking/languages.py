"""What keeps the language versions of a site from being found as such."""

from collections.abc import Iterator

from fingerpost.catalogue.entry import Document, Entry
from fingerpost.site.problems import Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject
from fingerpost_tools.subtags import tag_fault

# With fewer, a translation that is missing is no hole in a cluster: there is none.
_LANGUAGES_WITH_HOLES = 3


def origin(subject: Subject) -> Iterator[Problem]:
    """A multilingual site that does not know where it is: its pages name no alternates."""
    if subject.site.languages is not None and subject.catalogue.origin.known is None:
        message = (
            "the site has several languages, and neither `deployment.site` nor --base-url says where it is"
        )
        yield finding("no-origin", subject.places.of("languages"), message)


def codes(subject: Subject) -> Iterator[Problem]:
    """Language tags that no search engine knows."""
    languages = subject.site.languages
    for number, language in enumerate(languages.supported if languages is not None else ()):
        if (fault := tag_fault(language.tag)) is not None:
            place = subject.places.of(f"languages.supported[{number}]")
            yield finding("hreflang-unknown", place, f"{language.tag}: {fault}")
    for page in subject.site.pages:
        if page.meta.lang is not None and (fault := tag_fault(page.meta.lang)) is not None:
            yield finding(
                "hreflang-unknown", subject.page_place(page, "meta.lang"), f"{page.meta.lang}: {fault}"
            )


def holes(subject: Subject) -> Iterator[Problem]:
    """Articles that exist in every language but one: told once for each page and language."""
    languages = subject.site.languages
    if languages is None or len(languages.supported) < _LANGUAGES_WITH_HOLES:
        return
    versions: dict[str, list[Entry]] = {}
    for entry in subject.catalogue.entries(Document.HREFLANG):
        if entry.article is not None:
            versions.setdefault(entry.neutral, []).append(entry)
    missing: dict[tuple[int, str], list[Entry]] = {}
    for found in versions.values():
        left = set(languages.codes) - {entry.language.code for entry in found if entry.language}
        if len(left) == 1:
            missing.setdefault((id(found[0].page), left.pop()), []).append(found[0])
    for (_, code), entries in missing.items():
        page = entries[0].page
        yield finding(
            "translation-missing",
            subject.page_place(page, "contentDir.directory"),
            f"{_articles(len(entries), page.name)} in every language but {code}; {entries[0].address} is one",
        )


def _articles(count: int, page: str) -> str:
    if count == 1:
        return f"1 article of page `{page}` exists"
    return f"{count} articles of page `{page}` exist"
