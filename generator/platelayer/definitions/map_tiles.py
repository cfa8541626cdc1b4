"""The box of map tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from platelayer.definitions.decode import Json, decode
from platelayer.definitions.source import read_checked
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, ProblemsFound
from platelayer.foundation.resources import title_path
from platelayer.foundation.suggestions import counted
from platelayer.model.map_tiles import AtlasBox, Ground, Mode, Stacks, company_of, ground_of

# Impossible stops and track of tiles and hexes.


def topology_faults(pointer: str, tile: Mapping[str, Any]) -> Iterator[Problem]:
    """RF07: track that leads to a stop that does not exist; DF02: attributes that a stop or segment
    cannot have."""
    stops = tile.get("stops", ())
    for index, segment in enumerate(tile.get("track", ())):
        at = f"{pointer}/track/{index}"
        for side, end in enumerate(segment[:2]):
            if isinstance(end, str) and end.startswith("stop:") and int(end[5:]) >= len(stops):
                message = (
                    f'"{end}" does not exist: this hex or tile has {counted("stop", len(stops))}'
                )
                yield Problem(code="RF07", pointer=f"{at}/{side}", message=message)
        if segment[0] == segment[1]:
            yield Problem(
                code="DF02", pointer=at, message="a segment of track joins two different ends"
            )
        for side, (width, lane) in enumerate(
            (segment[2] if len(segment) > 2 else {}).get("lanes", ())
        ):
            if lane >= width:
                message = f"there is no lane {lane} among {width}; lanes are counted from 0"
                yield Problem(code="DF02", pointer=f"{at}/2/lanes/{side}", message=message)
    for index, stop in enumerate(stops):
        at = f"{pointer}/stops/{index}"
        if stop["kind"] in ("town", "halt", "offboard") and stop.get("slots"):
            yield Problem(
                code="DF02",
                pointer=f"{at}/slots",
                message=f"a stop of kind {stop['kind']} has no station slots",
                hint="leave slots out",
            )
        if stop.get("boom") and stop["kind"] not in ("town", "city"):
            yield Problem(
                code="DF02",
                pointer=f"{at}/boom",
                message="only a town or a city is a boomtown",
                hint="leave boom out",
            )
        if "symbol" in stop and stop["kind"] != "halt":
            message = "only a halt has a symbol"
            yield Problem(
                code="DF02", pointer=f"{at}/symbol", message=message, hint="use an icon with a text"
            )
        if "size" in stop and stop["kind"] != "pass":
            yield Problem(
                code="DF02",
                pointer=f"{at}/size",
                message="only a pass has a size",
                hint="leave size out",
            )


LOST_ATLAS = "lost-atlas"
# The key of the block in a file of map tiles and in a title.
BLOCK = "atlas"


@cache
def shipped_box() -> AtlasBox:
    """The box of Railways of the Lost Atlas, as it ships with Platelayer."""
    return load_box(title_path(LOST_ATLAS) / "map-tiles.json")


def load_box(path: Path) -> AtlasBox:
    """A box from a file that follows the schema "map-tiles".

    Raises ProblemsFound: RF01 for a map tile that does not exist, RF07 and DF02 for impossible
    track and stops, RF03 for a company that is nowhere at home, SC04 for a mode with impossible
    numbers, and FI, JS and SC codes."""
    document = read_checked(path, "map-tiles")
    problems = [fault.located(document.place) for fault in box_faults(document.value[BLOCK])]
    if problems:
        raise ProblemsFound(problems)
    return build_box(document.value[BLOCK])


def build_box(raw: Json) -> AtlasBox:
    """The block `atlas`, known to be sound, as a model."""
    modes = tuple(_mode(mode_id, mode) for mode_id, mode in raw["modes"].items())
    return decode(AtlasBox, raw, modes=modes)


def _mode(mode_id: str, raw: Json) -> Mode:
    cash = tuple(sorted((int(players), amount) for players, amount in raw["cash"].items()))
    given: dict[str, Any] = {"players": tuple(players for players, _ in cash), "cash": cash}
    if "stacks" in raw:
        stacks: Stacks = decode(Stacks, raw["stacks"])
        given |= {
            "stacks": stacks.count,
            "homes_per_stack": stacks.homes,
            "stack_homes": stacks.dealt_as_homes,
        }
    return decode(Mode, raw, id=mode_id, **given)


def _bridging_faults(raw: Json) -> Iterator[Problem]:
    """RF03: companies that lay bridges and are nowhere at home."""
    at_home = {
        company_of(hexagon) for tile in raw["map_tiles"].values() for hexagon in tile["hexes"]
    }
    known = {*raw.get("homeless", ()), *at_home}
    for index, company in enumerate(raw.get("bridging", ())):
        if company not in known:
            at = join_pointer(BLOCK, "bridging", index)
            yield Problem(
                code="RF03", pointer=at, message=f'no company "{company}" is at home on a map tile'
            )


def _deal_faults(raw: Json, mode: Json, base: tuple[str, ...]) -> Iterator[Problem]:
    """SC04: stacks that do not take all the tiles that are dealt among those with homes."""
    stacks, removed = mode["stacks"], mode.get("removed", {})
    also = {str(number) for number in stacks.get("dealt_as_homes", ())}
    homes = sum(
        max(0, tile.get("copies", 1) - removed.get(number, 0))
        for number, tile in raw["map_tiles"].items()
        if number in also or any(ground_of(hexagon) is Ground.HOME for hexagon in tile["hexes"])
    )
    dealt = stacks["count"] * stacks["homes"]
    if dealt != homes:
        message = (
            f"{stacks['count']} stacks of {stacks['homes']} tiles with homes are {dealt}, "
            f"but {homes} are in play, with those that are dealt as homes"
        )
        yield Problem(code="SC04", pointer=join_pointer(*base, "stacks", "homes"), message=message)


def box_faults(raw: Json) -> Iterator[Problem]:
    """Problems of a sound block `atlas` that the schema cannot find: tiles that do not exist
    (RF01), impossible track and stops (RF07, DF02), companies without a home (RF03), and counts
    that do not add up (SC04). Pointers begin with /atlas."""
    for number, tile in raw["map_tiles"].items():
        for index, hexagon in enumerate(tile["hexes"]):
            if isinstance(hexagon, dict):
                at = join_pointer(BLOCK, "map_tiles", number, "hexes", index, "tile")
                yield from topology_faults(at, hexagon["tile"])
    yield from _bridging_faults(raw)
    copies = {number: tile.get("copies", 1) for number, tile in raw["map_tiles"].items()}
    for mode_id, mode in raw["modes"].items():
        base = (BLOCK, "modes", mode_id)
        removed: dict[str, int] = mode.get("removed", {})
        for number, count in removed.items():
            at = join_pointer(*base, "removed", number)
            if number not in copies:
                yield Problem(
                    code="RF01", pointer=at, message=f"there is no map tile {number}", at_key=True
                )
            elif count > copies[number]:
                yield Problem(
                    code="SC04",
                    pointer=at,
                    message=f"{count} copies stay in the box, which has {copies[number]}",
                    at_key=True,
                )
        stacks: dict[str, Any] = mode.get("stacks", {})
        for index, extra in enumerate(stacks.get("dealt_as_homes", ())):
            if str(extra) not in copies:
                at = join_pointer(*base, "stacks", "dealt_as_homes", index)
                yield Problem(code="RF01", pointer=at, message=f"there is no map tile {extra}")
        in_play = sum(
            count - min(count, removed.get(number, 0)) for number, count in copies.items()
        )
        used = mode["map_tiles"] * stacks.get("count", 1)
        if stacks:
            yield from _deal_faults(raw, mode, base)
        if used != in_play:
            message = f"{used} map tiles are laid or dealt, but {in_play} are in play"
            yield Problem(code="SC04", pointer=join_pointer(*base, "map_tiles"), message=message)
        if mode["capital_projects"] * stacks.get("count", 1) > raw["capital_projects"]:
            message = f"the box has {raw['capital_projects']} capital projects in all"
            yield Problem(
                code="SC04", pointer=join_pointer(*base, "capital_projects"), message=message
            )
