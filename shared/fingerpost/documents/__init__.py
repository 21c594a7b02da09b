"""The derived files, each module a pure function of the catalogue: values in, bytes out."""
