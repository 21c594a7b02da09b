"""Answers /sitemap.xml and /sitemap-N.xml."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.instance import lazily
from fingerpost.web.sitemap import SitemapAnswers

handler = handler_for(lazily(SitemapAnswers))
