"""Alarms and the dashboard."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.template.cloudformation import EVERYTHING, ROOT, of_type, resolve

Resources = dict[str, Any]


def sources() -> str:
    return "".join(path.read_text("utf-8") for path in Path(ROOT, "shared", "fingerpost").rglob("*.py"))


@pytest.mark.parametrize(
    ("alarm", "namespace", "metric"),
    [
        ("ServerErrors", "AWS/Lambda", "Url5xxCount"),
        ("Throttles", "AWS/Lambda", "Throttles"),
        ("SlowAnswers", "AWS/Lambda", "Duration"),
        ("ConfigurationRejected", "Fingerpost", "ConfigurationRejected"),
        ("CapReached", "Fingerpost", "CapReached"),
    ],
)
def test_an_alarm_watches_its_metric(resources: Resources, alarm: str, namespace: str, metric: str) -> None:
    """Each fault has an alarm over the functions that can have it, quiet where there is no traffic."""
    properties = resources[alarm]["Properties"]
    watched = [each["MetricStat"]["Metric"] for each in properties["Metrics"] if "MetricStat" in each]
    assert {(each["Namespace"], each["MetricName"]) for each in watched} == {(namespace, metric)}
    functions = of_type(resources, "AWS::Serverless::Function")
    code = {name: properties["CodeUri"] for name, properties in functions.items()}
    if alarm == "CapReached":  # by whoever makes sitemaps, for a visitor or ahead
        able = {name for name in code if code[name] == "functions/sitemap/"}
    else:
        able = {name for name in code if "FunctionUrlConfig" in functions[name]}
    assert sorted(each["Dimensions"][0]["Value"]["Ref"] for each in watched) == sorted(able)
    assert properties["TreatMissingData"] == "notBreaching"
    assert properties["AlarmDescription"].endswith(".")


def test_alarms_notify_the_topic_where_one_is_given(template: dict[str, Any]) -> None:
    """Every alarm notifies the topic when it goes off and when it is over; without a topic none tries to."""
    for alarm in of_type(resolve(template, EVERYTHING), "AWS::CloudWatch::Alarm").values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [EVERYTHING["AlarmTopicArn"]]
    for alarm in of_type(resolve(template), "AWS::CloudWatch::Alarm").values():
        assert "AlarmActions" not in alarm


def test_the_products_metrics_are_ones_that_the_layer_counts(template: dict[str, Any]) -> None:
    """Each metric of namespace Fingerpost that is watched or drawn is counted somewhere in the layer."""
    resources = resolve(template)
    drawn = re.findall(r'"Fingerpost", "(\w+)"', resources["Dashboard"]["Properties"]["DashboardBody"])
    watched = re.findall(r"'Namespace': 'Fingerpost', 'MetricName': '(\w+)'", str(resources))
    assert set(watched) <= set(drawn)
    code = sources()
    for metric in drawn:
        assert f'count("{metric}")' in code, metric


def test_the_dashboard_is_json_about_resources_that_exist(resources: Resources) -> None:
    """The dashboard's body is JSON, its widgets do not overlap, and what it names is in the stack."""
    body = resources["Dashboard"]["Properties"]["DashboardBody"]
    widgets = json.loads(body)["widgets"]
    corners = {(widget["x"], widget["y"]) for widget in widgets}
    assert len(corners) == len(widgets)
    for name in re.findall(r"\$\{(\w+)\}", body):
        assert name in resources
