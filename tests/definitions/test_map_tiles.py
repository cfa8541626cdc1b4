"""Map tiles: track and stops on their hexes are held to the same as those of tiles and maps."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from platelayer.definitions.build import load_box
from platelayer.definitions.titles import load_title
from platelayer.foundation.resources import title_path
from refusals import refused


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"stops": [], "track": [[0, "stop:0"]]}, ("RF07", "/track/0/1")),
        (
            {"stops": [{"kind": "city"}], "track": [[0, "stop:0"], ["stop:1", 3]]},
            ("RF07", "/track/1/0"),
        ),
        ({"stops": [], "track": [[3, 3]]}, ("DF02", "/track/0")),
        (
            {"stops": [{"kind": "town", "slots": 2}], "track": [[0, "stop:0"]]},
            ("DF02", "/stops/0/slots"),
        ),
    ],
)
def test_what_a_hex_of_a_map_tile_cannot_have(
    change: Any, fault: tuple[str, str], tmp_path: Path
) -> None:
    folder = shutil.copytree(title_path("lost-atlas"), tmp_path / "atlas")
    file = folder / "map-tiles.json"
    value = json.loads(file.read_text("utf-8"))
    tiles = value["atlas"]["map_tiles"].items()
    number, index = next(
        (n, i)
        for n, tile in tiles
        for i, each in enumerate(tile["hexes"])
        if isinstance(each, dict)
    )
    value["atlas"]["map_tiles"][number]["hexes"][index]["tile"] |= change
    file.write_text(json.dumps(value), encoding="utf-8")
    code, at = fault
    for load in (lambda: load_title(folder), lambda: load_box(file)):
        (problem,) = refused(load)
        assert problem.code == code
        assert problem.pointer.endswith(f"/map_tiles/{number}/hexes/{index}/tile{at}")


def test_revenue_goes_by_colours_and_phases_that_there_are(tmp_path: Path) -> None:
    folder = shutil.copytree(title_path("lost-atlas"), tmp_path / "atlas")
    file = folder / "map-tiles.json"
    value = json.loads(file.read_text("utf-8"))
    tiles = value["atlas"]["map_tiles"].items()
    number, index = next(
        (n, i)
        for n, tile in tiles
        for i, each in enumerate(tile["hexes"])
        if isinstance(each, dict)
    )
    stop = {"kind": "city", "revenue": {"chartreuse": 20}}
    value["atlas"]["map_tiles"][number]["hexes"][index]["tile"] |= {
        "stops": [stop],
        "track": [[0, "stop:0"]],
    }
    file.write_text(json.dumps(value), encoding="utf-8")
    (problem,) = refused(load_title, folder)
    assert problem.code == "RF04"
    assert problem.pointer.endswith(
        f"/map_tiles/{number}/hexes/{index}/tile/stops/0/revenue/chartreuse"
    )


def test_a_company_that_lays_bridges_is_at_home_somewhere(tmp_path: Path) -> None:
    folder = shutil.copytree(title_path("lost-atlas"), tmp_path / "atlas")
    file = folder / "map-tiles.json"
    value = json.loads(file.read_text("utf-8"))
    value["atlas"]["bridging"] = ["BR", "AD", "XX"]
    file.write_text(json.dumps(value), encoding="utf-8")
    for load in (lambda: load_title(folder), lambda: load_box(file)):
        (problem,) = refused(load)
        assert problem.code == "RF03"
        assert problem.pointer.endswith("/atlas/bridging/2")
