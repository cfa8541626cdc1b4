"""Routes: the best runs against brute force, their proofs, and what the command says."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from packs import pdf_text
from platelayer.cli.app import cli
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.model.position import Position
from platelayer.model.tile import StopKind
from platelayer.model.train import Reach
from platelayer.pipeline.load import find
from platelayer.play import network as tracks
from platelayer.play import runs
from platelayer.play.network import Bonus, Chain, Engine, Network, Place, network_of
from platelayer.play.proof import Case, Refused, Shown, verify
from platelayer.play.routes import routes, verify_proof
from platelayer.play.runs import best_runs, bits_of

CITIES = ("city", "offboard")


def reach(visit: int | None, pay: int | None = None, *kinds: str, times: int = 1) -> Reach:
    return Reach(stops=kinds or CITIES, visit=visit, pay=pay, multiplier=times)


TRAINS = (
    Engine((reach(2, 2, *CITIES, "town"),)),
    Engine((reach(3, 3), reach(None, None, "town"))),
    Engine((reach(2, 2, *CITIES, "town"), reach(2, 2, "town"))),
    Engine((reach(4, 2, *CITIES, times=2), reach(None, 0, "town"))),
    Engine((reach(None, None, *CITIES, "town"),)),
    Engine((reach(None, None, *CITIES, "town"),), hexes=3),
    Engine((reach(99, 99), reach(99, 99, "town"), reach(1, 1, *CITIES, "town"))),
    Engine((reach(2, 2), reach(None, None, "town")), starts_at="mine"),
    Engine((reach(3, 3), reach(None, 0, "town"))),
    Engine((reach(1, 1, "city"), reach(1, 1, "town"))),
)
CAR = Engine((reach(1, 1),), doubles=CITIES, car=True)


def any_network(dice: random.Random) -> Network:
    """A small board: stops of all kinds, some full, some with tokens; track that shares sides."""
    kinds = (StopKind.CITY, StopKind.CITY, StopKind.TOWN, StopKind.OFFBOARD)
    places = []
    for number in range(dice.randint(2, 6)):
        kind = dice.choice(kinds)
        own = dice.random() < 0.4 or number == 0
        places.append(
            Place(
                hex=f"A{number}",
                stop=0,
                kind=kind,
                value=10 * dice.randint(0, 5),
                # Now and then two hexes are one place.
                bit=1 << (number - 1 if number and dice.random() < 0.1 else number),
                open=kind is not StopKind.OFFBOARD and (own or dice.random() < 0.8),
                own=own,
                visits=dice.choice((1, 1, 1, 0)),
                counts=own or dice.random() < 0.8,
                icons=("mine",) if dice.random() < 0.2 else (),
                loop=1 << 8 + number,
            )
        )
    leaving: list[list[Chain]] = [[] for _ in places]
    sides = dice.randint(3, 8)
    for _ in range(dice.randint(1, 8)):
        one, two = dice.sample(range(len(places)), 2)
        bits = 0
        for side in dice.sample(range(sides), dice.randint(1, 2)):
            bits |= 1 << side
        steps = bits.bit_count()
        leaving[one].append(Chain(one, two, bits, (), steps))
        leaving[two].append(Chain(two, one, bits, (), steps))
    return Network(
        places=tuple(places),
        leaving=tuple(map(tuple, leaving)),
        names=(*(f"S{side}" for side in range(8)), *(f"A{n}:0" for n in range(len(places)))),
        bonuses=tuple(any_bonus(dice, len(places)) for _ in range(dice.choice((0, 0, 1, 2)))),
        local=dice.random() < 0.2,
    )


def any_bonus(dice: random.Random, places: int) -> Bonus:
    """A bonus for both ends, for visits, or for both."""
    ends = frozenset(range(dice.randint(1, 3))) if dice.random() < 0.4 else frozenset()
    visits = tuple(
        tuple((place, dice.choice((10, 20, 50))) for place in dice.sample(range(places), 2))
        for _ in range(dice.randint(0 if ends else 1, 2))
    )
    return Bonus(ends, (20, 50) if ends else (), visits)


def all_runs(network: Network) -> dict[tuple[tuple[int, ...], int], None]:
    """All runs with a token, as places and sides, by walking from every stop."""
    found: dict[tuple[tuple[int, ...], int], None] = {}
    for start, place in enumerate(network.places):
        if place.own:
            found[(start,), 0 if network.local else place.loop] = None
    waiting = [((start,), place.bit, 0) for start, place in enumerate(network.places)]
    while waiting:
        places, bits, sides = waiting.pop()
        if len(places) > 1:
            counted = [place for place in places if network.places[place].counts]
            if any(network.places[place].own for place in places) and len(counted) > 1:
                found[places, sides] = None
            if not network.places[places[-1]].open:
                continue
        for chain in network.leaving[places[-1]]:
            if not (network.places[chain.end].bit & bits or chain.sides & sides):
                on = (*places, chain.end)
                waiting.append((on, bits | network.places[chain.end].bit, sides | chain.sides))
    return found


def worth(network: Network, train: Engine, places: tuple[int, ...]) -> int | None:
    """What a train is paid for stops, by trying for each every entry of its reach, paid or not."""
    mines = {place for place, each in enumerate(network.places) if each.icons}
    if train.starts_at is None and {*places} & mines and len(places) > 1:
        return None
    if train.starts_at is not None and not {places[0], places[-1]} & mines:
        return None
    if len(places) == 1 and not (network.local or train.reach[0].stops == ("city",)):
        return None
    covered = [
        p for p in places if any(network.places[p].kind.value in e.stops for e in train.reach)
    ]
    most = None
    for ways in product(range(2 * len(train.reach)), repeat=len(covered)):
        paid = 0
        for number, each in enumerate(train.reach):
            own = [p for p, way in zip(covered, ways, strict=True) if way // 2 == number]
            pays = [
                p for p, way in zip(covered, ways, strict=True) if way // 2 == number and way % 2
            ]
            if (
                any(network.places[p].kind.value not in each.stops for p in own)
                or (
                    each.visit is not None
                    and sum(network.places[p].visits for p in own) > each.visit
                )
                or (each.pay == 0 and pays)
                or (each.pay is not None and sum(network.places[p].visits for p in pays) > each.pay)
            ):
                break
            paid += each.multiplier * sum(network.places[p].value for p in pays)
        else:
            pay = {p for p, way in zip(covered, ways, strict=True) if way % 2}
            tokens = {p for p in covered if network.places[p].own}
            if tokens and not tokens & pay and any(e.in_part and e.pay for e in train.reach):
                continue
            pay |= {*places} - {*covered}
            for bonus in network.bonuses:
                there = [[pays for p, pays in group if p in pay] for group in bonus.visits]
                if all(there) and (not bonus.ends or {places[0], places[-1]} <= bonus.ends):
                    several = sum(network.places[p].own for p in places) > 1
                    paid += bonus.amounts[several] if bonus.amounts else 0
                    paid += sum(map(max, there))
            doubled = [
                network.places[p].value
                for p in places
                if network.places[p].kind.value in train.doubles and p in pay
            ]
            paid += max(doubled, default=0)
            most = paid if most is None else max(most, paid)
    return most


def most_by_force(network: Network, trains: list[Engine]) -> int:
    """The most that trains earn together, by trying all runs of each beside all of the others."""
    runs = all_runs(network)
    own = [train for train in trains if not train.car]
    if len(own) < len(trains):
        carried = [
            [*own[:at], own[at]._replace(doubles=CITIES), *own[at + 1 :]] for at in range(len(own))
        ]
        return max((most_by_force(network, each) for each in carried), default=0)
    choices = []
    for train in trains:
        paid = {0: 0}
        for places, sides in runs:
            value = worth(network, train, places)
            # Each side is one step from hex to hex.
            if train.hexes is not None and len(places) > 1 and sides.bit_count() > train.hexes:
                continue
            if value is not None:
                paid[sides] = max(paid.get(sides, 0), value)
        choices.append(paid)

    def best(number: int, used: int) -> int:
        if number == len(choices):
            return 0
        return max(
            value + best(number + 1, used | sides)
            for sides, value in choices[number].items()
            if not sides & used
        )

    return best(0, 0)


def shown(network: Network, run) -> Shown | None:
    if run is None:
        return None
    return Shown(
        stops=tuple((network.places[place].hex, 0) for place in run.places),
        sides=tuple(tuple(network.names[s] for s in bits_of(c.sides)) for c in run.chains),
        value=run.value,
    )


def compared(count: int) -> None:
    """Solve random boards and trains, and verify and forge each proof."""
    dice = random.Random(47)
    forged = contested = 0
    for _ in range(count):
        network = any_network(dice)
        trains = [dice.choice(TRAINS) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.15:
            trains.append(CAR)
        best = best_runs(network, trains, seconds=60)
        assert best.total == best.bound == most_by_force(network, trains)
        assert best.proof is not None
        ours = [shown(network, run) for run in best.runs]
        verify(network, trains, ours, best.total, best.proof)
        contested += best.proof.side is not None or bool(best.proof.tolls)
        if best.total:
            for lie in forgeries(best.proof, dice):
                with pytest.raises(Refused):
                    verify(network, trains, ours, best.total, lie)
                forged += 1
            with pytest.raises(Refused):
                verify(network, trains, ours, best.total + 10, best.proof)
            # No runs do not earn that, and the best runs earn more than nothing.
            for total in (best.total, 0):
                with pytest.raises(Refused):
                    verify(network, trains, [None] * len(ours), total, best.proof)
    assert forged > count / 2
    assert contested > count / 10


def forgeries(case: Case, dice: random.Random) -> list[Case]:
    """Proofs that lack something: a share that is too low for the best run, a case, all shares."""
    if case.carriers:
        return [replace(case, carriers={})]
    if case.side is not None:
        name = dice.choice(sorted(case.cases))
        left = {key: value for key, value in case.cases.items() if key != name}
        deeper = forgeries(case.cases[name], dice)
        return [
            replace(case, cases=left),
            replace(case, side="nowhere"),
            *(replace(case, cases={**case.cases, name: lie}) for lie in deeper[:1]),
        ]
    lies = [replace(case, shares=case.shares[1:])]
    train = max(range(len(case.shares)), key=lambda each: case.shares[each])
    if case.shares[train]:
        less = [*case.shares]
        less[train] -= 1
        lies.append(replace(case, shares=tuple(less)))
    return lies


@pytest.fixture(params=["whole runs", "halves"])
def as_long_trains(request, monkeypatch) -> None:
    """Have all trains run as short ones do, and all as long ones."""
    if request.param == "halves":
        monkeypatch.setattr(runs, "_FEW_ARMS", 0)
        monkeypatch.setattr(runs, "_MANY_ARMS", 3)
        monkeypatch.setattr(runs, "_MORE_HALVES", 10**6)


@pytest.mark.usefixtures("as_long_trains")
def test_the_best_runs_are_those_of_brute_force() -> None:
    compared(150)


@pytest.mark.slow
@pytest.mark.usefixtures("as_long_trains")
def test_the_best_runs_of_many_boards_are_those_of_brute_force() -> None:
    compared(10_000)


# A corner of 18EU: from London by Lille and Antwerp to Brussels, and on to Paris.
BOARD = {
    "format": "platelayer.position/1",
    "title": "18eu",
    "phase": "3",
    "tiles": {"G2": "58 2", "F3": "3 0", "H3": "577 4", "I2": "9 1"},
    "tokens": {"H3": ["BNR"], "J1": ["3 1"]},
    "trains": {"BNR": ["2", "3"], "3": ["2"]},
}


@pytest.fixture
def board(tmp_path):
    def write(**changes):
        path = tmp_path / "board.json"
        path.write_text(json.dumps({**BOARD, **changes}), encoding="utf-8")
        return path

    return write


def test_incomes_are_told_in_words(board) -> None:
    found = routes("18eu", board())
    assert found.text.splitlines() == [
        "BNR: £180 is the most",
        "  2: London 40 – Lille 10 – Antwerp 10 – Brussels 40 = £100",
        "  3: Paris 40 – Brussels 40 = £80",
        "3: £0 is the most",
        "  2: stays at home = £0",
    ]
    assert routes("18eu", board(), language="ja").text.startswith("BNR：最大収益£180")


def test_incomes_follow_the_phase_and_the_trains(board) -> None:
    def most(**how) -> int:
        return routes("18eu", board(**how), company="BNR", trains=["4"]).incomes[0].best.total

    assert most() == 140
    assert most(phase="5") == 170  # London pays 70
    # Where Brussels is full of others' tokens, a train ends there; a neutral one lets it pass.
    assert most(tokens={"H3": ["SNCF"], "J1": ["BNR"]}) == 80
    assert most(tokens={"H3": ["*"], "J1": ["BNR"]}) == 140


def test_what_was_not_listed_in_time_is_not_proven(board, monkeypatch) -> None:
    title, path = find("18eu").title, board()
    (income,) = routes("18eu", path, company="BNR").incomes
    position = routes("18eu", path).position
    assert income.network.whole
    monkeypatch.setattr(tracks, "_POINTS", 1)
    part = network_of(title, position, "BNR", seconds=1)
    assert not part.whole
    best = best_runs(part, income.engines)
    assert best.proof is None
    assert best.total <= income.best.total <= best.bound
    hasty = best_runs(income.network, income.engines, seconds=1e-9)
    assert 0 < hasty.total <= income.best.total <= hasty.bound


def test_a_pullman_car_doubles_a_stop_of_another_train(board, tmp_path) -> None:
    """18EU, 4.4.9 (Pullman Cars): it runs with another train, and doubles a city or an off-board."""
    found = routes("18eu", board(), company="BNR", trains=["P", "2"])
    assert found.text.splitlines()[:3] == [
        "BNR: £140 is the most",
        "  P: doubles London 40 with 2",
        "  2: London 40 – Lille 10 – Antwerp 10 – Brussels 40 = £140",
    ]
    (tmp_path / "p.json").write_bytes(found.proof())
    assert (
        verify_proof(tmp_path / "p.json") == "18eu: BNR earns 140 with P, 2, and no runs earn more"
    )
    assert routes("18eu", board(), company="BNR", trains=["P"]).incomes[0].best.total == 0


def test_json_has_stops_and_sides(board) -> None:
    data = json.loads(routes("18eu", board(), company="BNR").json)
    (income,) = data["incomes"]
    assert (income["total"], income["proven"], income["at_most"]) == (180, True, 180)
    assert income["runs"][0] == {
        "train": "2",
        "stops": [["F1", 0], ["G2", 0], ["F3", 0], ["H3", 0]],
        "sides": [["F1/5"], ["F3/1"], ["F3/0"]],
        "value": 100,
    }


def test_a_proof_is_verified_and_a_forged_one_refused(board, tmp_path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(routes("18eu", board(), company="BNR").proof())
    assert verify_proof(path) == "18eu: BNR earns 180 with 2, 3, and no runs earn more"
    proof = json.loads(path.read_text("utf-8"))
    for change in (
        {"total": 190},
        {"trains": ["2"]},
        {"runs": proof["runs"][:1]},
        {"company": "SNCF"},
        {"company": "nobody"},
        {"case": {}},
        {"position": {**proof["position"], "phase": "5"}},
        {"format": "platelayer.position/1"},
    ):
        path.write_text(json.dumps({**proof, **change}), encoding="utf-8")
        with pytest.raises(CannotRun):
            verify_proof(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(CannotRun, match='this is no proof of routes: its "format" is not'):
        verify_proof(path)
    with pytest.raises(CannotRun, match="a proof is of one company; name it"):
        routes("18eu", board()).proof()


def test_what_is_not_there_is_named(board) -> None:
    with pytest.raises(CannotRun, match='there is no train "9"'):
        routes("18eu", board(), company="BNR", trains=["9"])
    with pytest.raises(CannotRun, match='there is no company "BNX"; did you mean "BNR"'):
        routes("18eu", board(), company="BNX")
    with pytest.raises(CannotRun, match="FS has none in the position"):
        routes("18eu", board(), company="FS")
    with pytest.raises(CannotRun, match="a position of 18eu, not of 1841"):
        routes("1841", board())
    with pytest.raises(ProblemsFound) as stopped:
        routes("18eu", board(trains={"BNR": ["2", "9"], "XX": []}))
    assert [problem.message for problem in stopped.value.problems] == [
        'there is no train "9"',
        'there is no company "XX"',
    ]


def test_the_map_shows_the_runs(board) -> None:
    found = routes("18eu", board(), company="BNR")
    svg = found.picture(theme="classic").svg().decode().lower()
    assert "#0072b2" in svg
    assert "#d55e00" in svg
    assert "#cc79a7" not in svg


def test_the_command_writes_a_map_and_a_proof(board, tmp_path) -> None:
    run = CliRunner().invoke
    there = str(board())
    wanted = ["routes", "18eu", "--position", there, "--company", "BNR"]
    told = run(cli, [*wanted, "-o", str(tmp_path / "m.svg"), "--proof", str(tmp_path / "p.json")])
    assert told.exit_code == 0, told.output
    assert "BNR: £180 is the most" in told.output
    assert (tmp_path / "m.svg").read_bytes().startswith(b"<?xml")
    told = run(cli, ["routes", "--verify", str(tmp_path / "p.json")])
    assert (told.exit_code, told.output.startswith("18eu: BNR earns 180")) == (0, True)
    assert run(cli, ["routes", "18eu"]).exit_code == 2
    told = run(cli, [*wanted, "--proof", "-"])
    assert (told.exit_code, json.loads(told.stdout)["total"]) == (0, 180)
    same = str(tmp_path / "same.pdf")
    told = run(cli, [*wanted, "-o", same, "--proof", same])
    assert (told.exit_code, "both name" in told.output) == (2, True)


def test_18eu_pays_from_red_to_red_by_its_rulebook() -> None:
    """4.4.3: 20 to 80 by the number of own tokens in brown, 10 in green, nothing in yellow; and
    nothing where one end is Hamburg."""
    title = find("18eu").title

    def bonuses(phase: str):
        return network_of(title, Position(title="18eu", phase=phase), "BNR").bonuses

    assert bonuses("2") == ()
    assert [bonus.amounts for bonus in bonuses("3")] == [(10,)]
    ((ends, amounts, _),) = bonuses("5")
    assert amounts == (20, 40, 60, 80)
    places = network_of(title, Position(title="18eu"), "BNR").places
    assert {places[end].hex for end in ends} == {"F1", "E14", "Q14", "V7"}


def test_the_incomes_of_all_companies_are_printed(board, tmp_path) -> None:
    path = tmp_path / "incomes.pdf"
    wanted = ["routes", "18eu", "--position", str(board()), "-o", str(path)]
    told = CliRunner().invoke(cli, wanted)
    assert told.exit_code == 0, told.output
    words = pdf_text(path)
    assert "BNR: £180 is the most" in words
    assert "3: £0 is the most" in words
    told = CliRunner().invoke(cli, [*wanted[:-1], str(tmp_path / "incomes.svg")])
    assert isinstance(told.exception, CannotRun)
