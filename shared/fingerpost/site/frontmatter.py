"""Front matter: the YAML block at an article's head, typed, and the body behind it.

python-frontmatter takes `----` for a fence, misses a block behind a byte order mark, lets a later `---` of
the body end one, and types by YAML 1.1. The handler here splits by one rule and reads YAML 1.2.
"""

import re
from types import MappingProxyType
from typing import Any, Final

from frontmatter.default_handlers import BaseHandler
from yaml.nodes import MappingNode

from fingerpost.site.dates import DateError, w3c_of
from fingerpost.site.indexing import is_noindex
from fingerpost.site.model import FrontMatter, SitemapHints
from fingerpost.site.problems import ArticleError, Problems
from fingerpost.site.reading_meta import read_canonical, read_sitemap, read_words
from fingerpost.site.value import Section, Value
from fingerpost.site.yaml12 import compose, decode, is_null, verify

__all__ = ["HANDLER", "ArticleError", "Yaml12Handler", "body_behind", "body_of", "read_front_matter"]

# A fence is exactly three dashes, trailing spaces allowed; the block begins on line 1 and ends at the first
# such line.
_BLOCK: Final = re.compile(r"\ufeff?---[ ]*\r?\n((?:.*?\n)??)---[ ]*(?:\r?\n|\Z)", re.DOTALL)
# The keys of the date of publication and of the date of change; the first that is there counts.
PUBLISHED: Final = ("date", "published_at", "created_at")
CHANGED: Final = ("updated", "lastmod", "lastModified")


class Yaml12Handler(BaseHandler):  # type: ignore[misc,unused-ignore]
    """A handler for python-frontmatter that keeps the rules of this module.

    `frontmatter.loads(text, handler=HANDLER)` gives the same metadata as `read_front_matter`, as plain data.
    """

    FM_BOUNDARY = _BLOCK
    START_DELIMITER = END_DELIMITER = "---"

    def detect(self, text: str) -> bool:
        """Whether `text` begins with a block."""
        return _BLOCK.match(text) is not None

    def split(self, text: str) -> tuple[str, str]:
        """The block's YAML and the body behind it. Raises ValueError where there is no block."""
        block = _BLOCK.match(text)
        if block is None:
            raise ValueError("no front matter")
        return block[1], text[block.end() :]

    def load(self, fm: str) -> dict[str, Any]:
        """The block's keys as plain data. Raises ArticleError where it is no YAML."""
        problems = Problems()
        keys = _keys(fm, "front matter", problems)
        if problems.errors:
            raise ArticleError(problems)
        return {} if keys is None else keys.whole.plain() or {}

    def export(self, metadata: dict[str, object], **kwargs: object) -> str:
        """Metadata as YAML."""
        import yaml

        return yaml.safe_dump(metadata, allow_unicode=True, sort_keys=False).strip()


HANDLER: Final = Yaml12Handler()


def read_front_matter(body: bytes, key: str) -> tuple[FrontMatter, str]:
    """The front matter of the file at `key`, and its body: everything behind the block, otherwise untouched.

    A file without a block, or whose block is no mapping, is all body. Raises ArticleError with every
    problem: not UTF-8, no YAML, a wrong type, a date that does not exist.
    """
    problems = Problems()
    text = decode(body, key, problems)
    if text is None:
        raise ArticleError(problems)
    keys, rest = _split(text, key, problems)
    front = FrontMatter() if keys is None else _read(keys)
    if problems.errors:
        raise ArticleError(problems)
    return front, rest


def body_of(body: bytes) -> bytes:
    """An article's file without its front matter and byte order mark: its Markdown twin.

    Raises ArticleError where the block is no YAML or the file is not UTF-8.
    """
    problems = Problems()
    text = decode(body, "the article", problems)
    rest = "" if text is None else _split(text, "the article", problems)[1]
    if problems.errors:
        raise ArticleError(problems)
    return rest.encode()


def body_behind(front: FrontMatter, body: bytes) -> str:
    """The body of an article's file that is known to have `front`, whose block is not read again.

    Raises ArticleError as `body_of` does where the block held nothing.
    """
    if not front.lines:
        return body_of(body).decode()
    return HANDLER.split(body.decode().removeprefix("\ufeff"))[1]


def _split(text: str, key: str, problems: Problems) -> tuple[Section | None, str]:
    if not HANDLER.detect(text):
        return None, text
    block, rest = HANDLER.split(text)
    keys = _keys(block, key, problems)
    return (None, text) if keys is None and not problems.errors else (keys, rest)


def _keys(block: str, key: str, problems: Problems) -> Section | None:
    """The keys of a block; None where it is no mapping. An empty block is a mapping without keys."""
    # The line break stands for the opening fence, so that lines count as in the file.
    node = compose(f"\n{block}", key, problems)
    if node is None or not (isinstance(node, MappingNode) or is_null(node)):
        return None
    value = Value(verify(node, problems), "", problems)
    return value.section() if value.is_mapping else Section(value, {})


def _read(keys: Section) -> FrontMatter:
    seo = keys.read("seo", Value.section) or Section(keys.whole, {})
    ai = keys.read("ai", Value.section) or Section(keys.whole, {})
    robots = keys.read("robots", read_words) or ""
    images = (seo.text("image"), keys.text("ogImage"), keys.text("image"))
    noindex = (keys.flag("noindex", False), seo.flag("noindex", False), is_noindex(robots))
    canonicals = (seo.read("canonical", read_canonical), keys.read("canonical", read_canonical))
    return FrontMatter(
        title=keys.text("title"),
        description=keys.text("description"),
        seo_title=seo.text("title"),
        seo_description=seo.text("description"),
        published=_date(keys, PUBLISHED),
        changed=_date(keys, CHANGED),
        draft=keys.flag("draft", False),
        hidden=keys.flag("hidden", False),
        noindex=any(noindex),
        canonical=next((url for url in canonicals if url), None),
        sitemap=keys.read("sitemap", read_sitemap) or SitemapHints(),
        image=next((image for image in images if image), None),
        category=_first_text(keys, "category", "section"),
        order=keys.text("order"),
        ai_exclude=ai.flag("exclude", False),
        data=MappingProxyType(keys.whole.plain() or {}),
        lines=MappingProxyType({key: place.line for key, place in keys.places()}),
    )


def _first_text(keys: Section, *names: str) -> str | None:
    value = keys.first(*names)
    return None if value is None else value.text()


def _date(keys: Section, names: tuple[str, ...]) -> str | None:
    """The first of some dates. All are read, since a date that does not exist is never passed over."""
    dates = [date for name in names if (date := keys.read(name, _read_date)) is not None]
    return dates[0] if dates else None


def _read_date(value: Value) -> str | None:
    text = value.text()
    if text is None:
        return None
    try:
        return w3c_of(text)
    except DateError as error:
        value.error("bad-date", str(error))
        return None
