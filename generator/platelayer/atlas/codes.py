"""Problem codes of Lost Atlas maps, with their explanations."""

from __future__ import annotations

from platelayer.foundation.codes import Code

CODES: dict[str, Code] = {
    "AT01": Code(
        "unknown mode",
        "A map is assembled for one of the box's modes of play: long, short, micro3 or micro2. The mode decides "
        "which map tiles and capital projects are in play.",
    ),
    "AT02": Code(
        "map tile that is not in play",
        "Every map tile drawn belongs to the mode: its number is in the box and has not been removed for this mode. "
        'Wrong: {"tile": 26} in a short game, which removes tile 26. Copies are numbered from 1.',
    ),
    "AT03": Code(
        "map tile laid twice",
        "Each copy of a map tile is one piece of cardboard and is laid once. There are two copies, 1 and 2, of tiles "
        "12 to 16, and one of every other tile.",
    ),
    "AT04": Code(
        "map tiles not drawn",
        "The map is finished once all the map tiles of the mode are laid: 33 in a long game, 25 in a short one, 16 "
        "and 11 in the micro games.",
    ),
    "AT05": Code(
        "impossible rotation",
        "A map tile is rotated clockwise by a whole number of sixths, 0 to 5, and is never turned over.",
    ),
    "AT06": Code(
        "overlap",
        "No hex of a map tile lies on a hex of another. Only capital and blank overlays may be laid over or between "
        "tiles.",
    ),
    "AT07": Code(
        "too little contact",
        "At the moment it is laid, each map tile after the first touches tiles already on the map along at least 3 hex "
        "edges. Tiles laid later do not count. For a map typed in by hand, it is enough that some valid order exists.",
    ),
    "AT08": Code(
        "border touched",
        "A border hex touches the two other hexes of its own map tile and nothing else. Its four other sides stay "
        "free of tiles and blanks, both when it is laid and afterwards.",
    ),
    "AT09": Code(
        "capital overlay on the wrong hex",
        "The overlay of a capital project goes on a basic city of a map tile that was laid before the project was "
        "drawn: a city hex that is nobody's home and has no overlay yet.",
    ),
    "AT10": Code(
        "capital project deferred needlessly",
        "A capital project goes to the bottom of the pile only if no basic city is free when it is drawn.",
    ),
    "AT11": Code(
        "drawn out of order",
        "Every piece in the pile is drawn once before a deferred project comes up again, and deferred projects come "
        "up in the order in which they went to the bottom. Nothing is drawn from an empty pile, or from one with "
        "only projects left that no city can take.",
    ),
    "AT12": Code(
        "capital projects not laid",
        "The mode says how many capital projects are in the pile: 3 in a long game, 2 in a short one, 1 in a micro "
        "game. Each is drawn until its overlay is laid, as long as there is a basic city for it.",
    ),
    "AT13": Code(
        "blank in the wrong place",
        "A blank overlay goes on an empty space beside a home, unless it would touch a border there, and nowhere "
        "else. No space takes two.",
    ),
    "AT14": Code(
        "blank missing",
        "At the end, every empty space beside a home gets a blank, unless it would touch a border. A map made with "
        "--blanks N has N of them, or as many as there are spaces.",
    ),
    "AT15": Code(
        "impossible stack",
        "In micro games the tiles with homes and tile 21 are dealt evenly into stacks, and so are the other tiles; "
        "one stack is used. A map for three therefore has 6 of the first kind and 10 of the second; a map for two "
        "has 4 and 7. Other modes have no stacks.",
    ),
    "AT16": Code(
        "map in pieces",
        "The hexes of all map tiles are connected: you can get from any one to any other by moving between "
        "neighbours. Borders, water and destinations count; blanks do not.",
    ),
    "AT17": Code(
        "edges do not add up",
        "Every hex has six sides, so the number of sides on the rim of a map is six times its hexes less twice its "
        "pairs of neighbours. If the contacts in a log add up to something else, the log was not replayed correctly; "
        "please report it.",
    ),
    "AT18": Code(
        "wrong number of alternatives",
        "`alternatives` counts the distinct legal placements of the drawn tile, including the one chosen; for the "
        "first tile it is 1. Two placements are the same if they give the same map, as the three rotations of a tile "
        "of three plains on the same three spaces do.",
    ),
    "AT19": Code(
        "draws misnumbered",
        "Draws are numbered from 1, without gaps, in the order in which they were made.",
    ),
    "AT20": Code(
        "measure differs",
        "A measure of the map that is recorded in the file must match a new measurement.",
    ),
    "AT21": Code(
        "line of a map that cannot be read",
        "A map typed in by hand has one piece on each line: a map tile with the place of its first hex and its turn "
        "(`3 D4 2`), or with what each of its hexes shows and where that lies (`3 city D4 home E5 plain D6`); a "
        "capital (`capital D4`); blanks (`blank E7 F2`; without such lines they are worked out). One line names the "
        "mode (`mode micro2`). What follows a # is left out.",
    ),
    "AT22": Code(
        "tile that cannot lie so",
        "The three hexes of a map tile meet in a corner and follow each other clockwise as they are printed. A tile "
        "may be turned, but never flipped.",
    ),
}
