"""A game of 18xx.games with a map of 150 hexes, as its two Ruby files: that of the documentation on a larger
map."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

COLUMNS, ROWS = 15, 10
_DOCS = Path(__file__).resolve().parents[2] / "docs" / "importing.md"
_FIXED = ("A1", "B2", "B4", "C1", "C3")
_CONTENTS = ("", "city=revenue:0", "", "town=revenue:0", "", "upgrade=cost:40,terrain:mountain", "")


def _file(name: str) -> str:
    text = _DOCS.read_text("utf-8")
    return re.findall(rf"<!-- g_18_dale/{name} -->\n```\w*\n(.*?)```\n", text, re.DOTALL)[0]


def _map() -> str:
    """Flat hexes, column by column, beside those that the game has."""
    places = product(range(COLUMNS), range(ROWS))
    names = [f"{chr(ord('A') + column)}{2 * row + 1 + column % 2}" for column, row in places]
    more = {
        f"            ['{name}'] => '{_CONTENTS[number % len(_CONTENTS)]}',\n"
        for number, name in enumerate(names)
        if name not in _FIXED
    }
    return _file("map.rb").replace("white: {\n", "white: {\n" + "".join(sorted(more)))


FILES = {"map.rb": _map(), "game.rb": _file("game.rb")}
