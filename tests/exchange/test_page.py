"""The page of a title: every piece once, links that lead somewhere, words that stay words."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from platelayer.exchange.export import ExportOptions, export_title
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_manifest

_EMPTY = {"meta", "link", "img"}


class Page(HTMLParser):
    """What a page has: elements in order, each with its attributes; its text; raises for tags that
    do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def exported(title: str | Path, folder: Path, **options: object) -> Page:
    export_title(title, "page", folder, BuildOptions(**options))
    return Page((folder / "index.html").read_text("utf-8"))


def addresses(page: Page) -> list[str]:
    return [each[key] for _, each in page.elements for key in ("href", "src") if key in each]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Page, Path]:
    """The page of 18EU, and its folder."""
    folder = tmp_path_factory.mktemp("page")
    return exported("18eu", folder), folder


def every_piece_once(page: Page, title: str) -> None:
    assert [each["id"] for each in page.all("figure")] == [
        piece.key for piece in read_manifest(title).pieces
    ]
    ids = [each["id"] for _, each in page.elements if "id" in each]
    assert len(ids) == len(set(ids))


def test_every_piece_is_there_once(whole: tuple[Page, Path]) -> None:
    every_piece_once(whole[0], "18eu")


@pytest.mark.slow
@pytest.mark.parametrize("title", ["18cz", "1824"])
def test_every_piece_of_a_title_is_there_once(title: str, tmp_path: Path) -> None:
    every_piece_once(exported(title, tmp_path), title)


def test_links_lead_to_what_is_there_and_nothing_is_left_over(whole: tuple[Page, Path]) -> None:
    page, folder = whole
    ids = {each["id"] for _, each in page.elements if "id" in each}
    named = {unquote(address) for address in addresses(page)}
    assert {address[1:] for address in named if address.startswith("#")} <= ids
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {address for address in named if not address.startswith("#")} | {"index.html"} == files
    assert page.all("script") == []
    assert not any(
        name.startswith("on") or name == "style" for _, each in page.elements for name in each
    )


def test_pictures_say_what_they_show(tmp_path: Path) -> None:
    page = exported(
        "18eu", tmp_path, language="ja", pieces=("map", "tile:57", "checklist", "train:3")
    )
    texts = [each["alt"] for each in page.all("img")]
    assert all(texts)
    assert len(set(texts)) == len(texts)
    assert "タイル：57" in texts
    assert any("（2枚目）" in text for text in texts)
    assert page.all("html") == [{"lang": "ja"}]
    for path in tmp_path.glob("pictures/*.svg"):
        assert ElementTree.parse(path).getroot().find("{*}title").text in texts


def test_plain_backs_are_left_out_and_others_are_shown(tmp_path: Path) -> None:
    exported("18eu", tmp_path, pieces=("tile:57", "train"))
    assert [path.name for path in sorted(tmp_path.glob("pictures/tile*"))] == ["tile-57-front.svg"]
    by_key = {piece.key: piece for piece in read_manifest("18cz").pieces}
    exported("18cz", tmp_path / "cz", pieces=("charter", "tile:57"))
    shown = {path.name for path in (tmp_path / "cz").glob("pictures/*-back.svg")}
    assert shown == {
        f"charter-{piece.id}-back.svg"
        for piece in by_key.values()
        if piece.kind == "charter" and piece.back == "play"
    }


def test_options_that_it_does_not_heed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="dpi does nothing for page"):
        export_title("18eu", "page", tmp_path, BuildOptions(), ExportOptions(dpi=100))


def test_a_variant_is_named(tmp_path: Path) -> None:
    page = exported("1841", tmp_path, variant="lite", pieces=("market",))
    assert "Lite" in page.text
