"""`python -m fingerpost_tools` is the command `fingerpost`."""

import sys

from fingerpost_tools.main import main

sys.exit(main())
