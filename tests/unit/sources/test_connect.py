"""Opening a connection: TLS, time-outs and what a refusal says."""

import os
import socket
import ssl
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.sources.connect import RDS_BUNDLE, LoginRefused, connect, tls_context
from fingerpost.sources.login import Login, UrlLogin, login_from_url
from fingerpost.sources.postgres import PostgresRecords
from fingerpost.sources.records import RecordsUnavailable
from tests.certificates import self_signed

PASSWORD = "correct horse battery staple"


@contextmanager
def server(answer: bytes, certificate: Path | None = None) -> Iterator[int]:
    """A server that reads one packet, sends `answer` and, with a certificate, begins TLS. Gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        peer, _ = listener.accept()
        with peer, suppress(OSError):  # whoever hears nonsense hangs up
            peer.recv(1024)
            peer.sendall(answer)
            if certificate is not None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate)
                context.wrap_socket(peer, server_side=True).close()
            peer.recv(1024)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        thread.join(5)
        listener.close()


def local(port: int, tls: bool) -> Login:
    return Login("localhost", "app", PASSWORD, "site", port, tls)


def test_tls_verifies_chain_and_host_name() -> None:
    """Verification is on, by chain and by name, TLS 1.2 at least; RDS's authorities are trusted (case 64)."""
    context = tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    trusted = str([each["subject"] for each in context.get_ca_certs()])
    for name in ("Amazon RDS eu-west-3 Root CA RSA2048 G1", "Amazon RDS us-east-1 Root CA ECC384 G1"):
        assert name in trusted
    assert "Amazon Root CA 1" in trusted  # RDS Proxy


def test_the_bundle_holds_certificates_that_are_valid() -> None:
    """Each certificate parses, is a root and has a year left; the first and last to expire are named."""
    from cryptography import x509

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some serial numbers are older than the rules for them
        found = x509.load_pem_x509_certificates(RDS_BUNDLE.read_bytes())
        by_expiry = sorted(found, key=lambda each: each.not_valid_after_utc)
        names = [
            f"{each.subject.rfc4514_string()} until {each.not_valid_after_utc:%Y-%m-%d}" for each in by_expiry
        ]
    assert len(found) >= 86
    assert all(each.issuer == each.subject for each in found)
    assert len({each.subject.rfc4514_string() for each in found}) == len(found)
    year_left = datetime.now(UTC) + timedelta(days=365)
    assert by_expiry[0].not_valid_after_utc > year_left, f"first to expire: {names[0]}; last: {names[-1]}"


def test_a_certificate_of_no_authority_is_refused(tmp_path: Path) -> None:
    """A server that shows a self-signed certificate gets no password (case 64)."""
    with (
        server(b"S", self_signed(tmp_path)) as port,
        pytest.raises(RecordsUnavailable, match="CERTIFICATE_VERIFY_FAILED") as error,
    ):
        connect(local(port, tls=True), 5)
    assert PASSWORD not in str(error.value)


def test_a_server_without_tls_is_refused() -> None:
    """There is no falling back to plain text."""
    with server(b"N") as port, pytest.raises(RecordsUnavailable, match=r"localhost:\d+/site speaks no TLS"):
        connect(local(port, tls=True), 5)


OTHER_SERVERS = {
    "MySQL": b"J\0\0\0\n8.0.36\0",
    "HTTP": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.2\r\n",
    "lengths of nothing": b"R\0\0\0\0K\0\0\0\0Z\0\0\0\0",
    "no text": b"S\0\0\0\x08\xff\0\xff\0",
}


@pytest.mark.parametrize("answer", OTHER_SERVERS.values(), ids=OTHER_SERVERS)
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
def test_another_server_is_unavailable(answer: bytes, tls: bool) -> None:
    """Whatever else listens at the port is told as a database that can't be had, by host and port."""
    with server(answer) as port, pytest.raises(RecordsUnavailable, match=rf"localhost:{port}/site"):
        connect(local(port, tls), 0.2)


@given(st.binary(max_size=60).map(lambda noise: b"R\0\0\0\x08\0\0\0\0" + noise))
@settings(max_examples=30)
def test_noise_is_unavailable(answer: bytes) -> None:
    """No bytes behind a good beginning make another error."""
    with server(answer) as port, pytest.raises(RecordsUnavailable):
        connect(local(port, tls=False), 0.05)


@given(st.binary(max_size=60) | st.sampled_from(list(OTHER_SERVERS.values())))
@settings(max_examples=30)
def test_noise_on_an_open_connection_is_unavailable(answer: bytes) -> None:
    """A connection that stood and then says what is no message counts as broken."""
    welcome = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"
    with server(welcome + answer) as port, pytest.raises(RecordsUnavailable):
        PostgresRecords(UrlLogin(f"postgresql://app@127.0.0.1:{port}/site")).started()


def open_sockets() -> int:
    return sum(
        os.readlink(f"/proc/self/fd/{each}").startswith("socket:")
        for each in os.listdir("/proc/self/fd")
        if os.path.lexists(f"/proc/self/fd/{each}")
    )


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc")
@pytest.mark.parametrize("answer", [b"N", b"S", b"SEhello", *OTHER_SERVERS.values()])
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
def test_a_failed_connection_leaves_no_socket(answer: bytes, tls: bool) -> None:
    """The socket is closed when the error is raised, although the error still holds what was under way."""
    before = open_sockets()
    with server(answer) as port, pytest.raises(RecordsUnavailable) as raised:
        connect(local(port, tls), 0.2)
    assert raised.value.__context__ is not None
    assert open_sockets() == before


def test_a_silent_server_is_given_up() -> None:
    """A server that accepts and says nothing costs the read time-out, not more."""
    begun = monotonic()
    with server(b"") as port, pytest.raises(RecordsUnavailable, match="could not be reached: TimeoutError"):
        connect(local(port, tls=False), 0.2)
    assert monotonic() - begun < 3


@pytest.mark.parametrize(
    "login",
    [
        local(9, tls=True),
        Login("/nowhere", "app", PASSWORD, tls=False),
        Login("a\0b", "app", PASSWORD),
        Login("a" * 70, "app", PASSWORD),
    ],
)
def test_an_unreachable_server_is_named(login: Login) -> None:
    """The error says host, port and database, and nothing of the password."""
    with pytest.raises(RecordsUnavailable) as error:
        connect(login, 5)
    assert str(login) in str(error.value)
    assert PASSWORD not in str(error.value)


@pytest.mark.postgres
def test_a_password_is_checked_and_never_told(database_url: str) -> None:
    """The right password comes in; a wrong or missing one is LoginRefused, which names only the user."""
    right = login_from_url(database_url.replace("postgres:@", "guarded:first@"))
    connect(right, 5).close()
    for password in (PASSWORD, ""):
        wrong = Login(right.host, "guarded", password, right.database, tls=False)
        with pytest.raises(LoginRefused, match="guarded") as error:
            connect(wrong, 5)
        assert PASSWORD not in str(error.value)


@pytest.mark.postgres
def test_a_password_that_is_no_text_is_never_told(database_url: str) -> None:
    """A lone surrogate in the password can't be sent; the error quotes none of it."""
    login = login_from_url(database_url)
    broken = Login(login.host, "guarded", f"{PASSWORD}\ud800", login.database, tls=False)
    with pytest.raises(RecordsUnavailable, match="Unicode") as error:
        connect(broken, 5)
    assert error.value.__cause__ is None


def test_the_driver_is_imported_late() -> None:
    """A function that never asks Postgres never pays for pg8000, ssl or boto3."""
    check = (
        "import sys; from fingerpost.sources.postgres import record_source; "
        "record_source({'DATABASE_URL': 'postgres://u@h/d'}); record_source({'DATABASE_SECRET_ARN': 'x'}); "
        "heavy = {'pg8000', 'ssl', 'boto3', 'botocore', 'scramp', 'asyncio', 'logging'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run(
        [sys.executable, "-c", check], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
