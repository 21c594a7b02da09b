"""What an explanation consists of, and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fingerpost.site.problems import Place


class Named(StrEnum):
    """The documents an entry is in or out of. The manifest names files, never an entry."""

    SITEMAP = "sitemap"
    HREFLANG = "hreflang"
    FEED = "feed"
    LLMS = "llms"
    LLMS_FULL = "llms-full"
    HTML = "html"
    TWIN = "twin"
    ROBOTS = "robots"


# The rule of what nothing keeps out.
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether an entry is in one document, the one rule that decided, and where the setting stands."""

    included: bool
    rule: str
    reason: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """What an entry is made from. `kind` is `page`, `article` or `record`; a record has `table` and `key`."""

    kind: str
    page: str
    place: Place
    file: str | None = None
    table: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Lastmod:
    """When an entry changed (a W3C datetime, None where unknown), and what says so."""

    value: str | None
    origin: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One published address. `languages` are the tags of its hreflang cluster, else its own alone."""

    address: str
    source: Source
    language: str | None
    languages: tuple[str, ...]
    lastmod: Lastmod
    decisions: Mapping[Named, Decision]


@dataclass(frozen=True, slots=True)
class Absence:
    """Something that was asked for, or is declared, and that no entry has; `rule` says why.

    `nearest` are the published addresses that resemble it most. `served` where something that is no entry
    answers there: a file, a document, a redirect.
    """

    asked: str
    rule: str
    reason: str
    place: Place | None = None
    nearest: tuple[str, ...] = ()
    served: bool = False


Answer = Explanation | Absence


def is_served(answer: Answer) -> bool:
    """Whether something answers there, if only for some."""
    return answer.served if isinstance(answer, Absence) else answer.decisions[Named.HTML].included


def as_json(answer: Answer) -> dict[str, Any]:
    """The JSON form. Its keys stay: later versions only add to them."""
    if isinstance(answer, Absence):
        return {
            "asked": answer.asked,
            "served": answer.served,
            "rule": answer.rule,
            "reason": answer.reason,
            "place": place_as_json(answer.place),
            "nearest": list(answer.nearest),
        }
    source, lastmod = answer.source, answer.lastmod
    return {
        "address": answer.address,
        "source": {
            "kind": source.kind,
            "page": source.page,
            "place": place_as_json(source.place),
            "file": source.file,
            "table": source.table,
            "key": source.key,
        },
        "language": answer.language,
        "languages": list(answer.languages),
        "lastmod": {
            "value": lastmod.value,
            "origin": lastmod.origin,
            "place": place_as_json(lastmod.place),
        },
        "documents": {
            str(name): {
                "in": decision.included,
                "rule": decision.rule,
                "reason": decision.reason,
                "place": place_as_json(decision.place),
            }
            for name, decision in answer.decisions.items()
        },
    }


def place_as_json(place: Place | None) -> dict[str, Any] | None:
    """A place, None where there is none; `line` is 0 where it is a whole file."""
    return None if place is None else {"file": place.file, "line": place.line, "path": place.path}
