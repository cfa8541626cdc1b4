"""The compiled core and its twins in Python: the same maps, measures and verdicts, seed by seed."""

import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from everymap import small
from platelayer.atlas import compiled as module
from platelayer.atlas import find, layouts
from platelayer.atlas.assemble import POLICIES, NoMap, assemble
from platelayer.atlas.compiled import Compiled, Wanted, compiled, rows_of
from platelayer.atlas.conditions import read_conditions, read_objectives
from platelayer.atlas.find import Search, search_maps
from platelayer.atlas.layouts import library, library_name
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.build import shipped_box
from platelayer.model.map_tiles import AtlasBox, AtlasHex, Ground, MapTile

BOX = shipped_box()
BUILD = Path(module.__file__).parents[2] / "build_compiled.py"
COMPILER = pytest.mark.skipif(
    shutil.which("cc") is None, reason="no C compiler on this machine: everything is Python"
)


@pytest.fixture(autouse=True, scope="module")
def _library() -> None:
    """The library of the sources as they are, even if Platelayer was installed before they were
    changed."""
    subprocess.run([sys.executable, str(BUILD)], check=True, capture_output=True)
    library.cache_clear()
    compiled.cache_clear()


def core_of(box: AtlasBox, mode: str, policy: str, blanks: int | None = None) -> Compiled:
    core = compiled(box, mode, policy, blanks)
    assert core is not None
    return core


def rows(core: Compiled, seeds: range) -> list[tuple[int, dict[str, float]]]:
    return [(each.restarts, each.values()) for each in core.rows(seeds, check=True)]


def twin(
    box: AtlasBox, mode: str, policy: str, blanks: int | None, seeds: range
) -> list[tuple[int, dict[str, float]]]:
    surveyor = Surveyor(box)
    logs = [assemble(box, mode, seed=seed, policy=policy, blanks=blanks) for seed in seeds]
    return [(log.restarts, surveyor.measure(log)) for log in logs]


@COMPILER
@pytest.mark.parametrize("blanks", [None, 0, 3])
@pytest.mark.parametrize("policy", ["uniform", "compact", "best"])
@pytest.mark.parametrize("mode", BOX.mode_by_id)
def test_the_same_maps_and_measures(mode: str, policy: str, blanks: int | None) -> None:
    seeds = range(3) if policy == "best" else range(15)
    found = rows(core_of(BOX, mode, policy, blanks), seeds)
    assert found == twin(BOX, mode, policy, blanks, seeds)
    assert [list(measures) for _, measures in found] == [list(module.MEASURES)] * len(seeds)


@COMPILER
@pytest.mark.slow
@pytest.mark.parametrize("policy", ["uniform", "compact"])
@pytest.mark.parametrize("mode", BOX.mode_by_id)
def test_the_same_over_many_maps(mode: str, policy: str) -> None:
    seeds = range(10_000, 13_000)
    assert rows(core_of(BOX, mode, policy), seeds) == twin(BOX, mode, policy, None, seeds)


def own_box(*tiles: str, copies: int = 3, projects: int = 2) -> AtlasBox:
    """A box of one's own, one of whose tiles stays in it."""
    numbers = {"first": 10, "step": 3, "bridging": ("C0",), "removed": ((10, 1),)}
    return small(*((copies, each) for each in tiles), projects=projects, **numbers)


@COMPILER
@pytest.mark.parametrize(
    "box",
    [
        own_box("hpp", "cmw"),
        own_box("ppp", "hhc", "dpd", copies=4),
        own_box("hbp", "ccc", "www", "pmb", copies=2, projects=9),
        own_box("ddd", "mwh", copies=12, projects=0),
        own_box("ppp", copies=40),
    ],
)
@pytest.mark.parametrize("policy", ["uniform", "compact", "best"])
def test_boxes_of_ones_own(box: AtlasBox, policy: str) -> None:
    seeds = range(2) if policy == "best" else range(12)
    assert rows(core_of(box, "small", policy), seeds) == twin(box, "small", policy, None, seeds)


@COMPILER
@pytest.mark.parametrize("mode", BOX.mode_by_id)
def test_the_same_chain(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy "even" in C and in Python."""
    monkeypatch.setitem(POLICIES, "even", replace(POLICIES["even"], sweeps=1))
    fast = [assemble(BOX, mode, seed=seed, policy="even") for seed in range(2)]
    monkeypatch.setattr(layouts, "library", lambda: None)
    assert [assemble(BOX, mode, seed=seed, policy="even") for seed in range(2)] == fast


@COMPILER
def test_tables_have_the_sizes_that_the_library_has() -> None:
    core = core_of(BOX, "long", "compact")
    sizes = array("i", bytes(20))
    core.library.platelayer_sizes(layouts.at(sizes))
    settings, tile, row, draw, trains = sizes
    assert (len(core.settings), len(core.tiles)) == (settings, tile * len(BOX.map_tiles))
    assert (row, draw, trains) == (module._ROW, module._DRAW, module._MAX_TRAINS)


@COMPILER
@pytest.mark.parametrize("check", [False, True])
def test_rows_are_the_same_bytes(check: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted(mode="micro3", policy="compact", seed=7)
    fast = rows_of(BOX, wanted, 40, 60, check=check)
    monkeypatch.setattr(module, "library", lambda: None)
    compiled.cache_clear()
    assert compiled(BOX, "micro3", "compact", None) is None
    assert rows_of(BOX, wanted, 40, 60, check=check) == fast
    compiled.cache_clear()


@COMPILER
def test_the_sources_give_no_warnings() -> None:
    sources = [layouts.FOLDER / name for name in layouts.SOURCES]
    command = [
        *["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-fsyntax-only"],
        *map(str, sources),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""


@COMPILER
def test_a_box_without_maps_is_left_to_python() -> None:
    """Two borders on every tile: nothing can be laid beside the first."""
    box = own_box("bbb")
    assert core_of(box, "small", "uniform").rows(range(2)) == []
    with pytest.raises(NoMap):
        rows_of(box, Wanted(mode="small", policy="uniform", seed=1), 0, 2)


@COMPILER
def test_what_the_library_cannot_hold_is_left_to_python() -> None:
    assert compiled(own_box("dpp", copies=65), "small", "uniform", None) is None


@COMPILER
@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 5), (1, 2), (2, 40), (3, -40), (4, 3), (5, 99)],
    ids=["tile", "copy", "q", "r", "rotation", "alternatives"],
)
def test_the_check_finds_every_change_of_a_draw(place: int, value: int) -> None:
    core, seeds = core_of(BOX, "long", "compact"), array("Q", [3])
    rows, draws = layouts.numbers(module._ROW), layouts.numbers(core.room * module._DRAW)
    blanks, counts = layouts.numbers(core.room * 2), layouts.numbers(3)
    at = layouts.at
    logs = [at(draws), at(blanks), at(counts)]
    made = core.library.platelayer_maps(
        at(core.settings), at(core.tiles), at(seeds), 1, at(rows), core.room, *logs
    )
    rules = [at(core.rules), at(core.designs)]
    assert (made, core.library.platelayer_check(*rules, 1, core.room, *logs)) == (0, 1)
    for draw in range(1, counts[0]):
        index = draw * module._DRAW + place
        before = draws[index]
        if draws[draw * module._DRAW] < 0 and place in (4, 5):  # projects have no rotation
            continue
        draws[index] = value if before != value else value + 1
        assert core.library.platelayer_check(*rules, 1, core.room, *logs) == 0, draw
        draws[index] = before
    for index in range(2 * counts[1]):
        blanks[index] += 1
        assert core.library.platelayer_check(*rules, 1, core.room, *logs) == 0
        blanks[index] -= 1
    counts[1] -= 1
    assert core.library.platelayer_check(*rules, 1, core.room, *logs) == 0


def test_a_library_of_other_sources_is_not_loaded(tmp_path: Path) -> None:
    for name in layouts.SOURCES:
        (tmp_path / name).write_text("/* other */")
    assert library_name(tmp_path) != library_name()


def test_no_library_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(layouts.OFF, "0")
    assert library.__wrapped__() is None


def test_modes_share_no_tables() -> None:
    other = replace(BOX, bridging=())
    first, second = (
        compiled(BOX, "short", "compact", None),
        compiled(other, "short", "compact", None),
    )
    assert first is second is None or first != second


@COMPILER
@pytest.mark.parametrize("patient", [False, True])
def test_a_search_finds_the_same(patient: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search(
        wanted=Wanted(mode="short", policy="compact", seed=7),
        where=read_conditions(
            "home_pairs_apart = 0, income_min >= 80, table_mm <= 400x500, capital_centrality < 1"
        ),
        best=read_objectives("fairness, least diameter"),
        count=3,
        patient=patient,
    )
    fast = search_maps(BOX, search, 20, 90)
    assert fast.met
    monkeypatch.setattr(find, "compiled", lambda *_: None)
    assert search_maps(BOX, search, 20, 90) == fast


GROUNDS = st.sampled_from([*Ground])


@st.composite
def large_boxes(draw: st.DrawFn) -> AtlasBox:
    """Boxes with many tiles and copies, homes of several companies on one tile, and companies that
    lay bridges."""
    palette = [Ground.HOME, Ground.WATER, *draw(st.lists(GROUNDS, min_size=1, max_size=5))]
    kinds = draw(st.lists(st.tuples(*[st.sampled_from(palette)] * 3), min_size=4, max_size=40))
    copies = draw(
        st.lists(st.sampled_from((1, 1, 2, 4, 9)), min_size=len(kinds), max_size=len(kinds))
    )
    tiles = tuple(
        MapTile(
            number=number,
            copies=count,
            hexes=tuple(
                AtlasHex(
                    ground=ground, company=f"H{number}{place}" if ground is Ground.HOME else None
                )
                for place, ground in enumerate(grounds)
            ),  # type: ignore[arg-type]
        )
        for number, (grounds, count) in enumerate(zip(kinds, copies, strict=True), start=1)
    )
    companies = [hexagon.company for tile in tiles for hexagon in tile.hexes if hexagon.company]
    places = draw(st.sets(st.sampled_from("012"), max_size=2))
    mode = replace(
        BOX.modes[0],
        removed=(),
        stacks=0,
        homes_per_stack=0,
        stack_homes=(),
        tiles_used=0,
        capital_projects=draw(st.integers(0, 6)),
    )
    bridging = (
        *(company for company in companies if company[-1] in places),
        *draw(st.sampled_from([(), ("NN",)])),
    )
    return replace(
        BOX,
        map_tiles=tiles,
        modes=(mode,),
        bridging=bridging,
        homeless=draw(st.sampled_from([(), ("NN",)])),
    )


@COMPILER
@given(
    box=large_boxes(),
    policy=st.sampled_from(["uniform", "compact"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_same_of_large_boxes(box: AtlasBox, policy: str, seed: int) -> None:
    mode = box.modes[0].id
    core = compiled(box, mode, policy, None)
    found = core.rows([seed], check=True) if core is not None else []
    if found:
        log = assemble(box, mode, seed=seed, policy=policy)
        assert (found[0].restarts, found[0].values()) == (log.restarts, Surveyor(box).measure(log))


@COMPILER
def test_of_two_homes_on_a_tile_one_lays_bridges() -> None:
    """One tile, both of its homes at the water: only the one whose company lays bridges gets to the
    city behind it."""
    homes = (AtlasHex(ground=Ground.HOME, company="A"), AtlasHex(ground=Ground.HOME, company="B"))
    tiles = (
        MapTile(number=1, copies=1, hexes=(*homes, AtlasHex(ground=Ground.WATER))),
        MapTile(
            number=2,
            copies=6,
            hexes=(
                AtlasHex(ground=Ground.WATER),
                AtlasHex(ground=Ground.WATER),
                AtlasHex(ground=Ground.CITY),
            ),
        ),
    )
    mode = replace(
        BOX.modes[0], removed=(), stacks=0, homes_per_stack=0, stack_homes=(), tiles_used=0
    )
    box = replace(BOX, map_tiles=tiles, modes=(mode,), homeless=(), bridging=("A",))
    both = replace(box, bridging=("A", "B"))
    apart = 0
    for seed in range(20):
        (one,), (two,) = (core_of(each, mode.id, "uniform").rows([seed]) for each in (box, both))
        log = assemble(box, mode.id, seed=seed, policy="uniform")
        assert one.values() == Surveyor(box).measure(log)
        apart += one.value("train_4_min") < two.value("train_4_min")
    assert apart > 5
