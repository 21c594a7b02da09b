"""What robots.txt lets each robot of an AI service fetch: the policy as those robots read it."""

from collections.abc import Iterator
from dataclasses import dataclass

from fingerpost.documents.ai_agents import AI_AGENTS, AiAgent
from fingerpost_tools.auditing.facts import Facts
from fingerpost_tools.auditing.robots_file import Group

EVERYTHING = "everything"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Policy:
    """One robot's policy. `group` is the User-agent that decides, "" where robots.txt has nothing for it;
    `may_fetch` is "everything", "nothing" or what is left out; `signals` its group's content signals."""

    agent: AiAgent
    group: str
    may_fetch: str
    signals: str


def policies(facts: Facts) -> Iterator[Policy]:
    """The policy for every known AI robot, in the list's order."""
    known = [*facts.pages, *facts.listed()]
    may_fetch: dict[tuple[int, ...], str] = {}
    for agent in AI_AGENTS:
        groups = facts.robots.groups_for(agent.token)
        obeyed = tuple(group.line for group in groups)
        if obeyed not in may_fetch:
            may_fetch[obeyed] = _may_fetch(facts, agent.token, groups, known)
        names = [name for group in groups for name in group.agents]
        named = [name for name in names if agent.token.lower().startswith(name.lower())]
        signals = next((group.signals for group in groups if group.signals), "")
        group = max(named, key=len, default="*" if groups else "")
        yield Policy(agent, group, may_fetch[obeyed], signals)


def _may_fetch(facts: Facts, token: str, groups: list[Group], known: list[str]) -> str:
    """In words what a robot of these groups may fetch, judged by the addresses that are known of the site."""
    closed = dict.fromkeys(
        rule.pattern for group in groups for rule in group.rules if rule.pattern and not rule.allows
    )
    if not closed:
        return EVERYTHING
    if not any(facts.permits(url, token) for url in (facts.scope.home, *known)):
        return NOTHING
    shown = ", ".join(list(closed)[:3])
    return f"everything but {shown}{' …' if len(closed) > 3 else ''}"
