"""Where the database is and who asks it."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.sources.login import (
    Login,
    SecretLogin,
    UrlLogin,
    is_local,
    login_from_secret,
    login_from_url,
    login_source,
)
from fingerpost.sources.postgres import PostgresRecords, record_source
from fingerpost.sources.records import NoRecords, RecordsUnavailable

SECRET = {"username": "app", "password": "s3cr3t", "host": "db.example.com", "port": 5433, "dbname": "site"}
CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@pytest.mark.parametrize(
    ("url", "login"),
    [
        ("postgresql://u:p@h:6543/d", Login("h", "u", "p", "d", 6543, True)),
        ("postgres://u@h", Login("h", "u", "", "u", 5432, True)),
        ("postgres://u:p@h/d?sslmode=disable", Login("h", "u", "p", "d", 5432, True)),
        ("postgres://u:p@localhost/d", Login("localhost", "u", "p", "d", 5432, False)),
        ("postgres://u:p@localhost/d?sslmode=disable", Login("localhost", "u", "p", "d", 5432, False)),
        ("postgres://u:p@localhost/d?sslmode=require", Login("localhost", "u", "p", "d", 5432, True)),
        ("postgres://u:p@127.0.0.1:5/d", Login("127.0.0.1", "u", "p", "d", 5, False)),
        ("postgres://u:p@[::1]/d", Login("::1", "u", "p", "d", 5432, False)),
        ("postgres://u:p@[2001:db8::1]:5/d", Login("2001:db8::1", "u", "p", "d", 5, True)),
        ("postgresql://u:@/d?host=/run/pg", Login("/run/pg", "u", "", "d", 5432, False)),
        ("postgresql:///d?host=/run/pg&user=u&port=7", Login("/run/pg", "u", "", "d", 7, False)),
        ("postgres://u:p%40%2F%3A@h/my%20db", Login("h", "u", "p@/:", "my db", 5432, True)),
    ],
)  # fmt: skip
def test_a_url_is_read_as_libpq_reads_it(url: str, login: Login) -> None:
    """Parts are decoded once, what is missing has libpq's default, and only a local host goes without TLS."""
    assert login_from_url(url) == login


@given(user=CHARACTERS, password=CHARACTERS, database=CHARACTERS)
def test_user_and_password_round_trip(user: str, password: str, database: str) -> None:
    """Whatever the characters, what was percent-encoded comes back as it was."""
    url = f"postgresql://{quote(user, safe='')}:{quote(password, safe='')}@db/{quote(database, safe='')}"
    login = login_from_url(url)
    assert (login.user, login.password, login.database, login.host) == (user, password, database, "db")


@given(password=st.text(st.characters(min_codepoint=0x21), min_size=6))
def test_a_password_is_never_told(password: str) -> None:
    """Neither the login's own text nor the error for a broken URL holds the password."""
    login = Login("h", "u", password)
    if password not in "Login(host='h', user='u', database='postgres', port=5432, tls=True) h:5432/postgres":
        assert password not in repr(login) + str(login)
    with pytest.raises(RecordsUnavailable) as error:
        login_from_url(f"mysql://u:{password}@h:99999999/d")
    if password not in "DATABASE_URL: expected a port between 0 and 65535 and a well-formed host":
        assert password not in str(error.value)
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("mysql://u:hunter2@h/d", "postgresql://"),
        ("hunter2", "postgresql://"),
        ("postgres://u:hunter2@h:port/d", "a port"),
        ("postgres://u:hunter2@h/d?port=hunter2", "a port"),
        ("postgres://u:hunter2@h/d?port=65536", "a port"),
        ("postgres://u:hunter2@h/d?port=-1", "a port"),
        ("postgres://u:hunter2@[::1/d", "well-formed host"),
        ("postgres://:hunter2@h/d", "a user name"),
        ("postgres://u:hunter2@a,b/d", "one host"),
    ],
)
def test_a_broken_url_is_explained_without_its_password(url: str, expected: str) -> None:
    """The error names the variable and what was expected there."""
    with pytest.raises(RecordsUnavailable, match=expected) as error:
        UrlLogin(url).current()
    assert "DATABASE_URL" in str(error.value)
    assert "hunter2" not in str(error.value) + repr(error.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "/run/postgresql"])
def test_a_local_host_is_on_this_machine(host: str) -> None:
    """Loopback addresses and Unix sockets are local."""
    assert is_local(host)


@pytest.mark.parametrize(
    "host", ["127.example.com", "127.0.0.1.nip.io", "localhost.example.com", "10.0.0.1", "db", "0.0.0.0"]
)
def test_a_name_that_only_looks_local_is_not(host: str) -> None:
    """A host is local by its whole name, never by how it begins."""
    assert not is_local(host)


def test_a_secret_of_rds_is_read() -> None:
    """The JSON that RDS writes gives the whole login, with TLS."""
    assert login_from_secret(json.dumps(SECRET)) == Login(
        "db.example.com", "app", "s3cr3t", "site", 5433, True
    )
    assert login_from_secret(json.dumps({**SECRET, "port": "5433"})).port == 5433
    bare = {"username": "app", "password": "s3cr3t", "host": "db"}
    assert login_from_secret(json.dumps(bare)) == Login("db", "app", "s3cr3t", "postgres", 5432, True)


def test_a_url_says_where_and_a_secret_who() -> None:
    """Beside a URL, which may name a proxy, the secret gives user and password alone."""
    where = login_from_url("postgres://nobody@proxy.example.com:6000/site")
    secret = json.dumps({"username": "app", "password": "s3cr3t"})
    assert login_from_secret(secret, where) == Login("proxy.example.com", "app", "s3cr3t", "site", 6000, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s3cr3t", "a JSON object"),
        ("", "a JSON object"),
        ('["s3cr3t"]', "a JSON object"),
        (json.dumps({**SECRET, "host": None}), "text for host"),
        (json.dumps({"host": "s3cr3t"}), "text for username, password"),
        (json.dumps({**SECRET, "port": "s3cr3t"}), "a whole number"),
        (json.dumps({**SECRET, "port": 65536}), "below 65536"),
    ],
)
def test_a_broken_secret_is_explained_without_its_content(text: str, expected: str) -> None:
    """The error names the variable and what is missing, and shows nothing of the secret."""
    with pytest.raises(RecordsUnavailable, match=expected) as error:
        login_from_secret(text)
    assert "DATABASE_SECRET_ARN" in str(error.value)
    assert "s3cr3t" not in str(error.value)
    assert error.value.__cause__ is None


def test_a_secret_is_read_once_and_again_when_refused() -> None:
    """The secret is read at the first use, kept, and read anew when the login was refused."""
    from moto import mock_aws

    with mock_aws():
        import boto3

        client = boto3.client("secretsmanager", region_name="eu-west-3")
        arn = client.create_secret(Name="db", SecretString=json.dumps(SECRET))["ARN"]
        source = SecretLogin(arn)
        assert source.current().password == "s3cr3t"
        client.put_secret_value(SecretId=arn, SecretString=json.dumps({**SECRET, "password": "rotated"}))
        assert source.current().password == "s3cr3t"
        renewed = source.renewed()
        assert renewed is not None
        assert renewed.password == "rotated"
        assert source.current() == renewed
        with pytest.raises(RecordsUnavailable, match="DATABASE_SECRET_ARN: none could not be read"):
            SecretLogin("none").current()


def test_an_arn_names_its_region(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret of another region than the function's is found by its ARN."""
    import boto3

    asked: list[Any] = []

    def client(service: str, **arguments: Any) -> Any:
        asked.append(arguments["region_name"])
        raise RecordsUnavailable("stop")

    monkeypatch.setattr(boto3, "client", client)
    for secret in ("arn:aws:secretsmanager:ap-northeast-1:123456789012:secret:db-AbCdEf", "db"):
        with pytest.raises(RecordsUnavailable, match="stop"):
            SecretLogin(secret).current()
    assert asked == ["ap-northeast-1", None]


def test_the_environment_names_the_login() -> None:
    """The secret comes before the URL, which alone is enough; with neither there are no records."""
    url, secret = "postgres://u:p@h/d", "arn:aws:secretsmanager:eu-west-3:1:secret:db"
    assert login_source({}) is None
    assert isinstance(login_source({"DATABASE_URL": url}), UrlLogin)
    assert isinstance(login_source({"DATABASE_URL": url, "DATABASE_SECRET_ARN": secret}), SecretLogin)
    assert isinstance(record_source({"DATABASE_URL": url, "DATABASE_SECRET_ARN": ""}), PostgresRecords)
    source = record_source({"DATABASE_URL": "", "DATABASE_SECRET_ARN": ""})
    assert isinstance(source, NoRecords)
    with pytest.raises(RecordsUnavailable, match="DATABASE_URL or DATABASE_SECRET_ARN"):
        source.snapshot()
