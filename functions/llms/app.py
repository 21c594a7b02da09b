"""Answers /llms.txt, /llms-full.txt and /agent-readability.json."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.llms import LlmsAnswers
from fingerpost.web.process import lazily

handler = handler_for(lazily(LlmsAnswers))
