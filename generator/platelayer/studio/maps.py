"""Random maps of Railways of the Lost Atlas, with what a page needs to replay them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.seeds import new_seed
from platelayer.pipeline.atlas import AtlasOptions, assemble_map, read_box
from platelayer.studio.pictures import Face, painted

if TYPE_CHECKING:
    from platelayer.model.atlas import AtlasBox, AtlasLog
    from platelayer.studio.view import View

MAPS_IN_GALLERY = 12


def choices() -> dict[str, Any]:
    """Modes with their players, and policies."""
    from platelayer.atlas.policies import POLICIES

    return {"modes": {mode.id: mode.players for mode in read_box().modes}, "policies": list(POLICIES)}


class Asked(Struct):
    """The map that a page asks for; without a seed, any."""

    mode: str = "long"
    policy: str = "compact"
    seed: int | None = None
    players: int | None = None


def _options(asked: Asked) -> AtlasOptions:
    seed = new_seed() if asked.seed is None else asked.seed
    return AtlasOptions(mode=asked.mode, seed=seed, players=asked.players, policy=asked.policy)


def sketch(box: AtlasBox, log: AtlasLog) -> dict[str, Any]:
    """A map for a page: each draw with the hexes it covers (axial coordinates, ground, company, name on the board), the
    blanks, the figures, and the log, as its file has it."""
    from platelayer.definitions.atlas_log import log_text
    from platelayer.model.atlas import TileDraw, tile_hexes
    from platelayer.model.atlas_board import board_origin, place_name

    origin = board_origin(log)
    draws: list[dict[str, Any]] = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            cells = zip(tile_hexes(draw.at, draw.rotation), box.tile_by_number[draw.tile].hexes, strict=True)
            hexes = [
                {"at": at, "name": place_name(at, origin), "ground": each.ground.value, "company": each.company}
                for at, each in cells
            ]
            about = {"tile": draw.tile, "rotation": draw.rotation, "alternatives": draw.alternatives}
            draws.append({"draw": draw.draw, **about, "hexes": hexes})
        else:
            at = draw.overlay_at
            where = {"at": at, "name": place_name(at, origin)} if at is not None else None
            draws.append({"draw": draw.draw, "project": draw.capital_project, "overlay": where})
    return {
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
        "draws": draws,
        "blanks": [{"at": at, "name": place_name(at, origin)} for at in log.blanks],
        "metrics": dict(log.metrics),
        "log": log_text(log),
    }


def new_map(asked: Asked) -> dict[str, Any]:
    """A map by mode, seed and policy; without a seed, any. Raises CannotRun."""
    return sketch(*assemble_map(_options(asked)))


def gallery(asked: Asked) -> list[dict[str, Any]]:
    """The first maps of the survey with a seed, as `platelayer atlas gallery` draws them. Raises CannotRun."""
    from platelayer.atlas.assemble import assemble
    from platelayer.atlas.rows import seed_of_map

    options, box = _options(asked), read_box()
    assemble_map(options)  # refuses what does not exist
    seeds = [seed_of_map(options.seed or 0, number) for number in range(MAPS_IN_GALLERY)]
    return [sketch(box, assemble(box, options.mode, seed=seed, policy=options.policy)) for seed in seeds]


def poster(view: View, asked: Asked, language: str, theme: str) -> Face:
    """The poster of a map. Raises CannotRun."""
    from platelayer.drawing.atlas.poster import draw_atlas_poster

    _, log = assemble_map(_options(asked))
    if view.title.atlas is None:
        raise CannotRun("this title has no map tiles")
    return painted(draw_atlas_poster(view.title, log, view.style(language, theme)), "atlas")
