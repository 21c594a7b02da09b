"""What a process makes before its snapshot, and what each instance made from it lets go of."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fingerpost.errors import SettingError
from fingerpost.web.answer import TEXT, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.policy import Policy
from fingerpost.web.process import lazily
from fingerpost.web.request import Request

SNAPSTART = {"AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start"}


@dataclass
class Hooks:
    """What Lambda would call around a snapshot."""

    before: list[Callable[[], Any]] = field(default_factory=list)
    after: list[Callable[[], Any]] = field(default_factory=list)


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> Hooks:
    """Hooks that are registered here and not with Lambda, whose module there is nowhere but in Lambda."""
    found = Hooks()
    module: Any = ModuleType("snapshot_restore_py")
    module.register_before_snapshot = found.before.append
    module.register_after_restore = found.after.append
    monkeypatch.setitem(sys.modules, "snapshot_restore_py", module)
    return found


class Names:
    """Answers with the site's name, and counts how often it was made."""

    made = 0

    def __init__(self, instance: Instance) -> None:
        type(self).made += 1
        self.instance = instance

    def answer(self, request: Request) -> Answer:
        return Answer(200, self.instance.catalogue().site.name.encode(), TEXT, Policy.PAGE)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of a function whose site is in a directory."""
    monkeypatch.setattr(Names, "made", 0)
    (tmp_path / "app.yaml").write_text("name: First\npages: [{name: home, path: /}]\n")
    return {"SITE_DIRECTORY": str(tmp_path), "CHECK_SECONDS": "3600"}


def ask(answer: Callable[[Request], Answer]) -> str:
    return answer(Request("GET", "/")).body.decode()


def test_nothing_is_made_before_the_first_request(site: dict[str, str], hooks: Hooks) -> None:
    """Without a snapshot the answers are made when they are asked for, once, and no hook is registered."""
    answer = lazily(Names, environment=site)
    assert Names.made == 0
    assert [ask(answer), ask(answer)] == ["First", "First"]
    assert Names.made == 1
    assert hooks == Hooks()


def test_a_wrong_environment_shows_at_each_request(site: dict[str, str]) -> None:
    """A setting that can't be used is an error at every request, until it is mended."""
    environment = {**site, "CHECK_SECONDS": "often"}
    answer = lazily(Names, environment=environment)
    for _ in range(2):
        with pytest.raises(SettingError):
            ask(answer)
    environment["CHECK_SECONDS"] = "1"
    assert ask(answer) == "First"


def test_a_snapshot_holds_what_the_first_request_needs(
    site: dict[str, str], hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a snapshot the answers are made, the configuration is read, the named modules are imported."""
    imported: list[str] = []
    monkeypatch.setattr("fingerpost.web.process.import_module", imported.append)
    answer = lazily(Names, ("nh3",), {**site, **SNAPSTART, "DATABASE_URL": "postgresql://me@localhost/x"})
    (before,) = hooks.before
    before()
    assert Names.made == 1
    assert imported == ["nh3", "pg8000.native", "fingerpost.sources.connect"]
    Path(site["SITE_DIRECTORY"], "app.yaml").unlink()
    assert ask(answer) == "First"


def test_an_instance_looks_again_after_its_restore(site: dict[str, str], hooks: Hooks) -> None:
    """What was read before the snapshot is looked at anew by each instance, however young it seems."""
    answer = lazily(Names, environment={**site, **SNAPSTART})
    hooks.before[0]()
    Path(site["SITE_DIRECTORY"], "app.yaml").write_text("name: Second\npages: [{name: home, path: /}]\n")
    assert ask(answer) == "First"
    hooks.after[0]()
    assert ask(answer) == "Second"


def test_sockets_are_closed_after_the_restore(
    site: dict[str, str], hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections of before the snapshot are let go of, once there is anything to let go of."""
    closed: list[Instance] = []
    monkeypatch.setattr(Instance, "restored", lambda instance: closed.append(instance))
    lazily(Names, environment={**site, **SNAPSTART})
    hooks.after[0]()
    assert closed == []
    hooks.before[0]()
    hooks.after[0]()
    assert len(closed) == 1


def test_a_snapshot_is_taken_all_the_same(
    site: dict[str, str], hooks: Hooks, caplog: pytest.LogCaptureFixture
) -> None:
    """What fails before a snapshot is logged, and left to the first request."""
    folder = Path(site["SITE_DIRECTORY"], "app.yaml")
    text = folder.read_text()
    folder.write_text("name: [")
    answer = lazily(Names, environment={**site, **SNAPSTART})
    hooks.before[0]()
    assert "cold process" in caplog.text
    folder.write_text(text)
    hooks.after[0]()
    assert ask(answer) == "First"
