"""The documents as a site: every page has its place, links are rewritten, and the built site holds
together."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import docs_site
from docs_site import DOCS, LANGUAGES, PAGES, ROOT, WORDS, Site, fields, rewritten
from platelayer.definitions.catalogue import catalogue_definitions
from platelayer.foundation.resources import title_ids


def site(language: str) -> Site:
    return Site(language=language, source=Path("nowhere"), repository="https://example.org/repo")


def test_every_document_is_in_the_site_once() -> None:
    assert len(PAGES) == len(set(PAGES))
    assert {path.name for path in DOCS.glob("*.md")} <= set(PAGES)
    assert {f"rules/{path.name}" for path in DOCS.glob("rules/*.md")} <= set(PAGES)
    assert {path.name for path in DOCS.glob("ja/*.md")} <= set(PAGES)
    assert all(len(words) == len(LANGUAGES) for words in WORDS.values())


def test_links_lead_to_pages_or_to_the_repository() -> None:
    text = "[a](docs/rules.md#pc04) ![b](docs/pictures/b.png) [c](LICENSE) [![d](docs/pictures/d.png)](schemas) [e](#e)"
    assert rewritten(site("en"), text, ROOT) == (
        "[a](rules.md#pc04) ![b](pictures/b.png) [c](https://example.org/repo/blob/main/LICENSE) "
        "[![d](pictures/d.png)](https://example.org/repo/tree/main/schemas) [e](#e)"
    )
    assert rewritten(site("en"), "[a](../README.md#gallery) [b](https://x.org/y.md)", DOCS) == (
        "[a](index.md#gallery) [b](https://x.org/y.md)"
    )
    assert rewritten(site("en"), "[a](rules/map.md#mp01)", DOCS) == "[a](rules/map.md#mp01)"
    assert rewritten(site("en"), "[a](../rules.md) [b](map.md)", DOCS / "rules") == (
        "[a](../rules.md) [b](map.md)"
    )


def test_places_in_a_translated_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From English, a place that the Japanese page may not have is left out; Japanese may name the
    English page."""
    (tmp_path / "ja").mkdir()
    for name in ("atlas.md", "ja/atlas.md", "rules.md"):
        (tmp_path / name).write_text("# A\n", encoding="utf-8")
    monkeypatch.setattr(docs_site, "DOCS", tmp_path)
    text = "[a](atlas.md#fair) [b](rules.md#pc04)"
    assert rewritten(site("ja"), text, tmp_path) == "[a](atlas.md) [b](rules.md#pc04)"
    text = "[a](atlas.md#fair) [b](../rules.md#pc04) [c](../atlas.md#how)"
    assert rewritten(site("ja"), text, tmp_path / "ja") == (
        '[a](atlas.md#fair) [b](rules.md#pc04) <a href="../atlas.html#how" hreflang="en">c</a>'
    )


def test_every_field_is_told() -> None:
    text = fields()
    assert text.count("\n| `") > 300
    assert "| `certificate_limit` |" in text
    assert {
        len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")
    } == {4}


class Links(HTMLParser):
    """Addresses on a page, the places that it has, and pictures without a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()
        self.untold = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [given[key] for key in ("href", "src") if key in given and tag != "base"]
        self.places |= {given[key] for key in ("id", "name") if key in given}
        self.untold += tag == "img" and not given.get("alt")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("material") is None, reason="needs the extra site")
def test_the_site_is_whole(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "generator", *filter(None, sys.path)))),
    }
    command = [sys.executable, str(ROOT / "tools/docs_site.py"), "site"]
    done = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = {path: Links(path.read_text("utf-8")) for path in (tmp_path / "site").rglob("*.html")}
    for language in ("", "ja/"):
        assert {f"{language}{page.removesuffix('.md')}.html" for page in PAGES} <= {
            path.relative_to(tmp_path / "site").as_posix() for path in pages
        }
        tiles = pages[tmp_path / f"site/{language}catalogue.html"].places
        assert {f"tile-{number}" for number in catalogue_definitions()} <= tiles
        assert all(
            (tmp_path / f"site/{language}titles/{title}/index.html").exists()
            for title in title_ids()
        )
    for path, page in pages.items():
        assert page.untold == 0, path
        for address in page.addresses if path.name != "404.html" else ():
            parts = urlsplit(address)
            if parts.scheme:
                assert parts.scheme in ("https", "http", "mailto"), address
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path}: {address}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].places, f"{path}: {address}"
