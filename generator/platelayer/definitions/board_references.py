"""References on boards: tiles, hexes, coordinates, icons, and what lies on a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from platelayer.definitions.atlas_box import box_faults, company_of
from platelayer.definitions.build_board import build_scheme
from platelayer.definitions.catalogue import catalogue_definitions
from platelayer.definitions.landscape import landscape_faults
from platelayer.definitions.names import Checks, Json, Names, unknown
from platelayer.definitions.topology import topology_faults
from platelayer.foundation.languages import FixedWords
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.hexes import beside

board_words = FixedWords("map")


def _tiles(names: Names) -> Iterator[Problem]:
    """RF01: a number of the catalogue, or a tile in place."""
    for number, entry in names.block("tiles").items():
        if number not in catalogue_definitions() and not (isinstance(entry, Mapping) and "tile" in entry):
            message = f'tile "{number}" is not in the catalogue and has no definition here'
            hint = suggestion(number, catalogue_definitions())
            hint = hint or 'give it one: {"count": 1, "tile": {"colour": "yellow", "track": [[0, 3]]}}'
            yield Problem(code="RF01", pointer=join_pointer("tiles", number), message=message, hint=hint, at_key=True)


def _other_sides(names: Names) -> Iterator[Problem]:
    """RF01 and DF02 for tiles that are the other side of another: of one that is counted, and of no two."""
    tiles = names.block("tiles")
    fronts: dict[str, str] = {}
    for number, entry in tiles.items():
        front = entry.get("back_of") if isinstance(entry, Mapping) else None
        if front is None:
            continue
        pointer = join_pointer("tiles", number, "back_of")
        other = tiles.get(front)
        if front not in tiles:
            yield unknown("RF01", pointer, "tile", front, tiles)
        elif front == number or (isinstance(other, Mapping) and "back_of" in other):
            message = f'tile "{front}" has no count: it is itself the other side of a tile'
            yield Problem(code="DF02", pointer=pointer, message=message, hint="count one of the two")
        elif "count" in entry or "printed" in entry:
            message = f'tile "{number}" is counted twice: it is the other side of "{front}"'
            yield Problem(code="DF02", pointer=pointer, message=message, hint=f'leave out its count: "{front}" has it')
        elif front in fronts:
            message = f'"{fronts[front]}" and "{number}" cannot both be the other side of "{front}"'
            yield Problem(code="DF02", pointer=pointer, message=message, hint="a tile has two sides")
        fronts.setdefault(front, number)


def _own_tiles(names: Names) -> Iterator[Problem]:
    for number, entry in names.block("tiles").items():
        if isinstance(entry, Mapping) and "tile" in entry:
            yield from topology_faults(join_pointer("tiles", number, "tile"), entry["tile"])


def _hex_topology(names: Names) -> Iterator[Problem]:
    for pointer, each in _each_hex(names):
        yield from topology_faults(pointer, each)


def _each_hex(names: Names) -> Iterator[tuple[str, Json]]:
    for map_id, board in names.block("maps").items():
        for name, each in board["hexes"].items():
            yield join_pointer("maps", map_id, "hexes", name), each


def _revenue_keys(pointer: str, tile: Json, names: Names) -> Iterator[Problem]:
    for index, stop in enumerate(tile.get("stops", ())):
        revenue = stop.get("revenue")
        for key in revenue if isinstance(revenue, Mapping) else ():
            if key not in names.revenue_keys:
                at = f"{pointer}/stops/{index}/revenue" + join_pointer(key)
                yield unknown("RF04", at, "tile colour or phase", key, sorted(names.revenue_keys), key=True)


def _hex_revenue(names: Names) -> Iterator[Problem]:
    for pointer, each in _each_hex(names):
        yield from _revenue_keys(pointer, each, names)


def _tile_revenue(names: Names) -> Iterator[Problem]:
    for number, entry in names.block("tiles").items():
        if isinstance(entry, Mapping) and "tile" in entry:
            yield from _revenue_keys(join_pointer("tiles", number, "tile"), entry["tile"], names)


def _coordinates(names: Names) -> Iterator[Problem]:
    """RF06: coordinates between the hexes of their map, or not written as the map prints them."""
    for map_id, board in names.block("maps").items():
        scheme = build_scheme(board["coordinates"])
        places = {name: scheme.parse(name) for name in board["hexes"]}
        parities = Counter((at.x + at.y) % 2 for at in places.values() if at is not None)
        usual = 1 if parities[1] > parities[0] else 0
        taken = {at: name for name, at in places.items() if at is not None}
        for name, at in places.items():
            pointer = join_pointer("maps", map_id, "hexes", name)
            apart = board["hexes"][name].get("apart", False)
            if at is None:
                yield Problem(
                    code="RF06",
                    pointer=pointer,
                    message=f'"{name}" is not a coordinate such as "D4"',
                    at_key=True,
                )
            elif apart and (at.x + at.y) % 2 == usual:
                message = f'"{name}" lies on the grid of the other hexes'
                yield Problem(code="RF06", pointer=f"{pointer}/apart", message=message, hint='leave out "apart"')
            elif apart and (covered := [taken[near] for near in beside(at) if near in taken]):
                message = f'"{name}" covers part of {covered[0]}'
                yield Problem(
                    code="RF06", pointer=pointer, message=message, hint="move it away by one or two", at_key=True
                )
            elif (at.x + at.y) % 2 != usual and not apart:
                message = f'"{name}" lies between the other hexes: in doubled coordinates x + y is odd where it should'
                message = message + " be even" if usual == 0 else message.replace("odd", "even") + " be odd"
                yield Problem(
                    code="RF06",
                    pointer=pointer,
                    message=message,
                    hint='change its number by one; or, if it is a box beside the board, add "apart": true',
                    at_key=True,
                )
            elif scheme.name(at) != name:
                yield Problem(
                    code="RF06",
                    pointer=pointer,
                    message=f'"{name}" must be written as "{scheme.name(at)}"',
                    at_key=True,
                )


def _boards(names: Names) -> Iterator[Problem]:
    """RF21: boards on the sheet of a map that the title does not have."""
    wanted = {
        "round-track": ("rounds", names.block("pieces").get("rounds")),
        "market": ("market", names.block("market")),
        "seats": ("players", names.block("players")),
    }
    for map_id, board in names.block("maps").items():
        for index, name in enumerate(board.get("boards", ())):
            needs, there = wanted[name]
            if not there:
                yield Problem(
                    code="RF21",
                    pointer=join_pointer("maps", map_id, "boards", index),
                    message=f'there is no {name} for the sheet of the map: the title has no "{needs}"',
                    hint=f'add "{needs}", or leave it out of boards',
                )


def _reserved(names: Names) -> Iterator[Problem]:
    companies = names.block("companies")
    for pointer, each in _each_hex(names):
        for index, company in enumerate(each.get("reserved", ())):
            if company not in companies:
                yield unknown("RF03", f"{pointer}/reserved/{index}", "company", company, companies)


def _border_phases(names: Names) -> Iterator[Problem]:
    phases = names.block("phases")
    for pointer, each in _each_hex(names):
        for index, border in enumerate(each.get("borders", ())):
            for key in ("since", "until"):
                if key in border and border[key] not in phases:
                    yield unknown("RF04", f"{pointer}/borders/{index}/{key}", "phase", border[key], phases)


def _homes(names: Names) -> Iterator[Problem]:
    """RF02 and RF07 for homes and destinations, RF02 for blocked hexes. A home is on every map that has its hex."""
    several = len(names.block("maps")) > 1
    for pointer, company in names.all_companies():
        places = [(f"{pointer}/homes/{index}", home) for index, home in enumerate(company.get("homes", ()))]
        if "destination" in company:
            places.append((f"{pointer}/destination", company["destination"]))
        for at, home in places:
            if home["hex"] not in names.hexes:
                yield unknown("RF02", f"{at}/hex", "hex", home["hex"], names.hexes)
                continue
            counts = {map_id: len(each.get("stops", ())) for map_id, each in names.hexes[home["hex"]].items()}
            lacking = [map_id for map_id, count in counts.items() if home.get("stop", -1) >= count]
            if lacking:
                where = f' of map "{lacking[0]}"' if several else ""
                message = f"there is no stop {home['stop']} in {home['hex']}{where}: it has {counts[lacking[0]]}"
                yield Problem(code="RF07", pointer=f"{at}/stop", message=f"{message}, counted from 0")
        for index, blocked in enumerate(company.get("blocks", ())):
            if blocked not in names.hexes:
                yield unknown("RF02", f"{pointer}/blocks/{index}", "hex", blocked, names.hexes)


def _overlays(names: Names) -> Iterator[Problem]:
    """RF02 for overlays of hexes that no map has."""
    for overlay_id, overlay in names.block("pieces").get("overlays", {}).items():
        if overlay["hex"] not in names.hexes:
            yield unknown(
                "RF02", join_pointer("pieces", "overlays", overlay_id, "hex"), "hex", overlay["hex"], names.hexes
            )


def _zone_names(names: Names) -> Iterator[Problem]:
    """RF02 for names of zones that contain no hex of their map."""
    for map_id, board in names.block("maps").items():
        known = dict.fromkeys(each["zone"] for each in board["hexes"].values() if "zone" in each)
        for zone in board.get("zones", {}):
            if zone not in known:
                yield unknown("RF02", join_pointer("maps", map_id, "zones", zone), "zone", zone, known, key=True)


def _landscape(names: Names) -> Iterator[Problem]:
    """RF02 and RF16 to RF18 for rivers, regions and seas."""
    for map_id, board in names.block("maps").items():
        yield from landscape_faults(map_id, board)


def _chains(names: Names) -> Iterator[Problem]:
    tiles = names.block("tiles")
    for row, chain in enumerate(names.block("upgrades").get("chains", ())):
        for column, step in enumerate(chain["steps"]):
            for index, number in enumerate(step):
                if number not in tiles:
                    pointer = f"/upgrades/chains/{row}/steps/{column}/{index}"
                    yield unknown("RF01", pointer, "tile", number, tiles)


def _atlas(names: Names) -> Iterator[Problem]:
    """RF01 and SC04 for map tiles."""
    if names.block("atlas"):
        yield from box_faults(names.block("atlas"))


def _map_tile_names(names: Names) -> Iterator[Problem]:
    """RF03 and RF04 for companies and trains that map tiles and modes name."""
    box, companies = names.block("atlas"), names.block("companies")
    for number, tile in box.get("map_tiles", {}).items():
        for index, company in enumerate(map(company_of, tile["hexes"])):
            if company is not None and company not in companies:
                at = join_pointer("atlas", "map_tiles", number, "hexes", index)
                yield unknown("RF03", at, "company", company, companies)
    for index, company in enumerate(box.get("homeless", ())):
        if company not in companies:
            yield unknown("RF03", join_pointer("atlas", "homeless", index), "company", company, companies)
    for mode_id, mode in box.get("modes", {}).items():
        for train in mode["trains"]:
            if train not in names.trains:
                at = join_pointer("atlas", "modes", mode_id, "trains", train)
                yield unknown("RF04", at, "train", train, names.trains, key=True)


def _map_tile_revenue(names: Names) -> Iterator[Problem]:
    for number, tile in names.block("atlas").get("map_tiles", {}).items():
        for index, each in enumerate(tile["hexes"]):
            if isinstance(each, Mapping):
                pointer = join_pointer("atlas", "map_tiles", number, "hexes", index, "tile")
                yield from _revenue_keys(pointer, each["tile"], names)


def _icons(names: Names) -> Iterator[Problem]:
    """RF14 for icons that there are not: those of hexes and tiles are drawn as their names, in a lozenge."""
    known = (*board_words.table("icons"), *names.block("pictures"))
    for pointer, each in _each_hex(names):
        yield from _unknown_icons(f"{pointer}/icons", each.get("icons", ()), known)
    for number, entry in names.block("tiles").items():
        if isinstance(entry, Mapping) and "tile" in entry:
            yield from _unknown_icons(
                join_pointer("tiles", number, "tile", "icons"), entry["tile"].get("icons", ()), known
            )


def _unknown_icons(pointer: str, icons: Sequence[Any], known: Sequence[str]) -> Iterator[Problem]:
    for index, icon in enumerate(icons):
        given: Json = {"name": icon} if isinstance(icon, str) else icon
        if "text" not in given and given["name"] not in known:
            at = f"{pointer}/{index}" if isinstance(icon, str) else f"{pointer}/{index}/name"
            hint = suggestion(given["name"], known) or 'draw it as an SVG file and name it in "pictures"'
            message = f'there is no icon or picture "{given["name"]}"; known: {listed(known, most=40)}'
            yield Problem(code="RF14", severity=Severity.WARNING, pointer=at, message=message, hint=hint)


BOARD_CHECKS: Checks = (
    (("tiles",), _tiles),
    (("tiles",), _own_tiles),
    (("tiles",), _other_sides),
    (("tiles", "phases"), _tile_revenue),
    (("maps",), _coordinates),
    (("maps", "pieces", "market", "players"), _boards),
    (("maps",), _hex_topology),
    (("maps", "phases"), _hex_revenue),
    (("maps", "phases"), _border_phases),
    (("maps", "companies"), _reserved),
    (("maps", "companies", "privates"), _homes),
    (("maps", "pieces"), _overlays),
    (("maps",), _zone_names),
    (("maps",), _landscape),
    (("tiles", "upgrades"), _chains),
    (("maps", "tiles", "pictures"), _icons),
    (("atlas",), _atlas),
    (("atlas", "companies", "trains"), _map_tile_names),
    (("atlas", "phases"), _map_tile_revenue),
)
