"""What the box holds and where track can go, in sentences of any language."""

from __future__ import annotations

from collections.abc import Sequence

from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.play.reach import Reach
from platelayer.play.supply import Bound, Tightness, Use, kind_of

words_of = FixedWords("supply")
_COLOURS = FixedWords("cards").table("colour")
_ENGLISH = Tongue()
_NAMED = 12
"""The most hexes or tiles that a sentence names."""


def said(tongue: Tongue, key: str, *parts: object, count: int | None = None) -> str:
    """A phrase on supply, in its form for one thing where there is one."""
    return tongue.say(words_of(f"1 {key}" if count == 1 else key), *parts)


def some(names: Sequence[str], most: int = _NAMED, tongue: Tongue = _ENGLISH) -> str:
    """Names in a row; of many the first, and how many more there are."""
    row = said(tongue, "list").join(names[:most])
    return said(tongue, "and_more", row, len(names) - most) if len(names) > most else row


def _colour(name: str, tongue: Tongue) -> str:
    return tongue.say(_COLOURS[name]) if name in _COLOURS else name


def bound_name(bound: Bound, tongue: Tongue = _ENGLISH) -> str:
    """Colour and kind: "gray: city"."""
    kind = said(tongue, "all_tiles") if bound.like is None else kind_of(bound.like, tongue)
    return said(tongue, "bound", _colour(bound.colour, tongue), kind)


def bound_words(bound: Bound, tongue: Tongue = _ENGLISH) -> str:
    """A bound as a sentence: the minimum cut, if it binds."""
    colour, hexes = _colour(bound.colour, tongue), len(bound.want)
    what = (
        said(tongue, "a_tile", colour)
        if bound.like is None
        else said(tongue, "a_tile_of_kind", colour, kind_of(bound.like, tongue))
    )
    if not bound.binds:
        return said(tongue, "enough", hexes, what, count=hexes)
    among = len(bound.short)
    return said(
        tongue,
        "short",
        hexes,
        what,
        bound.most,
        said(tongue, "all_compete") if among == hexes else said(tongue, "some_compete", among),
        said(tongue, "tile", some(bound.tiles, tongue=tongue), count=len(bound.tiles)),
        said(tongue, "copy", bound.copies, count=bound.copies),
    )


def tightness_words(row: Tightness, tongue: Tongue = _ENGLISH) -> str:
    """What a tile is wanted for, and how many there are."""
    copies = (
        said(tongue, "unlimited") if row.copies is None else said(tongue, "in_the_box", row.copies)
    )
    return said(tongue, "wanted", row.hexes, f"{row.wanted:.1f}", copies, count=row.hexes)


def reach_words(reach: Reach, tongue: Tongue = _ENGLISH) -> list[tuple[str, str]]:
    """Where track can go: pairs of a heading and a sentence."""
    rows: list[tuple[str, str]] = []
    before: tuple[str, ...] | None = None
    for phase in reach.phases:
        if phase.missed != before:
            missed = said(tongue, "missed", some(phase.missed, 40, tongue)) if phase.missed else ""
            colours = said(tongue, "list").join(_colour(colour, tongue) for colour in phase.colours)
            head = (
                said(tongue, "phase", phase.phase, colours)
                if phase.phase
                else said(tongue, "all_colours")
            )
            rows.append((head, missed or said(tongue, "none_missed")))
        before = phase.missed
    if reach.never:
        rows.append(
            (said(tongue, "never_head"), said(tongue, "never", some(reach.never, 40, tongue)))
        )
    for cut in reach.cuts:
        rows.append(
            (
                said(tongue, "cut_head", cut.hex),
                said(tongue, "cut", some(cut.beyond, tongue=tongue)),
            )
        )
    for home in reach.walled_in:
        head = said(tongue, "walled_head", home.company, home.home)
        rows.append((head, said(tongue, "walled", home.lay, home.hex)))
    return rows


def use_words(used: Use, tongue: Tongue = _ENGLISH) -> list[str]:
    """How recorded games used the box."""
    ran_out = said(tongue, "list").join(used.ran_out) or said(tongue, "none")
    return [
        said(tongue, "recorded", used.games, ran_out, len(used.unused), used.tiles),
        said(tongue, "correlation", f"{used.by_tightness:.2f}", f"{used.by_counts:.2f}"),
    ]
