"""Routes: which page a path belongs to, and the path of each page in each language (SPEC section 3).

With `languages`, a page is one of three things. A plain page is published at `/{code}{path}`, and its
unprefixed path also answers. A page with `:lang` takes each code. A page with a literal language prefix
is one language.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from fingerpost.catalogue.addresses import Kind, Part, Pattern, parse_pattern
from fingerpost.site.model import Language, Languages, Page, Site
from fingerpost.values import dataclass

LANG = "lang"


class Localised(Enum):
    """How a page relates to languages."""

    NOT = "not"  # the site has no languages
    PREFIXED = "prefixed"
    PARAMETER = "parameter"
    LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class Variant:
    """One page in one language: the pattern of its published addresses, and one that is the same for all
    language versions of the page."""

    language: Language | None
    pattern: Pattern
    neutral: Pattern


@dataclass(frozen=True, slots=True)
class Route:
    """A page as a route; `position` is its place among the pages, `variants` its languages in their order."""

    page: Page
    position: int
    pattern: Pattern
    localised: Localised
    variants: tuple[Variant, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that tell one entry of the page from another (`:lang` aside)."""
        aside = LANG if self.localised is Localised.PARAMETER else None
        return tuple(name for name in self.pattern.parameters if name != aside)

    @property
    def parameter(self) -> str | None:
        """The one such parameter, None where there is none or are several."""
        return self.parameters[0] if len(self.parameters) == 1 else None

    def variant(self, code: str | None) -> Variant | None:
        return next((v for v in self.variants if (v.language.code if v.language else None) == code), None)


@dataclass(frozen=True, slots=True)
class Match:
    """A path that belongs to a route: in which variant, and with which parameters."""

    route: Route
    variant: Variant
    parameters: Mapping[str, str]

    @property
    def segments(self) -> tuple[str, ...]:
        """The decoded segments of the published address, whichever name the path had."""
        return self.variant.pattern.fill(self.parameters)


def _literal(text: str) -> Part:
    return Part(Kind.LITERAL, text)


_ANY_LANGUAGE = Part(Kind.ONE, LANG)


def make_route(page: Page, position: int, languages: Languages | None) -> Route:
    """The route of one page."""
    pattern = parse_pattern(page.path)
    if languages is None:
        return Route(page, position, pattern, Localised.NOT, (Variant(None, pattern, pattern),))
    if LANG in pattern.parameters:
        variants = tuple(
            Variant(
                language,
                Pattern(
                    tuple(
                        _literal(language.code) if part.kind is Kind.ONE and part.text == LANG else part
                        for part in pattern.parts
                    )
                ),
                pattern,
            )
            for language in languages.supported
        )
        return Route(page, position, pattern, Localised.PARAMETER, variants)
    first = pattern.parts[0] if pattern.parts else None
    if first is not None and first.kind is Kind.LITERAL and (own := languages.get(first.text)):
        neutral = Pattern((_ANY_LANGUAGE, *pattern.parts[1:]))
        return Route(page, position, pattern, Localised.LITERAL, (Variant(own, pattern, neutral),))
    neutral = Pattern((_ANY_LANGUAGE, *pattern.parts))
    variants = tuple(
        Variant(language, Pattern((_literal(language.code), *pattern.parts)), neutral)
        for language in languages.supported
    )
    return Route(page, position, pattern, Localised.PREFIXED, variants)


class Router:
    """All routes of a site, in declared order. The first that fits a path owns it."""

    def __init__(self, site: Site) -> None:
        self.languages = site.languages
        self.routes = tuple(
            make_route(page, position, site.languages) for position, page in enumerate(site.pages)
        )

    def match(self, segments: Sequence[str]) -> Match | None:
        """The route that owns decoded `segments` (base path removed), and how it fits."""
        for route in self.routes:
            for variant, pattern in self._patterns(route, segments):
                parameters = pattern.match(segments)
                if parameters is not None:
                    return Match(route, variant, parameters)
        return None

    def match_indexes(self, segments: Sequence[str]) -> Iterator[Match]:
        """The content directories whose index would be served at `segments`; their parameter is ""."""
        for route in self.routes:
            if route.page.content_dir is None or route.parameter is None:
                continue
            for variant, pattern in self._patterns(route, segments):
                parameters = pattern.without(route.parameter).match(segments)
                if parameters is not None:
                    yield Match(route, variant, {**parameters, route.parameter: ""})

    def _patterns(self, route: Route, segments: Sequence[str]) -> Iterator[tuple[Variant, Pattern]]:
        """The patterns that `route` answers at: its variants' own, and a plain page's unprefixed one."""
        for variant in route.variants:
            yield variant, variant.pattern
        languages = self.languages
        if route.localised is Localised.PREFIXED and languages is not None:
            default = route.variant(languages.default)
            if default is not None and not (segments and languages.get(segments[0])):
                yield default, route.pattern

    def rivals(self, route: Route) -> tuple[Route, ...]:
        """Routes declared before `route` that could own one of its addresses."""
        return tuple(
            other
            for other in self.routes[: route.position]
            if any(
                theirs.overlaps(variant.pattern) for theirs in _answering(other) for variant in route.variants
            )
        )

    def hidden_by(self, route: Route) -> Route | None:
        """The route declared before `route` that owns every address of it, None where there is none."""
        return next(
            (
                other
                for other in self.routes[: route.position]
                if all(
                    any(theirs.pattern.covers(variant.pattern) for theirs in other.variants)
                    for variant in route.variants
                )
            ),
            None,
        )


def _answering(route: Route) -> Iterator[Pattern]:
    """Every pattern that `route` may answer at: its addresses with and without their language, and the index
    of its content directory."""
    for pattern in (*(variant.pattern for variant in route.variants), route.pattern):
        yield pattern
        if route.page.content_dir is not None and route.parameter is not None:
            yield pattern.without(route.parameter)
