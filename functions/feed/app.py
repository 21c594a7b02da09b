"""Answers /feed.xml."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.instance import lazily
from fingerpost.web.feed import FeedAnswers

handler = handler_for(lazily(FeedAnswers))
