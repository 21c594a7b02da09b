"""Where each setting of a site's configuration stands: file and line by config path."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from fingerpost.site.loading import CONFIGURATION
from fingerpost.site.model import Page, Site, Table
from fingerpost.site.problems import Place, Problems
from fingerpost.sources.objects import ObjectStore

# A config path's steps: keys between dots, places in a list between brackets.
_STEP: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


class ConfigurationPlaces:
    """Finds settings in a configuration that has been read without an error. Raises StoreUnavailable.

    A setting that is not there is at the nearest thing around it that is.
    """

    def __init__(self, site: Site, store: ObjectStore) -> None:
        from fingerpost.site.refs import join
        from fingerpost.site.value import Value

        def read(keys: Iterable[str]) -> Mapping[str, bytes]:
            return {key: stored.body for key, stored in store.read_many(keys).items()}

        self._site = site
        # The problems have been told by whoever read the site.
        self._unheard = Problems()
        root = join(CONFIGURATION, read, self._unheard).root
        self._root = None if root is None else Value(root, "", self._unheard)

    def of(self, path: str) -> Place:
        """The place of `pages[2].sitemap.priority`."""
        if self._root is None:
            return Place(CONFIGURATION, 0, path)
        value = self._root
        for key, number in _STEP.findall(path):
            inner = None
            if key and value.is_mapping:
                inner = value.section().value(key)
            elif number and value.is_list and int(number) < len(items := value.items()):
                inner = items[int(number)]
            if inner is None:
                break
            value = inner
        return value.place

    def of_page(self, page: Page, key: str = "") -> Place:
        """The place of a page, or of one of its settings by dotted key."""
        number = next((index for index, other in enumerate(self._site.pages) if other is page), None)
        if number is None:
            return page.place
        return self.of(f"pages[{number}].{key}" if key else f"pages[{number}]")

    def of_table(self, table: Table, key: str = "") -> Place:
        """The place of a table, or of one of its settings by dotted key."""
        number = next((index for index, other in enumerate(self._site.tables) if other is table), None)
        if number is None:
            return table.place
        return self.of(f"tables[{number}].{key}" if key else f"tables[{number}]")
