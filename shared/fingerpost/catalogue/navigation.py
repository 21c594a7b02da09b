"""Navigation among the articles of one content directory: an article's own group, previous and next."""

from collections.abc import Mapping, Sequence

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Entry
from fingerpost.catalogue.visibility import is_listed
from fingerpost.site.model import Nav
from fingerpost.values import dataclass

# A group longer than this is shown as a window around the article, so that no page grows with the site.
GROUP_LINKS = 40


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What stands around an article: its group (titled, None without groups) in the author's order, and its
    neighbours in the whole order."""

    title: str | None
    group: tuple[Entry, ...]
    previous: Entry | None
    next: Entry | None


NO_NEIGHBOURS = Neighbours(None, (), None, None)


class Navigation:
    """The navigation of one catalogue, ordered once per content directory and language."""

    def __init__(self, catalogue: Catalogue) -> None:
        ordered: dict[tuple[int, str | None], list[Entry]] = {}
        for entry in catalogue.all_entries():
            if entry.article is not None and is_listed(entry):
                ordered.setdefault(_directory(entry), []).append(entry)
        self._groups: dict[tuple[int, str | None, str | None], list[Entry]] = {}
        self._place: dict[str, tuple[Sequence[Entry], int, Sequence[Entry], int]] = {}
        for directory, entries in ordered.items():
            for position, entry in enumerate(entries):
                group = self._groups.setdefault((*directory, group_of(entry)), [])
                self._place[entry.address] = (entries, position, group, len(group))
                group.append(entry)

    def around(self, entry: Entry) -> Neighbours:
        """The neighbours of `entry`; none where its page has no navigation or the entry is not in it."""
        content = entry.page.content_dir
        if content is None or entry.address not in self._place:
            return NO_NEIGHBOURS
        entries, position, group, within = self._place[entry.address]
        start = max(0, min(within - GROUP_LINKS // 2, len(group) - GROUP_LINKS))
        name = group_of(entry)
        return Neighbours(
            title=group_title(content.nav, name) if name is not None else None,
            group=tuple(group[start : start + GROUP_LINKS]) if content.nav.enabled else (),
            previous=entries[position - 1] if position else None,
            next=entries[position + 1] if position + 1 < len(entries) else None,
        )


def group_of(entry: Entry) -> str | None:
    """The group of an article: its front matter value under `nav.groupBy`, else its category."""
    if entry.article is None or entry.page.content_dir is None:
        return None
    key = entry.page.content_dir.nav.group_by
    value = entry.article.front.data.get(key) if key else entry.article.front.category
    return None if value is None or isinstance(value, list | Mapping) else str(value)


def label_of(entry: Entry) -> str:
    """The label of an article in navigation: its front matter value under `nav.labelFrom`, else its title."""
    article, content = entry.article, entry.page.content_dir
    if article is None:
        return entry.page.name
    value = article.front.data.get(content.nav.label_from) if content else None
    return value if isinstance(value, str) and value else article.title


def group_title(nav: Nav, group: str) -> str:
    """What a group is called: its label under `nav.groupLabels`, else itself."""
    return nav.group_labels.get(group, group)


def _directory(entry: Entry) -> tuple[int, str | None]:
    return id(entry.page), entry.language.code if entry.language else None
