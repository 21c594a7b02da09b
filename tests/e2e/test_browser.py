"""The demo in headless Chromium: at a desk and on a phone, by day and by night.

Screenshots are kept where FINGERPOST_SCREENSHOTS names a folder.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import blog as posts
from tests.e2e.crawling import Crawl
from tests.e2e.serving import Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

pytestmark = pytest.mark.slow

PATHS = {
    "home": "/en/",
    "article": "/en/docs/reading/numbers",
    "record": "/en/blog/thunder-over-the-quarry",
    "french": "/fr/",
    "journal": "/en/blog",
    "table": "/fr/gardens",
    "prices": "/fr/pricing",
    "components": "/_preview",
    "404": "/en/docs/there-is-no-such-page",
}
WIDTHS = {"desktop": 1280, "phone": 360}
SCHEMES = ("light", "dark")
# WCAG 2.2, 1.4.3: the least contrast of ordinary text.
CONTRAST = 4.5

CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length && (colour[3] === undefined || colour[3] > 0)) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest('[aria-hidden]')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const text = element.textContent.slice(0, 40);
    found.push([Math.round(ratio * 100) / 100, element.tagName, element.className, text]);
  }
  return found;
}"""
FOCUS = """() => {
  const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
  return {tag: e.tagName, visible: e.matches(':focus-visible'), outline: style.outlineStyle,
          width: parseFloat(style.outlineWidth), seen: box.width > 0 && box.height > 0 && box.bottom > 0};
}"""


@dataclass
class Watched:
    """A page under observation: whatever it complains about."""

    page: "Page"
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        self.page.on("dialog", lambda dialog: self._dialog(dialog))

    def _console(self, message: "ConsoleMessage") -> None:
        # A status of 404 or 503 is told of the page itself; of anything else it is a fault.
        own_status = "Failed to load resource" in message.text and message.location["url"] == self.page.url
        if message.type in {"error", "warning"} and not own_status:
            self.complaints.append(f"{message.type}: {message.text}")

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Debian's Chromium, or the one in FINGERPOST_CHROMIUM."""
    program = os.environ.get("FINGERPOST_CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium on this machine")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextlib.contextmanager
def opened(browser: "Browser", width: int, scheme: str) -> Iterator[Watched]:
    """A fresh page of that width, in that colour scheme."""
    context = browser.new_context(
        viewport={"width": width, "height": 800 if width > 600 else 740},
        color_scheme="dark" if scheme == "dark" else "light",
        locale="en-GB",
    )
    try:
        yield Watched(context.new_page())
    finally:
        context.close()


@pytest.fixture(scope="module")
def without_database(demo: Crawl, postgres_url: str) -> Iterator[Served]:
    """The demo with a database that lacks its tables."""
    with serving(demo.served.root, "--database-url", postgres_url) as served:
        yield served


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS.values(), ids=list(WIDTHS))
@pytest.mark.parametrize("name", PATHS)
def test_a_page_looks_right(browser: "Browser", demo: Crawl, name: str, width: int, scheme: str) -> None:
    """No complaint in the console, nothing to scroll sideways, images shown, alternates that answer, focus
    that is seen, and text that stands out from its ground."""
    with opened(browser, width, scheme) as watched:
        look(watched, f"{demo.served.home}{PATHS[name]}", f"{name}-{width}-{scheme}")
        for href in watched.page.eval_on_selector_all(
            "link[rel=alternate]", "links => links.map((l) => l.href)"
        ):
            assert demo.served.get(href).status == 200


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS.values(), ids=list(WIDTHS))
def test_the_503_looks_right(browser: "Browser", without_database: Served, width: int, scheme: str) -> None:
    """The page of a site whose database fails is as well made as any other."""
    with opened(browser, width, scheme) as watched:
        status = look(
            watched, f"{without_database.home}/en/blog/first-wren-outdoors", f"503-{width}-{scheme}"
        )
        assert status == 503


def look(watched: Watched, url: str, name: str) -> int:
    """Open `url`, check what is to be seen, and return its status."""
    page = watched.page
    response = page.goto(url, wait_until="load")
    assert response is not None
    if folder := os.environ.get("FINGERPOST_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder, f"{name}.png")), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    images = page.eval_on_selector_all(
        "img", "all => all.map((i) => [i.src, i.complete && i.naturalWidth > 0])"
    )
    assert all(shown for _, shown in images), images
    contrasts = page.evaluate(CONTRASTS)
    assert contrasts
    assert [found for found in contrasts if found[0] < CONTRAST] == []
    for _ in range(4):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus["tag"] == "BODY":  # behind the last link
            break
        assert focus["visible"]
        assert focus["seen"]
        assert focus["outline"] != "none"
        assert focus["width"] >= 1
    assert watched.complaints == []
    return int(response.status)


def test_night_is_darker_than_day(browser: "Browser", demo: Crawl) -> None:
    """The two colour schemes are two."""
    grounds = []
    for scheme in SCHEMES:
        with opened(browser, 1280, scheme) as watched:
            watched.page.goto(f"{demo.served.home}/en/")
            colour = watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
            grounds.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert grounds[0] > 600
    assert grounds[1] < 150


def test_the_first_tab_skips_to_the_content(browser: "Browser", demo: Crawl) -> None:
    """The first stop of the keyboard is a link that leads past the navigation."""
    with opened(browser, 1280, "light") as watched:
        watched.page.goto(f"{demo.served.home}/en/docs/reading/numbers")
        watched.page.keyboard.press("Tab")
        watched.page.keyboard.press("Enter")
        target = watched.page.evaluate("document.querySelector(':target')?.tagName")
        assert target == "MAIN"


def test_stored_attacks_run_nothing(browser: "Browser", blog: Crawl) -> None:
    """No page of the blog's attacks opens a dialog, writes to the console or asks another host for
    anything."""
    urls = [
        f"{blog.served.home}/blog/{post.slug}"
        for post in posts.public_posts()
        if "attack" in (post.slug or "")
    ]
    assert len(urls) > 40
    with opened(browser, 1280, "light") as watched:
        strangers: list[str] = []
        watched.page.on(
            "request",
            lambda request: (
                strangers.append(request.url)
                if not request.url.startswith((blog.served.address, "data:"))
                else None
            ),
        )
        for url in [*urls, f"{blog.served.home}/?q=<script>alert(1)</script>"]:
            watched.page.goto(url, wait_until="load")
        # A picture that is not there is nobody's harm.
        assert [text for text in watched.complaints if "Failed to load resource" not in text] == []
        assert strangers == []
