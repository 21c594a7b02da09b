"""An answer as a function-URL response (payload 2.0), and the answers that no document makes.

The response says `content-length` itself, the same for GET and HEAD: a function URL passes it on for a HEAD,
whose body it would otherwise count as 0 bytes, and for a GET it is what the platform would have said.
"""

from base64 import b64encode
from typing import Any, Final

from fingerpost.catalogue.addresses import encode_url
from fingerpost.documents.errors import UNAVAILABLE_PAGE, not_found_page
from fingerpost.limits import PLATFORM_RESPONSE_BYTES, RESPONSE_BYTES, RETRY_AFTER_SECONDS
from fingerpost.web.answer import HTML, TEXT, Answer
from fingerpost.web.compression import LEAST_BYTES, CompressedBodies, is_text
from fingerpost.web.conditional import entity_tag, gzip_tag, is_unchanged
from fingerpost.web.content_policy import MADE_HERE
from fingerpost.web.negotiation import accepts_gzip
from fingerpost.web.packed import Packed
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request

METHODS: Final = ("GET", "HEAD")

METHOD_NOT_ALLOWED: Final = Answer(
    405, b"Method not allowed\n", TEXT, Policy.UNSTORED, headers=(("allow", ", ".join(METHODS)),)
)
UNAVAILABLE: Final = Answer(
    503,
    UNAVAILABLE_PAGE,
    HTML,
    Policy.UNSTORED,
    headers=(("retry-after", str(RETRY_AFTER_SECONDS)), *MADE_HERE),
)
FAILED: Final = Answer(500, b"Internal server error\n", TEXT, Policy.UNSTORED)

# JSON writes a byte of text as 6 characters at worst (`\u0000`); a longer body goes as base64, 4 for every 3.
_TEXT_BYTES: Final = PLATFORM_RESPONSE_BYTES // 8

_compressed = CompressedBodies()


def not_found(base: str) -> Answer:
    """The one 404 of the site below `base` ("" or "/base"): the same bytes whether a thing is missing,
    restricted or refused (SPEC section 4)."""
    return Answer(404, not_found_page(base), HTML, Policy.PRIVATE, headers=MADE_HERE)


def redirect(location: str) -> Answer:
    """A permanent move (301) to a path of this site or an absolute URL, encoded where it is not yet.

    A move carries the query on, and shared caches leave the query out of their key: a move that they kept
    would take the next visitor's query away.
    """
    return Answer(301, b"", TEXT, Policy.PRIVATE, headers=(("location", _location(location)),))


def redirect_visitor(location: str) -> Answer:
    """Where a page sends a visitor who may not read it (302, `access.redirectTo`). Its Markdown form is a
    404, hence the Vary."""
    return Answer(
        302, b"", TEXT, Policy.PRIVATE, vary_accept=True, headers=(("location", _location(location)),)
    )


def to_event(answer: Answer, request: Request) -> dict[str, Any]:
    """The response to a GET or HEAD `request`, header names in lower case.

    A 200 has a strong ETag of its own for each form, may be answered 304 (RFC 9110 15.4.5: Cache-Control,
    ETag and Vary again), and is compressed where the client asks and it pays. Nothing else is conditional or
    compressed, so that every 404 is the same. A body that the platform can't carry becomes a 500.
    """
    headers, body, packed = _headers(answer), answer.body, answer.packed
    if answer.status == 200:
        tag, size = (packed.tag, packed.size) if packed else (entity_tag(body), len(body))
        accepted = request.headers.get("accept-encoding")
        compress = (
            is_text(answer.content_type) and size >= LEAST_BYTES and accepts_gzip(accepted)
        ) or _is_compressed_anyway(packed, accepted)
        headers["etag"] = gzip_tag(tag) if compress else tag
        if is_unchanged(request.headers, headers["etag"]):
            return _not_modified(headers)
        if compress:
            headers["content-encoding"] = "gzip"
            body = packed.gzipped if packed else _compressed.get(tag, body)
        elif packed:
            body = packed.plain()
    if len(body) > RESPONSE_BYTES:
        return _too_large(request, len(body))
    headers["content-length"] = str(len(body))
    return _event(answer.status, headers, b"" if request.method == "HEAD" else body)


def _is_compressed_anyway(packed: Packed | None, accepted: str | None) -> bool:
    """Whether a body goes out compressed to a client that said nothing, since the platform could not carry it
    otherwise: any coding is acceptable to that client (RFC 9110 12.5.3)."""
    return packed is not None and accepted is None and packed.size > RESPONSE_BYTES


def _headers(answer: Answer) -> dict[str, str]:
    """The headers that depend on the answer alone; several values of one name become a list."""
    headers = {
        "content-type": answer.content_type,
        "cache-control": answer.policy.cache_control(answer.max_age),
        "x-content-type-options": "nosniff",
    }
    vary = ["Accept"] if answer.vary_accept else []
    if answer.status == 200 and is_text(answer.content_type):
        vary.append("Accept-Encoding")
    if vary:
        headers["vary"] = ", ".join(vary)
    if answer.noindex:
        headers["x-robots-tag"] = "noindex"
    for name, value in answer.headers:
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers


def _not_modified(headers: dict[str, str]) -> dict[str, Any]:
    kept = ("cache-control", "etag", "vary")
    return _event(304, {name: value for name, value in headers.items() if name in kept}, b"")


def _too_large(request: Request, size: int) -> dict[str, Any]:
    from fingerpost.observe import log_error

    log_error(
        f"{request.path}: expected a body of at most {RESPONSE_BYTES} bytes, which is what the platform "
        f"carries, found {size}"
    )
    return to_event(FAILED, request)


def _event(status: int, headers: dict[str, str], body: bytes) -> dict[str, Any]:
    text = _as_text(body, headers)
    return {
        "statusCode": status,
        "headers": headers,
        "body": b64encode(body).decode("ascii") if text is None else text,
        "isBase64Encoded": text is None,
    }


def _as_text(body: bytes, headers: dict[str, str]) -> str | None:
    """`body` as text, None where it has to travel as base64."""
    if not body:
        return ""
    if "content-encoding" in headers or len(body) > _TEXT_BYTES or not is_text(headers["content-type"]):
        return None
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _location(location: str) -> str:
    """`location` with only what a URL may hold. A path keeps one leading slash: `//host` is another site."""
    encoded = encode_url(location)  # a query may hold anything
    return f"/{encoded.lstrip('/')}" if encoded.startswith("/") else encoded
