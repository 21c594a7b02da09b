"""Two directories exchanged in one step, where the system can: there is no moment without either of them."""

import ctypes
import os
import sys
from pathlib import Path
from typing import Final

# renameat2(2): relative names start at the working directory; the flag exchanges instead of moving.
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
# renamex_np(2) of macOS.
_RENAME_SWAP: Final = 2


def exchange(one: Path, other: Path) -> bool:
    """Let `one` and `other`, on one file system, change names. False, and nothing done, where that can't be
    asked of this system or this file system."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(library.renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_SWAP) == 0)
        return bool(
            library.renameat2(
                _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), ctypes.c_uint(_RENAME_EXCHANGE)
            )
            == 0
        )
    except (AttributeError, OSError):  # a C library without the call
        return False
