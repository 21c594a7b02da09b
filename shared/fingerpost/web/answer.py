"""An answer before it becomes an event: status, body and the policy that rules its headers."""

from fingerpost.values import dataclass
from fingerpost.web.packed import Packed
from fingerpost.web.policy import Policy

HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"
RSS = "application/rss+xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. `max_age` (seconds) replaces the policy's own; `vary_accept` where the address has two
    bodies. `packed` is the body where it is kept compressed, and `body` is empty then.

    `headers` are more of them; a name that stands there twice becomes one list.
    """

    status: int
    body: bytes
    content_type: str
    policy: Policy
    max_age: int | None = None
    vary_accept: bool = False
    noindex: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    packed: Packed | None = None
