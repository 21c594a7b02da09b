"""What infra/README.md says in figures and names is true."""

import re
from typing import Any

import pytest

from tests.template.cloudformation import ROOT

TEXT = (ROOT / "infra" / "README.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of every table row whose table starts with the header `heading`."""
    table = TEXT[TEXT.index(f"| {heading} |") :].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_parameter_is_in_the_table_with_its_default(template: dict[str, Any]) -> None:
    """The table of parameters names each one of the template, in its order of defaults and no other."""
    told = {name.strip("`"): default for name, default, _ in rows("parameter")}
    assert told == {name: str(each["Default"]) for name, each in template["Parameters"].items()}


def test_every_alarm_is_in_the_table(template: dict[str, Any]) -> None:
    """Each alarm of the stack has a row that says what to do."""
    alarms = {
        name for name, each in template["Resources"].items() if each["Type"] == "AWS::CloudWatch::Alarm"
    }
    assert {row[0].strip("`") for row in rows("alarm")} == alarms


def test_every_event_is_in_the_table(template: dict[str, Any]) -> None:
    """Each recorded event is named beside a function of the template."""
    told: set[str] = set()
    for events, function in rows("event"):
        told |= set(re.findall(r"`([^`]+)`", events))
        assert function.strip("`") in template["Resources"]
    assert told == {path.name for path in (ROOT / "infra" / "events").iterdir()}


@pytest.mark.parametrize("row", rows("hit ratio"), ids=lambda row: row[0])
def test_the_cost_table_follows_its_formula(row: list[str]) -> None:
    """Each row is the formula at that hit ratio, with the prices of the table above it."""
    price = {what: float(value) for what, value, _ in rows("what")}
    kilobytes, seconds, gigabytes, thousands = 20, 0.05, 0.5, 1
    missed = 1 - float(row[0].removesuffix("%")) / 100
    edge = price["CloudFront, HTTPS requests"] + price["CloudFront, viewer function"]
    edge += price["CloudFront, transfer out"] * kilobytes
    functions = price["Lambda, requests"] + price["Lambda, arm64"] * seconds * gigabytes
    bucket = price["S3, listing (1,000 objects each)"] * thousands + price["S3, reading an object"]
    logs = price["CloudWatch, log lines"] * 0.5
    parts = [edge, missed * functions, missed * bucket, missed * logs]
    for told, expected in zip(row[1:], [*parts, sum(parts)], strict=True):
        assert float(told) == pytest.approx(expected, abs=0.006)
