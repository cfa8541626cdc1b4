"""Codes of maps: the whole log in letters and digits, there and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from everymap import BOXES
from often import some_of
from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.lines import code_of, log_of, seed_of
from platelayer.atlas.make import AtlasOptions, assemble_map, load_source, make_map
from platelayer.atlas.report import companies_in_play, deal
from platelayer.atlas.table import with_blanks
from platelayer.definitions.build import shipped_box
from platelayer.foundation.problems import ProblemsFound
from platelayer.model.map_tiles import HAND, AtlasLog, Axial, TileDraw, board_of
from shipped import shipped

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)
# Codes that were printed: they must be read for ever.
PRINTED = {
    "1D1c79yhU9JijXx3VD7A52NG49Rw5mZBAAkAghdnFRbDnq1Rk": ("micro2", "uniform", 100308841),
}


def by_hand(log: AtlasLog, draws: int) -> AtlasLog:
    """The first draws of a map, as it is typed in."""
    laid = [
        replace(draw, alternatives=0) if isinstance(draw, TileDraw) else draw
        for draw in log.draws[:draws]
    ]
    return replace(
        log,
        draws=tuple(laid),
        blanks=(),
        seed=None,
        stack=None,
        restarts=0,
        blank_limit=None,
        policy=HAND,
        algorithm=HAND,
    )


@pytest.mark.parametrize("part", some_of(20))
def test_a_map_comes_back_from_its_code(part: slice) -> None:
    for number in range(1000)[part]:
        there_and_back(number)


def there_and_back(number: int) -> None:
    mode = MODES[number % 4]
    policy = ("compact", "uniform")[number // 4 % 2]
    limit = 12 if number // 8 % 2 else None
    log = assemble(BOX, mode, seed=seed_of_map(3, number), policy=policy, blanks=limit)
    code = code_of(BOX, log)
    assert code.isalnum()
    assert code.isascii()
    assert len(code) <= 145
    assert log_of(BOX, code) == log
    half = by_hand(log, number % len(log.draws))
    whole = with_blanks(BOX, by_hand(log, len(log.draws)))
    for typed in (half, whole):
        assert log_of(BOX, code_of(BOX, typed)) == typed


def test_a_long_map_takes_about_120_letters() -> None:
    logs = [assemble(BOX, "long", seed=seed) for seed in range(20)]
    assert sum(len(code_of(BOX, log)) for log in logs) / 20 < 122


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_has_codes(policy: str) -> None:
    log = assemble(BOX, "micro3", seed=2**53 - 1, policy=policy)
    assert log_of(BOX, code_of(BOX, log)) == log


@pytest.mark.parametrize("name", BOXES)
def test_other_boxes_have_codes(name: str) -> None:
    box = BOXES[name]
    for mode in box.mode_by_id:
        log = assemble(box, mode, seed=5)
        assert log_of(box, code_of(box, log)) == log


@pytest.mark.parametrize("code", PRINTED)
def test_printed_codes_are_read(code: str) -> None:
    mode, policy, seed = PRINTED[code]
    log = log_of(BOX, code)
    assert (log.mode, log.policy, log.seed) == (mode, policy, seed)
    assert log == assemble(BOX, mode, seed=seed, policy=policy, blanks=log.blank_limit)
    assert code_of(BOX, log) == code


def test_a_map_lies_anywhere() -> None:
    log = by_hand(assemble(BOX, "micro2", seed=1), 9)
    moved = replace(
        log,
        draws=tuple(
            replace(draw, at=draw.at + Axial(30, -40))
            if isinstance(draw, TileDraw)
            else replace(draw, overlay_at=draw.overlay_at and draw.overlay_at + Axial(30, -40))
            for draw in log.draws
        ),
    )
    assert code_of(BOX, moved) == code_of(BOX, log)


CODE = code_of(BOX, assemble(BOX, "short", seed=1))


@given(st.integers(0, len(CODE) - 1), st.characters(codec="ascii", categories=("L", "Nd")))
def test_a_wrong_letter_is_noticed(at: int, letter: str) -> None:
    wrong = CODE[:at] + letter + CODE[at + 1 :]
    if wrong != CODE:
        with pytest.raises(ProblemsFound, match="AT23"):
            log_of(BOX, wrong)


@given(st.integers(0, len(CODE) - 2))
def test_letters_exchanged_are_noticed(at: int) -> None:
    wrong = CODE[:at] + CODE[at + 1] + CODE[at] + CODE[at + 2 :]
    if wrong != CODE:
        with pytest.raises(ProblemsFound, match="AT23"):
            log_of(BOX, wrong)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(ProblemsFound, match="AT23"):
        log_of(BOX, text)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_cut_code_is_noticed(cut: int) -> None:
    for wrong in (CODE[:-cut], CODE[cut:], CODE[:10] + CODE[10 + cut :]):
        with pytest.raises(ProblemsFound, match="AT23"):
            log_of(BOX, wrong)


def test_a_code_that_fits_together_but_not_the_box_is_refused() -> None:
    log = by_hand(assemble(BOX, "micro2", seed=1), 9)
    larger = replace(BOX, map_tiles=(*BOX.map_tiles, replace(BOX.map_tiles[0], number=900)))
    other = replace(log, draws=(replace(log.draws[0], tile=900, copy=1), *log.draws[1:]))
    with pytest.raises(ProblemsFound, match="of this title"):
        log_of(BOX, code_of(larger, other))


def test_one_code_for_drawn_laid_and_finished_maps(platelayer) -> None:
    """Every command that reads a map reads its code, and `new` makes the same files of it."""
    drawn = make_map(AtlasOptions(mode="micro2", seed=8, drawn=False))
    link = f"https://example.org/try/#atlas={drawn.code}"
    again = make_map(AtlasOptions(source=link, drawn=False))
    assert again.files == drawn.files
    assert again.code == drawn.code
    assert load_source(BOX, drawn.code[:20] + "\n " + drawn.code[20:]).log == replace(
        drawn.log, metrics=()
    )
    half = code_of(BOX, by_hand(drawn.log, 11))
    done = platelayer("atlas", "endings", half, "--format", "json", "--most", "100000")
    assert done.returncode == 0, done.stderr
    ending = json.loads(done.stdout)["endings"][0]
    assert platelayer("atlas", "check", ending["code"], link).returncode == 0
    done = platelayer("atlas", "new", "--from", half, "--finish", "--seed", "1", "--no-draw")
    assert done.returncode == 0, done.stderr
    code = done.stdout.split("Code:")[1].split()[0]
    laid = load_source(BOX, code).log
    assert laid.seed is None
    assert len(laid.placed) == 11
    done = platelayer("atlas", "check", half, drawn.code[:-1])
    assert done.returncode == 1
    assert "AT23" in done.stdout
    assert "AT04" in done.stdout or "AT15" in done.stdout


def test_an_older_link_names_mode_policy_and_seed() -> None:
    box, log = assemble_map(AtlasOptions(mode="micro2", seed=4711))
    older = load_source(box, "https://example.org/#atlas=micro2,compact,4711")
    assert older.log == replace(log, metrics=())
    assert check_log(box, older.log, name=older.name) == ()


def test_a_link_never_reads_a_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "map.txt").write_text("mode micro2\n", "utf-8")
    with pytest.raises(ProblemsFound, match="AT23"):
        load_source(BOX, "#atlas=map.txt")


@pytest.mark.parametrize("mode", MODES)
def test_the_same_map_is_dealt_alike(mode: str) -> None:
    title = shipped("lost-atlas")
    log = assemble(BOX, mode, seed=4)
    companies = companies_in_play(BOX, BOX.mode_by_id[mode], log)
    seed = seed_of(code_of(BOX, log))
    for players, cash in BOX.mode_by_id[mode].cash:
        dealt = deal(title, log, companies=companies, players=players, seed=seed)
        again = log_of(BOX, code_of(BOX, log))
        assert dealt == deal(title, again, companies=companies[::-1], players=players, seed=seed)
        assert sorted(dealt.seats) == list(range(1, players + 1))
        assert dealt.cash == cash
        assert sorted(sum(dealt.columns, ())) == sorted(companies)
        assert tuple(map(len, dealt.columns)) == BOX.mode_by_id[mode].columns
        red = any(each.tile.colour == "red" for each in board_of(BOX, log).hexes)
        assert (dealt.card in {"A", "B", "C"}) is red
        assert dealt.card is not None or not red


def test_other_maps_are_dealt_otherwise() -> None:
    title, dealt = shipped("lost-atlas"), set()
    for number in range(20):
        log = assemble(BOX, "long", seed=number)
        companies = companies_in_play(BOX, BOX.mode_by_id["long"], log)
        seed = seed_of(code_of(BOX, log))
        dealt.add(deal(title, log, companies=companies, players=4, seed=seed))
    assert len({each.columns for each in dealt}) == 20
    assert len({each.seats for each in dealt}) > 5
    assert {each.card for each in dealt} >= {"A", "B", "C"}


def test_players_are_printed(platelayer) -> None:
    drawn = make_map(AtlasOptions(mode="short", seed=8, players=4, png=False))
    assert "Seats:" in drawn.report
    assert "Column 2:" in drawn.report
    assert "275 with 4 players" in drawn.report
    assert "450" not in drawn.report
    guide = drawn.files["guide.html"].decode()
    assert "Column 1, from the top:" in guide
    assert "4 players: $275 each." in guide
    blind = make_map(AtlasOptions(mode="micro3", seed=8, players=3, png=False))
    assert "Column 1, from" not in blind.files["blind.html"].decode().partition("<ol>")[0]
    assert "Column 1, from" in blind.files["guide.html"].decode()
    done = platelayer("atlas", "new", "--from", drawn.code, "--players", "5", "--no-draw")
    assert done.returncode == 2
    assert "mode short is for 2 to 4 players; for 5 use long" in done.stderr
