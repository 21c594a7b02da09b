"""The template, read once."""

from typing import Any

import pytest

from tests.template.cloudformation import EVERYTHING, load, resolve


@pytest.fixture(scope="session")
def template() -> dict[str, Any]:
    """template.yaml as written."""
    return load()


@pytest.fixture(scope="session", params=["defaults", "everything", "base path"])
def resources(request: pytest.FixtureRequest, template: dict[str, Any]) -> dict[str, Any]:
    """The resources of a deployment: with all defaults, with every option used, and below a base path."""
    options: dict[str, dict[str, str]] = {
        "defaults": {},
        "everything": dict(EVERYTHING),
        "base path": {"BaseUrl": "https://example.com/docs", "BasePath": "/docs"},
    }
    return resolve(template, options[request.param])


@pytest.fixture(scope="session")
def distribution(resources: dict[str, Any]) -> dict[str, Any]:
    """The distribution's configuration."""
    configuration: dict[str, Any] = resources["Distribution"]["Properties"]["DistributionConfig"]
    return configuration
