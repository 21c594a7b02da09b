"""Answers /robots.txt. It never needs the database, and articles only where nothing else can be listed."""

from fingerpost.catalogue.addresses import build_path
from fingerpost.catalogue.catalogue import Catalogue
from fingerpost.catalogue.entry import Document
from fingerpost.catalogue.routes import Localised, Route
from fingerpost.catalogue.visibility import is_underscored
from fingerpost.documents.robots import RobotsInput, RobotsTooLargeError, own_robots, render_robots
from fingerpost.errors import Unavailable
from fingerpost.observe import log_error
from fingerpost.web.answer import TEXT, Answer
from fingerpost.web.instance import Instance
from fingerpost.web.own_files import own_file
from fingerpost.web.paths import document_name
from fingerpost.web.policy import Policy
from fingerpost.web.request import Request
from fingerpost.web.response import not_found

_NAME = "robots.txt"


class RobotsAnswers:
    """The answers of the robots function's instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._last_good: bytes | None = None

    def answer(self, request: Request) -> Answer:
        """Answer for /robots.txt at the host's root and under the base path."""
        catalogue = self._instance.outline()
        if request.path != f"/{_NAME}" and document_name(request.path, catalogue.origin) != _NAME:
            return not_found(catalogue.origin.base)
        own = own_file(self._instance, catalogue.publication, _NAME, TEXT)
        if own is not None:
            return Answer(200, own_robots(own[0]), TEXT, Policy.DOCUMENT)
        if not catalogue.site.seo.robots:
            return not_found(catalogue.origin.base)
        origin = catalogue.origin.known or request.own_origin
        try:
            body = self._last_good = render_robots(
                robots_input(catalogue, origin, self._has_sitemap(catalogue))
            )
        except RobotsTooLargeError as error:
            log_error(str(error))
            if self._last_good is None:
                raise Unavailable(str(error)) from error
            body = self._last_good
        return Answer(200, body, TEXT, Policy.DOCUMENT)

    def _has_sitemap(self, outline: Catalogue) -> bool:
        """Whether /sitemap.xml lists anything. Only the database could tell whether a collection has records,
        so one that may have counts."""
        if outline.publication.public_file("sitemap.xml") is not None:
            return True
        if not outline.site.seo.sitemap:
            return False
        if lists_anything(outline):
            return True
        if not any(route.page.content_dir is not None for route in outline.router.routes):
            return False
        try:
            return lists_anything(self._instance.catalogue())
        except Unavailable:  # the sitemap would answer 503, not 404
            return True


def robots_input(catalogue: Catalogue, origin: str, has_sitemap: bool) -> RobotsInput:
    """What robots.txt is made of, every URL behind `origin` (scheme and host)."""
    site = catalogue.site
    return RobotsInput(
        disallowed=tuple(
            path for route in catalogue.router.routes for path in disallowed_paths(catalogue, route)
        ),
        sitemap=f"{origin}{catalogue.origin.base}/sitemap.xml" if has_sitemap else None,
        signals=site.content_signals,
        policy=site.robots,
    )


def lists_anything(catalogue: Catalogue) -> bool:
    """Whether some entry or collection of the catalogue belongs into the sitemap."""
    return any(part.verdict.allows(Document.SITEMAP) for part in catalogue.parts)


def disallowed_paths(catalogue: Catalogue, route: Route) -> tuple[str, ...]:
    """The path prefixes of a page whose path begins with `/_`: its static part, in each language too."""
    if not is_underscored(route.page):
        return ()
    patterns = [route.pattern]
    if route.localised is Localised.PREFIXED:
        patterns += [variant.pattern for variant in route.variants]
    return tuple(build_path(catalogue.origin.base, pattern.static_part) for pattern in patterns)
