"""Names of pieces: each piece of a title has one of its own, and knows where in the definition it
comes from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from platelayer.definitions.titles import load_title
from platelayer.foundation.resources import title_ids, title_path
from platelayer.model.manifest import build_manifest
from refusals import refused
from shipped import loaded


@pytest.mark.parametrize("title", title_ids())
def test_every_piece_comes_from_a_place_of_the_definition(title: str) -> None:
    read = loaded(title)
    pieces = build_manifest(read.title).pieces
    for piece in pieces:
        found: Any = read.assembled.value
        for key in piece.origin:
            found = found[int(key) if isinstance(found, list) else key]
    owned = {
        piece.origin
        for piece in pieces
        if piece.kind in ("map", "tile", "train", "charter", "private", "marker")
    }
    assert () not in owned
    assert owned >= {("trains", train.id) for train in read.title.trains}


def test_an_overlay_may_not_have_the_name_of_one_that_the_map_tiles_bring(tmp_path: Path) -> None:
    folder = shutil.copytree(title_path("lost-atlas"), tmp_path / "atlas")
    title = json.loads((folder / "title.json").read_text("utf-8"))
    board = {
        "name": "Board",
        "layout": "flat",
        "coordinates": {"letters_on": "x"},
        "hexes": {"A1": {}},
    }
    overlays = {
        "blank": {"name": "Blank", "hex": "A1"},
        "capitol": {"name": "Capitol", "hex": "A1"},
    }
    title |= {"maps": {"board": board}, "pieces": {"overlays": overlays}}
    (folder / "title.json").write_text(json.dumps(title, indent=1), encoding="utf-8")
    one, other = refused(load_title, folder)
    assert {(each.code, each.pointer, Path(each.file).name) for each in (one, other)} == {
        ("DF06", "/pieces/overlays/blank", "title.json"),
        ("DF06", "/atlas/blank_overlays", "map-tiles.json"),
    }
    assert "overlay:blank" in one.message
    assert f"{one.file}:{one.line}" in other.message
    assert f"{other.file}:{other.line}" in one.message
