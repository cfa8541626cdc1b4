"""Boxes as flat sheets: a tuckbox for cards, and a box of a lid and a tray."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from platelayer.foundation.languages import Tongue
from platelayer.foundation.values import Frozen
from platelayer.imposition.cut import cut_items
from platelayer.imposition.paper import (
    MAX_PAPER_MM,
    Box,
    Document,
    Page,
    box_round,
    fixed,
    turned_into,
)
from platelayer.model.options import PrintOptions
from platelayer.scene.inks import Ink, mix, readable_on
from platelayer.scene.shapes import (
    Command,
    Commands,
    Group,
    Item,
    Path,
    Point,
    Role,
    Scene,
    Stroke,
    Use,
    polygon_path,
    rectangle_path,
    transform_commands,
    translation,
)
from platelayer.scene.typeset import Theme, set_line

FORMS = ("tuckbox", "two-piece")

_BLEED_MM, _RIM_MM, _LINE_MM = 3.0, 12.0, 6.0
# Clearance around the contents of a box.
_SLACK_MM = 1.5
_TUCK_MM, _GLUE_MM, _DUST_MM, _THUMB_MM = 15.0, 12.0, 24.0, 9.0
_TAPER_MM = 2.0
# A lid is wider than its tray by the thickness of both their boards, on each side.
_OVER_MM = 1.2
# Depth of a lid as a share of the depth of its tray.
_LID = 0.9
# Fold lines are fine and pale, as they remain visible on the finished edge.
_FOLD_MM, _FOLD_TINT = 0.15, 0.35
FOLD_LAYER = "Fold line"

# Function that returns a picture for a panel of a given width and height.
Art = Callable[[float, float], Scene]


class Panel(Frozen):
    """A side of a box: its rectangle on the sheet, its picture ("title", "spine", "lid" or "list"),
    and the picture's clockwise rotation in degrees."""

    box: Box
    shows: str
    turned: int = 0


class Net(Frozen, kw_only=True):
    """A box laid flat, from (0, 0): its size, its panels, the outline to cut and the lines to
    fold."""

    width_mm: float
    height_mm: float
    panels: tuple[Panel, ...]
    cut: Commands
    folds: tuple[tuple[Point, Point], ...]


def tuckbox(width: float, height: float, depth: float) -> Net:
    """Return a tuckbox for a deck of that size, in mm: front, side, back, side and a flap to glue,
    closed at both ends by lids that are tucked in, with a notch for the thumb."""
    w, h, d = width + _SLACK_MM, height + _SLACK_MM, depth + _SLACK_MM
    dust = min(_DUST_MM, w / 2)
    y0 = d + _TUCK_MM
    y1 = y0 + h
    x1, x2, x3, x4 = w, w + d, 2 * w + d, 2 * w + 2 * d
    taper = min(_TAPER_MM, d / 4)
    thumb = min(_THUMB_MM, w / 4)
    upper = [(x1, y0), (x1 + taper, y0 - dust), (x2 - taper, y0 - dust), (x2, y0)]
    upper += [(x2, y0 - d), (x2 + 3, 0.0), (x3 - 3, 0.0), (x3, y0 - d), (x3, y0)]
    upper += [(x3 + taper, y0 - dust), (x4 - taper, y0 - dust), (x4, y0)]
    lower = [(x, y0 + y1 - y) for x, y in reversed(upper)]
    glue = [(x4 + _GLUE_MM, y0 + _GLUE_MM / 2), (x4 + _GLUE_MM, y1 - _GLUE_MM / 2)]
    outline: list[Command] = [("M", 0.0, y0), ("L", w / 2 - thumb, y0)]
    bow = thumb * 4 / 3
    outline.append(("C", w / 2 - thumb, y0 + bow, w / 2 + thumb, y0 + bow, w / 2 + thumb, y0))
    outline += [("L", x, y) for x, y in (*upper, *glue, *lower, (0.0, y1))]
    outline.append(("Z",))
    folds: list[tuple[Point, Point]] = [((x, y0), (x, y1)) for x in (x1, x2, x3, x4)]
    folds += [
        ((start, y), (end, y)) for y in (y0, y1) for start, end in ((x1, x2), (x2, x3), (x3, x4))
    ]
    folds += [((x2, y0 - d), (x3, y0 - d)), ((x2, y1 + d), (x3, y1 + d))]
    panels = (
        Panel((x2, y0 - d, w, d), "lid"),
        Panel((x2, y1, w, d), "spine"),
        Panel((x1, y0, d, h), "spine", turned=90),
        Panel((x3, y0, d, h), "spine", turned=90),
        Panel((0.0, y0, w, h), "title"),
        Panel((x2, y0, w, h), "title"),
    )
    return Net(
        width_mm=x4 + _GLUE_MM,
        height_mm=y1 + y0,
        panels=panels,
        cut=tuple(outline),
        folds=tuple(folds),
    )


def open_box(width: float, height: float, depth: float, *, lid: bool) -> Net:
    """Return the lid or the tray of a box with that room inside, in mm: its floor, four walls, and
    tabs to glue the corners."""
    more = 2 * _OVER_MM if lid else 0.0
    w, h = width + _SLACK_MM + more, height + _SLACK_MM + more
    d = depth * _LID if lid else depth
    tab, taper = min(_GLUE_MM, 0.8 * d), min(4.0, d / 4)
    x0, y0 = d, d
    x1, y1 = d + w, d + h
    corner = [(x1, y0), (x1 + 1.0, y0 - tab), (x1 + d - taper, y0 - tab), (x1 + d, y0)]
    right = [*corner, *((x, y0 + y1 - y) for x, y in reversed(corner))]
    left = [(x0 + x1 - x, y) for x, y in reversed(right)]
    outline = [(x0, 0.0), (x1, 0.0), *right, (x1, y1 + d), (x0, y1 + d), *left]
    folds = [((x0, y), (x1, y)) for y in (y0, y1)]
    folds += [((x, y0), (x, y1)) for x in (x0, x1)]
    folds += [((start, y), (start + d, y)) for y in (y0, y1) for start in (0.0, x1)]
    panels = (
        Panel((x0, 0.0, w, d), "spine", turned=180),
        Panel((x0, y1, w, d), "spine"),
        Panel((0.0, y0, d, h), "spine", turned=90),
        Panel((x1, y0, d, h), "spine", turned=270),
        Panel((x0, y0, w, h), "title" if lid else "list"),
    )
    return Net(
        width_mm=2 * d + w,
        height_mm=2 * d + h,
        panels=panels,
        cut=polygon_path(outline),
        folds=tuple(folds),
    )


class BoxToPrint(Frozen, kw_only=True):
    """A box: its name, its contents in words, its net, the ink of its ground, and the pictures of
    its sides by name."""

    name: str
    room: str
    net: Net
    ground: Ink
    art: Mapping[str, Art]

    def scene(self, key: str) -> Scene:
        """Return the net with its bleed, its folds on their layer, and its outline."""
        net = self.net
        # Paint all grounds first, because they bleed into neighbouring panels.
        items: list[Item] = [
            Path(rectangle_path(*box_round([panel.box], _BLEED_MM)), fill=self.ground)
            for panel in net.panels
        ]
        for panel in net.panels:
            size = panel.box[2:] if panel.turned % 180 == 0 else panel.box[:1:-1]
            picture = Use(self.art[panel.shows](*size))
            items.append(Group((picture,), matrix=turned_into(panel.box, panel.turned)))
        lines = tuple(
            command for start, end in net.folds for command in (("M", *start), ("L", *end))
        )
        fold = Stroke(mix(self.ground, readable_on(self.ground), _FOLD_TINT), _FOLD_MM)
        folds = Group((Path(lines, stroke=fold, role=Role.MARK),), layer=FOLD_LAYER)
        return Scene(
            key, net.width_mm, net.height_mm, (*items, folds), bleed_mm=_BLEED_MM, outline=net.cut
        )


def box_document(
    title_name: str,
    boxes: Sequence[BoxToPrint],
    *,
    theme: Theme,
    tongue: Tongue,
    spot_name: str,
) -> Document:
    """Return a page for each box, just large enough: its net with the outline in the spot colour on
    its layer, and a line with its name and contents. Raises ValueError for a box that is too
    large for a page."""
    style, options = theme.type("sheet"), PrintOptions(cut="spot", spot_name=spot_name)
    shift = translation(_RIM_MM, _RIM_MM)
    pages = []
    for number, box in enumerate(boxes, start=1):
        net = box.net
        width, height = net.width_mm + 2 * _RIM_MM, net.height_mm + 2 * _RIM_MM + _LINE_MM
        if max(width, height) > MAX_PAPER_MM:
            raise ValueError(f"a box of {width:.0f} x {height:.0f} mm is too large for a page")
        caption = f"{title_name} · {box.name} · {box.room}"
        items = (
            Use(box.scene(f"box:{number}"), matrix=shift),
            *cut_items([transform_commands(net.cut, shift)], options, theme),
            *set_line(caption, style, theme.ink("text.soft"), _RIM_MM, height - _RIM_MM / 2),
        )
        scene = Scene(f"sheet:box:{number}", width, height, items, label=caption)
        trim = (_RIM_MM, _RIM_MM, net.width_mm, net.height_mm)
        pages.append(Page(scene, trim, box_round([trim], _BLEED_MM)))
    name = fixed("box", tongue, style.faces)
    return Document(
        stem="box",
        title=f"{title_name}: {name}",
        subject=", ".join(box.room for box in boxes),
        pages=tuple(pages),
    )
