"""A paper in, the sheet that finds out what a printer does wrong with it out: a front to measure, a back to hold up."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.foundation.text import Text, bilingual
from platelayer.scene.shapes import Anchor, Command, Item, Path, Role, Scene, rectangle_path
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import set_line
from platelayer.sheets.flip import turns_sideways
from platelayer.sheets.foot import Foot, FootPainter
from platelayer.sheets.page import Box, Document, Page
from platelayer.sheets.paper import Frame, Paper, frames
from platelayer.sheets.words import printable

INSET_MM = 20.0
"""From the edge of the paper to the lines that are measured."""
_REACH_MM, _STEP_MM = 6, 0.5
"""The scales that a back is read off: so far to both sides, in such steps (all true to scale)."""
_TALL_MM, _SHORT_MM = 4.0, 2.2

_NAME = bilingual("Calibration", "較正シート")
_FRONT: tuple[Text, ...] = (
    bilingual(
        "Print both sides as you will print the game: 100 %, the same paper, the same way to flip it.",
        "ゲームと同じ設定で両面に印刷してください(倍率100 %、同じ用紙、同じとじ方)。",
    ),
    bilingual(
        "1  A: from the left edge of the paper to the frame. B: from the upper edge. Both should be 20 mm.",
        "1  A:用紙の左端から枠まで。B:上端から枠まで。どちらも20 mmのはずです。",
    ),
    bilingual(
        "     --offset 20-A,20-B    (A 20.5, B 19.8: --offset -0.5,0.2)",
        "     --offset 20-A,20-B  (Aが20.5、Bが19.8なら --offset -0.5,0.2)",
    ),
    bilingual("2  W: the width of the frame, {} mm. H: its height, {} mm.", "2  W:枠の幅、{} mm。H:枠の高さ、{} mm。"),
    bilingual("     --scale-x {}/W   --scale-y {}/H", "     --scale-x {}/W  --scale-y {}/H"),
    bilingual(
        "3  Hold the sheet up to the light: the lines of the back cross the scales in the middle at x and y.",
        "3  光に透かして、裏面の線が中央の目盛りのどこを通るか(x と y)を読みます。",
    ),
    bilingual("     --back-offset {}", "     --back-offset {}"),
)
_BACK = bilingual(
    "Back of the calibration sheet: hold it up to the light and read its lines off the scales of the front.",
    "較正シートの裏面:光に透かし、表面の目盛りで線の位置を読みます。",
)


def calibration_sheet(paper: Paper, margin_mm: float, duplex: str, theme: Theme, language: str) -> Document:
    """Two pages: frame, scales and what to do with them; and, for the back, a cross behind the scales' middle.

    `duplex` is "long" or "short" as for a print. Raises ValueError for paper that is too small for the frame.
    """
    ways = frames(paper, margin_mm)
    if not ways or min(paper.width_mm, paper.height_mm) < 4 * INSET_MM + 4 * _REACH_MM:
        raise ValueError(f"{paper.name} is too small to calibrate a printer on")
    frame = ways[0]
    feet = FootPainter(theme, language)
    faces = theme.type("sheet").faces
    name = printable(_NAME, language, faces)
    pages = []
    for number, items in enumerate((_front(frame, duplex, theme, language), _back(frame, theme, language)), start=1):
        foot = Foot(title="Platelayer", document=name, number=1, of=1, content=(paper.name,), back=number == 2)
        whole = (0.0, 0.0, frame.width_mm, frame.height_mm)
        scene = Scene(
            key=f"sheet:calibration:{number}",
            width_mm=frame.width_mm,
            height_mm=frame.height_mm,
            items=(*items, *feet.draw(foot, frame.foot)),
            label=name,
        )
        pages.append(Page(scene=scene, trim=whole, bleed=whole))
    return Document(stem="calibration", title=f"Platelayer: {name}", subject=paper.name, pages=tuple(pages))


def _box(frame: Frame) -> Box:
    return INSET_MM, INSET_MM, frame.width_mm - 2 * INSET_MM, frame.height_mm - 2 * INSET_MM - 8


def _middle(frame: Frame) -> tuple[float, float]:
    return frame.width_mm / 2, frame.height_mm / 2


def _front(frame: Frame, duplex: str, theme: Theme, language: str) -> Iterator[Item]:
    x, y, width, height = _box(frame)
    stroke = theme.stroke("sheet.ruler")
    yield Path(commands=rectangle_path(x, y, width, height), stroke=stroke, role=Role.MARK)
    style, ink = theme.type("sheet.strong").at(9), theme.ink("text")
    for words, at in (
        ("A", (x - 4, frame.height_mm / 2 - 30)),
        ("B", (frame.width_mm / 2 + 30, y - 3)),
        ("W", (frame.width_mm / 2 + 30, y + 6)),
        ("H", (x + 5, frame.height_mm / 2 - 30)),
    ):
        yield from set_line(words, style, ink, *at, anchor=Anchor.MIDDLE)
    plain = theme.type("sheet").at(8)
    sideways = turns_sideways(frame, duplex)
    size = (f"{width:g}", f"{height:g}")
    parts = {3: size, 4: size, 6: ("x,-y" if sideways else "-x,y",)}
    for number, text in enumerate(_FRONT):
        words = printable(text, language, plain.faces).format(*parts.get(number, ()))
        yield from set_line(words, plain, ink, x + 6, y + 16 + 4.6 * number)
    yield from _scales(frame, theme)


def _scales(frame: Frame, theme: Theme) -> Iterator[Item]:
    """A scale across and one down, crossing in the middle of the paper; the numbers are mm to the right and down."""
    cx, cy = _middle(frame)
    commands: list[Command] = []
    small, ink = theme.type("sheet.ruler"), theme.ink("text")
    numbers: list[Item] = []
    for step in range(round(-_REACH_MM / _STEP_MM), round(_REACH_MM / _STEP_MM) + 1):
        off = step * _STEP_MM
        whole = step % 2 == 0
        length = _TALL_MM if whole else _SHORT_MM
        commands += (("M", cx + off, cy - 34), ("L", cx + off, cy - 34 - length))
        commands += (("M", cx - 34, cy + off), ("L", cx - 34 - length, cy + off))
        if step % 4 == 0:
            label = f"{step * _STEP_MM:g}".replace("-", "\u2212")
            numbers += set_line(label, small, ink, cx + off, cy - 39, anchor=Anchor.MIDDLE)
            numbers += set_line(label, small, ink, cx - 39.5, cy + off + 0.7, anchor=Anchor.END)
    yield Path(commands=tuple(commands), stroke=theme.stroke("sheet.ruler"), role=Role.MARK)
    yield from numbers


def _back(frame: Frame, theme: Theme, language: str) -> Iterator[Item]:
    cx, cy = _middle(frame)
    cross: tuple[Command, ...] = (("M", cx, cy - 45), ("L", cx, cy + 45), ("M", cx - 45, cy), ("L", cx + 45, cy))
    yield Path(commands=cross, stroke=theme.stroke("sheet.ruler"), role=Role.MARK)
    plain = theme.type("sheet").at(8)
    words = printable(_BACK, language, plain.faces)
    yield from set_line(words, plain, theme.ink("text"), cx, cy + 60, anchor=Anchor.MIDDLE)
