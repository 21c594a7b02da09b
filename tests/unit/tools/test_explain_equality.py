"""What `explain` says of generated sites equals what their documents hold."""

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import unquote
from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings
from protego import Protego

from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost_tools.explaining.explainer import Explainer
from fingerpost_tools.explaining.facts import Explanation, Named, is_served
from tests.strategies import sites
from tests.support import ORIGIN, STORED, Functions, MemoryStore
from tests.unit.tools.explained import documents

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sites())
def test_the_verdict_equals_the_documents(files: Mapping[str, str | bytes]) -> None:
    """Sitemap, hreflang, feed, llms.txt, llms-full.txt, robots.txt, HTML and twins hold what is said, no less
    and no more."""
    explained = _explained(files)
    served = Functions(MemoryStore(files))
    said = {name: {a for a, found in explained.items() if name in documents(found)} for name in Named}
    assert said[Named.SITEMAP] == _locs(served)
    assert said[Named.FEED] == _items(served)
    assert said[Named.LLMS] == _linked(served)
    assert said[Named.LLMS_FULL] == _told(served)
    robots = _robots(served)
    twins = {found.decisions[Named.TWIN].reason for found in explained.values() if is_served(found)}
    for address, found in explained.items():
        if address in twins and not is_served(found):
            continue  # what answers there is the Markdown form of another
        html = served.get(address, "text/html")
        is_open = found.decisions[Named.HTML].rule != "restricted"
        # A draft's address may be that of a file of the owner's.
        answers = html.status == 200 and html.body != b"own"
        assert answers == (is_served(found) and is_open), address
        marked = found.decisions[Named.HTML].rule in ("noindex", "underscore")
        assert ("x-robots-tag" in html.headers) == (answers and marked), address
        twin = found.decisions[Named.TWIN]
        if twin.included and answers:
            assert served.get(twin.reason).status == 200
            assert served.get(twin.reason).headers["content-type"].startswith("text/markdown")
        assert found.decisions[Named.ROBOTS].included == robots.can_fetch(ORIGIN + address, "*"), address
        if answers:
            assert (Named.HREFLANG in documents(found)) == ("hreflang=" in html.text), address


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sites())
def test_every_published_address_is_found_by_itself_and_by_its_file(
    files: Mapping[str, str | bytes],
) -> None:
    """An entry that is served is what its address, its decoded form and its file explain."""
    explainer = _explainer(files)
    for answer in explainer.everything():
        if not isinstance(answer, Explanation) or not is_served(answer):
            continue
        by_address = [a for a in explainer.asked(ORIGIN + answer.address) if isinstance(a, Explanation)]
        assert [a.address for a in by_address] == [answer.address]
        if answer.source.kind == "article":
            by_file = explainer.asked(str(answer.source.file))
            assert answer.address in [a.address for a in by_file if isinstance(a, Explanation)]


def _explainer(files: Mapping[str, str | bytes]) -> Explainer:
    store = MemoryStore(files)
    publication = read_publication(store)
    now = datetime.fromtimestamp(STORED.timestamp(), STORED.tzinfo)
    return Explainer(publication, store, resolve_origin(ORIGIN, publication.site), now)


def _explained(files: Mapping[str, str | bytes]) -> dict[str, Explanation]:
    """Every entry by its address: what is served, else one that is not."""
    found: dict[str, Explanation] = {}
    for answer in _explainer(files).everything():
        if isinstance(answer, Explanation) and (is_served(answer) or answer.address not in found):
            found[answer.address] = answer
    return found


def _locs(served: Functions) -> set[str]:
    answer = served.get("/sitemap.xml")
    if answer.status != 200 or answer.body == b"own":
        return set()
    return {str(loc.text).removeprefix(ORIGIN) for loc in ElementTree.fromstring(answer.body).iter(_LOC)}


def _items(served: Functions) -> set[str]:
    answer = served.get("/feed.xml")
    if answer.status != 200 or answer.body == b"own":
        return set()
    root = ElementTree.fromstring(answer.body)
    return {str(guid.text).removeprefix(ORIGIN) for guid in root.iter("guid")}


def _linked(served: Functions) -> set[str]:
    answer = served.get("/llms.txt")
    if answer.status != 200 or answer.body == b"own":
        return set()
    links = re.findall(rf"\]\({ORIGIN}(\S+)\.md\)", answer.text)
    return {_article_of(link) for link in links}


def _article_of(stem: str) -> str:
    """The address whose Markdown form is `stem` with `.md`: a root's has `index` in its name."""
    folder, _, name = stem.rpartition("/")
    return (
        f"{folder}/" if name == "index" and folder.count("/") <= 1 and folder in ("", "/en", "/fr") else stem
    )


def _told(served: Functions) -> set[str]:
    answer = served.get("/llms-full.txt")
    if answer.status != 200:
        return set()
    return set(re.findall(rf"^Source: <{ORIGIN}(\S+)>$", answer.text, re.MULTILINE))


def _robots(served: Functions) -> Protego:
    answer = served.get("/robots.txt")
    return Protego.parse(answer.text if answer.status == 200 else "")


def test_decoded_addresses_are_understood() -> None:
    """What a person types is what the browser shows: `/docs/a b` and `/docs/a%20b` are one address."""
    files = {
        "app.yaml": "name: A\npages:\n- {name: d, path: '/d/:s', contentDir: {directory: c}}\n",
        "c/ü b.md": "x",
    }
    explainer = _explainer(files)
    for asked in ("/d/ü b", "/d/%C3%BC%20b", unquote("/d/%C3%BC b")):
        (answer,) = explainer.asked(asked)
        assert isinstance(answer, Explanation)
        assert answer.address == "/d/%C3%BC%20b"
