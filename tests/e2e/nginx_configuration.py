"""nginx in front of an origin: a server keyed as the template's cache policies say, and one keyed by URL."""

import getpass
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.template.cloudformation import load, resolve

# Sessions are on, so that the policy of pages has its cookie.
_PARAMETERS: Final = {"SessionJwks": "keys/jwks.json", "SessionIssuer": "i", "SessionAudience": "a"}

# `proxy_cache_use_stale`: nginx follows `stale-if-error` by itself only where the origin does not answer at
# all; for a 503 it has to be told.
_CONFIGURATION: Final = """\
daemon off;
{user}
worker_processes 2;
pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
access_log off;
client_body_temp_path {folder}/client; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
proxy_cache_path {folder}/policy keys_zone=policy:8m use_temp_path=off;
proxy_cache_path {folder}/url keys_zone=url:8m use_temp_path=off;
proxy_cache_use_stale error timeout http_500 http_502 http_503 http_504;
proxy_http_version 1.1;
add_header X-Cache $upstream_cache_status always;
upstream origin {{ server 127.0.0.1:{origin}; keepalive 32; }}

map $request_uri $raw_path {{ default $request_uri; "~^(?<before>[^?]*)\\?" $before; }}
map $http_accept_encoding $coding {{ default ""; "~*gzip *; *q=0(\\.0*)?(,|$)" ""; "~*gzip" gzip; }}
map $raw_path $policy {{ {behaviours} }}
map $policy $target {{ {targets} }}
map $policy $key_accept {{ {accept} }}
map $policy $key_host {{ {host} }}
map $policy $key_session {{ {session} }}
map $key_session $sent_session {{ default "session=$key_session"; "" ""; }}

# As the CDN: deaf to Vary, and the origin is sent what is in the key and nothing else.
server {{
  listen 127.0.0.1:{by_policy};
  location / {{
    limit_except GET HEAD {{ deny all; }}
    proxy_pass http://origin$target;
    proxy_cache policy;
    proxy_cache_key "$policy $raw_path $key_host $key_accept $key_session $coding";
    proxy_ignore_headers Vary;
    proxy_pass_request_headers off;
    proxy_set_header Connection "";
    proxy_set_header Host $key_host;
    proxy_set_header Accept $key_accept;
    proxy_set_header Accept-Encoding $coding;
    proxy_set_header Cookie $sent_session;
  }}
}}

# As RFC 9111 section 4 has it: the URL, and what Vary names.
server {{
  listen 127.0.0.1:{by_url};
  location / {{
    proxy_pass http://origin;
    proxy_cache url;
    proxy_cache_key "$scheme://$http_host$request_uri";
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
  }}
}}
}}
"""


def nginx_configuration(origin: int, by_policy: int, by_url: int, folder: Path) -> str:
    """The configuration for an origin at port `origin` and two servers at theirs; files go below `folder`."""
    policies = Policies.of_the_template()
    return _CONFIGURATION.format(
        user=f"user {getpass.getuser()};" if os.getuid() == 0 else "",
        folder=folder,
        origin=origin,
        by_policy=by_policy,
        by_url=by_url,
        behaviours=policies.behaviours(),
        targets=policies.values("$raw_path", policies.with_query, "$request_uri"),
        accept=policies.values('""', policies.keyed_by("Headers", "accept"), "$http_accept"),
        host=policies.values('""', policies.keyed_by("Headers", "x-viewer-host"), "$http_x_viewer_host"),
        session=policies.values('""', policies.keyed_by("Cookies", "session"), "$cookie_session"),
    )


@dataclass(frozen=True, slots=True)
class Policies:
    """The distribution's behaviours and cache policies. `patterns` are pairs of a path pattern and a policy's
    name, `keys` what each policy's key holds, `with_query` the policies whose origin is sent the query."""

    patterns: tuple[tuple[str, str], ...]
    default: str
    keys: Mapping[str, Any]
    with_query: frozenset[str]

    @classmethod
    def of_the_template(cls) -> "Policies":
        resources = resolve(load(), _PARAMETERS)
        distribution = resources["Distribution"]["Properties"]["DistributionConfig"]
        default = distribution["DefaultCacheBehavior"]
        # What S3 serves on AWS is the page function's here.
        named = [each for each in distribution["CacheBehaviors"] if each["TargetOriginId"] != "assets"]
        behaviours = [*named, default]
        keys = {
            name: _policy(resources, name)["ParametersInCacheKeyAndForwardedToOrigin"]
            for name in {_cache_policy(each) for each in behaviours}
        }
        assert all(key["QueryStringsConfig"]["QueryStringBehavior"] == "none" for key in keys.values())
        with_query = {_cache_policy(each) for each in behaviours if _is_sent_the_query(resources, each)}
        patterns = tuple((each["PathPattern"], _cache_policy(each)) for each in named)
        return cls(patterns, _cache_policy(default), keys, frozenset(with_query))

    def keyed_by(self, kind: str, name: str) -> frozenset[str]:
        """The policies whose key holds the header or cookie `name`; `kind` is `Headers` or `Cookies`."""
        return frozenset(
            policy for policy, key in self.keys.items() if name in key[f"{kind}Config"].get(kind, ())
        )

    def behaviours(self) -> str:
        """The body of a map from a path to its policy: `*` in a pattern is any text, `?` any character."""
        expressions = (
            (re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), policy)
            for pattern, policy in self.patterns
        )
        return "".join(f'"~^{each}$" {policy}; ' for each, policy in expressions) + f"default {self.default};"

    def values(self, usual: str, policies: frozenset[str], value: str) -> str:
        """The body of a map from a policy to `value` for some, and `usual` for all others."""
        return "".join(f"{policy} {value}; " for policy in sorted(policies)) + f"default {usual};"


def _cache_policy(behaviour: Mapping[str, Any]) -> str:
    name: str = behaviour["CachePolicyId"]["Ref"]
    return name


def _policy(resources: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    configuration: Mapping[str, Any] = resources[name]["Properties"]["CachePolicyConfig"]
    return configuration


def _is_sent_the_query(resources: Mapping[str, Any], behaviour: Mapping[str, Any]) -> bool:
    if "OriginRequestPolicyId" not in behaviour:
        return False
    policy = resources[behaviour["OriginRequestPolicyId"]["Ref"]]["Properties"]["OriginRequestPolicyConfig"]
    sent: str = policy["QueryStringsConfig"]["QueryStringBehavior"]
    return sent == "all"
