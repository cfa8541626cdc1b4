"""What the upgrade explorer knows: which tiles may go where, and how many there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from platelayer.model.upgrade import HEX
from platelayer.pipeline.lists import upgrades_json

if TYPE_CHECKING:
    from platelayer.studio.view import View


def explorer(view: View) -> dict[str, Any]:
    """The pairs of `platelayer upgrades --format json`, and beside them: the tiles of the box, the hexes of each map by
    their names in the pairs, and the edges of each hex that no track may cross."""
    from platelayer.rules.graph import hex_source, spots

    title = view.title
    pairs = json.loads(upgrades_json(view.graph))["pairs"]
    blocked = {spot.source: list(spot.blocked) for spot in spots(title)}
    fixed = title.upgrades.fixed_rotation if title.upgrades else ()
    return {
        "pairs": pairs,
        "colours": list(title.colours),
        "tiles": {
            entry.tile.id: {
                "count": entry.count,
                "colour": entry.tile.colour,
                "exits": sorted(entry.tile.exits),
                "fixed": entry.tile.id in fixed,
            }
            for entry in title.tiles
        },
        "hexes": {
            f"{board.id}/{hexagon.id}": {
                "source": hex_source(title, board, hexagon),
                "blocked": blocked.get(hex_source(title, board, hexagon), []),
            }
            for board in title.maps
            for hexagon in board.hexes
        },
        "across_mm": {
            **{f"map:{board.id}": title.pieces.size("map", board.id).width_mm for board in title.maps},
            "tile": title.pieces.size("tile").width_mm,
        },
        "prefix": HEX,
    }
