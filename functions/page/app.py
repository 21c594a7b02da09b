"""Answers pages, articles and records, as HTML or Markdown, and the owner's own files."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.instance import lazily
from fingerpost.web.pages import PageAnswers

handler = handler_for(lazily(PageAnswers))
