"""One request and what came back, and the header fields that checks read (RFC 9110, RFC 9111, RFC 8288)."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

# Digits of a number of seconds, of which nobody needs more to know that it is a long time.
_LONGEST_NUMBER: Final = 11
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_LINK: Final = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s\";,]*))?)*)")
_LINK_PARAMETER: Final = re.compile(r";\s*([\w*-]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s\";,]*)))?")


@dataclass(frozen=True)
class Exchange:
    """A request and its answer. `headers` by lower-case name, several of one name joined by commas.

    `body` is what was read of the body after its coding was undone; `digest` and `size` tell of it even when
    it is let go. `fault` says why there is no answer, or no whole one; where there is none at all, `status`
    is 0. `too_large`: the body was longer than what was read of it.
    """

    method: str
    url: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    fault: str = ""
    too_large: bool = False
    digest: str = ""
    size: int = 0

    def without_body(self) -> "Exchange":
        """The same exchange without the octets; a crawl of a thousand pages keeps only what it learnt."""
        return replace(self, body=b"")

    @property
    def redirects(self) -> bool:
        return self.status in _REDIRECTS

    @cached_property
    def content_type(self) -> str:
        """The media type in lower case, without parameters; "" where none is told."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @cached_property
    def charset(self) -> str:
        """The charset parameter in lower case; "" where none is told."""
        match = re.search(r";\s*charset\s*=\s*\"?([^\s\";]+)", self.headers.get("content-type", ""), re.I)
        return match[1].lower() if match else ""

    @cached_property
    def cache_control(self) -> Mapping[str, str]:
        """The Cache-Control directives by lower-case name, "" where one has no value (RFC 9111 5.2)."""
        members = self.headers.get("cache-control", "").split(",")
        pairs = (member.partition("=") for member in members if member.strip())
        return {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}

    @property
    def shared_seconds(self) -> int:
        """How long the answer itself lets a shared cache keep it; 0 where it forbids it or says nothing."""
        said = self.cache_control
        if said.keys() & {"private", "no-store", "no-cache"}:
            return 0
        return delta_seconds(said.get("s-maxage", said.get("max-age", "")))

    def varies_on(self, name: str) -> bool:
        """Whether Vary names a request header (or `*`)."""
        named = {token.strip().lower() for token in self.headers.get("vary", "").split(",")}
        return name in named or "*" in named

    @property
    def etag(self) -> str:
        return self.headers.get("etag", "")

    @cached_property
    def links(self) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """The targets of the Link header with their parameters, names in lower case (RFC 8288 3)."""
        found = []
        for target, parameters in _LINK.findall(self.headers.get("link", "")):
            values = {
                name.lower(): quoted or bare for name, quoted, bare in _LINK_PARAMETER.findall(parameters)
            }
            found.append((target.strip(), values))
        return tuple(found)

    def linked(self, relation: str) -> tuple[str, ...]:
        """The targets of the Link header with this relation, as they are written."""
        return tuple(
            target for target, values in self.links if relation in values.get("rel", "").lower().split()
        )


def delta_seconds(text: str) -> int:
    """The seconds that a header field tells, at most 2**31; 0 where it tells none (RFC 9111 1.2.2)."""
    if not (text.isascii() and text.isdecimal()):
        return 0
    return min(int(text[:_LONGEST_NUMBER]), 2**31)


def digest_of(body: bytes) -> str:
    """A short name for a body; two bodies that differ have two."""
    return hashlib.sha256(body).hexdigest()[:16]


class Ended(StrEnum):
    """How a walk along redirects ended; the value is what a report says of it."""

    ANSWERED = "answers"
    FAILED = "gives no answer"
    LOOP = "redirects in a circle"
    TOO_MANY = "redirects without end"
    ELSEWHERE = "redirects to another host"
    FORBIDDEN = "redirects to an address that robots.txt forbids"
    NOWHERE = "redirects without a usable Location"


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of asking for `url`: every exchange on the way, at least one, and how it ended. `target` is
    where the last redirect pointed when it was not followed."""

    url: str
    hops: tuple[Exchange, ...]
    ended: Ended
    target: str = ""

    @property
    def last(self) -> Exchange:
        return self.hops[-1]

    @property
    def answer(self) -> Exchange | None:
        """The answer at the end of the way, None where there is none."""
        return self.last if self.ended is Ended.ANSWERED else None

    @property
    def redirected(self) -> bool:
        return len(self.hops) > 1 or self.last.redirects

    def outcome(self) -> str:
        """In a few words, for a report: `answers 404`, `redirects in a circle`."""
        if self.ended is Ended.FAILED:
            return f"{self.ended}: {self.last.fault}"
        if self.ended is not Ended.ANSWERED:
            return str(self.ended)
        return f"answers {self.last.status}"
