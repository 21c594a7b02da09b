"""A small site in which everything that not all may read carries a mark, and the visitors that ask for it.

What an answer may hold is then told from its bytes alone, whatever cache it came through.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ISSUER: Final = "https://id.example"
AUDIENCE: Final = "guarded"
COOKIE: Final = "session"
JWKS: Final = "keys/jwks.json"

MEMBER: Final = "member"
EDITOR: Final = "editor"
ANONYMOUS: Final = "anonymous"
# Who has a session that proves nothing: out of date, or signed with a key of nobody's.
EXPIRED: Final = "expired"
FORGED: Final = "forged"
VISITORS: Final = (ANONYMOUS, MEMBER, EDITOR, EXPIRED, FORGED)

# Every mark, and who may see it.
READERS: Final[Mapping[bytes, frozenset[str]]] = {
    b"mark-members-plan": frozenset({MEMBER}),
    b"mark-editors-plan": frozenset({EDITOR}),
    b"mark-desk": frozenset({MEMBER, EDITOR}),
    b"mark-vault": frozenset({MEMBER}),
    b"mark-notes": frozenset({EDITOR}),
    b"mark-draft": frozenset(),
    b"mark-deleted": frozenset(),
}

_APP: Final = """\
name: Guarded
description: A site with doors.
tables:
  - name: posts
    permissions:
      read: all
      fields: [{field: notes, read: [editor]}]
    fields:
      - {name: title, type: single-line-text}
      - {name: slug, type: single-line-text}
      - {name: excerpt, type: long-text}
      - {name: notes, type: long-text}
      - {name: published_at, type: datetime}
  - name: news
    permissions: {read: all}
    fields:
      - {name: title, type: single-line-text}
      - {name: slug, type: single-line-text}
  - name: vault
    permissions: {read: [member]}
    fields:
      - {name: title, type: single-line-text}
      - {name: slug, type: single-line-text}
pages:
  - {name: home, path: /, meta: {title: Home}, markdown: {file: content/home.md}}
  - name: about
    path: /about
    meta: {title: About}
    components: [{type: text, content: Nothing is hidden here.}]
  - name: board
    path: /board
    meta: {title: Board}
    components:
      - {type: list, dataSource: {table: vault}, itemTemplate: {title: $record.title}}
  - name: desk
    path: /desk
    access: authenticated
    meta: {title: Desk}
    components: [{type: text, content: mark-desk}]
  - name: post
    path: /posts/:slug
    collection: {table: posts, slugField: slug}
    rss: true
    meta: {title: $record.title}
    components:
      - {type: text, element: h1, content: $record.title}
      - {type: text, content: $record.notes}
  - name: news
    path: /news/:slug
    collection: {table: news, slugField: slug}
    meta: {title: $record.title}
    components: [{type: text, content: $record.title}]
  - name: vault
    path: /vault/:slug
    collection: {table: vault, slugField: slug}
    meta: {title: $record.title}
    components: [{type: text, content: $record.title}]
  - name: docs
    path: /docs/:path*
    meta: {title: Docs}
    contentDir: {directory: content/docs, slugFrom: filepath}
  - name: members
    path: /members/:path*
    access: [member]
    meta: {title: Members}
    contentDir: {directory: content/members, slugFrom: filepath}
  - name: editors
    path: /editors/:path*
    access: {require: [editor], redirectTo: /about}
    meta: {title: Editors}
    contentDir: {directory: content/editors, slugFrom: filepath}
"""

_FILES: Final[Mapping[str, str]] = {
    "app.yaml": _APP,
    "content/home.md": "# Home\n\nCome in.\n",
    # Long enough to be worth compressing.
    "content/docs/start.md": "---\ntitle: Start\n---\n# Start\n\n" + "The door is on the left.\n\n" * 80,
    "content/docs/next.md": "---\ntitle: Next\n---\n# Next\n\nAnd the stairs on the right.\n",
    "content/docs/draft.md": "---\ntitle: mark-draft\ndraft: true\n---\n# Draft\n\nmark-draft\n",
    "content/members/plan.md": "---\ntitle: Plan\n---\n# Plan\n\n" + "mark-members-plan\n\n" * 100,
    "content/editors/plan.md": "---\ntitle: Plan\n---\n# Plan\n\nmark-editors-plan\n",
    "public/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "public/site.0a1b2c3d.css": "body { color: black }\n",
}

SCHEMA: Final = """\
CREATE TABLE posts (
  id serial PRIMARY KEY, title varchar, slug varchar, excerpt text, notes text, published_at timestamptz,
  created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), deleted_at timestamptz
);
CREATE TABLE news (
  id serial PRIMARY KEY, title varchar, slug varchar,
  created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), deleted_at timestamptz
);
CREATE TABLE vault (
  id serial PRIMARY KEY, title varchar, slug varchar,
  created_at timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), deleted_at timestamptz
);
INSERT INTO posts (title, slug, excerpt, notes, published_at, deleted_at) VALUES
  ('First', 'first', 'The first.', 'mark-notes', '2026-01-01', NULL),
  ('A & B', 'a & b', 'The second.', 'mark-notes', '2026-01-02', NULL),
  ('mark-deleted', 'deleted', 'mark-deleted', 'mark-notes', '2026-01-03', '2026-01-04');
INSERT INTO vault (title, slug) VALUES ('mark-vault', 'gold');
"""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The cookie of each visitor (`name=token`), None for who has none, and the keys that vouch for them."""

    cookies: Mapping[str, str | None]
    jwks: bytes


def write(root: Path, sessions: Sessions) -> None:
    """Write the site below `root`, which any user may then read."""
    for key, content in {**_FILES, JWKS: sessions.jwks.decode()}.items():
        path = root / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def sessions() -> Sessions:
    """Sessions of this run's own: ES256, valid for an hour, but for those that are meant to be worthless."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from jwt.algorithms import ECAlgorithm

    ours, another = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    public: dict[str, Any] = ECAlgorithm.to_jwk(ours.public_key(), as_dict=True)
    jwks = {"keys": [{**public, "kid": "a", "alg": "ES256", "use": "sig"}]}
    hour = 60 * 60
    cookies = {
        ANONYMOUS: None,
        MEMBER: _cookie(ours, [MEMBER], hour),
        EDITOR: _cookie(ours, [EDITOR], hour),
        EXPIRED: _cookie(ours, [MEMBER, EDITOR, "admin"], -hour),
        FORGED: _cookie(another, [MEMBER, EDITOR, "admin"], hour),
    }
    return Sessions(cookies, json.dumps(jwks).encode())


def settings() -> dict[str, str]:
    """What the functions need in order to believe those sessions."""
    return {
        "SESSION_JWKS": JWKS,
        "SESSION_COOKIE": COOKIE,
        "SESSION_ISSUER": ISSUER,
        "SESSION_AUDIENCE": AUDIENCE,
    }


def _cookie(key: Any, roles: list[str], seconds: int) -> str:
    import jwt

    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": roles[0],
        "iat": now,
        "exp": now + seconds,
        "roles": roles,
    }
    return f"{COOKIE}={jwt.encode(claims, key, algorithm='ES256', headers={'kid': 'a'})}"


def leaked(body: bytes, visitor: str) -> list[bytes]:
    """The marks in `body` that `visitor` may not see."""
    return [mark for mark, readers in READERS.items() if mark in body and visitor not in readers]
