"""Maps that people laid: written down in lines, checked in the words of the rules, drawn, and
finished."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from everymap import BOXES
from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import Land, check_log
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.layouts import looks_alike
from platelayer.atlas.lines import load_log, load_map, read_hand
from platelayer.atlas.make import AtlasOptions, atlas_new
from platelayer.atlas.measures import measure
from platelayer.atlas.table import TooMany, endings, finish, in_order, with_blanks
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.map_tiles import (
    AtlasLog,
    Axial,
    Ground,
    MapTile,
    ProjectDraw,
    TileDraw,
    board_of,
    board_origin,
    place_name,
    tile_hexes,
)
from refusals import refused

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)


def lines_of(log: AtlasLog, *, by_hexes: bool, blanks: bool = True) -> list[str]:
    """A map as people write it down."""
    origin = board_origin(log)
    lines = []
    for draw in log.draws:
        if isinstance(draw, ProjectDraw):
            if draw.overlay_at is not None:
                lines.append(f"capital {place_name(draw.overlay_at, origin)}")
            continue
        if by_hexes:
            said = [f"{each.ground.value} {place_name(at, origin)}" for at, each in BOX.laid(draw)]
            random.Random(draw.draw).shuffle(said)
            lines.append(f"Tile {draw.tile}: {' · '.join(said)}")
        else:
            lines.append(f"{draw.tile} {place_name(draw.at, origin).lower()} {draw.rotation}")
    random.Random(1).shuffle(lines)
    if blanks and log.blanks:
        lines.append("blank " + ", ".join(place_name(at, origin) for at in log.blanks))
    return ["# from our table", f"mode {log.mode}", "", *lines]


def same_map(one: AtlasLog, other: AtlasLog) -> bool:
    """Do they lead to the same board?"""
    hexes = [
        sorted(board_of(BOX, log).hexes, key=lambda hexagon: hexagon.at) for log in (one, other)
    ]
    # Both halves of a destination share a group that names a copy.
    return repr(hexes[0]) == repr(hexes[1])


@pytest.mark.parametrize("by_hexes", [True, False])
@pytest.mark.parametrize("mode", MODES)
def test_a_map_in_lines_is_the_map(tmp_path: Path, mode, by_hexes):
    for seed in range(6):
        log = assemble(BOX, mode, seed=seed, policy="uniform")
        path = tmp_path / "map.txt"
        path.write_text("\n".join(lines_of(log, by_hexes=by_hexes)), "utf-8")
        loaded = load_map(path, BOX)
        assert check_log(BOX, loaded.log) == ()
        assert same_map(loaded.log, log)
        assert Counter(draw.tile for draw in loaded.log.placed) == Counter(
            draw.tile for draw in log.placed
        )


@pytest.mark.parametrize("mode", MODES)
def test_blanks_are_worked_out_and_draws_put_in_order(mode):
    for seed in range(10):
        log = assemble(BOX, mode, seed=seed)
        text = "\n".join(lines_of(log, by_hexes=True, blanks=False))
        hand = read_hand(text, Path("map.txt"), BOX)
        assert not hand.lists_blanks
        whole = with_blanks(BOX, in_order(hand.log))
        assert check_log(BOX, whole) == ()
        assert same_map(whole, log)
        covered: set[Axial] = set()
        for draw in whole.draws:
            if isinstance(draw, ProjectDraw):
                assert draw.overlay_at in covered
                continue
            places = tile_hexes(draw.at, draw.rotation)
            near = sum(place.steps_to(other) == 1 for place in places for other in covered)
            assert near >= 3 or not covered
            covered.update(places)
        assert [draw.draw for draw in whole.draws] == list(range(1, len(whole.draws) + 1))


def test_copies_of_a_log_are_worked_out(tmp_path: Path):
    log = assemble(BOX, "long", seed=3)
    draws = [
        {"draw": draw.draw, "tile": draw.tile, "at": draw.at, "rotation": draw.rotation}
        if isinstance(draw, TileDraw)
        else {
            "draw": draw.draw,
            "capital_project": draw.capital_project,
            "overlay_at": draw.overlay_at,
        }
        for draw in log.draws
    ]
    path = tmp_path / "map.json"
    path.write_text(
        json.dumps({"format": "platelayer.atlas/1", "mode": "long", "draws": draws}), "utf-8"
    )
    loaded = load_map(path, BOX)
    assert not loaded.lists_blanks
    assert check_log(BOX, with_blanks(BOX, loaded.log)) == ()
    second = json.loads(path.read_text("utf-8"))
    twelve = [draw for draw in second["draws"] if draw.get("tile") == 12]
    twelve[0]["copy"] = 2
    path.write_text(json.dumps(second), "utf-8")
    assert [draw.copy for draw in load_log(path).log.placed if draw.tile == 12] == [2, 1]


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("3 D4", "AT21", "a place and a turn, or three hexes"),
        ("3 D4 6", "AT21", '"6" is no turn'),
        ("3 4D 2", "AT21", '"4D" is no place'),
        ("3 D5 2", "AT21", "D5 lies between two hexes"),
        ("99 D4 2", "AT21", "no map tile 99"),
        ("3 city D4 hill E5 plain D6", "AT21", '"hill" is no hex'),
        ("captal D4", "AT21", "begins no line"),
        ("capital", "AT21", "a place is expected"),
        ("3 city D4 plain E5 home D6", "AT22", "tile 3 cannot lie so"),
        ("3 city D4 home E5 plain D8", "AT22", "three places round a corner"),
    ],
)
def test_a_line_that_cannot_be_read(line, code, told):
    (problem,) = refused(read_hand, f"mode micro2\ncapital B2\n{line}\n", Path("map.txt"), BOX)
    assert (problem.code, problem.file, problem.line) == (code, "map.txt", 3)
    assert told in problem.message
    assert problem.hint


def test_the_mode_is_missing():
    with pytest.raises(ProblemsFound, match="the mode of play is missing"):
        read_hand("3 D4 2", Path("map.txt"), BOX)
    assert read_hand("3 D4 2", Path("map.txt"), BOX, "micro2").log.mode == "micro2"


def test_the_check_speaks_of_lines_and_printed_places(platelayer, tmp_path: Path):
    log = assemble(BOX, "micro2", seed=4)
    lines = lines_of(log, by_hexes=False)
    number = next(index for index, line in enumerate(lines) if line[:1].isdigit())
    tile, place, turn = lines[number].split()
    # 52 columns to the right: the rows of a column stay odd or even.
    lines[number] = (
        f"{tile} b{place} {turn}"
        if len(place.rstrip("0123456789")) == 1
        else f"{tile} z{place[1:]} {turn}"
    )
    (tmp_path / "map.txt").write_text("\n".join(lines), "utf-8")
    done = platelayer("atlas", "check", "map.txt")
    assert done.returncode == 1
    assert f"map.txt:{number + 1}:1 error AT07" in done.stdout
    assert (
        "touches other tiles along too few edges in every order; at least 3 are needed"
        in done.stdout
    )
    assert not re.search(r"\[-?\d+, -?\d+\]", done.stdout)


def test_a_map_from_the_table_is_drawn(platelayer, tmp_path: Path):
    log = assemble(BOX, "micro3", seed=9)
    (tmp_path / "map.txt").write_text(
        "\n".join(lines_of(log, by_hexes=True, blanks=False)), "utf-8"
    )
    done = platelayer("atlas", "new", "--from", "map.txt", "--no-png", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "mode micro3, laid by hand" in done.stdout
    assert "Fairness:" in done.stdout
    assert "Again:" not in done.stdout
    drawn = load_log(tmp_path / "out/atlas.json").log
    assert same_map(drawn, log)
    assert dict(drawn.metrics) == measure(BOX, log)
    assert {"map.pdf", "guide.pdf", "guide.html", "map.svg"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    assert "Laid by hand" in (tmp_path / "out/guide.html").read_text("utf-8")
    again = platelayer("atlas", "new", "--from", "out/atlas.json", "--no-draw", "-o", "out2")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "out2/atlas.json").read_bytes() == (tmp_path / "out/atlas.json").read_bytes()


def half_of(log: AtlasLog, tiles: int) -> AtlasLog:
    """The first tiles of a map and the capitals on them, as laid by hand."""
    draws = []
    for draw in log.draws:
        if (
            isinstance(draw, TileDraw)
            and len([d for d in draws if isinstance(d, TileDraw)]) < tiles
        ):
            draws.append(replace(draw, alternatives=0))
        elif isinstance(draw, ProjectDraw) and draw.overlay_at is not None:
            laid = {
                at for d in draws if isinstance(d, TileDraw) for at in tile_hexes(d.at, d.rotation)
            }
            if draw.overlay_at in laid:
                draws.append(draw)
    numbered = tuple(replace(draw, draw=number) for number, draw in enumerate(draws, start=1))
    return replace(
        log, draws=numbered, blanks=(), seed=None, stack=None, policy="hand", algorithm="hand"
    )


@pytest.mark.parametrize("policy", ["uniform", "compact", "best"])
@pytest.mark.parametrize("mode", MODES)
def test_a_half_laid_map_is_finished_by_the_rules(mode, policy):
    for number in range(6):
        seed = seed_of_map(5, number)
        half = half_of(assemble(BOX, mode, seed=seed, policy="uniform"), 1 + 2 * number)
        assert check_log(BOX, half, finished=False) == ()
        whole = finish(BOX, half, seed=number, policy=policy)
        assert check_log(BOX, whole) == ()
        assert set(half.draws) <= {replace(draw, draw=0) for draw in whole.draws} | set(whole.draws)
        assert finish(BOX, half, seed=number, policy=policy) == whole


def ways_to_lay(half: AtlasLog, tile: MapTile) -> int:
    """The number of placements as the independent check counts them."""
    land = Land()
    for draw in half.placed:
        borders = tuple(each.ground is Ground.BORDER for _, each in BOX.laid(draw))
        land.lay(draw.tile, draw.hexes, borders)
    return land.alternatives(tile)


def test_every_legal_end_comes_up():
    """The last tile of a map, taken off again, comes to lie wherever the rules have it."""
    whole = assemble(BOX, "short", seed=2)
    half, last = half_of(whole, len(whole.placed) - 1), BOX.tile_by_number[whole.placed[-1].tile]
    legal = ways_to_lay(half, last)
    finished = (finish(BOX, half, seed=seed, policy="uniform") for seed in range(15 * legal))
    ends = {
        (draw.at, draw.rotation)
        for log in finished
        for draw in log.placed
        if draw.tile == last.number
    }
    assert len(ends) == legal


@pytest.mark.slow
def test_all_endings_are_those_that_finishing_comes_to():
    """A box with stacks of three tiles, one of them laid: all that comes up by chance is listed,
    and nothing else."""
    box = BOXES["stacks"]
    whole = assemble(box, box.modes[0].id, seed=4, policy="uniform")
    half = half_of(whole, 1)
    listed = {_lying(log): log for log in endings(box, half, most=5000)}
    drawn = {
        _lying(finish(box, half, seed=seed, policy="uniform")) for seed in range(20 * len(listed))
    }
    assert drawn == set(listed)
    for log in listed.values():
        assert check_log(box, log) == ()
    with pytest.raises(TooMany):
        [*endings(box, half, most=len(listed) - 1)]


def _lying(log):
    grounds = {n.number: n for n in BOXES["stacks"].map_tiles}
    tiles = frozenset(
        (
            d.tile,
            frozenset(tile_hexes(d.at, d.rotation)),
            None if looks_alike(grounds[d.tile]) else d.at,
        )
        for d in log.placed
    )
    return tiles, frozenset(log.overlays)


def test_the_last_tile_of_a_map_has_as_many_endings_as_legal_places(platelayer, tmp_path: Path):
    whole = assemble(BOX, "short", seed=2)
    half, last = half_of(whole, len(whole.placed) - 1), BOX.tile_by_number[whole.placed[-1].tile]
    assert half.overlays == whole.overlays
    text = "\n".join(lines_of(half, by_hexes=False))
    (tmp_path / "half.txt").write_text(text, "utf-8")
    done = platelayer(
        *["atlas", "endings", "half.txt", "--count", "1", "--best"],
        "least table_long_mm",
        "--format",
        "json",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["ways"] == ways_to_lay(half, last)
    (best,) = told["endings"]
    known = [] if best["lines"][0].startswith("mode") else [text]
    (tmp_path / "whole.txt").write_text("\n".join([*known, *best["lines"]]), "utf-8")
    assert platelayer("atlas", "check", "whole.txt").returncode == 0
    done = platelayer("atlas", "endings", "half.txt", "--most", "2")
    assert done.returncode == 2
    assert "can be finished in more than 2 ways" in done.stderr


def test_what_cannot_be_taken_is_said(tmp_path: Path):
    log = assemble(BOX, "micro2", seed=4)
    half = tmp_path / "half.txt"
    half.write_text("\n".join(lines_of(half_of(log, 4), by_hexes=True)), "utf-8")
    options = AtlasOptions(source=half, drawn=False)
    assert all(
        "--finish" in problem.hint for problem in refused(atlas_new, tmp_path / "out", options)
    )
    for wrong, told in (
        (replace(options, mode="long"), "is a map of mode micro2, not long"),
        (replace(options, seed=3), "only|needs none"),
        (replace(options, finish=True, policy="even"), "even cannot finish a map"),
    ):
        with pytest.raises(CannotRun, match=told):
            atlas_new(tmp_path / "out", wrong)
    done = atlas_new(tmp_path / "out", replace(options, finish=True, seed=1))
    assert len(done.log.placed) == 11


def test_a_map_that_was_laid_is_not_written_over(tmp_path: Path):
    atlas_new(tmp_path, AtlasOptions(mode="micro2", seed=3, drawn=False))
    mine = tmp_path / "atlas.json"
    mine.write_text(mine.read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
    before = mine.read_bytes()
    with pytest.raises(CannotRun, match="it is what was read"):
        atlas_new(tmp_path, AtlasOptions(mode="", source=mine, drawn=False))
    assert mine.read_bytes() == before
