"""`atlas find`: every result meets its conditions and can be made again; what cannot be found is
explained."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from math import inf
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner

from interrupts import interruptible, workers_of
from platelayer.atlas import find as find_module
from platelayer.atlas.assemble import assemble
from platelayer.atlas.check import check_log
from platelayer.atlas.compiled import Wanted, seed_of_map
from platelayer.atlas.conditions import WrongWords, impossible, read_conditions, read_objectives
from platelayer.atlas.find import (
    CHUNK,
    Candidate,
    FindOptions,
    Search,
    Searched,
    chosen,
    find,
    fronts,
    search_maps,
)
from platelayer.atlas.make import company_names
from platelayer.atlas.measures import HOME_MEASURES, MEASURES, Surveyor, measure
from platelayer.atlas.report import companies_in_play
from platelayer.cli.app import cli
from platelayer.definitions.build import shipped_box
from platelayer.foundation.pool import PROCESSES
from platelayer.foundation.problems import CannotRun
from platelayer.model.map_tiles import NEIGHBOURS, homes_of, tile_hexes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "atlas.md").read_text("utf-8")
MAPS = 60
SEARCH = Search(
    wanted=Wanted(mode="micro2", policy="compact", seed=3),
    where=read_conditions("dead_land = 0, income_min >= 80, table_mm <= 400x500"),
    best=read_objectives("fairness, least diameter"),
    count=4,
)


def command(*words: object):
    return CliRunner().invoke(cli, ["atlas", "find", *map(str, words)])


def by_hand(search: Search = SEARCH, maps: int = MAPS) -> list[tuple[int, dict[str, float]]]:
    """Number and measures of every map that meets the conditions, made and measured one by one."""
    found = []
    for number in range(maps):
        log = assemble(
            shipped_box(), search.wanted.mode, seed=seed_of_map(search.wanted.seed, number)
        )
        values = measure(shipped_box(), log)
        sides = values["table_short_mm"] <= 400 and values["table_long_mm"] <= 500
        if values["dead_land"] == 0 and values["income_min"] >= 80 and sides:
            found.append((number, values))
    return found


def test_it_finds_the_front_of_all_maps_that_meet_the_conditions():
    found = find(shipped_box(), SEARCH, FindOptions(maps=MAPS))
    meeting = by_hand()
    assert 0 < len(meeting) < MAPS
    assert (found.searched.maps, found.searched.met) == (MAPS, len(meeting))
    scores = {number: (values["fairness"], -values["diameter"]) for number, values in meeting}
    front = {
        number
        for number, score in scores.items()
        if not any(
            (all(a >= b for a, b in zip(other, score, strict=True)) and other != score)
            or (other == score and earlier < number)
            for earlier, other in scores.items()
        )
    }
    assert {each.number for each in found.maps if each.front} == front or len(front) > SEARCH.count
    assert len(found.maps) == SEARCH.count
    for each in found.maps:
        assert check_log(shipped_box(), each.log) == ()
        assert float(each.values["fairness"]) == scores[each.number][0]


def test_the_same_maps_whatever_the_processes(monkeypatch):
    words = (
        "--mode",
        "micro2",
        "--where",
        "dead_land = 0",
        "--maps",
        3 * CHUNK,
        "--format",
        "json",
    )
    alone = command(*words)
    monkeypatch.setenv(PROCESSES, "3")
    assert command(*words).stdout_bytes == alone.stdout_bytes
    assert json.loads(alone.stdout)["maps"] == 3 * CHUNK


def test_the_command_that_is_printed_makes_the_map(tmp_path):
    result = command(
        *["--mode", "micro2", "--maps", "30", "--count", "2", "--format", "json", "-o"],
        tmp_path / "maps.svg",
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (tmp_path / "maps.svg").read_text("utf-8").startswith("<?xml")
    for each in told["found"]:
        words = shlex.split(each["command"])[1:]
        made = CliRunner().invoke(cli, [*words, "--no-draw", "-o", str(tmp_path / "map")])
        assert made.exit_code == 0, made.output
        log = json.loads((tmp_path / "map" / "atlas.json").read_text("utf-8"))
        assert log["metrics"]["fairness"] == each["values"]["fairness"]
        assert log["seed"] == each["seed"] == seed_of_map(1, each["map"])
    again = CliRunner().invoke(cli, [*shlex.split(told["again"])[1:], "--format", "json"])
    assert json.loads(again.stdout) == told


def test_seconds_end_a_search_and_the_maps_searched_can_be_searched_again():
    result = command("--mode", "micro2", "--seconds", 1, "--format", "json")
    told = json.loads(result.stdout)
    assert told["maps"] >= CHUNK
    assert told["maps"] % CHUNK == 0
    assert (
        json.loads(command("--mode", "micro2", "--maps", told["maps"], "--format", "json").stdout)
        == told
    )


def test_what_comes_after_a_gap_is_left_out(monkeypatch):
    """A process may be late for its chunk when the next has already begun."""

    def late(work, ranges, **_):
        return [None if each[0] == 2 * CHUNK else work(each) for each in ranges]

    monkeypatch.setattr(find_module, "available_processes", lambda: 5)
    monkeypatch.setattr(find_module, "share_out", late)
    assert find(shipped_box(), SEARCH, FindOptions(maps=5 * CHUNK)).searched.maps == 2 * CHUNK


def test_what_no_map_meets_is_told_with_what_was_seen():
    result = command(
        "--mode", "micro2", "--maps", 40, "--where", "income_min >= 300, dead_land >= 0"
    )
    assert result.exit_code == 1
    lowest = [measure(shipped_box(), log) for log in (made(number) for number in range(40))]
    nearest = max(values["income_min"] for values in lowest)
    assert re.search(
        rf"^  income_min >= 300: met by 0 of 40 maps; nearest {nearest:g} \(seed \d+\)$",
        result.output,
        re.M,
    )
    assert "  dead_land >= 0: met by 40 of 40 maps\n" in result.output
    assert "\nno map found\n" in result.output


def made(number: int):
    return assemble(shipped_box(), "micro2", seed=seed_of_map(1, number))


@pytest.mark.parametrize(
    ("mode", "words", "why"),
    [
        ("long", "hexes != 99", "the 33 map tiles of mode long have 99 hexes"),
        ("long", "homes >= 12", "mode long has 11 homes on the map"),
        ("short", "homes > 8", "mode short has 8 homes on the map"),
        ("micro2", "homes > 4", "mode micro2 has at most 4 homes on the map"),
        ("short", "destinations = 3", "mode short has at most 2 destinations"),
        ("long", "home_pairs_apart >= 56", "mode long has 11 homes on the map"),
        ("long", "gaps < 0", "gaps is never less than 0"),
        ("long", "fairness > 100", "fairness is from 0 to 100"),
        # 99 hexes of 40 x 40 x sin 60 degrees.
        (
            "long",
            "table_mm <= 300x400",
            "99 hexes of 40 mm cover 1372 cm², 300 x 400 mm are 1200 cm²",
        ),
        ("long", "table_long_mm < 370", "99 hexes of 40 mm cover a square of 370 mm"),
        # The mine and a capital; three capitals; in green the mine (80), the port (60) and a
        # capital (50).
        ("long", "train_2_min > 150", "the 3 best stops of mode long pay at most 150 together"),
        ("long", "train_3_max > 260", "the 4 best stops of mode long pay at most 260 together"),
        # A hexagon of 91 hexes is ten steps across. In a row, a tile adds two steps at most.
        ("long", "diameter <= 10", "33 tiles that touch are 11 to 65 steps across"),
        ("micro2", "home_distance_max > 21", "11 tiles that touch are at most 21 steps across"),
        (
            "short",
            "blanks > 32",
            "mode short has 8 homes on the map, each with at most 4 places beside its tile",
        ),
        ("long", "rivals_max >= 11", "mode long has 11 homes on the map"),
        ("long", "income_min >= 80, income_max <= 60", "not together with income_min >= 80"),
        ("long", "gaps = 1, diameter < 15, gaps > 1", "not together with gaps = 1"),
        ("long", "fairness < 90, fairness >= 90", "not together with fairness < 90"),
    ],
)
def test_what_the_box_does_not_allow_is_explained(mode, words, why):
    where = read_conditions(words)
    assert impossible(shipped_box(), shipped_box().mode_by_id[mode], where) == {len(where) - 1: why}


@pytest.mark.parametrize(
    "words",
    [
        *(
            "hexes = 99",
            "homes = 11",
            "gaps <= 0",
            "destination_way_min = -1",
            "gap_hexes > 900",
            "blanks = 44",
        ),
        *(
            "income_min >= 80, income_max <= 80",
            "income_min <= 80, income_max >= 700",
            "diameter = 11, diameter != 10",
        ),
        *(
            "income_max >= 200, income_min <= 60",
            "capital_way_min >= 3, capital_cost_min <= 0",
            "perimeter <= 70",
        ),
        *("rivals_mean > 2.5, rivals_max < 4", "table_mm <= 500x500, table_mm <= 900x300"),
    ],
)
def test_what_may_be_is_not_called_impossible(words):
    assert impossible(shipped_box(), shipped_box().mode_by_id["long"], read_conditions(words)) == {}


@pytest.mark.parametrize("mode", ["long", "short", "micro3", "micro2"])
def test_no_map_is_beyond_what_is_called_impossible(mode):
    for seed in range(2):
        values = measure(shipped_box(), assemble(shipped_box(), mode, seed=seed))
        for name in MEASURES:
            where = read_conditions(f"{name} = {values[name]:.6f}")
            assert impossible(shipped_box(), shipped_box().mode_by_id[mode], where) == {}, name


def test_an_impossible_search_looks_at_a_few_maps_alone():
    result = command("--mode", "micro2", "--where", "hexes > 33, income_min >= 60")
    assert result.exit_code == 1
    assert result.output.startswith("100 maps of mode micro2")
    assert "; nearest 33 (seed" in result.output
    assert "; impossible: the 11 map tiles of mode micro2 have 33 hexes" in result.output
    assert re.search(r"  income_min >= 60: met by [1-9]\d* of the first 100 maps\n", result.output)


def test_all_that_is_wrong_is_told_at_once_in_one_line():
    words = "incme_min >= 80, diameter => 3, table_mm < 60cm, hexes = 9 cm,, gaps ~ 1"
    result = command("--mode", "long", "--where", words, "--best", "fairnes, least, gaps, gaps")
    told = str(result.exception)
    for part in (
        "where: there is no measure 'incme_min'; did you mean \"income_min\"?",
        "where: 'diameter => 3': there is no operator '=>'; did you mean >=?",
        "where: 'table_mm < 60cm': a table can only be large enough; use table_mm <=",
        "where: 'table_mm < 60cm': write both sides in mm, without a unit: table_mm <= 600x900",
        "where: 'hexes = 9 cm': '9 cm' is not a number; write it without a unit, like 80 or 2.5",
        "where: '' is not a condition; write for example income_min >= 80",
        "where: 'gaps ~ 1': there is no operator '~'; use <= >= != < > =",
        "best: there is no measure 'fairnes'; did you mean \"fairness\"?",
        "best: gaps is named twice",
    ):
        assert part in told
    assert "\n" not in told


@pytest.mark.parametrize(
    "words", ["\x1b[2J >= 1", "hexes = 1e400", "hexes = NaN", "hexes = " + "9" * 5000, "<=", "ß=1"]
)
def test_odd_conditions_are_refused_in_few_words(words):
    with pytest.raises(WrongWords) as raised:
        read_conditions(words)
    assert all(each.isprintable() and len(each) < 200 for each in raised.value.args)


def test_conditions_read_as_they_print():
    words = "income_min >= 80, fairness > 92.5, table_mm <= 600x900, home_pairs_apart = 0, gaps != 2, diameter < 9"
    assert ", ".join(map(str, read_conditions(words))) == words
    assert str(read_conditions("table_mm<=900 × 600")[0]) == "table_mm <= 600x900"
    assert read_conditions(" ") == ()


def test_what_was_found_is_told_even_if_it_cannot_be_drawn(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    result = command("--mode", "micro2", "--maps", 10, "-o", tmp_path / "file" / "maps.svg")
    assert "Map:   platelayer atlas new" in result.stdout
    assert isinstance(result.exception, CannotRun)


def test_a_drawing_of_another_kind_is_refused_before_the_search(monkeypatch, tmp_path):
    monkeypatch.setattr(find_module, "_search", None)
    result = command("--mode", "micro2", "-o", tmp_path / "maps.gif")
    assert "a gallery is drawn to .svg, .pdf or .png" in str(result.exception)


@pytest.mark.parametrize(
    "words",
    [
        *(" " * 100_000, "," * 100_000, "most " * 100_000, "9" * 100_000),
        *(
            "income_min" + " " * 100_000 + ">= 80",
            "income_min >=" + " " * 100_000 + "80x",
            "< " * 50_000,
        ),
    ],
)
def test_endless_words_are_refused_at_once(words: str):
    before = process_time()
    for read in (read_conditions, read_objectives):
        with suppress(WrongWords):
            read(words)
    assert process_time() - before < 2


def test_players_are_checked_against_the_mode():
    assert "mode long is for 3 to 5 players" in str(
        command("--mode", "long", "--players", 2).exception
    )


def test_maps_and_seconds_together_are_refused():
    result = command("--mode", "long", "--maps", 5, "--seconds", 5)
    assert result.exit_code == 2
    assert "use --maps or --seconds, not both" in result.output


@pytest.mark.parametrize("seed", range(6))
def test_fronts_of_parts_hold_the_fronts_of_the_whole(seed):
    chance = random.Random(seed)
    all_of_them = [
        Candidate(n, (chance.choice([-inf, *range(6)]), float(chance.randint(0, 6))))
        for n in range(60)
    ]
    whole = fronts(all_of_them, 3)
    searched = Searched()
    for first in range(0, 60, 7):
        part = all_of_them[first : first + 7]
        searched.add(
            Searched(maps=len(part), found=[each for front in fronts(part, 3) for each in front]), 3
        )
    assert fronts(searched.found, 3) == whole
    for index, front in enumerate(whole):
        better = [each for earlier in whole[:index] for each in earlier]
        assert all(any(other.beats(each) for other in better) for each in front) or index == 0
        assert not any(other.beats(each) for each in front for other in front)


def test_of_a_large_front_the_ends_are_chosen_first():
    front = [Candidate(n, (float(n), float(9 - n))) for n in range(10)]
    picked, best = chosen(front, 3)
    assert ([each.number for each in picked], best) == ([9, 5, 0], 3)
    assert chosen(front[:2], 5) == ([front[1], front[0]], 2)


def test_nothing_to_measure_meets_no_condition_but_its_own():
    (least, none) = read_conditions("capital_way_max <= 4, capital_way_max = -1")
    assert not least.is_met((-1,))
    assert none.is_met((-1,))
    assert not none.is_met((4,))


@pytest.mark.skipif(
    sys.platform != "linux", reason="looks into /proc to see when the search has begun"
)
def test_ctrl_c_ends_it_with_one_line(tmp_path):
    words = [
        *["atlas", "find", "--mode", "long", "--seconds", "100", "-o"],
        str(tmp_path / "maps.svg"),
    ]
    running = subprocess.Popen(
        interruptible(sys.executable, "-m", "platelayer", *words),
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator"), PROCESSES: "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    workers_of(running.pid)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=300)
    assert (running.returncode, out, err) == (
        130,
        "",
        "platelayer: interrupted; nothing was written\n",
    )
    assert not (tmp_path / "maps.svg").exists()


def test_the_example_of_the_document_runs():
    line = re.search(r"^platelayer (atlas find .* --maps .*)$", PAGE, re.MULTILINE)[1]
    result = CliRunner().invoke(cli, shlex.split(line))
    assert result.exit_code == 0, result.output
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)[1]
    assert result.output == shown


# Wishes by company, and conditions that are answered well


BOX = shipped_box()
NAMES = company_names("lost-atlas")


def searched(mode: str, words: str, maps: int = 120):
    wanted = Wanted(mode=mode, policy="compact", seed=1)
    search = Search(
        wanted=wanted,
        where=read_conditions(words, NAMES),
        best=read_objectives("fairness"),
        count=maps,
    )
    return search_maps(BOX, search, 0, maps)


def maps_of(mode: str, count: int = 120):
    return [assemble(BOX, mode, seed=seed_of_map(1, number)) for number in range(count)]


def test_a_company_in_play_or_not():
    logs = maps_of("micro2")
    playing = [
        number
        for number, log in enumerate(logs)
        if "BR" in companies_in_play(BOX, BOX.mode_by_id["micro2"], log)
    ]
    assert 0 < len(playing) < len(logs)
    assert sorted(one.number for one in searched("micro2", "with Bridging").found) == playing
    others = [number for number in range(len(logs)) if number not in playing]
    assert sorted(one.number for one in searched("micro2", "WITHOUT bridging").found) == others
    adaptive = [
        number
        for number, log in enumerate(logs)
        if any(
            draw.tile == 21 for draw in log.placed
        )  # rulebook, section 3: tile 21 brings Adaptive
    ]
    assert sorted(one.number for one in searched("micro2", "with AD").found) == adaptive


def test_what_the_home_of_a_company_measures():
    surveyor = Surveyor(BOX)
    homes = [surveyor.subject(log).homes_by_company for log in maps_of("micro3", 60)]
    for words, company, fits in (
        ("Express.capital_way <= 3", "ER", lambda home: 0 <= home.capital_way <= 3),
        ("Eastern Mining.worth >= 400", "EM", lambda home: home.worth >= 400),
        ("ER.train_3 > 130", "ER", lambda home: home.trains[1] > 130),
    ):
        wanted = [number for number, of in enumerate(homes) if company in of and fits(of[company])]
        assert wanted
        assert sorted(one.number for one in searched("micro3", words, 60).found) == wanted


def test_nobody_at_home_at_the_rim():
    """The sides of a home that no map tile touches, counted here from the log alone."""

    def sides(log, home):
        covered = {place for draw in log.placed for place in tile_hexes(draw.at, draw.rotation)}
        return sum(home + step not in covered for step in NEIGHBOURS)

    logs = maps_of("micro2", 200)
    wanted = [
        number
        for number, log in enumerate(logs)
        if all(sides(log, home) <= 1 for home in homes_of(BOX, log).values())
    ]
    assert wanted
    assert sorted(one.number for one in searched("micro2", "all.rim <= 1", 200).found) == wanted


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("with Brigding", "there is no company 'Brigding'; did you mean"),
        ("Express.capitalway < 3", 'did you mean "capital_way"?'),
        ("Express.foo < 3", f"use {', '.join(HOME_MEASURES)}"),
        ("Express.worth < many", "'many' is not a number"),
        ("with all", "name a company"),
        ("blanks <= -1", "use = -1 or != -1"),
        ("Express.worth >= -1", "use = -1 or != -1"),
        ("income_min => 3", "did you mean >=?"),
    ],
)
def test_wrong_wishes_are_answered(words, told):
    with pytest.raises(WrongWords) as caught:
        read_conditions(words, NAMES)
    assert told in " ".join(caught.value.args)


def test_signs_are_taken_and_print_as_words():
    read = read_conditions(
        "income_min ≥ 80, blanks≤3, homes ≠ 4, with Northern Port, northern port.worth>=9", NAMES
    )
    assert ", ".join(map(str, read)) == (
        "income_min >= 80, blanks <= 3, homes != 4, with Northern Port, northern port.worth >= 9"
    )
    assert read_conditions(", ".join(map(str, read)), NAMES) == read
    with pytest.raises(WrongWords, match="least of table_long_mm or of table_short_mm"):
        read_objectives("least table_mm")


def test_something_to_measure():
    (something,) = read_conditions("home_land_min != -1")
    assert something.is_met((3.0,))
    assert not something.is_met((-1.0,))


@pytest.mark.parametrize(
    ("mode", "words", "why"),
    [
        ("short", "with Bridging", "Bridging does not play in mode short"),
        ("long", "without Bridging", "Bridging always plays in mode long"),
        ("short", "Adaptive.worth > 3", "Adaptive does not play in mode short"),
        ("micro2", "with Express, without Express", "not together with with Express"),
    ],
)
def test_wishes_that_cannot_come_true(mode, words, why):
    assert why in impossible(BOX, BOX.mode_by_id[mode], read_conditions(words, NAMES)).values()


def test_a_wish_that_may_come_true_is_not_impossible():
    assert (
        impossible(
            BOX,
            BOX.mode_by_id["micro3"],
            read_conditions("with BR, without SP, AG.worth > 3", NAMES),
        )
        == {}
    )


def test_ties_are_not_beaten():
    alike = [Candidate(number, (3.0, 1.0)) for number in (4, 2, 9)]
    (front,) = fronts([*alike], 5)
    assert [one.number for one in front] == [2, 4, 9]
    first, second = fronts([*alike, Candidate(1, (2.0, 1.0))], 5)
    assert (len(first), len(second)) == (3, 1)
    picked, best = chosen([*alike, Candidate(1, (2.0, 1.0))], 4)
    assert ([one.number for one in picked], best) == ([2, 4, 9, 1], 3)
    # However many are alike, only as many are kept as anybody asked for.
    assert sum(map(len, fronts([Candidate(number, (1.0,)) for number in range(1000)], 5))) == 5


def test_a_second_where_adds_to_the_first(platelayer):
    words = ("atlas", "find", "--mode", "micro2", "--maps", 100, "--count", 2)
    both = platelayer(*words, "--where", "income_min >= 60", "--where", "with Bridging")
    one = platelayer(*words, "--where", "income_min >= 60, with Bridging")
    assert both.returncode == 0, both.stderr
    assert both.stdout == one.stdout
    assert "with Bridging: met by" in both.stdout


def test_even_maps_are_told_to_take_long(platelayer):
    done = platelayer("atlas", "find", "--mode", "micro2", "--maps", 2, "--policy", "even")
    assert done.returncode == 0, done.stderr
    assert "up to half a second" in done.stderr
    assert (
        "up to half a second"
        not in platelayer("atlas", "find", "--mode", "micro2", "--maps", 2).stderr
    )
