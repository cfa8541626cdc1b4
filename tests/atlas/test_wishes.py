"""Wishes by company, and conditions that are answered well."""

from __future__ import annotations

import pytest

from platelayer.atlas.assemble import assemble
from platelayer.atlas.compiled import Wanted, seed_of_map
from platelayer.atlas.conditions import WrongWords, impossible, read_conditions, read_objectives
from platelayer.atlas.find import Candidate, Search, chosen, fronts, search_maps
from platelayer.atlas.make import company_names
from platelayer.atlas.measures import HOME_MEASURES, Surveyor
from platelayer.atlas.report import companies_in_play
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import NEIGHBOURS, homes_of, tile_hexes

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
