"""Language tags that search engines know: the subtags of ISO 639-1 and ISO 3166-1, and usual slips.

Engines read hreflang as a language of two letters and, where one follows, a country of two letters; scripts
and the regions of UN M.49 (`es-419`) are left alone here, and so are languages that only have three letters.
"""

from typing import Final

_LANGUAGES: Final = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io
is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn
mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se
sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo
wa wo xh yi yo za zh zu
"""
_COUNTRIES: Final = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW
BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI
FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN
IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME
MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF
PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE
YT ZA ZM ZW
"""
LANGUAGES: Final = frozenset(_LANGUAGES.split())
COUNTRIES: Final = frozenset(_COUNTRIES.split())
# Countries and old codes that are taken for languages, and what is taken for a country.
_MEANT: Final = {
    "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "in": "id", "iw": "he", "ji": "yi", "jp": "ja",
    "jw": "jv", "mo": "ro", "rs": "sr", "sh": "sr", "ua": "uk", "vn": "vi", "EN": "GB", "UK": "GB",
    "deu": "de", "eng": "en", "fra": "fr", "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "por": "pt",
    "rus": "ru", "spa": "es", "zho": "zh",
}  # fmt: skip


def tag_fault(tag: str) -> str | None:
    """What no engine knows of a BCP 47 tag in canonical case, None where all is well.

    `en-UK`: engines know no country `UK`; is `GB` meant?
    """
    language, *rest = tag.split("-")
    if language in _MEANT or (len(language) == 2 and language not in LANGUAGES):
        return _unknown("language", language)
    for subtag in rest:
        if len(subtag) == 1:  # what follows a singleton is no region
            return None
        if len(subtag) == 2 and subtag not in COUNTRIES:
            return _unknown("country", subtag)
    return None


def _unknown(what: str, code: str) -> str:
    meant = f"; is `{_MEANT[code]}` meant?" if code in _MEANT else ""
    return f"engines know no {what} `{code}`{meant}"
