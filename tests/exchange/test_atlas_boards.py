"""Exports of a title with a random map in place of its map tiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_vassal import GRIDS, build_file, held, unpacked

from platelayer.atlas.code import encode
from platelayer.atlas.log import log_text
from platelayer.atlas.make import AtlasOptions, assemble_map
from platelayer.exchange.export import ExportOptions, export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.pictures import chosen
from platelayer.exchange.writers.vassal import vassal_files
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.map_tiles import board_of, homes_of
from platelayer.pipeline.options import BuildOptions

SETTINGS = "short,compact,7"
MAP = BuildOptions(pieces=("map",))


def test_a_seed_a_link_and_a_file_give_the_same_board(tmp_path: Path) -> None:
    box, log = assemble_map(AtlasOptions(mode="short", policy="compact", seed=7))
    path = tmp_path / "atlas.json"
    path.write_text(log_text(log), encoding="utf-8")
    titles = [
        chosen("lost-atlas", MAP, source).title
        for source in (SETTINGS, f"https://example.org/try/#atlas={encode(box, log)}", str(path))
    ]
    assert titles[0] == titles[1] == titles[2]
    (board,) = titles[0].maps
    assert {hexagon.at for hexagon in board.hexes} == {h.at for h in board_of(box, log).hexes}
    homes = {company.id for company in titles[0].companies if company.homes}
    assert homes == set(homes_of(box, log))
    assert chosen("lost-atlas", MAP, "7").title.maps != titles[0].maps


def test_a_module_of_vassal_has_the_board() -> None:
    choice = chosen("lost-atlas", MAP, SETTINGS)
    files = unpacked(choice, vassal_files(choice, 20))
    held(files)
    zones = build_file(files).iter(f"{GRIDS}mapgrid.Zone")
    assert [zone.attrib["name"] for zone in zones] == [
        hexagon.id for hexagon in choice.title.maps[0].hexes
    ]


def test_the_engine_s_files_have_the_board(tmp_path: Path) -> None:
    settings = ExportOptions(atlas=SETTINGS)
    export_title("lost-atlas", "18xx-games", tmp_path / "ruby", None, settings)
    assert "MAP_TILES" not in (tmp_path / "ruby" / "README.md").read_text(encoding="utf-8")
    game = tmp_path / "ruby" / "lib" / "engine" / "game" / "g_lost_atlas"
    imported = import_title(game, tmp_path / "back")
    board = chosen("lost-atlas", MAP, SETTINGS).title.maps[0]
    back = chosen(str(imported.folder), MAP).title.maps[0]
    assert {each.id: each.tile.colour for each in back.hexes} == {
        each.id: each.tile.colour.replace("border", "gray") for each in board.hexes
    }


@pytest.mark.parametrize(
    ("title", "source", "message"),
    [
        ("18eu", "7", "atlas: 18eu has no map tiles"),
        ("lost-atlas", "nowhere.json", "nowhere.json.*there is no such file.*short,compact,7"),
        ("lost-atlas", "tall,compact,7", "there is no mode 'tall'"),
        ("lost-atlas", "short,wild,7", "there is no policy 'wild'"),
        ("lost-atlas", "short,7", "there is no such file"),
        ("lost-atlas", "9" * 30, "seed: 9+ is not a whole number"),
    ],
)
def test_a_map_that_is_none(title: str, source: str, message: str) -> None:
    with pytest.raises((CannotRun, ProblemsFound), match=message):
        chosen(title, MAP, source)


def test_formats_without_a_map_take_no_atlas(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="atlas does nothing for csv; it is for 18xx-games, "):
        export_title("lost-atlas", "csv", tmp_path / "x", None, ExportOptions(atlas="7"))
    assert not (tmp_path / "x").exists()
