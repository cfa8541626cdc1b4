"""What the box allows the measures of a map to be, and conditions that no map can meet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count

from msgspec import Struct

from platelayer.atlas.conditions import TABLE, WITH, WITHOUT, Asked, Condition, Wish
from platelayer.atlas.extent import HEX_MM
from platelayer.atlas.fairness import GREEN_TRAINS, TRAINS
from platelayer.atlas.frontier import MIN_CONTACTS
from platelayer.atlas.measure_names import NONE
from platelayer.atlas.stacks import tiles_in_play
from platelayer.atlas.terrain import (
    CAPITAL_INCOME,
    DESTINATION_INCOME,
    GREEN_CAPITAL_INCOME,
    GREEN_DESTINATION_INCOME,
    Face,
    faces_of,
)
from platelayer.atlas.ways import is_land
from platelayer.model.atlas import AtlasBox, Ground, MapTile, Mode

_WHOLE_HEX_MM2 = HEX_MM**2 * math.sqrt(3) / 2
_SPREAD = ("min", "mean", "max")


class _Bound(Struct, frozen=True):
    least: float
    most: float
    why: str


def impossible(box: AtlasBox, mode: Mode, conditions: Sequence[Asked]) -> dict[int, str]:
    """Which conditions no map of a mode can meet, by number, and why: for the box, or for another
    condition."""
    reasons = {}
    for number, condition in enumerate(conditions):
        others = (earlier for earlier in conditions[:number] if _clash(condition, earlier))
        if why := _beyond(box, mode, condition) or next(
            (f"not together with {other}" for other in others), ""
        ):
            reasons[number] = why
    return reasons


def _clash(one: Asked, other: Asked) -> bool:
    """Is there no value for both, or for a least that is never more than the mean, and a mean never
    more than the greatest?"""
    if isinstance(one, Wish) or isinstance(other, Wish):
        return (
            isinstance(one, Wish)
            and isinstance(other, Wish)
            and one.company == other.company
            and {one.measure, other.measure} == {WITH, WITHOUT}
        )
    (stem, place), (other_stem, other_place) = _family(one.name), _family(other.name)
    if stem != other_stem or TABLE in (one.name, other.name):
        return False
    (least, most), (other_least, other_most) = _range(one), _range(other)
    return (place <= other_place and least > other_most) or (
        other_place <= place and other_least > most
    )


def _family(name: str) -> tuple[str, int]:
    stem, _, end = name.rpartition("_")
    return (stem, _SPREAD.index(end)) if end in _SPREAD else (name, 0)


def _range(condition: Condition) -> tuple[float, float]:
    """The least and the greatest number that meets a condition."""
    value = condition.value
    return {
        "<=": (-math.inf, value),
        "<": (-math.inf, math.nextafter(value, -math.inf)),
        ">=": (value, math.inf),
        ">": (math.nextafter(value, math.inf), math.inf),
        "=": (value, value),
        "!=": (-math.inf, math.inf),
    }[condition.operator]


def _never_met(box: AtlasBox, mode: Mode, wish: Wish) -> str:
    """Why no map of a mode can meet a wish; "" where one may."""
    at_home = {
        hexagon.company
        for piece in tiles_in_play(box, mode)
        for hexagon in piece.tile.hexes
        if hexagon.company
    }
    homeless = set(box.homeless) - set(mode.absent)
    if wish.measure == WITH and wish.company not in at_home | homeless:
        return f"{wish.said} does not play in mode {mode.id}"
    if wish.measure == WITHOUT and not mode.stacks and wish.company in at_home | homeless:
        return f"{wish.said} always plays in mode {mode.id}"
    if wish.measure not in (WITH, WITHOUT) and wish.company in homeless:
        return f"{wish.said} has no home on a map tile"
    return ""


def _beyond(box: AtlasBox, mode: Mode, condition: Asked) -> str:
    """Why the box leaves no room for a condition; "" where it does."""
    if isinstance(condition, Wish):
        return _never_met(box, mode, condition)
    area = 3 * mode.tiles_used * _WHOLE_HEX_MM2
    if condition.name == TABLE:
        if condition.value * condition.other >= area:
            return ""
        return (
            f"{3 * mode.tiles_used} hexes of {HEX_MM:g} mm cover {math.ceil(area / 100)} cm², "
            f"{condition.value:g} x {condition.other:g} mm are {condition.value * condition.other / 100:g} cm²"
        )
    if condition.value == NONE and condition.operator == "=":
        return ""
    bound = _bound(box, mode, condition.name)
    least, most = _range(condition)
    is_out = least > bound.most or most < bound.least
    if condition.operator == "!=":
        is_out = bound.least == bound.most == condition.value
    return bound.why if is_out else ""


def _bound(box: AtlasBox, mode: Mode, name: str) -> _Bound:
    """The least and the most that a measure can be on maps of a mode, as far as the box says, and
    why."""
    tiles, used = [piece.tile for piece in tiles_in_play(box, mode)], mode.tiles_used
    hexes, faces = 3 * used, [face for tile in tiles for face in faces_of(tile, 0)]
    side = math.sqrt(hexes * _WHOLE_HEX_MM2)
    dealt = sorted(
        sum(hexagon.ground is Ground.HOME for hexagon in tile.hexes)
        for tile in tiles
        if mode.deals_as_home(tile)
    )
    drawn = mode.homes_per_stack if mode.stacks else len(dealt)
    fewest, homes = sum(dealt[:drawn]), sum(dealt[len(dealt) - drawn :])
    of_homes = (
        f"mode {mode.id} has {f'at most {homes}' if fewest < homes else homes} homes on the map"
    )
    blanks, land = 4 * homes, min(hexes, sum(map(is_land, faces)))
    exits = sum(len(face.exits) for face in faces)
    across, rim = 2 * used - 1, 2 * math.ceil(math.sqrt(12 * hexes - 3))
    destinations = sum(_has(tile, Ground.DESTINATION) for tile in tiles)
    income, cost = _best_stops(box, mode, len(faces), green=False), sum(face.cost for face in faces)
    narrow = next(steps for steps in count() if _most_hexes(steps) >= hexes)
    of_land = (
        f"mode {mode.id} has at most {land} hexes of land, and {blanks} blanks beside its homes"
    )
    known = {
        "hexes": _Bound(hexes, hexes, f"the {used} map tiles of mode {mode.id} have {hexes} hexes"),
        "blanks": _Bound(0, blanks, f"{of_homes}, each with at most 4 places beside its tile"),
        "homes": _Bound(fewest, homes, of_homes),
        "home_pairs": _Bound(0, homes * (homes - 1) // 2, of_homes),
        "fairness": _Bound(0, 100, "fairness is from 0 to 100"),
        "table_long": _Bound(
            side, math.inf, f"{hexes} hexes of {HEX_MM:g} mm cover a square of {side:.0f} mm"
        ),
        "diameter": _Bound(
            narrow, across, f"{used} tiles that touch are {narrow} to {across} steps across"
        ),
        "home_distance": _Bound(
            0, across, f"{used} tiles that touch are at most {across} steps across"
        ),
        "perimeter": _Bound(
            rim,
            6 * used + 6,
            f"{used} tiles that touch along {MIN_CONTACTS} edges have {rim} to {6 * used + 6} at the rim",
        ),
        "homes_": _Bound(0, homes, of_homes),
        "stranded_": _Bound(0, homes, of_homes),
        "rivals": _Bound(0, max(0, homes - 1), of_homes),
        "destinations": _Bound(
            0, destinations, f"mode {mode.id} has at most {destinations} destinations"
        ),
        "dead_exits": _Bound(0, exits, f"the tiles of mode {mode.id} have {exits} exits"),
        "income": _Bound(0, income, f"all stops of mode {mode.id} pay at most {income} together"),
        "mountain_cost": _Bound(
            0, 2 * cost, f"two ways over all mountains of mode {mode.id} cost {2 * cost}"
        ),
        "capital_cost": _Bound(0, cost, f"all mountains of mode {mode.id} cost {cost}"),
        "destination_cost": _Bound(0, cost, f"all mountains of mode {mode.id} cost {cost}"),
        "land_parts": _Bound(min(1, fewest), land + blanks, f"a home is land; {of_land}"),
        **{
            measure: _Bound(0, land + blanks, of_land)
            for measure in ("land_largest", "dead_land", "home_land")
        },
        **{
            measure: _Bound(0, land + blanks, of_land)
            for measure in ("capital_way", "destination_way")
        },
    }
    for number in TRAINS:
        most = _best_stops(box, mode, number, green=number in GREEN_TRAINS)
        known[f"train_{number}"] = _Bound(
            0, most, f"the {number} best stops of mode {mode.id} pay {most} together"
        )
    fits = [start for start in known if name.startswith(start)]
    return (
        known[max(fits, key=len)] if fits else _Bound(0, math.inf, f"{name} is never less than 0")
    )


def _has(tile: MapTile, ground: Ground) -> bool:
    return any(hexagon.ground is ground for hexagon in tile.hexes)


def _most_hexes(steps: int) -> int:
    """The most hexes of which no two are farther apart: those of a hexagon as wide as that along
    each of the axes."""
    half, odd = divmod(steps, 2)
    return 3 * (half + 1) ** 2 if odd else 3 * half * (half + 1) + 1


def _best_stops(box: AtlasBox, mode: Mode, number: int, *, green: bool) -> int:
    """What the stops that pay most pay together, as many as this."""
    stops = [GREEN_CAPITAL_INCOME if green else CAPITAL_INCOME] * mode.capital_projects
    for piece in tiles_in_play(box, mode):
        faces: Iterable[Face] = faces_of(piece.tile, 0)
        stops += [face.green if green else face.income for face in faces]
        if _has(piece.tile, Ground.DESTINATION):
            stops.append(GREEN_DESTINATION_INCOME if green else DESTINATION_INCOME)
    return sum(sorted(stops)[-number:])
