"""Maps in play: tiles on their hexes, tokens in their slots."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from platelayer.drawing.company.inks import company_inks
from platelayer.drawing.company.roundel import roundel_items, with_roundels
from platelayer.drawing.hex.ground import ground_items
from platelayer.drawing.hex.plan import plan_hex
from platelayer.drawing.kit.style import Style
from platelayer.drawing.map.board import Extras
from platelayer.drawing.map.marks import HOME_SHARE
from platelayer.drawing.map.plan import MapPlan
from platelayer.model.company import Company
from platelayer.model.gamemap import GameMap, MapHex
from platelayer.model.position import NEUTRAL, InPlay, Placed, placed
from platelayer.model.slots import HEX_MM
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.scene.inks import luminance
from platelayer.scene.shapes import Circle, Group, Item, Path, Stroke, translation

_TOKEN_SHARE = 0.94
"""Diameter of a token as a share of its slot: its rim and that of the slot stay apart."""
_LOOSE_MM = 11.0
"""Diameter of a token in a stop without slots, on a hex of 38.1 mm."""


def as_played(title: Title, in_play: InPlay, extras: Extras) -> tuple[Title, GameMap, Extras]:
    """A title and its map as a position shows them, and what its poster shows beyond what they say.

    A tile hides what its hex prints, rivers and names of lands too. In a hex with tokens, homes
    that are still free are drawn beside these; companies with tokens are at home nowhere else.
    """
    position = in_play.position
    gamemap = position.map_of(title)
    shown = position.on_hexes(title)
    laid = {
        hex_id: lay.tile
        for hex_id, lay in position.tiles
        if hex_id in shown and lay.tile in title.tile_by_id
    }
    known = {NEUTRAL, *title.company_by_id}
    tokens = [token for token in placed(position) if token.hex in shown and token.company in known]
    busy = {token.company for token in tokens}
    held = {token.hex for token in tokens}
    companies = with_roundels(title)
    waiting = {
        hex_id: [
            company
            for company in companies.values()
            if company.has_charter
            and company.id not in busy
            and any(home.hex == hex_id for home in company.homes)
        ]
        for hex_id in sorted(held)
    }

    def over(plan: MapPlan, style: Style) -> tuple[Item, ...]:
        before = extras.over(plan, style) if extras.over else ()
        return (*before, *_token_items(plan, companies, tokens, waiting, style))

    def under(plan: MapPlan, style: Style) -> tuple[Item, ...]:
        before = extras.under(plan, style) if extras.under else ()
        return (*before, *_covers(plan, laid, style))

    hexes = tuple(
        _as_laid(hexagon, shown[hexagon.id]) if hexagon.id in laid else hexagon
        for hexagon in gamemap.hexes
    )
    board = replace(gamemap, hexes=hexes)
    settled = tuple(
        replace(
            company,
            homes=tuple(
                home for home in company.homes if company.id not in busy and home.hex not in held
            ),
            blocks=tuple(hex_id for hex_id in company.blocks if hex_id not in laid),
        )
        for company in title.companies
    )
    maps = tuple(board if entry is gamemap else entry for entry in title.maps)
    return (
        replace(title, maps=maps, companies=settled),
        board,
        replace(extras, over=over, under=under, numbers=laid if in_play.numbers else {}),
    )


def _as_laid(hexagon: MapHex, tile: Tile) -> MapHex:
    return replace(hexagon, tile=replace(tile, id=hexagon.id), stubs=(), reserved=())


def _covers(plan: MapPlan, laid: dict[str, str], style: Style) -> Iterator[Item]:
    """The grounds of tiles once more, over rivers and names of lands."""
    if not (plan.gamemap.rivers or plan.gamemap.regions):
        return
    for hexagon in plan.gamemap.hexes:
        if hexagon.id in laid:
            ground = ground_items(hexagon.tile, plan.layout, plan.across_mm, style)
            yield Group(items=ground, matrix=translation(*plan.centre(hexagon.at)))


def _token_items(
    plan: MapPlan,
    companies: dict[str, Company],
    tokens: list[Placed],
    waiting: dict[str, list[Company]],
    style: Style,
) -> Iterator[Item]:
    """Tokens in their slots, and the homes of companies that wait in the slots that these leave
    free."""
    taken = {(token.hex, token.stop, token.slot) for token in tokens}
    for token in tokens:
        place = _slot(plan, token.hex, token.stop, token.slot)
        if place is not None:
            x, y, slot_mm = place
            across = slot_mm * _TOKEN_SHARE
            nobody = token.company == NEUTRAL
            items = (
                _neutral_items(across, style)
                if nobody
                else token_items(companies[token.company], across, style)
            )
            yield Group(items=items, matrix=translation(x, y))
    for hex_id, at_home in waiting.items():
        for company in at_home:
            stops = {home.stop for home in company.homes if home.hex == hex_id}
            free = next(
                (
                    (stop, slot)
                    for stop, entry in enumerate(plan.gamemap.by_id[hex_id].tile.stops)
                    if entry.kind in (StopKind.CITY, StopKind.PASS)
                    and (None in stops or stop in stops)
                    for slot in range(entry.slots)
                    if (hex_id, stop, slot) not in taken
                ),
                None,
            )
            if free is not None and (place := _slot(plan, hex_id, *free)) is not None:
                taken.add((hex_id, *free))
                x, y, slot_mm = place
                yield Group(
                    items=roundel_items(company, slot_mm * HOME_SHARE, style),
                    matrix=translation(x, y),
                )


def _slot(plan: MapPlan, hex_id: str, stop: int, slot: int) -> tuple[float, float, float] | None:
    """Where a slot is on the sheet, and how wide; of a stop without slots, the stop. None where
    nothing is drawn."""
    hexagon = plan.gamemap.by_id[hex_id]
    marks = plan_hex(hexagon.tile, plan.layout, plan.across_mm).marks
    mark = marks[stop] if stop < len(marks) else None
    if mark is None:
        return None
    x, y = plan.centre(hexagon.at)
    if slot < len(mark.slots):
        dx, dy = mark.slots[slot]
        return x + dx, y + dy, mark.slot_mm
    if mark.slots or not mark.bulk:
        return None
    dx, dy, _ = mark.bulk[0]
    return x + dx, y + dy, _LOOSE_MM * plan.across_mm / HEX_MM


def token_items(company: Company, diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """A station token as it lies in its slot, centred on (0, 0); the company comes from
    `with_roundels`."""
    inks = company_inks(company, style)
    edge = min(inks.line, inks.on_band, key=luminance)
    rim = Circle(
        cx=0.0, cy=0.0, r=diameter_mm / 2, fill=inks.band, stroke=Stroke(ink=edge, width_mm=0.2)
    )
    return (rim, *roundel_items(company, diameter_mm * 0.9, style))


def _neutral_items(diameter_mm: float, style: Style) -> tuple[Item, ...]:
    """A token of nobody: a grey disc with a cross."""
    rim, arm = Stroke(ink=style.ink("black"), width_mm=0.2), diameter_mm * 0.2
    cross = Stroke(ink=style.ink("black"), width_mm=diameter_mm * 0.09, cap="round")
    lines = (("M", -arm, -arm), ("L", arm, arm), ("M", -arm, arm), ("L", arm, -arm))
    return (
        Circle(cx=0.0, cy=0.0, r=diameter_mm / 2, fill=style.ink("rule.soft"), stroke=rim),
        Path(commands=lines, stroke=cross),
    )
