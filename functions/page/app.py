"""Answers pages, articles and records, as HTML or Markdown, and the owner's own files."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.pages import PageAnswers
from fingerpost.web.process import lazily

handler = handler_for(lazily(PageAnswers, ("fingerpost.documents.markdown", "comrak", "nh3")))
