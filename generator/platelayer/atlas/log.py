"""Maps written down from a table in lines: `3 D4 2`, or `3 city D4 home E5 plain D6` as the guides
have it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from platelayer.definitions.decode import decode
from platelayer.definitions.source import Document, read_checked, read_text
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Locator, Place, Problem, ProblemsFound
from platelayer.foundation.suggestions import suggestion
from platelayer.model.hexes import Coord
from platelayer.model.map_tiles import (
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

BY_HAND = "hand"
"""Policy and algorithm of a map that names none: a map typed in from a table."""
MOST_LINES = 1000
_PLACE = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})", re.IGNORECASE)
_TURN = re.compile(r"[0-5]")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_APART = re.compile(r"[\s,;:·]+")
_GROUNDS = {ground.value: ground for ground in Ground}
_PLACE_AND_TURN = 2
_HINT = (
    'lines are "mode micro2", "3 D4 2", "3 city D4 home E5 plain D6", "capital D4" and "blank E7"'
)


class HandLog(NamedTuple):
    """A map from lines: its log, where each part stands, what its places are called, and whether it
    tells blanks."""

    log: AtlasLog
    place: Lines
    origin: Coord
    tells_blanks: bool

    def name(self, at: Axial) -> str:
        """The printed coordinates of a hex, as the file counts them."""
        return place_name(at, self.origin)


class Lines(NamedTuple):
    """The lines of a file on which its parts stand, by pointer."""

    file: str
    lines: Mapping[str, int]

    def __call__(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - a line has no keys
        """The place of a part, or of the whole file."""
        return Place(
            self.file, pointer, self.lines.get(pointer, 0), 1 if pointer in self.lines else 0
        )


def read_hand(text: str, path: Path, box: AtlasBox, mode: str = "") -> HandLog:
    """A map from the lines of a text; `mode` is what the user says it is, if the text does not.

    Places are printed coordinates, letters for columns; A1 may be anywhere. Copies of tiles are
    numbered as they come. Raises ProblemsFound with every line that cannot be read (AT21) or names
    hexes that the tile does not have (AT22).
    """
    reader = _Reader(str(path), box, mode)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, [word for word in _APART.split(line.partition("#")[0]) if word])
    return reader.finished()


class _Refused(Exception):
    """Raised for a line that cannot be read, or not so."""

    def __init__(self, message: str, *, code: str = "AT21", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.hint = code, hint


class _Reader:
    """The map so far."""

    def __init__(self, file: str, box: AtlasBox, mode: str) -> None:
        self.file, self.box, self.mode = file, box, mode
        self.draws: list[Draw] = []
        self.blanks: list[Axial] = []
        self.lines: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.laid: dict[int, int] = {}
        self.odd: bool | None = None

    def read(self, line: int, words: list[str]) -> None:
        """One line; what is wrong with it becomes a problem."""
        if words and words[0].lower() == "tile":
            words = words[1:]
        if not words:
            return
        first, rest = words[0].lower(), words[1:]
        kinds = {"mode": self.read_mode, "capital": self.read_capital, "blank": self.read_blanks}
        try:
            if line > MOST_LINES:
                raise _Refused(f"there are more than {MOST_LINES} lines")
            if first in kinds:
                kinds[first](line, rest)
            elif _NUMBER.fullmatch(first):
                self.read_tile(line, int(first), rest)
            else:
                raise _Refused(f'"{first[:20]}" begins no line', hint=suggestion(first, kinds))
        except _Refused as refused:
            problem = Problem(
                code=refused.code, message=str(refused), file=self.file, line=line, column=1
            )
            self.problems.append(replace(problem, hint=refused.hint or _HINT))

    def read_mode(self, line: int, words: list[str]) -> None:
        """The mode of play."""
        (self.mode,) = exactly_one(words, "a mode")
        self.lines["/mode"] = line

    def read_capital(self, line: int, words: list[str]) -> None:
        """A capital on a city."""
        (place,) = exactly_one(words, "a place")
        number = 1 + sum(isinstance(draw, ProjectDraw) for draw in self.draws)
        self.add(
            line,
            ProjectDraw(
                draw=len(self.draws) + 1, capital_project=number, overlay_at=self.at(place)
            ),
        )

    def read_blanks(self, line: int, words: list[str]) -> None:
        """Blanks on some places."""
        for place in words or exactly_one(words, "a place"):
            self.lines[f"/blanks/{len(self.blanks)}"] = line
            self.blanks.append(self.at(place))

    def read_tile(self, line: int, number: int, words: list[str]) -> None:
        """A map tile."""
        if (tile := self.box.tile_by_number.get(number)) is None:
            raise _Refused(f"there is no map tile {number} in the box")
        if len(words) == _PLACE_AND_TURN:
            at, rotation = self.at(words[0]), turn(words[1])
        else:
            at, rotation = fitted(tile, self.hexes(words))
        copy = self.laid[number] = self.laid.get(number, 0) + 1
        draw = len(self.draws) + 1
        self.add(
            line,
            TileDraw(draw=draw, tile=number, copy=copy, at=at, rotation=rotation, alternatives=0),
        )

    def add(self, line: int, draw: Draw) -> None:
        """A piece that lies on the table."""
        self.lines[f"/draws/{len(self.draws)}"] = line
        self.draws.append(draw)

    def at(self, word: str) -> Axial:
        """A place by its printed coordinates. The first that is read decides which rows the columns
        have."""
        if (parts := _PLACE.fullmatch(word)) is None:
            raise _Refused(f'"{word[:20]}" is no place such as D4')
        x = 0
        for letter in parts[1].upper():
            x = 26 * x + ord(letter) - 64
        x, y = x - 1, int(parts[2]) - 1
        odd = bool((x + y) % 2)
        if self.odd is None:
            self.odd = odd
        if odd is not self.odd:
            raise _Refused(
                f"{word} lies between two hexes: in every second column the rows are odd, in the others even"
            )
        return Axial(x, (y + odd - x) // 2)

    def hexes(self, words: list[str]) -> dict[Axial, Ground]:
        """Grounds and places of three hexes."""
        if len(words) != 6:
            raise _Refused("a tile has a place and a turn, or three hexes, each with its place")
        hexes: dict[Axial, Ground] = {}
        for word, place in zip(words[::2], words[1::2], strict=True):
            if word.lower() not in _GROUNDS:
                raise _Refused(f'"{word[:20]}" is no hex; hexes are {", ".join(_GROUNDS)}')
            hexes[self.at(place)] = _GROUNDS[word.lower()]
        return hexes

    def finished(self) -> HandLog:
        """The whole map."""
        if not self.mode and not self.problems:
            message = "the mode of play is missing"
            hint = f'write it in a line: "mode {next(iter(self.box.mode_by_id))}", or give it with --mode'
            self.problems.append(Problem(code="AT21", message=message, file=self.file, hint=hint))
        if self.problems:
            raise ProblemsFound(self.problems)
        log = AtlasLog(
            mode=self.mode,
            seed=None,
            policy=BY_HAND,
            algorithm=BY_HAND,
            draws=tuple(self.draws),
            blanks=tuple(self.blanks),
        )
        return HandLog(
            log, Lines(self.file, self.lines), Coord(0, int(bool(self.odd))), bool(self.blanks)
        )


def exactly_one(words: list[str], what: str) -> list[str]:
    """The words, if there is one."""
    if len(words) != 1:
        raise _Refused(f"{what} is wanted here, and nothing else")
    return words


def turn(word: str) -> int:
    """Number of sixths by which a tile is turned."""
    if not _TURN.fullmatch(word):
        raise _Refused(f'"{word[:20]}" is no turn; it is 0 to 5 sixths, clockwise')
    return int(word)


def fitted(tile: MapTile, hexes: Mapping[Axial, Ground]) -> tuple[Axial, int]:
    """Place of hex 1 of a tile and its rotation, if its hexes are these."""
    for at in hexes:
        for rotation in range(6):
            places = tile_hexes(at, rotation)
            if set(places) == set(hexes) and all(
                hexagon.ground is hexes[place]
                for place, hexagon in zip(places, tile.hexes, strict=True)
            ):
                return at, rotation
    shows = ", ".join(hexagon.ground.value for hexagon in tile.hexes)
    raise _Refused(
        f"tile {tile.number} cannot lie so: clockwise it shows {shows}, on three places round a corner",
        code="AT22",
        hint="turn it or look at the number again; a tile is never flipped",
    )


# The file atlas.json.


FORMAT = "platelayer.atlas/1"


class LoadedLog(NamedTuple):
    """A log, where each part of it stands in its file (`place("/draws/4")`), what its places are
    called, and whether the file tells blanks."""

    log: AtlasLog
    place: Locator
    name: Callable[[Axial], str] = axial_name
    tells_blanks: bool = True


def load_map(path: Path, box: AtlasBox, mode: str = "") -> LoadedLog:
    """A map from a log (atlas.json), or from lines typed in by hand (see `atlas_hand`), for which
    `mode` is the mode if they name none. Raises ProblemsFound as these do."""
    text = read_text(path, str(path))
    if text.lstrip().startswith("{"):
        return load_log(path)
    hand = read_hand(text, path, box, mode)
    return LoadedLog(hand.log, hand.place, hand.name, hand.tells_blanks)


def load_log(path: Path, file: str | None = None) -> LoadedLog:
    """A log from a file that follows the schema "atlas". `file` is its name in problems, by default
    `path`.

    It is not checked here whether the map is legal. Raises ProblemsFound with every problem: FI, JS
    and SC codes.
    """
    document = read_checked(path, "atlas", file)
    problems = tuple(_problems(document))
    if problems:
        raise ProblemsFound(problems)
    raw = document.value
    tells_blanks = "blanks" in raw or raw.get("algorithm", BY_HAND) != BY_HAND
    return LoadedLog(_build(raw), document.place, tells_blanks=tells_blanks)


def log_text(log: AtlasLog) -> str:
    """A log as the text of atlas.json: a line for each draw; the same log always gives the same
    text."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "mode": log.mode,
        "seed": log.seed,
        "policy": log.policy,
    }
    head["algorithm"] = log.algorithm
    if log.stack is not None:
        head["stack"] = log.stack
    if log.blank_limit is not None:
        head["blank_limit"] = log.blank_limit
    parts = [f"{_json(key)}: {_json(value)}" for key, value in head.items()]
    parts.append(f'"draws": {_lines([_draw_json(draw) for draw in log.draws])}')
    parts.append(f'"blanks": {_json(log.blanks)}')
    parts.append(f'"restarts": {log.restarts}')
    parts.append(f'"metrics": {_json(dict(log.metrics))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    return "[\n  " + ",\n  ".join(map(_json, rows)) + "\n ]" if rows else "[]"


def _draw_json(draw: Draw) -> dict[str, Any]:
    if isinstance(draw, TileDraw):
        return {
            "draw": draw.draw,
            "tile": draw.tile,
            "copy": draw.copy,
            "at": draw.at,
            "rotation": draw.rotation,
            "alternatives": draw.alternatives,
        }
    where = {"deferred": True} if draw.overlay_at is None else {"overlay_at": draw.overlay_at}
    return {"draw": draw.draw, "capital_project": draw.capital_project, **where}


def _problems(document: Document) -> Iterator[Problem]:
    """Check that the schema does not make: a capital project was either laid or deferred."""
    for index, raw in enumerate(document.value["draws"]):
        if "capital_project" not in raw or ("overlay_at" in raw) != ("deferred" in raw):
            continue
        both = "overlay_at" in raw
        place = document.place(join_pointer("draws", index))
        message = (
            'a capital project has either "overlay_at" or "deferred", not both'
            if both
            else 'the key "overlay_at" is missing'
        )
        hint = "" if both else 'or, when no city could take it: "deferred": true'
        yield Problem(code="SC04" if both else "SC03", message=message, hint=hint).at(place)


def _build(raw: dict[str, Any]) -> AtlasLog:
    return decode(
        AtlasLog,
        {"seed": None, "policy": BY_HAND, "algorithm": BY_HAND, **raw},
        draws=_draws(raw["draws"]),
        blanks=tuple(Axial(*place) for place in raw.get("blanks", ())),
        metrics=tuple(raw.get("metrics", {}).items()),
    )


def _draws(raw: Sequence[dict[str, Any]]) -> tuple[Draw, ...]:
    """The draws; a tile without a copy is the first that no other draw names."""
    named = {(draw["tile"], draw["copy"]) for draw in raw if "copy" in draw}
    draws: list[Draw] = []
    for draw in raw:
        copy = draw.get("copy", 0)
        if "tile" in draw and not copy:
            copy = next(number for number in count(1) if (draw["tile"], number) not in named)
            named.add((draw["tile"], copy))
        draws.append(_draw(draw, copy))
    return tuple(draws)


def _draw(raw: dict[str, Any], copy: int) -> Draw:
    if "capital_project" in raw:
        place = raw.get("overlay_at")
        overlay_at = None if place is None else Axial(*place)
        return ProjectDraw(
            draw=raw["draw"], capital_project=raw["capital_project"], overlay_at=overlay_at
        )
    return TileDraw(
        draw=raw["draw"],
        tile=raw["tile"],
        copy=copy,
        at=Axial(*raw["at"]),
        rotation=raw["rotation"],
        alternatives=raw.get("alternatives", 0),
    )
