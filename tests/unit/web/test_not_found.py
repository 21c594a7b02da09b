"""The one 404: from whichever function and for whatever reason, the same bytes and headers."""

from itertools import product

import pytest

from fingerpost.limits import PATH_CHARACTERS
from fingerpost.web.request import Request
from fingerpost.web.response import not_found, to_event
from tests.support import Functions, make_event
from tests.unit.web.answers import functions

PAGES = """pages:
  - {name: home, path: /}
  - {name: secret, path: /secret, access: authenticated}
  - {name: draft, path: "/docs/:slug", contentDir: {directory: content}}
seo: {robots: false, sitemap: false}
llms: {enabled: false}
"""
FILES: dict[str, str | bytes] = {"content/draft.md": "---\ndraft: true\n---\n"}
MISSING = (
    *("/none", "/secret", "/docs/draft", "/docs/draft.md", "/docs/none", "/docs/none.md"),
    *("/sitemap.xml", "/sitemap-1.xml", "/robots.txt", "/feed.xml", "/llms.txt", "/llms-full.txt"),
)
IMPOSSIBLE = (
    *(
        "/" + "a" * PATH_CHARACTERS,
        "/a\0b",
        "/a%00b",
        "/%",
        "/%4",
        "/%zz",
        "/a%",
        "/%C3",
        "/%FF%FE",
        "/\ud800",
    ),
    *(
        "/../app.yaml",
        "/docs/%2e%2E/app.yaml",
        "/docs/..%2fapp.yaml",
        "/docs/..\\app.yaml",
        "/docs/%2e/x",
        "//",
    ),
)
NAMES = ("sitemap", "robots", "feed", "llms", "page")
ANYTHING = Request("GET", "/")


def below(base: str) -> Functions:
    """The site below a base path, which is a part of its `BASE_URL`."""
    return functions(PAGES, FILES, base=base, base_url=f"https://example.com{base}")


@pytest.mark.parametrize("base", ["/docs", "/caf%C3%A9/a&b"])
@pytest.mark.parametrize("path", MISSING + IMPOSSIBLE, ids=lambda path: ascii(path)[:30])
def test_every_reason_gives_the_same(base: str, path: str) -> None:
    """Missing, restricted, a draft, switched off or no address at all: one answer, which leads to the root of
    the site below its base path (SPEC sections 4 and 13)."""
    event = make_event(f"{base}{path}")
    response = below(base).handler(f"{base}{path}")(event, None)
    assert response == to_event(not_found(base), ANYTHING)
    assert f'href="{base.replace("&", "&amp;")}/"' in response["body"]


def test_every_function_gives_the_same() -> None:
    """Also what lies outside the base path, and what a function is asked for by mistake."""
    site = below("/docs")
    for name, path in product(NAMES, ("/", "/none", "/docs/none", "/docsx", "relative")):
        assert site.named(name)(make_event(path), None) == to_event(not_found("/docs"), ANYTHING)
