"""The CDN's viewer function, run by node: what it makes of a request's headers before the cache is asked."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

from fingerpost_tools.edge import VIEWER_REQUEST

NODE: Final = shutil.which("node")

_DRIVER: Final = r"""
const fs = require('fs');
const handler = new Function(`${fs.readFileSync(process.argv[1], 'utf8')}\nreturn handler;`)();
const changed = (headers, change) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, change(header)]));
const given = JSON.parse(fs.readFileSync(0, 'utf8'));
const left = given.map((headers) => {
  const sent = changed(headers, (value) => ({ value }));
  const request = { method: 'GET', uri: '/', querystring: {}, headers: sent, cookies: {} };
  return changed(handler({ request }).headers, (header) => header.value);
});
process.stdout.write(JSON.stringify(left));
"""

Headers = Mapping[str, str]


class Edge:
    """Remembers what the viewer function makes of which headers (lower-case names, the host among them)."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, str], ...], Headers] = {}

    def learn(self, requests: Sequence[Headers]) -> None:
        """Ask for many requests at once: each run of node takes a while."""
        unknown = list({_spelt(headers) for headers in requests} - self._known.keys())
        if unknown:
            self._known |= zip(unknown, _run([dict(headers) for headers in unknown]), strict=True)

    def passed_on(self, headers: Headers) -> Headers:
        """The headers as the function leaves them."""
        self.learn([headers])
        return self._known[_spelt(headers)]


def _spelt(headers: Headers) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(headers.items()))


def _run(requests: Sequence[Headers]) -> list[Headers]:
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", _DRIVER, str(VIEWER_REQUEST)],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[Headers] = json.loads(done.stdout)
    return found
