"""Publication: a site's files into a bucket, so that readers see the site before or the one after."""
