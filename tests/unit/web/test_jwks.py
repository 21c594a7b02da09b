"""The keys that sessions are signed with: reading, keeping and fetching them."""

import json
import ssl
import threading
from collections.abc import Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.jwks import KeySet, fetch_https, read_keys
from tests.certificates import self_signed


@cache
def member(key_id: str) -> dict[str, Any]:
    """A public key under an id, as a JWK."""
    key = ed25519.Ed25519PrivateKey.generate().public_key()
    return {**jwt.get_algorithm_by_name("EdDSA").to_jwk(key, as_dict=True), "kid": key_id}


def document(*key_ids: str) -> bytes:
    return json.dumps({"keys": [member(key_id) for key_id in key_ids]}).encode()


class Issuer:
    """An issuer whose keys and clock the test holds; `asked` counts its fetches."""

    def __init__(self, *key_ids: str) -> None:
        self.key_ids = key_ids
        self.asked = 0
        self.time = 1000.0
        self.down = False
        self.keys = KeySet(self.fetch, lambda: self.time)

    def fetch(self) -> bytes:
        self.asked += 1
        if self.down:
            raise OSError("down")
        return document(*self.key_ids)

    def knows(self, key_id: str) -> bool:
        return self.keys.key(key_id, "EdDSA") is not None


def test_asked_once() -> None:
    """Keys are fetched when the first is wanted, and then kept."""
    issuer = Issuer("a")
    assert issuer.asked == 0
    assert issuer.knows("a")
    assert issuer.knows("a")
    assert issuer.asked == 1


def test_rotation() -> None:
    """An unknown key id makes it ask again, so that a new key is known at once."""
    issuer = Issuer("a")
    assert issuer.knows("a")
    issuer.key_ids = ("a", "b")
    issuer.time += 11
    assert issuer.knows("b")
    assert issuer.asked == 2


def test_garbage_ids_do_not_hammer_the_issuer() -> None:
    """However many unknown ids come, the issuer is asked at most once in ten seconds."""
    issuer = Issuer("a")
    for number in range(1000):
        assert not issuer.knows(f"x{number}")
        issuer.time += 0.01
    assert issuer.asked == 1
    issuer.time += 10
    assert not issuer.knows("x")
    assert issuer.asked == 2


def test_outage_with_keys() -> None:
    """While the issuer is down the last good keys serve, however old."""
    issuer = Issuer("a")
    assert issuer.knows("a")
    issuer.down = True
    issuer.time += 100_000
    assert issuer.knows("a")
    assert not issuer.knows("b")
    assert issuer.asked == 2


def test_outage_without_keys() -> None:
    """Without any key an outage ends with the first try that succeeds, ten seconds on at the soonest."""
    issuer = Issuer("a")
    issuer.down = True
    assert not issuer.knows("a")
    issuer.down = False
    assert not issuer.knows("a")
    issuer.time += 10
    assert issuer.knows("a")


def test_withdrawn_key() -> None:
    """A key that the issuer withdrew is forgotten within the hour."""
    issuer = Issuer("a", "b")
    assert issuer.knows("a")
    issuer.key_ids = ("b",)
    issuer.time += 3600
    assert not issuer.knows("a")
    assert issuer.knows("b")


def test_clock_that_starts_anew() -> None:
    """An instance restored from its snapshot, where the clock is behind, asks again."""
    issuer = Issuer("a")
    assert issuer.knows("a")
    issuer.time = 1.0
    assert issuer.knows("a")
    assert issuer.asked == 2


def test_no_id() -> None:
    """Without an id the only key of the algorithm is meant; of two, none is."""
    assert Issuer("a").keys.key(None, "EdDSA") is not None
    assert Issuer("a", "b").keys.key(None, "EdDSA") is None
    assert Issuer("a").keys.key("a", "RS256") is None


def rsa_member(bits: int, **more: Any) -> dict[str, Any]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits).public_key()
    return {**jwt.get_algorithm_by_name("RS256").to_jwk(key, as_dict=True), **more}


def private_member() -> dict[str, Any]:
    key = ed25519.Ed25519PrivateKey.generate()
    return jwt.get_algorithm_by_name("EdDSA").to_jwk(key, as_dict=True)


def p384_member() -> dict[str, Any]:
    key = ec.generate_private_key(ec.SECP384R1()).public_key()
    return jwt.get_algorithm_by_name("ES384").to_jwk(key, as_dict=True)


@pytest.mark.parametrize(
    "unusable",
    [
        {"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"},
        {"kty": "oct", "k": "c2VjcmV0", "alg": "RS256"},
        {"kty": "RSA"},
        {"kty": "new"},
        {},
        5,
        rsa_member(1024),
        rsa_member(2048, alg="RS512"),
        rsa_member(2048, alg="none"),
        rsa_member(2048, use="enc"),
        rsa_member(2048, key_ops=["encrypt"]),
        rsa_member(2048, key_ops="verify"),
        private_member(),
        p384_member(),
        member("a") | {"x": 5},
        member("a") | {"x": "AA"},
    ],
    ids=[
        "secret",
        "secret said to be RSA",
        "empty RSA",
        "unknown kind",
        "nothing",
        "no object",
        "short RSA",
        "other algorithm",
        "no algorithm",
        "for encryption",
        "for other operations",
        "operations of another shape",
        "private",
        "other curve",
        "number for text",
        "short curve point",
    ],
)
def test_unusable_keys(unusable: Any) -> None:
    """Secrets, short keys, keys for other ends and unknown kinds are left out; alone they are an error."""
    both = json.dumps({"keys": [unusable, member("a")]}).encode()
    assert [key_id for key_id, _ in read_keys(both)] == ["a"]
    with pytest.raises(ValueError, match="found none"):
        read_keys(json.dumps({"keys": [unusable]}).encode())


@pytest.mark.parametrize(
    "bad", [b"", b"{", b"[]", b"{}", b'{"keys": 5}', b'{"keys": []}', b"\xff", b"<html>"]
)
def test_no_key_set(bad: bytes) -> None:
    """A document of another shape is a ValueError."""
    with pytest.raises(ValueError, match=r"."):
        read_keys(bad)


@given(
    st.dictionaries(
        st.sampled_from(["kty", "alg", "crv", "x", "y", "n", "e", "k", "use", "key_ops", "kid"]),
        st.sampled_from(
            ["RSA", "EC", "OKP", "oct", "P-256", "Ed25519", "ES256", "none", "AQAB", "", 5, None, []]
        ),
    )
)
def test_no_key_takes_the_others_away(odd: dict[str, Any]) -> None:
    """Whatever one member of the set looks like, the others are read."""
    keys = read_keys(json.dumps({"keys": [odd, member("a")]}).encode())
    assert "a" in [key_id for key_id, _ in keys]


@given(st.binary(max_size=200) | st.text(max_size=50).map(str.encode))
def test_any_document_is_survived(content: bytes) -> None:
    """Whatever the issuer sends, a key set answers."""
    assert KeySet(lambda: content).key("a", "RS256") is None


class Pages(BaseHTTPRequestHandler):
    """An issuer's server."""

    def do_GET(self) -> None:
        status, body = {
            "/jwks.json?v=1": (200, document("a")),
            "/moved": (302, b""),
            "/large": (200, b"x" * 300_000),
        }.get(self.path, (404, b""))
        self.send_response(status)
        if status == 302:
            self.send_header("location", "/jwks.json?v=1")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        pass


class QuietServer(HTTPServer):
    """A server that says nothing of clients that refuse its certificate, as one test does."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1, signed by itself, with its key."""
    return self_signed(tmp_path_factory.mktemp("tls"), "127.0.0.1")


@pytest.fixture(scope="module")
def server(certificate: Path) -> Iterator[str]:
    """The address of a running https server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with QuietServer(("127.0.0.1", 0), Pages) as running:
        running.socket = context.wrap_socket(running.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"https://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture
def trusted(server: str, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The server's address, in a process that trusts its certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return server


def test_fetch(trusted: str) -> None:
    """A document at an https address is fetched, its query included."""
    assert fetch_https(f"{trusted}/jwks.json?v=1") == document("a")


@pytest.mark.parametrize(
    ("path", "said"),
    [("/moved", "found 302"), ("/none", "found 404"), ("/large", "at most 262144 bytes")],
)
def test_fetch_refuses(trusted: str, path: str, said: str) -> None:
    """A redirect, an error and an endless document are refused by name."""
    with pytest.raises(ValueError, match=said):
        fetch_https(trusted + path)


def test_fetch_verifies(server: str) -> None:
    """A certificate that nobody vouches for is refused."""
    with pytest.raises(ssl.SSLCertVerificationError):
        fetch_https(f"{server}/jwks.json?v=1")


@pytest.mark.parametrize("address", ["http://127.0.0.1/jwks.json", "https://", "file:///etc/passwd", "x"])
def test_fetch_wants_https(address: str) -> None:
    """Only https addresses are asked."""
    with pytest.raises(ValueError, match="expected an https address"):
        fetch_https(address)
