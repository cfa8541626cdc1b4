"""A map is shown in layers, few of which an edit changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from platelayer.studio.pictures import Face, Pictures
from platelayer.studio.view import View
from studio.conftest import small_title, version, wait_for_new
from studio.test_guard import ask
from studio.test_live import opened


@pytest.fixture
def view(tmp_path: Path) -> View:
    made = View(small_title(tmp_path / "title"), "", None)
    made.reload()
    return made


def edited(view: View, edit) -> None:
    path = view.folder / "map.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    edit(value["map"])
    path.write_text(json.dumps(value), encoding="utf-8")
    view.reload()


def the_map(pictures: Pictures, view: View) -> Face:
    (face,) = pictures.faces(view, "map:main", "en", "classic")
    return face


def marks(svg: bytes) -> list[bytes]:
    """What an SVG paints, in order."""
    content = svg.partition(b"</defs>")[2] or svg
    return re.findall(rb"<(?:path|circle|use|g) [^>]*>", content.replace(b"<defs />", b""))


def test_layers_over_each_other_are_the_whole_picture(view: View) -> None:
    pictures = Pictures()
    face = the_map(pictures, view)
    layers = [pictures.layer(name) for name in face.layers]
    assert len(layers) > 2
    whole = pictures.face(view, "map:main", "en", "classic", 0).svg
    assert [mark for layer in layers for mark in marks(layer)] == marks(whole)
    assert len({re.search(rb'viewBox="[^"]*"', svg)[0] for svg in (*layers, whole)}) == 1


def test_a_name_changes_what_is_written_and_not_the_ground(view: View) -> None:
    pictures = Pictures()
    before = the_map(pictures, view)
    edited(view, lambda board: board["hexes"]["A3"].update(name="Renamed"))
    after = the_map(pictures, view)
    same = [one == other for one, other in zip(before.layers, after.layers, strict=True)]
    assert same[0]
    assert not all(same)
    edited(view, lambda board: board["hexes"]["A3"].pop("name"))
    assert the_map(pictures, view).layers != after.layers
    assert all(pictures.layer(name) for name in after.layers), (
        "a page may still ask for what it was told"
    )


def test_a_page_gets_the_layers_that_changed_without_asking(studio, page) -> None:
    before = opened(page, studio)
    shown = "[...document.querySelectorAll('.picture > img')].map(image => image.dataset.src)"
    first = page.evaluate(shown)
    assert len(first) > 2
    page.watched.addresses.clear()
    path = studio.folder / "map.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["map"]["hexes"]["A3"]["name"] = "Renamed"
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    wait_for_new(page, before)
    assert version(page) != before
    now = page.evaluate(shown)
    assert 0 < len({*now} - {*first}) < len(first)
    assert not any("/layer/" in address for address in page.watched.addresses)
    assert page.evaluate(
        "[...document.querySelectorAll('.picture > img')].every(image => image.naturalWidth)"
    )


def test_a_layer_that_is_not_known_is_refused(studio) -> None:
    assert ask(studio, f"/layer/{24 * '0'}")[0] == 404
