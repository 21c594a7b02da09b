"""The content policy of a page: the hash of the style that the page carries, and nothing else applies."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from fingerpost.web.content_policy import OWNERS
from tests.unit.web.answers import NoDatabase, functions

PAGES = """pages:
  - {name: home, path: /}
  - {name: docs, path: "/docs/:slug", contentDir: {directory: content}}
  - {name: secret, path: /secret, access: authenticated}
  - {name: post, path: "/posts/:slug", collection: {table: posts, slugField: slug}}
tables:
  - {name: posts, fields: [{name: slug, type: single-line-text}], permissions: {read: all}}
"""
FILES: dict[str, str | bytes] = {
    "content/start.md": "# Start\n",
    "public/own.html": "<style>p{color:red}</style><p style='margin:0'>Mine",
}


def directives(policy: str) -> dict[str, str]:
    return dict(directive.split(maxsplit=1) for directive in policy.split("; "))


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/docs/start", 200), ("/none", 404), ("/secret", 404), ("/posts/a", 503)],
)
def test_a_page_allows_the_style_it_carries(path: str, status: int) -> None:
    """Pages and error pages name the hash of their own `<style>` (CSP 3, 2.3.1), and allow no other style."""
    response = functions(PAGES, FILES, records=NoDatabase()).get(path)
    assert response.status == status
    styles = re.findall(r"<style>(.*?)</style>", response.text, re.DOTALL)
    (hashed,) = (b64encode(sha256(style.encode()).digest()).decode() for style in styles)
    found = directives(response.headers["content-security-policy"])
    assert found == {**directives(OWNERS), "style-src": f"'sha256-{hashed}'"}
    assert not re.search(r"\sstyle=", response.text)


@pytest.mark.parametrize("path", ["/own.html", "/docs/start.md", "/llms.txt", "/robots.txt"])
def test_what_is_no_page_of_ours_says_nothing(path: str) -> None:
    """The owner's own HTML may have styles of its own: the CDN's general policy holds for it, and for
    whatever has no style."""
    response = functions(PAGES, FILES).get(path)
    assert response.status == 200
    assert "content-security-policy" not in response.headers
