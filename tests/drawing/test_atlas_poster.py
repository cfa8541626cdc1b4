"""The poster and the building guide of assembled maps: legible in every mode, and what they must
tell."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise

import pytest
from atlas_samples import laid, lost_atlas, with_projects
from invented import words_of
from msgspec.structs import replace

from often import crossed
from platelayer.atlas.assemble import assemble
from platelayer.atlas.files import draw_guide
from platelayer.atlas.measures import HomeMeasures, Surveyor
from platelayer.atlas.poster import _notes, draw_atlas_poster, draw_balance
from platelayer.atlas.report import MapPrint, again_command, board_size_mm, companies_in_play
from platelayer.atlas.schematic import stages_of, steps_of
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.plan import drawn_slot_mm
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.ground import open_water
from platelayer.drawing.map.map_tile import draw_map_tile
from platelayer.model.gamemap import Layout
from platelayer.model.kinds import piece_size
from platelayer.model.map_tiles import (
    AtlasLog,
    Ground,
    board_of,
    capital_overlay,
    hex_topology,
)
from platelayer.model.title import Title
from platelayer.render.scenes import qr_modules
from platelayer.scene.inks import Ink, contrast
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Path, Role, Scene, TextRun
from shipped import shipped

PAGE_MM = (186.0, 256.0)
SEEDS = {"long": (1, 7), "short": (4,), "micro3": (9, 2), "micro2": (4, 5)}
BOX = shipped_box()
MAPS = [(mode, seed) for mode, seeds in SEEDS.items() for seed in seeds]


@pytest.fixture(scope="module")
def title() -> Title:
    return lost_atlas()


@pytest.fixture(scope="module")
def style() -> Style:
    return Style(theme=load_theme("classic"))


@cache
def assembled(mode: str, seed: int) -> AtlasLog:
    return assemble(BOX, mode, seed=seed)


def printed(title: Title, log: AtlasLog, style: Style, **changed) -> MapPrint:
    """A map to print with the measures of its homes."""
    return MapPrint(
        **{
            "title": title,
            "log": log,
            "style": style,
            "companies": companies_in_play(BOX, BOX.mode_by_id[log.mode], log),
            "paper": "a4",
            "homes": Surveyor(BOX).subject(log).homes_by_company,
            "chosen": {},
            "fairness": 93.75,
            **changed,
        }
    )


def guide(title: Title, log: AtlasLog, style: Style) -> tuple[Scene, ...]:
    return draw_guide(printed(title, log, style), *PAGE_MM)


@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_posters_and_guides_can_be_read(title, style, mode, seed):
    log = assembled(mode, seed)
    for scene in (draw_atlas_poster(title, log, style), *guide(title, log, style)):
        assert [str(problem) for problem in check_legibility(scene)] == []


def is_filled(item: Item, ink: Ink) -> bool:
    return isinstance(item, Path) and item.fill == ink


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(64))
def test_posters_of_many_maps_can_be_read(title, style, seed):
    scene = draw_atlas_poster(title, assembled("long", seed), style)
    assert [str(problem) for problem in check_legibility(scene)] == []


def holds(item: Item, ink: Ink) -> bool:
    return isinstance(item, Group) and any(is_filled(each, ink) for each in item.items)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_homes_are_compared_by_bars(title, mode, seed, language):
    style = Style(theme=load_theme("classic"), language=language, terms=dict(title.terms))
    log = assembled(mode, seed)
    job = printed(title, log, style)
    homes = [home for _, home in sorted(job.homes.items())]
    page = draw_balance(job, *PAGE_MM)
    assert [str(problem) for problem in check_legibility(page)] == []
    shown = words_of(page)
    assert any("93.8" in each for each in shown)
    # Each home has its worth in the fourth column; a bar of this column is as long as its worth is
    # of the greatest.
    red = style.ink("map.title")
    (bars,) = (
        [path for path in group.items if is_filled(path, red)]
        for group in page.items
        if holds(group, red)
    )
    assert lengths(bars) == pytest.approx(shares(homes, max(lengths(bars))), abs=0.01)
    for each in homes:
        assert title.money(each.worth) in shown


def lengths(bars: list[Path]) -> list[float]:
    corners = ([command[1] for command in bar.commands if len(command) > 1] for bar in bars)
    return [max(x) - min(x) for x in corners]


def shares(homes: Iterable[HomeMeasures], longest: float) -> list[float]:
    worths = [each.worth for each in homes]
    return [longest * worth / max(worths) for worth in worths]


def test_a_home_without_a_way_has_a_dash(title, style):
    log = assembled("micro2", 4)
    (home, *_) = Surveyor(BOX).subject(log).homes_by_company.values()
    away = replace(home, city_way=-1, mountain_cost=-1, capital_way=-1, destination_way=-1)
    page = draw_balance(printed(title, log, style, homes={"AG": away}), *PAGE_MM)
    assert words_of(page).count("–") == 4


@pytest.mark.parametrize("mode", SEEDS)
def test_guides_without_blanks_stay_on_their_page(title, style, mode):
    """Nothing stands below the pictures of the stages then: where a map is tall, they go down to
    the edge."""
    for seed in range(3):
        log = replace(assembled(mode, seed), blanks=())
        assert [
            str(problem)
            for scene in guide(title, log, style)
            for problem in check_legibility(scene)
        ] == []


@pytest.mark.parametrize("rotation", range(6))
def test_every_turn_of_the_tiles_with_printed_track_can_be_read(title, style, rotation):
    for number in (2, 7, 8, 9, 11, 26, 27, 28):
        scene = draw_atlas_poster(title, laid((number, (0, 0), rotation)), style)
        assert [str(problem) for problem in check_legibility(scene)] == []


def test_a_poster_shows_its_seed_and_shows_every_number_and_company(title, style):
    log = assembled("long", 7)
    texts_found = words_of(draw_atlas_poster(title, log, style))
    assert {"Seed", "7", "compact", "Long game"} <= set(texts_found)
    for draw in log.placed:
        assert str(draw.tile) in texts_found
    assert {"EA", "EM", "AG", "RE", "ER", "SU", "NP", "TU", "BR", "OV", "SP"} <= set(texts_found)
    assert "33 map tiles" in " ".join(words_of(guide(title, log, style)[0]))


def test_the_same_log_gives_the_same_poster(title, style):
    log = assembled("micro2", 5)
    one, other = (draw_atlas_poster(title, log, style) for _ in range(2))
    assert (one.items, one.width_mm) == (other.items, other.width_mm)


def test_a_map_typed_in_says_so_and_has_no_seed(title, style):
    texts_found = words_of(draw_atlas_poster(title, laid((1, (0, 0), 0), (14, (1, 0), 1)), style))
    assert "Laid by hand" in texts_found
    assert "Seed" not in texts_found


def test_a_log_without_tiles_or_with_strange_ones_is_refused(title, style):
    with pytest.raises(ValueError, match="no board"):
        draw_atlas_poster(title, laid(), style)
    with pytest.raises(KeyError):
        draw_atlas_poster(title, laid((99, (0, 0), 0)), style)
    with pytest.raises(KeyError):
        draw_atlas_poster(replace(title, atlas=None), laid((1, (0, 0), 0)), style)


def test_steps_leave_out_what_lays_nothing():
    log = with_projects(laid((15, (0, 0), 0), (3, (1, 1), 2)), None, (0, 0))
    assert [
        (step.order, step.tile, step.beside, [place for _, place in step.hexes])
        for step in steps_of(BOX, log)
    ] == [
        (1, 15, (), ["A1", "B2", "A3"]),
        (2, 3, (15,), ["B4", "A5", "A3"]),
        (3, None, (15,), ["A1"]),
    ]


@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_stages_have_every_step_once(title, mode, seed):
    log = assembled(mode, seed)
    stages = stages_of(title.atlas, log)
    assert 2 <= len(stages) <= 6
    assert [step.order for stage in stages for step in stage.new] == list(
        range(1, len(log.placed) + len(log.overlays) + 1)
    )
    assert [bool(stage.blanks) for stage in stages[:-1]] == [False] * (len(stages) - 1)
    assert stages[-1].blanks == log.blanks


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_in_the_guide_is_smaller_than_8_points(title, language):
    style = Style(theme=load_theme("classic"), language=language, terms=dict(title.terms))
    for mode, seed in MAPS:
        for scene in guide(title, assembled(mode, seed), style):
            small = [run for run in runs_of(scene.items) if run.size_pt < 8]
            assert [run.text for run in small if run.text not in title.company_by_id] == []


def runs_of(items: Iterable[Item]) -> Iterable[TextRun]:
    for item in items:
        if isinstance(item, TextRun):
            yield item
        elif isinstance(item, Group):
            yield from runs_of(item.items)


def test_the_guide_shows_places_companies_room_and_columns(title, style):
    log = assembled("long", 7)
    first, *_ = pages = guide(title, log, style)
    texts_found = " ".join(" ".join(words_of(page)) for page in pages)
    for step in steps_of(title.atlas, log):
        for ground, place in step.hexes:
            word = "off-board" if ground.value == "destination" else ground.value
            assert f"{word} {place}" in texts_found
    wide, tall = board_size_mm(log, 40.0)
    assert f"{wide} × {tall} mm" in texts_found
    assert "4 + 4 + 4" in texts_found
    assert "3 players: $300, 4 players: $275, 5 players: $220" in " ".join(texts_found.split())
    assert {(page.width_mm, page.height_mm) for page in pages} == {PAGE_MM}
    assert {"Adaptive", "Tunneling"} <= set(words_of(first))


@pytest.mark.parametrize(("language", "mode", "seed"), crossed(["en", "ja"], MAPS))
def test_the_poster_explains_its_code_and_the_guide_names_who_has_no_home(
    title, mode, seed, language
):
    style = Style(theme=load_theme("classic"), language=language, terms=dict(title.terms))
    log = assembled(mode, seed)
    again = again_command(log)
    stated = {}
    for opens in (False, True):
        poster = draw_atlas_poster(title, log, style, code=qr_modules(again), opens=opens)
        assert [str(problem) for problem in check_legibility(poster)] == []
        stated[opens] = "".join(words_of(poster)).replace(" ", "")
    assert ("onaphone" if language == "en" else "スマホでこのマップが開く") in stated[True]
    assert ("againwithPlatelayer" if language == "en" else "再現するコマンド") in stated[False]
    job = printed(title, log, style, again=again)
    notes = "".join(_notes(job))
    # By rulebook section 3: not in the short game, in micro games with tile 21.
    plays = mode == "long" or any(draw.tile == 21 for draw in log.placed if mode != "short")
    assert ("Adaptive" in notes) == ("AD" in job.companies) == plays
    assert again in notes
    page = draw_balance(job, *PAGE_MM)
    assert [str(problem) for problem in check_legibility(page)] == []
    assert "".join(notes.split()) in "".join("".join(words_of(page)).split())


def test_cities_are_as_wide_as_the_rulebook_says() -> None:
    """Sections 2 and 14: a circle of 17 mm, "about" that on track tiles, which are half a
    millimetre smaller."""
    title = shipped("lost-atlas")
    assert title.atlas is not None
    printed = [
        hex_topology(hexagon)
        for tile in title.atlas.map_tiles
        for hexagon in tile.hexes
        if hexagon.ground in (Ground.CITY, Ground.HOME)
    ]
    lone = [tile for tile in printed if len(tile.stops) == 1 and tile.stops[0].slots == 1]
    assert len(lone) > 20
    across = piece_size(title, "map-tile").width_mm
    assert {
        round(drawn_slot_mm(tile, Layout.FLAT, across), 1) for tile in (*lone, capital_overlay())
    } == {17.0}
    across = piece_size(title, "tile").width_mm
    for number in ("5", "6", "57", "291", "292", "293"):
        assert abs(drawn_slot_mm(title.tile_by_id[number].tile, Layout.FLAT, across) - 17) < 0.3


def flat(items: Iterable[Item]) -> Iterable[Item]:
    """Items in the order in which they are painted, groups taken apart."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from flat(item.items)


@pytest.mark.parametrize(("mode", "seed"), MAPS)
def test_relief_stays_in_the_hexes_of_mountains(title, style, mode, seed):
    log = assembled(mode, seed)
    scene = draw_atlas_poster(title, log, style)
    clips = [
        item.clip
        for item in flat(scene.items)
        if isinstance(item, Group)
        and item.clip is not None
        and any(isinstance(each, Path) and each.role is Role.RELIEF for each in flat(item.items))
    ]
    middles = {(round(x, 1), round(y, 1)): hex_id for hex_id, x, y in scene.places}
    found = set()
    for clip in clips:
        x, y = (
            (min(side) + max(side)) / 2
            for side in zip(*(command[1:] for command in clip if len(command) > 1), strict=True)
        )
        found.add(middles[round(x, 1), round(y, 1)])
    assert found == {
        hexagon.id
        for hexagon in board_of(BOX, log).hexes
        if any("mountain" in terrain.kinds for terrain in hexagon.tile.terrain)
    }


def test_pieces_have_neither_relief_nor_shallows(title, style):
    open_ink = open_water(style)
    for tile in BOX.map_tiles:
        scene = draw_map_tile(title, str(tile.number), style)
        for item in flat(scene.items):
            assert not isinstance(item, Path) or item.role is not Role.RELIEF
            assert not is_filled(item, open_ink)


@pytest.mark.parametrize("theme", ["classic", "colour-blind", "low-ink"])
def test_the_line_between_two_hexes_of_water_is_seen(title, theme):
    """Bridges are counted by hexes."""
    style, log = Style(theme=load_theme(theme)), assembled("long", 11)
    scene = draw_atlas_poster(title, log, style)
    water = open_water(style)
    painted = list(flat(scene.items))
    (last,) = [
        number
        for number, item in enumerate(painted)
        if isinstance(item, Group)
        and any(is_filled(each, water) for each in item.items)
        and item.clip is not None
    ]
    wet = {hexagon.id for hexagon in board_of(BOX, log).hexes if hexagon.tile.colour == "blue"}
    centres = [(x, y) for hex_id, x, y in scene.places if hex_id in wet]
    across = piece_size(title, "map-tile").width_mm
    between = [
        ((a + c) / 2, (b + d) / 2)
        for (a, b), (c, d) in combinations(centres, 2)
        if math.dist((a, b), (c, d)) < across * 1.01
    ]
    assert len(between) == 3
    for middle in between:
        lines = [
            item.stroke.ink
            for item in painted[last + len(painted[last].items) + 1 :]
            if isinstance(item, Path) and item.stroke is not None and crosses(item, middle)
        ]
        assert max(contrast(ink, water) for ink in lines) > 1.8


def crosses(path: Path, point: tuple[float, float]) -> bool:
    """True if the point is the middle of one of the path's straight lines."""
    ends = [command[1:] for command in path.commands]
    return any(
        len(a) == len(b) == 2 and math.dist(point, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) < 0.01
        for a, b in pairwise(ends)
    )
