"""`fingerpost schema`: the configuration language as a JSON Schema, for editors (draft 2020-12)."""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from fingerpost.site.keys import GUARDS
from fingerpost_tools import configuration_keys as language
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.configuration_keys import LIST, MAPPING, Key
from fingerpost_tools.terminal import say

_EPILOG = """\
An editor with the YAML language server completes keys, shows what they mean and marks what is wrong, once the
first line of app.yaml says where the schema is:

  # yaml-language-server: $schema=./app.schema.json

exit codes: 0 written, 2 the file can't be written

examples:
  fingerpost schema --out my-site/app.schema.json
  fingerpost schema | jq '.properties | keys'"""

FILE: Final = "app.schema.json"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
MODELINE: Final = f"# yaml-language-server: $schema=./{FILE}"


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `schema` to the command line."""
    parser = subparsers.add_parser(
        "schema",
        help="write the JSON Schema of app.yaml, for editors",
        description="Write the JSON Schema of app.yaml, for editors.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="write it there (standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """The exit code of `fingerpost schema`."""
    if arguments.out is None:
        say(text().removesuffix("\n"))
        return 0
    try:
        arguments.out.write_text(text(), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--out {arguments.out}: could not be written: {error.strerror}") from error
    return 0


def text() -> str:
    """The schema as a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> dict[str, Any]:
    """The schema. Keys that it does not name are allowed: an application's own stand in the same file."""
    return {
        "$schema": DIALECT,
        "title": "app.yaml of a Fingerpost site",
        **_mapping(""),
        "$defs": {
            "file": {
                "type": "object",
                "description": "what stands in another file of the site, relative to this one",
                "properties": {"$ref": {"type": "string", "pattern": r"^\.{1,2}/|\.(ya?ml|json)$"}},
                "required": ["$ref"],
                "additionalProperties": False,
            }
        },
    }


def _mapping(path: str) -> dict[str, Any]:
    """A mapping with the keys below `path`."""
    properties: dict[str, Any] = {}
    others: dict[str, Any] = {}
    required = []
    for key in language.children(path):
        name = key.path.rpartition(".")[2]
        if name.startswith("{"):  # a key for any language
            others["additionalProperties"] = _value(key)
        else:
            properties[name] = _value(key)
        if key.required:
            required.append(name)
    found: dict[str, Any] = {"type": "object"}
    if properties:
        found["properties"] = properties
    if required:
        found["required"] = required
    return found | others


def _value(key: Key) -> dict[str, Any]:
    """A value of any of the key's types. What is not a lone value may stand in another file; a key that is
    not required and guards nothing may say nothing."""
    forms: list[dict[str, Any]] = []
    for kind in key.kinds:
        if kind is MAPPING:
            forms.append(_mapping(key.path))
        elif kind is LIST:
            forms.append({"type": "array", "items": _item(f"{key.path}[]")})
        else:
            forms.append(dict(kind.schema))
    if MAPPING in key.kinds or LIST in key.kinds:
        forms.append({"$ref": "#/$defs/file"})
    guards = key.path.rpartition(".")[2] in GUARDS
    if not key.required and not guards and {} not in forms:
        forms.append({"type": "null"})
    described: dict[str, Any] = {
        "description": f"{key.meaning}; default: {key.default}" if key.default else key.meaning
    }
    if guards and {} in forms:
        described["not"] = {"type": "null"}
    return described | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def _item(path: str) -> dict[str, Any]:
    """A member of a list: a mapping where the table has keys of it, else anything."""
    return {"anyOf": [_mapping(path), {"$ref": "#/$defs/file"}]} if language.children(path) else {}
