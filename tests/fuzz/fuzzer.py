"""Coverage-guided fuzzing of one target: `python -m tests.fuzz.fuzzer TARGET [OPTION...] [CORPUS...]`.

Needs atheris, which has wheels for Linux on x86_64 alone. Options and corpora are libFuzzer's:
`-max_total_time=600 my-corpus tests/fuzz/seeds/paths` fuzzes for ten minutes and keeps in `my-corpus` what
reached something new.
"""

import logging
import sys


def main(name: str) -> None:
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    # Only what is imported from here on is watched by the fuzzer.
    with atheris.instrument_imports(include=["fingerpost"]):
        from tests.fuzz import targets

    # Watched code is several times slower.
    targets.SECONDS *= 5
    logging.disable(logging.CRITICAL)
    atheris.Setup(sys.argv[:1] + sys.argv[2:], targets.TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1])
