"""The command line through `main(argv)`: exit codes, and one clear line of trouble."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fingerpost_tools import places
from fingerpost_tools.main import main
from fingerpost_tools.terminal import styled

_CLEAN = "name: x\ndescription: A site.\npages:\n  - {name: home, path: /}\n"


def _site(folder: Path, configuration: str = _CLEAN) -> Path:
    (folder / "app.yaml").write_text(configuration, encoding="utf-8")
    return folder


def _complaint(capsys: pytest.CaptureFixture[str]) -> str:
    """What was written to stderr, which has to be one line."""
    err = capsys.readouterr().err
    assert err.startswith("fingerpost: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("command", ["serve", "check"])
def test_a_missing_site_is_one_line(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory that isn't there, and one without app.yaml, end with exit code 2."""
    assert main([command, str(tmp_path / "nowhere")]) == 2
    assert "there is no such directory" in _complaint(capsys)
    assert main([command, str(tmp_path)]) == 2
    assert "holds no app.yaml" in _complaint(capsys)
    (tmp_path / "file").touch()
    assert main([command, str(tmp_path / "file")]) == 2
    assert "found a file" in _complaint(capsys)


def test_a_busy_port_ends_serve_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A taken port is told at once: exit code 2, and no state of the site is made."""
    site = _site(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", str(site), "--port", str(port)]) == 2
    assert f"port {port} of 127.0.0.1" in _complaint(capsys)
    assert not (site / ".fingerpost").exists()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://me@127.0.0.1:1/x", "could not be reached"),
        ("mysql://me@localhost/x", "expected it to begin with postgresql://"),
    ],
)
def test_an_unreachable_database_is_one_line(
    url: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database that does not answer, and an address that is none, end with exit code 2."""
    assert main(["serve", str(_site(tmp_path)), "--port", "0", "--database-url", url]) == 2
    complaint = _complaint(capsys)
    assert "--database-url" in complaint
    assert reason in complaint


def test_a_base_url_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--base-url` wants an origin."""
    assert main(["serve", str(_site(tmp_path)), "--port", "0", "--base-url", "ftp://x"]) == 2
    assert "--base-url: expected an http or https address" in _complaint(capsys)


def test_serve_names_every_problem_of_a_broken_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A configuration that can't be used is told with all its problems, and exit code 2."""
    assert main(["serve", str(_site(tmp_path, "pages: 3\n")), "--port", "0"]) == 2
    err = capsys.readouterr().err
    assert "can't be used" in err
    assert "app.yaml" in err
    assert "pages" in err


def test_check_is_quiet_about_a_clean_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0 and one line."""
    assert main(["check", str(_site(tmp_path))]) == 0
    assert capsys.readouterr().out == "no problems\n"


def test_check_lists_every_problem_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line per problem, `file:line config.path: severity: message`, and exit code 1."""
    site = _site(tmp_path, "name: x\npages:\n  - name: home\n    path: nowhere\n  - {name: other}\n")
    assert main(["check", str(site)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("app.yaml:4 pages[0].path: error: ") for line in lines)
    assert any(line.startswith("app.yaml:5 pages[1]") for line in lines)
    assert lines[-1].endswith("errors")


def test_check_lists_each_unreadable_article(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Case 20: a Latin-1 file, an impossible date and broken YAML are named, the rest of the site is well."""
    site = _site(
        tmp_path,
        "name: x\npages:\n  - {name: docs, path: '/docs/:slug', contentDir: {directory: content}}\n",
    )
    (site / "content").mkdir()
    (site / "content/good.md").write_text("# Good\n", encoding="utf-8")
    (site / "content/latin.md").write_bytes(b"caf\xe9\n")
    (site / "content/date.md").write_text("---\ndate: 2024-02-30\nhidden: perhaps\n---\n", encoding="utf-8")
    (site / "content/yaml.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
    assert main(["check", str(site), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    errors = [problem for problem in report["problems"] if problem["severity"] == "error"]
    found = [(problem["file"], problem["line"]) for problem in errors]
    assert {file for file, _ in found} == {"content/latin.md", "content/date.md", "content/yaml.md"}
    assert [line for file, line in found if file == "content/date.md"] == [2, 3]
    assert report["errors"] == len(found)


def test_the_json_form_is_stable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Programs read these keys; new ones may join them, none may go."""
    assert main(["check", str(_site(tmp_path, "name: x\nrobots: 3\n")), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert set(report) >= {"site", "errors", "warnings", "hints", "problems"}
    assert set(report["problems"][0]) >= {"id", "severity", "file", "line", "path", "message"}
    assert (report["problems"][0]["file"], report["problems"][0]["line"]) == ("app.yaml", 2)


def test_warnings_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0 where nothing is certainly wrong, and the warning is still told."""
    site = _site(tmp_path, "name: x\npages:\n  - {name: home, path: /}\n  - {name: again, path: /}\n")
    assert main(["check", str(site)]) == 0
    assert ": warning: " in capsys.readouterr().out


@pytest.mark.parametrize("argv", [[], ["unknown"], ["serve", "--port", "99999"], ["check"]])
def test_a_wrong_argument_is_exit_code_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """argparse's own code for a command line that can't be read."""
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: fingerpost")


@pytest.mark.parametrize("argv", [["--help"], ["serve", "--help"], ["check", "--help"]])
def test_help_shows_examples(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each help text ends with commands to copy."""
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 0
    assert "examples:\n  fingerpost " in capsys.readouterr().out


def test_ctrl_c_is_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interrupted command says nothing and exits as shells expect."""

    def interrupted(given: str | None) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(places, "site", interrupted)
    assert main(["check", str(tmp_path)]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_terminated_command_is_quiet(tmp_path: Path) -> None:
    """SIGTERM ends any command as Ctrl-C does, with what it started, and with the exit code of shells."""
    site = _site(tmp_path, _CLEAN + "tables: [{name: t, fields: []}]\n")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/x"
        command = subprocess.Popen(
            [sys.executable, "-m", "fingerpost_tools", "explain", str(site), "t:1", "--database-url", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        silent.settimeout(30)
        with silent.accept()[0]:
            command.send_signal(signal.SIGTERM)
            assert command.communicate(timeout=30) == (b"", b"")
    assert command.returncode == 143


def test_the_command_starts_light() -> None:
    """Help and errors need no library that a subcommand might: each loads what it uses."""
    program = (
        "import sys, fingerpost_tools.main as m; m.parser();"
        "print([n for n in ('boto3', 'moto', 'pg8000', 'yaml', 'jwt', 'rich') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.strip() == "[]"


def test_a_full_disk_is_one_line() -> None:
    """Where the output can't be written, the command says so and ends with exit code 2."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fingerpost_tools", "schema"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
    assert done.returncode == 2
    assert done.stderr == "fingerpost: the output can't be written: No space left on device\n"


def test_a_file_in_the_way_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the site's local data can't be kept, the command names the file that is at fault."""
    site = _site(tmp_path, _CLEAN + "tables: [{name: t, fields: []}]\n")
    (site / ".fingerpost").touch()
    assert main(["serve", str(site), "--port", "0"]) == 2
    assert _complaint(capsys) == f"fingerpost: {site / '.fingerpost'}: File exists\n"


@pytest.mark.parametrize("port", ["abc", "-1", "65536", "8000.0"])
def test_a_port_that_is_none_is_named(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--port` says what it expects and what it found."""
    with pytest.raises(SystemExit) as caught:
        main(["serve", f"--port={port}"])
    assert caught.value.code == 2
    assert f"argument --port: expected a port from 0 to 65535, found {port}\n" in capsys.readouterr().err


def test_an_address_of_no_machine_here_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another `--port` would not help where the `--host` is not this machine's, and is not proposed."""
    assert main(["serve", str(_site(tmp_path)), "--host", "192.0.2.1"]) == 2
    complaint = _complaint(capsys)
    assert "--host 192.0.2.1: no address of this machine" in complaint
    assert "--port" not in complaint


def test_the_module_is_the_command() -> None:
    """`python -m fingerpost_tools` does what `fingerpost` does."""
    done = subprocess.run(
        [sys.executable, "-m", "fingerpost_tools", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.startswith("fingerpost ")


class _Terminal:
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_for_terminals_that_want_it(
    variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR and a dumb terminal get plain words."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in styled("word", "red", _Terminal())) is coloured  # type: ignore[arg-type]


def test_ctrl_c_while_a_module_is_imported_has_its_exit_code(tmp_path: Path) -> None:
    """A Ctrl-C that meets the standard library making a class ends the command like any other."""
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "from fingerpost_tools import check, main\n"
        "def run(arguments): exec('raise KeyboardInterrupt')\n"
        "check.run = run\n"
        "sys.exit(main.main(['check', 'x']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
