"""Sizes of pieces that a user gives in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import asset_json
from platelayer.foundation.suggestions import suggestion
from platelayer.foundation.units import MM_PER_INCH
from platelayer.model.kinds import KINDS, kinds_named
from platelayer.model.manifest import Manifest
from platelayer.model.title import Size, Title

LEAST_MM, MOST_MM = 5.0, 600.0
_MEASURES = re.compile(
    r"(\d{1,4}(?:\.\d{1,4})?)(?: ?[x×] ?(\d{1,4}(?:\.\d{1,4})?))? ?(mm|in)?", re.IGNORECASE
)


@cache
def standard_sizes() -> dict[str, tuple[float, float]]:
    """Widths and heights in mm, in portrait, by the name you type (assets/sheets/sizes.json)."""
    value = asset_json("sheets", "sizes.json")
    return {
        key: (float(entry["size_mm"][0]), float(entry["size_mm"][1]))
        for key, entry in value["sizes"].items()
    }


def with_sizes(title: Title, manifest: Manifest, asked: Sequence[tuple[str, str]]) -> Title:
    """The title with pieces of other sizes: pairs of a kind or sort of piece (or `kind:id`) and a
    size in words.

    A size for a kind is for all pieces of the kind, whatever sizes the title gives to some of them.
    A named size takes the orientation of the title's piece; dimensions are width and height. Raises
    ProblemsFound with SH07 for every pair with an unknown piece or size.
    """
    problems: list[Problem] = []
    sizes: list[Size] = []
    for key, words in (
        (key, words) for word, words in asked for key in kinds_named(word) or (word,)
    ):
        size = _size(title, manifest, key, words)
        if isinstance(size, Problem):
            problems.append(size)
        else:
            sizes.append(size)
    if problems:
        raise ProblemsFound(problems)
    if not sizes:
        return title
    kinds = {size.kind for size in sizes}
    others = (size for size in title.pieces.sizes if re.split("[:/]", size.kind)[0] not in kinds)
    return replace(title, pieces=replace(title.pieces, sizes=(*others, *sizes)))


def _size(title: Title, manifest: Manifest, key: str, words: str) -> Size | Problem:
    kind, _, piece_id = key.partition(":")
    sized = {size.kind.partition(":")[0] for size in title.pieces.sizes} | {
        kind.id for kind in KINDS.values() if kind.size_mm
    }
    if kind not in sized:
        hint = suggestion(kind, sized) or f"sizes can be set for {', '.join(sorted(sized))}"
        return Problem(
            code="SH07",
            message=f'pieces of the kind "{kind}" have no size that can be set',
            hint=hint,
        )
    if piece_id and key not in manifest.by_key:
        return Problem(
            code="SH07",
            message=f"{manifest.title} has no piece {key}",
            hint="see platelayer manifest",
        )
    now = title.pieces.size(kind, piece_id)
    named = standard_sizes().get(words.strip().lower())
    if named is None:
        return _measured(key, words, upright=now.width_mm != now.height_mm)
    lies = now.width_mm > now.height_mm
    width, height = (max(named), min(named)) if lies else (min(named), max(named))
    return Size(kind=key, width_mm=width, height_mm=height)


def _measured(key: str, words: str, *, upright: bool) -> Size | Problem:
    """Dimensions in words; pieces with an orientation (`upright`) need two."""
    measures = _MEASURES.fullmatch(words.strip())
    if measures is None:
        known = standard_sizes()
        hint = suggestion(words, known, most=2) or f"sizes are {', '.join(known)}, or 63x88mm"
        return Problem(code="SH07", message=f'there is no size "{words}" for {key}', hint=hint)
    unit = MM_PER_INCH if (measures[3] or "mm").lower() == "in" else 1.0
    width = float(measures[1]) * unit
    height = float(measures[2]) * unit if measures[2] else width
    if not measures[2] and upright:
        message = f'"{words}" is one length; {key} needs a width and a height'
        return Problem(code="SH07", message=message, hint="write 63x88mm")
    if min(width, height) < LEAST_MM or max(width, height) > MOST_MM:
        message = f"{key} cannot be {width:.4g} x {height:.4g} mm: sides are from {LEAST_MM:g} to {MOST_MM:g} mm"
        return Problem(code="SH07", message=message)
    return Size(kind=key, width_mm=width, height_mm=height)
