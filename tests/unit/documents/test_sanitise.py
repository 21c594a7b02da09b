"""Sanitising: nothing that runs, frames or submits is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from fingerpost.documents import sanitise as sanitise_module
from fingerpost.documents.sanitise import sanitise, scheme_of, strip_tags
from tests.unit.documents.payloads import PAYLOADS, assert_harmless


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_harmless(payload: str) -> None:
    """Nothing of a known attack is left that a browser would run."""
    assert_harmless(html.document_fromstring(f"<body>{sanitise(payload)}</body>"))


@given(
    st.lists(st.sampled_from([*PAYLOADS, "<b>", "</b>", '"', "'", "<!--", "-->", "<p title='", "&lt;"])).map(
        "".join
    )
)
def test_combined_payloads_are_harmless(payload: str) -> None:
    """Attacks cut short, nested and quoted by one another stay harmless."""
    assert_harmless(html.document_fromstring(f"<body>{sanitise(payload)}</body>"))


@pytest.mark.parametrize(
    "kept",
    [
        '<a href="/docs/x#y">x</a>',
        '<a href="https://example.org/">x</a>',
        '<a href="mailto:a@example.org">x</a>',
        '<img src="data:image/png;base64,AAAA" alt="x">',
        '<img src="a.png" srcset="a.png 1x, https://example.org/b.png 2x" alt="">',
        '<details open=""><summary>More</summary><p>Text</p></details>',
        '<td colspan="2" align="right">x</td>',
        '<h2 id="über" lang="de" class="x">Über</h2>',
        "<ruby>漢<rt>kan</rt></ruby>",
        '<time datetime="2026-03-14">14 March</time>',
    ],
)
def test_what_articles_need_is_kept(kept: str) -> None:
    """Links, images, tables, details and the like come through unchanged."""
    wrapped = f"<table><tbody><tr>{kept}</tr></tbody></table>" if kept.startswith("<td") else kept
    assert sanitise(wrapped) == wrapped


@pytest.mark.parametrize(
    "url",
    [
        "data:text/html,<script>alert(1)</script>",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/png,<svg>",
        "DATA:text/html;base64,AAAA",
    ],
)
def test_other_data_urls_are_dropped(url: str) -> None:
    """`data:` is left only as a raster image."""
    assert "data:" not in sanitise(f'<img src="{url}"><a href="{url}">x</a>').lower()


def test_data_image_is_no_link() -> None:
    """An embedded image may be shown, not opened."""
    assert sanitise('<a href="data:image/png;base64,AAAA">x</a>') == "<a>x</a>"


def test_inputs_are_disabled_checkboxes() -> None:
    """A task list's boxes are left; any other input becomes one that can't be used."""
    assert sanitise('<input type="checkbox" checked disabled>').count("checked") == 1
    for source in ('<input type="text" name="q" onfocus="x" autofocus>', "<input>", '<input type="submit">'):
        assert sanitise(source) == '<input type="checkbox" disabled="">'


def test_a_new_process_gives_the_same_bytes() -> None:
    """Case 31: cleaners made anew write attributes in the same order, so that an ETag stays."""
    source = '<input><input checked><input type="text" id="x"><a title="t" href="/x" id="y">x</a>'
    results = set()
    for _ in range(20):
        sanitise_module._cleaner.cache_clear()
        results.add(sanitise(source))
    assert len(results) == 1


def test_sanitising_twice_changes_nothing() -> None:
    """What is clean stays as it is."""
    once = sanitise('<p>a &amp; b <img src="x" alt="&quot;&lt;b&gt;"> <a href="/x">y</a></p>')
    assert sanitise(once) == once


def test_strip_tags_leaves_text_only() -> None:
    """No tag and no script's source is left."""
    assert strip_tags("<p>a <b>b</b></p><script>c</script><style>d</style> &lt;e&gt;") == "a b &lt;e&gt;"


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_sanitised(text: str) -> None:
    """Lone surrogates and control characters cost nothing but themselves."""
    sanitise(text).encode()
    strip_tags(text).encode()


@pytest.mark.parametrize(
    ("url", "scheme"),
    [
        ("https://x", "https"),
        ("\x01 JavaScript:alert(1)", "javascript"),
        ("/a:b", None),
        ("a/b:c", None),
        ("#x:y", None),
        ("", None),
    ],
)
def test_scheme_of(url: str, scheme: str | None) -> None:
    """A scheme is told from a path as browsers do."""
    assert scheme_of(url) == scheme


def test_references_to_controls_and_noncharacters_are_gone() -> None:
    """Case 1: what may not stand in HTML does not come in as a character reference either."""
    assert sanitise("<p title='a&#1;b'>&#x1;c&#x1d;&#xfdd0;d&#x10ffff;&#127;&#x80;</p>") == (
        '<p title="ab">cd€</p>'
    )
