"""The capital project: a map tile without ground that calls for a capital."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.kit.icons import icon_block
from platelayer.drawing.kit.ornament import wheel
from platelayer.drawing.kit.rich_text import wrap_even
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.map_tile import blank_board, piece_scene, with_homes
from platelayer.foundation.languages import FixedWords
from platelayer.model.atlas import CORNERS_OF_TILE, doubled
from platelayer.model.hexes import Layout, centre_mm
from platelayer.model.title import Title
from platelayer.scene.inks import readable_on
from platelayer.scene.shapes import Circle, Group, Item, Role, Scene, Stroke, middle_of, translation
from platelayer.scene.typeset import fit, set_centred

atlas_words = FixedWords("atlas")

_RINGS = ((0.37, 0.55), (0.345, 0.16))
"""Radii round the emblem as shares of the hex, and widths of the lines in mm."""
_EMBLEM = 0.42


def draw_capital_project(title: Title, piece_id: str, style: Style) -> Scene:
    """The capital project (its id is "capital"): three hexes in one piece, the sign of a capital
    where they meet."""
    across = title.pieces.size("capital-project", piece_id).width_mm
    board = replace(blank_board(), id=piece_id, name=atlas_words("capital_project"))
    over = _emblem(across, style) + _words(across, style)
    return piece_scene(
        with_homes(title, {}), board, across, style, key=f"capital-project:{piece_id}", over=over
    )


def _emblem(across: float, style: Style) -> tuple[Item, ...]:
    """The sign of a capital in rings, round the middle of the piece."""
    ink, gold = style.ink("map.title"), style.ink("atlas.capital")
    picture = icon_block("capital", "", _EMBLEM * across, style, style.type("tile.cost"))
    radius, width = _RINGS[0]
    dots = 36
    step = 2 * math.pi * (radius + 0.03) * across / dots
    return (
        Circle(
            cx=0,
            cy=0,
            r=radius * across,
            fill=style.ink("map.plate"),
            stroke=Stroke(ink=ink, width_mm=width),
        ),
        *(
            Circle(cx=0, cy=0, r=r * across, stroke=Stroke(ink=ink, width_mm=w))
            for r, w in _RINGS[1:]
        ),
        Circle(
            cx=0,
            cy=0,
            r=(radius + 0.03) * across,
            stroke=Stroke(
                ink=gold, width_mm=0.026 * across, dash=(0.001, step - 0.001), cap="round"
            ),
            role=Role.ORNAMENT,
        ),
        *picture.at(0.0, -0.01 * across),
    )


def _words(across: float, style: Style) -> tuple[Item, ...]:
    """The name in hex 2, what to do in hex 3, a wheel in hex 1; a little outwards of their
    middles."""
    ink = readable_on(style.ink("atlas.project"))
    places = [centre_mm(doubled(place), Layout.FLAT, across) for place in CORNERS_OF_TILE]
    middle = middle_of(places)
    outward = [((x - middle[0]) * 1.28, (y - middle[1]) * 1.28) for x, y in places]
    room = 0.66 * across
    items: list[Item] = [
        Group(items=wheel(0, 0, 0.1 * across, ink), matrix=translation(*outward[0]))
    ]
    heading = style.type("atlas.project")
    heading = heading.at(max(heading.min_pt, heading.size_pt * across / 40))
    note = style.type("atlas.project.note")
    note = note.at(max(note.min_pt, note.size_pt * across / 40))
    for text, type_style, (x, y) in (
        (atlas_words("capital_project"), heading, outward[1]),
        (atlas_words("capital_project_note"), note, outward[2]),
    ):
        lines = wrap_even(style.words(text), type_style, room)
        step = type_style.size_mm * 1.15
        for number, line in enumerate(lines):
            down = y + (number - (len(lines) - 1) / 2) * step
            items += set_centred(line, fit(line, type_style, room), ink, x, down)
    return tuple(items)
