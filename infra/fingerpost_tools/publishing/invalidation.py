"""CloudFront's copies of a site, which a publication may send away before their time."""

from typing import Any

from fingerpost_tools.command_error import CommandError

# One path with a wildcard counts as one of the thousand that are free in a month.
_EVERYTHING = "/*"


def invalidate(distribution: str, reference: str, client: Any = None) -> str:
    """Have `distribution` ask for everything anew; the id of the invalidation. CloudFront makes one for each
    `reference`, however often it is asked. Raises CommandError."""
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        cloudfront: Any = client or boto3.client("cloudfront")
        answer = cloudfront.create_invalidation(
            DistributionId=distribution,
            InvalidationBatch={
                "Paths": {"Quantity": 1, "Items": [_EVERYTHING]},
                "CallerReference": reference,
            },
        )
    except (BotoCoreError, ClientError) as error:
        raise CommandError(
            f"the site is published, but --invalidate {distribution} failed: {error}"
        ) from error
    return str(answer["Invalidation"]["Id"])
