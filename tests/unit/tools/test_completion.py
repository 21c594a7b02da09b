"""Completion scripts: made from the parser, and understood by the shells that are there."""

import shutil
import subprocess
from pathlib import Path

import pytest

from fingerpost_tools.completion import SCRIPTS, commands
from fingerpost_tools.main import main, parser


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", list(SCRIPTS))
def test_every_command_and_option_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the parser knows stands in each script, and it is the same whenever it is made."""
    written = script(shell, capsys)
    for command in commands(parser()):
        assert command.name in written
        for option in command.options:
            for name in option.names:
                bare = name.lstrip("-")
                fishy = f"-l {bare}" if name.startswith("--") else f"-s {bare}"
                assert (fishy if shell == "fish" else name) in written
    assert script(shell, capsys) == written


@pytest.mark.parametrize("shell", list(SCRIPTS))
def test_the_shell_takes_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shell reads the script without a complaint, whatever the help texts hold."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    file = tmp_path / "script"
    file.write_text(script(shell, capsys))
    done = subprocess.run([shell, "-n", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pub", {"publish"}),
        ("publish --d", {"--delete", "--dry-run"}),
        ("completion z", {"zsh"}),
        ("publish --bucket ", set()),
        ("check --form", {"--format"}),
    ],
)
def test_bash_completes(
    line: str, expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a real bash the words that fit the line so far are offered, and files where none can be told."""
    bash = shutil.which("bash")
    assert bash is not None
    file = tmp_path / "script"
    file.write_text(script("bash", capsys))
    words = " ".join(f"'{word}'" for word in ["fingerpost", *line.split(" ")])
    asked = (
        f". {file}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _fingerpost; "
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run([bash, "--norc", "-c", asked], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == expected


def test_another_shell_is_one_word_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    """A shell that there is no script for is a wrong argument."""
    with pytest.raises(SystemExit) as ended:
        main(["completion", "cmd"])
    assert ended.value.code == 2
    assert "bash" in capsys.readouterr().err
