"""What the check says of maps: words that name the draw and the place, and maps typed in from a
table."""

from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace

from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.lines import log_text
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import HAND, Axial, ProjectDraw, TileDraw

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", MODES)
def test_assembled_maps_pass(mode, policy, monkeypatch):
    # Without the compiled library a sweep of the long game takes half a minute.
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    for number in range({"best": 12, "even": 2}.get(policy, 40)):
        log = assemble(BOX, mode, seed=seed_of_map(11, number), policy=policy)
        assert check_log(BOX, log) == ()


@pytest.mark.parametrize("blanks", [0, 3, 12])
def test_limited_blanks_pass(blanks):
    for number in range(10):
        log = assemble(BOX, "long", seed=number, blanks=blanks)
        assert check_log(BOX, log) == ()
        if len(log.blanks) == blanks > 0:
            assert {each.code for each in check_log(BOX, replace(log, blanks=log.blanks[1:]))} == {
                "AT14"
            }


def by_hand(seed: int = 1):
    """A legal map whose draws are in no order, as someone writes it down from a table."""
    log = assemble(BOX, "micro3", seed=seed, policy="uniform")
    draws = [
        replace(draw, alternatives=0) if isinstance(draw, TileDraw) else draw for draw in log.draws
    ]
    random.Random(seed).shuffle(draws)
    numbered = tuple(replace(draw, draw=number) for number, draw in enumerate(draws, start=1))
    return replace(log, draws=numbered, algorithm=HAND, policy=HAND, seed=None, stack=None)


@pytest.mark.parametrize("seed", range(6))
def test_a_map_by_hand_passes_in_any_order(seed):
    assert check_log(BOX, by_hand(seed)) == ()


def test_a_map_by_hand_says_what_is_wrong_and_where():
    log = by_hand()
    bearing_nothing = assemble(BOX, "micro3", seed=1, policy="uniform").placed[-1]
    last = next(
        draw
        for draw in log.placed
        if draw.at == bearing_nothing.at and draw.tile == bearing_nothing.tile
    )
    away = replace(last, at=last.at + Axial(30, 0))
    broken = replace(log, draws=tuple(away if draw is last else draw for draw in log.draws))
    found = [each for each in check_log(BOX, broken) if each.code == "AT07"]
    assert [each.pointer for each in found] == [f"/draws/{last.draw - 1}"]
    assert "in every order" in found[0].message


def test_a_map_by_hand_counts_its_capitals():
    log = by_hand()
    without = replace(
        log, draws=tuple(draw for draw in log.draws if not isinstance(draw, ProjectDraw))
    )
    assert [each.code for each in check_log(BOX, without)] == ["AT12"]


def test_words_name_the_draw_the_tile_and_the_place():
    log = assemble(BOX, "micro2", seed=1, policy="uniform")
    index = next(i for i, draw in enumerate(log.draws) if isinstance(draw, TileDraw) and i > 2)
    draw, first = log.draws[index], log.placed[0]
    onto = replace(draw, at=first.at, rotation=first.rotation)
    broken = replace(log, draws=(*log.draws[:index], onto, *log.draws[index + 1 :]))
    found = next(each for each in check_log(BOX, broken) if each.code == "AT06")
    assert found.message.startswith(
        f"draw {draw.draw}, tile {draw.tile}: lies on [{first.at.q}, {first.at.r}]"
    )
    assert f"of tile {first.tile}" in found.message


def test_the_command_tells_places_in_the_file(platelayer, tmp_path):
    log = assemble(BOX, "micro2", seed=7)
    (tmp_path / "good.json").write_text(log_text(log), encoding="utf-8")
    good = platelayer("atlas", "check", "good.json")
    assert (good.returncode, good.stdout) == (0, "1 map checked: no problems\n")
    value = json.loads(log_text(log))
    value["blanks"].append([30, 30])
    (tmp_path / "bad.json").write_text(json.dumps(value, indent=1), encoding="utf-8")
    bad = platelayer("atlas", "check", "good.json", "bad.json")
    assert bad.returncode == 1
    assert "AT13 a blank at [30, 30]: there is no home beside it" in bad.stdout
    line = int(bad.stdout.split(":")[1])
    assert (tmp_path / "bad.json").read_text("utf-8").splitlines()[line - 1].strip() == "["
    assert "2 maps checked: 1 problem" in bad.stdout
    told = json.loads(platelayer("atlas", "check", "bad.json", "--format", "json").stdout)
    assert [each["code"] for each in told["problems"]] == ["AT13"]


def test_the_gallery_is_the_same_each_time(platelayer, tmp_path):
    for name in ("one.svg", "two.svg", "sheets.pdf"):
        done = platelayer("atlas", "gallery", "--mode", "micro2", "--count", "13", "-o", name)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")
    assert platelayer("atlas", "gallery", "--mode", "tiny", "-o", "no.svg").returncode == 2
