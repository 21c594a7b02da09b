"""What a browser may load and apply on a page (Content Security Policy, level 3): never a script.

A page that is made here says so itself, since its policy names the hash of the stylesheet within it: the two
then stay together in every cache, also while a new version with another stylesheet is being rolled out.
"""

from typing import Final

from fingerpost.documents.stylesheet import STYLE_SHA256

_POLICY: Final = (
    "default-src 'none'; style-src {styles}; img-src 'self' https: data:; media-src 'self' https:; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

MADE_HERE: Final = (("content-security-policy", _POLICY.format(styles=f"'{STYLE_SHA256}'")),)
"""The header of a page that is made here: its one stylesheet applies, and nothing else."""

OWNERS: Final = _POLICY.format(styles="'self' 'unsafe-inline'")
"""What the CDN says of an answer without a policy: the owner's own files may have styles of their own."""
