"""The documents as a site: every page has its place, links are rewritten, and the built site holds
together."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import docs_site
from axe import barriers
from chromium import opened_browser
from docs_site import DOCS, LANGUAGES, PAGES, ROOT, WORDS, Site, fields, rewritten
from gate import require_module
from platelayer.definitions.build import catalogue_definitions
from platelayer.foundation.resources import title_ids
from platelayer.studio.worker import title_of


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
        "[a](readme.md#gallery) [b](https://x.org/y.md)"
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


TASKS = {
    "print 18EU on Letter": ("printing-home.md#choose-the-paper", "build 18eu --paper letter"),
    "make a new Lost Atlas map": ("atlas.md", "atlas new --mode long"),
    "bring a game from 18xx.games": ("importing.md", "import ruby/lib/engine/game/g_18_eu"),
    "cut tiles on a plotter": ("printing-cutter.md", "--cut spot"),
    "change one price and print only that": ("printing.md#print-only-what-changed", "--since"),
    "check my file in CI": ("checking.md#on-github", ".github/workflows/"),
    "use my own logo": ("definitions.md#pictures-of-the-title", '"logo": "PRR"'),
    "Japanese cards": ("printing.md#change-the-look-or-the-language", "--lang ja"),
    "export to Tabletop Simulator": ("exporting.md#tabletop-simulator", "`Saves` with the save"),
    "play with two, a variant": ("printing.md#print-only-some-of-the-pieces", "--variant moravia"),
    "play on from a position": ("positions.md", "--position paused.json"),
}
"""The tasks of newcomers: where the home page leads with one click, and the words that they need there."""


@pytest.mark.parametrize("task", TASKS)
def test_a_newcomer_gets_there_from_the_home_page(task: str) -> None:
    address, words = TASKS[task]
    page, _, place = address.partition("#")
    found = {
        "-".join(re.findall(r"[\w-]+", part.partition("\n")[0].lower())): part
        for part in re.split(r"^#+ ", (DOCS / page).read_text("utf-8"), flags=re.MULTILINE)[1:]
    }
    assert f"]({address})" in (DOCS / "index.md").read_text("utf-8")
    assert words in (found[place] if place else "".join(found.values()))


def test_the_home_page_has_the_same_tasks_in_both_languages() -> None:
    pages = [(DOCS / name).read_text("utf-8") for name in ("index.md", "ja/index.md")]
    targets = [{*re.findall(r"\]\((?:\.\./)?([\w-]+\.md)", page)} for page in pages]
    assert targets[0] == targets[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with a page in place of the browser edition that has a title at once."""
    require_module("material", "site")
    folder = tmp_path_factory.mktemp("site")
    (folder / "edition").mkdir()
    (folder / "edition/index.html").write_text(
        '<!doctype html><title>Edition</title><div class="viewer"><img alt="A map"></div>', "utf-8"
    )
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "generator", *filter(None, sys.path)))),
    }
    command = [sys.executable, str(ROOT / "tools/docs_site.py"), "site", "edition"]
    done = subprocess.run(
        command, env=env, cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    """The address of the site."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_links_and_colours_are_accessible(built: Path, address: str) -> None:
    """By axe, on every page of the site in both schemes: what WCAG 2.1 requires at level AA."""
    faults: list[str] = []
    with opened_browser() as browser:
        for scheme in ("light", "dark"):
            page = browser.new_context(color_scheme=scheme).new_page()
            page.route(re.compile(r"\.(png|webp|svg)$"), lambda picture: picture.abort())
            for path in sorted(built.rglob("*.html")):
                name = path.relative_to(built).as_posix()
                if name.startswith("try/"):
                    continue
                page.goto(f"{address}/{name}")
                faults += [f"{name} ({scheme}): {fault}" for fault in barriers(page)]
    assert faults == []


@pytest.mark.slow
def test_the_home_page_has_a_game_to_try(address: str) -> None:
    with opened_browser() as browser:
        for home in ("index.html", "ja/index.html"):
            page = browser.new_page()
            page.goto(f"{address}/{home}")
            assert page.locator(".trial img").is_visible()
            page.locator(".trial button").click()
            page.wait_for_selector(".trial.there iframe")
            assert page.locator(".trial img").is_hidden()
            packed = page.locator(".trial iframe").get_attribute("src").partition("#title=")[2]
            linked = title_of(packed)
            assert (linked.name, "map.json" in linked.files) == ("my-game", True)


@pytest.mark.slow
def test_the_site_is_whole(built: Path) -> None:
    pages = {path: Links(path.read_text("utf-8")) for path in built.rglob("*.html")}
    for language in ("", "ja/"):
        assert {f"{language}{page.removesuffix('.md')}.html" for page in PAGES} <= {
            path.relative_to(built).as_posix() for path in pages
        }
        tiles = pages[built / f"{language}catalogue.html"].places
        assert {f"tile-{number}" for number in catalogue_definitions()} <= tiles
        assert all(
            (built / f"{language}titles/{title}/index.html").exists() for title in title_ids()
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
            if parts.fragment and target in pages and target.parent.name != "try":
                assert unquote(parts.fragment) in pages[target].places, f"{path}: {address}"
