"""The stock market of a game of 18xx.games."""

from __future__ import annotations

import re
from typing import Any

from platelayer.exchange.eighteen_games.source import Json, Mapping
from platelayer.exchange.names import number, one_line, several, spoken
from platelayer.exchange.ruby.game import SPACES
from platelayer.exchange.tiles.colours import rgb

ZONES = SPACES
"""What the letters after a price mean."""
PAR = ("par", "par_overlap", "par_1", "par_2", "par_3", "safe_par")
_COLOURS = {
    "red": "#e8a9a0", "blue": "#a2c4e0", "black": "#8a8a8a", "brown": "#d9b38c", "orange": "#f6c58f",
    "yellow": "#f7ec9a", "gray": "#cccccc", "grey": "#cccccc", "green": "#b5d6a7", "white": "#ffffff",
    "purple": "#cdb2d6", "peach": "#fbd7b5", "pink": "#f5c6d0",
}  # fmt: skip
_PLAIN = "#e4e4e4"
_CELL = re.compile(r"([0-9]{1,5})([A-Za-z]*)")


def market_block(mapping: Mapping) -> Json | None:
    """The block `market`; None where there is none."""
    comments = mapping.losses.comments("market")
    letters: dict[str, None] = {}
    given = several(mapping.game.data.get("market"))
    rows = [
        [_space(cell, letters, comments) for cell in row] for row in given if isinstance(row, list)
    ]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    rows = [row or [None] for row in rows]
    while rows and rows[-1] == [None]:
        rows.pop()
    if not rows or not any(cell is not None for row in rows for cell in row):
        return None
    rows = [
        comments.fit("spaces in a row of the market", row, 120)
        for row in comments.fit("rows of the market", rows, 40)
    ]
    comments.account("market", given, rows)
    market: Json = {
        **comments.comment,
        "shape": "line" if len(rows) == 1 else "grid",
        "rows": rows,
    }
    if len(rows) > 1:
        market["ends"] = {"left": "down", "right": "up"}
        mapping.losses.assume(
            "A marker that would leave a row of the market moves down at its left, up at its right end."
        )
    if letters:
        market["zones"] = {letter: _zone(mapping, letter) for letter in letters}
    return market


def _space(cell: Any, letters: dict[str, None], comments: Any) -> Any:
    if isinstance(cell, dict):
        return _space_of_hash(cell, letters, comments)
    match = _CELL.fullmatch(str(cell or "").strip())
    if match is None:
        if str(cell or "").strip():
            comments.lose("space of the market", one_line(cell)[:40])
        return None
    letters |= dict.fromkeys(match[2])
    return match[1] + "".join(dict.fromkeys(match[2]))


def _space_of_hash(cell: Json, letters: dict[str, None], comments: Any) -> Any:
    price = number(cell.get("price"), 0, 99999)
    if price is None:
        if cell.get("info") is not None:
            comments.lose("words on the market", one_line(cell["info"]))
        return None
    names = [str(name) for name in several(cell.get("types"))]
    known = {name: letter for letter, name in ZONES.items()}
    kinds = [known[name] for name in names if name in known]
    for name in names:
        if name not in known:
            comments.lose("kind of space of the market", name)
    letters |= dict.fromkeys(kinds)
    return f"{price}{''.join(kinds)}"


def _zone(mapping: Mapping, letter: str) -> Json:
    name = ZONES.get(letter, f"zone {letter}")
    words = one_line(mapping.table("market_texts").get(name)) or spoken(name)
    given = str(mapping.table("market_colours").get(name) or "")
    zone: Json = {"name": words, "colour": _COLOURS.get(given) or rgb(given) or _PLAIN}
    return zone | ({"par": True} if name in PAR else {})
