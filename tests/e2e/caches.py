"""Real shared caches in front of an origin: nginx, keyed in two ways, and Varnish as it comes.

Their programs are run from where a distribution's packages put them, with files of the test's own; the
packages' services have no part in it.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.e2e.nginx_configuration import nginx_configuration
from tests.e2e.processes import free_ports, listening

BY_POLICY: Final = "nginx, keyed as the CDN"
BY_URL: Final = "nginx, keyed by URL and Vary"
VARNISH: Final = "Varnish"
CACHES: Final = (BY_POLICY, BY_URL, VARNISH)

_PATH: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
NGINX: Final = shutil.which("nginx", path=_PATH)
VARNISHD: Final = shutil.which("varnishd", path=_PATH)
VARNISHNCSA: Final = shutil.which("varnishncsa", path=_PATH)


@dataclass(frozen=True, slots=True)
class Caches:
    """Running caches: the port of each by name, and the folder of Varnish's log."""

    ports: Mapping[str, int]
    varnish: Path

    def varnish_handling(self, header: str) -> dict[str, str]:
        """What Varnish did with each request that carried `header`, by its value: hit, miss, pass, ..."""
        command = (
            str(VARNISHNCSA),
            "-n",
            str(self.varnish),
            "-d",
            "-F",
            f"%{{{header}}}i %{{Varnish:handling}}x",
        )
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        pairs = (line.split() for line in done.stdout.splitlines())
        return {value: handling for value, handling in pairs if value != "-"}


@contextlib.contextmanager
def running(origin: int, folder: Path) -> Iterator[Caches]:
    """All three caches in front of the origin's port, with their files below `folder`."""
    ports = dict(zip(CACHES, free_ports(len(CACHES)), strict=True))
    nginx, varnish = folder / "nginx", folder / "varnish"
    for each in (nginx, varnish):
        each.mkdir(parents=True)
    configuration = nginx_configuration(origin, ports[BY_POLICY], ports[BY_URL], nginx)
    (nginx / "nginx.conf").write_text(configuration, "utf-8")
    # The VCL that is built in follows this, and decides everything.
    (varnish / "default.vcl").write_text(
        f'vcl 4.1;\nbackend default {{ .host = "127.0.0.1"; .port = "{origin}"; }}\n', "utf-8"
    )
    run_nginx = (
        str(NGINX),
        "-p",
        str(nginx),
        "-c",
        str(nginx / "nginx.conf"),
        "-e",
        str(nginx / "error.log"),
    )
    run_varnish = (
        # -j none: as whoever runs the tests. -T none: nobody is to command it.
        *(str(VARNISHD), "-F", "-j", "none", "-T", "none", "-n", str(varnish / "work")),
        *("-a", f"127.0.0.1:{ports[VARNISH]}", "-f", str(varnish / "default.vcl"), "-s", "malloc,64m"),
    )
    with (
        listening(run_nginx, ports[BY_URL], nginx / "output.log"),
        listening(run_varnish, ports[VARNISH], varnish / "output.log"),
    ):
        yield Caches(ports, varnish / "work")


# `root` is below a folder that only the user of the tests may enter: nginx's workers have to be that user.
_STATIC: Final = """\
daemon off;
{user}
pid {folder}/nginx.pid;
events {{ worker_connections 64; }}
http {{
access_log off;
types {{ text/html html; text/markdown md; application/xml xml; text/plain txt; application/json json; }}
client_body_temp_path {folder}/client; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
server {{
listen 127.0.0.1:{port};
root {root};
location / {{ try_files $uri $uri.html $uri/index.html =404; }}
}}
}}
"""


@contextlib.contextmanager
def static_nginx(root: Path, folder: Path) -> Iterator[str]:
    """The origin at which nginx serves the files below `root`, `.html` left out; `folder` is its own."""
    (port,) = free_ports(1)
    folder.mkdir(parents=True)
    user = "user root;" if os.getuid() == 0 else ""
    configuration = _STATIC.format(user=user, folder=folder, port=port, root=root)
    (folder / "nginx.conf").write_text(configuration, "utf-8")
    command = (
        str(NGINX),
        "-p",
        str(folder),
        "-c",
        str(folder / "nginx.conf"),
        "-e",
        str(folder / "error.log"),
    )
    with listening(command, port, folder / "output.log"):
        yield f"http://127.0.0.1:{port}"
