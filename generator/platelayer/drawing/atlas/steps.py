"""The steps in which people lay an assembled map, and the stages that group them."""

from __future__ import annotations

import math

from msgspec import Struct

from platelayer.model.atlas import AtlasLog, Axial, TileDraw
from platelayer.model.atlas_board import board_origin, place_name

_MOST_STAGES = 6
_LEAST_STEPS = 4


class Step(Struct, frozen=True, kw_only=True):
    """One piece to lay: a map tile (its number) or, with `tile` None, a capital overlay. `place` is where its hex 1
    goes in printed coordinates, `at` the same in the log's, `rotation` how often it is turned by 60 degrees."""

    order: int
    tile: int | None
    place: str
    at: Axial
    rotation: int = 0


class Stage(Struct, frozen=True, kw_only=True):
    """A few steps to take, those taken before, and where blanks go once they are taken (only in the last stage)."""

    new: tuple[Step, ...]
    before: tuple[Step, ...] = ()
    blanks: tuple[Axial, ...] = ()


def hour(rotation: int) -> int:
    """The hour on a clock to which the number of a map tile points: towards its hex 1, seen from the tile's middle."""
    return (11 + 2 * rotation - 1) % 12 + 1


def steps_of(log: AtlasLog) -> tuple[Step, ...]:
    """What is laid, in order, except blanks; a project that went back under the pile lays nothing."""
    origin = board_origin(log)
    found: list[Step] = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            tile, at, rotation = draw.tile, draw.at, draw.rotation
        elif draw.overlay_at is not None:
            tile, at, rotation = None, draw.overlay_at, 0
        else:
            continue
        place = place_name(at, origin)
        found.append(Step(order=len(found) + 1, tile=tile, place=place, at=at, rotation=rotation))
    return tuple(found)


def stages_of(log: AtlasLog) -> tuple[Stage, ...]:
    """The steps of a log a few at a time, in at most six stages of about equal length."""
    steps = steps_of(log)
    count = max(1, min(_MOST_STAGES, math.ceil(len(steps) / _LEAST_STEPS)))
    size = math.ceil(len(steps) / count) if steps else 1
    return tuple(
        Stage(new=steps[k : k + size], before=steps[:k], blanks=log.blanks if k + size >= len(steps) else ())
        for k in range(0, len(steps), size)
    )
