"""Opens one connection to Postgres: time-outs, keepalive and TLS.

TLS is verified against the system's authorities and those of RDS, which stand in `rds-bundle.pem`: the
roots of the commercial RDS regions as of 2024, and those of RDS Proxy. To renew it, put AWS's own bundle in
its place (https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem), leave expired certificates out
and run the tests, which name the first and the last certificate to expire.
"""

import os
import socket
import struct
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fingerpost.deadline import within
from fingerpost.sources.login import Login
from fingerpost.sources.records import RecordsUnavailable

if TYPE_CHECKING:
    from ssl import SSLContext

_Socket = TypeVar("_Socket", bound=socket.socket)

CONNECT_SECONDS = 5.0
RDS_BUNDLE = Path(__file__).with_name("rds-bundle.pem")

# A peer that vanishes is noticed within about half a minute, by the kernel.
_KEEPALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 15_000}
# SSLRequest (PostgreSQL protocol, 54.7): its length, and a version number that is none.
_SSL_REQUEST = struct.pack("!ii", 8, 80877103)
# What the driver raises at bytes that are no message of the protocol.
NOT_THE_PROTOCOL = (KeyError, IndexError, ValueError, struct.error)


class LoginRefused(RecordsUnavailable):
    """The server is there and did not accept user and password."""


class _NoTLSError(ConnectionError):
    """The server's answer to SSLRequest was not S."""


def tls_context() -> "SSLContext":
    """Verifies host name and chain, TLS 1.2 or later; trusts the system's authorities and those of RDS."""
    import ssl

    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_verify_locations(cafile=RDS_BUNDLE)
    return context


def connect(login: Login, read_seconds: float, connect_seconds: float = CONNECT_SECONDS) -> Any:
    """A pg8000.native.Connection, with no transaction open.

    `read_seconds` bounds each wait for the server after the connection stands, and so does the deadline of
    whoever waits. Raises RecordsUnavailable, and its LoginRefused where the password is at fault; neither
    holds the password.
    """
    import pg8000.native
    from pg8000.exceptions import DatabaseError, InterfaceError
    from scramp import ScramException  # type: ignore[import-untyped]

    link: socket.socket | None = None
    try:
        link = _socket(login, within(connect_seconds))
        link = _bounded(socket.socket, read_seconds)(link.family, link.type, link.proto, link.detach())
        link.settimeout(within(read_seconds))
        if login.tls:
            link = _in_tls(link, login, read_seconds)
        return pg8000.native.Connection(
            login.user,
            host=login.host,
            password=login.password,
            database=login.database,
            sock=link,
            ssl_context=False,
            application_name="fingerpost",
            startup_params={"client_encoding": "UTF8"},
        )
    except (DatabaseError, InterfaceError, ScramException, OSError, *NOT_THE_PROTOCOL) as error:
        if link is not None:
            link.close()
        # `from None`: the text of some causes quotes what could not be encoded.
        raise _refusal(login, _first_said(error)) from None


def _in_tls(link: socket.socket, login: Login, read_seconds: float) -> socket.socket:
    """The connection inside TLS. Not a byte that came before it counts as said in it."""
    from ssl import SSLSocket

    link.sendall(_SSL_REQUEST)
    if link.recv(1) != b"S":
        raise _NoTLSError
    context = tls_context()
    context.sslsocket_class = _bounded(SSLSocket, read_seconds)
    return context.wrap_socket(link, server_hostname=login.host)


@cache
def _bounded(kind: type[_Socket], most: float) -> type[_Socket]:
    """Sockets that wait for each piece of an exchange `most` seconds, and never beyond the deadline: a server
    that says one byte at a time would let no time-out run out."""

    class Bounded(kind):  # type: ignore[valid-type,misc] # plain, or what TLS wraps around it
        def close(self) -> None:
            """Close it now. A socket's own way is to wait for the files made of it, and the driver's may be
            held by an error."""
            super().close()
            with suppress(OSError):
                os.close(self.detach())

        def recv_into(self, *arguments: Any) -> int:
            self.settimeout(within(most))
            count: int = super().recv_into(*arguments)
            return count

        def send(self, *arguments: Any) -> int:
            self.settimeout(within(most))
            count: int = super().send(*arguments)
            return count

    return Bounded


def _socket(login: Login, seconds: float) -> socket.socket:
    if login.socket_path is None:
        link = socket.create_connection((login.host, login.port), seconds)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            option = getattr(socket, name, None)  # not every system has every one
            if option is not None:
                link.setsockopt(socket.IPPROTO_TCP, option, value)
        return link
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        link.settimeout(seconds)
        link.connect(login.socket_path)
    except OSError:
        link.close()
        raise
    return link


def _first_said(error: BaseException) -> BaseException:
    """The server's own error where there is one: the driver takes its leave of a server that refused it, and
    where that fails, its failure comes out instead."""
    from pg8000.exceptions import DatabaseError

    each: BaseException | None = error
    while each is not None and not isinstance(each, DatabaseError):
        each = each.__context__
    return each or error


def _refusal(login: Login, error: BaseException) -> RecordsUnavailable:
    detail = error.args[0] if error.args else ""
    if isinstance(detail, dict):  # an ErrorResponse's fields (PostgreSQL protocol, section 54.8)
        code, said = str(detail.get("C", "")), str(detail.get("M", ""))
        kind = LoginRefused if code in {"28P01", "28000"} else RecordsUnavailable
        return kind(f"Postgres at {login} refused the connection: {said} ({code})")
    if isinstance(error, _NoTLSError):
        return RecordsUnavailable(f"Postgres at {login} speaks no TLS, which every host but a local one must")
    if isinstance(error, UnicodeError) and not isinstance(error, UnicodeDecodeError):
        return RecordsUnavailable(
            f"Postgres at {login}: expected host, user and password to be Unicode text that can be sent"
        )
    if isinstance(error, NOT_THE_PROTOCOL) and not isinstance(error, OSError):  # SSL's are both
        return RecordsUnavailable(f"Postgres at {login}: expected a server of its protocol, found another")
    cause = error.__cause__ or error  # the driver calls each of them a network error
    return RecordsUnavailable(f"Postgres at {login} could not be reached: {type(cause).__name__}: {cause}")
