"""A git repository that a test makes, with a clock of its own."""

import os
import subprocess
from datetime import datetime
from pathlib import Path


class Repository:
    """A repository with a clock of its own: each commit is an hour after the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hours = 0
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        moment = f"2024-01-{1 + self.hours // 24:02}T{self.hours % 24:02}:00:00+05:30"
        environment = {
            **os.environ,
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@b.example",
            "GIT_COMMITTER_NAME": "C",
            "GIT_COMMITTER_EMAIL": "c@d.example",
            "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": moment,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        done = subprocess.run(
            ("git", *arguments), cwd=self.root, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, *arguments: str) -> None:
        self.hours += 1
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x", "--allow-empty", *arguments)

    def merge(self, branch: str, how: tuple[str, str]) -> None:
        """Merge a branch; where git can't, the side that is checked out wins."""
        try:
            self.git("merge", "-q", "-m", "x", *how, branch)
        except subprocess.CalledProcessError:
            self.git("merge", "--abort")
            self.git("merge", "-q", "-m", "x", "-s", "ours", branch)

    def files(self) -> list[str]:
        return [name for name in self.git("ls-files", "-z").split("\0") if name]

    def last(self, name: str) -> datetime:
        """What git itself says of one file."""
        return datetime.fromisoformat(self.git("log", "-1", "--format=%cI", "--", name).strip())
