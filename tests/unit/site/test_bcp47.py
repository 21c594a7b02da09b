"""Language tags in their canonical case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.site.bcp47 import canonical_tag


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("en", "en"),
        ("FR", "fr"),
        ("pt-br", "pt-BR"),
        ("zh_CN", "zh-CN"),
        ("zh_Hans", "zh-Hans"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("de-ch-1996", "de-CH-1996"),
        ("en-us-u-ca-gregory-nu-latn", "en-US-u-ca-gregory-nu-latn"),
        ("fr-x-AB-cdef", "fr-x-ab-cdef"),
        ("fil", "fil"),
    ],
)
def test_canonical_case(written: str, tag: str) -> None:
    """A tag takes the case of RFC 5646 2.1.1, and `_` is read as `-` (case 45)."""
    assert canonical_tag(written) == tag


@pytest.mark.parametrize(
    "written",
    [
        "", "e", "english", "latn", "en-", "-en", "en--us", "en us", "en-usa-gb-x", "12", "français", "en-u",
        "x-en", "de-1996-1996", "en-a-bb-a-cc", "en-us-us",
    ],
)  # fmt: skip
def test_texts_that_are_no_tags(written: str) -> None:
    """What is not well formed, or repeats a variant or an extension, is no tag."""
    assert canonical_tag(written) is None


@given(st.text(st.sampled_from("abcxyzABZ019-_"), max_size=20))
def test_canonical_form_is_a_fixed_point(text: str) -> None:
    """A canonical tag is its own canonical form, and differs from what was written in case and `_` alone."""
    tag = canonical_tag(text)
    if tag is not None:
        assert canonical_tag(tag) == tag
        assert tag.lower() == text.lower().replace("_", "-")
