"""Puts the viewer function into the template: `python -m fingerpost_tools.edge`.

CloudFormation takes the code of a CloudFront function inline only. So the code is kept, tested and linted in
infra/edge/viewer-request.js, and template.yaml holds a copy; a test compares the two.
"""

import re
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[2]
TEMPLATE: Final = _ROOT / "template.yaml"
VIEWER_REQUEST: Final = _ROOT / "infra" / "edge" / "viewer-request.js"

# The literal block of FunctionCode: every line below it that is blank or indented more deeply.
_BLOCK = re.compile(r"^(?P<indent> +)FunctionCode: \|\n(?:(?P=indent) +.*\n|\n)*", re.MULTILINE)


def embed(template: str, code: str) -> str:
    """The text of `template` with `code` as the viewer function's FunctionCode.

    Raises ValueError where the template has no such block, or more than one.
    """
    blocks = list(_BLOCK.finditer(template))
    if len(blocks) != 1:
        raise ValueError(f"expected one block `FunctionCode: |` in the template, found {len(blocks)}")
    block = blocks[0]
    indent = block["indent"] + "  "
    lines = "".join(f"{indent}{line}\n" if line else "\n" for line in code.rstrip("\n").split("\n"))
    return f"{template[: block.start()]}{block['indent']}FunctionCode: |\n{lines}\n{template[block.end() :]}"


if __name__ == "__main__":
    TEMPLATE.write_text(embed(TEMPLATE.read_text("utf-8"), VIEWER_REQUEST.read_text("utf-8")), "utf-8")
