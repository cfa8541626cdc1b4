"""Round tokens: the station token, the sign of a destination, and the market token with spots along
its edge."""

from __future__ import annotations

import math

from msgspec.structs import replace

from platelayer.drawing.company.inks import company_inks
from platelayer.drawing.company.roundel import company_of, destination_items, roundel_items
from platelayer.drawing.kit.lettering import left_out
from platelayer.drawing.kit.style import BLEED_MM, Style
from platelayer.model.company import Company
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import (
    Circle,
    Command,
    Group,
    Item,
    Path,
    Point,
    Scene,
    Stroke,
    TextRun,
    circle_path,
    rectangle_path,
    translation,
)

SAFE_MM = 1.0
MARKET, DESTINATION = "-market", "-destination"
_SPOTS = 8


def draw_token(title: Title, piece_id: str, style: Style, *, back: bool = False) -> Scene:
    """The token `<company>` (station), `<company>-market` or `<company>-destination` of a title, or
    the back of a market token that is turned over in play. Raises KeyError."""
    scene = _draw(title, piece_id, style, turned=back)
    return replace(scene, key=f"{scene.key}:back") if back else scene


def draw_token_back(title: Title, piece: Piece, style: Style) -> Scene:
    """A station token is the same on both sides; a market token has its colours reversed: the
    second colour for the field, the company's colour for words."""
    scene = _draw(title, piece.id, style, turned=piece.group == "market")
    return replace(scene, key=f"{piece.key}:back")


def _draw(title: Title, piece_id: str, style: Style, *, turned: bool) -> Scene:
    sort = next((suffix for suffix in (MARKET, DESTINATION) if piece_id.endswith(suffix)), "")
    sort = "" if piece_id in title.company_by_id else sort
    company = company_of(title, piece_id.removesuffix(sort))
    if turned:
        # The second colour as the front uses it: the front does not use one too near to the
        # company's colour either.
        second = company_inks(company, style).second.hex
        company = replace(company, colour=second, second=company.colour, text_colour=company.colour)
    size = title.pieces.size("token", piece_id)
    r = min(size.width_mm, size.height_mm) / 2
    if sort == MARKET:
        items = _market(company, r, style, turned=turned)
    else:
        items = _destination(company, r, style) if sort else _station(company, r, style)
    return Scene(
        key=f"token:{piece_id}",
        width_mm=2 * r,
        height_mm=2 * r,
        items=(Group(items=items, matrix=translation(r, r), box=(-r, -r, r, r)),),
        bleed_mm=BLEED_MM,
        safe_mm=min(SAFE_MM, r * 0.16),
        outline=circle_path(r, r, r),
        label=style.words(company.name),
    )


def _station(company: Company, r: float, style: Style) -> tuple[Item, ...]:
    """The roundel as large as the cut allows, on the company's colour."""
    inks = company_inks(company, style)
    edge = min(inks.line, inks.on_band, key=luminance)
    return (
        Path(commands=_square(r + BLEED_MM), fill=inks.band),
        Circle(cx=0, cy=0, r=r * 0.91, fill=edge),
        Group(items=_lettered(company, r * 1.8, style)),
    )


def _lettered(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """The roundel, which tells if its abbreviation is too long for it."""
    items = roundel_items(company, diameter_mm, style)
    if style.pictures.get(company.logo or "") or any(isinstance(item, TextRun) for item in items):
        return items
    return (
        *items,
        *left_out(
            company.token_text, style.type("roundel.text"), company_inks(company, style).on_band
        ),
    )


def _destination(company: Company, r: float, style: Style) -> tuple[Item, ...]:
    """The sign of a destination on paper, which the cut may miss a little."""
    ground = Path(commands=_square(r + BLEED_MM), fill=company_inks(company, style).band)
    return (ground, Group(items=destination_items(company, r * 1.84, style)))


def _market(company: Company, r: float, style: Style, *, turned: bool) -> tuple[Item, ...]:
    """A smaller roundel in a light edge with spots of the company's colour, as gaming chips have; a
    dark edge shows the other side at a glance."""
    inks = company_inks(company, style)
    ring, line = style.ink("paper"), inks.line
    if turned:
        ring, line = (
            min(inks.line, inks.on_band, style.ink("black"), key=luminance),
            style.ink("paper"),
        )
    spots: list[Command] = []
    step = 2 * math.pi / _SPOTS
    for number in range(_SPOTS):
        spots += _wedge(r * 0.7, (r + BLEED_MM) * 1.5, step * number, step * 0.25)
    edge = Stroke(ink=line, width_mm=max(0.12, r * 0.025))
    return (
        Path(commands=_square(r + BLEED_MM), fill=inks.second),
        # Their contour keeps pale spots from looking torn out of the edge.
        Group(
            items=(Path(commands=tuple(spots), fill=inks.field, stroke=edge),),
            clip=_square(r + BLEED_MM),
        ),
        Circle(cx=0, cy=0, r=r * 0.85, fill=ring, stroke=edge),
        Group(items=_lettered(company, r * 1.59, style)),
    )


def _square(half: float) -> tuple[Command, ...]:
    return rectangle_path(-half, -half, 2 * half, 2 * half)


def _wedge(inner: float, outer: float, middle: float, half: float) -> tuple[Command, ...]:
    def at(radius: float, angle: float) -> Point:
        return radius * math.sin(angle), -radius * math.cos(angle)

    (ax, ay), (bx, by) = at(inner, middle - half), at(outer, middle - half)
    (cx, cy), (dx, dy) = at(outer, middle + half), at(inner, middle + half)
    return (("M", ax, ay), ("L", bx, by), ("L", cx, cy), ("L", dx, dy), ("Z",))
