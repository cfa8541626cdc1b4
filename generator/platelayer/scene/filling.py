"""Filling of lines with the measured parts of a text: as few lines as possible, in Japanese preferably ending with a
phrase."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from platelayer.scene.breaks import is_wide, script_of

Part = tuple[str, float, float]
"""Words with the space after them, their width within a line, and at the end of one."""

_CLOSE = 1e-9
_LOOK_BACK, _LOOK_BACK_LAST = 0.5, 0.65
"""Share of a line that may stay empty for the sake of a better end; more for the last line but one."""
_SLACK, _SLACK_LAST = 8.0, 4.0
"""What an empty line would cost: an eighth of a line is as bad as one step of a worse end."""
_ENDS_WELL = "、。，．・；;)）」』 "
_LEADS_ON = ":："
"""What follows these belongs to what precedes them."""
_ENDS = {
    ("hiragana", "kanji"): 0.0,
    ("hiragana", "katakana"): 0.0,
    ("hiragana", ""): 0.0,
    ("kanji", "kanji"): 1.5,
    ("kanji", "katakana"): 1.0,
    ("katakana", "kanji"): 1.0,
    ("", "kanji"): 1.0,
    ("kanji", ""): 1.0,
    ("katakana", "katakana"): 4.0,
}
"""How bad a line end between two scripts is: 0 before a phrase, 1 within a compound; others split a word."""
_PARTS_A_WORD = 2.5
_WORTH_A_LINE = 4.0
"""How bad ends within a katakana word are, because readers spell such words out: an extra, half-empty line is
better."""


def fill_lines(parts: Sequence[Part], room: float, first: float | None = None) -> tuple[str, ...]:
    """Lines of whole parts no wider than `room` (the first: than `first`), without the space at their ends. A part that
    is wider gets a line of its own. There are no more lines than if each were filled completely, except for katakana
    words."""
    counts = {len(parts): 0}

    def needed(start: int) -> int:
        """How many full lines the parts from `start` on need."""
        begun = []
        while start not in counts:
            begun.append(start)
            start = _full(parts, start, room)
        for above, line in enumerate(reversed(begun), start=1):
            counts[line] = counts[start] + above
        return counts[begun[0] if begun else start]

    lines: list[str] = []
    start, width, left = 0, room if first is None else first, 0
    wide = any(is_wide(text[0]) for text, _, _ in parts)
    while start < len(parts):
        full = _full(parts, start, width)
        left = max(left - 1, 1 + needed(full))
        end = _phrase_end(parts, (start, full), width, left - 1, needed) if wide else full
        lines.append("".join(text for text, _, _ in parts[start:end]).rstrip())
        start, width = end, room
    return tuple(line for line in lines if line)


def _full(parts: Sequence[Part], start: int, room: float) -> int:
    """Where a line ends that begins with the part `start` and takes all it can."""
    used, end = parts[start][1], start + 1
    while end < len(parts) and used + parts[end][2] <= room + _CLOSE:
        used += parts[end][1]
        end += 1
    return end


def _phrase_end(
    parts: Sequence[Part], line: tuple[int, int], room: float, left: int, needed: Callable[[int], int]
) -> int:
    """Where a line ends best such that `left` more lines hold the rest, for which `needed` says how many it takes;
    `line` is where the line begins, and where it ends if it is filled completely."""
    start, full = line
    if full == len(parts):
        return full
    used = math.fsum(width for _, width, _ in parts[start:full])
    look_back, slack = (_LOOK_BACK, _SLACK) if left > 1 else (_LOOK_BACK_LAST, _SLACK_LAST)
    empty, options = room - used, []
    for end in range(full, start, -1):
        if end < full:
            empty += parts[end][1]
        if empty > look_back * room:
            break
        options.append((end_badness(parts[end - 1][0], parts[end][0]) + slack * max(0.0, empty) / room, -end))
    options.sort()
    best = next((-end for _, end in options if needed(-end) <= left), full)
    if end_badness(parts[best - 1][0], parts[best][0]) < _WORTH_A_LINE:
        return best
    return -options[0][1] if options else best


def end_badness(before: str, after: str) -> float:
    """How bad it is to end a line between two parts: 0 at the end of a phrase or a Latin word, to 2.5 within a word."""
    last, first = before[-1], after[0]
    if last in _ENDS_WELL or last == "を" or first in "（(「『" or not (is_wide(last) or is_wide(first)):
        return 0.0
    if last in _LEADS_ON:
        return 1.5
    return _ENDS.get((script_of(last), script_of(first)), _PARTS_A_WORD)
