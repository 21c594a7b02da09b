"""`languages`: codes and tags, the default, and translations."""

from typing import Final

from fingerpost.site.bcp47 import canonical_tag
from fingerpost.site.model import Language, Languages
from fingerpost.site.value import Value

_KEYS: Final = ("default", "supported", "fallback", "detectBrowser", "translations")
_LANGUAGE: Final = ("code", "locale", "label", "direction")


def read_languages(value: Value) -> Languages | None:
    """The languages; None and problems where they can't be told."""
    keys = value.section(_KEYS)
    default = keys.required("default")
    if keys.value("supported") is None:
        keys.required("supported")
    supported = keys.read("supported", _read_supported) or ()
    codes = [language.code for language in supported]
    for key in ("default", "fallback"):
        named = keys.value(key)
        if named is not None and codes and named.node.value not in codes:
            named.error(
                "unknown-language",
                f"expected one of {', '.join(codes)} (`supported`), found {named.describe()}",
            )
    translations: dict[str, dict[str, str]] = {}
    for code, texts in keys.read("translations", Value.section) or ():
        if code not in codes:
            texts.warning("unknown-language", f"expected one of {', '.join(codes)}, found `{code}`")
        translations[code] = dict(_flat(texts, ""))
    return Languages(default, supported, keys.text("fallback"), translations) if supported else None


def read_tag(value: Value) -> str | None:
    """A BCP 47 tag in canonical case; `_` is read as `-`."""
    text = value.text()
    tag = None if text is None else canonical_tag(text)
    if text is not None and tag is None:
        value.expected("a BCP 47 language tag such as fr, pt-BR or zh-Hans", "bad-language")
    return tag


def _read_supported(value: Value) -> tuple[Language, ...]:
    items = value.items()
    if not items:
        value.error("missing", "expected at least one language, found none")
    languages: dict[str, Language] = {}
    tags: dict[str, str] = {}
    for item in items:
        language = _read_language(item)
        if language is None:
            continue
        folded = language.code.lower()
        if folded in languages:
            item.error("duplicate-language", f"expected each language once, found `{language.code}` again")
        elif language.tag in tags:
            message = (
                f"expected one language for each tag, found {language.tag} for `{tags[language.tag]}` as well"
            )
            item.error("duplicate-language", message)
        languages.setdefault(folded, language)
        tags.setdefault(language.tag, language.code)
    return tuple(languages.values())


def _read_language(value: Value) -> Language | None:
    keys = value.section(_LANGUAGE)
    code = keys.required("code")
    named = keys.value("code")
    own_tag = read_tag(named) if named is not None and code else None
    tag = keys.read("locale", read_tag) if "locale" in keys else own_tag
    direction = keys.read("direction", lambda found: found.choice(("ltr", "rtl")))
    if own_tag is None or tag is None:
        return None
    return Language(code, tag, keys.text("label") or "", direction or "ltr")


def _flat(value: Value, prefix: str) -> list[tuple[str, str]]:
    """Texts by dotted key: `nav: {home: X}` is `nav.home`."""
    texts: list[tuple[str, str]] = []
    for key, inner in value.section():
        if inner.is_mapping:
            texts.extend(_flat(inner, f"{prefix}{key}."))
        elif (text := inner.text()) is not None:
            texts.append((prefix + key, text))
    return texts
