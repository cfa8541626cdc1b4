"""The problem codes of this stage, with what `platelayer explain CODE` prints for each: what,
wrong, right."""

from __future__ import annotations

from platelayer.foundation.codes import Code

CODES: dict[str, Code] = {
    "IM01": Code(
        "not a tile string",
        "A part of a tile string is not in the tile language of 18xx.games. Parts are separated by semicolons, their "
        'fields by commas; _0 is the first stop of the string. Wrong: "city=revenue=40;path=a:6,b:_0". Right: '
        '"city=revenue:40;path=a:0,b:_0;path=a:3,b:_0".',
    ),
    "IM02": Code(
        "line that is not a tile",
        "A line of a list of tiles is the tile's number and colour, if it has them, a tile string, and an optional "
        'count in brackets. Wrong: "X1 pink city=revenue:40". Right: "X1 green city=revenue:40;path=a:0,b:_0 (2)".',
    ),
}
