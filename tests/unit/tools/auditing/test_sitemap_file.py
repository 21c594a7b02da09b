"""Sitemaps, as they should be and as they are."""

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.auditing.sitemap_file import BYTES, Entry, moment, read_sitemap

SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(inner: str) -> bytes:
    return f'<urlset {SITEMAP} xmlns:xhtml="http://www.w3.org/1999/xhtml">{inner}</urlset>'.encode()


def test_entries_come_with_their_dates_and_languages() -> None:
    """White space around a text does not count; a CDATA section is text."""
    read = read_sitemap(
        urlset(
            "<url><loc>\n https://example.com/?a=1&amp;b=2 </loc><lastmod>2026-03-14</lastmod>"
            '<xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr"/></url>'
            "<url><loc><![CDATA[https://example.com/b]]></loc></url>"
        )
    )
    assert read.entries == [
        Entry("https://example.com/?a=1&b=2", "2026-03-14", (("fr", "https://example.com/fr"),)),
        Entry("https://example.com/b"),
    ]
    assert (read.index, read.broken, read.faults, read.disordered) == (False, "", [], 0)


def test_an_index_is_told_from_a_sitemap() -> None:
    """Its entries are the sitemaps it lists."""
    body = f"<sitemapindex {SITEMAP}><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>"
    read = read_sitemap(body.encode())
    assert (read.index, read.entries) == (True, [Entry("https://example.com/1.xml")])


def test_a_gzipped_sitemap_is_read() -> None:
    """sitemaps.org: a sitemap may be gzipped, whatever its Content-Type says."""
    assert len(read_sitemap(gzip.compress(urlset("<url><loc>https://example.com/</loc></url>"))).entries) == 1


@pytest.mark.parametrize(
    ("inner", "fault"),
    [
        ("<url></url>", "an entry without <loc>"),
        ("<url><loc>a</loc><loc>b</loc></url>", "a second <loc>"),
        ("<url><loc>a</loc><lastmod></lastmod></url>", "an empty <lastmod>"),
        ("<url><loc>a</loc><changefreq>often</changefreq></url>", "changefreq 'often'"),
        ("<url><loc>a</loc><priority>1.1</priority></url>", "priority '1.1', expected 0.0 to 1.0"),
        ("<url><loc>a</loc><modified>x</modified></url>", "<modified> is no element of the protocol"),
        ("<page><loc>a</loc></page>", "expected <url>, found <page>"),
    ],
)
def test_a_breach_of_the_schema_is_named_with_its_line(inner: str, fault: str) -> None:
    """Each fault says the line and what was expected there."""
    assert read_sitemap(urlset(inner)).faults == [f"line 1: {fault}"]


def test_the_namespace_is_part_of_the_schema() -> None:
    """Without it, strict readers find nothing."""
    read = read_sitemap(b"<urlset><url><loc>https://example.com/</loc></url></urlset>")
    assert read.faults == ["expected the namespace http://www.sitemaps.org/schemas/sitemap/0.9, found none"]
    assert len(read.entries) == 1


@pytest.mark.parametrize(
    ("body", "broken"),
    [
        (b"", "no well-formed XML"),
        (b"<urlset", "no well-formed XML"),
        (urlset("<url><loc>a & b</loc></url>"), "no well-formed XML"),
        (b"<html><body>Sitemap</body></html>", "expected urlset or sitemapindex, found html"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><urlset/>', "a document type declaration"),
        (b"\x1f\x8bnot gzip", "bad gzip"),
        (gzip.compress(urlset("<url>" * 300)), "no well-formed XML"),
    ],
)
def test_what_is_no_sitemap_says_why(body: bytes, broken: str) -> None:
    """Anything else than a sitemap ends with a reason."""
    assert read_sitemap(body).broken.startswith(broken)


def test_entities_stay_small() -> None:
    """A billion laughs are refused before the first."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE u [<!ENTITY l0 "ha">{laughs}]><urlset {SITEMAP}><url><loc>&l11;</loc></url></urlset>'
    padded = f"<?xml version='1.0'?>{' ' * 5_000}{bomb}"
    for body in (bomb, padded):
        read = read_sitemap(body.encode())
        assert read.broken or len(read.entries) <= 1
        assert all(len(entry.loc) < 1_000 for entry in read.entries)


def test_a_gzip_bomb_is_cut() -> None:
    """No more than the protocol's 50 MB come out of it."""
    read = read_sitemap(gzip.compress(b" " * (BYTES + 1)))
    assert read.size == BYTES
    assert read.broken.startswith("larger than")


@given(st.binary(max_size=400))
def test_no_octets_break_the_reader(body: bytes) -> None:
    """Any octets end in a reading, mostly a broken one."""
    assert read_sitemap(body).size >= 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-14", datetime(2026, 3, 14, tzinfo=UTC)),
        ("2026-03-14T09:26Z", datetime(2026, 3, 14, 9, 26, tzinfo=UTC)),
        ("2026-03-14T09:26:53.5+05:30", datetime(2026, 3, 14, 3, 56, 53, 500_000, tzinfo=UTC)),
        ("2026-02-30", None),
        ("2026-03-14T09:26:53", None),
        ("2026-03-14 09:26:53Z", None),
        ("14 March 2026", None),
        ("", None),
    ],
)
def test_a_lastmod_is_a_w3c_datetime(text: str, expected: datetime | None) -> None:
    """Each form of the note, and nothing else; case 21: a time needs its zone."""
    assert moment(text) == expected
