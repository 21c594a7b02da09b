"""The same sitemap by Django's framework, in Django's environment: `python django_sitemap.py URL ROUNDS`.

Prints the milliseconds of the best round: index and all children of 5,000 entries each, rendered and gzipped.
"""

import gzip
import sys
import time
from urllib.parse import urlsplit

import django
from django.conf import settings

url = urlsplit(sys.argv[1])
settings.configure(
    ALLOWED_HOSTS=["www.example.com"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": url.path[1:],
            "USER": url.username,
            "PASSWORD": url.password,
            "HOST": url.hostname,
            "PORT": url.port,
        }
    },
    INSTALLED_APPS=["django.contrib.sitemaps"],
    ROOT_URLCONF=__name__,
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    USE_TZ=True,
)
django.setup()

from django.contrib.sitemaps import Sitemap, views  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.test import RequestFactory  # noqa: E402
from django.urls import path  # noqa: E402


class Post(models.Model):
    """A row of the table that is there."""

    slug = models.TextField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "bench"
        db_table = "posts"
        managed = False

    def get_absolute_url(self):
        return f"/posts/{self.slug}"


class Posts(Sitemap):
    """As Django's documentation has it."""

    limit = 5_000
    protocol = "https"

    def items(self):
        return Post.objects.filter(deleted_at=None).order_by("id")

    def lastmod(self, post):
        return post.updated_at

    def get_domain(self, site=None):
        return "www.example.com"


sitemaps = {"posts": Posts}
urlpatterns = [
    path("sitemap.xml", views.index, {"sitemaps": sitemaps}, name="django.contrib.sitemaps.views.index"),
    path(
        "<section>.xml", views.sitemap, {"sitemaps": sitemaps}, name="django.contrib.sitemaps.views.sitemap"
    ),
]


def render():
    requests = RequestFactory()
    index = views.index(requests.get("/sitemap.xml", headers={"host": "www.example.com"}), sitemaps).render()
    gzip.compress(index.content, 6)
    pages = index.content.count(b"<loc>")
    for page in range(1, pages + 1):
        request = requests.get(f"/posts.xml?p={page}", headers={"host": "www.example.com"})
        gzip.compress(views.sitemap(request, sitemaps, "posts").render().content, 6)
    return pages


runs = []
for _ in range(int(sys.argv[2])):
    connection.close()
    began = time.perf_counter()
    assert render() == 11
    runs.append((time.perf_counter() - began) * 1000)
print(min(runs))
