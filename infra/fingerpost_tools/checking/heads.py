"""What a search result is made of: titles, descriptions and canonical addresses."""

from collections.abc import Iterator

from fingerpost.catalogue.entry import Article, Document, Entry
from fingerpost.documents.summary import is_home, wording
from fingerpost.site.model import EMPTY, Page
from fingerpost.site.placeholders import Values, fill
from fingerpost.site.problems import Place, Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject

# Far beyond what results show (about 60 and 160 characters), so that nobody is nagged about a word.
TITLE_MOST = 120
DESCRIPTION_MOST = 320


def titles(subject: Subject) -> Iterator[Problem]:
    """Titles that are missing or far too long, of what search engines are told of."""
    for entry in _listed(subject):
        article = entry.article
        if article is not None:
            title, place = article.front.seo_title or article.front.title, ("seo.title", "title")
            if not title:
                message = f"expected `title`, found none: lists name it `{article.title}`"
                yield finding("title-missing", subject.place(entry), message)
                continue
            yield from _too_long(subject, "title", title, TITLE_MOST, entry, *place)
        elif entry.page.markdown is None:
            title = _filled(subject, entry, wording(entry.page.meta, _code(entry))[0])
            if not title and not is_home(entry):
                message = f"expected `meta.title`, found none: the page is called `{entry.page.name}`"
                yield finding("title-missing", subject.page_place(entry.page, "meta"), message)
                continue
            yield from _too_long(subject, "title", title, TITLE_MOST, entry)


def descriptions(subject: Subject) -> Iterator[Problem]:
    """Descriptions that are missing or far too long. Articles without one are told once for each page."""
    without: dict[int, list[Entry]] = {}
    for entry in _listed(subject):
        article = entry.article
        if article is None:
            if entry.page.markdown is None:
                yield from _page_description(subject, entry)
            continue
        description = article.front.seo_description or article.front.description
        if description:
            yield from _too_long(
                subject,
                "description",
                description,
                DESCRIPTION_MOST,
                entry,
                "seo.description",
                "description",
            )
        else:
            without.setdefault(id(entry.page), []).append(entry)
    for entries in without.values():
        page = entries[0].page
        files = dict.fromkeys(entry.article.key for entry in entries if entry.article)
        yield finding(
            "description-missing",
            subject.place(entries[0]),
            f"{len(files)} of {_articles(subject, page)} articles of page `{page.name}` have no "
            "`description`; this is one",
        )


def canonicals(subject: Subject) -> Iterator[Problem]:
    """Canonical addresses on this site that lead nowhere, or to a page that names yet another."""
    known = subject.catalogue.origin.known
    for entry in subject.catalogue.all_entries():
        named = entry.canonical
        if named is None or not entry.verdict.allows(Document.HTML):
            continue
        path = named.removeprefix(known) if known is not None else named
        if not path.startswith("/"):
            continue
        found = subject.absences.resolve(path)
        place = _canonical_place(subject, entry)
        if found.entry is not None and found.entry.canonical is not None:
            message = f"{named} names yet another canonical address, {found.entry.canonical}"
            yield finding("canonical-chain", place, message)
        elif found.note is not None and not found.note.served:
            yield finding("canonical-nowhere", place, f"{named} leads nowhere: {found.note.reason}")


def _listed(subject: Subject) -> Iterator[Entry]:
    """What search engines are told of, each file and page once."""
    seen: set[object] = set()
    for entry in subject.catalogue.entries(Document.SITEMAP):
        name = entry.article.key if entry.article else (id(entry.page), _code(entry))
        if name not in seen:
            seen.add(name)
            yield entry


def _code(entry: Entry) -> str | None:
    return entry.language.code if entry.language else None


def _filled(subject: Subject, entry: Entry, text: str) -> str:
    return fill(text, Values(None, EMPTY, subject.site.languages, _code(entry))).strip()


def _page_description(subject: Subject, entry: Entry) -> Iterator[Problem]:
    description = _filled(subject, entry, wording(entry.page.meta, _code(entry))[1])
    # The home page is described as the site, and titled by its name.
    if not description and not (is_home(entry) and subject.site.description):
        place = subject.page_place(entry.page, "meta")
        yield finding("description-missing", place, "expected `meta.description`, found none")
    yield from _too_long(subject, "description", description, DESCRIPTION_MOST, entry)


def _too_long(
    subject: Subject, what: str, text: str, most: int, entry: Entry, *keys: str
) -> Iterator[Problem]:
    if len(text) > most:
        place = subject.place(entry, *keys) if keys else subject.page_place(entry.page, f"meta.{what}")
        message = f"expected a {what} of at most {most} characters, found {len(text)}"
        yield finding(f"{what}-long", place, message)


def _articles(subject: Subject, page: Page) -> int:
    found: dict[str, Article] = {}
    for entry in subject.catalogue.entries(Document.SITEMAP):
        if entry.page is page and entry.article is not None:
            found[entry.article.key] = entry.article
    return len(found)


def _canonical_place(subject: Subject, entry: Entry) -> Place:
    if entry.article is not None and entry.article.front.canonical is not None:
        return subject.place(entry, "seo.canonical", "canonical")
    return subject.page_place(entry.page, "meta.canonical")
