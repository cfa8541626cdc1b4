"""Each kind of train and bonus of the five titles, as the sections of their rulebooks have it."""

from __future__ import annotations

import pytest

from platelayer.model.position import Lay, Position, Station
from platelayer.model.tile import StopKind
from platelayer.pipeline.load import find
from platelayer.play.network import Chain, Network, Place, engines_of, network_of
from platelayer.play.runs import best_runs

KINDS = {
    "c": StopKind.CITY,
    "t": StopKind.TOWN,
    "o": StopKind.OFFBOARD,
    "p": StopKind.PASS,
}


def along(stops: str, title: str, company: str, *trains: str, **of_network) -> int:
    """Earnings of trains on one line of stops, such as "c20* t10 c30": "*" is a token, "!" a city full
    of others' tokens."""
    places, leaving = [], []
    skips = find(title).title.company_by_id[company].skips_full
    for number, word in enumerate(stops.split()):
        own, full = "*" in word, "!" in word
        places.append(
            Place(
                hex=f"A{number}",
                stop=0,
                kind=KINDS[word[0]],
                value=int(word[1:].strip("*!")),
                bit=1 << number,
                open=not full and word[0] != "o",
                own=own,
                counts=word[0] != "p",
            )
        )
    for start in range(len(places)):
        chains = []
        for step in (-1, 1):
            end, sides = start + step, 0
            while 0 <= end < len(places):
                sides |= 1 << min(end, end - step)
                chains.append(Chain(start, end, sides, ()))
                if places[end].open or not skips or places[end].kind is StopKind.OFFBOARD:
                    break
                end += step
        leaving.append(tuple(chains))
    network = Network(
        places=tuple(places),
        leaving=tuple(leaving),
        names=tuple(f"S{n}" for n in range(len(places))),
        **of_network,
    )
    best = best_runs(network, engines_of(find(title).title, company, trains))
    assert best.proof is not None
    return best.total


def on_map(
    title: str,
    company: str,
    trains: str,
    phase: str,
    token: str,
    *,
    markers: dict[str, int] | None = None,
    **tiles: str,
) -> int:
    """Earnings of a company with one token ("F11 1" is at stop 1) and some tiles on a title's map."""
    loaded = find(title).title
    hex_id, _, stop = token.partition(" ")
    lays = ((at, Lay(*lay.split()[:1], int(lay.split()[1]))) for at, lay in tiles.items())
    position = Position(
        title=title,
        phase=phase,
        tiles=tuple(lays),
        tokens=((hex_id, (Station(company, int(stop or 0)),)),),
        markers=((company, tuple((markers or {}).items())),),
    )
    network = network_of(loaded, position, company)
    best = best_runs(network, engines_of(loaded, company, trains.split(",")))
    assert best.proof is not None
    return best.total


@pytest.mark.parametrize(
    ("company", "train", "stops", "income"),
    [
        # Normal trains count every stop, and leave none out.
        ("EKJ", "d 3", "c20* t10 t10 c40", 40),
        ("EKJ", "e 4", "c20* t10 t10 c40", 80),
        # 2+2: four stops, two of them cities or red tiles; towns may be more.
        ("BTE", "b 2+2", "c20* t10 t10 c40 t10 c50", 80),
        ("BTE", "b 2+2", "c20* t10 t10 t10 c40", 50),
        # 3E: three stops; towns may be left out, and are no stops then.
        ("SX", "d 3E", "c20* t10 t10 c40 t10 c50", 110),
        ("SX", "d 3E", "c20* t10 t20 t10", 50),
        ("SX", "d 3E", "c20* c10 t10 c40 t10 c50", 70),
    ],
)
def test_18cz_trains(company: str, train: str, stops: str, income: int) -> None:
    """18CZ, 8-7: normal trains, plus trains, E trains."""
    assert along(stops, "18cz", company, train) == income


def test_18cz_pays_50_at_a_home_on_a_red_tile() -> None:
    """18CZ, 8-8: 50 more for the company whose home the red tile is. Green phases: it pays 30."""
    tiles = {"A7": "8896 3", "A9": "58 1"}
    assert on_map("18cz", "SX", "d 3E", "d", "A7", **tiles) == 30 + 10 + 50
    assert on_map("18cz", "ATE", "d 3+3", "d", "A7", **tiles) == 30 + 10


def test_1841_trains() -> None:
    """1841, 4.3.1: the example of IRSFF's 2-train: port, Venezia, Mestre, Padova, Rovigo for 110."""
    tiles = {"F16": "601 0", "G15": "202 4", "I15": "58 1"}
    assert on_map("1841", "IRSFF", "2", "2", "F16", **tiles) == 110


@pytest.mark.parametrize(("train", "income"), [("2", 0), ("3", 130), ("8", 130)])
def test_1841_passes_count_as_cities_that_pay_nothing(train: str, income: int) -> None:
    """1841, 4.3.1: from Alessandria (20) over the Giovi pass and Genova (40) to its port (70)."""
    tiles = {"M7": "612 0", "K7": "614 0", "J6": "57 2"}
    assert on_map("1841", "SFTG", train, "4", "M7", **tiles) == income


def test_1841_the_8_train_passes_freely() -> None:
    """1841, 4.3.1, 10: a pass is no stop of the 8-train."""
    eight = " ".join(["c10*", "p0", *["c10"] * 7])
    assert along(eight, "1841", "SFTG", "8") == 80
    assert along(eight, "1841", "SFTG", "7") == 60


def test_1841_ports_and_passes_are_no_second_place() -> None:
    """1841, 4.3.1: Genova with its port and pass is no route, nor does a token on a pass begin one."""
    assert on_map("1841", "SFTG", "3", "4", "M7", M7="612 0", K7="614 0") == 0
    tiles = {"M7": "612 0", "K7": "614 0", "J6": "57 2"}
    assert on_map("1841", "SFTG", "3", "4", "K7", **tiles) == 0


def test_18eu_trains_do_not_count_towns() -> None:
    """18EU, 4.4.3."""
    assert along("c20* t10 t10 c30 c50", "18eu", "BNR", "2") == 70
    assert along("c20 t10 t10 c30* c50", "18eu", "BNR", "3") == 120


def test_18eu_a_route_visits_paris_once() -> None:
    """18EU, 4.4.3: the stations of Paris, Berlin and Vienna are one city."""
    assert on_map("18eu", "SNCF", "3", "2", "J1", H3="578 0", I2="7 0", K2="7 2") == 0


def test_18eu_a_pullman_car_doubles_a_city_or_an_off_board() -> None:
    """18EU, 4.4.9 (Pullman Cars): not a town, and only beside another train."""
    assert along("c20* t50 c30", "18eu", "BNR", "2", "P") == 20 + 50 + 2 * 30
    assert along("c20* t50 c30", "18eu", "BNR", "P") == 0
    # It runs with the train that gains the most by it.
    assert along("o90 c20* c30", "18eu", "BNR", "2", "2", "P") == 110 + 50 + 90


@pytest.mark.parametrize(("phase", "income"), [("PH2", 30), ("PH5", 60)])
def test_1824_g_trains_run_from_a_mine(phase: str, income: int) -> None:
    """1824, X and XII: 1g runs from the mine (10, from the first 5-train on 40) to one city."""
    assert on_map("1824", "EPP", "1g", phase, "D5", C4="57 2") == income


def test_1824_other_trains_enter_no_mine_and_g_trains_need_one() -> None:
    """1824, X: only g-trains enter; XII: they begin at a mine."""
    assert on_map("1824", "EPP", "2", "PH2", "D5", C4="57 2") == 0
    assert on_map("1824", "BK", "1g", "PH2", "C4", C4="57 1") == 0
    assert on_map("1824", "BK", "2", "PH2", "C4", C4="57 1") == 20 + 10


def test_1824_normal_trains_count_towns_and_g_trains_do_not() -> None:
    """1824, XII."""
    assert along("c20* t10 c30", "1824", "BK", "2") == 30
    assert along("c20* t10 c30", "1824", "BK", "3") == 60


def test_1824_a_route_visits_one_station_of_a_hex() -> None:
    """1824, XIV: from Wien to Wien is no route."""
    assert on_map("1824", "KK1", "2", "PH2", "F11 1", F9="7 3", E10="7 5") == 0


def test_lost_atlas_trains() -> None:
    """Lost Atlas, 16: as many stops as the number, none left out; the ∞ any number."""
    line = "o30 c20 c20* c60 c20"
    assert along(line, "lost-atlas", "AG", "4") == 130
    assert along(line, "lost-atlas", "AG", "∞") == 150


def test_lost_atlas_has_local_routes() -> None:
    """Lost Atlas, 16 (local routes): at one station without track, several trains at the same."""
    assert find("lost-atlas").title.local_routes
    assert along("c20*", "lost-atlas", "AG", "2", "2", local=True) == 40
    assert along("c60* c20", "lost-atlas", "AG", "2", "2", local=True) == 140


def test_lost_atlas_express_counts_one_stop_more_with_a_single_train() -> None:
    """Lost Atlas, 26 (Express): one train counts one stop more, of two trains none does."""
    line = "c20 c20* c60 c20"
    assert along(line, "lost-atlas", "ER", "2") == 100
    assert along(line, "lost-atlas", "ER", "2", "2") == 120
    assert along(line, "lost-atlas", "AG", "2") == 80


def test_lost_atlas_overnight_skips_blocked_cities() -> None:
    """Lost Atlas, 26 (Overnight): a skipped city is no stop, and pays nothing."""
    line = "c20* c40! c30"
    assert along(line, "lost-atlas", "AG", "2") == 60
    assert along(line, "lost-atlas", "OV", "2") == 60
    assert along("c20* c10! c30", "lost-atlas", "OV", "2") == 50
    assert find("lost-atlas").title.company_by_id["OV"].skips_full


def test_a_marker_pays_each_train_that_stops_there() -> None:
    """Lost Atlas, 26 (Suburban): 10 more for each suburb on the route of each train; on a map of 18CZ."""
    tiles = {"A7": "8896 3", "A9": "58 1"}
    assert on_map("18cz", "ATE", "d 3+3", "d", "A7", markers={"A9": 10}, **tiles) == 50
    assert on_map("18cz", "ATE", "d 3+3", "d", "A7", markers={"B8": 10}, **tiles) == 40
