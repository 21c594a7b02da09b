"""Which package may import which: the contracts of pyproject.toml, judged by import-linter."""

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    """import-linter sets logging up for a process of its own, and silences every logger that there is."""
    monkeypatch.setattr("importlinter.cli.logging_config.dictConfig", lambda configuration: None)


def test_arrows_go_one_way(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No import, however late, goes up the layers or past `sources` to S3 or Postgres."""
    monkeypatch.chdir(ROOT)
    code = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_an_arrow_that_goes_back_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge tells a broken contract from a kept one."""
    contracts = (ROOT / "pyproject.toml").read_text("utf-8").partition("[tool.importlinter]")[2]
    turned = contracts.replace(
        '"fingerpost.web",\n  "fingerpost.documents"', '"fingerpost.documents",\n  "fingerpost.web"'
    )
    assert turned != contracts
    (tmp_path / "turned.toml").write_text(
        "[tool.importlinter]" + turned.partition("[tool.pytest")[0], "utf-8"
    )
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(tmp_path / "turned.toml"), no_cache=True) == 1
