"""Problem codes of positions, with what `platelayer explain CODE` prints for each."""

from __future__ import annotations

from platelayer.foundation.codes import Code
from platelayer.foundation.problems import Severity

CODES: dict[str, Code] = {
    "PO01": Code(
        "name that the title does not have",
        "A position names a title, variant, map, hex, tile, company, phase, train or space of the market that there "
        'is not. Wrong: "tiles": {"Z99": "57"} where the map ends at row P. Right: printed coordinates of the map, '
        "numbers of tiles in the box, ids of the title.",
    ),
    "PO02": Code(
        "tile that cannot come to this hex",
        "No chain of upgrades leads from what is printed on the hex to this tile, whatever its rotation: its stops, "
        'label or colour are not those of the hex. Wrong: "57" (a city) on a hex without a city. Right: a tile that '
        "`platelayer upgrades` reaches from the hex. Source: docs/upgrades.md, 1 to 5.",
    ),
    "PO03": Code(
        "tile turned the wrong way",
        "The tile can come to this hex, but not in this rotation: track that lay there before would be lost. Rotations "
        'are sixths of a turn clockwise from how the tile is drawn. Wrong: "14 1" on a hex whose printed track leads '
        "to an edge that tile 14 then lacks. The hint names the rotations that keep it. Source: docs/upgrades.md, 3.",
    ),
    "PO04": Code(
        "track off the map",
        "In this rotation the tile has track that leads off the map, across an impassable border, or into the blank "
        'side of a hex that is never laid. Wrong: "9 0" at the rim of the map with track to the outside. Right: a '
        'rotation of the hint. Source: docs/upgrades.md, "On the map".',
    ),
    "PO05": Code(
        "more tiles than the box has",
        "There are more copies of a tile on the map than in the box. Both sides of a two-sided tile count as one. "
        'Wrong: tile 57 on nine hexes where the box has eight. Right: as many as "tiles" of the title says; '
        '"unlimited" if there is no limit.',
    ),
    "PO06": Code(
        "tile before its phase",
        "A tile has a colour that may not be laid in the phase of the position. Wrong: a brown tile in phase 3, which "
        'allows yellow and green. Right: a later "phase", or none.',
    ),
    "PO07": Code(
        "token in no slot",
        "A token is where there is no slot for it: the hex has no such stop, the stop fewer slots, or another token is "
        'in this slot. Stops and slots count from 0. Wrong: "BNR 0.2" on tile 14, which has two slots. Right: '
        '"BNR 0.1", or "BNR" for the next free one.',
    ),
    "PO08": Code(
        "more tokens than the company has",
        'A company has more tokens on the map than "stations" of the title says. A warning: where a company takes over '
        "another, it may get tokens with it. Wrong: four tokens of a company with three stations.",
        Severity.WARNING,
    ),
}
