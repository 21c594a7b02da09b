"""The token by which a database user of IAM logs in to RDS, Aurora or RDS Proxy, in place of a password.

It is a signed request that is never sent (AWS Signature Version 4, query parameters, service `rds-db`), its
scheme left out: `host:port/?Action=connect&DBUser=...&X-Amz-Signature=...`.
"""

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fingerpost.sources.records import RecordsUnavailable

if TYPE_CHECKING:
    from botocore.session import Session

# RDS User Guide, "IAM database authentication": "Each token has a lifetime of 15 minutes". It is for the
# login alone; a connection that stands outlives it.
TOKEN_SECONDS = 900

_SCHEME = "https://"
# `name.id.region.rds.amazonaws.com`, and in China `name.id.rds.region.amazonaws.com.cn`.
_ENDPOINT = re.compile(r"\.(?:([a-z0-9-]+)\.rds|rds\.([a-z0-9-]+))\.amazonaws\.com(?:\.cn)?")


def rds_token(session: "Session", host: str, port: int, user: str) -> str:
    """A new token for `user` at `host:port`, signed with the credentials that `session` finds now.

    The region is the one in the endpoint's name, else the session's. Raises RecordsUnavailable where there
    are no credentials or no region; the error holds no part of a token.
    """
    from botocore.exceptions import BotoCoreError, NoCredentialsError
    from botocore.model import ServiceId
    from botocore.signers import RequestSigner

    region = region_of(host) or session.get_config_variable("region")
    if not region:
        raise RecordsUnavailable(
            f"DATABASE_IAM_AUTH: expected a region in the database's host or in AWS_REGION, found {host}"
        )
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    request = {
        "method": "GET",
        "url": f"{_SCHEME}{place}/?{urlencode({'Action': 'connect', 'DBUser': user})}",
        "body": {},
        "headers": {},
        "context": {},
    }
    try:
        credentials = session.get_credentials()
        if credentials is None:
            raise NoCredentialsError
        emitter = session.get_component("event_emitter")
        signer = RequestSigner(ServiceId("rds-db"), region, "rds-db", "v4", credentials, emitter)
        url: str = signer.generate_presigned_url(
            request, operation_name="connect", expires_in=TOKEN_SECONDS, region_name=region
        )
    except BotoCoreError as error:
        raise RecordsUnavailable(
            f"DATABASE_IAM_AUTH: no token could be made for {user} at {host}: {error}"
        ) from error
    return url.removeprefix(_SCHEME)


def region_of(host: str) -> str | None:
    """The region that an endpoint of RDS names, None for any other host."""
    found = _ENDPOINT.search(host)
    return (found[1] or found[2]) if found and found.end() == len(host) else None
