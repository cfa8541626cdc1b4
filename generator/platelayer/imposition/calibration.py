"""The calibration sheet: a front to measure and a back to hold up to the light, to find a printer's
errors."""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.foundation.text import Text, fill
from platelayer.imposition.cut import cross
from platelayer.imposition.draft import turns_sideways
from platelayer.imposition.paper import (
    Box,
    Document,
    Foot,
    FootPainter,
    Frame,
    Page,
    Paper,
    frames,
    printable,
)
from platelayer.scene.shapes import (
    Anchor,
    Command,
    Item,
    Path,
    Point,
    Role,
    Scene,
    polygon_path,
    rectangle_path,
)
from platelayer.scene.typeset import Theme, fit, set_line, text_width

calibration_words = FixedWords("calibration")

# Distance from each edge of the paper to the lines that are measured.
INSET_MM = 20.0
# Minimum side of paper that leaves room for the text beside the scales.
LEAST_MM = 190.0
# Scales for reading the offset of the back, in true size: their reach to both sides, and the
# distance between their numbers.
_REACH_MM, _NUMBERED_MM = 8, 5
# Distance from the centre of the paper to the line of each scale.
_CLEAR_MM = 14.0
# Half the length of a line of the cross on the back: it extends beyond the scales.
_ARM_MM = 24.0
# Lengths of ticks: every 5 mm, every millimetre, and every half millimetre on the other side of the
# line.
_FIVES_MM, _WHOLE_MM, _HALVES_MM = 4.2, 2.8, 2.0
_HEAD_MM, _HEAD_HALF_MM = 2.6, 0.7
# Distance from the frame to the arrows along it.
_IN_MM = 7.0
_LINE_MM, _INDENT_MM = 4.8, 5.0

_NAME = calibration_words("calibration")
_FLIPS = {
    "long": calibration_words("flip_on_the_long"),
    "short": calibration_words("flip_on_the_short"),
}
_SETTING = calibration_words("print_both_sides_as")
_STEPS: tuple[tuple[Text, str, Text], ...] = (
    (
        calibration_words("measure_from_the_edges"),
        "--offset (C-A)/2,(D-B)/2",
        calibration_words("a_20_6_c"),
    ),
    (
        calibration_words("measure_the_frame_w"),
        "--scale-x {0}/W  --scale-y {1}/H",
        calibration_words("w_scale_x_1"),
    ),
)
_LIGHT = calibration_words("hold_the_sheet_up")
# Formula for the option, by whether the sheet turns like the page of a book.
_BACK_OFFSET = {
    True: (
        "--back-offset x,-y",
        calibration_words("x_0_5_y"),
    ),
    False: (
        "--back-offset -x,y",
        calibration_words("x_0_5_y_2"),
    ),
}
_BACK = calibration_words("back_its_cross_is")


def calibration_sheet(
    paper: Paper, margin_mm: float, duplex: str, theme: Theme, language: str
) -> Document:
    """Return two pages: a frame, scales and instructions; and, for the back, a cross behind the
    middle of the scales.

    `duplex` is "long" or "short" as for a print. Raises ValueError for paper that is too small, and
    for margins that leave no room beside the frame.
    """
    ways = frames(paper, margin_mm)
    if not ways or min(paper.width_mm, paper.height_mm) < LEAST_MM:
        raise ValueError(
            f"{paper.name} is too small to calibrate a printer on: its sides must be at least {LEAST_MM:g} mm"
        )
    frame = ways[0]
    if frame.foot[1] < frame.height_mm - INSET_MM:
        most = INSET_MM - frame.foot[3]
        raise ValueError(
            f"a margin of {margin_mm:g} mm leaves no room to calibrate: use at most {most:g} mm"
        )
    feet = FootPainter(theme, Tongue(language))
    faces = theme.type("sheet").faces
    name = printable(_NAME, Tongue(language), faces)
    pages = []
    for number, items in enumerate(
        (_front(frame, duplex, theme, language), _back(frame, theme, language)), start=1
    ):
        foot = Foot(
            "Platelayer",
            name,
            number=1,
            of=1,
            content=(paper.name,),
            back=number == 2,
        )
        whole = (0.0, 0.0, frame.width_mm, frame.height_mm)
        scene = Scene(
            f"sheet:calibration:{number}",
            frame.width_mm,
            frame.height_mm,
            (*items, *feet.draw(foot, frame.foot)),
            label=name,
        )
        pages.append(Page(scene, whole, whole))
    return Document(
        stem="calibration", title=f"Platelayer: {name}", subject=paper.name, pages=tuple(pages)
    )


def _box(frame: Frame) -> Box:
    return INSET_MM, INSET_MM, frame.width_mm - 2 * INSET_MM, frame.height_mm - 2 * INSET_MM


def _middle(frame: Frame) -> Point:
    return frame.width_mm / 2, frame.height_mm / 2


def _front(frame: Frame, duplex: str, theme: Theme, language: str) -> Iterator[Item]:
    x, y, width, height = box = _box(frame)
    middle = frame.height_mm / 2
    yield Path(rectangle_path(*box), stroke=theme.stroke("sheet.ruler"), role=Role.MARK)
    yield from _measures(frame, theme)
    yield from _scales(frame, theme)
    faces = theme.type("sheet").faces
    tongue = Tongue(language)
    setting = " ".join(printable(text, tongue, faces) for text in (_SETTING, _FLIPS[duplex]))
    left, room = x + 2 * _IN_MM, width - 3 * _IN_MM
    below = y + 2 * _IN_MM + 4
    yield from set_line(setting, theme.type("sheet").at(9), theme.ink("text"), left, below)
    size = (f"{width:g}", f"{height:g}", f"{width / 1.003:.1f}")
    formula, example = _BACK_OFFSET[turns_sideways(frame, duplex)]
    places = (below + 1.7 * _LINE_MM, below + 5.2 * _LINE_MM, middle + _ARM_MM + 12)
    plain, strong = theme.type("sheet").at(9), theme.type("sheet.strong").at(9)
    ink = theme.ink("text")
    steps = (*_STEPS, (_LIGHT, formula, example))
    for number, ((todo, option, example), y) in enumerate(zip(steps, places, strict=True), start=1):
        yield from set_line(str(number), strong, ink, left, y)
        lines = (
            (printable(todo, tongue, faces, *size), plain),
            (fill(option, *size), strong),
            (printable(example, tongue, faces, *size), plain),
        )
        for row, (line, style) in enumerate(lines):
            fitted = fit(line, style, room - _INDENT_MM)
            yield from set_line(line, fitted, ink, left + _INDENT_MM, y + row * _LINE_MM)


def _measures(frame: Frame, theme: Theme) -> Iterator[Item]:
    """Yield arrows along the lengths to measure, each with its letter. Arrows to the edges of the
    paper end where the printer's margin begins, with their heads pointing on."""
    x, y, width, height = _box(frame)
    right, bottom = x + width, y + height
    rim = frame.foot[0]
    across, down = frame.width_mm * 0.62, frame.height_mm * 0.38
    for letter, start, end in (
        ("A", (x, down), (rim, down)),
        ("B", (across, y), (across, rim)),
        ("C", (right, down), (frame.width_mm - rim, down)),
        ("D", (across, bottom), (across, frame.height_mm - rim)),
        ("W", (x, y + _IN_MM), (right, y + _IN_MM)),
        ("H", (x + _IN_MM, y), (x + _IN_MM, bottom)),
    ):
        # A dimension line with an arrowhead at both ends and its letter beside it.
        stroke, ink = theme.stroke("sheet.ruler"), theme.ink("text.soft")
        yield Path((("M", *start), ("L", *end)), stroke=stroke, role=Role.MARK)
        length = math.dist(start, end)
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        for (px, py), way in ((start, 1), (end, -1)):
            bx, by = px + way * ux * _HEAD_MM, py + way * uy * _HEAD_MM
            wing = (-uy * _HEAD_HALF_MM, ux * _HEAD_HALF_MM)
            corners = [(px, py), (bx + wing[0], by + wing[1]), (bx - wing[0], by - wing[1])]
            yield Path(polygon_path(corners), fill=ink, role=Role.MARK)
        style = theme.type("sheet.strong").at(11)
        mx, my = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        if uy:
            yield from set_line(
                letter, style, theme.ink("text"), mx + 1.4, my + style.cap_height_mm / 2
            )
        else:
            yield from set_line(
                letter, style, theme.ink("text"), mx, my - 1.4, anchor=Anchor.MIDDLE
            )


def _scales(frame: Frame, theme: Theme) -> Iterator[Item]:
    """Yield a scale across, above the middle of the paper, and one down, left of it. They count mm
    to the right and down from there."""
    cx, cy = _middle(frame)
    commands: list[Command] = []
    style, ink = theme.type("sheet").at(6.5), theme.ink("text")
    head = theme.type("sheet.strong").at(11)
    numbers: list[Item] = []
    for half in range(-2 * _REACH_MM, 2 * _REACH_MM + 1):
        off = half / 2
        fives = half % (2 * _NUMBERED_MM) == 0
        length = -_HALVES_MM if half % 2 else _FIVES_MM if fives else _WHOLE_MM
        commands += (("M", cx + off, cy - _CLEAR_MM), ("L", cx + off, cy - _CLEAR_MM - length))
        commands += (("M", cx - _CLEAR_MM, cy + off), ("L", cx - _CLEAR_MM - length, cy + off))
        if fives:
            words = f"{off:g}".replace("-", "\u2212")
            clear = _CLEAR_MM + _FIVES_MM + 0.9
            numbers += set_line(words, style, ink, cx + off, cy - clear, anchor=Anchor.MIDDLE)
            numbers += set_line(
                words, style, ink, cx - clear, cy + off + style.cap_height_mm / 2, anchor=Anchor.END
            )
    end = _REACH_MM + 0.5
    commands += (("M", cx - end, cy - _CLEAR_MM), ("L", cx + end, cy - _CLEAR_MM))
    commands += (("M", cx - _CLEAR_MM, cy - end), ("L", cx - _CLEAR_MM, cy + end))
    yield Path(tuple(commands), stroke=theme.stroke("sheet.ruler"), role=Role.MARK)
    yield from numbers
    yield from set_line("x", head, ink, cx + end + 1.6, cy - _CLEAR_MM + 0.9)
    wide = text_width("y", head)
    yield from set_line("y", head, ink, cx - _CLEAR_MM - wide / 2, cy + end + 3.4)


def _back(frame: Frame, theme: Theme, language: str) -> Iterator[Item]:
    cx, cy = _middle(frame)
    yield Path(cross(cx, cy, _ARM_MM), stroke=theme.stroke("sheet.ruler"), role=Role.MARK)
    style = theme.type("sheet").at(9)
    words = printable(_BACK, Tongue(language), style.faces)
    yield from set_line(
        words, style, theme.ink("text"), cx, cy + _ARM_MM + 40, anchor=Anchor.MIDDLE
    )
