"""The sites that are served: the demo, the demo below a base path, and every real site, each as a copy."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from fingerpost_tools import places
from tests.e2e import blog
from tests.support import REAL_SITES

DEMO: Final = "demo"
BASED: Final = "demo below /wren"
BLOG: Final = "sovrium-blog"
GATED: Final = "sovrium-knowledge-base"
REAL: Final = (
    "astro-docs",
    "hugo-docs",
    "prometheus-blog",
    BLOG,
    "sovrium-docs-site",
    GATED,
)
ALL: Final = (DEMO, BASED, *REAL)


def is_here(name: str) -> bool:
    """Whether the site's content is on this machine: the real sites stand beside a checkout, if anywhere."""
    return name not in REAL or (REAL_SITES / name).is_dir()


def copy(name: str, folder: Path) -> Path:
    """A copy of the site `name` below `folder`, ready to be served."""
    root = folder / name.replace(" ", "-").replace("/", "")
    source = REAL_SITES / name if name in REAL else places.demo()
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".fingerpost"))
    for path in (root, *root.rglob("*")):
        # What is only for reading where it came from has to be added to here.
        path.chmod(0o755 if path.is_dir() else 0o644)
    if name in _PREPARED:
        _PREPARED[name](root)
    return root


def _add_base(root: Path) -> None:
    _replace(root / "app.yaml", "deployment:", "deployment:\n  base: /wren")


def _add_posts(root: Path) -> None:
    """The blog's tables are empty and no page of it makes a feed: give it rows, and a feed of them."""
    (root / "seed.sql").write_text(blog.seed_sql(), encoding="utf-8")
    _replace(root / "config/pages/post-detail.yaml", "collection:", "rss: {limit: 60}\ncollection:")


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file}: expected {old!r} once"
    file.write_text(text.replace(old, new), encoding="utf-8")


_PREPARED: Final[Mapping[str, Callable[[Path], None]]] = {BASED: _add_base, BLOG: _add_posts}
