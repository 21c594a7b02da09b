"""What infra/README.md says of `fingerpost build` is true."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fingerpost_tools.building.files import page_file

ROOT = Path(__file__).parents[4]
SECTION = (ROOT / "infra/README.md").read_text(encoding="utf-8").partition("### fingerpost build\n")[2]
SECTION = SECTION.partition("\n### ")[0]
NODE = shutil.which("node")


def test_every_finding_is_explained() -> None:
    """The table has each problem that the build itself can find, under its severity."""
    documented = dict(re.findall(r"^\| `([a-z-]+)` \| (error|warning) \|", SECTION, re.MULTILINE))
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "infra/fingerpost_tools/building").glob("*.py")
    )
    found = re.findall(r'(?:Problem|_problem|\.error|\.warning)\(\s*"([a-z-]+)"', code)
    assert set(found) == set(documented)


@pytest.mark.skipif(NODE is None, reason="node runs the function")
def test_the_function_for_a_bucket_finds_the_files() -> None:
    """Whatever a viewer asks for, the function asks the bucket for the file that was built."""
    (function,) = re.findall(r"```js\n(.*?)```", SECTION, re.DOTALL)
    pages = ["/", "/about", "/fr/", "/docs/start", "/v1.2", "/b%C3%BCcher/100%25", "/a/.../b"]
    files = ["/sitemap.xml", "/docs/start.md", "/assets/app.3f2a9c1b.css", "/robots.txt", "/404.html"]
    asked = json.dumps([{"request": {"uri": uri}} for uri in pages + files])
    script = f"{function}\nconsole.log(JSON.stringify({asked}.map((event) => handler(event).uri)))"
    assert NODE is not None
    said = subprocess.run([NODE, "-e", script], capture_output=True, check=True, text=True).stdout
    found = json.loads(said)
    assert found[len(pages) :] == files
    for uri, key in zip(pages, found, strict=False):
        suffix = "index.html" if uri.endswith("/") else ".html"
        assert key == uri + suffix
        assert page_file(uri, "").endswith(suffix)
