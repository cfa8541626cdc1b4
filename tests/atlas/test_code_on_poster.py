"""The QR code on the poster of a map says how to make the map again."""

from __future__ import annotations

from io import BytesIO

import pytest
from msgspec.structs import replace

from gate import require_module
from often import crossed
from platelayer.atlas.assemble import assemble
from platelayer.atlas.poster import draw_atlas_poster
from platelayer.atlas.report import again_command
from platelayer.definitions.build import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.render.png import render_png
from platelayer.render.scenes import qr_modules
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Path, Scene
from shipped import shipped


def module_mm(size: int) -> float:
    """22 mm for the code, unless its modules would be too small for a camera."""
    return max(22.0 / size, 0.45)


def painted(scene: Scene, size: int) -> list[Group]:
    """Groups that hold a white square with a quiet zone for a code of this size, and one black
    path."""

    def within(items: tuple[Item, ...]) -> list[Group]:
        groups = [each for each in items if isinstance(each, Group)]
        return [each for group in groups for each in (group, *within(group.items))]

    side = pytest.approx((size + 8) * module_mm(size))
    return [
        group
        for group in within(scene.items)
        if len(group.items) == 2
        and all(isinstance(each, Path) for each in group.items)
        and max(command[1] for command in group.items[0].commands if len(command) > 1) == side
    ]


@pytest.mark.parametrize(("theme", "longer"), [("classic", ""), ("low-ink", 120 * "a")])
def test_the_poster_shows_the_code_as_it_is(theme, longer):
    title = shipped("lost-atlas")
    style = Style(theme=load_theme(theme))
    log = assemble(shipped_box(), "micro2", seed=5)
    modules = qr_modules(again_command(log) + longer)
    poster = draw_atlas_poster(title, log, style, code=modules)
    assert [str(problem) for problem in check_legibility(poster)] == []
    (group,) = painted(poster, len(modules))
    light, dark = group.items
    assert (light.fill, dark.fill) == (style.ink("white"), style.ink("black"))
    corners = [command[1:] for command in dark.commands if len(command) > 1]
    seen = [[False] * len(modules) for _ in modules]
    for k in range(0, len(corners), 4):
        columns, rows = (
            [round(each[axis] / module_mm(len(modules))) - 4 for each in corners[k : k + 4]]
            for axis in (0, 1)
        )
        for row in range(min(rows), max(rows)):
            for column in range(min(columns), max(columns)):
                seen[row][column] = True
    assert tuple(map(tuple, seen)) == modules


def test_a_map_typed_in_by_hand_has_no_code():
    log = replace(assemble(shipped_box(), "micro2", seed=5), seed=None)
    poster = draw_atlas_poster(shipped("lost-atlas"), log, Style(theme=load_theme("classic")))
    assert painted(poster, 33) == painted(poster, 37) == []


@pytest.mark.parametrize(
    ("dpi", "mode", "seed"), crossed([150, 100], [("micro2", 7), ("long", 2**53 - 1)])
)
def test_the_code_is_read_from_a_picture(mode, seed, dpi):
    """As a phone reads it from a screen: from the whole poster."""
    import numpy as np
    from PIL import Image

    zxingcpp = require_module("zxingcpp", "dev")

    log = replace(assemble(shipped_box(), mode, seed=7), seed=seed)
    assert again_command(log).startswith(f"platelayer atlas new --mode {mode} --seed {seed}")
    poster = draw_atlas_poster(
        shipped("lost-atlas"),
        log,
        Style(theme=load_theme("classic")),
        code=qr_modules(again_command(log)),
    )
    picture = np.array(Image.open(BytesIO(render_png(poster, dpi=dpi))).convert("L"))
    assert [each.text for each in zxingcpp.read_barcodes(picture)] == [again_command(log)]
