"""Carrying a plan out: contents, then the one write that makes them the site, then what is no longer needed.

Stopped anywhere before that write, the bucket has some objects more, which nobody reads and the next
publication finds; stopped after it, the new site is live, and the next publication ends what was left to do.
Assets alone are not part of that: S3 serves them to the CDN under their own names. New ones are there before
the switch, those that change follow after it.
"""

from collections.abc import Callable, Collection

from fingerpost.sources.objects import ObjectMissing, StoreUnavailable
from fingerpost.sources.published import CURRENT, OBJECTS, Manifest, write_manifest
from fingerpost.web.own_files import content_type_of, has_hashed_name
from fingerpost.web.policy import Policy
from fingerpost_tools.bucket import Bucket, Changed, in_parallel
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.progress import Progress
from fingerpost_tools.publishing.live import PUBLICATIONS
from fingerpost_tools.publishing.lock import Lease
from fingerpost_tools.publishing.planning import Body, Plan


def carry_out(planned: Plan, lease: Lease, progress: Progress) -> None:
    """Make the plan's publication live."""
    bucket = planned.live.bucket
    types = {OBJECTS + file.etag: content_type_of(key) for key, file in planned.manifest.files.items()}
    _with_each(
        "uploading",
        planned.uploads,
        lambda name: bucket.put(name, _content(name, planned.uploads[name]), types[name]),
        progress,
    )
    _copy_assets(bucket, planned.manifest, planned.new_assets, progress)
    if planned.switches:
        progress.begin("switching")
        switch(bucket, planned.manifest, planned.live.pointer, lease)
    _copy_assets(bucket, planned.manifest, planned.changed_assets, progress)
    bucket.delete(planned.removed_assets)


def switch(bucket: Bucket, manifest: Manifest, pointer: str | None, lease: Lease) -> None:
    """Make `manifest` the live one in place of the one whose ETag is `pointer`."""
    body = write_manifest(manifest)
    # First its own copy, for a later rollback: what is live can always be gone back to.
    bucket.put(publication_key(manifest.id), body, "application/json; charset=utf-8")
    lease.renew()
    try:
        bucket.replace(CURRENT, body, pointer)
    except Changed:
        raise CommandError(f"another publication to {bucket} became live meanwhile: publish again") from None


def publication_key(name: str) -> str:
    """Where the manifest of a publication is kept."""
    return f"{PUBLICATIONS}{name}.json"


def _content(name: str, body: Body) -> bytes:
    try:
        return body()
    except ObjectMissing as error:
        raise CommandError(f"{error} was removed while the site was published: publish again") from None
    except StoreUnavailable as error:
        raise CommandError(str(error)) from error


def _copy_assets(bucket: Bucket, manifest: Manifest, keys: Collection[str], progress: Progress) -> None:
    def copy(key: str) -> None:
        policy = Policy.HASHED if has_hashed_name(key) else Policy.PAGE
        bucket.copy(OBJECTS + manifest.files[key].etag, key, content_type_of(key), policy.cache_control())

    _with_each("assets", keys, copy, progress)


def _with_each(phase: str, names: Collection[str], work: Callable[[str], None], progress: Progress) -> None:
    """Do `work` for every name, as a phase of the publication where there is any."""
    if not names:
        return
    progress.begin(phase, len(names))
    for _ in in_parallel(work, names):
        progress.advance(1)
