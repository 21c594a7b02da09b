"""How fast Fingerpost is, against floors and peers: `python -m tests.bench`."""

import os
import sys
from pathlib import Path

# The benchmarks run in a checkout as it is, with nothing but the requirements installed, and so do the
# processes that they start.
_ROOT = Path(__file__).resolve().parents[2]
_SOURCES = [str(_ROOT / "shared"), str(_ROOT / "infra"), str(_ROOT)]
sys.path[:0] = [each for each in _SOURCES if each not in sys.path]
os.environ["PYTHONPATH"] = os.pathsep.join(_SOURCES)
