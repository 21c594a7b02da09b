"""Who may call, read and log in: grants, roles and the bucket."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.template.cloudformation import EVERYTHING, of_type, resolve

FUNCTIONS = ("Sitemap", "Robots", "Feed", "Llms", "Page")
READERS_OF_RECORDS = ("Sitemap", "Feed", "Page")
Resources = dict[str, Any]


def statements(resources: Resources, role: str) -> Iterator[dict[str, Any]]:
    """Every statement of a role's own policies and of the stack's managed policies that it holds."""
    properties = resources[role]["Properties"]
    for policy in properties["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]
    for held in properties["ManagedPolicyArns"]:
        if isinstance(held, dict):
            yield from resources[held["Ref"]]["Properties"]["PolicyDocument"]["Statement"]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_exactly_the_two_grants_of_the_distribution(resources: Resources, name: str) -> None:
    """Each function may be called by the distribution through its URL, on its alias, and by nobody else."""
    grants = [
        properties
        for properties in of_type(resources, "AWS::Lambda::Permission").values()
        if properties["FunctionName"] == {"Ref": f"{name}Function.Alias"}
    ]
    distribution = "arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/${Distribution}"
    assert {grant["Principal"] for grant in grants} == {"cloudfront.amazonaws.com"}
    assert {grant["SourceArn"] for grant in grants} == {distribution}
    by_action = {grant["Action"]: grant for grant in grants}
    assert len(grants) == 2
    assert by_action["lambda:InvokeFunctionUrl"]["FunctionUrlAuthType"] == "AWS_IAM"
    assert by_action["lambda:InvokeFunction"]["InvokedViaFunctionUrl"] is True


def test_no_grant_goes_anywhere_but_to_an_alias(resources: Resources) -> None:
    """There are ten grants in all, each on one of the five aliases."""
    grants = of_type(resources, "AWS::Lambda::Permission").values()
    aliases = [grant["FunctionName"]["Ref"] for grant in grants]
    assert sorted(aliases) == sorted(f"{name}Function.Alias" for name in FUNCTIONS for _ in range(2))


def test_no_function_url_is_open(resources: Resources) -> None:
    """Every function URL asks for a signature; what a schedule calls has none."""
    functions = of_type(resources, "AWS::Serverless::Function")
    urls = {
        name: each["FunctionUrlConfig"] for name, each in functions.items() if "FunctionUrlConfig" in each
    }
    assert {url["AuthType"] for url in urls.values()} == {"AWS_IAM"}
    assert urls.keys() == {f"{name}Function" for name in FUNCTIONS}
    assert functions.keys() - urls.keys() <= {"RefreshFunction"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_role_allows_a_wildcard(resources: Resources, name: str) -> None:
    """No action holds a wildcard; a resource ends in one at most, below a bucket of the stack's own."""
    for statement in statements(resources, f"{name}Role"):
        if statement["Effect"] == "Deny":
            continue
        assert not [action for action in listed(statement["Action"]) if "*" in action]
        for resource in listed(statement["Resource"]):
            if isinstance(resource, str):
                own = r"\$\{(Site|Generations)Bucket\.Arn\}/[^*]*\*"
                assert resource.count("*") == 0 or re.fullmatch(own, resource)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_reads_the_site_and_writes_its_own_log(resources: Resources, name: str) -> None:
    """Each role reads and lists what lies under the site's prefix, writes to one log group, and of the site
    nothing."""
    everything = list(statements(resources, f"{name}Role"))
    found = [each for each in everything if "GenerationsBucket" not in str(each["Resource"])]
    by_action = {action: each for each in found for action in listed(each["Action"])}
    settings = resources[f"{name}Function"]["Properties"]["Environment"]["Variables"]
    prefix = f"{settings['SITE_PREFIX']}/*" if "SITE_PREFIX" in settings else "*"
    assert by_action["s3:GetObject"]["Resource"] == f"${{SiteBucket.Arn}}/{prefix}"
    assert by_action["s3:ListBucket"]["Resource"] == {"Fn::GetAtt": ["SiteBucket", "Arn"]}
    assert by_action["s3:ListBucket"]["Condition"] == {"StringLikeIfExists": {"s3:prefix": prefix}}
    assert by_action["logs:PutLogEvents"]["Resource"] == {"Fn::GetAtt": [f"{name}Log", "Arn"]}
    assert not {action for action in by_action if action.startswith("s3:Put")}


def test_the_sitemap_alone_leaves_objects_for_others(template: dict[str, Any]) -> None:
    """The sitemap's role reads and writes objects of the bucket that is for it, and of no other."""
    resources = resolve(template, EVERYTHING)
    for name in FUNCTIONS:
        found = [
            (action, each["Resource"])
            for each in statements(resources, f"{name}Role")
            if "GenerationsBucket" in str(each["Resource"])
            for action in listed(each["Action"])
        ]
        bucket, objects = {"Fn::GetAtt": ["GenerationsBucket", "Arn"]}, "${GenerationsBucket.Arn}/*"
        allowed = [("s3:GetObject", objects), ("s3:PutObject", objects), ("s3:ListBucket", bucket)]
        assert found == (allowed if name == "Sitemap" else []), name


def test_generations_are_private_and_go_by_themselves(template: dict[str, Any]) -> None:
    """The bucket of generations is closed like the site's own, keeps no versions, and forgets after a day."""
    resources = resolve(template, EVERYTHING)
    properties = resources["GenerationsBucket"]["Properties"]
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert "VersioningConfiguration" not in properties
    (rule,) = properties["LifecycleConfiguration"]["Rules"]
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", 1)
    assert "Prefix" not in rule
    (statement,) = resources["GenerationsBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Condition"]) == (
        "Deny",
        {"Bool": {"aws:SecureTransport": False}},
    )


def test_without_records_there_are_no_generations(template: dict[str, Any]) -> None:
    """A site without a database has a sitemap that every instance makes by itself, and no bucket for it."""
    assert "Generations" not in str({**resolve(template), "Dashboard": None})


def test_only_readers_of_records_hold_the_secret(template: dict[str, Any]) -> None:
    """Sitemap, feed and page may read the secret and log in; robots and llms may do neither."""
    resources = resolve(template, EVERYTHING)
    for name in FUNCTIONS:
        actions = {
            action
            for each in statements(resources, f"{name}Role")
            if each["Effect"] == "Allow"
            for action in listed(each["Action"])
        }
        secret = {"secretsmanager:GetSecretValue", "kms:Decrypt", "rds-db:connect"}
        assert actions & secret == (secret if name in READERS_OF_RECORDS else set()), name


def test_the_secret_and_the_user_are_named_exactly(template: dict[str, Any]) -> None:
    """What the database's policy allows is this secret, this key, and this user of this resource."""
    policy = resolve(template, EVERYTHING)["ReadDatabase"]["Properties"]["PolicyDocument"]
    allowed = {each["Action"]: each["Resource"] for each in policy["Statement"]}
    assert allowed == {
        "secretsmanager:GetSecretValue": EVERYTHING["DatabaseSecretArn"],
        "kms:Decrypt": EVERYTHING["DatabaseSecretKeyArn"],
        "rds-db:connect": (
            "arn:${AWS::Partition}:rds-db:${AWS::Region}:${AWS::AccountId}:dbuser:prx-0123456789abcdef0/reader"
        ),
    }


def test_without_a_database_there_is_no_such_policy(template: dict[str, Any]) -> None:
    """A stack without a database has no policy that mentions one."""
    resources = resolve(template)
    assert "ReadDatabase" not in resources
    assert "secretsmanager" not in str(resources)
    assert "DATABASE_" not in str(resources)


def test_only_readers_of_records_enter_the_vpc(template: dict[str, Any]) -> None:
    """With subnets given, what reads records is placed in them, and its code may not touch the interfaces."""
    functions = of_type(resolve(template, EVERYTHING), "AWS::Serverless::Function")
    inside = {name for name, properties in functions.items() if "VpcConfig" in properties}
    assert inside == {f"{name}Function" for name in (*READERS_OF_RECORDS, "Refresh")}
    for name in inside:
        assert functions[name]["VpcConfig"]["SubnetIds"] == EVERYTHING["SubnetIds"].split(",")
    denied = resolve(template, EVERYTHING)["LeaveTheNetworkAlone"]["Properties"]["PolicyDocument"][
        "Statement"
    ]
    assert [each["Effect"] for each in denied] == ["Deny"]


def test_without_subnets_no_function_is_in_a_vpc(template: dict[str, Any]) -> None:
    """Without subnets there is no VPC configuration and no permission for one."""
    resources = resolve(template)
    assert "VpcConfig" not in str(resources)
    assert "NetworkInterface" not in str(resources)


def test_the_bucket_is_private(resources: Resources) -> None:
    """The bucket blocks public access, is encrypted and versioned, knows no ACL and outlives the stack."""
    bucket = resources["SiteBucket"]
    properties = bucket["Properties"]
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    assert "ServerSideEncryptionConfiguration" in properties["BucketEncryption"]
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert bucket["DeletionPolicy"] == bucket["UpdateReplacePolicy"] == "Retain"


def test_what_was_deleted_goes(resources: Resources) -> None:
    """Old versions stay 90 days, and nothing stays behind them: no delete marker, no half upload."""
    rules = resources["SiteBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    assert {rule["Status"] for rule in rules} == {"Enabled"}
    versions, uploads = rules
    assert versions["NoncurrentVersionExpiration"]["NoncurrentDays"] == 90
    assert versions["ExpiredObjectDeleteMarker"] is True
    assert uploads["AbortIncompleteMultipartUpload"]["DaysAfterInitiation"] == 7


def test_the_bucket_lets_nobody_in_but_the_distribution(resources: Resources) -> None:
    """The bucket's policy refuses plain HTTP, and lets this distribution alone read public/assets/."""
    policy = resources["SiteBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    (allowed,) = [each for each in policy if each["Effect"] == "Allow"]
    (refused,) = [each for each in policy if each["Effect"] == "Deny"]
    assert allowed["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert allowed["Action"] == "s3:GetObject"
    assert allowed["Resource"].endswith("/public/assets/*")
    assert "${Distribution}" in allowed["Condition"]["StringEquals"]["AWS:SourceArn"]
    assert refused["Condition"] == {"Bool": {"aws:SecureTransport": False}}
