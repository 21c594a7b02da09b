"""The report as one page that needs nothing else: no script, no font, no request."""

from collections.abc import Iterator
from html import escape
from typing import Final

from fingerpost.site.dates import to_w3c
from fingerpost.site.problems import Severity
from fingerpost_tools.auditing.lastmod_chart import lastmod_chart
from fingerpost_tools.auditing.registry import Finding, Outcome
from fingerpost_tools.auditing.report import Report, plural
from fingerpost_tools.auditing.urls import absolute

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1d1f24;--paper:#fff;--faint:#667;--line:#dde;--bar:#3a6ea5;
--error:#b3261e;--warning:#8a5a00;--hint:#2f5f8f}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ee;--paper:#15171c;--faint:#99a;--line:#334;--bar:#7fb0e6;
--error:#ff8a80;--warning:#e6b450;--hint:#8fc1f2}}
body{margin:0 auto;max-width:60rem;padding:2rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2.5rem}
p.faint,td.faint,.detail{color:var(--faint)}
.counts{display:flex;gap:1rem;flex-wrap:wrap;padding:0;list-style:none}
.counts li{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem}
.counts b{display:block;font-size:1.6rem}
.error{color:var(--error)}.warning{color:var(--warning)}.hint{color:var(--hint)}
details{border-top:1px solid var(--line);padding:.75rem 0}summary{cursor:pointer}
summary code{font-weight:600}details ul{overflow-wrap:anywhere;padding-left:1.2rem}
li details{border:0;padding:0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;
border-bottom:1px solid var(--line);vertical-align:top}
svg{width:100%;height:auto}svg rect{fill:var(--bar)}svg line{stroke:var(--line)}
svg text{fill:var(--faint);font-size:12px}
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def html_report(report: Report) -> str:
    """The whole page. Everything that came from the site is escaped, and no address of it is a link unless
    it is http(s)."""
    facts = report.facts
    home = escape(facts.scope.home)
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
        f"<title>Audit of {home}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{home}</h1>",
        f'<p class="faint">{escape(to_w3c(facts.now))} · {escape(report.extent)} · '
        f"{plural(report.checks, 'check')}</p>",
        *(f"<p>{escape(note)}</p>" for note in report.notes()),
        _counts(report),
        "<h2>Findings</h2>",
        *(_outcome(outcome) for outcome in report.outcomes),
        "" if report.outcomes else "<p>None.</p>",
        *_policies(report),
        *_chart(report),
        "</body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _counts(report: Report) -> str:
    items = [
        f'<li class="{severity}"><b>{report.count(severity)}</b>{severity}s</li>' for severity in Severity
    ]
    return f'<ul class="counts">{"".join(items)}</ul>'


def _outcome(outcome: Outcome) -> str:
    check = outcome.check
    opened = "" if check.severity is Severity.HINT else " open"
    items = "".join(f"<li>{_finding(finding)}</li>" for finding in outcome.findings)
    return (
        f'<details{opened}><summary><span class="{check.severity}">{check.severity}</span> '
        f"<code>{escape(check.id)}</code> {escape(check.says)} "
        f'<span class="detail">{plural(len(outcome.findings), "place")}</span></summary>'
        f"<p>{escape(check.advice)}</p><ul>{items}</ul></details>"
    )


def _finding(finding: Finding) -> str:
    detail = f' <span class="detail">{escape(finding.detail)}</span>' if finding.detail else ""
    more = ""
    if len(finding.pages) > 1:
        items = "".join(f"<li>{_address(page)}</li>" for page in finding.pages)
        more = f"<details><summary>{plural(len(finding.pages), 'page')}</summary><ul>{items}</ul></details>"
    return f"{_address(finding.address)}{detail}{more}"


def _address(address: str) -> str:
    """An address as a link; a place within a file (`… line 3`) is none to follow."""
    shown = escape(address)
    if not absolute(address) or " " in address:
        return shown
    return f'<a href="{shown}" rel="nofollow noreferrer">{shown}</a>'


def _policies(report: Report) -> Iterator[str]:
    yield "<h2>What robots.txt lets AI robots fetch</h2>"
    names = "".join(f"<th>{name}</th>" for name in ("robot", "of", "for", "may fetch", "by"))
    yield f"<table><thead><tr>{names}</tr></thead><tbody>"
    for policy in report.policies:
        said = f"User-agent: {policy.group}" if policy.group else "no rule"
        signals = f"; {policy.signals}" if policy.signals else ""
        yield (
            f"<tr><td>{escape(policy.agent.token)}</td><td>{escape(policy.agent.operator)}</td>"
            f"<td>{policy.agent.purpose}</td><td>{escape(policy.may_fetch)}</td>"
            f'<td class="faint">{escape(said + signals)}</td></tr>'
        )
    yield "</tbody></table>"


def _chart(report: Report) -> Iterator[str]:
    chart = lastmod_chart(report.lastmods())
    if chart:
        yield "<h2>Pages by the date of their last change</h2>"
        yield chart
