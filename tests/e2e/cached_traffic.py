"""Mixed traffic through shared caches, each answer judged by what the origin itself says."""

import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tests.e2e import caches, guarded_site
from tests.e2e.asking import ACCEPTS, AGENT, BROWSER, HOST, Ask, Client
from tests.e2e.guarded_site import ANONYMOUS, EDITOR, MEMBER, VISITORS
from tests.e2e.guarded_stack import Stack
from tests.support import Response

DOCUMENTS: Final = (
    *("/sitemap.xml", "/robots.txt", "/feed.xml"),
    *("/llms.txt", "/llms-full.txt", "/agent-readability.json"),
)
PUBLIC: Final = (
    *("/", "/index.md", "/about", "/board", "/docs/start", "/docs/start.md", "/docs/next"),
    *("/posts/first", "/posts/a%20%26%20b", "/logo.svg", "/site.0a1b2c3d.css"),
)
GUARDED: Final = (
    *("/members/plan", "/members/plan.md", "/members/none", "/editors/plan", "/editors/plan.md"),
    *(
        "/editors/none",
        "/desk",
        "/vault/gold",
        "/vault/none",
        "/docs/draft",
        "/docs/draft.md",
        "/posts/deleted",
    ),
)
MOVED: Final = ("/about/", "/docs/start/", "/members/plan/", "/nowhere/")
MISSING: Final = ("/nowhere", "/sitemap-9.xml", "/docs/none.md", "/posts/none")
PATHS: Final = (*DOCUMENTS, *PUBLIC, *GUARDED, *MOVED, *MISSING)

HOSTS: Final = (HOST, HOST, HOST, "WWW.Guarded.Example", "evil.example", "evil.example:8080")
QUERIES: Final = ("utm_source=news", "session=x&accept=text/markdown", "a=1&a=2")
FORGERIES: Final[Sequence[tuple[tuple[str, str], ...]]] = (
    (),
    (("x-forwarded-host", "forged.example"), ("x-forwarded-proto", "gopher")),
    (("x-viewer-host", "forged.example"), ("forwarded", "host=forged.example")),
    (("x-original-url", "/members/plan"), ("x-rewrite-url", "/desk"), ("x-http-method-override", "POST")),
    (("x-host", "forged.example"), ("cloudfront-forwarded-proto", "gopher")),
)
_FORGED: Final = b"forged.example"


class Origin:
    """What the origin says to whom, asked once for each question."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._said: dict[Ask, Response] = {}
        self._lock = threading.Lock()

    def says(self, ask: Ask, visitor: str, gzip: str | None = None) -> Response:
        """The origin's own answer to a GET like `ask` of `visitor`, without forgeries and conditions."""
        accept = AGENT if ACCEPTS[ask.accept] else BROWSER
        question = Ask(ask.path, visitor, accept, query=ask.query, host=ask.host, gzip=gzip)
        with self._lock:
            if question not in self._said:
                self._said[question] = self._client.send(question)
            return self._said[question]

    def tags(self, ask: Ask, visitor: str) -> list[str]:
        """The entity tags of what the origin says, compressed and not."""
        both = (self.says(ask, visitor, gzip) for gzip in (None, "gzip"))
        return [answer.headers["etag"] for answer in both if "etag" in answer.headers]


def plan(number: int, seed: int, origin: Origin) -> list[Ask]:
    """Requests in bursts: all of a burst want the same address at once, as different visitors and clients."""
    random_ = random.Random(seed)
    asks: list[Ask] = []
    while len(asks) < number:
        path, host = random_.choice(PATHS), random_.choice(HOSTS)
        asks += (_ask(path, host, random_, origin) for _ in range(random_.randint(3, 9)))
    return asks[:number]


def _ask(path: str, host: str, random_: random.Random, origin: Origin) -> Ask:
    ask = Ask(
        path,
        visitor=random_.choice(VISITORS),
        accept=random_.choice((BROWSER, AGENT, *ACCEPTS)),
        method=random_.choices(("GET", "HEAD", "POST"), (80, 17, 3))[0],
        query=random_.choice((*QUERIES, *[""] * 9)),
        host=host,
        gzip=random_.choice(("gzip, deflate, br", "gzip, deflate, br", None, "gzip;q=0")),
        forged=random_.choice(FORGERIES),
    )
    if random_.random() > 0.25:
        return ask
    # A tag that somebody has: the visitor, or one who may read more.
    known = origin.tags(ask, random_.choice((ask.visitor, MEMBER, EDITOR)))
    return replace(ask, tag=random_.choice([*known, "*", '"none"']))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, the cache it went through, and what came back."""

    ask: Ask
    cache: str
    answer: Response


def run(stack: Stack, asks: Sequence[Ask], threads: int) -> list[Exchange]:
    """Send every request through every cache, `threads` at a time through each."""
    stack.edge.learn([ask.headers() for ask in asks])
    exchanges: list[Exchange] = []
    failures: list[Exception] = []

    def work(cache: str, mine: Sequence[Ask]) -> None:
        try:
            with stack.client(cache) as client:
                exchanges.extend(Exchange(ask, cache, client.send(ask)) for ask in mine)
        except Exception as error:
            failures.append(error)

    workers = [
        threading.Thread(target=work, args=(cache, asks[first::threads]))
        for cache in caches.CACHES
        for first in range(threads)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]
    return exchanges


def complaints(exchange: Exchange, origin: Origin) -> Iterator[str]:
    """What is wrong with an answer: it holds what it must not, or is none that the origin gives here."""
    ask, answer = exchange.ask, exchange.answer
    for mark in guarded_site.leaked(answer.body, ask.visitor):
        yield f"{mark.decode()} reached {ask.visitor}"
    if _FORGED in answer.body or _FORGED.decode() in str(answer.headers):
        yield "a forged host is in the answer"
    if "content-encoding" in answer.headers and (ask.gzip is None or "q=0" in ask.gzip):
        yield f"content-encoding {answer.headers['content-encoding']}, which was not asked for"
    if ask.method == "POST":
        # The CDN refuses it itself, the functions by 405.
        if answer.status not in (403, 405):
            yield f"status {answer.status} for a POST"
        return
    audiences = _audiences(exchange, origin)
    said = [origin.says(ask, audience) for audience in audiences]
    if answer.status == 304:
        tags = {tag for audience in audiences for tag in origin.tags(ask, audience)}
        if ask.tag != "*" and ask.tag not in tags:
            yield "304 for a copy of something else"
        if all(each.status != 200 for each in said):
            yield f"304 for what is {said[0].status}"
    elif not any(_is_the_same(answer, each, ask) for each in said):
        yield f"expected {' or '.join(map(_summary, said))}, found {_summary(answer)}"


def _audiences(exchange: Exchange, origin: Origin) -> list[str]:
    """Whose answers the visitor may get: their own; and where the cache's key does not tell visitors apart,
    also a stranger's that anybody may keep."""
    ask = exchange.ask
    if exchange.cache == caches.BY_URL and _is_public(origin.says(ask, ANONYMOUS)):
        return [ask.visitor, ANONYMOUS]
    return [ask.visitor]


def _is_the_same(answer: Response, said: Response, ask: Ask) -> bool:
    """Whether an answer is what the origin said, but for age and encoding."""
    names = ("content-type", "location", "x-robots-tag", "link")
    return (
        answer.status == said.status
        and (answer.body == said.body or (ask.method == "HEAD" and not answer.body))
        and all(answer.headers.get(name) == said.headers.get(name) for name in names)
        and _is_public(answer) == _is_public(said)
    )


def _is_public(answer: Response) -> bool:
    return answer.headers.get("cache-control", "").startswith("public")


def _summary(answer: Response) -> str:
    told = [answer.headers.get(name, "-") for name in ("content-type", "cache-control", "location")]
    return f"{answer.status} {' | '.join(told)} {answer.body[-40:]!r}"
