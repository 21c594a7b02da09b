"""Explanations to test: a site written in the test, explained and served from the same files."""

from collections.abc import Mapping
from datetime import UTC, datetime

from fingerpost.catalogue.origin import resolve_origin
from fingerpost.catalogue.publication import read_publication
from fingerpost_tools.explaining.explainer import Explainer
from fingerpost_tools.explaining.facts import Absence, Explanation, Named
from tests.support import ORIGIN, MemoryStore

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LANGUAGES = "languages: {default: en, supported: [{code: en}, {code: fr}]}\n"
DOCS = "pages:\n- {name: docs, path: '/docs/:path*', contentDir: {directory: content, slugFrom: filepath}}\n"

Files = Mapping[str, str | bytes]


def explainer_of(
    app: str,
    files: Files | None = None,
    *,
    base_url: str | None = ORIGIN,
    modified: Mapping[str, datetime] | None = None,
) -> Explainer:
    """The explainer of a site: `app` behind a name, its other files by key, and times of modification that
    were recorded when they were published."""
    store = MemoryStore({"app.yaml": f"name: Acme\n{app}", **(files or {})})
    store.modified.update(modified or {})
    publication = read_publication(store)
    return Explainer(publication, store, resolve_origin(base_url, publication.site), NOW)


def explanation(explainer: Explainer, target: str) -> Explanation:
    """The one published address that `target` is."""
    (answer,) = explainer.asked(target)
    assert isinstance(answer, Explanation), answer
    return answer


def absence(explainer: Explainer, target: str) -> Absence:
    """Why `target` is no entry."""
    (answer,) = explainer.asked(target)
    assert isinstance(answer, Absence), answer
    return answer


def rules(answer: Explanation) -> dict[str, str]:
    """What decided, for each document: the rule, in brackets where the entry is in."""
    return {
        str(name): f"({decision.rule})" if decision.included else str(decision.rule)
        for name, decision in answer.decisions.items()
    }


def documents(answer: Explanation) -> set[Named]:
    """The documents that an entry is in."""
    return {name for name, decision in answer.decisions.items() if decision.included}
