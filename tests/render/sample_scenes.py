"""Scenes with every kind of shape, for the painters' tests."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path as FilePath

from platelayer.scene.inks import BLACK, WHITE, Ink, ink_from_hex
from platelayer.scene.shapes import (
    Anchor,
    Circle,
    Group,
    Item,
    Path,
    Scene,
    Stroke,
    TextRun,
    Use,
    circle_path,
    multiply,
    polygon_path,
    rectangle_path,
    rotation,
    scaling,
    translation,
)
from platelayer.scene.typeset import TypeStyle, set_block, set_centred, set_line, text_width

YELLOW, GREEN, RED, BLUE = (
    ink_from_hex(colour) for colour in ("#f6d44b", "#7db665", "#d9604e", "#30629c")
)
CONDENSED = TypeStyle(faces=("BarlowCondensed-SemiBold",), size_pt=12)
SANS = TypeStyle(faces=("Barlow-Regular",), size_pt=9)
SERIF = TypeStyle(faces=("EBGaramond-Medium",), size_pt=14)
HEX_MM = 38.1


def hex_points(flat_to_flat_mm: float) -> tuple[tuple[float, float], ...]:
    """Corners of a flat-topped hex whose box starts at (0, 0)."""
    radius = flat_to_flat_mm / math.sqrt(3)
    corners = [(math.cos(math.radians(60 * i)), math.sin(math.radians(60 * i))) for i in range(6)]
    return tuple((radius + radius * x, flat_to_flat_mm / 2 + radius * y) for x, y in corners)


def tile(key: str = "tile:57", ground: Ink = YELLOW, number: str = "57") -> Scene:
    """A hex tile 38.1 mm flat to flat with track, a city, revenue and a number; bleed by a wide
    stroke."""
    width = HEX_MM * 2 / math.sqrt(3)
    outline = polygon_path(hex_points(HEX_MM))
    middle = (width / 2, HEX_MM / 2)
    items: list[Item] = [
        Path(commands=outline, fill=ground, stroke=Stroke(ink=ground, width_mm=3, join="round")),
        Path(
            commands=(
                ("M", middle[0], 0.0),
                ("L", *middle),
                ("C", 20.0, 30.0, 30.0, 30.0, 33.0, 33.0),
            ),
            stroke=Stroke(ink=BLACK, width_mm=4),
        ),
        Circle(cx=middle[0], cy=middle[1], r=6, fill=WHITE, stroke=Stroke(ink=BLACK, width_mm=0.5)),
        *set_centred("20", CONDENSED, BLACK, *middle),
        *set_line(number, CONDENSED.at(6), BLACK, 12, 36),
    ]
    return Scene(
        key=key,
        width_mm=width,
        height_mm=HEX_MM,
        items=tuple(items),
        bleed_mm=1.5,
        outline=outline,
        label=f"No. {number}",
    )


def card(key: str = "card:1", number: int = 1) -> Scene:
    """A 63 x 88 mm card with a frame, words and a placed roundel."""
    ink = (YELLOW, GREEN, RED, BLUE)[number % 4]
    lines = ("Königlich Privilegierte Südbahn", "Österreich-Ungarn", f"Anteil Nr. {number}")
    items: tuple[Item, ...] = (
        Path(commands=rectangle_path(-1.5, -1.5, 66, 91), fill=ink),
        Path(
            commands=rectangle_path(3, 3, 57, 82, 3),
            fill=WHITE,
            stroke=Stroke(ink=BLACK, width_mm=0.4),
        ),
        *set_line(lines[0], CONDENSED, BLACK, 31.5, 12, anchor=Anchor.MIDDLE),
        *set_block(lines, SANS.at(7), BLACK, 8, 60),
        *set_centred("10 %", SERIF.at(40), ink, 31.5, 36),
        Use(scene=roundel(), matrix=translation(8, 66)),
    )
    return Scene(key=key, width_mm=63, height_mm=88, items=items, bleed_mm=1.5, safe_mm=3)


def roundel() -> Scene:
    """A token 14 mm wide, two colours parted by a clip."""
    return Scene(
        key="roundel:SB",
        width_mm=14,
        height_mm=14,
        items=(
            Group(
                items=(
                    Path(commands=rectangle_path(0, 0, 14, 14), fill=RED),
                    Path(commands=polygon_path(((0, 14), (14, 0), (14, 14))), fill=BLUE),
                ),
                clip=circle_path(7, 7, 6.5),
            ),
            *set_centred("SB", CONDENSED, WHITE, 7, 7),
        ),
    )


def everything() -> Scene:
    """A page of 120 x 90 mm with every shape and every property a painter must honour."""
    star = polygon_path(
        (10 + 8 * math.sin(i * 4 * math.pi / 5), 10 - 8 * math.cos(i * 4 * math.pi / 5))
        for i in range(5)
    )
    zigzag = (("M", 4.0, 24.0), ("L", 10.0, 30.0), ("L", 16.0, 24.0), ("L", 22.0, 30.0))
    items: list[Item] = [
        Path(commands=rectangle_path(0, 0, 120, 90), fill=ink_from_hex("#fbf8f0")),
        Path(commands=star, fill=RED, even_odd=True, stroke=Stroke(ink=BLACK, width_mm=0.2)),
        Group(items=(Path(commands=star, fill=GREEN),), matrix=translation(18, 0)),
    ]
    for step, (cap, join) in enumerate(
        (("butt", "miter"), ("round", "round"), ("square", "bevel"))
    ):
        stroke = Stroke(ink=BLUE, width_mm=2, cap=cap, join=join)
        items.append(
            Group(items=(Path(commands=zigzag, stroke=stroke),), matrix=translation(0, step * 6))
        )
        items.append(
            Path(
                commands=(("M", 40.0, 4.0 + 3 * step), ("L", 70.0, 4.0 + 3 * step)),
                stroke=Stroke(
                    ink=BLACK, width_mm=1, dash=((3, 1), (0.01, 2), (4, 1, 1, 1))[step], cap=cap
                ),
            )
        )
    for step, angle in enumerate(range(0, 360, 45)):
        x, y, anchor = 34 + 13 * (step % 4), 28 + 16 * (step // 4), tuple(Anchor)[step % 3]
        items += set_line(f"Turn {angle}", SANS, BLACK, x, y, anchor=anchor, angle=angle)
        items.append(Circle(cx=x, cy=y, r=0.4, fill=RED))
    items += [
        *set_line("TRACKED Ärmel", tracked(CONDENSED, 150), RED, 5, 56),
        *set_line('& <b> "quoted" (brackets) \\', SANS, BLACK, 5, 62),
        *set_line("Wien – Zürich, 1 000 fl.", SERIF, BLUE, 5, 70),
        *(
            TextRun(
                x=30,
                y=78 + 4 * step,
                text="anchored",
                face="Barlow-Regular",
                size_pt=9,
                ink=BLACK,
                width_mm=text_width("anchored", SANS),
                anchor=anchor,
            )
            for step, anchor in enumerate(Anchor)
        ),
        TextRun(x=5, y=77, text="", face="Barlow-Regular", size_pt=8, ink=BLACK, width_mm=0),
        Group(
            items=(
                Path(commands=rectangle_path(0, 0, 40, 20), fill=GREEN),
                *set_line("clipped to a circle", SANS, BLACK, 0, 10),
            ),
            matrix=translation(76, 2),
            clip=circle_path(12, 9, 8),
        ),
        Use(scene=roundel(), matrix=translation(102, 4)),
        Group(
            items=(Use(scene=roundel(), matrix=rotation(120, about=(7, 7))),),
            matrix=translation(102, 22),
        ),
        Group(items=(Use(scene=roundel()),), matrix=(1.2, 0.3, -0.3, 1.2, 88, 24)),
        Use(scene=tile(), matrix=(*scaling(0.8)[:4], 82, 52)),
        Use(
            scene=tile(), matrix=multiply(multiply(translation(66, 70), rotation(75)), scaling(0.5))
        ),
        Circle(cx=8, cy=82, r=4, stroke=Stroke(ink=RED, width_mm=1, dash=(2, 1))),
    ]
    return Scene(
        key="page:everything",
        width_mm=120,
        height_mm=90,
        items=tuple(items),
        label="Every <shape> & more",
    )


def tracked(style: TypeStyle, tracking: float) -> TypeStyle:
    """The style with other tracking."""
    return TypeStyle(faces=style.faces, size_pt=style.size_pt, tracking=tracking)


def outputs_by_seed(program):
    """What a program writes, as a set over two hash seeds; it may import from this folder and the one above."""
    here = FilePath(__file__).parent
    folders = (here, here.parent, here.parents[1] / "generator")
    paths = os.pathsep.join(map(str, folders))
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": paths, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
