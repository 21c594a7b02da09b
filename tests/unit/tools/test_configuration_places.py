"""Where a setting stands, through files and lists, and where one that is missing would."""

import pytest

from fingerpost.catalogue.publication import read_publication
from fingerpost_tools.configuration_places import ConfigurationPlaces
from tests.support import MemoryStore

_FILES: dict[str, str | bytes] = {
    "app.yaml": (
        "name: A\nseo:\n  sitemap: {maxRecords: 3}\n"
        "pages:\n- $ref: ./config/home.yaml\n- {name: p, path: /p}\n"
        "tables:\n- name: t\n  permissions:\n    read: all\n"
    ),
    "config/home.yaml": "name: home\npath: /\nmeta:\n  title: T\n",
}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("name", "app.yaml:1 name"),
        ("seo.sitemap.maxRecords", "app.yaml:3 seo.sitemap.maxRecords"),
        ("pages[0].meta.title", "config/home.yaml:4 pages[0].meta.title"),
        ("pages[1].path", "app.yaml:6 pages[1].path"),
        ("pages[1].meta.title", "app.yaml:6 pages[1]"),
        ("pages[7].meta", "app.yaml:4 pages"),
        ("seo.robots", "app.yaml:2 seo"),
        ("nothing.at.all", "app.yaml:1"),
        ("name.of[3]", "app.yaml:1 name"),
    ],
)
def test_a_config_path_has_a_place(path: str, place: str) -> None:
    """The setting's own place, in whichever file, else that of the nearest thing around it."""
    assert str(_places().of(path)) == place


def test_pages_and_tables_are_found_by_themselves() -> None:
    """A setting of a page or table of the model has the place of its config path."""
    site = read_publication(MemoryStore(_FILES)).site
    places = ConfigurationPlaces(site, MemoryStore(_FILES))
    assert str(places.of_page(site.pages[0], "meta")) == "config/home.yaml:3 pages[0].meta"
    assert str(places.of_table(site.tables[0], "permissions.read")) == (
        "app.yaml:10 tables[0].permissions.read"
    )


def _places() -> ConfigurationPlaces:
    store = MemoryStore(_FILES)
    return ConfigurationPlaces(read_publication(store).site, store)
