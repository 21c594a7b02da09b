"""Where sessions come from, as the environment says it."""

import pytest

from fingerpost.errors import SettingError
from fingerpost.web.visitor import SessionSettings

ENVIRONMENT = {
    "SESSION_JWKS": "https://issuer.example/jwks.json",
    "SESSION_ISSUER": "https://issuer.example",
    "SESSION_AUDIENCE": "site",
}


@pytest.mark.parametrize(
    "missing", [["SESSION_ISSUER"], ["SESSION_AUDIENCE"], ["SESSION_JWKS"], [*ENVIRONMENT][1:]]
)
def test_partly_set(missing: list[str]) -> None:
    """A configuration without all its three parts is an error naming what is missing and what is set."""
    environment = {name: "" if name in missing else value for name, value in ENVIRONMENT.items()}
    with pytest.raises(SettingError) as caught:
        SessionSettings.from_environment(environment)
    message = str(caught.value)
    assert message.startswith(", ".join(missing) + ": expected a value")
    assert all(name in message for name in ENVIRONMENT)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SESSION_JWKS", "http://issuer.example/jwks.json"),
        ("SESSION_JWKS", "file:///etc/passwd"),
        ("SESSION_COOKIE", "a=b"),
        ("SESSION_COOKIE", "a;b"),
    ],
)
def test_unusable_setting(name: str, value: str) -> None:
    """A setting that can't be used is an error with its name and its value."""
    with pytest.raises(SettingError, match=name) as caught:
        SessionSettings.from_environment(ENVIRONMENT | {name: value})
    assert repr(value) in str(caught.value)


def test_all_set() -> None:
    """Cookie and claim have usual names, and can have others."""
    usual = SessionSettings("https://issuer.example/jwks.json", "https://issuer.example", "site")
    assert SessionSettings.from_environment(ENVIRONMENT) == usual
    assert (usual.cookie, usual.roles_claim) == ("session", "roles")
    named = ENVIRONMENT | {"SESSION_COOKIE": "__Host-sid", "SESSION_ROLES_CLAIM": "cognito:groups"}
    settings = SessionSettings.from_environment(named)
    assert settings is not None
    assert (settings.cookie, settings.roles_claim) == ("__Host-sid", "cognito:groups")


def test_nothing_set() -> None:
    """Without any of the three there are no sessions."""
    assert SessionSettings.from_environment({}) is None
