"""Front matter as JSON and back."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.site.frontindex import from_json, to_json
from fingerpost.site.model import Changefreq, FrontMatter, SitemapHints

TEXTS = st.none() | st.text(st.characters(codec="utf-8"), max_size=5)
PLAIN = st.recursive(
    TEXTS | st.booleans(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
FRONTS = st.builds(
    FrontMatter,
    sitemap=st.builds(
        SitemapHints, st.booleans(), TEXTS, st.none() | st.sampled_from([*map(str, Changefreq)])
    ),
    data=st.dictionaries(st.text(max_size=3), PLAIN, max_size=3),
    lines=st.dictionaries(st.text(max_size=3), st.integers(1, 99), max_size=3),
    **dict.fromkeys(
        ("title", "description", "published", "changed", "canonical", "image", "category", "order"), TEXTS
    ),
    **dict.fromkeys(("draft", "hidden", "noindex", "ai_exclude"), st.booleans()),
)


@given(FRONTS)
def test_round_trip(front: FrontMatter) -> None:
    """Front matter that went through JSON is equal to what it was."""
    assert from_json(json.loads(json.dumps(to_json(front)))) == front


def test_nothing_is_written_of_nothing() -> None:
    """Only what an article says is kept."""
    assert to_json(FrontMatter()) == {}
    assert to_json(FrontMatter(title="T", sitemap=SitemapHints(listed=False))) == {
        "title": "T",
        "sitemap": {"listed": False},
    }


def test_another_form_is_refused() -> None:
    """A document with a key of another version is refused, so that the article is read anew."""
    with pytest.raises(TypeError):
        from_json({"titel": "T"})


def test_an_index_is_read_without_yaml() -> None:
    """A function that trusts the index loads no YAML parser."""
    code = "import sys, fingerpost.site.frontindex; print('yaml' in sys.modules)"
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path)
    assert done.stdout.strip() == "False"
