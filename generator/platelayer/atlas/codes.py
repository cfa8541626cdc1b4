"""Problem codes of Lost Atlas maps, with their explanations."""

from __future__ import annotations

from platelayer.foundation.codes import Code

CODES: dict[str, Code] = {
    "AT01": Code(
        "unknown mode",
        "A map is assembled for a mode of play of the box: long, short, micro3 or micro2. It decides which map "
        "tiles and capital projects are in play.",
    ),
    "AT02": Code(
        "map tile that is not in play",
        "Every map tile that is drawn is one of the mode: its number is in the box, and was not taken out for this "
        'mode. Wrong: {"tile": 26} in a short game, which takes tile 26 out. Copies are numbered from 1.',
    ),
    "AT03": Code(
        "map tile laid twice",
        "Each copy of a map tile is one piece of cardboard and is laid once. Tiles 12 to 16 are there twice, as "
        "copies 1 and 2, all others once.",
    ),
    "AT04": Code(
        "map tiles not drawn",
        "All map tiles of the mode are laid before the map is finished: 33 in a long game, 25 in a short one, 16 "
        "and 11 in the micro games.",
    ),
    "AT05": Code(
        "impossible rotation",
        "A map tile is turned by a whole number of sixths, 0 to 5, clockwise, and is never turned over.",
    ),
    "AT06": Code(
        "overlap",
        "No hex of a map tile lies on a hex of another. Only capital and blank overlays are laid over or between "
        "tiles.",
    ),
    "AT07": Code(
        "too little contact",
        "Each map tile after the first touches tiles already laid along at least 3 edges of hexes at the moment it "
        "is laid. What is laid later does not count. In a map typed in by hand it is enough that some order exists.",
    ),
    "AT08": Code(
        "border touched",
        "A border hex touches the two other hexes of its own map tile and nothing else: its four other sides stay "
        "free, when it is laid and ever after, of tiles and of blanks.",
    ),
    "AT09": Code(
        "capital overlay on the wrong hex",
        "The overlay of a capital project lies on a basic city of a map tile that was laid before the project was "
        "drawn: a city hex that is nobody's home and bears no overlay yet.",
    ),
    "AT10": Code(
        "capital project deferred without need",
        "A capital project goes to the bottom of the pile only when no basic city is free at the moment it is drawn.",
    ),
    "AT11": Code(
        "drawn out of order",
        "Every piece of the pile is drawn once before a deferred project comes up again, and deferred projects come "
        "up in the order in which they went to the bottom. Nothing is drawn when the pile is empty, nor when only "
        "projects are left that no city can take.",
    ),
    "AT12": Code(
        "capital projects that do not come out",
        "The mode says how many capital projects are in the pile: 3 in a long game, 2 in a short one, 1 in a micro "
        "game. Each is drawn until its overlay is laid, as long as there is a basic city for it.",
    ),
    "AT13": Code(
        "blank in the wrong place",
        "A blank overlay lies on an empty place beside a home, unless that would touch a border; there is no other. "
        "No place takes two.",
    ),
    "AT14": Code(
        "blank missing",
        "In the end every empty place beside a home gets a blank, unless that would touch a border. A map made with "
        "--blanks N has N of them, or as many as there are places.",
    ),
    "AT15": Code(
        "impossible stack",
        "In micro games the tiles with homes and tile 21 are dealt evenly to the stacks, and so are the others; one "
        "stack is used. So a map for three has 6 of the first and 10 of the second kind, a map for two has 4 and 7. "
        "In other modes there are no stacks.",
    ),
    "AT16": Code(
        "map in pieces",
        "All hexes of all map tiles hang together: from each there is a way over neighbours to every other. Borders, "
        "water and destinations count, blanks do not.",
    ),
    "AT17": Code(
        "edges do not add up",
        "Every hex has six sides: those on the rim of a map are six times its hexes less twice its pairs of "
        "neighbours. A log whose contacts add up to something else was not replayed rightly; please report it.",
    ),
    "AT18": Code(
        "wrong number of alternatives",
        "`alternatives` counts the distinct places that the drawn tile might have had by the rules, its own among "
        "them: 1 for the first tile. Two ways to lay a tile are the same when they give the same map, as the three "
        "turns of a tile of three plains upon the same three places do.",
    ),
    "AT19": Code(
        "draws misnumbered",
        "Draws are numbered from 1, without gaps, in the order in which they were made.",
    ),
    "AT20": Code(
        "measure differs",
        "A measure that the file tells of its map is what a new measurement finds.",
    ),
}
