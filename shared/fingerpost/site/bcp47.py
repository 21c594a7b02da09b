"""Language tags: whether a text is one (BCP 47, RFC 5646 2.1), and its canonical case."""

import re
from typing import Final

# RFC 5646 2.1, without what no site can mean: four-letter languages are reserved, none of five to eight
# letters was ever registered, and a tag that is private use alone says nothing to a search engine.
_TAG: Final = re.compile(
    r"[a-z]{2,3}(?:-[a-z]{3}){0,3}"
    r"(?:-[a-z]{4})?"
    r"(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*)"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?",
)


def canonical_tag(text: str) -> str | None:
    """The tag in the case of RFC 5646 2.1.1 (`zh-Hans`, `pt-BR`), None where `text` is no tag.

    `_` is read as `-`, since operating systems write `zh_CN`.
    """
    lower = text.replace("_", "-").lower()
    match = _TAG.fullmatch(lower)
    if (
        match is None
        or _repeats(match["variants"].split("-")[1:])
        or _repeats(_singletons(match["extensions"]))
    ):
        return None
    first, *rest = lower.split("-")
    cased = [first]
    after_singleton = False
    for subtag in rest:
        after_singleton = after_singleton or len(subtag) == 1
        if after_singleton or len(subtag) not in (2, 4) or subtag[0].isdigit():
            cased.append(subtag)
        else:
            cased.append(subtag.upper() if len(subtag) == 2 else subtag.title())
    return "-".join(cased)


def _singletons(extensions: str) -> list[str]:
    return [subtag for subtag in extensions.split("-") if len(subtag) == 1]


def _repeats(subtags: list[str]) -> bool:
    return len(set(subtags)) != len(subtags)
