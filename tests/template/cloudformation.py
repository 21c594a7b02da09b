"""Just enough CloudFormation to ask a template questions: short tags, parameters, conditions, Globals."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
TEMPLATE: Final = ROOT / "template.yaml"

# What one set of parameters that switches everything on looks like.
EVERYTHING: Final = {
    "BaseUrl": "https://www.example.com",
    "SitePrefix": "sites/main",
    "DomainName": "www.example.com",
    "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d",
    "HostedZoneId": "Z0123456789",
    "DatabaseSecretArn": "arn:aws:secretsmanager:eu-west-3:123456789012:secret:db-AbCdEf",
    "DatabaseSecretKeyArn": "arn:aws:kms:eu-west-3:123456789012:key/0a1b2c3d",
    "DatabaseUrl": "postgresql://reader@proxy.example.com:5432/site",
    "SubnetIds": "subnet-0123456789abcdef0,subnet-0123456789abcdef1",
    "SecurityGroupIds": "sg-0123456789abcdef0",
    "RdsIamAuth": "on",
    "RdsResourceId": "prx-0123456789abcdef0",
    "RdsUser": "reader",
    "KeepSitemapFresh": "on",
    "SessionJwks": "https://id.example.com/keys",
    "SessionIssuer": "https://id.example.com",
    "SessionAudience": "site",
    "SessionCookie": "sid",
    "WebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/main/0a1b2c3d",
    "LogBucket": "logs.s3.amazonaws.com",
    "AlarmTopicArn": "arn:aws:sns:eu-west-3:123456789012:alarms",
}

_ABSENT: Final = object()
_NO_VALUE: Final = {"Ref": "AWS::NoValue"}


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short tags spelt out."""


def _short_tag(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        text = loader.construct_scalar(node)
        return {name: text.split(".", 1) if suffix == "GetAtt" else text}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _short_tag)


def load(path: Path = TEMPLATE) -> dict[str, Any]:
    """A template as written, tags as `Fn::` mappings."""
    template: dict[str, Any] = yaml.load(path.read_text("utf-8"), Loader=_Loader)
    return template


def resolve(template: Mapping[str, Any], parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The resources of `template` as they come out for `parameters` (defaults where not given).

    Conditions are decided, parameters filled in, Globals merged into functions; references to resources stay.
    """
    values = {name: spec.get("Default", "") for name, spec in template["Parameters"].items()}
    values.update(parameters or {})
    unknown = values.keys() - template["Parameters"].keys()
    assert not unknown, f"no such parameters: {unknown}"
    evaluation = _Evaluation(values, template["Parameters"], template["Conditions"])
    resources: dict[str, Any] = {}
    for name, resource in template["Resources"].items():
        if "Condition" in resource and not evaluation.holds(resource["Condition"]):
            continue
        if resource["Type"] == "AWS::Serverless::Function":
            common = template.get("Globals", {}).get("Function", {})
            resource = {**resource, "Properties": _merged(common, resource["Properties"])}
        resources[name] = evaluation.value(resource)
    return resources


def of_type(resources: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Properties by logical id of the resources of one type."""
    return {name: resource["Properties"] for name, resource in resources.items() if resource["Type"] == kind}


def _merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """SAM's merging of Globals: mappings key by key, anything else replaced."""
    merged = dict(common)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


class _Evaluation:
    """One reading of a template, for one set of parameter values."""

    def __init__(
        self, values: Mapping[str, Any], parameters: Mapping[str, Any], conditions: Mapping[str, Any]
    ) -> None:
        self._values = values
        self._parameters = parameters
        self._conditions = conditions

    def holds(self, condition: Any) -> bool:
        if isinstance(condition, str):
            return self.holds(self._conditions[condition])
        ((function, argument),) = condition.items()
        match function:
            case "Condition":
                return self.holds(argument)
            case "Fn::Not":
                return not self.holds(argument[0])
            case "Fn::And":
                return all(self.holds(each) for each in argument)
            case "Fn::Or":
                return any(self.holds(each) for each in argument)
            case "Fn::Equals":
                left, right = (str(self.value(each)) for each in argument)
                return left == right
        raise AssertionError(f"no condition function: {function}")

    def value(self, node: Any) -> Any:
        if isinstance(node, list):
            items = [self.value(item) for item in node]
            return [item for item in items if item is not _ABSENT]
        if not isinstance(node, dict):
            return node
        if node == _NO_VALUE:
            return _ABSENT
        if len(node) == 1:
            ((function, argument),) = node.items()
            match function:
                case "Ref" if argument in self._values:
                    return self._parameter(argument)
                case "Fn::If":
                    condition, then, otherwise = argument
                    return self.value(then if self.holds(condition) else otherwise)
                case "Fn::Join":
                    separator, parts = argument
                    return separator.join(self.value(parts))
                case "Fn::Sub":
                    return self._filled(argument)
        pairs = ((key, self.value(item)) for key, item in node.items())
        return {key: item for key, item in pairs if item is not _ABSENT}

    def _parameter(self, name: str) -> Any:
        value = self._values[name]
        if self._parameters[name]["Type"] == "CommaDelimitedList":
            return value.split(",")
        return value

    def _filled(self, text: str) -> str:
        def known(match: re.Match[str]) -> str:
            return str(self._values.get(match[1], match[0]))

        return re.sub(r"\$\{([^}!]+)\}", known, text)
