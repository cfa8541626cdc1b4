"""The stock market: cells, zones and ledges."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from platelayer.foundation.text import Text

MOVES = frozenset("→↘↓↙←↖↑↗")
"""Arrows in rules of movement, which are drawn as shapes, so that no face needs them."""


class MarketShape(Enum):
    """A line of prices, a line folded as a zigzag (even cells low, odd cells high), a grid, or rows of which every
    second is shifted right by half a space."""

    LINE = "line"
    ZIGZAG = "zigzag"
    GRID = "grid"
    HEX = "hex"


class Cell(Struct, frozen=True, kw_only=True):
    """One space. `zones` are ids of zones it belongs to; `ledge` names edges (left, right, up, down) with a ledge that
    a marker does not cross; `text` replaces the price (e.g. "CLOSED"). `arrows` are directions in
    which its marker goes on (right, down-right, down ...)."""

    price: int
    zones: tuple[str, ...] = ()
    ledge: tuple[str, ...] = ()
    text: str = ""
    arrows: tuple[str, ...] = ()


class Zone(Struct, frozen=True, kw_only=True):
    """Cells with a meaning of their own, e.g. start prices; `par`: a start price may be set here; `who` limits it to a
    kind or size of company; `colour` is an ink name or #rrggbb."""

    id: str
    name: Text
    colour: str
    par: bool = False
    who: str | None = None


class Market(Struct, frozen=True, kw_only=True):
    """Rows from the top, left aligned; None is a gap. `movement` are the rules of movement for the board's legend;
    with `column_letters` a grid has A, B, C ... above its columns. `ends` pairs the left and right end of a row with
    the way that a marker goes there instead (up, down)."""

    shape: MarketShape
    rows: tuple[tuple[Cell | None, ...], ...]
    zones: tuple[Zone, ...] = ()
    movement: tuple[Text, ...] = ()
    column_letters: bool = False
    ends: tuple[tuple[str, str], ...] = ()

    @property
    def par_prices(self) -> tuple[int, ...]:
        """Start prices, rising, each once."""
        par = {zone.id for zone in self.zones if zone.par}
        return tuple(sorted({c.price for row in self.rows for c in row if c is not None and par & set(c.zones)}))
