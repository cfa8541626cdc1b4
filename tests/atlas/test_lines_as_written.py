"""Maps in lines as people write them: in any language, with names of companies and other counts of
rows, with slips."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from often import often, some_of
from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.lines import atlas_words, lines_of, read_hand, vocabulary
from platelayer.definitions.build import shipped_box
from platelayer.foundation.languages import Tongue, languages
from platelayer.foundation.problems import ProblemsFound
from platelayer.model.map_tiles import (
    AtlasLog,
    Axial,
    TileDraw,
    board_origin,
    doubled,
    place_name,
    tile_hexes,
)
from refusals import refused
from shipped import shipped

BOX = shipped_box()
MODES = tuple(BOX.mode_by_id)
TITLE = shipped("lost-atlas")
ROOT = Path(__file__).resolve().parents[2]


@cache
def words():
    return vocabulary(TITLE)


def read(text: str, mode: str = "") -> AtlasLog:
    return read_hand(text, Path("map.txt"), BOX, mode, words).log


def map_lines(log: AtlasLog, name: Callable[[Axial], str], tongue: Tongue) -> list[str]:
    """A whole map in lines, its blanks last."""
    table = atlas_words.table("line_words")
    lines = [f"{tongue.say(table['mode'])} {log.mode}", *lines_of(BOX, log.draws, name, tongue)]
    if log.blanks:
        lines.append(f"{tongue.say(table['blank'])} {' '.join(map(name, log.blanks))}")
    return lines


def written(log: AtlasLog, language: str) -> list[str]:
    name = partial(place_name, origin=board_origin(log))
    return map_lines(log, name, Tongue(language, dict(TITLE.terms)))


def lying(log: AtlasLog) -> list[tuple[object, ...]]:
    """Everything that lies there, from the first tile."""
    q, r = log.placed[0].at

    def moved(at: Axial) -> Axial:
        return Axial(at.q - q, at.r - r)

    return [
        *((draw.tile, moved(draw.at), draw.rotation) for draw in log.placed),
        *map(moved, log.overlays),
        *map(moved, log.blanks),
        (log.mode,),
    ]


@pytest.mark.parametrize("part", some_of(40))
@pytest.mark.parametrize("language", list(languages()))
def test_lines_in_every_language_go_there_and_back(language: str, part: slice) -> None:
    for number in range(1000)[part]:
        policy = ("compact", "uniform")[number % 2]
        log = assemble(BOX, MODES[number % 4], seed=seed_of_map(8, number), policy=policy)
        back = read("\n".join(written(log, language)))
        assert alike(lying(back), lying(log))
        assert check_log(BOX, back) == ()


def alike(one: list[tuple[object, ...]], other: list[tuple[object, ...]]) -> bool:
    """Tiles of equal hexes may be read at another turn, which gives the same map."""
    return len(one) == len(other) and all(
        a == b or (a[0] == b[0] and a[0] in {12, 13, 16, 21, 22})
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize(
    "line",
    [
        "3 city D4 home E5 plain D6",
        "Tile 3: city D4 · Agricultural E5 · plain D6",
        "tile 3: city at D4, home at E5, plain at D6",
        "3 D4 city",
        "タイル3：都市D4、本拠地E5、空白D6",
        "マップ",
        "３　都市　Ｄ４　Agricultural社　Ｅ５　平地　Ｄ６",
        "3 CITY d4 AG e5 Plain d6",
    ],
)
def test_a_line_is_read_as_it_is_written(line: str) -> None:
    if line in {"3 D4 city", "マップ"}:
        with pytest.raises(ProblemsFound, match="AT21"):
            read(line, "micro2")
        return
    (draw,) = read(line, "micro2").placed
    assert (draw.tile, doubled(draw.at), draw.rotation) == (3, (3, 3), 0)


def test_names_of_several_words_and_wrong_companies() -> None:
    text = (
        "mode short\n2 Eastern Mining D4 plain E5 mountain D6\n7 border H4 Northern Port I5 city H6"
    )
    assert [draw.tile for draw in read(text).placed] == [2, 7]
    with pytest.raises(ProblemsFound, match="AT22"):
        read("3 city D4 Express E5 plain D6", "short")
    with pytest.raises(ProblemsFound, match=r"is no hex.*agricultural"):
        read("3 city D4 Agricultral E5 plain D6", "short")


@pytest.mark.parametrize("mode", ["SHORT", "Short", "short game", "Short Game", "ショートゲーム"])
def test_a_mode_is_read_in_any_case(mode: str) -> None:
    assert read(f"mode {mode}\n3 D4 0").mode == "short"
    assert read("モード：ショートゲーム").mode == "short"


def test_options_take_modes_and_policies_in_any_case(platelayer, tmp_path: Path) -> None:
    request = "--mode", "MICRO2", "--policy", "Uniform", "--seed", 3, "--no-draw"
    made = platelayer("atlas", "new", *request, "-o", tmp_path / "map")
    assert "--mode micro2 --seed 3 --policy uniform" in made.stdout
    found = platelayer("atlas", "find", "--mode", "Micro2", "--policy", "BEST", "--maps", 3)
    assert "3 maps of mode micro2, policy best" in found.stdout
    half = tmp_path / "half.txt"
    half.write_text("12 D8 0\n", encoding="utf-8")
    again = "--from", half, "--mode", "Short", "--finish", "--policy", "COMPACT", "--no-draw"
    assert "mode short" in platelayer("atlas", "new", *again, "-o", tmp_path / "ours").stdout
    wrong = platelayer("atlas", "new", "--mode", "tall", "--from", half, "-o", tmp_path / "no")
    assert (wrong.returncode, "there is no mode 'tall'" in wrong.stderr) == (2, True)


def each_column(log: AtlasLog, *, lower: bool) -> list[str]:
    """The lines of a map whose rows are counted 1, 2, 3 in every column."""
    left = min(doubled(at).x for draw in log.placed for at in [draw.at])
    left -= 4

    def name(at: Axial) -> str:
        x, y = doubled(at)
        odd = (x - left) % 2
        return f"{chr(65 + x - left)}{(y - odd if lower else y + odd) // 2 + 20}"

    assert len({name(at) for draw in log.placed for at in [draw.at]}) == len(log.placed)
    return map_lines(log, name, Tongue())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("lower", [True, False])
def test_rows_counted_in_every_column_are_recognised(mode: str, lower: bool) -> None:
    for seed in range(5):
        log = assemble(BOX, mode, seed=seed)
        # Even columns of the sheet lie where the sheet's first column does.
        lines = each_column(log, lower=lower)
        (problem,) = refused(read, "\n".join(lines))
        assert problem.code == "AT24"
        (found,) = re.findall(r'"(rows \w+)"', problem.hint)
        loaded = read_hand("\n".join([found, *lines]), Path("map.txt"), BOX, "", words)
        assert check_log(BOX, loaded.log) == ()
        assert alike(lying(loaded.log), lying(log))
        named = map_lines(loaded.log, loaded.name, Tongue())
        assert [*map(re.compile(r"[A-Z]\d+").findall, named)][1:2] == [
            *map(re.compile(r"[A-Z]\d+").findall, lines)
        ][1:2]


def test_many_places_between_hexes_are_one_problem() -> None:
    lines = written(assemble(BOX, "micro2", seed=3), "en")
    lines[2:5] = [
        re.sub(r"\d+(?=,|$)", lambda row: str(int(row[0]) + 1), each) for each in lines[2:5]
    ]
    (problem,) = refused(read, "\n".join(lines))
    assert problem.code == "AT21"
    assert "like 2 other places" in problem.message


@pytest.mark.parametrize(
    ("mode", "language"),
    often(product(MODES, languages()), ("long", "en"), ("short", "ja")),
)
def test_a_forgotten_tile_is_one_line(platelayer, tmp_path: Path, mode: str, language: str) -> None:
    lines = written(assemble(BOX, mode, seed=5), language)
    del lines[4]
    (tmp_path / "map.txt").write_text("\n".join(lines), "utf-8")
    done = platelayer("atlas", "check", "map.txt", "-o", "seen.svg")
    assert done.returncode == 1
    problem, summary, drawn = done.stdout.splitlines()
    assert "AT04 a map tile is missing" in problem
    assert summary == "1 map checked: 1 problem"
    assert drawn == "seen.svg"
    (line,) = re.findall(r"for example, with (tile .*?) \(hint", problem)
    assert check_log(BOX, read("\n".join([*lines, line]))) == ()


def test_the_check_draws_what_it_understood(platelayer, tmp_path: Path) -> None:
    lines = written(assemble(BOX, "micro3", seed=5), "en")
    # A tile three columns further right, so that it lies alone.
    lines[3] = re.sub(r"at ([A-Z])", lambda at: f"at {chr(ord(at[1]) + 6)}", lines[3])
    (tmp_path / "map.txt").write_text("\n".join(lines), "utf-8")
    for suffix in ("svg", "pdf"):
        done = platelayer("atlas", "check", "map.txt", "-o", f"seen.{suffix}")
        assert done.returncode == 1
        assert (tmp_path / f"seen.{suffix}").stat().st_size > 2000
    assert platelayer("atlas", "check", "map.txt", "-o", "seen.gif").returncode == 2
    done = platelayer("atlas", "check", "map.txt", "map.txt", "-o", "seen.svg")
    assert "-o draws one map" in done.stderr


def half(log: AtlasLog, without: int) -> AtlasLog:
    """A map as laid by hand, without the tile of one draw (-1: with all), a capital on it, and its
    blanks."""
    missing = {
        at
        for draw in log.placed
        if draw.draw == without
        for at in tile_hexes(draw.at, draw.rotation)
    }
    draws = [
        replace(draw, alternatives=0) if isinstance(draw, TileDraw) else draw
        for draw in log.draws
        if draw.draw != without and getattr(draw, "overlay_at", None) not in missing
    ]
    return replace(
        log, draws=tuple(draws), blanks=(), seed=None, stack=None, policy="hand", algorithm="hand"
    )


@pytest.mark.slow
def test_endings_keep_the_letters_of_the_file(platelayer, tmp_path: Path) -> None:
    """New tiles left of A or above row 1 too: their lines are added to the file as they are."""
    log = assemble(BOX, "micro2", seed=4)
    left = min(log.placed[1:], key=lambda draw: doubled(draw.at).x)
    whole = half(log, -1)
    known = half(log, left.draw)
    name = partial(place_name, origin=board_origin(known))
    for language in languages():
        tongue = Tongue(language, dict(TITLE.terms))
        text = "\n".join(map_lines(known, name, tongue))
        (tmp_path / "half.txt").write_text(text, "utf-8")
        done = platelayer(
            *["atlas", "endings", "half.txt", "--most", "100000", "--count", "10000"],
            *["--format", "json", "--lang", language, "--best", "least home_pairs_apart"],
        )
        assert done.returncode == 0, done.stderr
        ways = json.loads(done.stdout)["endings"]
        assert any("-A" in line for way in ways for line in way["lines"])
        missing = [draw for draw in whole.placed if draw.draw == left.draw]
        expected = {each for draw in missing for each in places_of(draw, known)}
        assert any({*re.findall(r"-?[A-Z]-?\d+", way["lines"][0])} == expected for way in ways)
        for way in ways[:: len(ways) // 10]:
            (tmp_path / "whole.txt").write_text("\n".join([text, *way["lines"]]), "utf-8")
            assert platelayer("atlas", "check", "whole.txt").returncode == 0


def places_of(draw: TileDraw, known: AtlasLog) -> set[str]:
    """The places of a tile, in the letters of the file of a map."""
    hand = read_hand(
        "\n".join(map_lines(known, partial(place_name, origin=board_origin(known)), Tongue())),
        Path("x"),
        BOX,
    )
    q, r = known.placed[0].at
    here = hand.log.placed[0].at
    moved = replace(draw, at=Axial(draw.at.q - q + here.q, draw.at.r - r + here.r))
    (line,) = lines_of(BOX, [moved], hand.name, Tongue())
    return {*re.findall(r"-?[A-Z]-?\d+", line)}


def test_endings_are_drawn(platelayer, tmp_path: Path) -> None:
    lines = written(half(assemble(BOX, "micro2", seed=4), 5), "en")
    (tmp_path / "half.txt").write_text("\n".join(lines), "utf-8")
    done = platelayer("atlas", "endings", "half.txt", "--most", "100000", "-o", "ways.svg")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\n  1 +[\d.]+  tile \d+: \w+ at -?[A-Z]+-?\d+, ", done.stdout)
    assert done.stdout.endswith("ways.svg\n")
    assert (tmp_path / "ways.svg").stat().st_size > 10_000


def test_finishing_says_what_is_new_and_its_seed(platelayer, tmp_path: Path) -> None:
    lines = written(half(assemble(BOX, "micro2", seed=4), 5), "en")
    (tmp_path / "half.txt").write_text("\n".join(lines), "utf-8")
    done = platelayer("atlas", "new", "--from", "half.txt", "--finish", "--no-draw", "-o", "one")
    (seed,) = re.findall(r"^Finished: +seed (\d+)$", done.stdout, re.MULTILINE)
    new = re.findall(r"^New: +(.*)$", done.stdout, re.MULTILINE)
    assert any(line.startswith("tile ") for line in new)
    assert check_log(BOX, read("\n".join([*lines, *new])), finished=False) == ()
    again = ["atlas", "new", "--from", "half.txt", "--finish", "--no-draw", "--seed", seed]
    assert platelayer(*again, "-o", "two").returncode == 0
    assert (tmp_path / "one/atlas.json").read_bytes() == (tmp_path / "two/atlas.json").read_bytes()


@pytest.mark.parametrize("page", ["docs/atlas.md", "docs/ja/atlas.md"])
def test_the_sample_of_the_documents_is_a_legal_map(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    (sample,) = re.findall(r"<!-- table\.txt -->\n```\n(.*?)```", text, re.DOTALL)
    log = read(sample)
    assert check_log(BOX, log) == ()
    half_laid = read("\n".join(sample.splitlines()[:12]))
    assert check_log(BOX, half_laid, finished=False) == ()
    assert len(half_laid.placed) == 10


@pytest.mark.parametrize(("mode", "plays"), [("short", False), ("long", True), ("micro2", True)])
def test_a_company_that_does_not_play_is_impossible(platelayer, mode: str, plays: bool) -> None:
    done = platelayer(
        "atlas", "find", "--mode", mode, "--maps", "40", "--where", "Adaptive.worth > 3"
    )
    assert ("impossible: Adaptive does not play in mode short" in done.stdout) is not plays
    assert done.returncode == (0 if plays else 1)
