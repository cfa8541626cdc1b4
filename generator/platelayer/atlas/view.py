"""Random maps of Railways of the Lost Atlas, as the studio shows and replays them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from platelayer.atlas.assemble import POLICIES, assemble
from platelayer.atlas.compiled import seed_of_map
from platelayer.atlas.lines import code_of, log_text
from platelayer.atlas.make import AtlasOptions, assemble_map, make_map, read_box
from platelayer.atlas.measures import MEASURES
from platelayer.foundation.pool import available_processes
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.foundation.seeds import new_seed
from platelayer.foundation.values import Json
from platelayer.model.map_tiles import TileDraw, board_origin, place_name

if TYPE_CHECKING:
    from platelayer.atlas.find import Hunt
    from platelayer.model.map_tiles import AtlasBox, AtlasLog
    from platelayer.pipeline.registry import TitleView
    from platelayer.scene.shapes import Scene


MAPS_IN_GALLERY = 12
MOST_FOUND, MOST_SECONDS = 60, 600
# Interval in seconds between two progress reports of a search.
_REPORT_S = 0.2


def choices() -> Json:
    """Modes with their numbers of players, policies, and measures with their meanings."""

    modes = {mode.id: mode.players for mode in read_box().modes}
    return {"modes": modes, "policies": list(POLICIES), "measures": MEASURES}


class MapRequest(Struct):
    """Requested map: `source` (a code, or mode, policy and seed of a link), or a new one; without a
    seed, any."""

    source: str = ""
    mode: str = "long"
    policy: str = "compact"
    seed: int | None = None
    players: int | None = None


class FilesRequest(Struct, kw_only=True):
    """Code of a map whose files are requested, their paper, and the address of the page if the code
    on the map is to open it there."""

    source: str
    paper: str = "a4"
    page: str = ""


class TableRequest(Struct, kw_only=True):
    """Request of the page for a phone: nothing for its words and choices; or a map, by `code` as links
    have it, by `draws` (tile, q, r, rotation; tile 0 is a capital) of a mode, or a new one by mode,
    policy and seed. `then` is what to do with a half-laid one; `tile`, to give the places of it."""

    mode: str = ""
    policy: str = "compact"
    seed: int | None = None
    code: str = ""
    draws: list[tuple[int, int, int, int]] | None = None
    then: Literal["", "finish", "endings"] = ""
    tile: int | None = None


class SearchRequest(Struct, kw_only=True):
    """Search, limited in seconds, through the maps of the survey with a seed: the best `count` that
    meet the conditions."""

    mode: str = "long"
    policy: str = "compact"
    seed: int = 1
    players: int | None = None
    where: str = ""
    best: str = "fairness"
    count: Annotated[int, Meta(ge=1, le=MOST_FOUND)] = MAPS_IN_GALLERY
    seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)] = 10


def _options(request: MapRequest) -> AtlasOptions:
    if request.source:
        return AtlasOptions(source=f"#atlas={request.source}")
    seed = new_seed() if request.seed is None else request.seed
    return AtlasOptions(
        mode=request.mode, seed=seed, players=request.players, policy=request.policy
    )


def sketch(box: AtlasBox, log: AtlasLog) -> Json:
    """Map as JSON: each draw with the hexes it covers (axial coordinates, ground, company, name on
    the board), the blanks, the figures, the code, and the text of atlas.json."""

    origin = board_origin(log)
    draws = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            hexes = [
                {
                    "at": at,
                    "name": place_name(at, origin),
                    "ground": hexagon.ground.value,
                    "company": hexagon.company,
                }
                for at, hexagon in box.laid(draw)
            ]
            draws.append(
                {
                    "draw": draw.draw,
                    "tile": draw.tile,
                    "rotation": draw.rotation,
                    "alternatives": draw.alternatives,
                    "hexes": hexes,
                }
            )
        else:
            at = draw.overlay_at
            overlay = None if at is None else {"at": at, "name": place_name(at, origin)}
            draws.append({"draw": draw.draw, "project": draw.capital_project, "overlay": overlay})
    return {
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
        "draws": draws,
        "blanks": [{"at": at, "name": place_name(at, origin)} for at in log.blanks],
        "metrics": dict(log.metrics),
        "code": code_of(box, log),
        "log": log_text(log),
    }


def new_map(request: MapRequest) -> Json:
    """The requested map. Raises CannotRun, ProblemsFound."""
    return sketch(*assemble_map(_options(request)))


def table(request: TableRequest, language: str) -> Json:
    """Answer the page for a phone. Raises CannotRun, ProblemsFound."""
    from platelayer.atlas.phone import answer

    return answer(request, language)


def gallery(request: MapRequest) -> list[Json]:
    """The first maps of the survey with a seed, as `platelayer atlas gallery` draws them. Raises
    CannotRun."""

    options, box = _options(request), read_box()
    assemble_map(options)  # raises for an unknown mode or policy
    seeds = [seed_of_map(options.seed or 0, number) for number in range(MAPS_IN_GALLERY)]
    return [
        sketch(box, assemble(box, options.mode, seed=seed, policy=options.policy)) for seed in seeds
    ]


def poster(view: TitleView, request: MapRequest, language: str, theme: str) -> Scene:
    """The poster of a map. Raises CannotRun, ProblemsFound."""
    from platelayer.atlas.poster import draw_atlas_poster

    _, log = assemble_map(_options(request))
    if view.title.atlas is None:
        raise CannotRun("this title has no map tiles")
    return draw_atlas_poster(view.title, log, view.style(language, theme))


def files_of(request: FilesRequest, language: str, theme: str) -> dict[str, bytes]:
    """The files of a map by name, as `platelayer atlas new --no-png` writes them. Raises CannotRun,
    ProblemsFound."""
    wanted = {**asdict(request), "source": f"#atlas={request.source}"}
    return _files(AtlasOptions(**wanted, language=language, theme=theme, png=False))


# Cached, because the page fetches the files of one map one by one.
@lru_cache(1)
def _files(options: AtlasOptions) -> dict[str, bytes]:
    return make_map(options, processes=available_processes()).files


class Finder:
    """Searches for maps, one at a time: a new one ends the one before. `do` runs a step of the
    work elsewhere; `report` receives the progress of a search, then its result or its error."""

    def __init__(
        self, do: Callable[..., Coroutine[Any, Any, Any]], report: Callable[[Json], None]
    ) -> None:
        self._do, self._report = do, report
        self._number = 0
        self._hunt: Hunt | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, request: SearchRequest) -> int:
        """Begin a search and return its number. Raises CannotRun, also for every fault in the
        conditions."""
        hunt = await self._do(_hunt, request)
        await self.stop()
        self._number += 1
        self._hunt, self._task = hunt, asyncio.create_task(self._search(self._number, hunt))
        return self._number

    async def stop(self) -> None:
        """End the current search with the maps found so far."""
        if self._hunt is not None and self._task is not None:
            self._hunt.stopped = True
            await asyncio.wait({self._task})

    def close(self) -> None:
        """End the current search without a report."""
        if self._task is not None:
            self._task.cancel()

    async def _search(self, number: int, hunt: Hunt) -> None:
        steps, reported = hunt.steps(), 0.0
        try:
            while await self._do(next, steps, hunt) is not hunt:
                if hunt.spent - reported >= _REPORT_S:
                    reported = hunt.spent
                    progress = {"maps": hunt.searched.maps, "met": hunt.searched.met}
                    self._report({"find": number, "seconds": reported, **progress})
                # Give other tasks of the loop a turn even if `do` never waits.
                await asyncio.sleep(0)
            news = await self._do(_result, hunt)
        except ProblemsFound as error:
            news = {"message": "; ".join(problem.message for problem in error.problems)}
        except CannotRun as error:
            news = {"message": str(error)}
        except Exception as error:
            message = f"this search has failed: {type(error).__name__} {error}"[:400]
            self._report({"find": number, "message": message})
            raise
        self._report({"find": number, **news})


def _hunt(request: SearchRequest) -> Hunt:
    from platelayer.atlas.find import Hunt
    from platelayer.atlas.make import wanted_search

    conditions = asdict(request)
    seconds = conditions.pop("seconds")
    box, search = wanted_search(**conditions, blanks=None)
    return Hunt(box, search, seconds)


def _result(hunt: Hunt) -> Json:
    """Result of a search: sketches of the maps, each with the requested measures, and the output of
    `platelayer atlas find`."""
    from platelayer.atlas.find import found_text

    found = hunt.found
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
