"""robots.txt as crawlers read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.auditing.robots_file import read_robots

FILE = b"""\
# A site
User-agent: *
Content-Signal: search=yes, ai-train=no
Disallow: /private # not yet
Crawl-delay: 2.5

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Googlebot
Allow: /

Sitemap: https://example.com/sitemap.xml
"""


def test_groups_rules_and_sitemaps_have_their_lines() -> None:
    """What a file says is kept with the line that says it."""
    robots = read_robots(FILE)
    assert [(group.line, group.agents) for group in robots.groups] == [
        (2, ["*"]),
        (7, ["GPTBot", "CCBot"]),
        (11, ["Googlebot"]),
    ]
    assert [(rule.line, rule.allows, rule.pattern) for rule in robots.groups[0].rules] == [
        (4, False, "/private")
    ]
    assert robots.groups[0].signals == "search=yes, ai-train=no"
    assert robots.sitemaps == [(14, "https://example.com/sitemap.xml")]
    assert robots.oddities == []
    assert not robots.bom


def test_a_robot_obeys_its_own_group_alone() -> None:
    """RFC 9309 2.2.1: a named group replaces `*`, and the longest name decides."""
    robots = read_robots(FILE)
    private = "https://example.com/private"
    assert not robots.permits(private, "fingerpost-audit")
    assert robots.permits(private, "Googlebot")
    assert not robots.permits("https://example.com/", "GPTBot")
    assert robots.delay("fingerpost-audit") == 2.5
    assert robots.delay("Googlebot") == 0
    assert [group.line for group in robots.groups_for("ccbot")] == [7]
    assert [group.line for group in robots.groups_for("Googlebot-News")] == [11]
    assert [group.line for group in robots.groups_for("Bingbot")] == [2]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Dissallow: /x", "no robot knows this record"),
        ("just words", "expected `name: value`"),
        ("Disallow: private", "a path begins with `/`"),
    ],
)
def test_a_line_that_means_nothing_is_odd(line: str, reason: str) -> None:
    """The line is named with its number and the reason."""
    robots = read_robots(f"User-agent: *\n{line}\n".encode())
    assert [(oddity.line, oddity.text, oddity.reason) for oddity in robots.oddities] == [(2, line, reason)]


def test_a_rule_before_any_group_is_odd() -> None:
    """Rules belong to a group; records of the whole file do not."""
    robots = read_robots(b"Host: example.com\nDisallow: /x\nUser-agent: *\nDisallow:\n")
    assert [oddity.reason for oddity in robots.oddities] == ["no User-agent line stands before it"]


def test_a_bom_does_not_hide_the_first_group() -> None:
    """Case 52: the mark is noted, and what comes after it is read."""
    robots = read_robots(b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /x\r\n")
    assert robots.bom
    assert not robots.permits("https://example.com/x", "any")
    assert robots.oddities == []


@given(st.binary(max_size=300))
def test_no_file_breaks_the_reader(body: bytes) -> None:
    """Any octets are a robots.txt, if an odd one."""
    robots = read_robots(body)
    robots.permits("https://example.com/x", "fingerpost-audit")
    assert robots.delay("fingerpost-audit") >= 0
