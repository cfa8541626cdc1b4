"""Boxes as flat sheets: a tuckbox for cards, and a box of a lid and a tray."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from platelayer.foundation.languages import Tongue
from platelayer.foundation.values import Frozen
from platelayer.imposition.cut import cut_items
from platelayer.imposition.paper import MAX_PAPER_MM, Box, Document, Page, fixed, turned_into
from platelayer.model.options import PrintOptions
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
from platelayer.scene.theme import Theme
from platelayer.scene.typeset import set_line

FORMS = ("tuckbox", "two-piece")

_BLEED_MM, _RIM_MM, _LINE_MM = 3.0, 12.0, 6.0
# Room in a box around its contents.
_SLACK_MM = 1.5
_TUCK_MM, _GLUE_MM, _DUST_MM, _THUMB_MM = 15.0, 12.0, 24.0, 9.0
_TAPER_MM = 2.0
# A lid is wider than its tray by the board of both, on each side.
_OVER_MM = 1.2
# Depth of a lid as a part of its tray's.
_LID = 0.9
_FOLD_DASH_MM = (2.4, 1.2)
_FOLD_MM = 0.2
FOLD_LAYER = "Fold line"

# A picture for a panel of a width and a height.
Art = Callable[[float, float], Scene]


class Panel(Frozen):
    """A side of a box: its box on the sheet, its picture ("title", "spine", or "" for plain
    colour), and by how many degrees that is turned clockwise."""

    box: Box
    shows: str = ""
    turned: int = 0


class Net(Frozen, kw_only=True):
    """A box laid flat, from (0, 0): its size, panels, the outline to cut along and the lines to
    fold."""

    width_mm: float
    height_mm: float
    panels: tuple[Panel, ...]
    cut: Commands
    folds: tuple[tuple[Point, Point], ...]


def tuckbox(width: float, height: float, depth: float) -> Net:
    """A tuckbox for a deck of that size, in mm: front, side, back, side and a flap to glue, closed
    above and below by lids that are tucked in, with a notch for the thumb."""
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
        Panel((x2, y0 - d, w, d), "spine"),
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
    """The lid or the tray of a box with that room inside, in mm: its floor, four walls, tabs to
    glue the corners."""
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
    spine = "spine" if lid else ""
    panels = (
        Panel((x0, 0.0, w, d), spine, turned=180),
        Panel((x0, y1, w, d), spine),
        Panel((0.0, y0, d, h), spine, turned=90),
        Panel((x1, y0, d, h), spine, turned=270),
        Panel((x0, y0, w, h), "title" if lid else ""),
    )
    return Net(
        width_mm=2 * d + w,
        height_mm=2 * d + h,
        panels=panels,
        cut=polygon_path(outline),
        folds=tuple(folds),
    )


def box_document(
    title_name: str,
    nets: Sequence[tuple[str, Net]],
    *,
    art: Mapping[str, Art],
    contents: str,
    theme: Theme,
    tongue: Tongue,
    spot_name: str,
) -> Document:
    """A page for each net (with its name among the words of sheets), just large enough: art with
    its bleed, the outline in the spot colour on its layer, folds on theirs, and a line with its
    contents. Raises ValueError for a box that is too large for a page."""
    style, ground = theme.type("sheet"), theme.ink("back.wheel")
    options = PrintOptions(cut="spot", spot_name=spot_name)
    fold = Stroke(theme.ink("mark"), _FOLD_MM, dash=_FOLD_DASH_MM)
    shift = translation(_RIM_MM, _RIM_MM)
    pages = []
    for name, net in nets:
        width, height = net.width_mm + 2 * _RIM_MM, net.height_mm + 2 * _RIM_MM + _LINE_MM
        if max(width, height) > MAX_PAPER_MM:
            raise ValueError(f"a box of {width:.0f} x {height:.0f} mm is too large for a page")
        # All grounds come first, because they bleed into each other's panels.
        panels: list[Item] = [
            Path(rectangle_path(*_grown(panel.box)), fill=ground) for panel in net.panels
        ]
        for panel in net.panels:
            if panel.shows:
                size = panel.box[2:] if panel.turned % 180 == 0 else panel.box[:1:-1]
                picture = Use(art[panel.shows](*size))
                panels.append(Group((picture,), matrix=turned_into(panel.box, panel.turned)))
        lines = tuple(
            command for start, end in net.folds for command in (("M", *start), ("L", *end))
        )
        folds = Path(transform_commands(lines, shift), stroke=fold, role=Role.MARK)
        caption = f"{title_name} · {fixed(name, tongue, style.faces)} · {contents}"
        items = (
            Group(tuple(panels), matrix=shift),
            Group((folds,), layer=FOLD_LAYER),
            *cut_items([transform_commands(net.cut, shift)], options, theme),
            *set_line(caption, style, theme.ink("text.soft"), _RIM_MM, height - _RIM_MM / 2),
        )
        key = f"sheet:box:{name}"
        scene = Scene(key, width, height, items, label=caption)
        trim = (_RIM_MM, _RIM_MM, net.width_mm, net.height_mm)
        pages.append(Page(scene, trim, _grown(trim)))
    name = fixed("box", tongue, style.faces)
    return Document(stem="box", title=f"{title_name}: {name}", subject=contents, pages=tuple(pages))


def _grown(box: Box) -> Box:
    x, y, width, height = box
    return x - _BLEED_MM, y - _BLEED_MM, width + 2 * _BLEED_MM, height + 2 * _BLEED_MM
