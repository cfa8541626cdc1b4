"""What stands at the foot of a train card: which stops pay, which may be left out, and a note."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.drawing.kit.lettering import ink_height
from platelayer.drawing.kit.rich_text import set_lines, wrap_even, wrap_within
from platelayer.drawing.kit.style import Style
from platelayer.drawing.kit.tables import DoesNotFit
from platelayer.drawing.train.facts import multiplied, paying, skipped
from platelayer.foundation.languages import FixedWords
from platelayer.model.title import Title
from platelayer.model.train import TrainFace
from platelayer.scene.shapes import Item
from platelayer.scene.typeset import TypeStyle, rise_mm

say = FixedWords("cards")

_LEADING = 1.2
_BETWEEN_MM = 0.5
_DESCENT = 0.25
_TOLERANCE_MM = 0.01
_FREE = 0.5
"""Of the room below the places, how much larger type leaves to the engine."""


def note_items(
    title: Title, face: TrainFace, style: Style, *, width: float, room: float, gap: float
) -> tuple[tuple[Item, ...], float]:
    """The lines at the foot of a face, from (0, 0) down, in the largest type that leaves room for the engine, else in
    the smallest, else in a narrower face; and how high they are in mm. `room` is what the places leave, `gap` how far
    lines keep from them. Raises DoesNotFit."""
    texts = list(_told(face, style))
    if not texts and room >= -_TOLERANCE_MM:
        return (), 0.0
    room -= gap
    wide, tight = style.type("train.note"), style.type("train.note.tight")
    for kind, most in ((wide, room * (1 - _FREE)), (wide.at(wide.min_pt), room), (tight, room)):
        items, tall = _set(texts, kind, style, width)
        if tall <= most + _TOLERANCE_MM:
            return items, tall
    message = f"train: what stands on the card of {face.name} of {style.words(title.name)} does not fit"
    raise DoesNotFit(message, "give train a larger size, or shorten the note")


def _told(face: TrainFace, style: Style) -> Iterator[str]:
    for stops, count in paying(face, style):
        told = style.words(say("pays_up_to") if count else say("pays_none"), stops, count)
        yield f"{style.words(say('pays'))} {told}"
    for stops, times in multiplied(face, style):
        yield f"{style.words(say('pays'))} {style.words(say('times'), stops, times)}"
    for stops in skipped(face, style):
        yield style.words(say("skips"), stops)
    if face.note is not None:
        yield style.words(face.note)


def _set(texts: list[str], kind: TypeStyle, style: Style, width: float) -> tuple[tuple[Item, ...], float]:
    items: list[Item] = []
    y = 0.0
    for number, text in enumerate(texts):
        y += _BETWEEN_MM if number else 0.0
        lines = [part for line in wrap_even(text, kind, width) for part in wrap_within(line, kind, width)]
        rise = max(ink_height(lines[0], kind.beside(lines[0]))[1], *(rise_mm(line, kind) for line in lines))
        items += set_lines(lines, kind, style.ink("card.text"), 0.0, y + rise, leading=_LEADING)
        y += rise + ((len(lines) - 1) * _LEADING + _DESCENT) * kind.size_mm
    return tuple(items), y
