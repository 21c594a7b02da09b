"""robots.txt: its bytes, and its meaning to two readers that other people wrote."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from fingerpost.documents.ai_agents import Purpose, tokens
from fingerpost.documents.robots import (
    RobotsInput,
    RobotsTooLargeError,
    author_pattern,
    content_signal,
    own_robots,
    render_robots,
)
from fingerpost.limits import ROBOTS_BYTES
from fingerpost.site.model import ContentSignals, RobotsGroup, RobotsPolicy

SITE = "https://example.com"
SITEMAP = f"{SITE}/sitemap.xml"

Reader = Callable[[str, str], bool]


def _protego(body: bytes) -> Reader:
    rules: Any = Protego.parse(body.decode())
    return lambda agent, path: bool(rules.can_fetch(f"{SITE}{path}", agent))


def _robotspy(body: bytes) -> Reader:
    robots: Any = pytest.importorskip("robots")
    rules = robots.RobotsParser.from_string(body.decode())
    return lambda agent, path: bool(rules.can_fetch(agent, f"{SITE}{path}"))


READERS = pytest.mark.parametrize("reader", [_protego, _robotspy])


def policy(*groups: RobotsGroup, training: bool | None = None, answers: bool | None = None) -> RobotsPolicy:
    return RobotsPolicy(groups, training=training, answers=answers)


def group(
    *robots: str,
    allow: Sequence[str] = (),
    disallow: Sequence[str] = (),
    crawl_delay: str | None = None,
    comment: str | None = None,
) -> RobotsGroup:
    return RobotsGroup(robots, tuple(allow), tuple(disallow), crawl_delay, comment)


def test_the_basic_form() -> None:
    """Without a policy the file is the four lines of the reference, and a line end after each."""
    body = render_robots(RobotsInput(("/_preview",), SITEMAP))
    assert body == (
        b"User-agent: *\nAllow: /\nDisallow: /_preview\nSitemap: https://example.com/sitemap.xml\n"
    )


def test_a_site_without_pages_to_hide_or_a_sitemap() -> None:
    """No Disallow and no Sitemap line is written for what the site does not have."""
    assert render_robots(RobotsInput()) == b"User-agent: *\nAllow: /\n"


def test_a_path_that_two_pages_share_is_written_once() -> None:
    """Two pages under one static prefix give one line."""
    assert render_robots(RobotsInput(("/_a", "/_a"))).count(b"Disallow") == 1


@pytest.mark.parametrize(
    ("signals", "line"),
    [
        (ContentSignals(), "search=yes, ai-input=yes, ai-train=yes"),
        (ContentSignals(ai_train=False), "search=yes, ai-input=yes, ai-train=no"),
        (ContentSignals(search=False, ai_input=False), "search=no, ai-input=no, ai-train=yes"),
    ],
)
def test_content_signals(signals: ContentSignals, line: str) -> None:
    """Declared signals stand on one line behind User-agent, each `no` where its key is false."""
    assert content_signal(signals) == line
    body = render_robots(RobotsInput(signals=signals)).decode()
    assert body == f"User-agent: *\nContent-Signal: {line}\nAllow: /\n"


def test_content_signals_hold_in_every_group() -> None:
    """A robot with a group of its own does not read `*`: the signal is repeated for it."""
    rules = policy(group("Googlebot", disallow=["/x"]), training=False, answers=True)
    blocks = render_robots(RobotsInput(signals=ContentSignals(), policy=rules)).decode().split("\n\n")
    assert len(blocks) == 4
    assert all(re.search(r"User-agent: [^\n]+\nContent-Signal: ", block) for block in blocks)


def test_no_signals_no_line() -> None:
    """Consent is the owner's to give: nothing declared, nothing written."""
    assert b"Content-Signal" not in render_robots(RobotsInput(signals=None))


@pytest.mark.parametrize(
    ("written", "pattern"),
    [
        ("/", "/"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/a b", "/a%20b"),
        ("/100%", "/100%25"),
        ("/100%zz", "/100%25zz"),
        ("/a#b", "/a%23b"),
        ("/*.pdf$", "/*.pdf$"),
        ("*.pdf$", "*.pdf$"),
        ("private", "/private"),
        ("  /x  ", "/x"),
        ("/a\r\nUser-agent: x", "/a%0D%0AUser-agent:%20x"),
        ("/a\u2028b", "/a%E2%80%A8b"),
    ],
)
def test_author_patterns(written: str, pattern: str) -> None:
    """RFC 9309 2.2.2-3: wildcards and escapes stay, all else that a path can't hold is encoded."""
    assert author_pattern(written) == pattern
    assert author_pattern(pattern) == pattern


@given(st.text())
def test_an_author_pattern_is_one_line_and_encoded_once(text: str) -> None:
    """Whatever the author writes becomes one line of ASCII that encoding again does not change."""
    pattern = author_pattern(text)
    assert re.fullmatch(r"[/*][!-\"$-~]*", pattern)
    assert author_pattern(pattern) == pattern


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/_a%20b", b"Disallow: /_a%20b\n"),
        ("/_*", b"Disallow: /_%2A\n"),
        ("/_cash$", b"Disallow: /_cash%24\n"),
        ("/_%C3%A9", b"Disallow: /_%C3%A9\n"),
        ("/_100%25", b"Disallow: /_100%25\n"),
    ],
)
def test_derived_paths_match_only_themselves(path: str, line: bytes) -> None:
    """RFC 9309 2.2.3: in a path of the site's own, `*` and `$` are literal."""
    assert line in render_robots(RobotsInput((path,)))


@READERS
@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("Other", "/", True),
        ("Other", "/_preview/x", False),
        ("Other", "/private/x", False),
        ("Other", "/only-google", True),
        ("Googlebot", "/", True),
        ("Googlebot", "/_preview/x", False),
        ("Googlebot", "/private/x", False),
        ("Googlebot", "/private/press", True),
        ("Googlebot", "/only-google", False),
        ("Googlebot", "/a.pdf", False),
        ("Googlebot", "/a.pdf.html", True),
        ("Bingbot", "/private/x", True),
        ("Bingbot", "/_preview/x", False),
        ("GPTBot", "/", True),
        ("GPTBot", "/private/x", False),
        ("GPTBot", "/_preview/x", False),
        ("PerplexityBot", "/", False),
        ("ClaudeBot", "/no-claude", False),
        ("ClaudeBot", "/", True),
        ("Slowbot", "/", True),
        ("Slowbot", "/private/x", False),
    ],
)
def test_each_robot_gets_what_was_declared(
    reader: Callable[[bytes], Reader], agent: str, path: str, allowed: bool
) -> None:
    """Two independent readers give each robot the declared verdict on each path."""
    rules = policy(
        group("*", disallow=["/private"]),
        group("Googlebot", allow=["/private/press"], disallow=["/only-google", "/*.pdf$"]),
        group("Bingbot", allow=["/"]),
        group("ClaudeBot", disallow=["/no-claude"]),
        group("Slowbot", crawl_delay="10"),
        training=True,
        answers=False,
    )
    assert reader(render_robots(RobotsInput(("/_preview",), SITEMAP, None, rules)))(agent, path) is allowed


@READERS
def test_an_allowing_preset_opens_a_site_closed_to_everyone(reader: Callable[[bytes], Reader]) -> None:
    """`training: allow` lets its robots in where `*` is kept out, but not into a part closed to everyone."""
    rules = policy(group("*", disallow=["/", "/private"]), training=True)
    fetch = reader(render_robots(RobotsInput(("/_x",), policy=rules)))
    assert not fetch("Other", "/a")
    assert fetch("GPTBot", "/a")
    assert not fetch("GPTBot", "/private/a")
    assert not fetch("GPTBot", "/_x")


@READERS
@pytest.mark.parametrize(
    ("purpose", "other"), [(Purpose.TRAINING, Purpose.ANSWERS), (Purpose.ANSWERS, Purpose.TRAINING)]
)
def test_a_preset_reaches_all_its_robots_and_no_other(
    reader: Callable[[bytes], Reader], purpose: Purpose, other: Purpose
) -> None:
    """A preset rules every robot of its purpose and leaves those of the other to `*`."""
    rules = policy(training=False) if purpose is Purpose.TRAINING else policy(answers=False)
    fetch = reader(render_robots(RobotsInput(policy=rules)))
    # One reader takes RFC 9309's product token literally: letters, `-` and `_`, though AI2Bot has a digit.
    ruled, others = (
        [robot for robot in tokens(listed) if reader is _protego or not re.search(r"\d", robot)]
        for listed in (purpose, other)
    )
    assert not any(fetch(robot, "/a") for robot in ruled)
    assert all(fetch(robot, "/a") for robot in others)


@READERS
def test_the_authors_group_wins_over_a_preset(reader: Callable[[bytes], Reader]) -> None:
    """A robot that the author names is left out of the preset, whatever the case and version written."""
    rules = policy(group("gptbot/1.2", allow=["/"], disallow=["/x"]), training=False)
    body = render_robots(RobotsInput(policy=rules))
    assert len(re.findall(rb"(?im)^User-agent: gptbot", body)) == 1
    fetch = reader(body.replace(b"gptbot/1.2", b"GPTBot"))
    assert fetch("GPTBot", "/a")
    assert not fetch("GPTBot", "/x")
    assert not fetch("CCBot", "/a")


@READERS
def test_a_robot_named_twice_has_one_group_with_the_rules_of_both(reader: Callable[[bytes], Reader]) -> None:
    """RFC 9309 2.2.1: rules of all groups that name a robot are combined; here, in the file itself."""
    rules = policy(group("A-bot", "B-bot", disallow=["/one"]), group("b-bot", "C-bot", disallow=["/two"]))
    body = render_robots(RobotsInput(policy=rules))
    assert len(re.findall(rb"(?im)^User-agent: b-bot$", body)) == 1
    fetch = reader(body)
    verdicts = {robot: [fetch(robot, "/one"), fetch(robot, "/two")] for robot in ("A-bot", "B-bot", "C-bot")}
    assert verdicts == {"A-bot": [False, True], "B-bot": [False, False], "C-bot": [True, False]}


@READERS
def test_a_group_without_rules_is_not_read_as_one_with_the_next(reader: Callable[[bytes], Reader]) -> None:
    """A group that says nothing still ends: its robots may fetch what the next group's may not."""
    rules = policy(group("Quiet"), group("Closed", disallow=["/"]))
    fetch = reader(render_robots(RobotsInput(policy=rules)))
    assert fetch("Quiet", "/a")
    assert not fetch("Closed", "/a")


@READERS
def test_an_empty_disallow_opens_the_site(reader: Callable[[bytes], Reader]) -> None:
    """The oldest way to say that everything is allowed is understood, also where `*` is kept out."""
    rules = policy(group("*", disallow=["/"]), group("Friend", disallow=[""]))
    fetch = reader(render_robots(RobotsInput(policy=rules)))
    assert fetch("Friend", "/a")
    assert not fetch("Other", "/a")


@READERS
@pytest.mark.parametrize("everything", ["/", "/*", "*"])
def test_the_authors_group_for_everyone_can_close_the_site(
    reader: Callable[[bytes], Reader], everything: str
) -> None:
    """The `Allow: /` of the basic form does not outweigh the author's own rules for `*`."""
    fetch = reader(render_robots(RobotsInput(policy=policy(group("*", disallow=[everything])))))
    assert not fetch("Other", "/a")


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))
RULES = st.lists(st.one_of(PATHS, st.just("/")), max_size=3)


def _longest(patterns: Sequence[str], path: str) -> int:
    return max((len(pattern) for pattern in patterns if path.startswith(pattern)), default=-1)


@READERS
@given(
    everyone=st.tuples(RULES, RULES),
    named=st.tuples(RULES, RULES),
    derived=st.lists(PATHS, max_size=2),
    path=PATHS,
)
def test_no_group_grants_more_than_everyone_has_by_omission(
    reader: Callable[[bytes], Reader],
    everyone: tuple[list[str], list[str]],
    named: tuple[list[str], list[str]],
    derived: list[str],
    path: str,
) -> None:
    """What `*` may not fetch, a named robot may only where its own group allows it; what that group forbids
    it may not; and what nobody forbids it may."""
    rules = policy(
        group("*", allow=everyone[0], disallow=everyone[1]), group("Named", allow=named[0], disallow=named[1])
    )
    fetch = reader(render_robots(RobotsInput(tuple(derived), policy=rules)))
    allowed, forbidden = _longest(named[0], path), _longest(named[1], path)
    elsewhere = _longest([*derived, *everyone[1]], path)
    if allowed < 0:
        assert fetch("Named", path) is (forbidden < 0 and elsewhere < 0)
        assert fetch("Other", path) or not fetch("Named", path)
    elif allowed < forbidden:
        assert not fetch("Named", path)
    elif allowed >= elsewhere:
        assert fetch("Named", path)


@given(st.text(), st.text(), st.text(), st.text())
@example("why", "*", "", "")
def test_nothing_breaks_out_of_its_line(comment: str, robot: str, delay: str, rule: str) -> None:
    """Whatever a group's texts hold, every line of the file is one of the few that were meant. A group that
    names `*` and others is two, each with the comment."""
    rules = policy(group("Safe", robot, disallow=[rule], crawl_delay=delay, comment=comment))
    body = render_robots(RobotsInput(policy=rules)).decode()
    for line in body.splitlines():
        assert re.fullmatch(r"(?:#.*|(?:User-agent|Allow|Disallow|Crawl-delay):.*|)", line)
    comments = [line for line in body.splitlines() if line.startswith("#")]
    groups = 2 if robot.partition("#")[0].partition("/")[0].strip() == "*" else 1
    assert len(comments) == len(comment.splitlines()) * groups
    assert body.splitlines().count("User-agent: *") == 1


def test_a_comment_stands_above_its_group() -> None:
    """Every line of a comment is one, and belongs to the group that follows."""
    body = render_robots(
        RobotsInput(policy=policy(group("X", disallow=["/"], comment="why\n\nUser-agent: *")))
    )
    assert body.endswith(b"\n\n# why\n#\n# User-agent: *\nUser-agent: X\nDisallow: /\n")


def test_crawl_delay_is_written_as_declared() -> None:
    """`crawlDelay` becomes a line that its robots read."""
    body = render_robots(RobotsInput(policy=policy(group("Slowbot", crawl_delay="2.5"))))
    rules: Any = Protego.parse(body.decode())
    assert rules.crawl_delay("Slowbot") == 2.5
    assert rules.crawl_delay("Other") is None


def test_the_sitemap_is_absolute_and_read_by_everyone() -> None:
    """Case 51: the Sitemap line holds the absolute address with the base path, whatever groups follow."""
    url = f"{SITE}/base/sitemap.xml"
    rules: Any = Protego.parse(
        render_robots(RobotsInput(sitemap=url, policy=policy(group("X"), training=False))).decode()
    )
    assert list(rules.sitemaps) == [url]


def test_a_policy_beyond_500_kib_is_a_named_error() -> None:
    """RFC 9309 2.5: crawlers may stop reading at 500 KiB, so a longer policy is refused with its size."""
    rule = "/" + "x" * 1023
    fits = policy(group("*", disallow=[f"{rule}{number}" for number in range(480)]))
    assert len(render_robots(RobotsInput(policy=fits))) <= ROBOTS_BYTES
    more = policy(group("*", disallow=[f"{rule}{number}" for number in range(500)]))
    with pytest.raises(RobotsTooLargeError, match=r"at most 512000 bytes of rules, found 5\d{5}"):
        render_robots(RobotsInput(policy=more))


def test_the_owners_file_without_mark_and_carriage_returns() -> None:
    """Case 52: a byte order mark hides the first group from crawlers; it and CR are dropped, nothing else."""
    written = b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /x # caf\xc3\xa9\r\n\rDisallow: /y\n"
    served = own_robots(written)
    assert served == b"User-agent: *\nDisallow: /x # caf\xc3\xa9\n\nDisallow: /y\n"
    assert not _protego(served)("Any", "/x")


@given(st.binary())
def test_the_owners_file_is_served_as_written_otherwise(body: bytes) -> None:
    """No CR is left, and a file without mark and CR is served byte for byte."""
    served = own_robots(body)
    assert b"\r" not in served
    assert own_robots(served) == served or served.startswith(b"\xef\xbb\xbf")
    if b"\r" not in body and not body.startswith(b"\xef\xbb\xbf"):
        assert served == body
