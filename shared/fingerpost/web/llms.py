"""Answers /llms.txt, /llms-full.txt and its further parts, and /agent-readability.json."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Article, Document, Entry
from fingerpost.catalogue.feed_source import feed_source
from fingerpost.catalogue.navigation import group_of, group_title
from fingerpost.documents.llms import FullArticle, LlmsGroup, LlmsLink, render_llms, render_llms_full
from fingerpost.documents.manifest import Artifacts, home_link_header, render_manifest
from fingerpost.limits import DOCUMENT_SECONDS
from fingerpost.site.frontmatter import body_behind
from fingerpost.site.model import Site
from fingerpost.web.answer import JSON, TEXT, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.kept import Kept
from fingerpost.web.own_files import own_file
from fingerpost.web.packed import Packed, pack
from fingerpost.web.paths import document_name
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found

LLMS: Final = "llms.txt"
LLMS_FULL: Final = "llms-full.txt"
MANIFEST: Final = "agent-readability.json"
_PART = re.compile(r"llms-full-([1-9][0-9]{0,5})\.txt")


class LlmsAnswers:
    """The answers of the llms function's instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._manifest: Kept[Packed] = Kept(DOCUMENT_SECONDS, instance.clock)
        self._index: Kept[Packed] = Kept(DOCUMENT_SECONDS, instance.clock)
        self._full: Kept[list[Packed]] = Kept(DOCUMENT_SECONDS, instance.clock)

    def answer(self, request: Request) -> Answer:
        """Answer for one of the files; 404 for one that the site has not, or does not want."""
        instance = self._instance
        catalogue = instance.catalogue()
        name = document_name(request.path, catalogue.origin) or ""
        own = own_file(instance, catalogue.publication, name, JSON if name == MANIFEST else TEXT)
        if own is not None:
            return Answer(200, *own, Policy.DOCUMENT)
        origin = catalogue.origin.known or request.own_origin
        packed = self._document(catalogue, name, origin)
        if packed is None:
            return not_found(catalogue.origin.base)
        age = instance.page_age(catalogue, DOCUMENT_SECONDS)
        media_type = JSON if name == MANIFEST else TEXT
        return Answer(200, b"", media_type, Policy.DOCUMENT, max_age=age, packed=packed)

    def _document(self, catalogue: Catalogue, name: str, origin: str) -> Packed | None:
        if name == MANIFEST:
            if not catalogue.site.readability:
                return None
            return self._manifest.get(origin, catalogue, lambda: self._render_manifest(catalogue, origin))
        if name == LLMS:
            if not has_llms(catalogue.site):
                return None
            return self._index.get(origin, catalogue, lambda: pack(render_index(catalogue, origin)))
        part = 1 if name == LLMS_FULL else _part_number(name)
        if part is None or not has_llms_full(catalogue):
            return None
        parts = self._full.get(origin, catalogue, lambda: self._render_full(catalogue, origin))
        return parts[part - 1] if part <= len(parts) else None

    def _render_manifest(self, catalogue: Catalogue, origin: str) -> Packed:
        found = artifacts(catalogue, origin + catalogue.origin.base)
        return pack(render_readability(catalogue, origin, found))

    def _render_full(self, catalogue: Catalogue, origin: str) -> list[Packed]:
        told = {article.key: article for _, article in told_articles(catalogue)}
        bodies = self._instance.bodies.get_many({key: told[key].etag for key in sorted(told)})

        def read(key: str) -> str | None:
            return body_behind(told[key].front, bodies[key]) if key in bodies else None

        return [pack(part) for part in render_full(catalogue, origin, read)]


def has_llms(site: Site) -> bool:
    """Whether the site has an llms.txt: some page has a content directory, and it is not switched off."""
    return site.llms.enabled and any(page.content_dir is not None for page in site.pages)


def has_llms_full(catalogue: Catalogue) -> bool:
    """Whether the site has an llms-full.txt: it is wanted, and some article may be in it."""
    site = catalogue.site
    return has_llms(site) and site.llms.full and any(True for _ in told_articles(catalogue))


def told_articles(catalogue: Catalogue) -> Iterator[tuple[Entry, Article]]:
    """The articles that assistants are told of: whole in llms-full.txt, and by the address of their Markdown
    form, where they have one, in llms.txt."""
    for entry in catalogue.entries(Document.LLMS):
        if entry.article is not None:
            yield entry, entry.article


def render_full(catalogue: Catalogue, origin: str, read: Callable[[str], str | None]) -> Iterator[bytes]:
    """The parts of llms-full.txt. `read` gives the body of the article at a key, None to leave it out."""
    prefix = origin + catalogue.origin.base
    articles = (
        FullArticle(article.title, origin + entry.address, body, catalogue.paths)
        for entry, article in told_articles(catalogue)
        if (body := read(article.key)) is not None
    )
    return render_llms_full(articles, lambda part: f"{prefix}/{part_name(part)}")


def part_name(part: int) -> str:
    """The file name of a part of llms-full.txt, counted from 1."""
    return LLMS_FULL if part == 1 else f"llms-full-{part}.txt"


def _part_number(name: str) -> int | None:
    found = _PART.fullmatch(name)
    return int(found[1]) if found and found[1] != "1" else None


def render_index(catalogue: Catalogue, origin: str) -> bytes:
    """llms.txt: the articles it may name, in the author's order, grouped as their navigation is."""
    site = catalogue.site
    groups: dict[str, list[LlmsLink]] = {}
    for entry, article in told_articles(catalogue):
        if entry.twin is not None:
            link = LlmsLink(article.title, origin + entry.twin, article.front.description)
            groups.setdefault(_section(catalogue, entry), []).append(link)
    full = [LlmsLink("Full text of every page", f"{origin}{catalogue.origin.base}/{LLMS_FULL}")]
    return render_llms(
        site.llms.title or site.name,
        site.llms.description or site.description,
        [LlmsGroup(title, tuple(links)) for title, links in groups.items()],
        full if has_llms_full(catalogue) else [],
    )


def _section(catalogue: Catalogue, entry: Entry) -> str:
    """The group an article stands under; a language other than the default one is named too."""
    content, languages = entry.page.content_dir, catalogue.site.languages
    group = group_of(entry)
    title = group_title(content.nav, group) if content and group else entry.page.name
    if languages is None or entry.language is None or entry.language.code == languages.default:
        return title
    return f"{title} ({entry.language.label or entry.language.code})"


def artifacts(catalogue: Catalogue, prefix: str) -> Artifacts:
    """What the site has for agents, by address behind `prefix`: origin and base path, or base path alone."""
    site, owned = catalogue.site, catalogue.publication.public_file

    def there(name: str, derived: bool) -> str | None:
        return f"{prefix}/{name}" if derived or owned(name) is not None else None

    has_articles = any(page.content_dir is not None for page in site.pages)
    feed = there("feed.xml", feed_source(catalogue) is not None)
    lists = any(part.verdict.allows(Document.SITEMAP) for part in catalogue.parts)
    return Artifacts(
        markdown=f"{prefix}/{{route}}.md" if has_articles else None,
        llms=there(LLMS, has_llms(site)),
        llms_full=there(LLMS_FULL, has_llms_full(catalogue)),
        sitemap=there("sitemap.xml", site.seo.sitemap and lists),
        robots=there("robots.txt", site.seo.robots),
        feeds=(feed,) if feed else (),
    )


def render_readability(catalogue: Catalogue, origin: str, found: Artifacts) -> bytes:
    """agent-readability.json, which names the artifacts `found`."""
    site = catalogue.site
    return render_manifest(
        site.llms.title or site.name,
        f"{origin}{catalogue.origin.base}/",
        found,
        description=site.llms.description or site.description,
        signals=site.content_signals,
    )


def home_link(catalogue: Catalogue) -> str | None:
    """The Link header of the home page: where llms.txt, the manifest and the sitemap are."""
    found = artifacts(catalogue, catalogue.origin.base)
    owned = catalogue.publication.public_file(MANIFEST) is not None
    manifest = f"{catalogue.origin.base}/{MANIFEST}" if catalogue.site.readability or owned else None
    return home_link_header(llms=found.llms, manifest=manifest, sitemap=found.sitemap)
