"""The manifest and the home page's Link header."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.documents.manifest import Artifacts, home_link_header, render_manifest
from fingerpost.site.model import ContentSignals

SITE = "https://example.com/base/"


def test_the_whole_manifest() -> None:
    """Every part of a site that has everything, byte for byte."""
    artifacts = Artifacts(
        markdown=f"{SITE}{{route}}.md",
        llms=f"{SITE}llms.txt",
        llms_full=f"{SITE}llms-full.txt",
        sitemap=f"{SITE}sitemap.xml",
        robots=f"{SITE}robots.txt",
        feeds=(f"{SITE}feed.xml",),
    )
    body = render_manifest("Été", SITE, artifacts, description="Docs", signals=ContentSignals(ai_train=False))
    assert (
        body.decode()
        == """\
{
  "name": "Été",
  "description": "Docs",
  "site": "https://example.com/base/",
  "artifacts": {
    "markdown": {
      "pattern": "https://example.com/base/{route}.md",
      "negotiation": "Accept: text/markdown"
    },
    "llms": "https://example.com/base/llms.txt",
    "llmsFull": "https://example.com/base/llms-full.txt",
    "sitemap": "https://example.com/base/sitemap.xml",
    "robots": "https://example.com/base/robots.txt",
    "feeds": [
      "https://example.com/base/feed.xml"
    ]
  },
  "contentUsage": {
    "search": true,
    "ai-input": true,
    "ai-train": false
  }
}
"""
    )


def test_what_a_site_lacks_is_left_out() -> None:
    """Nothing is named that does not exist, and no consent is given that was not declared."""
    manifest = json.loads(render_manifest("Site", SITE, Artifacts()))
    assert manifest == {"name": "Site", "site": SITE, "artifacts": {}}


@given(st.text(st.characters(exclude_categories=[])), st.text())
def test_any_name_is_json(name: str, description: str) -> None:
    """Whatever the texts hold, the manifest is UTF-8 JSON that gives them back."""
    manifest = json.loads(render_manifest(name, SITE, Artifacts(), description=description).decode())
    assert manifest["name"] == name
    assert manifest["description"] == description


def test_the_link_header_names_all_three() -> None:
    """The home page leads to llms.txt, the manifest and the sitemap in the form of RFC 8288."""
    assert home_link_header(llms="/llms.txt", manifest="/agent-readability.json", sitemap="/sitemap.xml") == (
        '</llms.txt>; rel="describedby"; type="text/plain", '
        '</agent-readability.json>; rel="describedby"; type="application/json", '
        '</sitemap.xml>; rel="sitemap"; type="application/xml"'
    )


@pytest.mark.parametrize("present", [{"llms": "/l"}, {"manifest": "/m"}, {"sitemap": "/s"}])
def test_the_link_header_names_only_what_there_is(present: dict[str, str]) -> None:
    """Each link is left out where the site has no such document."""
    header = home_link_header(**present)
    assert header is not None
    assert re.findall(r"<([^>]*)>", header) == list(present.values())


def test_no_link_header_without_links() -> None:
    """A site that has none of the three sends no header."""
    assert home_link_header() is None


def test_a_host_that_negotiates_nothing() -> None:
    """Without negotiation the manifest tells the twins' pattern alone."""
    body = render_manifest("S", SITE, Artifacts(markdown=f"{SITE}{{route}}.md", negotiation=None))
    assert json.loads(body)["artifacts"]["markdown"] == {"pattern": f"{SITE}{{route}}.md"}
