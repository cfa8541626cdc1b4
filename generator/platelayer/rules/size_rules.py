"""Rules on the sizes of pieces that lie on each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import named
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.bays import (
    CARD_PLAY_MM,
    MARKER_PLAY_MM,
    Bay,
    offer_width_mm,
    offered,
    ring_mm,
    track_marker_mm,
    train_bay,
    train_card,
)
from platelayer.model.hexes import Layout
from platelayer.model.slots import HEX_MM, TOKEN_PLAY_MM, holds, slot_share
from platelayer.model.tile import EndKind, Tile
from platelayer.model.title import Title, kind_of_size
from platelayer.rules.rule import MEASURES, rule

CHAIN, BAYS = "PC04", "PC05"
SIZE_RULES = (CHAIN, BAYS)
"""Rules that other sizes of pieces may break."""
_ROUNDING_MM = 0.05
_LOOSE = 1.25
"""Widest hex of a map, in widths of a tile."""
_TOLD = 8
"""The most tiles or hexes that a message names."""


@rule(
    CHAIN,
    "token wider than its slot",
    Severity.WARNING,
    reads=(
        "atlas",
        "companies/+",
        "maps/+/hexes/+",
        "maps/+/layout",
        "pieces/sizes",
        "privates/+",
        "tiles/+",
    ),
)
def token_too_wide(title: Title) -> Iterator[Problem]:
    """Station tokens are too wide for the slots of tiles or map hexes: a slot is at least 0.4 mm
    wider than its token, so that tokens in neighbouring slots neither overlap nor hide each other.
    Slots grow with the hex: they are 12.4 mm wide on a hex of 38.1 mm, and 12.8 mm in a city of one
    slot. A tile with less room states the width of its slots (`slot_mm`); this is a note. If stops
    are so crowded that slots are drawn narrower without `slot_mm`, this is a note if the slots
    still hold their tokens, and a warning if not.

    Wrong: "sizes": {"tile": 38.1, "token": 14}.

    Right: "sizes": {"tile": 38.1, "token": 12}, or {"tile": 47, "map": 47.5, "token": 15}.

    Source: two tokens that lie beside each other cannot be closer than their diameter.
    """
    token, key = _widest_token(title)
    if not token:
        return
    at = join_pointer("pieces", "sizes", key) if key else join_pointer("pieces")
    narrow: list[tuple[float, str]] = []
    for kind, tile, layout, across in _hexes(title):
        width = slot_share(tile) * across
        where = join_pointer("tiles", tile.id) if kind == "tile" else at
        drawn = width if tile.slot_mm or not width else _drawn(tile, layout, across)
        if drawn < width - _ROUNDING_MM:
            tight = not holds(drawn, token)
            yield Problem(
                pointer=where,
                about=tile.id,
                message=f"the slots of {kind} {tile.id} are drawn {drawn:.1f} mm wide instead of {width:.1f}: stops "
                f"and track leave no more room{f', and tokens of {token:g} mm overlap' if tight else ''}",
                severity=Severity.WARNING if tight else Severity.NOTE,
                hint=f'give the {kind} "slot_mm": {math.floor(drawn / across * HEX_MM * 10) / 10:g}, or fewer slots',
            )
        elif not width or holds(width, token):
            continue
        elif tile.slot_mm:
            yield Problem(
                pointer=where,
                about=tile.id,
                message=f"{kind} {tile.id} has room for slots of {width:.1f} mm only, and tokens of {token:g} mm "
                "overlap",
                severity=Severity.NOTE,
            )
        else:
            narrow.append((width, f"{kind} {tile.id}"))
    if narrow:
        least, _ = min(narrow)
        names = [name for _, name in narrow]
        yield Problem(
            pointer=at,
            about=key or "token",
            message=f"tokens of {token:g} mm do not fit slots of {least:.1f} mm: {named(names, _TOLD)}",
            hint=f"make tokens {least - TOKEN_PLAY_MM:.1f} mm wide, or hexes "
            f"{math.ceil(100 * ((token + TOKEN_PLAY_MM) / least - 1)):d} % larger",
        )


@rule(BAYS, "piece larger than its place", Severity.WARNING, reads=("pieces", "trains"))
def larger_than_its_place(title: Title) -> Iterator[Problem]:
    """Pieces are too large for their places. A place for a train on a charter, or for a card on an
    offer sheet, is at least 1 mm wider and higher than the card; a space on a round track is at
    least 0.4 mm wider than its marker. A hex of a map is as wide as the tiles, or up to a quarter
    wider. The bank board, the market and revenue charts adapt to the sizes of their cards and
    tokens.

    Wrong: "sizes": {"charter": [148, 105], "train": [88, 63]}.

    Right: "sizes": {"charter": [150, 150], "train": [88, 63]}.

    Source: a card laid by hand in a printed frame must leave the frame visible, and what is beside
    it.
    """
    yield from _trains(title)
    yield from _offers(title)
    yield from _tiles(title)
    ring, marker = ring_mm(title), track_marker_mm(title)
    if ring and marker and marker + MARKER_PLAY_MM > ring + 0.01:
        yield Problem(
            pointer=_pointer(title, "marker"),
            about="marker",
            message=f"markers of {marker:g} mm do not fit the spaces of the round track, which are {ring:g} mm wide",
            hint=f"make markers at most {ring - MARKER_PLAY_MM:g} mm wide",
        )


def _trains(title: Title) -> Iterator[Problem]:
    """Charters, by the size of their places, that do not hold the title's trains."""
    if not title.trains:
        return
    wide, tall = train_card(title)
    narrow: dict[Bay, list[str]] = {}
    for company in title.companies:
        if company.has_charter:
            bay = train_bay(title, company)
            if not bay.holds(wide, tall):
                narrow.setdefault(bay, []).append(company.id)
    for bay, charters in narrow.items():
        yield Problem(
            pointer=_pointer(title, "train"),
            about="charter",
            message=f"trains of {wide:g} x {tall:g} mm do not fit their places of {bay.width_mm:.1f} x "
            f"{bay.height_mm:.1f} mm on charters: {named(charters, _TOLD)}",
            hint="make trains smaller, or charters larger",
        )


def _offers(title: Title) -> Iterator[Problem]:
    """The widest of the cards on the sheet of offers."""
    if title.pieces.offer is None:
        return
    room = offer_width_mm(title)
    cards = [
        title.pieces.size("private", private.id, private.size).width_mm
        for column in offered(title)
        for private in column
    ]
    widest = max(cards, default=0.0)
    if widest + CARD_PLAY_MM > room + 0.01:
        yield Problem(
            pointer=_pointer(title, "offer-sheet"),
            about="offer-sheet",
            message=f"cards of {widest:g} mm do not fit the spaces of the initial round, which are {room:.1f} mm wide",
            hint="make the sheet larger, or place the cards beside it, and say so in its note",
        )


def _tiles(title: Title) -> Iterator[Problem]:
    """Maps whose hexes are smaller than the tiles to be laid on them, or much larger."""
    tile = title.pieces.size("tile").width_mm
    for gamemap in title.maps if title.tiles else ():
        across = title.pieces.size("map", gamemap.id).width_mm
        if not tile <= across <= _LOOSE * tile:
            yield Problem(
                pointer=_pointer(
                    title, "map" if title.pieces.given_size("map", gamemap.id) else "tile"
                ),
                about=gamemap.id,
                message=f"tiles of {tile:g} mm do not fit the hexes of map {gamemap.id}, which are {across:g} mm wide",
                hint=f"make hexes of the map {tile + 0.5:g} mm wide",
            )


def _pointer(title: Title, kind: str) -> str:
    """Where the size of a kind is given, or the block of pieces."""
    given = [size.kind for size in title.pieces.sizes if kind_of_size(size.kind) == kind]
    return join_pointer("pieces", "sizes", given[0]) if given else join_pointer("pieces")


def _widest_token(title: Title) -> tuple[float, str]:
    """Diameter of the widest station token, and the key of the size that says so ("" for the
    default)."""
    stations = [
        company.id for company in title.companies if company.has_charter and company.stations
    ]
    sizes = [title.pieces.size("token", company) for company in stations]
    if not sizes:
        return 0.0, ""
    widest = max(sizes, key=lambda size: size.width_mm)
    given = any(size is widest for size in title.pieces.sizes)
    return widest.width_mm, widest.kind if given and kind_of_size(widest.kind) == "token" else ""


def _drawn(tile: Tile, layout: Layout, across_mm: float) -> float:
    """How wide slots are drawn; as wide as they should be in a hex whose only stop has all its
    room, or if nobody can say."""
    measure = MEASURES.get("slot_mm")
    roomy = (
        len(tile.stops) == 1
        and tile.stops[0].at is None
        and all(any(end.kind is EndKind.STOP for end in segment.ends) for segment in tile.track)
    )
    return math.inf if roomy or measure is None else measure(tile, layout, across_mm)


def _hexes(title: Title) -> Iterator[tuple[str, Tile, Layout, float]]:
    """Every tile and printed hex: what it is, its print, how it lies, how wide the hex is."""
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    for entry in title.tiles:
        yield "tile", entry.tile, layout, title.pieces.size("tile", entry.tile.id).width_mm
    for gamemap in title.maps:
        across = title.pieces.size("map", gamemap.id).width_mm
        for hexagon in gamemap.hexes:
            yield "hex", hexagon.tile, gamemap.layout, across
    if title.atlas is not None:
        across = title.pieces.size("map-tile").width_mm
        for printed in printed_hexes(title.atlas):
            yield "hex", printed, Layout.FLAT, across
