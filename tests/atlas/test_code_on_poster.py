"""The QR code on the poster of a map says how to make the map again; it is read back as ISO/IEC
18004 has it."""

from __future__ import annotations

from io import BytesIO

import pytest
from msgspec.structs import replace

from gate import require_module
from often import crossed
from platelayer.atlas.assemble import assemble
from platelayer.atlas.poster import draw_atlas_poster
from platelayer.atlas.report import again_command
from platelayer.definitions.map_tiles import shipped_box
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.render.codes import Modules, qr_modules
from platelayer.render.png import render_png
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, Item, Path, Scene
from shipped import shipped

DATA_OF_BLOCKS = {3: [44], 4: [32, 32], 5: [43, 43], 6: [27] * 4, 7: [31] * 4}
"""Bytes of data in each block at level M, by version (ISO/IEC 18004, table 9)."""
MASKS = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _column: row % 2 == 0,
    lambda _row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)


def reserved(row: int, column: int, size: int) -> bool:
    """Finders with what surrounds them, timing, and the alignment pattern of versions 2 to 6."""
    corner = (row < 9 and (column < 9 or column >= size - 8)) or (row >= size - 8 and column < 9)
    return (
        corner or 6 in (row, column) or (abs(row - size + 7) <= 2 and abs(column - size + 7) <= 2)
    )


def decoded(modules: Modules) -> str:
    size = len(modules)
    version = (size - 17) // 4
    assert version <= 6, "this reader knows one alignment pattern"
    # Bits 14 to 10 of the format lie in row 8, columns 0 to 4: level and mask, themselves masked
    # with 10101.
    told = [modules[8][column] ^ fixed for column, fixed in enumerate((1, 0, 1, 0, 1))]
    assert told[:2] == [0, 0], "level M"
    mask = MASKS[told[2] * 4 + told[3] * 2 + told[4]]
    bits = []
    for index, right in enumerate(c if c > 6 else c - 1 for c in range(size - 1, 0, -2)):
        for row in range(size) if index % 2 else reversed(range(size)):
            for column in (right, right - 1):
                if not reserved(row, column, size):
                    bits.append(modules[row][column] ^ mask(row, column))
    words = [
        int("".join(str(int(bit)) for bit in bits[k : k + 8]), 2)
        for k in range(0, len(bits) - 7, 8)
    ]
    blocks = DATA_OF_BLOCKS[version]
    data = [
        words[place * len(blocks) + block]
        for block in range(len(blocks))
        for place in range(blocks[block])
    ]
    stream = "".join(f"{word:08b}" for word in data)
    assert stream[:4] == "0100", "bytes"
    length = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * k : 20 + 8 * k], 2) for k in range(length)).decode("ascii")


@pytest.mark.parametrize("policy", ["compact", "uniform", "best"])
@pytest.mark.parametrize(("seed", "blanks"), [(7, None), (188472190941233, None), (2**53 - 1, 12)])
def test_the_code_says_the_command(policy, seed, blanks):
    log = replace(
        assemble(shipped_box(), "micro2", seed=5), seed=seed, policy=policy, blank_limit=blanks
    )
    command = again_command(log)
    assert command.startswith(f"platelayer atlas new --mode micro2 --seed {seed} --policy {policy}")
    assert decoded(qr_modules(command)) == command


def painted(scene: Scene, size: int) -> list[Group]:
    """Groups that hold a white square with a quiet zone for a code of this size, and one black
    path."""

    def within(items: tuple[Item, ...]) -> list[Group]:
        groups = [each for each in items if isinstance(each, Group)]
        return [each for group in groups for each in (group, *within(group.items))]

    side = pytest.approx((size + 8) * 1.0)
    return [
        group
        for group in within(scene.items)
        if len(group.items) == 2
        and all(isinstance(each, Path) for each in group.items)
        and max(command[1] for command in group.items[0].commands if len(command) > 1) == side
    ]


@pytest.mark.parametrize("theme", ["classic", "low-ink"])
def test_the_poster_shows_the_code_as_it_is(theme):
    title = shipped("lost-atlas")
    style = Style(theme=load_theme(theme))
    log = assemble(shipped_box(), "micro2", seed=5)
    modules = qr_modules(again_command(log))
    poster = draw_atlas_poster(title, log, style, code=modules)
    assert [str(problem) for problem in check_legibility(poster)] == []
    (group,) = painted(poster, len(modules))
    light, dark = group.items
    assert (light.fill, dark.fill) == (style.ink("white"), style.ink("black"))
    corners = [command[1:] for command in dark.commands if len(command) > 1]
    seen = [[False] * len(modules) for _ in modules]
    for k in range(0, len(corners), 4):
        columns, rows = ([round(each[axis]) - 4 for each in corners[k : k + 4]] for axis in (0, 1))
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
    poster = draw_atlas_poster(
        shipped("lost-atlas"),
        log,
        Style(theme=load_theme("classic")),
        code=qr_modules(again_command(log)),
    )
    picture = np.array(Image.open(BytesIO(render_png(poster, dpi=dpi))).convert("L"))
    assert [each.text for each in zxingcpp.read_barcodes(picture)] == [again_command(log)]
