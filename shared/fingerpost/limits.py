"""Every limit of the product, each with the text that sets it."""

from typing import Final

# The sitemaps.org protocol allows 50,000 URLs a file; smaller files keep each answer light.
SITEMAP_ENTRIES: Final = 5_000
# sitemaps.org: "a Sitemap index file may not list more than 50,000 Sitemaps".
SITEMAP_CHILDREN: Final = 50_000
# sitemaps.org, <loc>: "This value must be less than 2,048 characters."
LOC_CHARACTERS: Final = 2_048
# A sitemap is computed once, then served unchanged for this long (seconds).
SITEMAP_SECONDS: Final = 60
# Every other public document may be kept by a shared cache for this long (seconds).
DOCUMENT_SECONDS: Final = 300
# How long a cache may go on serving its last good copy while the origin fails (RFC 5861, seconds).
STALE_IF_ERROR_SECONDS: Final = 86_400
# A client that got a 503 is asked to come back after this long (seconds).
RETRY_AFTER_SECONDS: Final = 30
# What is kept of a function's time for giving its answer (seconds): nothing waits for S3 or Postgres then.
ANSWERING_SECONDS: Final = 1.0

# Lambda: "Invocation payload, synchronous: 6 MB each for request and response", counted after base64.
PLATFORM_RESPONSE_BYTES: Final = 6 * 1024 * 1024
# The largest body that still fits after base64 (4/3) with room for headers and the JSON envelope.
RESPONSE_BYTES: Final = 4_300_000
# RFC 9309 2.5: "Crawlers SHOULD impose a parsing limit ... at least 500 kibibytes".
ROBOTS_BYTES: Final = 500 * 1024

# Records are read by key in pages of this many rows ...
RECORD_PAGE_ROWS: Final = 5_001
# ... and at most this many pages a collection, unless seo.sitemap.maxRecords says otherwise.
RECORD_PAGES: Final = 10
# Items in a feed that says `rss: true`, and the most that `{limit}` may ask for.
FEED_ITEMS: Final = 20
FEED_ITEMS_MOST: Final = 200

# Common file systems (ext4, APFS, NTFS) hold names of at most 255 bytes.
FILE_NAME_BYTES: Final = 255
# CloudFront refuses a longer URL; nothing of ours is near it.
PATH_CHARACTERS: Final = 8_192

# YAML: how deep collections may nest, and how many values a file may come to once its aliases are written
# out ("billion laughs" grows to billions from a few lines). Far above any real site.
YAML_DEPTH: Final = 200
YAML_VALUES: Final = 200_000

# A page's components and templates nest at most this deep, and one page renders at most this many: a
# template that names itself must end somewhere.
COMPONENT_DEPTH: Final = 40
COMPONENTS_PER_PAGE: Final = 20_000
