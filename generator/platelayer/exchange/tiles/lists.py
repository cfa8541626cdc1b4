"""Text files of tile strings, and single strings.

A line is a tile: its number and colour, where it has them, its tile string, and a count in
brackets. What follows `#` is a comment:

    # number colour string (count)
    X1 yellow city=revenue:20;path=a:0,b:_0;path=a:2,b:_0 (2)
    city=revenue:40;path=a:0,b:_0
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from platelayer.exchange.imported.title import Imported, complete
from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.names import safe_id, unused
from platelayer.exchange.tiles.colours import TILE_COLOURS, tile_colour
from platelayer.exchange.tiles.definitions import BORDER_OF_TILE, UNSEEN, tile_definition
from platelayer.exchange.tiles.strings import FIELDS, read_tile
from platelayer.foundation.door import read_bytes
from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound, Severity, has_errors
from platelayer.foundation.suggestions import suggestion

Json = dict[str, Any]

MAX_BYTES = 1024 * 1024
SKETCH = "tile"
"""Number of a tile that has none."""
_COUNT = re.compile(r"\(([0-9]{1,3})\)$")
_KEYS = frozenset((*TILE_COLOURS, "D"))
_COLOUR = "yellow"


def is_tile_string(words: str) -> bool:
    """True for what begins like a tile string, and no path does."""
    return words.split("=", maxsplit=1)[0].split(";", maxsplit=1)[0].strip() in FIELDS and (
        "=" in words or ";" in words or words == "junction"
    )


def tile_from_string(
    string: str, *, colour: str = _COLOUR, comments: Comments | None = None
) -> Json:
    """The definition of one tile. Raises ProblemsFound (IM01) for each part that is wrong."""
    parts, refused = read_tile(string)
    if refused:
        raise ProblemsFound(
            [Problem(code="IM01", message=message, hint=_hint(message)) for message in refused]
        )
    tile = tile_definition(parts, comments or Losses().comments("tile"), keys=_KEYS, on_map=False)
    return {"colour": colour, **tile}


def _hint(message: str) -> str:
    """The part or field that is likely meant by an unknown one."""
    unknown = re.search(r'no (part|field) "([^"]*)"', message)
    kind = re.match('"([a-z_]+)" has no field', message)
    return suggestion(unknown[2], FIELDS[kind[1]] if kind else FIELDS) if unknown else ""


def title_from_string(string: str) -> tuple[Json, tuple[Problem, ...]]:
    """A title with nothing but one tile, for a quick look, and warnings of what it has no place
    for. Raises ProblemsFound (IM01) for what is wrong in the string, and for what would be missing
    in the drawing."""
    losses = Losses()
    comments = losses.comments("tile")
    tile = tile_from_string(string, comments=comments)
    problems = tuple(
        Problem(
            code="IM01",
            severity=Severity.WARNING if words.partition(" (")[0] in UNSEEN else Severity.ERROR,
            message=f"this cannot be drawn: {words}",
            hint="draw it as a hex of a map" if words == BORDER_OF_TILE else "",
        )
        for words in comments
    )
    if has_errors(problems):
        raise ProblemsFound(problems)
    tiles = {SKETCH: {"count": 1, "tile": tile}}
    return {
        "format": "platelayer.title/1",
        "id": SKETCH,
        "name": string[:200],
        "tiles": tiles,
    }, problems


def title_from_list(path: Path, title_id: str) -> Imported:
    """A title with the tiles of a text file. Raises CannotRun for a file that is too large or has
    none, and ProblemsFound for every line that is no tile."""
    data = read_bytes(path, MAX_BYTES)
    losses = Losses()
    problems: list[Problem] = []
    tiles: Json = {}
    for line, text in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        words = re.sub(r"(^|\s)#.*", "", text).strip()
        if not words:
            continue
        try:
            number, entry = _tile(words, tiles, losses)
        except ProblemsFound as error:
            problems += [_at(problem, path, line) for problem in error.problems]
            continue
        tiles[number] = entry
    if not tiles and not problems:
        raise CannotRun(
            f"{path} has no tiles: write one on each line, e.g. X1 green city=revenue:40;path=a:0,b:_0"
        )
    if problems:
        raise ProblemsFound(problems)
    note = f"{path.name}, a list of tile strings, imported by Platelayer."
    head: Json = {"format": "platelayer.title/1", "id": title_id, "name": path.stem}
    head["provenance"] = [{"subject": "tiles", "source": "reference", "note": note}]
    decides = ("a list of tiles has no map",)
    return complete(Imported(head=head, blocks={"tiles": tiles}, losses=losses, decides=decides))


def _at(problem: Problem, path: Path, line: int) -> Problem:
    return Problem(
        code=problem.code,
        message=problem.message,
        hint=problem.hint,
        file=str(path),
        line=line,
        column=1,
    )


def _tile(words: str, tiles: Json, losses: Losses) -> tuple[str, Json]:
    match = _COUNT.search(words)
    count = int(match[1]) if match else 1
    words = words[: match.start()].rstrip() if match else words
    *before, string = (
        words.split()
        if len(words.split()) <= 3
        else [*words.split()[:2], " ".join(words.split()[2:])]
    )
    if not is_tile_string(string):
        raise _refused(
            f'"{string[:60]}" is not a tile string',
            "write e.g. X1 green city=revenue:40;path=a:0,b:_0",
        )
    colour = tile_colour(before[-1]) if before else None
    if len(before) == 2 and colour is None:
        raise _refused(f'"{before[1]}" is no colour of tiles; they are {", ".join(TILE_COLOURS)}',
                       suggestion(before[1], TILE_COLOURS))  # fmt: skip
    number = before[0] if before and (len(before) == 2 or colour is None) else SKETCH
    tile_id = unused(safe_id(number), tiles)
    comments = losses.comments(f"tile {tile_id}")
    tile = tile_from_string(string, colour=colour or _COLOUR, comments=comments)
    return tile_id, {**comments.comment, "count": count, "tile": tile}


def _refused(message: str, hint: str) -> ProblemsFound:
    return ProblemsFound([Problem(code="IM02", message=message, hint=hint)])
