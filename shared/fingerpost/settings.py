"""What the environment sets: one typed value for all functions."""

import os
from collections.abc import Mapping

from fingerpost.errors import SettingError
from fingerpost.limits import SITEMAP_SECONDS
from fingerpost.values import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """A function's settings. `bucket` or `directory` says where the site is, `generations_bucket` where
    instances leave sitemaps for each other; seconds may be fractions."""

    bucket: str | None = None
    prefix: str = ""
    generations_bucket: str | None = None
    directory: str | None = None
    base_url: str | None = None
    database: bool = False  # whether DATABASE_URL or DATABASE_SECRET_ARN is set
    sitemap_seconds: float = SITEMAP_SECONDS
    check_seconds: float = 1.0


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from `SITE_BUCKET` and `SITE_PREFIX` (or `SITE_DIRECTORY`), `GENERATIONS_BUCKET`, `BASE_URL`,
    `SITEMAP_SECONDS` and `CHECK_SECONDS`. Raises SettingError."""
    bucket, directory = environment.get("SITE_BUCKET"), environment.get("SITE_DIRECTORY")
    if not bucket and not directory:
        raise SettingError("SITE_BUCKET: expected the name of the bucket that holds the site, found nothing")
    return Settings(
        bucket=bucket or None,
        prefix=environment.get("SITE_PREFIX", ""),
        generations_bucket=environment.get("GENERATIONS_BUCKET") or None,
        directory=directory or None,
        base_url=environment.get("BASE_URL") or None,
        database=bool(environment.get("DATABASE_URL") or environment.get("DATABASE_SECRET_ARN")),
        sitemap_seconds=_seconds(environment, "SITEMAP_SECONDS", SITEMAP_SECONDS),
        check_seconds=_seconds(environment, "CHECK_SECONDS", 1.0),
    )


def _seconds(environment: Mapping[str, str], name: str, usual: float) -> float:
    text = environment.get(name)
    if not text:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 86_400:
        raise SettingError(f"{name}: expected seconds from 0 to 86400, found {text!r}")
    return value
