"""Where the database is and who asks it: read from a URL, from a Secrets Manager secret, or from both; or as
a user of IAM, whose password is a token made for each connection.

No text made here ever holds a password or a token: not an error, not a `repr`.
"""

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from fingerpost.errors import SettingError
from fingerpost.sources.attempts import client_config, give_up_in_time
from fingerpost.sources.records import RecordsUnavailable
from fingerpost.values import dataclass

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_secretsmanager import SecretsManagerClient

PORT = 5432
_PORTS = 65_536
URL_VARIABLE = "DATABASE_URL"
SECRET_VARIABLE = "DATABASE_SECRET_ARN"  # noqa: S105 - a variable's name
IAM_VARIABLE = "DATABASE_IAM_AUTH"

_LOOPBACK = re.compile(r"127(\.[0-9]{1,3}){3}", re.ASCII)
# libpq's words for "TLS where the server happens to speak it, or never".
_PLAIN = frozenset({"disable", "allow", "prefer"})


@dataclass(frozen=True, slots=True)
class Login:
    """One way into one database. `host` beginning with `/` is the folder of a Unix socket.

    `tls` is whether the connection must be encrypted and the server's certificate verified.
    """

    host: str
    user: str
    password: str = field(default="", repr=False)
    database: str = "postgres"
    port: int = PORT
    tls: bool = True

    @property
    def socket_path(self) -> str | None:
        """The Unix socket to connect to, None for a network host."""
        return f"{self.host}/.s.PGSQL.{self.port}" if self.host.startswith("/") else None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}/{self.database}"


class LoginSource(Protocol):
    """Tells how to log in. Raises RecordsUnavailable where it can't tell."""

    def current(self) -> Login:
        """The login to try."""

    def renewed(self) -> Login | None:
        """The login as it is now, after `current` was refused; None where asking again can't help."""


class UrlLogin:
    """The login that `DATABASE_URL` holds."""

    def __init__(self, url: str) -> None:
        self._url = url

    def current(self) -> Login:
        return login_from_url(self._url)

    def renewed(self) -> Login | None:
        return None


class SecretLogin:
    """The login kept in a Secrets Manager secret, as RDS writes it: JSON with `username` and `password`, and
    mostly `host`, `port` and `dbname`.

    Where a URL is given too, it says where the database is (a proxy has another host than the instance that
    the secret names) and the secret says who asks. The secret is read once, and again when it was refused:
    passwords rotate.
    """

    def __init__(
        self, secret_id: str, url: str | None = None, client: "SecretsManagerClient | None" = None
    ) -> None:
        self._secret_id = secret_id
        self._url = url
        self._client = client
        self._login: Login | None = None

    def current(self) -> Login:
        if self._login is None:
            self._login = self._read()
        return self._login

    def renewed(self) -> Login | None:
        self._login = self._read()
        return self._login

    def _read(self) -> Login:
        return login_from_secret(self._text(), login_from_url(self._url) if self._url else None)

    def _text(self) -> str:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        try:
            if self._client is None:
                # An ARN names its region, fourth of its parts; a plain name leaves it to the environment.
                parts = self._secret_id.split(":")
                self._client = boto3.client(
                    "secretsmanager",
                    region_name=parts[3] if len(parts) > 3 else None,
                    config=client_config(),
                )
                give_up_in_time(self._client)
            answer = self._client.get_secret_value(SecretId=self._secret_id)
        except (BotoCoreError, ClientError, ResponseParserError) as error:
            raise RecordsUnavailable(
                f"{SECRET_VARIABLE}: {self._secret_id} could not be read: {error}"
            ) from error
        return answer.get("SecretString", "")


class TokenLogin:
    """The login of a database user that IAM vouches for (`GRANT rds_iam`): host and user from `DATABASE_URL`,
    and for each connection a token of its own. A password in the URL is not used.

    TLS is verified for every host, a local one included: the token is sent as it is.
    """

    def __init__(self, url: str, session: "Session | None" = None) -> None:
        self._url = url
        self._session = session

    def current(self) -> Login:
        from fingerpost.sources.rds_token import rds_token

        where = login_from_url(self._url)
        if where.socket_path is not None:
            raise RecordsUnavailable(
                f"{IAM_VARIABLE}: expected {URL_VARIABLE} to name a network host, found {where.host}"
            )
        if self._session is None:
            from botocore.session import get_session

            # Kept, for it renews credentials that expire only when they do.
            self._session = get_session()
        token = rds_token(self._session, where.host, where.port, where.user)
        return replace(where, password=token, tls=True)

    def renewed(self) -> Login | None:
        return None


def login_source(environ: Mapping[str, str]) -> LoginSource | None:
    """The login that the environment names: `DATABASE_IAM_AUTH=on` with `DATABASE_URL`, else
    `DATABASE_SECRET_ARN`, else `DATABASE_URL`, or None for none of them. SettingError where
    `DATABASE_IAM_AUTH` can't be followed."""
    url, secret = environ.get(URL_VARIABLE), environ.get(SECRET_VARIABLE)
    iam = environ.get(IAM_VARIABLE) or "off"
    if iam not in ("on", "off"):
        raise SettingError(f"{IAM_VARIABLE}: expected on or off, found {iam!r}")
    if iam == "on":
        if not url:
            raise SettingError(
                f"{IAM_VARIABLE}: expected host and user in {URL_VARIABLE}, found nothing there"
            )
        return TokenLogin(url)
    if secret:
        return SecretLogin(secret, url or None)
    return UrlLogin(url) if url else None


def is_local(host: str) -> bool:
    """Whether what is sent there stays on the machine: a Unix socket, `localhost`, 127.0.0.0/8 or `::1`."""
    return host.startswith("/") or host in {"localhost", "::1"} or _LOOPBACK.fullmatch(host) is not None


def login_from_url(url: str) -> Login:
    """A connection URI as libpq reads it: `postgresql://user:password@host:port/database?sslmode=...`, parts
    percent-encoded (RFC 3986 2.1); `?host=/folder` is a Unix socket.

    `sslmode` can switch TLS on for a local host, and off for a local host only.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
        # Never strict: whatever can't be read is some other client's business.
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        port = int(query["port"]) if "port" in query else port
        if port is not None and not 0 <= port < _PORTS:
            raise ValueError
    except ValueError:
        raise _unreadable("a port between 0 and 65535 and a well-formed host") from None
    if parts.scheme not in ("postgres", "postgresql"):
        raise _unreadable("it to begin with postgresql:// or postgres://")
    host = query.get("host") or unquote(parts.hostname or "") or "localhost"
    if "," in host:
        raise _unreadable("one host")
    user = query.get("user") or unquote(parts.username or "")
    if not user:
        raise _unreadable("a user name before the @")
    local = is_local(host)
    mode = query.get("sslmode", "disable" if local else "verify-full")
    return Login(
        host=host,
        user=user,
        password=query.get("password") or unquote(parts.password or ""),
        database=query.get("dbname") or unquote(parts.path.removeprefix("/")) or user,
        port=PORT if port is None else port,
        tls=not local or mode not in _PLAIN,
    )


def login_from_secret(text: str, where: Login | None = None) -> Login:
    """A secret's JSON. `where`, if given, says host, port and database in place of the secret's own."""
    import json

    try:
        secret: Any = json.loads(text)
    except ValueError:
        secret = None
    if not isinstance(secret, dict):
        raise RecordsUnavailable(
            f"{SECRET_VARIABLE}: expected the secret to be a JSON object, found something else"
        )
    needed = ("username", "password") if where else ("username", "password", "host")
    missing = [name for name in needed if not isinstance(secret.get(name), str) or not secret[name]]
    if missing:
        raise RecordsUnavailable(
            f"{SECRET_VARIABLE}: expected text for {', '.join(missing)} in the secret, found none"
        )
    if where:
        return replace(where, user=secret["username"], password=secret["password"])
    port = str(secret.get("port", PORT))
    if not (port.isdecimal() and int(port) < _PORTS):
        raise RecordsUnavailable(f"{SECRET_VARIABLE}: expected `port` to be a whole number below {_PORTS}")
    return Login(
        host=secret["host"],
        user=secret["username"],
        password=secret["password"],
        database=str(secret.get("dbname") or "postgres"),
        port=int(port),
        tls=not is_local(secret["host"]),
    )


def _unreadable(expected: str) -> RecordsUnavailable:
    return RecordsUnavailable(
        f"{URL_VARIABLE}: expected {expected} (the value is not shown, for its password)"
    )
