"""Filling of lines with the measured parts of a text: as few lines as possible, in Japanese
preferably ending with a phrase."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from platelayer.scene.breaks import IN_NAME, IN_WORD, is_wide, stay_together

Part = tuple[str, float, float, float]
"""Words with the space after them, their width within a line and at the end of one, and how bad
that end is."""

_CLOSE = 1e-9
_CUT_SLACK = 0.01
_WHOLE, _WORSE_END, _ALONE, _MOST_EMPTY, _SHORT = 1_000_000, 1_000, 200_000, 0.6, 0.8
"""The cost of an empty line, in whole numbers, so that no tie is left to the last bits of floats;
of a step of a worse end; of a word alone in a last line, more than this share of which is empty, or
of some words, if more than that is. Japanese lines are to be full, and mind only a character
alone."""
_LONE = 2
"""A character and a stop."""
_LOOK_BACK, _LOOK_BACK_LAST = 0.5, 0.65
"""Share of a line that may stay empty for the sake of a better end; more for the last line but
one."""
_SLACK, _SLACK_LAST = 8.0, 4.0
"""What an empty line would cost: an eighth of a line is as bad as one step of a worse end."""


def fill_lines(parts: Sequence[Part], room: float, first: float | None = None) -> tuple[str, ...]:
    """Lines of whole parts no wider than `room` (the first: than `first`), without the space at
    their ends. A part that is wider gets a line of its own. There are no more lines than if each
    were filled completely, except where that parts a word."""
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
    wide = any(is_wide(text[0]) for text, *_ in parts)
    while start < len(parts):
        full = _full(parts, start, width)
        left = max(left - 1, 1 + needed(full))
        end = _phrase_end(parts, (start, full), width, left - 1, needed) if wide else full
        lines.append("".join(text for text, *_ in parts[start:end]).rstrip())
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
    parts: Sequence[Part],
    line: tuple[int, int],
    room: float,
    left: int,
    needed: Callable[[int], int],
) -> int:
    """Where a line ends best such that `left` more lines hold the rest, for which `needed` says how
    many it takes; `line` is where the line begins, and where it ends if it is filled completely."""
    start, full = line
    if full == len(parts):
        return full
    used = math.fsum(width for _, width, *_ in parts[start:full])
    look_back, slack = (_LOOK_BACK, _SLACK) if left > 1 else (_LOOK_BACK_LAST, _SLACK_LAST)
    empty, options = room - used, []
    for end in range(full, start, -1):
        if end < full:
            empty += parts[end][1]
        if empty > look_back * room:
            break
        options.append((parts[end - 1][3] + slack * max(0.0, empty) / room, -end))
    options.sort()
    best = next((-end for _, end in options if needed(-end) <= left), full)
    if parts[best - 1][3] < IN_WORD:
        return best
    return -options[0][1] if options else best


def fill_body(parts: Sequence[Part], room: float, first: float | None = None) -> tuple[str, ...]:
    """Lines of running text no wider than `room` (the first: than `first`): as few as can be
    without parting a word, all about equally full, and no word alone in the last, which is not
    short. A word that is wider than a line is parted."""
    words = _whole_words(parts, room)
    japanese = any(is_wide(text[0]) for text, *_ in parts)
    count = len(words)
    best: list[tuple[int, int, int] | None] = [(0, 0, 0), *[None] * count]
    for start in range(count):
        begun, width, used = best[start], room if start or first is None else first, 0.0
        assert begun is not None
        lines = begun[0] + 1
        for end, (_, within, closing, worse) in enumerate(words[start:], start + 1):
            wide = used + closing
            if wide > width + _CLOSE and end > start + 1:
                break
            used += within
            known = best[end]
            if known is not None and known[0] < lines:
                continue
            empty = max(0.0, 1 - wide / width) if width > 0 else 1.0
            if end < count:
                cost = round(empty * empty * _WHOLE + worse * _WORSE_END)
            else:
                alone = start == end - 1 and (not japanese or len(words[start][0]) <= _LONE)
                cost = (
                    _ALONE
                    if start > 0 and empty > (_MOST_EMPTY if alone else 1.0 if japanese else _SHORT)
                    else 0
                )
            way = (lines, begun[1] + cost, start)
            if known is None or way < known:
                best[end] = way
    ends = [count]
    while ends[-1] > 0:
        last = best[ends[-1]]
        assert last is not None
        ends.append(last[2])
    filled = (
        "".join(word[0] for word in words[start:end]).rstrip() for end, start in pairwise(ends)
    )
    return tuple(line for line in reversed([*filled]) if line)


def _whole_words(parts: Sequence[Part], room: float) -> list[Part]:
    """Parts joined where no line may end between them, if they fit one line."""
    words: list[Part] = []
    joined = False
    for part in parts:
        if joined and (wide := words[-1][1] + part[2]) <= room + _CLOSE:
            words[-1] = (words[-1][0] + part[0], words[-1][1] + part[1], wide, part[3])
        else:
            words.append(part)
        joined = part[3] >= IN_NAME
    return words


def cut_within(
    lines: Sequence[str], room: float, width_of: Callable[[str], float]
) -> tuple[str, ...]:
    """Lines no wider than `room`, whatever they say: one that is wider is cut between two
    characters."""
    broken: list[str] = []
    for line in lines:
        part, full = "", False
        for char in line if width_of(line) > room + _CUT_SLACK else ():
            # Once it is full it stays so, however much may not be parted from it: it is not
            # measured again.
            full = full or (part != "" and width_of(part + char) > room + _CUT_SLACK)
            if full and not stay_together(part, char):
                broken.append(part.rstrip())
                part, full = "", False
            part = (part + char).lstrip()
        broken.append(part or line)
    return tuple(broken)
