"""A sample of addresses, each asked for in the ways that clients and caches differ in (RFC 9110)."""

from typing import Final

from fingerpost_tools.auditing.exchange import Exchange, Visit
from fingerpost_tools.auditing.facts import Facts, Page, Probe
from fingerpost_tools.auditing.fetcher import BROWSER, Fetcher, Wish
from fingerpost_tools.auditing.markdown_files import read_markdown
from fingerpost_tools.auditing.progress import Progress
from fingerpost_tools.auditing.sampling import spread

MARKDOWN: Final = "text/markdown"
REFUSING: Final = "text/html, text/markdown;q=0"
_PAGE: Final = Wish(5 * 1024**2, BROWSER)
_DOCUMENT: Final = Wish(10 * 1024**2)


def run(fetcher: Fetcher, facts: Facts, sample: int, cookie: str, progress: Progress) -> None:
    """Probe a sample of the pages, and each well-known file that is there. `cookie` is `name=value` or ""."""
    pages = _sample(facts, sample)
    documents = _documents(facts)
    progress.stage("HTTP", len(pages) + len(documents))
    for page in pages:
        facts.probes.append(_probe_page(fetcher, page, cookie))
        progress.step(len(pages) + len(documents))
    for url in documents:
        facts.probes.append(_probe_document(fetcher, url))
        progress.step(len(pages) + len(documents))
    facts.requests = fetcher.count


def _sample(facts: Facts, most: int) -> list[Page]:
    """Pages from all over the site, half of them with a twin where there are such."""
    pages = [page for page, _ in facts.html_pages()]
    twinned = spread([page for page in pages if page.url in facts.twins], (most + 1) // 2)
    others = [page for page in pages if page not in twinned]
    return twinned + spread(others, most - len(twinned))


def _documents(facts: Facts) -> list[str]:
    sitemap = next((each.visit for each in facts.sitemaps.values()), None)
    visits = [facts.robots_visit, sitemap, facts.llms_visit, *(feed.visit for feed in facts.feeds.values())]
    return [visit.last.url for visit in visits if visit is not None and _is_there(visit)]


def _is_there(visit: Visit) -> bool:
    return visit.answer is not None and visit.answer.status == 200


def _probe_page(fetcher: Fetcher, page: Page, cookie: str) -> Probe:
    url = page.url
    plain = fetcher.ask(url, _PAGE)
    markdown = fetcher.ask(url, _PAGE, headers={"Accept": MARKDOWN})
    is_markdown = markdown.status == 200 and markdown.content_type == MARKDOWN
    return Probe(
        url,
        plain=plain.without_body(),
        markdown=markdown.without_body(),
        markdown_text=read_markdown(markdown.body) if is_markdown else None,
        refused=fetcher.ask(url, _PAGE, headers={"Accept": REFUSING}).without_body(),
        head=fetcher.ask(url, _PAGE, "HEAD"),
        conditional=_conditional(fetcher, plain, _PAGE),
        identity=fetcher.ask(url, _PAGE, headers={"Accept-Encoding": "identity"}).without_body(),
        cookie=fetcher.ask(url, _PAGE, headers={"Cookie": cookie}).without_body() if cookie else None,
    )


def _probe_document(fetcher: Fetcher, url: str) -> Probe:
    plain = fetcher.ask(url, _DOCUMENT)
    return Probe(
        url,
        plain=plain.without_body(),
        head=fetcher.ask(url, _DOCUMENT, "HEAD"),
        conditional=_conditional(fetcher, plain, _DOCUMENT),
    )


def _conditional(fetcher: Fetcher, plain: Exchange, wish: Wish) -> Exchange | None:
    """The same request with the validators of its answer; None where it has none (RFC 9110 13.1)."""
    if plain.etag:
        headers = {"If-None-Match": plain.etag}
    elif "last-modified" in plain.headers:
        headers = {"If-Modified-Since": plain.headers["last-modified"]}
    else:
        return None
    return fetcher.ask(plain.url, wish, headers=headers).without_body()
