"""Answers /feed.xml."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.feed import FeedAnswers
from fingerpost.web.process import lazily

handler = handler_for(lazily(FeedAnswers, ("fingerpost.documents.markdown", "comrak", "nh3")))
