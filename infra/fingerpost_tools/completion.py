"""`fingerpost completion`: what a shell needs to complete the command line, made from the parser."""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fingerpost_tools.terminal import say

_EPILOG = """\
exit codes: 0 written, 2 no such shell

examples:
  source <(fingerpost completion bash)                                         in ~/.bashrc
  source <(fingerpost completion zsh)                                          in ~/.zshrc, after compinit
  fingerpost completion fish > ~/.config/fish/completions/fingerpost.fish"""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `completion` to the command line."""
    parser = subparsers.add_parser(
        "completion",
        help="write the completion script of a shell",
        description="Write the completion script of a shell.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", metavar="SHELL", choices=tuple(SCRIPTS), help=f"one of {', '.join(SCRIPTS)}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost completion`."""
    from fingerpost_tools.main import parser

    say(SCRIPTS[arguments.shell](commands(parser())).removesuffix("\n"))
    return 0


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its names, what it does, and the name of its value, "" where it takes none. `choices` are
    the values it takes, where they can be told."""

    names: tuple[str, ...]
    help: str
    value: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """One subcommand. `choices` are the values of its arguments, where they can be told."""

    name: str
    help: str
    options: tuple[Option, ...]
    choices: tuple[str, ...] = ()


def commands(parser: argparse.ArgumentParser) -> list[Command]:
    """Every subcommand of a command line, with its options."""
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            found += [_command(name, helps.get(name, ""), inner) for name, inner in action.choices.items()]
    return found


def _command(name: str, said: str, parser: argparse.ArgumentParser) -> Command:
    options = tuple(_option(action) for action in parser._actions if action.option_strings)
    positional = (action.choices for action in parser._actions if not action.option_strings)
    choices = tuple(str(choice) for each in positional if each is not None for choice in each)
    return Command(name, said, options, choices)


def _option(action: argparse.Action) -> Option:
    value = "" if action.nargs == 0 else str(action.metavar or action.dest)
    said = (action.help or "") % {**vars(action), "prog": "fingerpost"}
    return Option(tuple(action.option_strings), said, value, tuple(map(str, action.choices or ())))


def bash(known: list[Command]) -> str:
    """Words for bash; where none fit, its own completion of files."""
    cases = []
    for command in known:
        words = " ".join([*command.choices, *(name for option in command.options for name in option.names)])
        cases.append(f"    {command.name}) words={_quoted(words)} ;;")
    values = {
        f"{command.name} {name}": " ".join(option.choices)
        for command in known
        for option in command.options
        if option.value
        for name in option.names
    }
    after = [f"    {_quoted(where)}) words={_quoted(choices)} ;;" for where, choices in values.items()]
    names = " ".join(command.name for command in known)
    return "\n".join(
        [
            "_fingerpost() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} words=",
            f"  if [ $COMP_CWORD -eq 1 ]; then words={_quoted(names + ' --help --version')}; fi",
            '  if [ $COMP_CWORD -gt 1 ]; then case "${COMP_WORDS[1]}" in',
            *cases,
            "  esac; fi",
            "  # A value follows an option that takes one.",
            '  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
            *after,
            "  esac",
            '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
            "}",
            "complete -o bashdefault -o default -F _fingerpost fingerpost",
            "",
        ]
    )


def zsh(known: list[Command]) -> str:
    """A completion function for zsh, each word with what it does."""
    described = [f"    {_quoted(f'{command.name}:{command.help}')}" for command in known]
    cases = []
    for command in known:
        specs = [_zsh_option(option, name) for option in command.options for name in option.names]
        rest = f"*:value:({' '.join(command.choices)})" if command.choices else "*:file:_files"
        cases.append(f"    {command.name}) _arguments {' '.join(map(_quoted, [*specs, rest]))} ;;")
    return "\n".join(
        [
            "#compdef fingerpost",
            "_fingerpost() {",
            "  local -a commands=(",
            *described,
            "  )",
            "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
            "  # The options of a subcommand count from its own name.",
            "  local name=$words[2]",
            "  shift words; (( CURRENT-- ))",
            "  case $name in",
            *cases,
            "  esac",
            "}",
            "compdef _fingerpost fingerpost",
            "",
        ]
    )


def _zsh_option(option: Option, name: str) -> str:
    said = re.sub(r"([\[\]:\\])", r"\\\1", option.help)
    if not option.value:
        return f"{name}[{said}]"
    values = f"({' '.join(option.choices)})" if option.choices else "_files"
    return f"{name}[{said}]:{option.value.replace(':', ' ')}:{values}"


def fish(known: list[Command]) -> str:
    """Rules for fish, each word with what it does."""
    return "".join(f"complete -c fingerpost {rule}\n" for rule in _fish_rules(known))


def _fish_rules(known: list[Command]) -> Iterator[str]:
    for command in known:
        yield f"-n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.help)}"
    for command in known:
        here = f"-n '__fish_seen_subcommand_from {command.name}'"
        if command.choices:
            yield f"{here} -f -a {_quoted(' '.join(command.choices))}"
        for option in command.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
            )
            values = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r"
            yield f"{here} {names}{values if option.value else ''} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    """A word that each of the shells takes as it is: an apostrophe ends the quotes, stands alone, and they
    begin anew."""
    return "'" + text.replace("'", "'\\''") + "'"


SCRIPTS: Final[Mapping[str, Callable[[list[Command]], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
