"""robots.txt (RFC 9309; SPEC section 8): one group for everyone, one per policy the author declares.

A crawler obeys the one group that names it and ignores `*` (RFC 9309 2.2.1). So that no robot may fetch
more than `*` because its group forgot a line, every named group repeats the Disallow lines of `*`: the
derived ones always, the author's own unless the group itself allows that path. And so that a robot has
one policy however often it is named, each appears in one group of the file only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from fingerpost.documents.ai_agents import Purpose, tokens
from fingerpost.limits import ROBOTS_BYTES
from fingerpost.site.model import ContentSignals, RobotsGroup, RobotsPolicy
from fingerpost.values import dataclass

_EVERYONE: Final = "*"
_NO_POLICY: Final = RobotsPolicy()
# Patterns that match every path: a verdict on the whole site rather than on a part of it.
_WHOLE_SITE: Final = frozenset({"/", "*", "/*"})

_UNENCODED_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
# RFC 3986 2.2 and 2.3, less the brackets (IP literals only) and `#`, which would start a comment.
_PATTERN_SAFE: Final = "/%:?@!$&'()*+,;="
# Whatever some reader may take for the end of a line.
_LINE_ENDS = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]+")


class RobotsTooLargeError(ValueError):
    """The policy is longer than the 500 KiB that every crawler reads (RFC 9309 2.5)."""

    def __init__(self, size: int) -> None:
        super().__init__(f"robots: expected at most {ROBOTS_BYTES} bytes of rules, found {size}")
        self.size = size


@dataclass(frozen=True, slots=True)
class RobotsInput:
    """What robots.txt is made of. `disallowed` are published path prefixes, base path included, encoded as
    `build_path` encodes them; `sitemap` is an absolute URL, None where the site has no sitemap."""

    disallowed: tuple[str, ...] = ()
    sitemap: str | None = None
    signals: ContentSignals | None = None
    policy: RobotsPolicy = _NO_POLICY


@dataclass(frozen=True, slots=True)
class _Group:
    """One group of the file; patterns are encoded, each token is in this group alone."""

    robots: tuple[str, ...]
    allow: tuple[str, ...] = ()
    disallow: tuple[str, ...] = ()
    crawl_delay: str | None = None
    comment: str = ""


def render_robots(wanted: RobotsInput) -> bytes:
    """The whole file, UTF-8 with LF line ends, the group for `*` and the sitemap first.

    Raises RobotsTooLargeError beyond 500 KiB: crawlers would read a part of such a file, and a policy half
    read is another policy. It depends on the configuration alone, so that `check` can tell in time.
    """
    derived = tuple(dict.fromkeys(_derived_pattern(path) for path in wanted.disallowed))
    declared = list(_declared(wanted.policy.groups))
    everyone = next((group for group in declared if group.robots == (_EVERYONE,)), _Group((_EVERYONE,)))
    named = [
        replace(group, disallow=_union(group.disallow, derived, _inherited(group, everyone)))
        for group in declared
        if group is not everyone
    ]
    presets = _presets(wanted.policy, named, derived, everyone)
    signal = None if wanted.signals is None else content_signal(wanted.signals)
    first = replace(
        everyone,
        allow=everyone.allow if everyone.allow or everyone.disallow else ("/",),
        disallow=_union(everyone.disallow, derived),
    )
    blocks = ["\n".join(_lines(group, signal)) for group in (first, *named, *presets)]
    if wanted.sitemap is not None:
        blocks[0] += f"\nSitemap: {_one_line(wanted.sitemap)}"
    body = ("\n\n".join(blocks) + "\n").encode()
    if len(body) > ROBOTS_BYTES:
        raise RobotsTooLargeError(len(body))
    return body


def content_signal(signals: ContentSignals) -> str:
    """The value of a Content-Signal line (contentsignals.org): `search=yes, ai-input=yes, ai-train=no`."""
    return ", ".join(f"{use}={'yes' if granted else 'no'}" for use, granted in content_usage(signals).items())


def content_usage(signals: ContentSignals) -> dict[str, bool]:
    """Each use by the name contentsignals.org gives it, in that text's order."""
    return {"search": signals.search, "ai-input": signals.ai_input, "ai-train": signals.ai_train}


def own_robots(body: bytes) -> bytes:
    """The owner's `public/robots.txt` as served: as written, but with LF line ends and no byte order mark,
    behind which some crawlers miss the first group."""
    return body.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _declared(groups: Sequence[RobotsGroup]) -> Iterator[_Group]:
    """The author's groups with each robot in one only: robots that the same groups name stand together,
    with the rules of all of them (RFC 9309 2.2.1 has a crawler combine groups that name it twice)."""
    spelling: dict[str, str] = {}
    named_by: dict[str, list[int]] = {}
    for index, group in enumerate(groups):
        for token in map(_value, group.user_agents):
            if product := _product(token):
                spelling.setdefault(product, token)
                named_by.setdefault(product, []).append(index)
    together: dict[tuple[bool, tuple[int, ...]], list[str]] = {}
    for product, indexes in named_by.items():
        # `*` keeps a group of its own: the file's first, whose lines the others repeat.
        together.setdefault((product == _EVERYONE, tuple(dict.fromkeys(indexes))), []).append(product)
    for (_, naming), products in together.items():
        members = [groups[index] for index in naming]
        # An empty Disallow has opened the whole site since the first robots.txt of 1994.
        opened = any(not pattern.strip() for group in members for pattern in group.disallow)
        yield _Group(
            robots=tuple(spelling[product] for product in products),
            allow=_union(*(_encoded(group.allow) for group in members), ("/",) if opened else ()),
            disallow=_union(*(_encoded(group.disallow) for group in members)),
            crawl_delay=next((group.crawl_delay for group in members if group.crawl_delay), None),
            comment="\n".join(group.comment for group in members if group.comment),
        )


def _encoded(patterns: Iterable[str]) -> tuple[str, ...]:
    return tuple(author_pattern(pattern) for pattern in patterns if pattern.strip())


def _inherited(group: _Group, everyone: _Group) -> Iterator[str]:
    """The author's own Disallow lines of `*`, less those that the group's own Allow lines cover."""
    return (pattern for pattern in everyone.disallow if not pattern.startswith(group.allow))


def _presets(
    policy: RobotsPolicy, named: Sequence[_Group], derived: tuple[str, ...], everyone: _Group
) -> Iterator[_Group]:
    """The groups of `robots.ai`, without the robots that the author names in a group of their own.

    Allowing opens the site, never a part of it that is closed to everyone.
    """
    taken = {_product(robot) for group in named for robot in group.robots}
    closed = [pattern for pattern in everyone.disallow if pattern not in _WHOLE_SITE]
    for purpose, allowed in ((Purpose.TRAINING, policy.training), (Purpose.ANSWERS, policy.answers)):
        robots = tuple(token for token in tokens(purpose) if _product(token) not in taken)
        if allowed is None or not robots:
            continue
        comment = f"AI robots: {purpose}"
        if allowed:
            yield _Group(robots, _union(("/",), everyone.allow), _union(derived, closed), comment=comment)
        else:
            yield _Group(robots, disallow=_union(("/",), derived), comment=comment)


def _lines(group: _Group, signal: str | None) -> Iterator[str]:
    for line in group.comment.splitlines():
        yield f"# {_one_line(line)}".rstrip()
    for robot in group.robots:
        yield f"User-agent: {robot}"
    if signal is not None:
        yield f"Content-Signal: {signal}"
    # A group without any rule would be read as one with the group that follows it (RFC 9309 2.2).
    for pattern in group.allow if group.allow or group.disallow else ("/",):
        yield f"Allow: {pattern}"
    for pattern in group.disallow:
        yield f"Disallow: {pattern}"
    if group.crawl_delay is not None:
        yield f"Crawl-delay: {_value(group.crawl_delay)}"


def author_pattern(text: str) -> str:
    """A path pattern of the author's, encoded per RFC 9309 2.2.2-3.

    `*` and a final `$` are the wildcards they are meant to be, what is percent-encoded already stays so,
    and a pattern that starts neither with `/` nor `*` gets the `/` that the grammar asks for.
    """
    pattern = quote(_UNENCODED_PERCENT.sub("%25", text.strip()), safe=_PATTERN_SAFE, errors="replace")
    return pattern if pattern.startswith(("/", "*")) else f"/{pattern}"


def _derived_pattern(path: str) -> str:
    """A published path as a pattern of itself alone: `*` and `$` are literal (RFC 9309 2.2.3)."""
    return author_pattern(path).replace("*", "%2A").replace("$", "%24")


def _value(text: str) -> str:
    """What stands behind a colon: one line, without what would read as a comment."""
    return _one_line(text).partition("#")[0].strip()


def _product(token: str) -> str:
    """What a crawler compares: its product token without a version, whatever the case (RFC 9309 2.2.1)."""
    return token.partition("/")[0].strip().lower()


def _one_line(text: str) -> str:
    return _LINE_ENDS.sub(" ", text).encode(errors="replace").decode().strip()


def _union(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pattern for group in groups for pattern in group))
