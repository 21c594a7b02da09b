"""What the configuration and the articles' files say by themselves, and which addresses are left out."""

from collections.abc import Iterator

from fingerpost.site.keys import suggestion
from fingerpost.site.problems import Place, Problem
from fingerpost_tools.checking.kinds import finding
from fingerpost_tools.checking.subject import Subject
from fingerpost_tools.explaining.documents import too_long_addresses

# As much of an address as a message repeats.
_SHOWN = 80
# The keys of front matter that keep an article from someone, and a key of other tools' that resembles one.
_GUARDS = frozenset({"draft", "hidden", "noindex"})
_OTHER_TOOLS = frozenset({"index"})
# The documents that a file of the owner's may stand in for.
_DOCUMENTS = ("sitemap.xml", "robots.txt", "feed.xml", "llms.txt", "llms-full.txt", "agent-readability.json")


def configuration(subject: Subject) -> Iterator[Problem]:
    """What the configuration says that can be used and still deserves a word."""
    yield from subject.publication.problems


def articles(subject: Subject) -> Iterator[Problem]:
    """Articles that are left out because their file can't be read, each with every reason."""
    from fingerpost.site.frontmatter import read_front_matter
    from fingerpost.site.problems import ArticleError

    for unreadable in subject.publication.unreadable:
        key = unreadable.place.file
        try:
            read_front_matter(subject.store.read(key).body, key)
        except ArticleError as error:
            yield from error.problems


def guards(subject: Subject) -> Iterator[Problem]:
    """Keys of front matter that resemble one that keeps an article from someone (`Draft`, `hiden`)."""
    for key, article in subject.publication.articles.items():
        for name, line in article.front.lines.items():
            meant = suggestion(name, _GUARDS | _OTHER_TOOLS)
            if meant in _GUARDS and name not in _GUARDS:
                message = f"expected a known key, found `{name}`; did you mean `{meant}`?"
                yield finding("guard-misspelt", Place(key, line), message)


def addresses(subject: Subject) -> Iterator[Problem]:
    """Addresses that are left out: taken by another entry, impossible to ask for, too long for a sitemap."""
    yield from subject.catalogue.problems
    too_long = too_long_addresses(subject.catalogue)
    for entry in subject.catalogue.all_entries():
        if entry.address in too_long:
            message = f"{entry.address[:_SHOWN]}… has {len(entry.address):,} characters, too many for a loc"
            yield finding("address-too-long", subject.place(entry), message)


def owned_documents(subject: Subject) -> Iterator[Problem]:
    """Files of the owner's that stand in the place of a derived document."""
    for name in _DOCUMENTS:
        key = subject.publication.public_file(name)
        if key is not None:
            yield finding("file-replaces", Place(key), f"/{name} is this file; none is derived")
