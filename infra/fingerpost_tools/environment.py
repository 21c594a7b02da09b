"""The functions' settings, put into this process's environment for as long as they are needed."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from typing import Final

# Each of these would send the functions, or worse the user's own credentials, somewhere else than to the
# backends of this machine.
_CONTRADICTING: Final = (
    "AWS_DEFAULT_PROFILE",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL_SECRETS_MANAGER",
    "AWS_PROFILE",
    "AWS_SESSION_TOKEN",
    "BASE_URL",
    "DATABASE_IAM_AUTH",
    "DATABASE_SECRET_ARN",
    "DATABASE_URL",
    "GENERATIONS_BUCKET",
    "SESSION_AUDIENCE",
    "SESSION_COOKIE",
    "SESSION_ISSUER",
    "SESSION_JWKS",
    "SESSION_ROLES_CLAIM",
)


@contextlib.contextmanager
def settings(values: Mapping[str, str]) -> Iterator[None]:
    """`values` in place and what would contradict them away; at the end everything is as it was."""
    before = dict(os.environ)
    for name in _CONTRADICTING:
        os.environ.pop(name, None)
    os.environ.update(values)
    os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
    os.environ["AWS_CONFIG_FILE"] = os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull
    # No proxy of the user's reaches this machine's own loopback.
    direct = [before.get("NO_PROXY") or before.get("no_proxy") or "", "127.0.0.1"]
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join(filter(None, direct))
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)
