"""The list of AI robots stays well-formed, so that a careless edit can't break a site's policy."""

import re
from urllib.parse import urlsplit

import pytest

from fingerpost.documents.ai_agents import AI_AGENTS, AiAgent, Purpose, tokens


@pytest.mark.parametrize("agent", AI_AGENTS, ids=lambda agent: agent.token)
def test_every_entry_is_complete(agent: AiAgent) -> None:
    """Each robot has a token that a User-agent line can hold, an operator, a purpose and a public page."""
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", agent.token)
    assert agent.operator.strip() == agent.operator != ""
    assert isinstance(agent.purpose, Purpose)
    page = urlsplit(agent.page)
    assert page.scheme == "https"
    assert "." in page.netloc
    assert page.path.strip("/")
    assert re.fullmatch(r"[!-~]+", agent.page)


def test_no_robot_stands_in_the_list_twice() -> None:
    """A token names one robot, whatever its case: two entries could be given two verdicts."""
    names = [agent.token.lower() for agent in AI_AGENTS]
    assert len(names) == len(set(names))


def test_the_list_is_ordered() -> None:
    """Entries are sorted by purpose and token, so that an addition has one place."""
    order = [(list(Purpose).index(agent.purpose), agent.token.lower()) for agent in AI_AGENTS]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("purpose", "known"),
    [
        (
            Purpose.TRAINING,
            {"GPTBot", "ClaudeBot", "CCBot", "Bytespider", "Google-Extended", "Applebot-Extended"},
        ),
        (Purpose.ANSWERS, {"OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"}),
    ],
)
def test_the_robots_that_the_reference_names_are_listed(purpose: Purpose, known: set[str]) -> None:
    """The robots named in the reference of `robots.ai` are under the purpose it gives them."""
    assert known <= set(tokens(purpose))


def test_every_robot_has_exactly_one_purpose() -> None:
    """The two presets share no robot and leave none out."""
    assert sorted(tokens(Purpose.TRAINING) + tokens(Purpose.ANSWERS)) == sorted(a.token for a in AI_AGENTS)
