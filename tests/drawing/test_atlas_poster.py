"""The poster and the building guide of assembled maps: legible in every mode, and what they must tell."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest
from atlas_samples import laid, lost_atlas, with_projects
from invented import words_of
from msgspec.structs import replace

from platelayer.atlas.assemble import assemble
from platelayer.atlas.extent import board_size_mm, companies_in_play
from platelayer.atlas.homes import HomeMeasures
from platelayer.atlas.measures import Surveyor
from platelayer.definitions.themes import load_theme
from platelayer.drawing.atlas.balance import HomeRow, draw_balance, worth_items
from platelayer.drawing.atlas.guide import draw_guide
from platelayer.drawing.atlas.poster import draw_atlas_poster
from platelayer.drawing.atlas.schematic import hour, stages_of, steps_of
from platelayer.drawing.kit.style import Style
from platelayer.model.atlas import AtlasLog
from platelayer.model.hexes import Layout, edge_point
from platelayer.model.title import Title
from platelayer.pipeline.atlas_files import home_row
from platelayer.render.codes import qr_modules
from platelayer.scene.inks import Ink
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Path, Scene

PAGE_MM = (186.0, 256.0)
SEEDS = {"long": (1, 7), "short": (4,), "micro3": (9, 2), "micro2": (4, 5)}
MAPS = [(mode, seed) for mode, seeds in SEEDS.items() for seed in seeds]


@pytest.fixture(scope="module")
def title() -> Title:
    return lost_atlas()


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


def assembled(title: Title, mode: str, seed: int) -> AtlasLog:
    assert title.atlas is not None
    return assemble(title.atlas, mode, seed=seed)


def guide(title: Title, log: AtlasLog, style: Style) -> Scene:
    assert title.atlas is not None
    companies = companies_in_play(title.atlas, title.atlas.mode_by_id[log.mode], log)
    (page,) = draw_guide(title, log, style, *PAGE_MM, companies=companies)
    return page


@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_posters_and_guides_can_be_read(title, style, mode, seed):
    log = assembled(title, mode, seed)
    for scene in (draw_atlas_poster(title, log, style), guide(title, log, style)):
        assert [str(problem) for problem in check_legibility(scene)] == []


def is_filled(item: Item, ink: Ink) -> bool:
    return isinstance(item, Path) and item.fill == ink


def holds(item: Item, ink: Ink) -> bool:
    return isinstance(item, Group) and any(is_filled(each, ink) for each in item.items)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_homes_are_compared_by_bars(title, mode, seed, language):
    style = Style(theme=load_theme("classic"), language=language, terms=dict(title.terms))
    log = assembled(title, mode, seed)
    homes = Surveyor(title.atlas).measure_homes(log)
    rows = [home_row(company, found) for company, found in homes.items()]
    page = draw_balance(title, log, style, *PAGE_MM, rows=rows, fairness=93.75)
    assert [str(problem) for problem in check_legibility(page)] == []
    shown = words_of(page)
    assert any("93.8" in each for each in shown)
    # Each home has its worth in the fourth column; a bar of this column is as long as its worth is of the greatest.
    red = style.ink("map.title")
    (bars,) = ([path for path in group.items if is_filled(path, red)] for group in page.items if holds(group, red))
    assert lengths(bars) == pytest.approx(shares(homes.values(), max(lengths(bars))), abs=0.01)
    for each in homes.values():
        assert title.money(each.worth) in shown


def lengths(bars: list[Path]) -> list[float]:
    corners = ([command[1] for command in bar.commands if len(command) > 1] for bar in bars)
    return [max(x) - min(x) for x in corners]


def shares(homes: Iterable[HomeMeasures], longest: float) -> list[float]:
    worths = [each.worth for each in homes]
    return [longest * worth / max(worths) for worth in worths]


CODES = {"alone": (), "beside a code": qr_modules("a"), "above a large one": qr_modules(90 * "a")}


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_the_poster_has_the_worth_of_each_home(title, style, mode, seed, code):
    log = assembled(title, mode, seed)
    homes = Surveyor(title.atlas).measure_homes(log)
    rows = [home_row(company, found) for company, found in homes.items()]
    poster = draw_atlas_poster(title, log, style, code=code, rows=rows, fairness=100.0)
    assert [str(problem) for problem in check_legibility(poster)] == []
    items, *_ = worth_items(title, style, 50.0, rows=rows, fairness=100.0)
    bars = [each for each in items if is_filled(each, style.ink("map.title"))]
    assert lengths(bars) == pytest.approx(shares(homes.values(), max(lengths(bars))), abs=0.01)
    shown = words_of(poster)
    assert any("100.0" in each for each in shown)
    assert {title.money(each.worth) for each in homes.values()} <= set(shown)


def test_a_home_without_a_way_has_a_dash(title, style):
    rows = [HomeRow(company="AG", values=(20, 30, 30, 80, None, None, None, None, 0))]
    page = draw_balance(title, assembled(title, "micro2", 4), style, *PAGE_MM, rows=rows, fairness=100)
    assert words_of(page).count("–") == 4


@pytest.mark.parametrize("mode", SEEDS)
def test_guides_without_blanks_stay_on_their_page(title, style, mode):
    """Nothing stands below the pictures of the stages then: where a map is tall, they go down to the edge."""
    for seed in range(8):
        log = replace(assembled(title, mode, seed), blanks=())
        assert [str(problem) for problem in check_legibility(guide(title, log, style))] == []


@pytest.mark.parametrize("rotation", range(6))
def test_every_turn_of_the_tiles_with_printed_track_can_be_read(title, style, rotation):
    for number in (2, 7, 8, 9, 11, 26, 27, 28):
        scene = draw_atlas_poster(title, laid((number, (0, 0), rotation)), style)
        assert [str(problem) for problem in check_legibility(scene)] == []


def test_a_poster_tells_its_seed_and_shows_every_number_and_company(title, style):
    log = assembled(title, "long", 7)
    said = words_of(draw_atlas_poster(title, log, style))
    assert {"Seed", "7", "compact", "Long game"} <= set(said)
    for draw in log.placed:
        assert str(draw.tile) in said
    assert {"EA", "EM", "AG", "RE", "ER", "SU", "NP", "TU", "BR", "OV", "SP"} <= set(said)
    assert said.count("33 map tiles") == 1


def test_the_same_log_gives_the_same_poster(title, style):
    log = assembled(title, "micro2", 5)
    one, other = (draw_atlas_poster(title, log, style) for _ in range(2))
    assert (one.items, one.width_mm) == (other.items, other.width_mm)


def test_a_map_typed_in_says_so_and_has_no_seed(title, style):
    said = words_of(draw_atlas_poster(title, laid((1, (0, 0), 0), (14, (1, 0), 1)), style))
    assert "Laid by hand" in said
    assert "Seed" not in said


def test_a_log_without_tiles_or_with_strange_ones_is_refused(title, style):
    with pytest.raises(ValueError, match="no board"):
        draw_atlas_poster(title, laid(), style)
    with pytest.raises(KeyError):
        draw_atlas_poster(title, laid((99, (0, 0), 0)), style)
    with pytest.raises(KeyError):
        draw_atlas_poster(replace(title, atlas=None), laid((1, (0, 0), 0)), style)


def test_numbers_point_to_odd_hours_from_eleven():
    # The outer corner of hex 1 lies up left of the tile's middle; each turn is two hours on.
    assert [hour(rotation) for rotation in range(6)] == [11, 1, 3, 5, 7, 9]
    for rotation in range(6):
        x, y = edge_point(2.5 + rotation, Layout.FLAT, 1.0)
        turn = math.radians(30 * hour(rotation))
        assert (x, y) == pytest.approx((math.sin(turn), -math.cos(turn)))


def test_steps_leave_out_what_lays_nothing():
    log = with_projects(laid((15, (0, 0), 0), (3, (1, 1), 2)), None, (0, 0))
    assert [(step.order, step.tile, step.place) for step in steps_of(log)] == [
        (1, 15, "A1"),
        (2, 3, "B4"),
        (3, None, "A1"),
    ]


@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_stages_have_every_step_once(title, mode, seed):
    log = assembled(title, mode, seed)
    stages = stages_of(log)
    assert 2 <= len(stages) <= 6
    assert [step.order for stage in stages for step in stage.new] == list(
        range(1, len(log.placed) + len(log.overlays) + 1)
    )
    assert [bool(stage.blanks) for stage in stages[:-1]] == [False] * (len(stages) - 1)
    assert stages[-1].blanks == log.blanks


def test_the_guide_tells_places_hours_companies_room_and_columns(title, style):
    log = assembled(title, "long", 7)
    page = guide(title, log, style)
    said = " ".join(words_of(page))
    for step in steps_of(log):
        assert step.place in said
        assert step.tile is None or f"{hour(step.rotation)} o’clock" in said
    wide, tall = board_size_mm(log, 40.0)
    assert f"{wide} × {tall} mm" in said
    assert "4 + 4 + 4" in said
    assert "3: $300, 4: $275, 5: $220" in " ".join(said.split())
    assert (page.width_mm, page.height_mm) == PAGE_MM
