"""Random maps as variants of their title: the board, its figures, and its exports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from test_vassal import GRIDS, build_file, held, unpacked

from platelayer.atlas.lines import code_of, log_text, seed_of
from platelayer.atlas.make import AtlasOptions, assemble_map
from platelayer.atlas.measures import Surveyor
from platelayer.atlas.report import companies_in_play, deal
from platelayer.cli.app import cli
from platelayer.definitions.schemas import schema_problems
from platelayer.drawing.map.board import draw_poster
from platelayer.exchange.export import export_title
from platelayer.exchange.importers import import_title
from platelayer.exchange.writers.pictures import chosen
from platelayer.exchange.writers.vassal import vassal_files
from platelayer.foundation.problems import CannotRun, ProblemsFound, Severity, nowhere
from platelayer.model.map_tiles import board_of, board_origin, homes_of, place_name
from platelayer.model.tile import StopKind, Tile
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import find, judge
from platelayer.rules.graph import upgrade_graph
from shipped import shipped

SETTINGS = "short,compact,7"
MAP = BuildOptions(variant=f"atlas={SETTINGS}", pieces=("map",))
MODES = ("long", "short", "micro3", "micro2")


def paid(tile: Tile, step: int = 0) -> int:
    """Income of a tile whose grouped stops count once."""
    places = {stop.groups or (number,): stop for number, stop in enumerate(tile.stops)}
    return sum(stop.revenue[step].value for stop in places.values() if stop.revenue)


def test_a_seed_a_link_and_a_file_give_the_same_board(tmp_path: Path) -> None:
    box, log = assemble_map(AtlasOptions(mode="short", policy="compact", seed=7))
    path = tmp_path / "atlas.json"
    path.write_text(log_text(log), encoding="utf-8")
    titles = [
        find("lost-atlas", variant=f"atlas={source}").title
        for source in (SETTINGS, f"https://example.org/try/#atlas={code_of(box, log)}", str(path))
    ]
    assert titles[0] == titles[1] == titles[2]
    (board,) = titles[0].maps
    assert {hexagon.at for hexagon in board.hexes} == {h.at for h in board_of(box, log).hexes}
    homes = {company.id for company in titles[0].companies if company.homes}
    assert homes == set(homes_of(box, log))
    assert find("lost-atlas", variant="atlas=7").title.maps != titles[0].maps


@pytest.mark.parametrize(
    "number", [*range(8), *(pytest.param(each, marks=pytest.mark.slow) for each in range(8, 200))]
)
def test_a_map_is_a_sound_title_with_the_figures_of_its_measures(number: int) -> None:
    mode, policy = MODES[number % 4], ("compact", "uniform")[number // 4 % 2]
    box, log = assemble_map(AtlasOptions(mode=mode, policy=policy, seed=2000 + number))
    loaded = find("lost-atlas", variant=f"atlas={mode},{policy},{2000 + number}")
    assert not schema_problems(loaded.assembled.value, "title", nowhere)
    found = (*loaded.problems, *judge(loaded))
    assert [str(each) for each in found if each.severity is not Severity.NOTE] == []
    title = loaded.title
    (board,) = title.maps
    figures = dict(log.metrics)
    assert len(board.hexes) == figures["hexes"] + figures["blanks"]
    assert sum(bool(company.homes) for company in title.companies) == figures["homes"]
    areas = [hexagon.tile for hexagon in board.hexes if hexagon.tile.stops_of(StopKind.OFFBOARD)]
    assert len({area.stops[0].groups or area.id for area in areas}) == figures["destinations"]
    # They pay by the card that players of this map are dealt.
    companies = companies_in_play(box, box.mode_by_id[mode], log)
    players, seed = box.mode_by_id[mode].players[0], seed_of(code_of(box, log))
    dealt = deal(shipped("lost-atlas"), log, companies=companies, players=players, seed=seed)
    cards = {card.id: card.revenue for card in title.pieces.destination_cards}
    assert dealt.card is None or {area.stops[0].revenue for area in areas} == {cards[dealt.card]}
    # What each hex earns at first: what it prints, or else the yellow tiles that it takes.
    tiles = {entry.tile.id: entry.tile for entry in title.tiles}
    laid: dict[str, set[int]] = {}
    for pair in upgrade_graph(title).pairs:
        laid.setdefault(pair.source, set()).add(paid(tiles[pair.to]))
    ground, origin = Surveyor(box).subject(log).ground, board_origin(log)
    for at, face in zip(ground.places, ground.faces, strict=True):
        hexagon = board.by_id[place_name(at, origin)]
        if hexagon.tile not in areas:
            printed = {paid(hexagon.tile)} - {0}
            assert face.income in (printed or laid.get(f"hex:{hexagon.id}") or {face.income}), at
            assert bool(face.income) is bool(hexagon.tile.stops_of(StopKind.CITY))


def test_water_takes_bridges_where_a_company_lays_them_and_looks_the_same() -> None:
    choice = chosen("lost-atlas", BuildOptions(variant="atlas=long,compact,7"))
    (board,) = choice.title.maps
    water = [hexagon.id for hexagon in board.hexes if hexagon.tile.ground == "tile.blue"]
    bridges = {pair.to for pair in upgrade_graph(choice.title).pairs if pair.source[4:] in water}
    assert bridges == {"721", "722", "723"}
    hexes = tuple(
        replace(hexagon, tile=Tile(id=hexagon.id, colour="blue"))
        if hexagon.id in water
        else hexagon
        for hexagon in board.hexes
    )
    scenes = (
        draw_poster(choice.title, drawn, 30.0, choice.style, key="map:atlas")
        for drawn in (board, replace(board, hexes=hexes))
    )
    assert len({repr(scene) for scene in scenes}) == 1
    # Bridging does not play in the short game.
    short = find("lost-atlas", variant=f"atlas={SETTINGS}").title
    assert not any(hexagon.tile.terrain and hexagon.tile.ground for hexagon in short.maps[0].hexes)


def test_a_module_of_vassal_has_the_board() -> None:
    choice = chosen("lost-atlas", MAP)
    files = unpacked(choice, vassal_files(choice, 20))
    held(files)
    zones = build_file(files).iter(f"{GRIDS}mapgrid.Zone")
    assert [zone.attrib["name"] for zone in zones] == [
        hexagon.id for hexagon in choice.title.maps[0].hexes
    ]


def test_the_engine_s_files_have_the_board(tmp_path: Path) -> None:
    export_title("lost-atlas", "18xx-games", tmp_path / "ruby", replace(MAP, pieces=()))
    assert "MAP_TILES" not in (tmp_path / "ruby" / "README.md").read_text(encoding="utf-8")
    game = tmp_path / "ruby" / "lib" / "engine" / "game" / "g_lost_atlas"
    imported = import_title(game, tmp_path / "back")
    board = chosen("lost-atlas", MAP).title.maps[0]
    back = find(imported.folder).title.maps[0]
    assert {each.id: each.tile.colour for each in back.hexes} == {
        each.id: each.tile.colour for each in board.hexes
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
        find(title, variant=f"atlas={source}")


def test_commands_take_the_map_and_a_position_remembers_it(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        result = CliRunner().invoke(cli, words)
        return result.output + str(result.exception or "")

    start = tmp_path / "start.json"
    start.write_text(run("export", "lost-atlas", "--atlas", SETTINGS, "--to", "position"))
    position = json.loads(start.read_text())
    box, log = assemble_map(AtlasOptions(mode="short", seed=7))
    assert position["variant"] == f"atlas={code_of(box, log)}"
    # Agricultural at B8 runs to the city at C7 over two yellow cities.
    position |= {"tiles": {"B8": "57 4", "C7": "57 1"}, "tokens": {"B8": ["AG"]}}
    start.write_text(json.dumps(position))
    assert "1 file checked: no problems" in run("check", str(start))
    own = ("lost-atlas", "--position", str(start), "--company", "AG", "--trains", "2")
    report = run("routes", *own)
    assert report.startswith("AG: $40 is the most")
    assert run("routes", *own, "--atlas", SETTINGS) == report
    assert "hex:B8" in run("upgrades", "lost-atlas", "--atlas", SETTINGS, "--format", "json")
    assert "map:atlas" in run("manifest", "lost-atlas", "--atlas", SETTINGS)
    assert f"a position of {position['variant']}, not of" in run(
        "routes", *own, "--atlas", "short,compact,8"
    )
    both = run("manifest", "lost-atlas", "--atlas", SETTINGS, "--variant", "short")
    assert "--variant and --atlas exclude each other" in both
