"""Rules on the sizes of pieces that lie on each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.atlas_board import printed_hexes
from platelayer.model.slots import TOKEN_PLAY_MM, holds, slot_share
from platelayer.model.tile import Tile
from platelayer.model.title import Title, kind_of_size
from platelayer.rules.rule import RULES, rule

CHAIN = "PC04"
_TOLD = 8
"""The most tiles or hexes that a message names."""


@rule(CHAIN, "token wider than its slot", Severity.WARNING)
def token_too_wide(title: Title) -> Iterator[Problem]:
    """Station tokens are too wide for the slots of tiles or map hexes: a slot is at least 0.4 mm wider than its token,
    so that tokens in neighbouring slots neither overlap nor hide each other. Slots grow with the hex: they are 12.4 mm
    wide on a hex of 38.1 mm, and 12.8 mm in a city of one slot. A tile with less room says how wide its slots are
    (`slot_mm`); such a tile is a note.

    Wrong: "sizes": {"tile": 38.1, "token": 14}.

    Right: "sizes": {"tile": 38.1, "token": 12}, or {"tile": 47, "map": 47.5, "token": 15}.

    Source: two tokens that lie beside each other cannot be closer than their diameter.
    """
    token, key = _widest_token(title)
    if not token:
        return
    at = join_pointer("pieces", "sizes", key) if key else join_pointer("pieces")
    narrow: list[tuple[float, str]] = []
    for kind, tile, across in _hexes(title):
        width = slot_share(tile) * across
        if not width or holds(width, token):
            continue
        if tile.slot_mm:
            yield Problem(
                pointer=join_pointer("tiles", tile.id) if kind == "tile" else at,
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
        more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
        yield Problem(
            pointer=at,
            about=key or "token",
            message=f"tokens of {token:g} mm do not fit slots of {least:.1f} mm: {', '.join(names[:_TOLD])}{more}",
            hint=f"make tokens {least - TOKEN_PLAY_MM:.1f} mm wide, or hexes "
            f"{math.ceil(100 * ((token + TOKEN_PLAY_MM) / least - 1)):d} % larger",
        )


def size_problems(title: Title) -> list[Problem]:
    """What is wrong with the sizes that a user has asked for: notes aside, which tell of the title itself."""
    return [each for each in RULES[CHAIN].check(title) if each.severity is not Severity.NOTE]


def _widest_token(title: Title) -> tuple[float, str]:
    """Diameter of the widest station token, and the key of the size that says so ("" for the default)."""
    stations = [company.id for company in title.companies if company.has_charter and company.stations]
    sizes = [title.pieces.size("token", company) for company in stations]
    if not sizes:
        return 0.0, ""
    widest = max(sizes, key=lambda size: size.width_mm)
    given = any(size is widest for size in title.pieces.sizes)
    return widest.width_mm, widest.kind if given and kind_of_size(widest.kind) == "token" else ""


def _hexes(title: Title) -> Iterator[tuple[str, Tile, float]]:
    """Every tile and printed hex: what it is, its print, how wide the hex is."""
    for entry in title.tiles:
        yield "tile", entry.tile, title.pieces.size("tile", entry.tile.id).width_mm
    for gamemap in title.maps:
        across = title.pieces.size("map", gamemap.id).width_mm
        for hexagon in gamemap.hexes:
            yield "hex", hexagon.tile, across
    if title.atlas is not None:
        across = title.pieces.size("map-tile").width_mm
        for printed in printed_hexes(title.atlas):
            yield "hex", printed, across
