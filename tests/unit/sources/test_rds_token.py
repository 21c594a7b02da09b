"""Logging in to RDS as a user of IAM: the token, and that nobody but the database ever sees it."""

import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.errors import SettingError
from fingerpost.sources.connect import LoginRefused, connect
from fingerpost.sources.login import SecretLogin, TokenLogin, UrlLogin, login_source
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.rds_token import rds_token, region_of
from fingerpost.sources.records import RecordsUnavailable
from tests.certificates import self_signed

HOST = "site.cabc123.eu-west-3.rds.amazonaws.com"
URL = f"postgresql://reader@{HOST}:5432/site"


class Renewing:
    """Credentials of a role, other ones each time that something is signed."""

    def __init__(self) -> None:
        self._times = count(1)

    def get_frozen_credentials(self) -> Any:
        from botocore.credentials import ReadOnlyCredentials

        return ReadOnlyCredentials(f"ASIA{next(self._times)}", "wJalrXUtnFEMI", "IQoJb3JpZ2lu/+=")


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials as Lambda sets them."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ASIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "IQoJb3JpZ2lu/+=")


def session() -> Any:
    from botocore.session import get_session

    return get_session()


def renewing() -> Any:
    """A session whose credentials are renewed all the time."""
    current = session()
    current._credentials = Renewing()
    return current


def token(url: str) -> str:
    return TokenLogin(url).current().password


def parameters(made: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(f"https://{made}").query, strict_parsing=True)


def test_a_token_has_the_documented_form() -> None:
    """A token is a presigned request to `connect`, without its scheme, good for 15 minutes."""
    made = rds_token(session(), HOST, 5432, "reader")
    assert made.startswith(f"{HOST}:5432/?")
    query = parameters(made)
    assert re.fullmatch("[0-9a-f]{64}", query.pop("X-Amz-Signature")[0])
    date = query.pop("X-Amz-Date")[0]
    assert re.fullmatch("[0-9]{8}T[0-9]{6}Z", date)
    assert query == {
        "Action": ["connect"],
        "DBUser": ["reader"],
        "X-Amz-Algorithm": ["AWS4-HMAC-SHA256"],
        "X-Amz-Credential": [f"ASIAEXAMPLE/{date[:8]}/eu-west-3/rds-db/aws4_request"],
        "X-Amz-Expires": ["900"],
        "X-Amz-SignedHeaders": ["host"],
        "X-Amz-Security-Token": ["IQoJb3JpZ2lu/+="],
    }


@pytest.mark.parametrize("user", ["reader", "jane.doe@example.com", "a b&c=d"])
def test_a_token_is_the_one_that_the_sdk_makes(user: str) -> None:
    """The SDK's own client for RDS signs the same request in the same second with the same signature."""
    import boto3

    # A session of its own: the SDK's default one keeps the credentials that an earlier test had.
    client = boto3.session.Session().client("rds", region_name="eu-west-3")
    for _ in range(5):
        expected = parameters(client.generate_db_auth_token(HOST, 5432, user))
        found = parameters(rds_token(session(), HOST, 5432, user))
        if found["X-Amz-Date"] == expected["X-Amz-Date"]:
            break
    assert found == expected


def test_each_connection_has_a_token_of_its_own() -> None:
    """Asking for the login again gives a new token for the same user and place, signed with what the
    credentials are by then: those of a role are renewed."""
    source = TokenLogin(URL, renewing())
    first, second = source.current(), source.current()
    assert "X-Amz-Credential=ASIA1%2F" in first.password
    assert "X-Amz-Credential=ASIA2%2F" in second.password
    assert (first.host, first.port, first.user, first.database) == (HOST, 5432, "reader", "site")
    assert first.tls
    assert second.tls
    assert source.renewed() is None


@pytest.mark.parametrize(
    ("host", "region"),
    [
        (HOST, "eu-west-3"),
        ("site.cluster-ro-cabc123.ap-northeast-1.rds.amazonaws.com", "ap-northeast-1"),
        ("site.proxy-cabc123.us-gov-west-1.rds.amazonaws.com", "us-gov-west-1"),
        ("site.cabc123.rds.cn-north-1.amazonaws.com.cn", "cn-north-1"),
        ("db.example.com", None),
        (f"{HOST}.example.com", None),
        ("localhost", None),
    ],
)
def test_an_endpoint_names_its_region(host: str, region: str | None) -> None:
    """The region is read from the endpoint of an instance, a cluster or a proxy, and from nothing that only
    looks like one."""
    assert region_of(host) == region


def test_another_host_is_in_the_functions_own_region(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a host that names no region it is the environment's, and without one there is no token."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    assert "%2Fsa-east-1%2Frds-db%2F" in token("postgresql://reader@db.example.com/site")
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(RecordsUnavailable, match=r"DATABASE_IAM_AUTH: expected a region .* db\.example\.com"):
        token("postgresql://reader@db.example.com/site")


def test_without_credentials_there_is_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the user and the host that no token could be made for."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(RecordsUnavailable, match=f"no token could be made for reader at {HOST}"):
        token(URL)


@given(user=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_the_user_is_encoded_once(user: str) -> None:
    """Whatever the user's name, the token carries it as one value."""
    made = token(f"postgresql://{quote(user, safe='')}@{HOST}/site")
    assert parse_qs(made.partition("?")[2], keep_blank_values=True)["DBUser"] == [user]


def test_the_environment_asks_for_tokens() -> None:
    """`on` wins over a secret, whose password such a user does not have; `off` and nothing change nothing."""
    secret = "arn:aws:secretsmanager:eu-west-3:1:secret:db"
    both = {"DATABASE_URL": URL, "DATABASE_SECRET_ARN": secret}
    assert isinstance(login_source({**both, "DATABASE_IAM_AUTH": "on"}), TokenLogin)
    assert isinstance(login_source({**both, "DATABASE_IAM_AUTH": "off"}), SecretLogin)
    assert isinstance(login_source({"DATABASE_URL": URL, "DATABASE_IAM_AUTH": ""}), UrlLogin)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"DATABASE_IAM_AUTH": "true", "DATABASE_URL": URL}, "expected on or off, found 'true'"),
        ({"DATABASE_IAM_AUTH": "on", "DATABASE_SECRET_ARN": "x"}, "expected host and user in DATABASE_URL"),
    ],
)
def test_a_wrong_setting_is_named(environment: dict[str, str], expected: str) -> None:
    """What can't be followed is an error that says what was expected; it never means another way in."""
    with pytest.raises(SettingError, match=f"DATABASE_IAM_AUTH: {expected}"):
        login_source(environment)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", HOST])
def test_tls_is_verified_for_every_host(host: str) -> None:
    """Not even a tunnel on this machine gets a token in the clear, whatever the URL says of TLS."""
    assert TokenLogin(f"postgresql://reader@{host}/site?sslmode=disable").current().tls


def test_a_socket_is_refused() -> None:
    """There is no TLS on a Unix socket, and no RDS behind one."""
    with pytest.raises(RecordsUnavailable, match=r"to name a network host, found /run/postgresql"):
        TokenLogin("postgresql:///site?host=/run/postgresql&user=reader").current()


def message(kind: bytes, content: bytes) -> bytes:
    """A message of the server (PostgreSQL protocol, section 54.7)."""
    return kind + (len(content) + 4).to_bytes(4) + content


@contextmanager
def rds(certificate: Path, logins: int) -> Iterator[tuple[int, list[str]]]:
    """A server that asks for the password over TLS as RDS does for such users, takes it down and refuses it.

    Gives its port and the passwords it was told."""
    told: list[str] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for _ in range(logins):
            peer, _ = listener.accept()
            with suppress(OSError), peer:
                peer.settimeout(5)
                peer.recv(8)  # SSLRequest
                peer.sendall(b"S")
                with context.wrap_socket(peer, server_side=True) as link:
                    link.recv(4096)  # StartupMessage
                    link.sendall(message(b"R", (3).to_bytes(4)))  # AuthenticationCleartextPassword
                    told.append(link.recv(8192)[5:-1].decode())
                    refusal = b'SFATAL\0C28000\0MPAM authentication failed for user "reader"\0\0'
                    link.sendall(message(b"E", refusal))
                    link.recv(1)

    thread = threading.Thread(target=serve)
    listener.settimeout(10)
    thread.start()
    try:
        yield listener.getsockname()[1], told
    finally:
        thread.join()
        listener.close()


def test_the_database_is_told_a_new_token_each_time_and_no_error_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each connection sends a token of its own, as a password over verified TLS. One that is refused is in no
    error, and nothing is tried again with the same."""
    certificate = self_signed(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-3")
    with rds(certificate, logins=2) as (port, told):
        source = PostgresRecords(TokenLogin(f"postgresql://reader@localhost:{port}/site", renewing()))
        for _ in range(2):
            with pytest.raises(LoginRefused, match="PAM authentication failed") as error, source.snapshot():
                pass
            assert "X-Amz" not in f"{error.value}{error.value!r}{error.value.__cause__!r}"
    assert [text.partition("?")[0] for text in told] == [f"localhost:{port}/"] * 2
    assert [parameters(text)["X-Amz-Credential"][0].partition("/")[0] for text in told] == ["ASIA1", "ASIA2"]


def test_a_server_that_no_authority_vouches_for_gets_no_token(tmp_path: Path) -> None:
    """The certificate is verified before anything is sent, also on this machine."""
    with rds(self_signed(tmp_path), logins=1) as (port, told):
        login = TokenLogin(f"postgresql://reader@localhost:{port}/site").current()
        with pytest.raises(RecordsUnavailable, match="CERTIFICATE_VERIFY_FAILED") as error:
            connect(login, 5)
    assert told == []
    assert "X-Amz" not in str(error.value)


def test_a_login_by_token_does_not_show_it() -> None:
    """The token is in no text of the login."""
    login = TokenLogin(URL).current()
    assert "X-Amz" in login.password
    assert "X-Amz" not in f"{login}{login!r}"
