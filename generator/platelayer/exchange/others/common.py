"""Common steps from the files of a smaller program to a title. The files become data in the form of
18xx.games, whose tile strings express everything that such programs draw; track is derived from
its drawing."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import field

from platelayer.definitions.build import build_tile, catalogue_definitions
from platelayer.exchange.eighteen_games.title import definition
from platelayer.exchange.imported import Imported, Pictures, complete, reference
from platelayer.exchange.losses import Comments, Entry, Losses, add_comment, safe_id
from platelayer.exchange.maker_form import along, fitting
from platelayer.exchange.ruby.game import RubyGame
from platelayer.exchange.tile_strings import tile_string
from platelayer.foundation.door import NotRead, decoded, joined, parse_value, read_bytes
from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import to_install
from platelayer.foundation.values import Frozen, Json
from platelayer.model.gamemap import letters_from_index

# Maximum size of a file: ten times the largest known file of these programs.
MAX_BYTES = 4 * 1024 * 1024
_MOST_VALUES = 400_000
YAML = (".yaml", ".yml", ".xxp")


# Files


def read_object(path: Path, form: type, losses: Losses, *, within: Path | None = None) -> Entry:
    """Return the object in a JSON file, or in a YAML file, where all values are strings. Parts that
    do not have the form are left out, with their positions among the losses. Raises CannotRun."""
    text = decoded(read_bytes(path, MAX_BYTES, within=within), str(path))
    if path.suffix.lower() in YAML:
        value = _yaml(text, str(path))
    else:
        value = parse_value(text, name=str(path), most_values=_MOST_VALUES)
    if not isinstance(value, dict):
        raise CannotRun(f"{path} holds no object")
    whole: Entry = fitting(value, form, "", losses.left_out)
    return whole


def _yaml(text: str, name: str) -> Any:
    """Return strings, lists and objects of a YAML text. Raises NotRead, also for an alias, because
    nested aliases can expand to billions of values."""
    try:
        import yaml
    except ImportError as error:
        how = to_install("platelayer[import]")
        raise CannotRun(f"{name} is read with PyYAML, not installed here; type: {how}") from error
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    text = text.expandtabs(2)
    try:
        for event in yaml.parse(text, loader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1
                raise NotRead(name, f"this YAML has the alias *{event.anchor}; write it out", line)
        return yaml.load(text, loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise NotRead(name, f"this is not YAML: {error.problem}", line) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise NotRead(name, "this is not YAML that can be read") from error


# Track
#
# Points are complex numbers on a flat hex, in apothems from its centre, with y downwards.

# Track that ends within _AT of a stop leads to it. Track that ends within _REACH does so unless it
# continues in another line.
_AT, _REACH = 0.3, 0.62
_SAME = 0.05
# A stop at which no track ends lies on the nearest track, if that is within _BESIDE; any stop lies
# on track within _ON.
_BESIDE, _ON = 0.5, 0.1
_AT_EDGE = 0.88


class Stop(Frozen, kw_only=True):
    """Stop of a tile. `revenue` is in the form of tile strings."""

    kind: str
    revenue: str = "0"
    at: complex = 0
    slots: int = 1
    hidden: bool = False


def standard(start: int, end: int, first: float = 0, last: float = 1) -> list[complex]:
    """Return standard track between two edges, or the part of it from `first` to `last`."""
    return [along(start, end, first + (last - first) * step / 12) for step in range(13)]


def tile_code(
    stops: Sequence[Stop], lines: Iterable[Sequence[complex]] = (), more: Iterable[str] = ()
) -> str:
    """Return the tile string of stops, and of track that is drawn as lines."""
    parts = []
    for stop in stops:
        slots = f",slots:{stop.slots}" if stop.slots > 1 else ""
        hidden = ",hide:1" if stop.hidden else ""
        parts.append(f"{stop.kind}=revenue:{stop.revenue}{slots}{hidden}")
    pairs = _connections(stops, _whole(stops, list(lines)))
    junction = ["junction"] if any(f"_{len(stops)}" in pair for pair in pairs) else []
    paths = [f"path=a:{a},b:{b}" for a, b in pairs]
    return ";".join([*parts, *junction, *paths, *more])


def _connections(
    stops: Sequence[Stop], lines: Sequence[Sequence[complex]]
) -> dict[tuple[str, str], None]:
    """Return the pairs of edges, stops and the junction that track connects, each once."""
    ends = [(_end(line[0], stops), _end(line[-1], stops)) for line in lines]
    reached = {name for pair in ends for name in pair}
    on: list[dict[int, str]] = [{} for _ in lines]
    for index, stop in enumerate(stops):
        spots = [
            (*min((abs(point - stop.at), place) for place, point in enumerate(line)), number)
            for number, line in enumerate(lines)
            if all(name.isdigit() for name in ends[number])
        ]
        nearest = min(spots, default=None)
        for distance, place, number in spots:
            is_own = f"_{index}" not in reached and (distance, place, number) == nearest
            if distance < _ON or (is_own and distance < _BESIDE):
                on[number][place] = f"_{index}"
    pairs: dict[tuple[str, str], None] = {}
    for (first, last), stations in zip(ends, on, strict=True):
        for a, b in pairwise([first, *(stations[place] for place in sorted(stations)), last]):
            if a != b and (b, a) not in pairs:
                pairs[a, b] = None
    return pairs


def _whole(stops: Sequence[Stop], lines: list[Sequence[complex]]) -> list[Sequence[complex]]:
    """Join lines of which exactly two meet at a point that is neither at a stop nor at an edge."""
    for number, line in enumerate(lines):
        for other in lines[number + 1 :]:
            for one in (line, line[::-1]):
                for two in (other, other[::-1]):
                    here = [
                        side
                        for each in lines
                        for side in (each[0], each[-1])
                        if abs(side - one[-1]) < _SAME
                    ]
                    apart = all(abs(stop.at - one[-1]) > _AT for stop in stops)
                    if (
                        len(here) == 2
                        and abs(one[-1] - two[0]) < _SAME
                        and apart
                        and abs(one[-1]) < _AT_EDGE
                    ):
                        rest = [each for each in lines if each is not line and each is not other]
                        return _whole(stops, [*rest, [*one, *two[1:]]])
    return lines


def _end(point: complex, stops: Sequence[Stop]) -> str:
    """Return the end of a path: an edge, the nearest stop if it is within reach, otherwise the
    junction, which is numbered after all stops."""
    if abs(point) > _AT_EDGE:
        return str(round(cmath.phase(point / 1j) / (math.pi / 3)) % 6)
    nearest = min(
        ((abs(point - stop.at), index) for index, stop in enumerate(stops)), default=(math.inf, 0)
    )
    return f"_{nearest[1] if nearest[0] < _REACH else len(stops)}"


_EDGE = re.compile(r"\b(a|b|edge|loc):([0-5])(?=[.,;]|$)")


def turned(code: str, sixths: int) -> str:
    """Return a tile string turned clockwise."""
    return _EDGE.sub(lambda match: f"{match[1]}:{(int(match[2]) + sixths) % 6}", code)


@cache
def catalogue_tile(number: str) -> tuple[str, str] | None:
    """Return the colour and tile string of a tile of our catalogue; None if it has no such tile."""
    given = catalogue_definitions().get(number)
    if given is None:
        return None
    code = tile_string(build_tile(number, given), Losses().comments(number))
    return str(given["colour"]), code


def amount(words: object) -> int | None:
    """Return the number in words such as "R$ 80"; None if they are not an amount."""
    match = re.fullmatch(r"[^\d]{0,9}?(\d[\d,]{0,9})[^\d]{0,9}", str(words).strip())
    return int(match[1].replace(",", "")) if match else None


# Axes of a map with letters on its columns, and of one with letters on its rows.
AXES = ({"x": "letter", "y": "number"}, {"x": "number", "y": "letter"})


def currency(signs: list[str]) -> str:
    """Return a format of amounts with the most frequent of these signs."""
    return f"{max(signs, key=signs.count, default='')}%s"


def printed_at(row: int, column: int, *, flat: bool) -> str:
    """Return the printed coordinates of a row and column counted from 0. Every other column of a
    flat map, or row of a pointy one, is shifted by half a hex."""
    letter, number = (column, row) if flat else (row, column)
    return f"{letters_from_index(letter)}{2 * number + 1 + letter % 2}"


# Titles


class Notes(Frozen, kw_only=True):
    """Losses of a reader, and the comments for each entry by block and key."""

    losses: Losses = field(default_factory=Losses)
    comments: dict[tuple[str, str], Comments] = field(default_factory=dict)

    def at(self, block: str, key: str) -> Comments:
        """Return the losses of one entry, whose key is its name in the other program."""
        place = f"{block[:-1]} {key}" if block in ("tiles", "trains", "phases") else key
        return self.comments.setdefault((block, key), self.losses.comments(place))

    def name_unread(self, block: str, key: str, entry: Any, aside: Sequence[str] = ()) -> None:
        """Count the keys of an entry that have not been read as losses, except those in `aside`."""
        self.at(block, key).name_unread(entry, aside)


def title_from_data(
    path: Path, title_id: str, data: Json, notes: Notes, *, program: str
) -> Imported:
    """Return a title from the data of a game. The keys are those of `reader.DATA`; any of them may
    be missing, and values of entries may be empty."""
    for block in ("corporations", "minors", "companies", "trains", "phases"):
        for entry in data.get(block, ()):
            # Without `float_percent`, an import assumes the engine's default.
            empty = [key for key in entry if key != "float_percent" and entry[key] in (None, "")]
            for key in empty:
                del entry[key]
    game = RubyGame(
        name=str(data.get("title") or path.stem),
        data=data,
        catalogue={},
        files=(path.name,),
        records=False,
    )
    imported, _ = definition(game, title_id, Pictures(), notes.losses)
    blocks = {**imported.blocks, "hexes": (imported.maps.get("main") or {}).get("hexes")}
    about = notes.at("title", "title")
    for (block, key), comments in list(notes.comments.items()):
        entries = blocks.get(block) or {}
        own = key if block == "hexes" else safe_id(key)
        if own in entries:
            entries[own] = add_comment(entries[own], comments)
        elif comments is not about:  # the definition does not contain its entry
            about.remember(comments)
    imported.head = add_comment(imported.head, about)
    note = f"{path.name}, of {program}, imported by Platelayer; not compared with the rulebook."
    subjects = {"map": imported.maps, **imported.blocks}.items()
    imported.head["provenance"] = [reference(key, note) for key, block in subjects if block]
    return complete(imported)


def files_named(folder: Path, stem: str) -> Iterator[Path]:
    """Yield the files of a folder with this name, as JSON or YAML."""
    for ending in (".json", ".yaml", ".yml"):
        path = joined(folder, f"{stem}{ending}")
        if path.is_file():
            yield path
