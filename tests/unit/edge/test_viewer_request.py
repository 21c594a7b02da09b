"""The CDN's viewer function, run by node as CloudFront runs it."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.web.negotiation import prefers_markdown
from fingerpost_tools.local_server import CLAIMS

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "infra" / "edge" / "viewer-request.js"
CASES: list[dict[str, Any]] = json.loads((ROOT / "tests/unit/web/accept_cases.json").read_bytes())
NODE = shutil.which("node")

Event = Any
Run = Callable[[Event], Any]

# The function is a script with a global `handler`; each line in is an event, each line out what it returned.
DRIVER = r"""
const source = require('fs').readFileSync(process.argv[1], 'utf8');
const handler = new Function(`${source}\nreturn handler;`)();
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  let reply;
  try { reply = { returned: handler(JSON.parse(line)) }; } catch (error) { reply = { threw: String(error) }; }
  process.stdout.write(JSON.stringify(reply) + '\n');
});
"""


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Calls the function in one node process; fails where it throws."""
    if NODE is None:
        pytest.skip("node is not installed: the viewer function can't be run")
    with subprocess.Popen(
        [NODE, "-e", DRIVER, str(SOURCE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def call(event: Event) -> Any:
            stdin.write(json.dumps(event) + "\n")
            stdin.flush()
            reply = json.loads(stdout.readline())
            assert "threw" not in reply, reply
            return reply.get("returned")

        yield call
        stdin.close()


def viewer_event(headers: dict[str, Any], **request: Any) -> dict[str, Any]:
    """An event as CloudFront Functions passes it (version 1.0)."""
    return {
        "version": "1.0",
        "context": {
            "distributionDomainName": "d111111abcdef8.cloudfront.net",
            "distributionId": "EDFDVBD6EXAMPLE",
            "eventType": "viewer-request",
            "requestId": "EXAMPLEntjQpEXAMPLE_SG5Z-EXAMPLEPmPfEXAMPLEu3EqEXAMPLE==",
        },
        "viewer": {"ip": "198.51.100.11"},
        "request": {
            "method": "GET",
            "uri": "/docs/start",
            "querystring": {},
            "headers": headers,
            "cookies": {},
            **request,
        },
    }


def one(value: str) -> dict[str, str]:
    return {"value": value}


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_table(run: Run, case: dict[str, Any]) -> None:
    """Accept becomes one of two values, by the table that the origin passes too (case 6)."""
    headers = {"host": one("example.com")}
    if case["accept"] is not None:
        headers["accept"] = one(case["accept"])
    returned = run(viewer_event(headers))
    assert returned["headers"]["accept"] == one("text/markdown" if case["markdown"] else "text/html")


@given(
    st.lists(
        st.sampled_from([*'",;=\\ \t', "text/markdown", "text/html", "text/*", "*/*", "q=", "0.5", "1", "0"])
        | st.text(max_size=3),
        max_size=20,
    ).map("".join)
)
def test_agrees_with_the_origin(run: Run, accept: str) -> None:
    """For any text in Accept, the CDN and the origin choose the same form."""
    returned = run(viewer_event({"host": one("example.com"), "accept": one(accept)}))
    expected = "text/markdown" if prefers_markdown(accept) else "text/html"
    assert returned["headers"]["accept"] == one(expected)


@given(st.lists(st.sampled_from(["text/markdown", "text/html;q=0.5", "*/*;q=0.1"]), min_size=1, max_size=4))
def test_accept_sent_several_times(run: Run, lines: list[str]) -> None:
    """Several Accept lines count as one list, and one line goes on."""
    header = {"value": lines[0], "multiValue": [one(line) for line in lines]}
    returned = run(viewer_event({"host": one("example.com"), "accept": header}))
    assert prefers_markdown(", ".join(lines)) is ("text/markdown" in lines)
    assert returned["headers"]["accept"] == one("text/markdown" if "text/markdown" in lines else "text/html")


def test_viewer_host_is_the_real_host(run: Run) -> None:
    """x-viewer-host is the Host that was asked, in lower case, whatever the client claims (case 71)."""
    forged = {"value": "evil.example", "multiValue": [one("evil.example"), one("worse.example")]}
    returned = run(viewer_event({"host": one("WWW.Example.com"), "x-viewer-host": forged}))
    assert returned["headers"]["x-viewer-host"] == one("www.example.com")
    assert returned["headers"]["host"] == one("WWW.Example.com")


def test_viewer_host_without_host(run: Run) -> None:
    """Without a Host there is no x-viewer-host, least of all the client's."""
    returned = run(viewer_event({"x-viewer-host": one("evil.example")}))
    assert "x-viewer-host" not in returned["headers"]


@pytest.mark.parametrize(
    "name",
    [
        "forwarded",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-forwarded-for",
        "x-forwarded-port",
        "x-forwarded-prefix",
        "x-original-url",
        "x-original-host",
        "x-rewrite-url",
        "x-http-method-override",
        "x-http-method",
        "x-method-override",
        "x-host",
        "X-Forwarded-Host",
    ],
)
def test_untrusted_headers_go_no_further(run: Run, name: str) -> None:
    """A header by which a client could claim another host, scheme, path or method is taken away (case 71)."""
    returned = run(viewer_event({"host": one("example.com"), name: one("evil.example")}))
    assert set(returned["headers"]) == {"host", "accept", "x-viewer-host"}


def test_the_rest_is_left_alone(run: Run) -> None:
    """Cookies, query, method, path and other headers go on as they came."""
    event = viewer_event(
        {"host": one("example.com"), "accept-encoding": one("gzip, br"), "if-none-match": one('"a"')},
        method="HEAD",
        uri="/a%20b",
        querystring={"utm": one("1")},
        cookies={"session": one("a.b.c"), "other": one("1")},
    )
    returned = run(event)
    for name in ("method", "uri", "querystring", "cookies"):
        assert returned[name] == event["request"][name]
    assert returned["headers"]["accept-encoding"] == one("gzip, br")
    assert returned["headers"]["if-none-match"] == one('"a"')


@pytest.mark.parametrize(
    "event",
    [{}, {"request": {}}, {"request": {"headers": None}}, {"request": {"headers": "x"}}, {"request": 5}, []],
)
def test_malformed_event_comes_back(run: Run, event: Event) -> None:
    """An event of another shape is answered with its own request, unchanged."""
    expected = event.get("request") if isinstance(event, dict) else None
    assert run(event) == expected


def test_no_event_at_all(run: Run) -> None:
    """Not even null throws."""
    assert run(None) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.sampled_from(["value", "multiValue", "x"]), children, max_size=3)
    ),
    max_leaves=6,
)
header_names = st.sampled_from(
    ["accept", "host", "x-viewer-host", "x-forwarded-host", "cookie", "__proto__", ""]
) | st.text(max_size=8)


@given(st.dictionaries(header_names, json_values, max_size=6) | json_values)
def test_garbage_headers_never_throw(run: Run, headers: Any) -> None:
    """Whatever stands in the headers, the function returns, and the client never names the viewer's host."""
    returned = run(viewer_event(headers))
    if isinstance(headers, dict) and not isinstance(headers.get("host"), dict):
        assert "x-viewer-host" not in returned["headers"]
        assert "x-forwarded-host" not in returned["headers"]


def test_size() -> None:
    """The function stays below CloudFront's 10 KB."""
    assert SOURCE.stat().st_size < 10_000


@pytest.mark.parametrize(
    "newer",
    [
        r"\?\.(?!\d)",
        r"\?\?",
        r"\bclass\b",
        r"\bimport\b|\bexport\b|\brequire\b",
        r"\bfor\s*\([^;)]*\bof\b",
        r"\.\.\.",
        r"(?:const|let|var)\s*[\[{]",
        r"\(\?<",
        r"\beval\b|\bnew Function\b|\bsetTimeout\b",
        r"\.replaceAll\(|\.matchAll\(|\.flatMap\(|\.at\(",
        r"\bcatch\s*\{",
    ],
    ids=[
        "optional chaining",
        "nullish coalescing",
        "classes",
        "modules",
        "for-of",
        "spread and rest",
        "destructuring",
        "lookbehind and named groups",
        "dynamic code and timers",
        "newer methods",
        "catch without binding",
    ],
)
def test_only_what_the_runtime_knows(newer: str) -> None:
    """Nothing is used that cloudfront-js-2.0 does not have."""
    code = re.sub(r"^\s*//.*$", "", SOURCE.read_text(), flags=re.MULTILINE)
    assert not re.search(newer, code)


def test_serve_believes_the_same_headers() -> None:
    """The local site drops what this function drops, and what CloudFront alone may say."""
    here = re.search(r"UNTRUSTED = /\^\(\?:(.+)\)/;", SOURCE.read_text("utf-8"))
    assert here is not None
    assert set(CLAIMS.pattern.split("|")) == {*here[1].split("|"), "cloudfront-"}
