"""What the build's tests share: a site, the command run on it, and a look at the output."""

from pathlib import Path

import pytest

from fingerpost_tools.main import main
from tests.unit.tools.building.sites import CONTENT, ORIGIN, PAGES, Build, Result, write


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with pages and articles of every visibility, and no records."""
    root = tmp_path / "site"
    write(root, {"app.yaml": PAGES, **CONTENT})
    return root


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the site is built, unless a test says otherwise."""
    return tmp_path / "out"


@pytest.fixture
def build(
    site: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Build:
    """Runs the command on the site, and gives its exit code and what it said."""
    for name in ("BASE_URL", "FINGERPOST_BASE_URL", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def run(
        *arguments: str,
        to: Path | None = out,
        origin: str | None = ORIGIN,
        json: bool = True,
        site: Path = site,
    ) -> Result:
        where = ["--out", str(to)] if to is not None else []
        base = ["--base-url", origin] if origin is not None else []
        code = main(["build", str(site), *where, *base, *(["--json"] if json else []), *arguments])
        said = capsys.readouterr()
        return Result(code, said.out, said.err)

    return run
