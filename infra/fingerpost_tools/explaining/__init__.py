"""Why an address is, or is not, in each document: the catalogue's own verdicts in words, with places."""
