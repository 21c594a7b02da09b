"""Parameters: each says what it is, has a default and refuses nonsense."""

import re
from typing import Any

import pytest

from tests.template.cloudformation import EVERYTHING, load

PARAMETERS: dict[str, Any] = load()["Parameters"]


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_described_defaulted_and_constrained(name: str) -> None:
    """Each parameter has a sentence, a default, and a list, range or pattern that the default meets."""
    parameter = PARAMETERS[name]
    assert parameter["Description"].endswith(".")
    default = parameter["Default"]
    if "AllowedValues" in parameter:
        assert default in parameter["AllowedValues"]
    elif parameter["Type"] == "Number":
        assert parameter["MinValue"] <= default <= parameter["MaxValue"]
    else:
        assert re.search(parameter["AllowedPattern"], default)
        assert parameter["AllowedPattern"].startswith("^")


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_real_value_is_accepted(name: str) -> None:
    """The values of a deployment that uses every option meet the constraints."""
    parameter = PARAMETERS[name]
    given = EVERYTHING[name]
    for value in given.split(",") if parameter["Type"] == "CommaDelimitedList" else [given]:
        if "AllowedValues" in parameter:
            assert value in parameter["AllowedValues"]
        else:
            assert re.search(parameter["AllowedPattern"], value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BaseUrl", "https://www.example.com/"),
        ("BaseUrl", "www.example.com"),
        ("BaseUrl", "https://www.example.com?x=1"),
        ("BasePath", "docs"),
        ("BasePath", "/docs/"),
        ("BasePath", "/"),
        ("SitePrefix", "/sites"),
        ("SitePrefix", "sites/"),
        ("SitePrefix", "sites//main"),
        ("DomainName", "https://www.example.com"),
        ("CertificateArn", "arn:aws:acm:eu-west-3:123456789012:certificate/0a1b2c3d"),
        ("DatabaseSecretArn", "my-secret"),
        ("SessionJwks", "http://id.example.com/keys"),
        ("SessionCookie", "a b"),
        ("SubnetIds", "vpc-0123456789abcdef0"),
    ],
)
def test_a_wrong_value_is_refused(name: str, value: str) -> None:
    """What would only fail much later is refused before anything is deployed."""
    assert not re.search(PARAMETERS[name]["AllowedPattern"], value)


def test_every_parameter_is_used_and_every_condition_too(template: dict[str, Any]) -> None:
    """No parameter and no condition is left over."""
    body = {name: part for name, part in template.items() if name not in ("Metadata", "Parameters", "Rules")}
    text = str(body)
    for name in template["Parameters"]:
        assert f"'{name}'" in text or f"${{{name}}}" in text, name
    for name in template["Conditions"]:
        assert text.count(f"'{name}'") > 1, name


def test_every_parameter_stands_in_one_group(template: dict[str, Any]) -> None:
    """The console shows each parameter once, under a heading."""
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    shown = [name for group in groups for name in group["Parameters"]]
    assert sorted(shown) == sorted(template["Parameters"])


def test_rules_name_parameters_that_exist(template: dict[str, Any]) -> None:
    """Each rule that ties parameters together asserts on existing ones, with a sentence for the owner."""
    for rule in template["Rules"].values():
        for assertion in rule["Assertions"]:
            assert "needs" in assertion["AssertDescription"]
        for name in re.findall(r"'Ref': '(\w+)'", str(rule)):
            assert name in template["Parameters"]
