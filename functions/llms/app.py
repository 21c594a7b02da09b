"""Answers /llms.txt, /llms-full.txt and /agent-readability.json."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.instance import lazily
from fingerpost.web.llms import LlmsAnswers

handler = handler_for(lazily(LlmsAnswers))
