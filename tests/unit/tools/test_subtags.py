"""Language tags that search engines know."""

import pytest

from fingerpost_tools.subtags import tag_fault


@pytest.mark.parametrize(
    ("tag", "fault"),
    [
        ("en-UK", "engines know no country `UK`; is `GB` meant?"),
        ("jp", "engines know no language `jp`; is `ja` meant?"),
        ("xx", "engines know no language `xx`"),
        ("fr-EU", "engines know no country `EU`"),
        ("eng", "engines know no language `eng`; is `en` meant?"),
        ("iw", "engines know no language `iw`; is `he` meant?"),
        ("zh-Hant-XX", "engines know no country `XX`"),
        *((tag, None) for tag in ("en", "en-GB", "es-419", "zh-Hans", "zh-Hant-TW", "fil", "sr-Latn-RS")),
        ("de-u-co-phonebk", None),
    ],
)  # fmt: skip
def test_tags_that_no_engine_knows(tag: str, fault: str | None) -> None:
    """Languages of ISO 639-1 and countries of ISO 3166-1; scripts, UN M.49 and extensions are left alone."""
    assert tag_fault(tag) == fault
