"""One request in, one answer out: events, negotiation, caching policy, conditional requests."""
