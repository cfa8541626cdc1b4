"""Files of maps: atlas.json, and the lines of a map listed at a table, either `3 D4 2` or, as the
guides print it, `3 city D4 home E5 plain D6`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import asdict

from platelayer.definitions.decode import decode
from platelayer.definitions.source import read_checked, read_text
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Locator, Place, Problem, ProblemsFound
from platelayer.foundation.suggestions import suggestion
from platelayer.model.hexes import Coord
from platelayer.model.map_tiles import (
    HAND,
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    ProjectDraw,
    TileDraw,
    axial_name,
    place_name,
    tile_hexes,
)

FORMAT = "platelayer.atlas/1"
MOST_LINES = 1000
_COORDINATES = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})", re.IGNORECASE)
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_SEPARATORS = re.compile(r"[\s,;:·]+")
_GROUNDS = {ground.value: ground for ground in Ground}
_HINT = (
    'lines are "mode micro2", "3 D4 2", "3 city D4 home E5 plain D6", "capital D4" and "blank E7"'
)
_json = partial(json.dumps, ensure_ascii=False, allow_nan=False)


class LoadedLog(NamedTuple):
    """Log with the locations of its parts in the file (`place("/draws/4")`), the names of its hexes
    in messages, and whether the file lists blanks."""

    log: AtlasLog
    place: Locator
    name: Callable[[Axial], str] = axial_name
    lists_blanks: bool = True


class _Lines(NamedTuple):
    """Locator of a file in lines: the line of each part, by pointer."""

    file: str
    lines: Mapping[str, int]

    def __call__(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - a line has no keys
        line = self.lines.get(pointer, 0)
        return Place(self.file, pointer, line, min(line, 1))


def place_in(file: str) -> Locator:
    """Return the locator of a map whose parts have no lines."""
    return _Lines(file, {})


class _Unreadable(Exception):
    """Raised for a line with a syntax error, or a tile that cannot lie as listed."""

    def __init__(self, message: str, *, code: str = "AT21", hint: str = _HINT) -> None:
        super().__init__(message)
        self.code, self.hint = code, hint


def load_map(path: Path, box: AtlasBox, mode: str = "") -> LoadedLog:
    """Read a log (atlas.json), or a map in lines, of this mode if they name none. Raises
    ProblemsFound as `load_log` and `read_hand` do."""
    text = read_text(path, str(path))
    return load_log(path) if text.lstrip().startswith("{") else read_hand(text, path, box, mode)


def read_hand(text: str, path: Path, box: AtlasBox, mode: str = "") -> LoadedLog:
    """Read a map in lines, of this mode if they name none.

    Places are printed coordinates, letters for columns; A1 may be anywhere. Copies of tiles are
    numbered as they come. Raises ProblemsFound with every line that cannot be read (AT21) or names
    hexes that the tile does not have (AT22).
    """
    reader, problems = _Reader(box, mode), []
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word for word in _SEPARATORS.split(line.partition("#")[0]) if word]
        if words and words[0].lower() == "tile":
            del words[0]
        if not words:
            continue
        try:
            if number > MOST_LINES:
                raise _Unreadable(f"there are more than {MOST_LINES} lines")
            reader.read(number, words[0].lower(), words[1:])
        except _Unreadable as error:
            problem = Problem(error.code, str(error), error.hint)
            problems.append(problem.at(Place(str(path), "", number, 1)))
    if not reader.mode and not problems:
        hint = f'write it in a line: "mode {next(iter(box.mode_by_id))}", or give it with --mode'
        message = "the mode of play is missing"
        problems.append(Problem("AT21", message, hint, file=str(path)))
    if problems:
        raise ProblemsFound(problems)
    log = AtlasLog(
        mode=reader.mode,
        seed=None,
        policy=HAND,
        algorithm=HAND,
        draws=tuple(reader.draws),
        blanks=tuple(reader.blanks),
    )
    name = partial(place_name, origin=Coord(0, int(bool(reader.odd))))
    return LoadedLog(log, _Lines(str(path), reader.lines), name, bool(log.blanks))


class _Reader:
    """Map read so far, and the line of each part by pointer."""

    def __init__(self, box: AtlasBox, mode: str) -> None:
        self.box, self.mode = box, mode
        self.draws: list[Draw] = []
        self.blanks: list[Axial] = []
        self.lines: dict[str, int] = {}
        self.copies: Counter[int] = Counter()
        self.odd: bool | None = None

    def read(self, line: int, first: str, rest: list[str]) -> None:
        """Read one line. Raises _Unreadable."""
        order = len(self.draws) + 1
        if first == "mode":
            self.mode = _single(rest, "a mode")
            self.lines["/mode"] = line
        elif first == "blank":
            for place in rest or [_single(rest, "a place")]:
                self.lines[f"/blanks/{len(self.blanks)}"] = line
                self.blanks.append(self.at(place))
        elif first == "capital":
            at = self.at(_single(rest, "a place"))
            number = 1 + sum(isinstance(draw, ProjectDraw) for draw in self.draws)
            self.lines[f"/draws/{len(self.draws)}"] = line
            self.draws.append(ProjectDraw(order, capital_project=number, overlay_at=at))
        elif _NUMBER.fullmatch(first):
            tile = self.box.tile_by_number.get(int(first))
            if tile is None:
                raise _Unreadable(f"there is no map tile {first} in the box")
            at, rotation = self.placement(tile, rest)
            self.copies[tile.number] += 1
            copy = self.copies[tile.number]
            self.lines[f"/draws/{len(self.draws)}"] = line
            self.draws.append(
                TileDraw(
                    draw=order,
                    tile=tile.number,
                    copy=copy,
                    at=at,
                    rotation=rotation,
                    alternatives=0,
                )
            )
        else:
            hint = suggestion(first, ("mode", "capital", "blank")) or _HINT
            raise _Unreadable(f'"{first[:20]}" begins no line', hint=hint)

    def placement(self, tile: MapTile, words: list[str]) -> tuple[Axial, int]:
        """Position of hex 1 and rotation, given as such or by the three hexes of a tile."""
        if len(words) == 2:
            at = self.at(words[0])
            if words[1] not in set("012345"):
                raise _Unreadable(f'"{words[1][:20]}" is no turn; it is 0 to 5 sixths, clockwise')
            return at, int(words[1])
        if len(words) != 6:
            raise _Unreadable("a tile has a place and a turn, or three hexes, each with its place")
        hexes = {}
        for word, place in zip(words[::2], words[1::2], strict=True):
            if word.lower() not in _GROUNDS:
                raise _Unreadable(f'"{word[:20]}" is no hex; hexes are {", ".join(_GROUNDS)}')
            hexes[self.at(place)] = _GROUNDS[word.lower()]
        # Three hexes can be listed in any order, so each may be hex 1.
        grounds = [hexagon.ground for hexagon in tile.hexes]
        for at in hexes:
            for rotation in range(6):
                if dict(zip(tile_hexes(at, rotation), grounds, strict=True)) == hexes:
                    return at, rotation
        shows = ", ".join(ground.value for ground in grounds)
        raise _Unreadable(
            f"tile {tile.number} cannot lie so: clockwise it shows {shows}, on three places round a corner",
            code="AT22",
            hint="rotate it, or check the number; a tile is never flipped",
        )

    def at(self, word: str) -> Axial:
        """Parse printed coordinates. On flat-topped hexes, columns have odd and even rows in turn;
        the first coordinates read decide which have the odd ones."""
        if (parts := _COORDINATES.fullmatch(word)) is None:
            raise _Unreadable(f'"{word[:20]}" is no place such as D4')
        x = 0
        for letter in parts[1].upper():
            x = 26 * x + ord(letter) - 64
        x, y = x - 1, int(parts[2]) - 1
        odd = bool((x + y) % 2)
        if self.odd is None:
            self.odd = odd
        if odd is not self.odd:
            raise _Unreadable(
                f"{word} lies between two hexes: in every second column the rows are odd, in the others even"
            )
        return Axial(x, (y + odd - x) // 2)


def _single(words: list[str], expected: str) -> str:
    if len(words) != 1:
        raise _Unreadable(f"{expected} is expected here, and nothing else")
    return words[0]


def load_log(path: Path) -> LoadedLog:
    """Read a log that follows the schema "atlas"; the map need not be legal. Raises ProblemsFound
    with every problem: FI, JS and SC codes."""
    document = read_checked(path, "atlas")
    raw = document.value
    problems = []
    for index, draw in enumerate(raw["draws"]):
        # The schema leaves open which of the two keys there is.
        if "capital_project" in draw and ("overlay_at" in draw) == ("deferred" in draw):
            if "deferred" in draw:
                message = 'a capital project has either "overlay_at" or "deferred", not both'
                problem = Problem("SC04", message)
            else:
                hint = 'or, when no city could take it: "deferred": true'
                message = 'the key "overlay_at" is missing'
                problem = Problem("SC03", message, hint)
            problems.append(problem.at(document.place(join_pointer("draws", index))))
    if problems:
        raise ProblemsFound(problems)
    # A tile without a copy is the first copy that no other draw names.
    named = {(draw["tile"], draw["copy"]) for draw in raw["draws"] if "copy" in draw}
    draws: list[Draw] = []
    for draw in raw["draws"]:
        if "capital_project" in draw:
            at = Axial(*draw["overlay_at"]) if "overlay_at" in draw else None
            number = draw["capital_project"]
            draws.append(ProjectDraw(draw["draw"], capital_project=number, overlay_at=at))
            continue
        tile, copy = draw["tile"], draw.get("copy")
        if copy is None:
            copy = next(copy for copy in count(1) if (tile, copy) not in named)
            named.add((tile, copy))
        draws.append(
            TileDraw(
                draw=draw["draw"],
                tile=tile,
                copy=copy,
                at=Axial(*draw["at"]),
                rotation=draw["rotation"],
                alternatives=draw.get("alternatives", 0),
            )
        )
    log = decode(
        AtlasLog,
        {"seed": None, "policy": HAND, "algorithm": HAND, **raw},
        draws=tuple(draws),
        blanks=tuple(Axial(*place) for place in raw.get("blanks", ())),
        metrics=tuple(raw.get("metrics", {}).items()),
    )
    lists_blanks = "blanks" in raw or log.algorithm != HAND
    return LoadedLog(log, document.place, lists_blanks=lists_blanks)


def log_text(log: AtlasLog) -> str:
    """Text of atlas.json, with a line for each draw; equal logs give equal texts."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
        "algorithm": log.algorithm,
        "stack": log.stack,
        "blank_limit": log.blank_limit,
    }
    absent = {key for key in ("stack", "blank_limit") if head[key] is None}
    draws = []
    for draw in log.draws:
        if isinstance(draw, TileDraw):
            value = asdict(draw)
        else:
            value = {"draw": draw.draw, "capital_project": draw.capital_project}
            if draw.overlay_at is None:
                value["deferred"] = True
            else:
                value["overlay_at"] = draw.overlay_at
        draws.append(_json(value))
    rows = ",\n  ".join(draws)
    lines = f"[\n  {rows}\n ]" if rows else "[]"
    parts = [f"{_json(key)}: {_json(value)}" for key, value in head.items() if key not in absent]
    parts.append(f'"draws": {lines}')
    parts.append(f'"blanks": {_json(log.blanks)}')
    parts.append(f'"restarts": {log.restarts}')
    parts.append(f'"metrics": {_json(dict(log.metrics))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"
