"""Every kind of finding by its id: how much it matters, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fingerpost.site.problems import Place, Problem, Severity

_ERROR: Final = (Severity.ERROR,)
_WARNING: Final = (Severity.WARNING,)
_HINT: Final = (Severity.HINT,)
_EITHER: Final = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding: the severities it may have, the gravest first, and one sentence of advice."""

    severities: tuple[Severity, ...]
    advice: str


# In the order of the checks: the configuration, articles, addresses, then what harms discovery.
KINDS: Final[Mapping[str, Kind]] = {
    "no-site": Kind(_ERROR, "Name the directory that holds app.yaml."),
    "yaml": Kind(_ERROR, "Mend the YAML at this line; an unclosed quote or a tab is the usual cause."),
    "not-utf8": Kind(_ERROR, "Save the file as UTF-8."),
    "bad-character": Kind(_ERROR, "Remove the character, which no document could carry."),
    "too-deep": Kind(_ERROR, "Nest less deeply."),
    "too-large": Kind(_ERROR, "Use fewer aliases: written out, the file is larger than any site needs."),
    "alias-cycle": Kind(_ERROR, "Let no anchor hold an alias of itself."),
    "duplicate-key": Kind(_ERROR, "Keep one of the two; YAML allows a key once."),
    "merge-key": Kind(_ERROR, "Write the keys out; YAML 1.2 has no merge key."),
    "unknown-tag": Kind(_ERROR, "Remove the tag; plain values need none."),
    "ref-missing": Kind(
        _ERROR, "Create the file, or mend the path, which counts from the file it stands in."
    ),
    "ref-outside": Kind(_ERROR, "Move the file into the site: nothing outside it is read."),
    "ref-cycle": Kind(_ERROR, "Break the circle of files that refer to each other."),
    "ref-beside-keys": Kind(_WARNING, "Let `$ref` stand alone in its object, or it is not followed."),
    "missing": Kind(_ERROR, "Add the key."),
    "wrong-type": Kind(_ERROR, "Write the value as the type that is expected."),
    "unknown-value": Kind(_ERROR, "Use one of the values listed."),
    "out-of-range": Kind(_ERROR, "Use a number within the bounds named."),
    "unknown-key": Kind(_EITHER, "Mend the spelling, or remove the key: it has no effect as it stands."),
    "too-many": Kind(_ERROR, "Keep one of the keys that exclude each other."),
    "bad-path": Kind(_ERROR, "Write a path as shown."),
    "bad-url": Kind(_ERROR, "Write an absolute http or https URL, or a path, as shown."),
    "bad-language": Kind(_ERROR, "Use a BCP 47 tag such as fr, pt-BR or zh-Hans."),
    "unknown-language": Kind(_EITHER, "Use a code of `languages.supported`, or add the language there."),
    "duplicate-language": Kind(_ERROR, "Declare each language once."),
    "no-languages": Kind(_ERROR, "Declare `languages`, or take {lang} out of the directory."),
    "unknown-table": Kind(_EITHER, "Declare the table, or mend its name."),
    "duplicate-table": Kind(_ERROR, "Give each table a name of its own."),
    "unknown-field": Kind(_ERROR, "Declare the field, or mend its name."),
    "duplicate-field": Kind(_ERROR, "Declare each field once."),
    "duplicate-template": Kind(_ERROR, "Give each template a name of its own."),
    "role-name": Kind(_WARNING, "Write `all` or `authenticated` without a list if you mean everyone."),
    "no-parameter": Kind(_ERROR, "End the page's path in a parameter, such as /blog/:slug."),
    "many-parameters": Kind(_WARNING, "Leave one parameter, or nothing of the page can be listed."),
    "empty-feed": Kind(_WARNING, "Move `rss` to the page whose records or articles are the feed."),
    "bad-user-agent": Kind(_ERROR, "Write `*`, or a robot's name as its operator does, such as GPTBot."),
    "bad-date": Kind(_ERROR, "Write a date that exists, such as 2024-01-08 or 2024-01-08T17:28:15Z."),
    "guard-misspelt": Kind(_WARNING, "Mend the spelling: as it stands the key keeps nothing from anyone."),
    "address-impossible": Kind(_WARNING, "Rename it: dots alone and control characters make no address."),
    "address-collision": Kind(_WARNING, "Give one of the two another slug or path."),
    "address-shadowed": Kind(_WARNING, "Put the narrower page first, or give one of the two another path."),
    "address-too-long": Kind(_WARNING, "Shorten it: search engines take no address of 2,048 characters."),
    "slug-empty": Kind(_HINT, "Give the records a slug, or filter them out."),
    "twin-collision": Kind(_WARNING, "Rename one of the two, so that the Markdown form has an address."),
    "no-origin": Kind(_WARNING, "Set `deployment.site`: engines ignore hreflang that is not absolute."),
    "hreflang-unknown": Kind(_WARNING, "Set `locale` to a code that engines know, such as en-GB."),
    "translation-missing": Kind(_HINT, "Translate it, or leave it: each cluster lists what is there."),
    "title-missing": Kind(_WARNING, "Give it a title; lists fall back to the name of the page or file."),
    "title-long": Kind(_HINT, "Shorten the title: search results show about 60 characters."),
    "description-missing": Kind(_HINT, "Write one or two sentences; search results and llms.txt show them."),
    "description-long": Kind(_HINT, "Shorten the description: search results show about 160 characters."),
    "canonical-chain": Kind(_WARNING, "Name the last address of the chain, since engines may not follow."),
    "canonical-nowhere": Kind(_WARNING, "Name an address that answers, or drop the canonical."),
    "date-future": Kind(_HINT, "Nothing, if it is meant: the article appears when its date comes."),
    "changed-future": Kind(_WARNING, "Write the day it changed: engines stop trusting a lastmod that lies."),
    "dates-equal": Kind(
        _WARNING, "Publish from the git history, or date the articles: this is the time of a copy."
    ),
    "link-dead": Kind(_WARNING, "Mend the link; a relative one counts from the article's own address."),
    "redirect-nowhere": Kind(_WARNING, "Let `redirectTo` name a page of the site."),
    "redirect-restricted": Kind(_WARNING, "Let `redirectTo` name a page that everyone may open."),
    "noindex-disallowed": Kind(
        _WARNING, "Drop the Disallow rule: robots must fetch a page to see its noindex."
    ),
    "robots-too-large": Kind(_ERROR, "Shorten the rules: robots read 500 KiB and drop the rest."),
    "file-replaces": Kind(_HINT, "Nothing, if it is meant: your file is served in place of the derived one."),
    "component-skipped": Kind(
        _HINT, "Say it with a type that the server renders, where robots should read it."
    ),
    "collection-unreadable": Kind(
        _HINT, "Declare `permissions.read: all` if the records are meant for everyone."
    ),
    "records-capped": Kind(_WARNING, "Raise `seo.sitemap.maxRecords`: the rest of the table is not listed."),
    "slug-not-indexed": Kind(
        _HINT, "Create an index on it: without one each record page reads the whole table."
    ),
}


def finding(id: str, place: Place, message: str) -> Problem:  # noqa: A002 - the field's own name
    """A finding of a known kind, as grave as its kind at most."""
    return Problem(id, place, message, KINDS[id].severities[0])
