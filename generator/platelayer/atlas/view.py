"""Random maps of Railways of the Lost Atlas, with what a page needs to replay them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from platelayer.atlas.make import AtlasOptions, assemble_map, make_map, read_box
from platelayer.foundation.pool import available_processes
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.seeds import new_seed

if TYPE_CHECKING:
    from platelayer.atlas.find import Found, Hunt
    from platelayer.model.map_tiles import AtlasBox, AtlasLog
    from platelayer.pipeline.registry import TitleView
    from platelayer.scene.shapes import Scene


MAPS_IN_GALLERY = 12
MOST_FOUND, MOST_SECONDS = 60, 600
_TELL_S = 0.2
"""How often a page is told how a search gets on."""


def choices() -> dict[str, Any]:
    """Modes with their players, policies, and measures with what they mean."""
    from platelayer.atlas.assemble import POLICIES
    from platelayer.atlas.measures import MEASURES

    modes = {mode.id: mode.players for mode in read_box().modes}
    return {"modes": modes, "policies": list(POLICIES), "measures": MEASURES}


class Asked(Struct):
    """The map that a page asks for; without a seed, any."""

    mode: str = "long"
    policy: str = "compact"
    seed: int | None = None
    players: int | None = None


class Wanted(Struct, kw_only=True):
    """The map whose files a page asks for, their paper, and the address of the page, if the code on
    the map is to open it there."""

    mode: str
    policy: str
    seed: int
    paper: str = "a4"
    page: str = ""


class Sought(Struct, kw_only=True):
    """Search of a page: maps of the survey with a seed that meet the conditions, the
    best by the measures, as many as are to be kept, for so many seconds."""

    mode: str = "long"
    policy: str = "compact"
    seed: int = 1
    players: int | None = None
    where: str = ""
    best: str = "fairness"
    count: Annotated[int, Meta(ge=1, le=MOST_FOUND)] = MAPS_IN_GALLERY
    seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)] = 10


def _options(asked: Asked) -> AtlasOptions:
    seed = new_seed() if asked.seed is None else asked.seed
    return AtlasOptions(mode=asked.mode, seed=seed, players=asked.players, policy=asked.policy)


def sketch(box: AtlasBox, log: AtlasLog) -> dict[str, Any]:
    """A map for a page: each draw with the hexes it covers (axial coordinates, ground, company,
    name on the board), the blanks, the figures, and the log, as its file has it."""
    from platelayer.atlas.log import log_text
    from platelayer.model.map_tiles import TileDraw, board_origin, place_name, tile_hexes

    origin = board_origin(log)
    draws: list[dict[str, Any]] = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            cells = zip(
                tile_hexes(draw.at, draw.rotation), box.tile_by_number[draw.tile].hexes, strict=True
            )
            hexes = [
                {
                    "at": at,
                    "name": place_name(at, origin),
                    "ground": hexagon.ground.value,
                    "company": hexagon.company,
                }
                for at, hexagon in cells
            ]
            about = {
                "tile": draw.tile,
                "rotation": draw.rotation,
                "alternatives": draw.alternatives,
            }
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
    """The first maps of the survey with a seed, as `platelayer atlas gallery` draws them. Raises
    CannotRun."""
    from platelayer.atlas.assemble import assemble
    from platelayer.atlas.compiled import seed_of_map

    options, box = _options(asked), read_box()
    assemble_map(options)  # refuses what does not exist
    seeds = [seed_of_map(options.seed or 0, number) for number in range(MAPS_IN_GALLERY)]
    return [
        sketch(box, assemble(box, options.mode, seed=seed, policy=options.policy)) for seed in seeds
    ]


def poster(view: TitleView, asked: Asked, language: str, theme: str) -> Scene:
    """The poster of a map. Raises CannotRun."""
    from platelayer.atlas.poster import draw_atlas_poster

    _, log = assemble_map(_options(asked))
    if view.title.atlas is None:
        raise CannotRun("this title has no map tiles")
    return draw_atlas_poster(view.title, log, view.style(language, theme))


def files_of(wanted: Wanted, language: str, theme: str) -> dict[str, bytes]:
    """The files of a map by name, as `platelayer atlas new --no-png` writes them. Raises CannotRun,
    ProblemsFound."""
    return _files(
        AtlasOptions(
            mode=wanted.mode, policy=wanted.policy, seed=wanted.seed, paper=wanted.paper, page=wanted.page,
            language=language, theme=theme, png=False,
        )
    )  # fmt: skip


@lru_cache(maxsize=1)
def _files(options: AtlasOptions) -> dict[str, bytes]:
    """Kept, as a page fetches them one by one."""
    return make_map(options, processes=available_processes()).files


class Finder:
    """Searches for maps, one at a time: another ends the one before. `do` does a step of the work,
    `tell` takes news of it: how far a search has come, then what it has found or why it cannot."""

    def __init__(
        self, do: Callable[..., Coroutine[Any, Any, Any]], tell: Callable[[dict[str, Any]], None]
    ) -> None:
        self._do, self._tell = do, tell
        self._number = 0
        self._hunt: Hunt | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, sought: Sought) -> int:
        """Begin a search; its number. Raises CannotRun, also for all that is wrong with the
        conditions."""
        hunt = await self._do(_hunt, sought)
        await self.stop()
        self._number += 1
        self._hunt, self._task = hunt, asyncio.create_task(self._search(self._number, hunt))
        return self._number

    async def stop(self) -> None:
        """End the search that is going on, with what it has found until now."""
        if self._hunt is not None and self._task is not None:
            self._hunt.stopped = True
            await asyncio.wait({self._task})

    def close(self) -> None:
        """End it, and tell nobody."""
        if self._task is not None:
            self._task.cancel()

    async def _search(self, number: int, hunt: Hunt) -> None:
        steps, told = hunt.steps(), 0.0
        news: dict[str, Any]
        try:
            while await self._do(next, steps, hunt) is not hunt:
                if hunt.spent - told >= _TELL_S:
                    told = hunt.spent
                    searched = hunt.searched
                    self._tell(
                        {
                            "find": number,
                            "seconds": told,
                            "maps": searched.maps,
                            "met": searched.met,
                        }
                    )
                await asyncio.sleep(0)
            news = await self._do(_result, hunt)
        except ProblemsFound as error:
            news = {"message": "; ".join(problem.message for problem in error.problems)}
        except CannotRun as error:
            news = {"message": str(error)}
        except Exception as error:
            self._tell(
                {
                    "find": number,
                    "message": f"this search has failed: {type(error).__name__} {error}"[:400],
                }
            )
            raise
        self._tell({"find": number, **news})


def _hunt(sought: Sought) -> Hunt:
    from platelayer.atlas.find import Hunt
    from platelayer.atlas.make import wanted_search

    box, search = wanted_search(
        players=sought.players, where=sought.where, best=sought.best, count=sought.count,
        mode=sought.mode, policy=sought.policy, seed=sought.seed, blanks=None,
    )  # fmt: skip
    return Hunt(box, search, sought.seconds)


def _result(hunt: Hunt) -> dict[str, Any]:
    """Result of a search: sketches of the maps, each with the measures that were asked about,
    and the words of `platelayer atlas find`."""
    from platelayer.atlas.find import found_text

    found: Found | None = hunt.found
    assert found is not None
    maps = [
        {**sketch(hunt.box, entry.log), "values": entry.values, "front": entry.front}
        for entry in found.maps
    ]
    return {
        "found": maps,
        "maps": found.searched.maps,
        "met": found.searched.met,
        "text": found_text(found),
    }
