"""moto's S3 with the files below a folder; prints its address and stays until it is terminated.

python -m tests.bench.s3_server FOLDER
"""

import logging
import signal
import sys
from pathlib import Path

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.moto_server.threaded_moto_server import ThreadedMotoServer
from moto.s3.models import s3_backends

from tests.bench.places import BUCKET, GENERATIONS


def main(folder: Path) -> None:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    for bucket in (BUCKET, GENERATIONS):
        backend.create_bucket(bucket, "us-east-1")
    # Straight into moto's memory: through HTTP five thousand files take half a minute.
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            backend.put_object(BUCKET, path.relative_to(folder).as_posix(), path.read_bytes())
    host, port = server.get_host_and_port()
    print(f"http://{host}:{port}", flush=True)
    signal.pause()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
