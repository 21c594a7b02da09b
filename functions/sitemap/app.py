"""Answers /sitemap.xml and /sitemap-N.xml; computes the next minute's set where a schedule asks for it."""

from fingerpost.web.entry_point import handler_for
from fingerpost.web.instance import open_instance
from fingerpost.web.process import lazily
from fingerpost.web.refresh import refresher_for
from fingerpost.web.sitemap import SitemapAnswers

handler = handler_for(lazily(SitemapAnswers))
refresh = refresher_for(open_instance)
