"""The graphics state of a content stream: its initial values, and the dictionaries that change it."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pikepdf

from platelayer.foundation.matrices import IDENTITY, Matrix
from platelayer.preflight.budget import Budget
from platelayer.preflight.colours import GRAY, Colour, Space
from platelayer.preflight.fonts import Font
from platelayer.preflight.objects import MAX_NAME, entry, items_of, length_of, name_of, number_of, words_of
from platelayer.preflight.summary import INHERITED

_MOST_LAYERS = 20
"""Of one membership dictionary, for their names."""
_OPAQUE = ("", "Normal", "Compatible")


class State:
    """The graphics state as far as a check needs it. Colours are None while a pattern is set: what it paints has been
    taken in already. None for a line width, a size or an overprint: inherited from wherever the form is placed.
    `keeps`: what overprints keeps the plates of which it has no ink (OPM 1)."""

    def __init__(self, *, of_form: bool) -> None:
        black = GRAY.colour()
        self.ctm: Matrix = IDENTITY
        self.fill: Colour | None = INHERITED if of_form else black
        self.stroke: Colour | None = INHERITED if of_form else black
        self.fill_space: Space = GRAY
        self.stroke_space: Space = GRAY
        self.fill_over: bool | None = None if of_form else False
        self.stroke_over: bool | None = None if of_form else False
        self.width: float | None = None if of_form else 1.0
        self.font: Font | None = None
        self.size = self.spacing = self.word_spacing = self.leading = self.rise = 0.0
        self.scale = 1.0
        self.mode = 0
        self.keeps = False

    def copied(self) -> State:
        """A copy of the state that can be changed independently."""
        copy = State.__new__(State)
        copy.__dict__.update(self.__dict__)
        return copy


def layer_name(group: Any, budget: Budget, *, member: bool = False) -> str:
    """The name of an optional content group, or those of a membership dictionary; "" for anything else."""
    if not member and name_of(entry(group, "/Type")) == "OCMD":
        members = entry(group, "/OCGs")
        groups = items_of(members, budget) if isinstance(members, pikepdf.Array) else [members]
        return " + ".join(
            filter(None, (layer_name(each, budget, member=True) for each in islice(groups, _MOST_LAYERS)))
        )
    name = words_of(entry(group, "/Name"))
    budget.spend_steps(len(name))
    return name[:MAX_NAME]


def decoded_name(word: bytes) -> str:
    """A name as written in a stream, without its slash and with its #xx read. Raises ValueError for anything that is
    not a name."""
    if not word.startswith(b"/") or len(word) > MAX_NAME:
        raise ValueError(word[:MAX_NAME])
    if b"#" not in word:
        return word[1:].decode("utf-8", "replace")
    first, *parts = word[1:].split(b"#")
    read = b"".join(bytes.fromhex(part[:2].decode("latin-1")) + part[2:] for part in parts)
    return (first + read).decode("utf-8", "replace")


GraphicsState = tuple[float | None, bool | None, bool | None, tuple[Any, float] | None, set[str], bool | None]


def read_graphics_state(value: Any, budget: Budget) -> GraphicsState:
    """Line width, overprint of strokes and of fills, font with size, what of it makes transparent, and whether plates
    without ink are kept."""
    width, kept = entry(value, "/LW"), entry(value, "/OPM")
    strokes_over, fills_over = entry(value, "/OP"), entry(value, "/op")
    fills_over = strokes_over if fills_over is None else fills_over
    font = entry(value, "/Font")
    extras = {
        f"{words} of {alpha:.3g}"
        for key, words in (("/CA", "a stroke opacity"), ("/ca", "a fill opacity"))
        if (alpha := number_of(entry(value, key), 1.0)) < 1
    }
    mode = entry(value, "/BM")
    blend = name_of(next(items_of(mode, budget), mode))
    if blend not in _OPAQUE:
        extras.add(f"the blend mode {blend}")
    if isinstance(entry(value, "/SMask"), pikepdf.Dictionary):
        extras.add("a soft mask")
    return (
        None if width is None else number_of(width),
        None if strokes_over is None else strokes_over is True,
        None if fills_over is None else fills_over is True,
        (font[0], number_of(font[1])) if length_of(font) == 2 else None,
        extras,
        None if kept is None else number_of(kept) == 1,
    )
