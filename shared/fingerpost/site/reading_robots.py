"""`robots` and `agents`: what robots are asked, beyond what the pages say."""

import re
from typing import Final

from fingerpost.site.model import ContentSignals, RobotsGroup, RobotsPolicy
from fingerpost.site.value import Value

_GROUP: Final = ("userAgents", "allow", "disallow", "crawlDelay", "comment")
# RFC 9309 2.2.1 allows letters, `-` and `_`; robots in use also have digits and dots in their names.
_USER_AGENT: Final = re.compile(r"\*|[A-Za-z0-9_.-]+", re.ASCII)
_SIGNALS: Final = ("search", "aiInput", "aiTrain")
_POLICIES: Final = {"allow": True, "disallow": False}


def read_robots(value: Value) -> RobotsPolicy:
    """`robots`."""
    keys = value.section(("groups", "ai"))
    ai = keys.read("ai", lambda found: found.section(("training", "answers")))
    return RobotsPolicy(
        groups=tuple(_read_group(item) for item in keys.read("groups", Value.items) or ()),
        training=ai.read("training", _read_policy) if ai is not None else None,
        answers=ai.read("answers", _read_policy) if ai is not None else None,
    )


def _read_policy(value: Value) -> bool | None:
    choice = value.choice(_POLICIES)
    return None if choice is None else _POLICIES[choice]


def _read_group(value: Value) -> RobotsGroup:
    keys = value.section(_GROUP)
    agents = keys.read("userAgents", Value.one_or_many) or ()
    named = keys.value("userAgents")
    if named is None:
        keys.required("userAgents")
    elif not agents and not named.is_mapping:
        named.error("missing", "expected at least one robot, found none")
    for agent in agents:
        if named is not None and not _USER_AGENT.fullmatch(agent):
            named.error("bad-user-agent", f"expected a robot's name such as GPTBot, or *, found `{agent}`")
    return RobotsGroup(
        user_agents=agents,
        allow=keys.read("allow", _read_paths) or (),
        disallow=keys.read("disallow", _read_paths) or (),
        crawl_delay=keys.read("crawlDelay", lambda found: found.number(0)),
        comment=keys.text("comment"),
        place=value.place,
    )


def _read_paths(value: Value) -> tuple[str, ...]:
    """Rules (RFC 9309 2.2.2): paths that begin with `/` or `*`; an empty one matches nothing."""
    paths = value.one_or_many()
    for path in paths:
        if path and (path[0] not in "/*" or not path.isprintable()):
            value.error("bad-path", f"expected paths that begin with / or *, found {path!r}")
    return paths


def read_content_signals(value: Value) -> ContentSignals | None:
    """`agents.contentSignals`: None where no line is to be written. A signal is yes unless it is false."""
    if value.literal is not None:
        return ContentSignals() if value.literal else None
    keys = value.section(_SIGNALS)
    return ContentSignals(*(keys.flag(signal, True) for signal in _SIGNALS))
