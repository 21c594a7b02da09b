"""Which files a build writes for the pages and articles of a catalogue."""

from dataclasses import dataclass, field

from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Entry
from fingerpost.site.problems import Place, Problems
from fingerpost.sources.directory import BUILD_MARK
from fingerpost.sources.objects import PUBLIC
from fingerpost_tools.building.files import ROOT_FILE, FileNames, NameTaken, UnsafeName, page_file, twin_file
from fingerpost_tools.building.jobs import PageTask


@dataclass(slots=True)
class Plan:
    """The names that are given away so far, the owner's files among them, and what could not have one."""

    names: FileNames = field(default_factory=FileNames)
    owned: dict[str, str] = field(default_factory=dict)  # file -> key of the owner's file
    tasks: list[PageTask] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)

    def claim_page(self, address: str, base: str, place: Place, what: str) -> str | None:
        """The file of a page's address; None, and a problem, where it can have none."""
        try:
            file = page_file(address, base)
            self.names.claim_page(file)
        except (UnsafeName, NameTaken) as error:
            if isinstance(error, NameTaken) and file in self.owned:
                self.problems.warning(
                    "file-owned", place, f"{what} is not written: {self.owned[file]} stands in its place"
                )
            else:
                self.problems.error("file-name", place, f"{what} is not written: {error}")
            return None
        if "%2F" in address:
            self.problems.warning(
                "encoded-slash", place, f"{what} is {file}, which hosts that do not decode %2F will not find"
            )
        return file


def plan(catalogue: Catalogue) -> Plan:
    """Names for the owner's files first, which win, then for each public page and article in their order.

    Where nothing answers at the root itself, because each page has its languages' addresses, the page that
    answers there on a server is written there as well.
    """
    made = Plan()
    made.names.claim(BUILD_MARK)
    for key in catalogue.publication.listing:
        if key.startswith(PUBLIC):
            _claim_owned(made, key)
    root = catalogue.resolve(())
    base = catalogue.origin.base
    for number, entry in enumerate(catalogue.all_entries()):
        if not entry.verdict.public:
            continue
        place = Place(entry.article.key) if entry.article is not None else entry.page.place
        file = made.claim_page(entry.address, base, place, entry.address)
        if file is None:
            continue
        files = [file]
        if root is entry and ROOT_FILE not in made.names:
            made.names.claim(ROOT_FILE)
            files.append(ROOT_FILE)
        twin, announced = _twin(made, entry, base, place)
        made.tasks.append(PageTask(number, tuple(files), twin, announced))
    return made


def _claim_owned(made: Plan, key: str) -> None:
    file = key.removeprefix(PUBLIC)
    try:
        made.names.claim(file)
    except NameTaken as error:
        made.problems.error("file-name", Place(key), f"the file is not copied: {error}")
    else:
        made.owned[file] = key


def _twin(made: Plan, entry: Entry, base: str, place: Place) -> tuple[str | None, bool]:
    """The file of an entry's Markdown form, and whether the page may announce the form.

    A static host can't send `X-Robots-Tag`, so what is not to be indexed has no Markdown there.
    """
    if entry.twin is None or entry.verdict.noindex:
        return None, False
    try:
        file = twin_file(entry.twin, base)
        made.names.claim(file)
    except (UnsafeName, NameTaken) as error:
        if isinstance(error, NameTaken) and file in made.owned:
            return None, True
        made.problems.error("file-name", place, f"{entry.twin} is not written: {error}")
        return None, False
    return file, True
