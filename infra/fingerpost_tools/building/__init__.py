"""The static build: the site that the functions would serve, as files for any host (SPEC section 12)."""
