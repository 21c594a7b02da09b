"""Which file answers an address on a static host, and the files of one build that get in each other's way.

A static host decodes a path once and looks for the file, then for the file with `.html`. So a file has the
decoded name, and what no name can hold is told instead of written. An encoded slash (`/a%2Fb`), which is no
separator in an address, is one to a host that decodes: the file is in a folder.
"""

from typing import Final
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from fingerpost.limits import FILE_NAME_BYTES

HTML_SUFFIX: Final = ".html"
ROOT_FILE: Final = "index.html"
_NAMELESS: Final = frozenset({b"", b".", b".."})


class UnsafeName(ValueError):  # noqa: N818 - the name says what is wrong
    """No file can have the name that an address asks for; says which and why."""


class NameTaken(ValueError):  # noqa: N818
    """Another file of the build has the name, or one that some file systems take for the same."""


def page_file(address: str, base: str) -> str:
    """The file of a page's address, relative to the output: `/about` -> `about.html`, `/` -> `index.html`,
    `/fr/` -> `fr/index.html`. `base` is the base path, which is no folder. Raises UnsafeName."""
    if address.endswith("/"):
        return _file(f"{address}{ROOT_FILE}", base)
    if address.endswith("%2F"):
        raise UnsafeName("a host that decodes the address takes it for a folder's")
    return _file(f"{address}{HTML_SUFFIX}", base)


def twin_file(address: str, base: str) -> str:
    """The file of a Markdown form, relative to the output. Raises UnsafeName."""
    return _file(address, base)


def _file(path: str, base: str) -> str:
    file = unquote_to_bytes(path.removeprefix(base)[1:])
    for name in file.split(b"/"):
        if len(name) > FILE_NAME_BYTES:
            raise UnsafeName(f"expected file names of at most {FILE_NAME_BYTES} bytes, found {len(name)}")
        if name in _NAMELESS or b"\0" in name:
            raise UnsafeName(f"no file or folder can be called {name.decode()!r}")
    return file.decode()


class FileNames:
    """The files of one build. Each name is given once: neither twice, nor to a file and a folder, nor to two
    files that a file system which ignores case or Unicode form (APFS, NTFS) would take for one."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {"": ""}
        self._known: set[str] = {""}

    def claim(self, file: str) -> None:
        """Take `file` (relative, `/` between segments). Raises NameTaken, and then takes nothing."""
        folder, folded = file.rpartition("/")[0], _folded(file)
        if (holder := self._files.get(folded)) is not None:
            raise NameTaken(
                f"{file} is there already"
                if holder == file
                else f"{file} and {holder} are one name to file systems that ignore case"
            )
        if (holder := self._folders.get(folded)) is not None:
            raise NameTaken(f"{file} can't be a file: {holder}/ is a folder")
        if folder not in self._known:
            self._claim_folder(file, folder)
        self._files[folded] = file if folded != file else folded

    def claim_page(self, file: str) -> None:
        """Take the file of a page, as `claim` does. A host asked for the page `/a.html` finds the file of the
        page `/a` first, so that of two such pages the second is refused as well."""
        for other in (file.removesuffix(HTML_SUFFIX), f"{file}{HTML_SUFFIX}"):
            if (holder := self._files.get(_folded(other))) is not None:
                raise NameTaken(f"a host that is asked for the one finds the other of {file} and {holder}")
        self.claim(file)

    def __contains__(self, file: str) -> bool:
        return _folded(file) in self._files

    def _claim_folder(self, file: str, folder: str) -> None:
        fresh: dict[str, str] = {}
        while folder not in self._known:
            folded = _folded(folder)
            if (holder := self._files.get(folded)) is not None:
                raise NameTaken(f"{file} needs a folder {folder}/, and {holder} is a file")
            if (holder := self._folders.get(folded)) is not None:
                raise NameTaken(
                    f"the folders {folder}/ and {holder}/ are one name to file systems that ignore case"
                )
            fresh[folded] = folder
            folder = folder.rpartition("/")[0]
        self._folders.update(fresh)
        self._known.update(fresh.values())


def _folded(name: str) -> str:
    """Canonical caseless form (Unicode 3.13, D145), the same for names that some file system confuses."""
    if name.isascii():
        return name.lower()
    return normalize("NFD", normalize("NFD", name).casefold())
