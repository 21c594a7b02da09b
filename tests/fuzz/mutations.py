"""Seeds and what becomes of them: small changes, and words that have caught programs out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

SEEDS: Final = Path(__file__).with_name("seeds")

_WORDS: Final = (
    *(
        b"\0",
        b"\r\n",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"\xf0\x9f\xa6\x86",
    ),
    *(b"%00", b"%2e%2e", b"%2f", b"%5c", b"%25", b"%C3%A9", b"%ff", b"/../", b"//", b"\\", b"?", b"#", b";"),
    *(
        b"---\n",
        b"- ",
        b": ",
        b"&a ",
        b"*a",
        b"!!python/object:os.system ",
        b"<<: *a\n",
        b"{",
        b"}",
        b"[",
        b"]",
    ),
    *(
        b"'",
        b'"',
        b"|\n",
        b">\n",
        b"null",
        b"~",
        b"true",
        b"NaN",
        b"1e999",
        b"0x1F",
        b"2024-02-30",
        b"999999999999",
    ),
    *(
        b"-1",
        b"$ref",
        b"$record.title",
        b"]]>",
        b"<script>",
        b"&amp;",
        b"**/",
        b"*",
        b"(?:a+)+$",
        b"q=0",
        b"q=1.0",
    ),
    *(b"text/markdown", b"*/*", b",", b"gzip", b"W/", b"session=", b"eyJhbGciOiJub25lIn0.e30."),
)


def seeds(target: str) -> list[bytes]:
    """The seeds of a target, in the order of their names."""
    return [path.read_bytes() for path in sorted((SEEDS / target).iterdir())]


def mutated(found: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """A seed with up to a dozen changes, or bytes of no seed at all."""
    change = st.tuples(
        st.integers(0, 2**16),  # where, of the length
        st.integers(0, 24),  # how much goes
        st.one_of(st.just(b""), st.sampled_from(_WORDS), st.binary(max_size=4), st.sampled_from(found)),
        st.integers(1, 3),  # how often it comes
    )
    changed = st.builds(_changed, st.sampled_from(found), st.lists(change, max_size=12))
    return st.one_of(changed, st.binary(max_size=64))


def _changed(seed: bytes, changes: list[tuple[int, int, bytes, int]]) -> bytes:
    data = seed
    for where, gone, come, times in changes:
        at = where % (len(data) + 1)
        data = data[:at] + come * times + data[at + gone :]
    return data
