"""Loading the functions side by side, and sending each path to the one the CDN would."""

import threading
from pathlib import Path

import pytest

from fingerpost_tools import functions
from fingerpost_tools.command_error import CommandError
from fingerpost_tools.functions import Functions
from fingerpost_tools.local_server import event

NAMES = ("sitemap", "robots", "feed", "llms", "page")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A functions folder whose handlers answer with their own name."""
    for name in NAMES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(
            f"def handler(event, context):\n"
            f"    words = ('{name}', event['rawPath'], context.function_name)\n"
            f"    return {{'statusCode': 200, 'body': ' '.join(words)}}\n",
            encoding="utf-8",
        )
    return tmp_path


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "page"),
        ("/sitemap.xml", "sitemap"),
        ("/sitemap-1.xml", "sitemap"),
        ("/sitemap-12.xml", "sitemap"),
        ("/sitemap-x.xml", "page"),
        ("/sitemap-.xml", "page"),
        ("/docs/sitemap.xml", "page"),
        ("/sitemap%2Exml", "page"),
        ("//sitemap.xml", "page"),
        ("/robots.txt", "robots"),
        ("/feed.xml", "feed"),
        ("/llms.txt", "llms"),
        ("/llms-full.txt", "llms"),
        ("/llms-full-2.txt", "llms"),
        ("/llms/x.txt", "page"),
        ("/agent-readability.json", "llms"),
        ("/docs/start.md", "page"),
        ("/..%2f..%2fapp.yaml.md", "page"),
    ],
)
def test_a_path_goes_to_its_function(folder: Path, path: str, name: str) -> None:
    """Each well-known file has a function of its own, everything else is a page."""
    assert functions.load(folder).route(path) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/base/sitemap.xml", "sitemap"),
        ("/sitemap.xml", "page"),
        ("/base/robots.txt", "robots"),
        ("/robots.txt", "robots"),
        ("/basement/sitemap.xml", "page"),
        ("/base", "page"),
    ],
)
def test_a_base_path_stands_before_all_but_the_hosts_robots(folder: Path, path: str, name: str) -> None:
    """Below a base path the files are below it too, and robots.txt answers at the host's root as well."""
    assert functions.load(folder, "/base").route(path) == name


def test_a_missing_function_leaves_its_path_to_the_pages(folder: Path) -> None:
    """A folder without `feed` answers /feed.xml as any page."""
    (folder / "feed" / "app.py").unlink()
    assert functions.load(folder).route("/feed.xml") == "page"


def test_functions_of_one_file_name_are_modules_of_their_own(folder: Path) -> None:
    """Each handler is the one in its own folder, and knows the function's name."""
    loaded = functions.load(folder)
    assert loaded.invoke(event("GET", "/feed.xml", {}))["body"] == "feed /feed.xml feed"
    assert loaded.invoke(event("GET", "/a%2Fb", {}))["body"] == "page /a%2Fb page"


def test_a_folder_without_functions_is_named(tmp_path: Path) -> None:
    """One line says what was expected where."""
    with pytest.raises(CommandError, match=r"expected to hold page/app\.py"):
        functions.load(tmp_path)


def _functions(handler: functions.Handler) -> Functions:
    return Functions({"page": functions.Function("page", handler)})


def test_a_failing_function_is_a_502(capsys: pytest.CaptureFixture[str]) -> None:
    """As behind a function URL, the caller learns nothing; the developer reads the traceback."""

    def broken(event: functions.Event, context: object) -> functions.Answer:
        raise RuntimeError("the reason")

    answer = _functions(broken).invoke(event("GET", "/", {}))
    assert answer["statusCode"] == 502
    assert "the reason" not in answer["body"]
    assert "RuntimeError: the reason" in capsys.readouterr().err


@pytest.mark.parametrize("body", ["x" * (6 * 1024 * 1024), b"not JSON"])
def test_an_answer_that_lambda_would_not_carry_is_a_502(
    body: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """More than 6 MB, or something that is no JSON, fails here as it would in production."""
    answer = _functions(lambda event, context: {"statusCode": 200, "body": body}).invoke(
        event("GET", "/", {})
    )
    assert answer["statusCode"] == 502
    assert capsys.readouterr().err


def test_an_instance_handles_one_event_at_a_time() -> None:
    """Two requests at once wait for each other, as for one Lambda instance."""
    running: list[int] = []
    most: list[int] = []
    gate = threading.Barrier(4)

    def handler(event: functions.Event, context: object) -> functions.Answer:
        running.append(1)
        most.append(len(running))
        running.pop()
        return {"statusCode": 200}

    loaded = _functions(handler)

    def ask() -> None:
        gate.wait()
        for _ in range(50):
            loaded.invoke(event("GET", "/", {}))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 200
    assert max(most) == 1


def test_the_context_counts_down() -> None:
    """A function may ask how much time it has left."""
    left = functions.Context("page").get_remaining_time_in_millis()
    assert 0 < left <= functions.TIMEOUT_SECONDS * 1000
