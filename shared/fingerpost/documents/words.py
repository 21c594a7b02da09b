"""The words of a page's own chrome, and dates as people write them, by language.

A site's translations win over these under `chrome.` and the word's name (`chrome.next`). A language that is
not here gets English words and dates as `2026-03-14`, which every reader understands.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, replace

from fingerpost.documents.escape import html_attribute, html_text
from fingerpost.site.model import Languages
from fingerpost.site.placeholders import translation
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Labels in one language."""

    skip: str = "Skip to content"
    menu: str = "Menu"
    contents: str = "On this page"
    previous: str = "Previous"
    next: str = "Next"
    languages: str = "Languages"
    breadcrumb: str = "Breadcrumb"
    updated: str = "Updated"
    note: str = "Note"
    tip: str = "Tip"
    warning: str = "Warning"
    danger: str = "Danger"


_WORDS: Mapping[str, Words] = {
    "en": Words(),
    "fr": Words(
        "Aller au contenu", "Menu", "Sur cette page", "Précédent", "Suivant", "Langues", "Fil d’Ariane",
        "Mis à jour", "Remarque", "Astuce", "Attention", "Danger",
    ),
    "de": Words(
        "Zum Inhalt springen", "Menü", "Auf dieser Seite", "Zurück", "Weiter", "Sprachen", "Brotkrumen",
        "Aktualisiert", "Hinweis", "Tipp", "Warnung", "Gefahr",
    ),
    "es": Words(
        "Saltar al contenido", "Menú", "En esta página", "Anterior", "Siguiente", "Idiomas", "Ruta",
        "Actualizado", "Nota", "Consejo", "Advertencia", "Peligro",
    ),
    "it": Words(
        "Vai al contenuto", "Menu", "In questa pagina", "Precedente", "Successivo", "Lingue", "Percorso",
        "Aggiornato", "Nota", "Suggerimento", "Attenzione", "Pericolo",
    ),
    "pt": Words(
        "Ir para o conteúdo", "Menu", "Nesta página", "Anterior", "Próximo", "Idiomas", "Trilha",
        "Atualizado", "Nota", "Dica", "Atenção", "Perigo",
    ),
    "nl": Words(
        "Naar de inhoud", "Menu", "Op deze pagina", "Vorige", "Volgende", "Talen", "Kruimelpad",
        "Bijgewerkt", "Opmerking", "Tip", "Waarschuwing", "Gevaar",
    ),
    "ja": Words(
        "本文へ移動", "メニュー", "このページの内容", "前へ", "次へ", "言語", "パンくずリスト",
        "更新日", "メモ", "ヒント", "注意", "危険",
    ),
    "zh": Words(
        "跳到正文", "菜单", "本页内容", "上一页", "下一页", "语言", "面包屑导航",
        "更新于", "注意", "提示", "警告", "危险",
    ),
    "ko": Words(
        "본문으로 이동", "메뉴", "이 페이지의 내용", "이전", "다음", "언어", "탐색 경로",
        "업데이트", "참고", "팁", "경고", "위험",
    ),
    "ar": Words(
        "انتقل إلى المحتوى", "القائمة", "في هذه الصفحة", "السابق", "التالي", "اللغات", "مسار التنقل",
        "آخر تحديث", "ملاحظة", "نصيحة", "تحذير", "خطر",
    ),
}  # fmt: skip

_MONTHS: Mapping[str, str] = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}
_PATTERNS: Mapping[str, str] = {
    "de": "{day}. {month} {year}",
    "es": "{day} de {month} de {year}",
    "pt": "{day} de {month} de {year}",
    "ja": "{year}年{number}月{day}日",
    "zh": "{year}年{number}月{day}日",
    "ko": "{year}년 {number}월 {day}일",
}
_DAY_MONTH_YEAR = "{day} {month} {year}"

_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"})

# W3C datetime (a profile of ISO 8601), whole days and times with their zone.
_W3C_DATETIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?"
)


def words_for(tag: str, languages: Languages | None = None, code: str | None = None) -> Words:
    """The words for a BCP 47 tag, those that the site's own translations give put in their place."""
    words = _WORDS.get(_primary(tag), _WORDS["en"])
    own = {
        field.name: text
        for field in fields(Words)
        if (text := translation(f"chrome.{field.name}", languages, code)) is not None
    }
    return replace(words, **own) if own else words


def direction_of(tag: str) -> str:
    """`rtl` or `ltr`, by the primary language subtag of a BCP 47 tag."""
    return "rtl" if _primary(tag) in _RIGHT_TO_LEFT else "ltr"


def shown_date(value: str, tag: str) -> str | None:
    """A W3C datetime as its calendar date in words (`14 March 2026`), None where it is no such thing.

    The date is the one that stands in the value: nothing is moved to another time zone.
    """
    match = _W3C_DATETIME.fullmatch(value)
    if match is None:
        return None
    year, month, day = match.groups()
    number = int(month)
    if not (1 <= number <= 12 and 1 <= int(day) <= 31):
        return None
    language = _primary(tag)
    months = _MONTHS.get(language)
    pattern = _PATTERNS.get(language, _DAY_MONTH_YEAR)
    if months is None and language not in _PATTERNS:
        return f"{year}-{month}-{day}"
    name = months.split(" ")[number - 1] if months else ""
    return pattern.format(year=int(year), month=name, number=number, day=int(day))


def time_element(value: str, tag: str) -> str | None:
    """`<time>` holding a date in words, its `datetime` as given; None where `value` is no W3C datetime."""
    date = shown_date(value, tag)
    return None if date is None else f'<time datetime="{html_attribute(value)}">{html_text(date)}</time>'


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()
