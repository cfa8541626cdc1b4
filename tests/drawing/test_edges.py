"""The darker edge of tiles: what a knife that slips by half a millimetre leaves of it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace

from platelayer.definitions.catalogue import catalogue_tile
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.ground import edge_items, painted
from platelayer.drawing.kit.style import Style
from platelayer.foundation.problems import ProblemsFound
from platelayer.model.hexes import Layout
from platelayer.model.tile import Tile
from platelayer.scene.inks import Ink, luminance
from platelayer.scene.shapes import Path

ACROSS_MM, BLEED_MM, SLIP_MM = 38.1, 3.0, 0.5


def tile() -> Tile:
    return catalogue_tile("57")


@cache
def style(edge: str) -> Style:
    return Style(theme=replace(load_theme("classic"), edge=edge))


def tone(at_mm: float, edge: str) -> float:
    """How light a tile is on the way to its upper edge, so far inside (or, below 0, beyond) its
    trim."""
    ink = painted(tile(), style(edge))
    for inner, band in bands(edge):
        if at_mm < ACROSS_MM / 2 + inner:
            ink = band
    return luminance(ink)


@cache
def bands(edge: str) -> list[tuple[float, Ink]]:
    """The inner end of each band of the edge, and its ink."""
    items = edge_items(tile(), Layout.FLAT, ACROSS_MM, style(edge), bleed_mm=BLEED_MM)
    return [
        (min(y for _, *numbers in item.commands[7:] for y in numbers[1::2]), item.fill)
        for item in items
        if isinstance(item, Path) and item.fill is not None
    ]


@pytest.mark.parametrize("slip", [-SLIP_MM, SLIP_MM])
def test_a_slip_of_half_a_millimetre_hardly_changes_what_is_at_the_cut(slip: float) -> None:
    ground = tone(9, "soft")
    assert abs(tone(slip, "soft") - tone(0.01, "soft")) < 0.25 * ground
    # Of a line nothing was left on this side.
    assert tone(SLIP_MM, "line") == tone(9, "line")


def test_the_edge_is_dark_at_the_trim_and_gone_two_millimetres_inside() -> None:
    assert tone(0.01, "soft") < 0.8 * tone(2, "soft")
    assert tone(2, "soft") == luminance(painted(tile(), style("soft")))


def test_steps_are_small_and_darken_outwards() -> None:
    tones = [tone(at / 100, "soft") for at in range(-200, 200)]
    assert tones == sorted(tones)
    assert max(after - before for before, after in pairwise(tones)) < 0.14 * tones[-1]


def test_no_edge() -> None:
    assert edge_items(tile(), Layout.FLAT, ACROSS_MM, style("none"), bleed_mm=BLEED_MM) == ()


def test_without_bleed_nothing_is_painted_beyond_the_trim() -> None:
    with_bleed, without = (
        edge_items(tile(), Layout.FLAT, ACROSS_MM, style("soft"), bleed_mm=bleed)
        for bleed in (BLEED_MM, 0.0)
    )
    assert len(without) < len(with_bleed)


def test_a_theme_says_how_tiles_end(tmp_path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(
        '{"id": "mine", "name": "Mine", "extends": "classic", "edge": "none"}', encoding="utf-8"
    )
    assert load_theme(str(mine)).edge == "none"
    assert load_theme("classic").edge == "soft"
    mine.write_text(
        '{"id": "mine", "name": "Mine", "extends": "classic", "edge": "thick"}', encoding="utf-8"
    )
    with pytest.raises(ProblemsFound, match="thick"):
        load_theme(str(mine))
