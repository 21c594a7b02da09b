"""The functions: alias, SnapStart, settings, logs."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.template.cloudformation import EVERYTHING, ROOT, load, of_type, resolve

Resources = dict[str, Any]


def functions(resources: Resources) -> dict[str, Any]:
    return of_type(resources, "AWS::Serverless::Function")


def test_every_function_has_a_folder_and_every_folder_a_function(resources: Resources) -> None:
    """The functions of the template are the folders of functions/."""
    declared = {properties["CodeUri"].rstrip("/") for properties in functions(resources).values()}
    assert declared == {f"functions/{path.name}" for path in (ROOT / "functions").iterdir() if path.is_dir()}


def test_every_function_is_called_on_its_alias(resources: Resources) -> None:
    """Every function publishes a version under the alias `live`, also when only a parameter changed."""
    for name, properties in functions(resources).items():
        assert properties["AutoPublishAlias"] == "live"
        assert properties["AutoPublishAliasAllProperties"] is True
        assert properties["Handler"] == ("app.refresh" if name == "RefreshFunction" else "app.handler")
        assert properties["Layers"] == [{"Ref": "SharedLayer"}]


@pytest.mark.parametrize(
    ("parameters", "applied"),
    [
        ({}, "PublishedVersions"),
        ({"SnapStart": "off"}, "None"),
        ({"PythonRuntime": "python3.11"}, "None"),
        ({"PythonRuntime": "python3.14"}, "PublishedVersions"),
    ],
)
def test_snapstart_is_as_the_parameter_says(
    template: dict[str, Any], parameters: dict[str, str], applied: str
) -> None:
    """SnapStart is on unless it is switched off, or the runtime does not know it."""
    for properties in functions(resolve(template, parameters)).values():
        assert properties["SnapStart"] == {"ApplyOn": applied}


def test_layer_and_functions_share_runtime_and_processor(template: dict[str, Any]) -> None:
    """The layer is built for the interpreter and the processor that the functions run on."""
    chosen = {"PythonRuntime": "python3.12", "Architecture": "x86_64"}
    resources = resolve(template, chosen)
    layer = resources["SharedLayer"]
    assert layer["Metadata"] == {"BuildMethod": "python3.12", "BuildArchitecture": "x86_64"}
    assert layer["Properties"]["CompatibleRuntimes"] == ["python3.12"]
    assert layer["Properties"]["CompatibleArchitectures"] == ["x86_64"]
    for properties in functions(resources).values():
        assert (properties["Runtime"], properties["Architectures"]) == ("python3.12", ["x86_64"])


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, None),
        ({"DomainName": "www.example.com"}, "https://www.example.com"),
        ({"DomainName": "www.example.com", "BasePath": "/docs"}, "https://www.example.com/docs"),
        ({"DomainName": "cdn.example.com", "BaseUrl": "https://example.com"}, "https://example.com"),
    ],
)
def test_the_origin_comes_from_base_url_or_domain(
    template: dict[str, Any], parameters: dict[str, str], expected: str | None
) -> None:
    """BASE_URL is the parameter, else the domain with the base path, else not set at all."""
    for properties in functions(resolve(template, parameters)).values():
        assert properties["Environment"]["Variables"].get("BASE_URL") == expected


def test_sessions_are_the_page_functions_alone(template: dict[str, Any]) -> None:
    """Only the page function hears of sessions, and only where keys are named."""
    names = {
        name for name, each in functions(resolve(template, EVERYTHING)).items() if "SESSION_" in str(each)
    }
    assert names == {"PageFunction"}
    assert "SESSION_" not in str(functions(resolve(template)))


def test_reserved_concurrency_is_for_the_readers_of_records(template: dict[str, Any]) -> None:
    """With a database, the three functions that use it get reserved concurrency, unless it is 0."""

    def reserved(**parameters: str) -> dict[str, Any]:
        found = functions(resolve(template, parameters))
        return {n: each.get("ReservedConcurrentExecutions") for n, each in found.items()}

    secret = EVERYTHING["DatabaseSecretArn"]
    assert set(reserved().values()) == {None}
    assert set(reserved(DatabaseSecretArn=secret, DatabaseConcurrency="0").values()) == {None}
    assert {n for n, value in reserved(DatabaseSecretArn=secret).items() if value == 10} == {
        "SitemapFunction",
        "FeedFunction",
        "PageFunction",
    }


def test_no_password_is_in_the_settings(template: dict[str, Any]) -> None:
    """The database's address is refused with a password in it."""
    pattern = template["Parameters"]["DatabaseUrl"]["AllowedPattern"]
    assert re.search(pattern, EVERYTHING["DatabaseUrl"])
    assert not re.search(pattern, "postgresql://reader:secret@db.example.com:5432/site")
    assert not re.search(pattern, "postgresql://reader@db.example.com/site?password=secret")


def settings() -> list[str]:
    """The name of every variable that some function is given when all options are used."""
    every = functions(resolve(load(), EVERYTHING)).values()
    names = {name for properties in every for name in properties["Environment"]["Variables"]}
    return sorted(names)


@pytest.mark.parametrize("name", settings())
def test_a_setting_is_one_that_the_layer_reads(name: str) -> None:
    """Each variable the template sets is read somewhere in the layer, or by Powertools."""
    sources = "".join(path.read_text("utf-8") for path in Path(ROOT, "shared", "fingerpost").rglob("*.py"))
    assert name.startswith("POWERTOOLS_") or f'"{name}"' in sources


def test_logs_are_kept_as_long_as_the_owner_says(template: dict[str, Any]) -> None:
    """Each function writes to a log group of its own, which forgets after the days of the parameter."""
    resources = resolve(template, {"LogRetentionDays": "7"})
    groups = [properties["LoggingConfig"]["LogGroup"]["Ref"] for properties in functions(resources).values()]
    assert len(set(groups)) == len(groups) == 5
    assert {str(resources[group]["Properties"]["RetentionInDays"]) for group in groups} == {"7"}


def test_a_function_gives_up_before_the_distribution_does(resources: Resources) -> None:
    """A function's time-out is shorter than CloudFront's wait for its answer."""
    origins = resources["Distribution"]["Properties"]["DistributionConfig"]["Origins"]
    waits = [o["CustomOriginConfig"]["OriginReadTimeout"] for o in origins if "CustomOriginConfig" in o]
    answering = [each for each in functions(resources).values() if "FunctionUrlConfig" in each]
    assert max(each["Timeout"] for each in answering) < min(waits)


@pytest.mark.parametrize("switched", ["KeepSitemapFresh", "DatabaseSecretArn"])
def test_nothing_is_computed_ahead_unless_asked_for(template: dict[str, Any], switched: str) -> None:
    """The schedule's function is there with a database and the parameter, never with one of them alone."""
    assert "RefreshFunction" not in resolve(template, {switched: EVERYTHING[switched]})


def test_the_schedule_fires_once_a_minute(template: dict[str, Any]) -> None:
    """The schedule's function has the sitemap's code, rights and settings, and time for two sets; a call that
    failed is not repeated."""
    found = functions(resolve(template, EVERYTHING))
    refresh, sitemap = found["RefreshFunction"], found["SitemapFunction"]
    assert refresh["Events"]["EveryMinute"]["Properties"]["Schedule"] == "rate(1 minute)"
    assert refresh["EventInvokeConfig"] == {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}
    for same in ("CodeUri", "Role", "VpcConfig", "Environment", "LoggingConfig"):
        assert refresh[same] == sitemap[same]
    assert refresh["Timeout"] > 60
