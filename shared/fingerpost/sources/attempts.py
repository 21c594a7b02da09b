"""How AWS's services are asked: with time-outs of seconds, and never beyond the time of the answer."""

from typing import TYPE_CHECKING, Any

from fingerpost.deadline import is_late_for

if TYPE_CHECKING:
    from botocore.client import BaseClient
    from botocore.config import Config

CONNECT_SECONDS = 2.0
READ_SECONDS = 5.0
ATTEMPTS = 3


def client_config(**more: Any) -> "Config":
    """The SDK's settings for a client that gives up within seconds: a page is waiting for its answer."""
    from botocore.config import Config

    return Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        **more,
    )


def give_up_in_time(client: "BaseClient") -> None:
    """Have `client` begin no attempt that could outlast the answer it is made for: it raises a BotoCoreError
    instead, which the SDK does not retry."""
    from botocore.exceptions import BotoCoreError

    class NoTimeLeftError(BotoCoreError):
        fmt = "No time is left for another attempt"

    def before_send(**event: object) -> None:
        if is_late_for(CONNECT_SECONDS + READ_SECONDS):
            raise NoTimeLeftError

    client.meta.events.register("before-send", before_send)
