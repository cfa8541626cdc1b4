"""The box of map tiles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from platelayer.definitions.decode import Json, decode
from platelayer.definitions.source import read_checked
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Problems, ProblemsFound
from platelayer.foundation.resources import title_path
from platelayer.foundation.suggestions import numbered
from platelayer.model.map_tiles import AtlasBox, Ground, Mode, Stacks, company_of, ground_of

# Impossible stops and track of tiles and hexes.


def topology_faults(pointer: str, tile: Mapping[str, Any]) -> Problems:
    """RF07: track that leads to a stop that does not exist; DF02: attributes that a stop or segment
    cannot have."""
    stops = tile.get("stops", ())
    for index, segment in enumerate(tile.get("track", ())):
        at = f"{pointer}/track/{index}"
        for side, end in enumerate(segment[:2]):
            if isinstance(end, str) and end.startswith("stop:") and int(end[5:]) >= len(stops):
                has = numbered("stop", len(stops))
                message = f'"{end}" does not exist: this hex or tile has {has}'
                yield Problem("RF07", message, pointer=f"{at}/{side}")
        if segment[0] == segment[1]:
            message = "a segment of track joins two different ends"
            yield Problem("DF02", message, pointer=at)
        lanes = segment[2].get("lanes", ()) if len(segment) > 2 else ()
        for side, (width, lane) in enumerate(lanes):
            if lane >= width:
                message = f"there is no lane {lane} among {width}; lanes are counted from 0"
                yield Problem("DF02", message, pointer=f"{at}/2/lanes/{side}")
    for index, stop in enumerate(stops):
        kind = stop["kind"]
        # Attributes that only some kinds of stop have.
        wrong = []
        if kind in ("town", "halt", "offboard") and stop.get("slots"):
            wrong.append(
                ("slots", f"a stop of kind {kind} has no station slots", "leave slots out")
            )
        if stop.get("boom") and kind not in ("town", "city"):
            wrong.append(("boom", "only a town or a city is a boomtown", "leave boom out"))
        if "symbol" in stop and kind != "halt":
            wrong.append(("symbol", "only a halt has a symbol", "use an icon with a text"))
        if "size" in stop and kind != "pass":
            wrong.append(("size", "only a pass has a size", "leave size out"))
        for key, message, hint in wrong:
            at = f"{pointer}/stops/{index}/{key}"
            yield Problem("DF02", message, hint, pointer=at)


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
    modes = []
    for mode_id, mode in raw["modes"].items():
        cash = tuple(sorted((int(players), amount) for players, amount in mode["cash"].items()))
        given: dict[str, Any] = {"players": tuple(players for players, _ in cash), "cash": cash}
        if "stacks" in mode:
            stacks = decode(Stacks, mode["stacks"])
            given |= {
                "stacks": stacks.count,
                "homes_per_stack": stacks.homes,
                "stack_homes": stacks.dealt_as_homes,
            }
        modes.append(decode(Mode, mode, id=mode_id, **given))
    return decode(AtlasBox, raw, modes=tuple(modes))


def box_faults(raw: Json) -> Problems:
    """Problems of a sound block `atlas` that the schema cannot find: tiles that do not exist
    (RF01), impossible track and stops (RF07, DF02), companies without a home (RF03), and counts
    that do not add up (SC04). Pointers begin with /atlas."""
    tiles = raw["map_tiles"]
    for number, tile in tiles.items():
        for index, hexagon in enumerate(tile["hexes"]):
            if isinstance(hexagon, dict):
                at = join_pointer(BLOCK, "map_tiles", number, "hexes", index, "tile")
                yield from topology_faults(at, hexagon["tile"])
    at_home = {company_of(hexagon) for tile in tiles.values() for hexagon in tile["hexes"]}
    known = {*raw.get("homeless", ()), *at_home}
    named = [
        (("bridging", index), company) for index, company in enumerate(raw.get("bridging", ()))
    ]
    for power in ("mountain_bonuses", "extra_stops", "suburbs"):
        named += [((power, company), company) for company in raw.get(power, ())]
    for pointer, company in named:
        if company not in known:
            message = f'no company "{company}" is at home on a map tile'
            at = join_pointer(BLOCK, *pointer)
            yield Problem("RF03", message, pointer=at, at_key=pointer[0] != "bridging")
    copies = {number: tile.get("copies", 1) for number, tile in tiles.items()}
    for mode_id, mode in raw["modes"].items():
        base = join_pointer(BLOCK, "modes", mode_id)
        removed: dict[str, int] = mode.get("removed", {})
        for number, count in removed.items():
            at = base + join_pointer("removed", number)
            if number not in copies:
                message = f"there is no map tile {number}"
                yield Problem("RF01", message, pointer=at, at_key=True)
            elif count > copies[number]:
                message = f"{count} copies stay in the box, which has {copies[number]}"
                yield Problem("SC04", message, pointer=at, at_key=True)
        left = {number: max(0, count - removed.get(number, 0)) for number, count in copies.items()}
        stacks = mode.get("stacks", {})
        also = [str(number) for number in stacks.get("dealt_as_homes", ())]
        for index, number in enumerate(also):
            if number not in copies:
                at = f"{base}/stacks/dealt_as_homes/{index}"
                message = f"there is no map tile {number}"
                yield Problem("RF01", message, pointer=at)
        if stacks:
            homes = sum(
                left[number]
                for number, tile in tiles.items()
                if number in also or Ground.HOME in map(ground_of, tile["hexes"])
            )
            dealt = stacks["count"] * stacks["homes"]
            if dealt != homes:
                message = (
                    f"{stacks['count']} stacks of {stacks['homes']} tiles with homes are {dealt}, "
                    f"but {homes} are in play, with those that are dealt as homes"
                )
                yield Problem("SC04", message, pointer=f"{base}/stacks/homes")
        in_play, used = sum(left.values()), mode["map_tiles"] * stacks.get("count", 1)
        if used != in_play:
            message = f"{used} map tiles are laid or dealt, but {in_play} are in play"
            yield Problem("SC04", message, pointer=f"{base}/map_tiles")
        if mode["capital_projects"] * stacks.get("count", 1) > raw["capital_projects"]:
            message = f"the box has {raw['capital_projects']} capital projects in all"
            yield Problem("SC04", message, pointer=f"{base}/capital_projects")
