"""What the author wrote: the configuration model, its loading, front matter, and its problems."""
