"""Answers /robots.txt."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.process import lazily
from fingerpost.web.robots import RobotsAnswers

handler = handler_for(lazily(RobotsAnswers))
