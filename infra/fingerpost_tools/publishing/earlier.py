"""Publications before the live one: going back to one of them, and letting go of the oldest."""

from typing import Final

from fingerpost.sources.published import OBJECTS, Manifest
from fingerpost_tools.bucket import Bucket
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.publishing.live import PUBLICATIONS, Live, manifest_of
from fingerpost_tools.publishing.planning import Plan, differences
from fingerpost_tools.publishing.transfer import publication_key

# Publications that stay reachable; what none of them needs may go.
KEPT: Final = 10
_SHOWN: Final = 10


def publication_ids(bucket: Bucket) -> list[str]:
    """The ids of all publications that the bucket keeps, oldest first."""
    names = bucket.list(PUBLICATIONS)
    return sorted(name[len(PUBLICATIONS) : -len(".json")] for name in names if name.endswith(".json"))


def plan_rollback(live: Live, wanted: str) -> Plan:
    """How to make an earlier publication live: the one whose id is `wanted`, or where "" the one before."""
    if live.manifest is None:
        raise CommandError(f"nothing was published to {live.bucket} yet, so there is nothing to go back to")
    manifest = _read(live.bucket, wanted or _before(live.bucket, live.manifest.id))
    lost = [key for key, file in manifest.files.items() if OBJECTS + file.etag not in live.objects]
    if lost:
        raise CommandError(
            f"publication {manifest.id} can't be gone back to: the content of {lost[0]} "
            f"({len(lost)} in all) is no longer in {live.bucket}{OBJECTS}"
        )
    # Assets that came later stay where S3 serves them: pages that browsers and caches hold still name them.
    return Plan(manifest, live, uploads={}, **differences(manifest.files, live))


def prune(live: Live) -> int:
    """Remove all but the newest publications, and every content that none of the rest has; how many objects
    that were. `live` is looked at after the switch."""
    bucket = live.bucket
    ids = publication_ids(bucket)
    current = live.manifest
    keep = set(ids[-KEPT:]) | ({current.id} if current is not None else set())
    needed = {OBJECTS + file.etag for file in live.files.values()}
    for name in keep & set(ids):
        needed.update(OBJECTS + file.etag for file in _read(bucket, name).files.values())
    superfluous = [publication_key(name) for name in ids if name not in keep]
    superfluous += [name for name in live.objects if name not in needed]
    bucket.delete(superfluous)
    return len(superfluous)


def _before(bucket: Bucket, current: str) -> str:
    earlier = [name for name in publication_ids(bucket) if name < current]
    if not earlier:
        raise CommandError(f"{current} is the first publication that {bucket} keeps: there is none before it")
    return earlier[-1]


def _read(bucket: Bucket, name: str) -> Manifest:
    key = publication_key(name)
    held = bucket.get(key)
    if held is None:
        known = ", ".join(reversed(publication_ids(bucket)[-_SHOWN:]))
        raise CommandError(
            f"--rollback {name}: expected one of the publications {known}, found none of this id"
        )
    return manifest_of(bucket, key, held.body)
