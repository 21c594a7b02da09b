"""Which line of robots.txt decides, compared with an independent reader of the standard."""

from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost_tools.configuration_places import ConfigurationPlaces
from fingerpost_tools.robots_rules import RobotsRules
from tests.support import ORIGIN, MemoryStore
from tests.unit.tools.explained import NOW


def _rules(files: dict[str, str | bytes]) -> RobotsRules:
    store = MemoryStore(files)
    publication = read_publication(store)
    catalogue = Catalogue(publication, resolve_origin(ORIGIN, publication.site), NOW)
    return RobotsRules(catalogue, store, ConfigurationPlaces(publication.site, store))


_SEGMENTS = st.sampled_from(["a", "b", "a.md", "%C3%BC", "x$", "*", "a*", "q-&-a"])
_PATTERNS = st.builds(
    lambda segments, end: "/" + "/".join(segments) + end,
    st.lists(_SEGMENTS, max_size=3),
    st.sampled_from(["", "$", "*", "/"]),
)
_LINES = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), _PATTERNS), min_size=1, max_size=6)
_PATHS = st.builds(lambda segments: "/" + "/".join(segments), st.lists(_SEGMENTS, max_size=4))


@given(_LINES, _LINES, _PATHS, st.sampled_from(["*", "GPTBot"]))
def test_the_longest_rule_decides(
    everyone: list[tuple[str, str]], named: list[tuple[str, str]], path: str, robot: str
) -> None:
    """For any rules the ruling is that of the whole file (RFC 9309 2.2.2), and its pattern stands there."""
    lines = ["User-agent: *", *(f"{verb}: {pattern}" for verb, pattern in everyone), ""]
    lines += ["User-agent: GPTBot", *(f"{verb}: {pattern}" for verb, pattern in named)]
    body = "\n".join(lines)
    rules = _rules({"app.yaml": "name: A\npages: []\n", "public/robots.txt": body})
    ruling = rules.ruling(path, robot)
    assert ruling.allowed == Protego.parse(body).can_fetch(ORIGIN + path, robot)
    if ruling.pattern is not None and ruling.place is not None:
        assert lines[ruling.place.line - 1].endswith(f": {ruling.pattern}")


def test_a_derived_rule_is_the_pages() -> None:
    """A path under `/_` is disallowed by the page's own path, in each language."""
    app = "name: A\nlanguages: {default: en, supported: [{code: en}]}\npages:\n- {name: p, path: '/_p/:x'}\n"
    rules = _rules({"app.yaml": app})
    for path in ("/_p/1", "/en/_p/1"):
        ruling = rules.ruling(path)
        assert (ruling.allowed, ruling.derived) == (False, True)
        assert str(ruling.place) == "app.yaml:4 pages[0].path"


def test_a_preset_is_told_by_its_setting() -> None:
    """`robots.ai` refuses robots that train, and says so at its own line."""
    rules = _rules({"app.yaml": "name: A\npages: []\nrobots:\n  ai:\n    training: disallow\n"})
    ruling = rules.ruling("/", "GPTBot")
    assert not ruling.allowed
    assert str(ruling.place) == "app.yaml:4 robots.ai"
    assert "GPTBot" in rules.refused("/")
    assert rules.ruling("/").allowed
