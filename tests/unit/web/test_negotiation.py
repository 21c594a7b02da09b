"""Which form a client prefers."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingerpost.web.negotiation import accepts_gzip, prefers_markdown

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "accept_cases.json").read_bytes())

qualities = st.integers(0, 1000).map(lambda thousandths: f"{thousandths / 1000:.3f}")
ranges = st.sampled_from(
    ["text/html", "text/*", "*/*", "text/plain", "text/html;level=1", "text/markdown;variant=GFM", "junk", ""]
)
others = st.lists(st.tuples(ranges, qualities), max_size=5).map(
    lambda pairs: [f"{name};q={quality}" for name, quality in pairs]
)
# Text made of what an Accept header is made of, so that nearly well-formed values come up often.
accept_like = st.lists(
    st.sampled_from(
        [*'",;=\\ \t', "text/markdown", "text/html", "text/*", "*/*", "q=", "0.5", "1", "0", "charset=utf-8"]
    )
    | st.text(max_size=3),
    max_size=20,
).map("".join)


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_table(case: dict[str, Any]) -> None:
    """Every row of the table gets the form it names (case 3 among them)."""
    assert prefers_markdown(case["accept"]) is case["markdown"]


def test_table_is_large() -> None:
    """The table that both implementations pass has at least forty different rows."""
    assert len({case["accept"] for case in CASES}) >= 40


@given(st.text() | accept_like)
def test_any_text_gets_an_answer(accept: str) -> None:
    """No value of Accept or Accept-Encoding raises."""
    assert prefers_markdown(accept) in (True, False)
    assert accepts_gzip(accept) in (True, False)


@given(st.text() | accept_like)
def test_markdown_is_never_a_surprise(accept: str) -> None:
    """Markdown is only ever given to a client that wrote its name."""
    assert not prefers_markdown(accept) or "text/markdown" in accept.lower()


@given(others, qualities, qualities)
@example(["text/html;q=0.500"], "0.000", "1.000")
def test_monotone_in_the_weight_of_markdown(members: list[str], one: str, other: str) -> None:
    """Raising Markdown's q never takes Markdown away."""
    low, high = sorted((one, other))

    def chosen(quality: str) -> bool:
        return prefers_markdown(", ".join([*members, f"text/markdown;q={quality}"]))

    assert chosen(low) <= chosen(high)


@given(qualities, qualities)
def test_two_weights(markdown: str, html: str) -> None:
    """Between the two types alone, Markdown is chosen exactly when its q is above 0 and not below HTML's."""
    expected = float(markdown) > 0 and float(markdown) >= float(html)
    assert prefers_markdown(f"text/html;q={html}, text/markdown;q={markdown}") is expected


@given(st.permutations(["text/markdown;q=0.5", "text/html;q=0.4", "text/*;q=0.9", "*/*"]))
def test_order_does_not_matter(members: list[str]) -> None:
    """The more specific range decides wherever it stands."""
    assert prefers_markdown(",".join(members)) is True


@pytest.mark.parametrize(
    "hostile",
    ['"' * 8000, '\\"' * 4000, '"\\"' * 2700, "text/markdown;a=" + '"\\' * 4000, "," * 8000, " " * 8000],
    ids=["quotes", "escapes", "mixed", "unterminated", "commas", "spaces"],
)
def test_hostile_values_are_cheap(hostile: str) -> None:
    """A header of 8 KB made to be slow is read in linear time."""
    began = time.process_time()
    assert prefers_markdown(hostile) is False
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("accept_encoding", "expected"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("gzip, deflate, br", True),
        ("br", False),
        ("identity", False),
        ("*", True),
        ("*;q=0", False),
        ("*;q=0, gzip", True),
        ("*, gzip;q=0", False),
        ("gzip;q=0", False),
        ("x-gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("gzip;q=0.001", True),
        ("gzip;q=0.5, identity", False),
        ("gzip;q=0.5, identity;q=0.5", True),
        ("gzip;q=1.0, identity;q=0.5, *;q=0", True),
        ("identity;q=0", False),
        ("gzip;q=2", False),
        (" gzip ; q=0.5 ", True),
        ("notgzip", False),
        ("gzip2", False),
        ("deflate, gzip;q=0, *", False),
    ],
)
def test_gzip(accept_encoding: str | None, expected: bool) -> None:
    """gzip is used where it is named or covered by `*`, and never against a weight of 0 (RFC 9110 12.5.3)."""
    assert accepts_gzip(accept_encoding) is expected
