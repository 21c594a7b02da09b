"""Postgres and AWS are waited for as long as the answer has time, and no longer."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.deadline import deadline
from fingerpost.sources import connect as connecting
from fingerpost.sources.connect import connect
from fingerpost.sources.login import Login, SecretLogin
from fingerpost.sources.records import RecordsUnavailable
from tests.certificates import self_signed
from tests.support import Clock
from tests.unit.sources.test_connect import local

# What Postgres says first (protocol, 54.7): authentication, and that all is well. The rest never comes.
HELLO = b"R\0\0\0\x08\0\0\0\0"
# How long the dripping server takes for each byte, on the deadline's clock alone (seconds).
DRIP = 10.0


@contextlib.contextmanager
def dripping(certificate: Path | None, clock: Clock) -> Iterator[int]:
    """A server whose every byte takes `DRIP` on `clock`, behind TLS where there is a certificate; after ten
    times what it has to say it hangs up. Gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            peer, _ = listener.accept()
            peer.recv(1024)
            if certificate is not None:
                peer.sendall(b"S")
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate)
                peer = context.wrap_socket(peer, server_side=True)
            with peer:
                for byte in HELLO * 10:
                    peer.sendall(bytes([byte]))
                    clock.seconds += DRIP

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        thread.join(5)
        listener.close()


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "TLS"])
def test_a_server_that_drips(tls: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says a byte now and then is given up when the time of the answer is over: each of its
    bytes would have begun the read time-out anew."""
    certificate, clock = self_signed(tmp_path) if tls else None, Clock()
    monkeypatch.setattr(connecting, "RDS_BUNDLE", certificate or connecting.RDS_BUNDLE)
    monkeypatch.setattr("fingerpost.deadline.monotonic", clock)
    with (
        dripping(certificate, clock) as port,
        deadline(6 * DRIP),
        pytest.raises(RecordsUnavailable) as raised,
    ):
        connect(local(port, tls), read_seconds=2 * DRIP)
    assert "the time for this answer is over" in str(raised.value)


def test_nothing_is_opened_when_the_time_is_over() -> None:
    """No connection is begun that nobody waits for."""
    with deadline(0), pytest.raises(RecordsUnavailable, match="the time for this answer is over"):
        connect(Login("127.0.0.1", "app", "x", port=9, tls=False), read_seconds=30)


def test_a_secret_is_not_asked_for_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets Manager is not asked when its answer could come after ours."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", "http://127.0.0.1:9")
    login = SecretLogin("arn:aws:secretsmanager:eu-west-3:000000000000:secret:db")
    with deadline(0), pytest.raises(RecordsUnavailable, match="No time is left for another attempt"):
        login.current()
