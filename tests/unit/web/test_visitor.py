"""The visitor behind a session cookie."""

import base64
import hashlib
import hmac
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalogue.visitor import ANONYMOUS, Visitor
from fingerpost.web.jwks import KeySet
from fingerpost.web.request import Request
from fingerpost.web.visitor import SessionReader, SessionSettings, roles_in, session_token
from tests.support import MemoryStore

ISSUER = "https://issuer.example"
AUDIENCE = "site"
SETTINGS = SessionSettings("https://issuer.example/jwks.json", ISSUER, AUDIENCE)
ENVIRONMENT = {
    "SESSION_JWKS": "https://issuer.example/jwks.json",
    "SESSION_ISSUER": ISSUER,
    "SESSION_AUDIENCE": AUDIENCE,
}
MEMBER = Visitor(signed_in=True, roles=frozenset({"member"}))


@cache
def private_key(algorithm: str) -> Any:
    """One key pair for each algorithm, the issuer's own."""
    if algorithm == "ES256":
        return ec.generate_private_key(ec.SECP256R1())
    if algorithm == "EdDSA":
        return ed25519.Ed25519PrivateKey.generate()
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@cache
def jwks() -> bytes:
    """The issuer's public keys: one for each algorithm, whose id is the algorithm's name."""
    members = []
    for algorithm in ("RS256", "ES256", "EdDSA"):
        kind = jwt.get_algorithm_by_name(algorithm)
        member = kind.to_jwk(private_key(algorithm).public_key(), as_dict=True)
        members.append({**member, "kid": algorithm, "alg": algorithm, "use": "sig"})
    return json.dumps({"keys": members}).encode()


def claims(**changes: Any) -> dict[str, Any]:
    """Good claims with some replaced; a claim set to None is left out."""
    good = {"iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time()) + 86_400, "sub": "1", "roles": ["member"]}
    return {name: value for name, value in (good | changes).items() if value is not None}


def signed(
    payload: Mapping[str, Any] | None = None,
    *,
    algorithm: str = "RS256",
    key: Any = None,
    **header: Any,
) -> str:
    """A token of the issuer's, with header parameters added."""
    return jwt.encode(
        dict(claims() if payload is None else payload),
        private_key(algorithm) if key is None else key,
        algorithm=algorithm,
        headers={"kid": algorithm} | header,
    )


def reader(fetch: Callable[[], bytes] = jwks) -> SessionReader:
    return SessionReader(SETTINGS, KeySet(fetch))


def visitor_with(token: str, fetch: Callable[[], bytes] = jwks) -> Visitor:
    """Who is seen behind a session cookie with this value."""
    return reader(fetch).visitor(Request("GET", "/", cookies=("theme=dark", f"session={token}")))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def handmade(header: Mapping[str, Any], payload: Any, sign: Callable[[bytes], bytes]) -> str:
    """A token that no library would make."""
    signing_input = ".".join(base64url(json.dumps(part).encode()) for part in (header, payload))
    return f"{signing_input}.{base64url(sign(signing_input.encode()))}"


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_good_session(algorithm: str) -> None:
    """A token signed with one of the issuer's keys gives its roles, whichever algorithm it is."""
    assert visitor_with(signed(algorithm=algorithm)) == MEMBER


def test_quoted_cookie() -> None:
    """A cookie's value may stand in quotes (RFC 6265 4.1.1)."""
    assert visitor_with(f'"{signed()}"') == MEMBER


def test_no_roles() -> None:
    """A session without the roles claim is signed in and has no roles."""
    assert visitor_with(signed(claims(roles=None))) == Visitor(signed_in=True)


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example"},
        {"iss": None},
        {"aud": "other"},
        {"aud": None},
        {"aud": ["other", "another"]},
        {"aud": 5},
        {"exp": None},
        {"exp": int(time.time()) - 31},
        {"exp": "soon"},
        {"exp": 1e400},
        {"exp": True},
        {"nbf": int(time.time()) + 86_400},
        {"nbf": "later"},
    ],
    ids=[
        "other issuer",
        "no issuer",
        "other audience",
        "no audience",
        "other audiences",
        "odd audience",
        "no expiry",
        "expired",
        "text for expiry",
        "endless",
        "true for expiry",
        "not yet valid",
        "text for not before",
    ],
)
def test_bad_claims(changes: dict[str, Any]) -> None:
    """A token from or for another, expired, not yet valid, or without one of these claims is no session."""
    assert visitor_with(signed(claims(**changes))) == ANONYMOUS


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -5), ("nbf", 15), ("nbf", -600)])
def test_clocks_may_differ(claim: str, seconds: int) -> None:
    """Half a minute between two clocks ends no session: from now, a little late or early is good enough."""
    assert visitor_with(signed(claims(**{claim: int(time.time()) + seconds}))) == MEMBER


def test_two_audiences() -> None:
    """A token may be for others too."""
    assert visitor_with(signed(claims(aud=["other", AUDIENCE]))) == MEMBER


def test_unsigned() -> None:
    """`alg: none` is no session, with an empty signature or with any."""
    header = {"alg": "none", "kid": "RS256"}
    assert visitor_with(handmade(header, claims(), lambda _: b"")) == ANONYMOUS
    assert visitor_with(handmade(header, claims(), lambda _: b"x")) == ANONYMOUS


@pytest.mark.parametrize("key_id", ["RS256", None, "HS256"])
@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_public_key_as_secret(algorithm: str, key_id: str | None) -> None:
    """A token signed with HS256 and a public key as its secret is no session (RFC 8725 2.1)."""
    public = private_key(algorithm).public_key()
    for secret in (
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        jwks(),
    ):
        token = handmade(
            {"alg": "HS256", "kid": key_id},
            claims(roles=["admin"]),
            partial(hmac.digest, secret, digest=hashlib.sha256),
        )
        assert visitor_with(token) == ANONYMOUS


def test_another_key() -> None:
    """A token signed by anyone else is no session, even under the issuer's key id."""
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert visitor_with(signed(key=other)) == ANONYMOUS


def test_key_of_another_algorithm() -> None:
    """A key id under which the issuer has a key of another algorithm is no match."""
    assert visitor_with(signed(algorithm="ES256", kid="RS256")) == ANONYMOUS


def test_algorithm_outside_the_list() -> None:
    """An algorithm that is not on the list is no session, though the key is the issuer's."""
    token = jwt.encode(claims(), private_key("RS256"), algorithm="RS512", headers={"kid": "RS256"})
    assert visitor_with(token) == ANONYMOUS


def test_keys_named_by_the_token() -> None:
    """A key that the token brings or points to is not looked at."""
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = jwt.get_algorithm_by_name("RS256").to_jwk(other.public_key(), as_dict=True)
    assert visitor_with(signed(key=other, jwk=public, jku="https://evil.example/jwks.json")) == ANONYMOUS
    assert visitor_with(signed(jku="https://evil.example/jwks.json", jwk=public)) == MEMBER


@pytest.mark.parametrize("critical", [["exp"], ["b64"], [], "b64"], ids=str)
def test_critical_extensions(critical: Any) -> None:
    """A token that demands extensions to be understood is no session (RFC 7515 4.1.11)."""
    header = {"alg": "EdDSA", "kid": "EdDSA", "exp": 1, "b64": True}
    sign = private_key("EdDSA").sign
    assert visitor_with(handmade(header, claims(), sign)) == MEMBER
    assert visitor_with(handmade(header | {"crit": critical}, claims(), sign)) == ANONYMOUS


def test_tampered() -> None:
    """Changing any part of a good token spoils it."""
    header, payload, signature = signed().split(".")
    richer = base64url(json.dumps(claims(roles=["admin"])).encode())
    assert visitor_with(f"{header}.{richer}.{signature}") == ANONYMOUS
    assert visitor_with(f"{header}.{payload}.{signature[:-8]}AAAAAAAA") == ANONYMOUS


def test_key_id_may_be_left_out() -> None:
    """A token without key id is checked with the only key of its algorithm."""
    token = jwt.encode(claims(), private_key("ES256"), algorithm="ES256")
    assert visitor_with(token) == MEMBER


@pytest.mark.parametrize("payload", [[], "text", 5, None, {"roles": "admin"}], ids=str)
def test_payload_of_another_shape(payload: Any) -> None:
    """A signed payload that is no set of claims is no session."""
    key = private_key("EdDSA")
    assert visitor_with(handmade({"alg": "EdDSA", "kid": "EdDSA"}, payload, key.sign)) == ANONYMOUS


@pytest.mark.parametrize("key_id", [5, ["RS256"], {"a": 1}, "", "unknown"], ids=str)
def test_odd_key_ids(key_id: Any) -> None:
    """A key id that is no text or not the issuer's is no session."""
    key = private_key("EdDSA")
    assert visitor_with(handmade({"alg": "EdDSA", "kid": key_id}, claims(), key.sign)) == ANONYMOUS


def never() -> bytes:
    raise AssertionError("the issuer was asked")


@pytest.mark.parametrize(
    "value",
    ["", "garbage", "a.b", "a.b.c.d", "a.b.", ".b.c", "a b.c.d", "é.b.c", "a." + "b" * 16_384 + ".c"],
    ids=lambda value: value[:12],
)
def test_what_is_no_token(value: str) -> None:
    """A cookie that can't be a token, a 16 KB one among them, makes nobody ask for keys."""
    assert session_token((f"session={value}",), "session") is None
    assert visitor_with(value, never) == ANONYMOUS


@pytest.mark.parametrize("value", ["a.b.c", "eyJ9.eyJ9.x", "e30.e30.e30"])
def test_garbage_in_three_parts(value: str) -> None:
    """Three parts that are no token make nobody ask for keys either."""
    assert visitor_with(value, never) == ANONYMOUS


def test_two_cookies() -> None:
    """Two cookies of the name that differ are no session, for nothing tells who set which."""
    token, other = signed(), signed(claims(roles=["admin"]))
    same = Request("GET", "/", cookies=(f"session={token}", f"session={token}"))
    differing = Request("GET", "/", cookies=(f"session={token}", f"session={other}"))
    assert reader().visitor(same) == MEMBER
    assert reader().visitor(differing) == ANONYMOUS


def test_no_cookie() -> None:
    """Without the cookie, or with one whose name only begins alike, everyone is anonymous."""
    for cookies in ((), ("theme=dark",), (f"session2={signed()}",), (f"Session={signed()}",)):
        assert reader(never).visitor(Request("GET", "/", cookies=cookies)) == ANONYMOUS


def test_issuer_unreachable(caplog: pytest.LogCaptureFixture) -> None:
    """Without any keys everyone is anonymous, the log says why, and the token is not in it."""

    def unreachable() -> bytes:
        raise OSError("no route to host")

    token = signed()
    assert visitor_with(token, unreachable) == ANONYMOUS
    assert "no route to host" in caplog.text
    assert token not in caplog.text


@pytest.mark.parametrize(
    ("claim", "content", "expected"),
    [
        ("roles", {"roles": ["a", "b"]}, {"a", "b"}),
        ("roles", {"roles": "a"}, {"a"}),
        ("roles", {"roles": "a b"}, {"a", "b"}),
        ("roles", {"roles": "a, b,c"}, {"a", "b", "c"}),
        ("roles", {"roles": ["a b", " c ", ""]}, {"a b", "c"}),
        ("roles", {"roles": ["a", 5, None, ["b"]]}, {"a"}),
        ("roles", {"roles": {"a": True}}, set()),
        ("roles", {"roles": 5}, set()),
        ("roles", {"roles": None}, set()),
        ("roles", {}, set()),
        ("cognito:groups", {"cognito:groups": ["a"]}, {"a"}),
        ("realm_access.roles", {"realm_access": {"roles": ["a"]}}, {"a"}),
        ("realm_access.roles", {"realm_access": "roles"}, set()),
        ("realm_access.roles", {"realm_access": ["roles"]}, set()),
        ("https://example.com/roles", {"https://example.com/roles": ["a"]}, {"a"}),
        ("a.b", {"a.b": ["literal"], "a": {"b": ["nested"]}}, {"literal"}),
    ],
)
def test_roles(claim: str, content: dict[str, Any], expected: set[str]) -> None:
    """Roles come from a list or a text, under a literal name or a path of names."""
    assert roles_in(content, claim) == expected


headers = st.fixed_dictionaries(
    {
        "alg": st.sampled_from(
            ["none", "None", "HS256", "HS512", "RS256", "ES256", "EdDSA", "PS256", "RS512", ""]
        )
    },
    optional={
        "kid": st.sampled_from(["RS256", "ES256", "EdDSA", "x", 5, None]),
        "typ": st.just("JWT"),
        "jku": st.just("https://evil.example/jwks.json"),
        "jwk": st.just({"kty": "oct", "k": "AAAA"}),
        "crit": st.just(["b64"]),
        "b64": st.booleans(),
        "x5u": st.just("https://evil.example/x"),
    },
)
payloads = st.fixed_dictionaries(
    {"roles": st.just(["admin"])},
    optional={
        "iss": st.just(ISSUER),
        "aud": st.just(AUDIENCE),
        "exp": st.sampled_from([4_000_000_000, 0, "x"]),
    },
)


@cache
def attackers_keys() -> tuple[Any, ...]:
    return (ed25519.Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1()))


def forgers() -> Iterable[Callable[[bytes], bytes]]:
    """Ways to sign without the issuer's private keys."""
    public = private_key("RS256").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    edwards = private_key("EdDSA").public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    yield lambda data: hmac.digest(public, data, hashlib.sha256)
    yield lambda data: hmac.digest(edwards, data, hashlib.sha256)
    yield lambda data: hmac.digest(b"", data, hashlib.sha512)
    yield lambda data: attackers_keys()[0].sign(data)
    yield lambda data: b"\0" * 64
    yield lambda data: b"\0" * 256


@given(headers, payloads, st.integers(0, 5), st.binary(max_size=80))
def test_no_forged_token_gains_a_role(
    header: dict[str, Any], payload: dict[str, Any], forger: int, noise: bytes
) -> None:
    """Whatever the header and the claims, without the issuer's private key there is no session."""
    sign = list(forgers())[forger]
    assert visitor_with(handmade(header, payload, sign)) == ANONYMOUS
    assert visitor_with(handmade(header, payload, lambda _: noise)) == ANONYMOUS


@given(st.text(max_size=200) | st.lists(st.text("abcXYZ019-_=", max_size=40), max_size=5).map(".".join))
def test_no_text_gains_a_role(text: str) -> None:
    """No text in the cookie raises or makes a session."""
    assert visitor_with(text) == ANONYMOUS


def test_none_set() -> None:
    """Where no session is configured everyone is anonymous, a good token or not."""
    unset = SessionReader.from_environment({"SESSION_JWKS": "", "SESSION_COOKIE": "sid"}, MemoryStore({}))
    assert unset.visitor(Request("GET", "/", cookies=(f"session={signed()}",))) == ANONYMOUS


@pytest.mark.parametrize(("key", "expected"), [("config/jwks.json", MEMBER), ("config/none.json", ANONYMOUS)])
def test_keys_from_an_object(key: str, expected: Visitor) -> None:
    """SESSION_JWKS may name an object of the site; where it is missing, everyone is anonymous."""
    store = MemoryStore({"config/jwks.json": jwks()})
    session = SessionReader.from_environment(ENVIRONMENT | {"SESSION_JWKS": key}, store)
    assert session.visitor(Request("GET", "/", cookies=(f"session={signed()}",))) == expected


def test_crypto_is_loaded_for_tokens_only() -> None:
    """A request without a possible token loads neither PyJWT nor cryptography."""
    program = f"""
import sys; sys.path.insert(0, "shared")
from fingerpost.web.jwks import KeySet
from fingerpost.web.request import Request
from fingerpost.web.visitor import SessionReader, SessionSettings
reader = SessionReader(SessionSettings("k", "i", "a"), KeySet(lambda: b""))
for value in ("", "garbage", "a.b", "{"x" * 16_000}.b.c"):
    reader.visitor(Request("GET", "/", cookies=("session=" + value,)))
print("jwt" in sys.modules, "cryptography" in sys.modules)
reader.visitor(Request("GET", "/", cookies=("session=a.b.c",)))
print("jwt" in sys.modules)
"""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.split() == ["False", "False", "True"]
