"""Worth of homes and fairness of maps, computed from docs/atlas-measures.md and the definition
alone."""

from __future__ import annotations

import json
import math
from collections import deque
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from often import some_of
from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.compiled import compiled, seed_of_map
from platelayer.atlas.measures import Surveyor, compared, judged, measure
from platelayer.definitions.build import shipped_box
from platelayer.foundation.languages import Tongue
from platelayer.foundation.resources import asset_json
from platelayer.model.map_tiles import AtlasLog, Axial, ProjectDraw, TileDraw
from shipped import shipped

ROOT = Path(__file__).resolve().parents[2]
BLOCK = json.loads((ROOT / "assets/titles/lost-atlas/map-tiles.json").read_text("utf-8"))["atlas"]
BOX = shipped_box()
MODES = tuple(BLOCK["modes"])
DECILES = asset_json("atlas.json")["deciles"]
# Clockwise from the bottom, as edges are numbered.
STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
VALUES = {
    "plain": (0, 0),
    "city": (20, 30),
    "capital": (40, 50),
    "mine": (50, 80),
    "port": (30, 60),
}
TRAINS = ((2, 3, 0), (3, 7, 1), (4, 11, 1))


class Hex:
    """A hex of the map: kind, values in yellow and green, cost, open sides, entrances."""

    def __init__(self, raw: object, turn: int, tile: int) -> None:
        own = {} if isinstance(raw, str) else raw["tile"]
        ground = raw.partition(":")[0] if isinstance(raw, str) else raw["ground"]
        self.company = raw.partition(":")[2] if isinstance(raw, str) else raw.get("company", "")
        self.ground, self.tile = ground, tile
        signs = {icon if isinstance(icon, str) else icon["name"] for icon in own.get("icons", ())}
        sides = {end for track in own.get("track", ()) for end in track if isinstance(end, int)}
        gray = own.get("colour") == "gray"
        self.cost = 40 if ground == "mountain" else sum(t["cost"] for t in own.get("terrain", ()))
        if "mine" in signs or "port" in signs:
            self.values = VALUES["mine" if "mine" in signs else "port"]
        elif gray:
            self.values = (own["stops"][0]["revenue"],) * 2
        else:
            self.values = VALUES["city" if ground in ("city", "home") else "plain"]
        self.basic = self.values == VALUES["city"]
        if ground == "border":
            opened = set()
        elif gray or ground == "destination":
            opened = sides
        else:
            opened = set(range(6)) - ({2, 3} if "port" in signs else set())
        self.open = {(side + turn) % 6 for side in opened}
        self.land = ground in ("home", "plain", "mountain", "city")


def hexes_of(log: AtlasLog) -> dict[tuple[int, int], Hex]:
    found = {}
    for number, draw in enumerate(log.draws):
        if isinstance(draw, TileDraw):
            corners = [(0, 0), (1, 0), (0, 1)]
            for _ in range(draw.rotation):
                corners = [(-r, q + r) for q, r in corners]
            for (q, r), raw in zip(
                corners, BLOCK["map_tiles"][str(draw.tile)]["hexes"], strict=True
            ):
                found[draw.at.q + q, draw.at.r + r] = Hex(raw, draw.rotation, number)
    for at in log.overlays:
        found[tuple(at)].values, found[tuple(at)].basic = VALUES["capital"], False
    for at in log.blanks:
        found[tuple(at)] = Hex("plain", 0, -1)
    return found


def ways(board: dict, home: tuple[int, int], bonus: int) -> dict:
    """Steps by land, and the least cost of the mountains on the ways with the fewest."""

    def cost(at: tuple[int, int]) -> int:
        return board[at].cost - bonus if board[at].cost else 0

    found, queue = {home: (0, cost(home))}, deque([home])
    while queue:
        here = queue.popleft()
        for at in beyond(board, here, water=False):
            new = (found[here][0] + 1, found[here][1] + cost(at))
            if at not in found:
                queue.append(at)
            found[at] = min(found.get(at, new), new)
    return found


def beyond(board: dict, here: tuple[int, int], *, water: bool) -> list[tuple[int, int]]:
    """Hexes next to one to which track may lead."""
    reached = []
    for edge, (q, r) in enumerate(STEPS):
        at = here[0] + q, here[1] + r
        there = board.get(at)
        joined = there and edge in board[here].open and (edge + 3) % 6 in there.open
        if joined and (there.land or (water and there.ground == "water")):
            reached.append(at)
    return reached


def bridged(board: dict, home: tuple[int, int]) -> dict:
    """Steps over land and at most five hexes of water."""
    found, queue, seen = {home: 0}, deque([(home, 0, 0)]), {(home, 0)}
    while queue:
        here, used, steps = queue.popleft()
        for at in beyond(board, here, water=True):
            more = used + (board[at].ground == "water")
            if more <= 5 and (at, more) not in seen:
                seen.add((at, more))
                found.setdefault(at, steps + 1)
                queue.append((at, more, steps + 1))
    return found


def worth(board: dict, home: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
    """Worth of a home, and what its trains pay."""
    company = board[home].company
    extra = BLOCK["extra_stops"].get(company, 0)
    suburbs = BLOCK["suburbs"].get(company, 0)
    by_land = ways(board, home, BLOCK["mountain_bonuses"].get(company, 0))
    steps = {at: each[0] for at, each in by_land.items()}
    if company in BLOCK["bridging"]:
        steps = bridged(board, home)
    entered: dict[int, int] = {}
    for at, way in steps.items():
        for edge, (q, r) in enumerate(STEPS):
            off = board.get((at[0] + q, at[1] + r))
            if (
                off
                and off.ground == "destination"
                and (edge + 3) % 6 in off.open
                and edge in board[at].open
            ):
                entered[off.tile] = min(entered.get(off.tile, 99), way + 1)
    trains = []
    for number, track, phase in TRAINS:
        stops = [
            (way, board[at].values[phase], board[at].basic)
            for at, way in steps.items()
            if at != home and board[at].values[phase] and way <= track
        ]
        stops += [(way, (30, 40)[phase], False) for way in entered.values() if way <= track]
        # Of the stops of a kind that pay the same, only the nearest can be chosen with profit.
        kinds: dict[tuple[int, bool], list[int]] = {}
        for way, money, basic in sorted(stops):
            kinds.setdefault((money, basic), []).append(way)
        few = [
            (way, money, basic)
            for (money, basic), near in kinds.items()
            for way in near[: number + extra - 1]
        ]
        trains.append(
            board[home].values[phase]
            + max(
                sum(money for _, money, _ in chosen)
                + 10 * min(suburbs, sum(basic for *_, basic in chosen))
                for count in range(number + extra)
                for chosen in combinations(few, count)
                if sum(way for way, *_ in chosen) <= track
            )
        )
    cities = sorted(each for at, each in by_land.items() if at != home and board[at].values[0])[:2]
    paid = sum(cost for _, cost in cities) - by_land[home][1] if len(cities) == 2 else 0
    return max(0, sum(trains) - paid), tuple(trains)


def fairness(worths: list[int]) -> float:
    mean = sum(worths) / len(worths)
    if not mean:
        return 100.0
    apart = sum(abs(one - other) for one in worths for other in worths) / len(worths) ** 2
    return 100 * (1 - apart / (2 * mean))


@pytest.mark.parametrize("part", some_of(25))
def test_the_worth_of_homes_is_as_documented(part: slice) -> None:
    """300 maps of all modes."""
    surveyor = Surveyor(BOX)
    for number in range(300)[part]:
        policy = ("compact", "uniform", "best")[number % 3]
        log = assemble(BOX, MODES[number // 3 % 4], seed=seed_of_map(21, number), policy=policy)
        board = hexes_of(log)
        subject = surveyor.subject(log)
        expected = {each.company: worth(board, at) for at, each in board.items() if each.company}
        measured = subject.homes_by_company
        assert {key: (home.worth, home.trains) for key, home in measured.items()} == expected
        worths = [each for each, _ in expected.values()]
        assert subject.value("fairness") == pytest.approx(fairness(worths), abs=1e-4)


def test_the_example_of_the_document() -> None:
    draws = [
        TileDraw(draw=1, tile=8, copy=1, at=Axial(0, 0), rotation=0, alternatives=1),
        TileDraw(draw=2, tile=16, copy=1, at=Axial(1, 1), rotation=0, alternatives=1),
    ]
    log = AtlasLog(
        mode="long", seed=None, policy="hand", algorithm="hand", draws=tuple(draws), blanks=()
    )
    (home,) = Surveyor(BOX).subject(log).homes_by_company.values()
    assert (home.trains, home.mountain_cost, home.paid, home.worth) == ((40, 90, 90), 40, -20, 240)
    assert worth(hexes_of(log), (1, 0)) == (240, (40, 90, 90))
    (sentence,) = judged(shipped("lost-atlas"), {"TU": home}, Tongue())
    assert sentence == (
        "Tunneling: worth $240, equal to the mean. Two cities within 2 hexes of track together, "
        "mountains that bring $20. Bid as for an average home."
    )


@pytest.mark.parametrize("mode", MODES)
def test_every_home_has_a_sentence_and_a_bid(mode: str) -> None:
    title = shipped("lost-atlas")
    for seed in range(4):
        log = assemble(BOX, mode, seed=seed)
        homes = Surveyor(BOX).subject(log).homes_by_company
        for language in ("en", "ja"):
            tongue = Tongue(language, dict(title.terms))
            sentences = [*judged(title, homes, tongue)]
            assert len(sentences) == len(homes)
            names = {title.company_by_id[each].name.get(language) for each in homes}
            assert {each.partition(":")[0].partition("：")[0] for each in sentences} == names
        mean = round(math.fsum(home.worth for home in homes.values()) / len(homes))
        for sentence in judged(title, homes, Tongue()):
            value = int(sentence.partition("worth $")[2].partition(",")[0])
            bid = sentence.partition("Bid about $")[2].partition(" ")[0]
            assert abs(int(bid or 0) - 0.4 * abs(value - mean)) <= 2.5
            assert bid.endswith(("0", "5", ""))


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", MODES)
def test_the_maps_that_fairness_is_compared_with(mode: str, policy: str) -> None:
    """Of other maps than those of the table, about as many are less fair."""
    maps = compiled(BOX, mode, policy, None)
    if maps is None:
        values = [
            measure(BOX, assemble(BOX, mode, seed=seed, policy=policy))["fairness"]
            for seed in range(300)
        ]
    else:
        values = [row.value("fairness") for row in maps.rows(range(3000))]
    for tenth, value in enumerate(DECILES[mode][policy], start=1):
        share = sum(each < value for each in values) / len(values)
        assert share == pytest.approx(tenth / 10, abs=0.09 if maps is None else 0.05)


def test_fairness_is_compared_with_maps_of_its_mode() -> None:
    log = assemble(BOX, "long", seed=1)
    assert "about 50 are less fair" in compared(log, 92.5, Tongue())
    assert "about 0 are less fair" in compared(log, 60.0, Tongue())
    assert "about 90 are less fair" in compared(log, 100.0, Tongue())
    assert compared(replace(log, mode="own"), 92.5, Tongue()) == ""
    assert {mode: [*found] for mode, found in DECILES.items()} == {
        mode: [*POLICIES] for mode in MODES
    }
    assert not any(isinstance(draw, ProjectDraw) for draw in log.placed)
