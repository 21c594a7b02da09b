"""What `fingerpost audit` is made of: a polite crawl gathers facts, checks judge them, reports say so.

    fetcher -> crawl, probes -> facts -> checks -> report

The crawl alone speaks HTTP. A check is a pure function of the facts, so that what it says depends on nothing
but what the site answered.
"""
