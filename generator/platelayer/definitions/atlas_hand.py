"""Maps written down from a table in lines: `3 D4 2`, or `3 city D4 home E5 plain D6` as the guides
have it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.foundation.problems import Place, Problem, ProblemsFound
from platelayer.foundation.suggestions import suggestion
from platelayer.model.atlas import (
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    ProjectDraw,
    TileDraw,
    tile_hexes,
)
from platelayer.model.atlas_board import place_name
from platelayer.model.hexes import Coord

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
        """What lies where, of three hexes."""
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
    """How often a tile is turned by a sixth."""
    if not _TURN.fullmatch(word):
        raise _Refused(f'"{word[:20]}" is no turn; it is 0 to 5 sixths, clockwise')
    return int(word)


def fitted(tile: MapTile, hexes: Mapping[Axial, Ground]) -> tuple[Axial, int]:
    """Where hex 1 of a tile lies and how it is turned, if its hexes are these."""
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
