"""One process of a function: what it answers with, made at the first request or before its snapshot is taken.

With SnapStart a process is started once, and what it then holds is what every new instance begins with:
modules, the SDK's client, the configuration. What belongs to one instance alone (sockets, and when something
was last read) is let go after the restore. Entropy needs no care: all of ours comes from the kernel.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Final

from fingerpost.observe import log_error
from fingerpost.web.answer import Answer
from fingerpost.web.instance import Answers, Instance, open_instance
from fingerpost.web.request import Request

_DRIVER: Final = ("pg8000.native", "fingerpost.sources.connect")


def lazily(
    make: Callable[[Instance], Answers],
    modules: Iterable[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> Callable[[Request], Answer]:
    """The answers of this process. They are made at the first request, so that importing a handler costs
    nothing; a wrong environment is a SettingError at each request until it is mended.

    Where a snapshot is to be taken they are made before it, and `modules` that only some answers need are
    imported.
    """
    made: list[tuple[Instance, Answers]] = []

    def answers() -> tuple[Instance, Answers]:
        if not made:
            instance = open_instance(environment)
            made.append((instance, make(instance)))
        return made[0]

    def prepare() -> None:
        """Nothing that fails here is lost: the first request tries again, and tells the visitor."""
        try:
            instance, _ = answers()
            for name in (*modules, *(_DRIVER if instance.settings.database else ())):
                import_module(name)
            instance.catalogue()
        except Exception as error:
            log_error(f"The snapshot is taken of a cold process: {type(error).__name__}: {error}")

    def restored() -> None:
        for instance, _ in made:
            instance.restored()

    _around_snapshot(prepare, restored, environment)
    return lambda request: answers()[1].answer(request)


def _around_snapshot(
    before: Callable[[], None], after: Callable[[], None], environment: Mapping[str, str]
) -> None:
    """Have Lambda call `before` just before this process's snapshot, and `after` in each that it becomes."""
    if environment.get("AWS_LAMBDA_INITIALIZATION_TYPE") != "snap-start":
        return
    from snapshot_restore_py import register_after_restore, register_before_snapshot

    register_before_snapshot(before)
    register_after_restore(after)
