"""`fingerpost serve` as a process: what it prints, what it answers, how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

_SITE = """\
name: A small site
pages:
  - {name: home, path: /, components: [{type: text, content: hello}]}
  - {name: club, path: /club, access: {require: [member]}, components: [{type: text, content: secret}]}
"""


class Command:
    """A running `fingerpost serve`."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fingerpost_tools", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A database and credentials of the user's own must make no difference.
            env={
                **os.environ,
                "PYTHONPATH": ":".join(sys.path),
                "DATABASE_URL": "postgresql://u@no.example/x",
            },
        )

    def printed_until(self, pattern: str) -> str:
        """What it prints up to the first line that matches, that line included."""
        return self._read_until(pattern, self.process.stdout)

    def noted_until(self, pattern: str) -> str:
        """The same of its standard error."""
        return self._read_until(pattern, self.process.stderr)

    def _read_until(self, pattern: str, stream: IO[str] | None) -> str:
        assert stream is not None
        lines: list[str] = []
        for line in stream:
            lines.append(line)
            if re.search(pattern, line):
                return "".join(lines)
        raise AssertionError(f"no line matches {pattern} in: {''.join(lines)}{self.stopped()}")

    def stopped(self, with_signal: int = signal.SIGINT) -> tuple[int, str, str]:
        """Exit code and what was still printed, once it is told to stop."""
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with a public and a restricted page, and no tables."""
    (tmp_path / "app.yaml").write_text(_SITE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def commands() -> Iterator[list[Command]]:
    """Commands that are gone at the end, whatever happened."""
    running: list[Command] = []
    yield running
    for command in running:
        command.process.kill()
        command.process.communicate()


def _get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_site_is_served_and_stopped(site: Path, commands: list[Command], with_signal: int) -> None:
    """It prints addresses that answer, follows an edit, starts no database, and stops quietly."""
    command = Command(str(site), "--port", "0", "--quiet")
    commands.append(command)
    printed = command.printed_until("rules for robots")
    assert "A small site is open" in printed
    address = re.findall(r"(http://127\.0\.0\.1:\d+)/robots\.txt", printed)[0]
    assert _get(f"{address}/")[0] == 200
    assert f"Sitemap: {address}/sitemap.xml" in _get(f"{address}/robots.txt")[1]
    assert _get(f"{address}/club")[0] == 404
    assert command.stopped(with_signal)[0] == 0
    assert not (site / ".fingerpost").exists()


def test_every_address_it_proposes_answers(tmp_path: Path, commands: list[Command]) -> None:
    """Those of an article as well, whose page need not be called as its Markdown is."""
    (tmp_path / "app.yaml").write_text(
        "name: Notes\npages:\n  - name: notes\n    path: /:path*\n    rss: true\n"
        "    contentDir: {directory: content, index: introduction}\n",
        encoding="utf-8",
    )
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "introduction.md").write_text("# Hello\n", encoding="utf-8")
    command = Command(str(tmp_path), "--port", "0", "--quiet")
    commands.append(command)
    proposed = re.findall(r"http://\S+", command.printed_until("what agents may use"))
    assert len(proposed) == 8
    assert {_get(address)[0] for address in proposed} == {200}


def test_a_visitor_sees_what_is_restricted(site: Path, commands: list[Command]) -> None:
    """With `--visitor` the restricted page opens, and the cookie is printed for use elsewhere."""
    command = Command(str(site), "--port", "0", "--visitor", "member")
    commands.append(command)
    printed = command.printed_until("curl -b 'session=")
    address = re.findall(r"(http://127\.0\.0\.1:\d+)/robots\.txt", printed)[0]
    status, body = _get(f"{address}/club")
    assert (status, "secret" in body) == (200, True)
    code, out, err = command.stopped()
    assert (code, err) == (0, "")
    assert re.search(r"^GET /club 200 \d+ ms$", out, re.MULTILINE)


def test_backends_alone_print_their_environment(site: Path, commands: list[Command]) -> None:
    """`--backends-only` prints the file that `sam local invoke --env-vars` takes, and nothing else."""
    command = Command(str(site), "--backends-only")
    commands.append(command)
    parameters = json.loads(command.printed_until("^}"))["Parameters"]
    assert parameters["SITE_BUCKET"] == "site"
    assert parameters["AWS_ENDPOINT_URL"].startswith("http://127.0.0.1:")
    assert "DATABASE_URL" not in parameters
    code, out, err = command.stopped()
    assert (code, out) == (0, "")
    assert "Ctrl-C stops them" in err


@pytest.mark.postgres
def test_a_seed_is_followed(reachable: Path, commands: list[Command]) -> None:
    """A seed that comes while the site is open fills the database; one that changes later does not run."""
    site = reachable / "seeded"
    site.mkdir()
    tables = "tables: [{name: posts, fields: [{name: slug, type: single-line-text}]}]\n"
    (site / "app.yaml").write_text(_SITE + tables, encoding="utf-8")
    command = Command(str(site), "--port", "0")
    commands.append(command)
    command.printed_until("rules for robots")
    seed = site / "seed.sql"
    seed.write_text("INSERT INTO posts (slug) VALUES ('a')", encoding="utf-8")
    assert "updated: seed.sql" in command.noted_until("seed.sql has filled the new database")
    seed.write_text("INSERT INTO posts (slug) VALUES ('b')", encoding="utf-8")
    command.noted_until("seed.sql has changed since it ran, and runs once: .*postgres$")
    assert command.stopped()[0] == 0
