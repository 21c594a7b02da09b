"""Rows for the blog of the real sites: ordinary posts, awkward slugs, attacks, and posts nobody may see.

The content is made here, always the same, as a `seed.sql` for the embedded database.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from fingerpost.documents.escape import drop_forbidden
from tests.unit.documents.payloads import PAYLOADS

FIRST: Final = datetime(2024, 1, 5, 8, 30, tzinfo=UTC)
ORDINARY: Final = 120
# What stands in the text of every post that is kept back, and of every one that has no address.
UNSEEN: Final = "Zaunkönig-unseen"
NAMELESS: Final = "Zaunkönig-nameless"

# Slugs that an address can hold: each is published, encoded once.
AWKWARD: Final = (
    *("q-&-a", "beans & patience", "a=b&c=d", "a;b,c", "semi;colon", "(paren)", "*star*", "$dollar", "@at"),
    *(
        "!bang",
        "~tilde",
        "colon:name",
        "[brackets]",
        "{curly}",
        "|pipe|",
        "^caret",
        "`tick`",
        "it's",
        '"quoted"',
    ),
    *(
        "<b>bold</b>",
        "what?",
        "what?really=1",
        "sharp#1",
        "a+b",
        "50%",
        "100%25",
        "%2F",
        "%",
        "%zz",
        "%C3%A9",
    ),
    *("a/b", "/leading", "trailing/", "back\\slash", " leading space", "trailing space ", "two  spaces"),
    *("café", "cafe\u0301", "grêle", "İstanbul", "straße", "ﬁne", "日本語", "한국어", "مرحبا", "שלום", "ไทย"),
    *(
        "🦆",
        "👩‍🚀",
        "🇫🇷",
        "\U0010ffff",
        "\ufffd",
        "\ufeffbom",
        "\u200bzero-width",
        "\u202ertl",
        "\u00a0nbsp",
        "\u2028line",
    ),
    *("post.md", "index", "index.md", "index.html", "sitemap.xml", "robots.txt", "feed.xml", "llms.txt"),
    *(
        "v1.2.3",
        ".hidden",
        "ends.",
        "a..b",
        "...",
        "-",
        "_",
        "0",
        "007",
        "true",
        "null",
        "NULL",
        "UPPER",
        "upper",
    ),
    *("favicon.ico", ".well-known", "_preview", "é" * 300, "n" * 1_800),
)
# Slugs that no address can hold: no client could ask for them.
IMPOSSIBLE: Final = (
    *("", ".", "..", "../app.yaml", "a/../b", "..\\..\\app.yaml", "./x", "a/..", "tab\there", "new\nline"),
    *("bell\x07", "del\x7f", "c1\x85"),
)
# Slugs whose address is longer than a loc may be: the page is there, the sitemap passes it over.
TOO_LONG: Final = ("é" * 400, "n" * 2_100)


@dataclass(frozen=True, slots=True)
class Post:
    """One row of the blog's `posts`."""

    slug: str | None
    title: str
    excerpt: str | None
    body: str
    status: str = "published"
    published_at: datetime | None = FIRST
    updated_at: datetime = FIRST
    deleted_at: datetime | None = None

    def sql(self) -> str:
        values = [
            *map(_text, (self.title, self.slug, self.excerpt, self.body, self.status)),
            *map(_time, (self.published_at, self.published_at or FIRST, self.updated_at, self.deleted_at)),
            "1",
        ]
        return f"({', '.join(values)})"


def public_posts() -> list[Post]:
    """The posts that everyone may read and the sitemap lists, one for each slug."""
    return [*_ordinary(), *_awkward(AWKWARD), *_attacks()]


def unseen_posts() -> list[Post]:
    """The posts that nobody may read: drafts and deleted ones."""
    later = FIRST + timedelta(days=3)
    return [
        *(_kept_back(UNSEEN, f"draft-{n}", n, status="draft") for n in range(12)),
        *(_kept_back(UNSEEN, f"deleted-{n}", n, deleted_at=later) for n in range(12)),
    ]


def nameless_posts() -> list[Post]:
    """The posts that anyone may read in a list, but that have no address."""
    return [_kept_back(NAMELESS, slug, n) for n, slug in enumerate((None, *IMPOSSIBLE))]


def seed_sql() -> str:
    """The script that fills the blog's tables."""
    columns = "title, slug, excerpt, body, status, published_at, created_at, updated_at, deleted_at, author"
    posts = (*public_posts(), *_awkward(TOO_LONG), *unseen_posts(), *nameless_posts())
    rows = ",\n".join(post.sql() for post in posts)
    return (
        "INSERT INTO authors (name, slug, bio) VALUES ('Ada & Grace', 'ada', 'Two people.');\n"
        f"INSERT INTO posts ({columns}) VALUES\n{rows};\n"
    )


def _ordinary() -> Iterator[Post]:
    for number in range(ORDINARY):
        day = FIRST + timedelta(days=3 * number, minutes=17 * number)
        yield Post(
            slug=f"post-{number:03}",
            title=f"Post number {number}",
            excerpt=f"What happened on day {3 * number}.",
            body=f"It was day **{3 * number}**.\n\n- one\n- two\n\n```sh\necho '{number}'\n```\n",
            published_at=day,
            updated_at=day + timedelta(hours=number % 7),
        )


def _awkward(slugs: Sequence[str]) -> Iterator[Post]:
    for number, slug in enumerate(slugs):
        at = FIRST - timedelta(days=1 + number)
        yield Post(
            slug=slug,
            title=f"Awkward {number}: {slug[:40]}",
            excerpt=f"Its slug is {slug[:40]!r} & it is meant.",
            body=f"The slug: `{slug[:40]}`\n\n![picture](/a.png) [link](../) [other](//cdn.example/y) ]]>",
            published_at=at,
            updated_at=at,
        )


def _attacks() -> Iterator[Post]:
    shown: set[str] = set()
    for number, payload in enumerate(PAYLOADS):
        text = payload.replace("\0", "")  # Postgres holds none
        if drop_forbidden(text) in shown:
            text += f" {number}"  # readers can't tell the two apart
        shown.add(drop_forbidden(text))
        at = FIRST - timedelta(days=400 + number)
        yield Post(f"attack-{number}", text, f"{text}\x1d\x0b", text, published_at=at, updated_at=at)


def _kept_back(
    mark: str,
    slug: str | None,
    number: int,
    *,
    status: str = "published",
    deleted_at: datetime | None = None,
) -> Post:
    at = FIRST + timedelta(days=1_000, minutes=number)
    title = f"{mark} {number}"
    return Post(slug, title, title, title, status, at, at, deleted_at)


def _text(value: str | None) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def _time(value: datetime | None) -> str:
    return "NULL" if value is None else f"'{value:%Y-%m-%d %H:%M:%S}+00'"
