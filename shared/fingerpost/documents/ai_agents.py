"""The robots of AI services: which token each answers to in robots.txt, who runs it and what it fetches for.

One list, kept by hand. A robot stands here under the purpose that its operator states; where the operator
has published nothing, the page is a public directory that says what is known. A robot that serves two
purposes stands under `training`, the one that its owner can't take back.
"""

from enum import StrEnum
from typing import Final, NamedTuple


class Purpose(StrEnum):
    """What a robot fetches pages for: the keys of `robots.ai`."""

    TRAINING = "training"  # text that may train a model
    ANSWERS = "answers"  # a page, or an index of pages, to answer people's questions from


class AiAgent(NamedTuple):
    """One robot. `token` is its product token (RFC 9309 2.2.1); `page` tells its purpose in public."""

    token: str
    operator: str
    purpose: Purpose
    page: str


_TRAINING = Purpose.TRAINING
_ANSWERS = Purpose.ANSWERS

_ANTHROPIC = "https://support.claude.com/en/articles/8896518"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
_MISTRAL = "https://docs.mistral.ai/robots"
_OPENAI = "https://platform.openai.com/docs/bots"
_PERPLEXITY = "https://docs.perplexity.ai/guides/bots"

AI_AGENTS: Final = (
    AiAgent("AI2Bot", "Ai2", _TRAINING, "https://allenai.org/crawler"),
    AiAgent("Ai2Bot-Dolma", "Ai2", _TRAINING, "https://allenai.org/crawler"),
    AiAgent("Amazonbot", "Amazon", _TRAINING, "https://developer.amazon.com/amazonbot"),
    AiAgent("anthropic-ai", "Anthropic", _TRAINING, "https://darkvisitors.com/agents/anthropic-ai"),
    AiAgent("Applebot-Extended", "Apple", _TRAINING, "https://support.apple.com/en-us/119829"),
    AiAgent("Bytespider", "ByteDance", _TRAINING, "https://darkvisitors.com/agents/bytespider"),
    AiAgent("CCBot", "Common Crawl", _TRAINING, "https://commoncrawl.org/ccbot"),
    AiAgent("ClaudeBot", "Anthropic", _TRAINING, _ANTHROPIC),
    AiAgent(
        "cohere-training-data-crawler",
        "Cohere",
        _TRAINING,
        "https://darkvisitors.com/agents/cohere-training-data-crawler",
    ),
    AiAgent("Cotoyogi", "ROIS", _TRAINING, "https://ds.rois.ac.jp/en_center8/en_crawler/"),
    AiAgent("Google-Extended", "Google", _TRAINING, _GOOGLE),
    AiAgent("GPTBot", "OpenAI", _TRAINING, _OPENAI),
    AiAgent("ICC-Crawler", "NICT", _TRAINING, "https://ucri.nict.go.jp/en/icccrawler.html"),
    AiAgent("Meta-ExternalAgent", "Meta", _TRAINING, _META),
    AiAgent("MistralAI-Training", "Mistral AI", _TRAINING, _MISTRAL),
    AiAgent("PanguBot", "Huawei", _TRAINING, "https://darkvisitors.com/agents/pangubot"),
    AiAgent("SBIntuitionsBot", "SB Intuitions", _TRAINING, "https://www.sbintuitions.co.jp/en/bot/"),
    AiAgent("ChatGPT-User", "OpenAI", _ANSWERS, _OPENAI),
    AiAgent("Claude-SearchBot", "Anthropic", _ANSWERS, _ANTHROPIC),
    AiAgent("Claude-User", "Anthropic", _ANSWERS, _ANTHROPIC),
    AiAgent(
        "DuckAssistBot",
        "DuckDuckGo",
        _ANSWERS,
        "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot",
    ),
    AiAgent("Meta-ExternalFetcher", "Meta", _ANSWERS, _META),
    AiAgent("Meta-WebIndexer", "Meta", _ANSWERS, _META),
    AiAgent("MistralAI-Index", "Mistral AI", _ANSWERS, _MISTRAL),
    AiAgent("MistralAI-User", "Mistral AI", _ANSWERS, _MISTRAL),
    AiAgent("OAI-SearchBot", "OpenAI", _ANSWERS, _OPENAI),
    AiAgent("Perplexity-User", "Perplexity", _ANSWERS, _PERPLEXITY),
    AiAgent("PerplexityBot", "Perplexity", _ANSWERS, _PERPLEXITY),
    AiAgent("ShapBot", "Parallel", _ANSWERS, "https://docs.parallel.ai/features/crawler"),
)


def tokens(purpose: Purpose) -> tuple[str, ...]:
    """The tokens of every robot of one purpose, in the list's order."""
    return tuple(agent.token for agent in AI_AGENTS if agent.purpose is purpose)
