"""The viewer function in the template is the one that is tested."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_tools.edge import TEMPLATE, VIEWER_REQUEST, embed
from tests.template.cloudformation import load

HEAD = "Resources:\n  F:\n    Properties:\n      FunctionCode: |\n"
TAIL = "  G:\n    Type: x\n"


def test_the_template_holds_the_viewer_function_byte_for_byte(template: dict[str, Any]) -> None:
    """The code in the template is infra/edge/viewer-request.js."""
    inline = template["Resources"]["ViewerRequest"]["Properties"]["FunctionCode"]
    assert inline == VIEWER_REQUEST.read_text("utf-8"), "run: python -m fingerpost_tools.edge"


def test_the_template_is_as_embedding_leaves_it() -> None:
    """Embedding the code once more changes nothing."""
    text = TEMPLATE.read_text("utf-8")
    assert embed(text, VIEWER_REQUEST.read_text("utf-8")) == text


def test_the_viewer_function_fits(template: dict[str, Any]) -> None:
    """CloudFront takes at most 10 KB, and runs it as cloudfront-js-2.0."""
    function = template["Resources"]["ViewerRequest"]["Properties"]
    assert len(function["FunctionCode"].encode()) < 10_240
    assert function["FunctionConfig"]["Runtime"] == "cloudfront-js-2.0"
    assert function["AutoPublish"] is True


# Lines as source code has them: no other line break, and no blank at the end.
LINES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40).map(str.rstrip)


@given(first=LINES.map(lambda line: f"//{line}"), rest=st.lists(LINES, max_size=8))
def test_any_code_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, first: str, rest: list[str]
) -> None:
    """Whatever lines the code has, YAML gives them back unchanged, and what follows stays in place."""
    code = "\n".join([first, *rest]).rstrip("\n") + "\n"
    path = Path(tmp_path_factory.getbasetemp(), "embedded.yaml")
    path.write_text(embed(f"{HEAD}        old();\n\n{TAIL}", code), "utf-8")
    resources = load(path)["Resources"]
    assert resources["F"]["Properties"]["FunctionCode"] == code
    assert resources["G"] == {"Type": "x"}


@pytest.mark.parametrize("text", [TAIL, f"{HEAD}        a();\n{HEAD}        b();\n"])
def test_a_template_without_one_place_for_the_code_is_refused(text: str) -> None:
    """A template with no block for the code, or with two, is not guessed at."""
    with pytest.raises(ValueError, match=re.escape("expected one block")):
        embed(text, "a();\n")
