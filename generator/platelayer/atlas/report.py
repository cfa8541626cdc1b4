"""A map's log in, a few lines out: what players need to know of it before the first round."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.atlas.extent import board_size_mm
from platelayer.model.atlas import AtlasBox, AtlasLog, Mode


def map_report(box: AtlasBox, mode: Mode, log: AtlasLog, *, companies: Sequence[str], hex_mm: float) -> str:
    """Lines of plain text: how the map came about, its pieces, its room on a table with hexes of `hex_mm` flat to
    flat, the names of the companies in play, the columns of charters, cash, trains, and the words to make it again."""
    width, height = board_size_mm(log, hex_mm)
    limit = "" if log.blank_limit is None else f" --blanks {log.blank_limit}"
    again = f"platelayer atlas new --mode {log.mode} --seed {log.seed} --policy {log.policy}{limit}"
    stack = "" if log.stack is None else f", stack {log.stack} of {mode.stacks}"
    cash = ", ".join(f"{each} with {players} players" for players, each in mode.cash)
    exports = "" if mode.exports else "; no export"
    return "\n".join(
        [
            f"Map:       mode {log.mode}{stack}, seed {log.seed}, policy {log.policy}, "
            f"{_counted(log.restarts, 'restart')}",
            f"Pieces:    {_counted(len(log.placed), 'map tile')}, {_counted(len(log.overlays), 'capital')}, "
            f"{_counted(len(log.blanks), 'blank')} ({_spare(box, log)})",
            f"Table:     {width} x {height} mm with hexes of {hex_mm:g} mm",
            f"Companies: {', '.join(companies)} ({_counted(len(companies), 'minor')})",
            f"Charters:  {_counted(len(mode.columns), 'column')} ({' + '.join(map(str, mode.columns))})",
            f"Cash:      {cash}; {_counted(mode.cycles, 'cycle')}",
            f"Trains:    {', '.join(f'{count} x {train}' for train, count in mode.trains)}{exports}",
            f"Again:     {again}",
        ]
    )


def _spare(box: AtlasBox, log: AtlasLog) -> str:
    """Whether the blanks of the box are enough, and what to do when they are not."""
    if len(log.blanks) <= box.blank_overlays:
        return f"{box.blank_overlays} in the box"
    return f"the box has {box.blank_overlays}: cut more, or use --blanks {box.blank_overlays}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
