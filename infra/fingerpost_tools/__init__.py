"""The operator's command line: everything that surrounds the functions on one's own machine."""
