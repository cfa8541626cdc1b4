"""The lines of running text of a Japanese print, as they are set, and what can be said of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from platelayer.definitions.themes import load_theme
from platelayer.drawing.cards import summary
from platelayer.drawing.kit import layout, lettering
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_piece, draw_with_room
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.scene.breaks import holds_wide, script_of

SETTERS = (layout, lettering, summary)
"""The modules that set running text."""
KINDS = ("charter", "private", "summary", "phase-card", "offer-sheet")


class Paragraph(NamedTuple):
    """Lines, how full each is without being opened, and the piece they stand on."""

    piece: str
    lines: tuple[str, ...]
    fills: tuple[float, ...]


@contextmanager
def recorded() -> Iterator[list[tuple[tuple[str, ...], tuple[float, ...]]]]:
    """Record the lines of Japanese that fill a measure, and how full they are."""
    found: list[tuple[tuple[str, ...], tuple[float, ...]]] = []
    plain = lettering.set_lines

    def set_lines(
        lines: Sequence[str], type_style: Any, *rest: Any, measure_mm: float = 0.0, **more: Any
    ) -> Any:
        if measure_mm and holds_wide("".join(lines)):
            beside = type_style.beside("".join(lines))
            found.append(
                (
                    tuple(lines),
                    tuple(lettering.rich_width(line, beside) / measure_mm for line in lines),
                )
            )
        return plain(lines, type_style, *rest, measure_mm=measure_mm, **more)

    for module in SETTERS:
        module.set_lines = set_lines  # type: ignore[attr-defined]
    try:
        yield found
    finally:
        for module in SETTERS:
            module.set_lines = plain  # type: ignore[attr-defined]


def paragraphs_of(title: Title, kinds: Sequence[str] = KINDS) -> list[Paragraph]:
    """The Japanese paragraphs of the pieces of these kinds."""
    manifest, style = build_manifest(title), style_of(title, load_theme("classic"), "ja")
    set_in: list[Paragraph] = []
    for piece in (piece for piece in manifest.pieces if piece.kind in kinds):
        with recorded() as set_lines:
            draw_with_room(
                lambda roomy, ink: draw_piece(roomy, manifest, piece, ink),  # noqa: B023
                title,
                piece,
                style,
            )
        set_in += (Paragraph(piece.key, lines, fills) for lines, fills in set_lines)
    return set_in


def full_lines(found: Sequence[Paragraph]) -> list[float]:
    """How full the lines are that are to fill their measure: all but the last of each paragraph."""
    return [fill for paragraph in found for fill in paragraph.fills[:-1]]


def mean(fills: Sequence[float]) -> float:
    return math.fsum(fills) / len(fills) if fills else 1.0


def lone(found: Sequence[Paragraph]) -> list[str]:
    """Last lines of a single character, stops and brackets not counted."""
    last = [
        (paragraph, paragraph.lines[-1].strip("、。）」』"))
        for paragraph in found
        if len(paragraph.lines) > 1
    ]
    return [
        f"{paragraph.piece}: {'/'.join(paragraph.lines)}"
        for paragraph, line in last
        if len(line) < 2
    ]


def parted_names(found: Sequence[Paragraph]) -> list[str]:
    """Lines that end within a foreign word or name."""
    return [
        f"{paragraph.piece}: {before}/{after}"
        for paragraph in found
        for before, after in pairwise(paragraph.lines)
        if all(script_of(char) == "katakana" or char in "・＝ー" for char in (before[-1], after[0]))
    ]
