"""Fingerpost: the well-known files of a site, derived from what its owner has already written."""

__version__ = "0.1.0"
