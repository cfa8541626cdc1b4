"""Maps as text: logs (atlas.json); lines, as people list them at a table: `3 D4 2`, or in the
words of the guides in any language, `3 city D4 home E5 plain D6`, `タイル3：都市D4、本拠地E5、空白D6`;
and codes, the whole log of a map in about 120 letters and digits, as links have it.

A code is "1" (its version), a number in base 62, and four check digits. The number packs the fields
of the log one after another, the first in its lowest places: each field is a whole number below a
bound that is known before it is read (docs/formats.md). Places are counted from the least q and r
of the map, so a map reads back with its first tile at (0, 0).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from platelayer.atlas.assemble import ALGORITHM, POLICIES, ways_to_lay
from platelayer.atlas.check import check_log
from platelayer.atlas.layouts import Frontier, borders_of, number_of
from platelayer.atlas.table import with_blanks
from platelayer.definitions.decode import decode
from platelayer.definitions.source import read_checked, read_text
from platelayer.foundation.languages import FixedWords, Tongue, languages
from platelayer.foundation.problems import Locator, Place, Problem, ProblemsFound, join_pointer
from platelayer.foundation.seeds import MAX_SEED
from platelayer.foundation.text import counted, suggestion
from platelayer.model.map_tiles import (
    HAND,
    SCHEME,
    AtlasBox,
    AtlasLog,
    Axial,
    Draw,
    Ground,
    MapTile,
    ProjectDraw,
    TileDraw,
    axial_name,
    doubled,
    tile_hexes,
)
from platelayer.model.title import Title

atlas_words = FixedWords("atlas")
MOST_LINES = 1000
# The column to the left of A is -A, the next is -B; the rows above 1 are 0, -1 ...
_COORDINATES = re.compile(r"(-?)([A-Z]{1,2})(-?[0-9]{1,3})", re.IGNORECASE)
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_SEPARATORS = re.compile(
    r"[\s,;:·・、。|()]+|(?<=[^\W\d_])(?<![A-Za-z])(?=-?[A-Za-z0-9])|(?<=[A-Za-z0-9])(?![A-Za-z0-9])(?=[^\W\d_])"
)
_HINT = (
    'lines are "mode micro2", "3 D4 2", "3 city D4 home E5 plain D6", "capital D4" and "blank E7"'
)
# Offset of the columns B, D ... below A, C ..., in half hexes, if rows are counted in each column.
_SHIFTS = {"lower": 1, "higher": -1}


class Vocabulary(NamedTuple):
    """Words of lines in all languages, folded: keywords, the grounds and companies that hexes are
    called by, and modes."""

    keywords: Mapping[str, str]
    hexes: Mapping[str, Ground | str]
    modes: Mapping[str, str]


def _folded(words: Iterable[str]) -> str:
    return unicodedata.normalize("NFKC", "".join(words)).casefold().replace(" ", "")


def vocabulary(title: Title | None = None) -> Vocabulary:
    """Return the words of lines, with a title's own words and the names of its companies."""
    terms = {} if title is None else dict(title.terms)
    tongues = [Tongue(code, own) for code in languages() for own in ({}, terms)]

    def said(table: str) -> dict[str, str]:
        texts = atlas_words.table(table)
        return {_folded(tongue.say(texts[key])): key for tongue in tongues for key in texts}

    guide = atlas_words.table("guide_words")
    keywords = {
        _folded(tongue.say(guide[name])): key
        for tongue in tongues
        for name, key in (("blanks", "blank"), ("capital", "capital"))
    }
    hexes: dict[str, Ground | str] = {ground.value: ground for ground in Ground}
    hexes |= {words: Ground(key) for words, key in said("grounds").items()}
    modes = said("modes")
    if title is not None:
        modes |= {_folded(mode.id): mode.id for mode in title.atlas.modes} if title.atlas else {}
        for company in title.companies:
            hexes |= dict.fromkeys(
                map(_folded, (company.id, *(words for _, words in company.name.forms))), company.id
            )
    return Vocabulary({**keywords, **said("line_words"), "blanks": "blank"}, hexes, modes)


def load_map(
    path: Path, box: AtlasBox, mode: str = "", words: Callable[[], Vocabulary] = vocabulary
) -> LoadedLog:
    """Read a log (atlas.json), or a map in lines, of this mode if they name none. Raises
    ProblemsFound as `load_log` and `read_hand` do."""
    text = read_text(path, str(path))
    if text.lstrip().startswith("{"):
        return load_log(path)
    return read_hand(text, path, box, mode, words)


def read_hand(
    text: str,
    path: Path,
    box: AtlasBox,
    mode: str = "",
    words: Callable[[], Vocabulary] = vocabulary,
) -> LoadedLog:
    """Read a map in lines, of this mode if they name none.

    Places are printed coordinates, letters for columns; A1 may be anywhere. Copies of tiles are
    numbered as they come. Raises ProblemsFound with every line that cannot be read (AT21), names
    hexes that the tile does not have (AT22), or counts rows otherwise (AT24).
    """
    read = partial(_Reader, text, str(path), box, mode=mode, words=words())
    reader = read()
    if reader.between:
        other = {shift: read(shift=shift) for shift in _SHIFTS}
        fitting = [shift for shift, each in other.items() if not each.problems]
        legal = [s for s in fitting if not check_log(box, other[s].log, finished=False)]
        first, more = reader.between[0], len(reader.between) - 1
        if lines := [f'"rows {shift}"' for shift in legal or fitting * (more > 1)]:
            message = "rows are counted 1, 2, 3 in every column; on maps the rows of a column are odd or even"
            hint = f"add the line {' or '.join(lines)}, which says how B, D ... lie beside A, C ..."
            reader.problems = [replace(first, code="AT24", message=message, hint=hint)]
        else:
            and_more = f", like {counted(more, 'other place')}" if more else ""
            message = f"{first.message}{and_more}"
            reader.problems.insert(0, replace(first, message=message))
    if not reader.mode and not reader.problems:
        hint = f'write it in a line: "mode {next(iter(box.mode_by_id))}", or give it with --mode'
        message = "the mode of play is missing"
        reader.problems.append(Problem("AT21", message, hint, file=str(path)))
    if reader.problems:
        raise ProblemsFound(reader.problems)
    log = reader.log
    return LoadedLog(log, Lines(str(path), reader.lines), reader.name, bool(log.blanks))


class _Unreadable(Exception):
    """Raised for a line with a syntax error, or a tile that cannot lie as listed."""

    def __init__(self, message: str, *, code: str = "AT21", hint: str = _HINT) -> None:
        super().__init__(message)
        self.code, self.hint = code, hint


class _Between(_Unreadable):
    """Raised for a place between two hexes."""


class _Reader:
    """Map read from lines: its parts, the line of each by pointer, the problems of other lines,
    and apart from these the places between two hexes. `shift` is one of _SHIFTS where rows are
    counted in each column ("": as printed)."""

    def __init__(
        self,
        text: str,
        file: str,
        box: AtlasBox,
        *,
        mode: str,
        words: Vocabulary,
        shift: str = "",
    ) -> None:
        self.box, self.mode, self.words, self.shift = box, mode, words, shift
        self.draws: list[Draw] = []
        self.blanks: list[Axial] = []
        self.lines: dict[str, int] = {}
        self.copies: Counter[int] = Counter()
        self.odd: bool | None = None
        self.problems: list[Problem] = []
        self.between: list[Problem] = []
        lines = []
        for number, line in enumerate(text.splitlines(), start=1):
            whole = unicodedata.normalize("NFKC", line).partition("#")[0]
            if found := [word for word in _SEPARATORS.split(whole) if word]:
                lines.append((number, *self.keyword(found)))
        for _, key, rest in lines:
            if key == "rows":
                self.shift = self.keyword(rest)[0] if rest else ""
        for number, key, rest in lines:
            place = Place(file, "", number, 1)
            try:
                if number > MOST_LINES:
                    raise _Unreadable(f"there are more than {MOST_LINES} lines")
                self.read(number, key, rest)
            except _Unreadable as error:
                faults = self.between if isinstance(error, _Between) else self.problems
                faults.append(Problem(error.code, str(error), error.hint).at(place))

    @property
    def log(self) -> AtlasLog:
        """The map."""
        return AtlasLog(
            mode=self.mode,
            seed=None,
            policy=HAND,
            algorithm=HAND,
            draws=tuple(self.draws),
            blanks=tuple(self.blanks),
        )

    def keyword(self, words: list[str]) -> tuple[str, list[str]]:
        """Keyword that a line begins with, "" for a tile, else its first word; and what follows."""
        for end in range(len(words), 0, -1):
            key = self.words.keywords.get(_folded(words[:end]))
            if key == "tile" and words[end:]:
                return self.keyword(words[end:])
            if key is not None and key not in ("tile", "at"):
                return key, words[end:]
        return ("", words) if _NUMBER.fullmatch(words[0]) else (words[0].lower(), words[1:])

    def read(self, line: int, key: str, rest: list[str]) -> None:
        """Read one line. Raises _Unreadable."""
        order = len(self.draws) + 1
        if key == "mode":
            if not rest:
                raise _Unreadable("a mode is expected here")
            ids = {_folded(mode): mode for mode in self.box.mode_by_id}
            self.mode = {**self.words.modes, **ids}.get(_folded(rest), " ".join(rest))
            self.lines["/mode"] = line
        elif key == "rows":
            if self.shift not in _SHIFTS:
                raise _Unreadable('rows are "lower" or "higher" in the columns B, D ...')
        elif key == "blank":
            for place in rest or [_single(rest, "a place")]:
                self.lines[f"/blanks/{len(self.blanks)}"] = line
                self.blanks.append(self.at(place))
        elif key == "capital":
            at = self.at(_single(rest, "a place"))
            number = 1 + sum(isinstance(draw, ProjectDraw) for draw in self.draws)
            self.lines[f"/draws/{len(self.draws)}"] = line
            self.draws.append(ProjectDraw(order, capital_project=number, overlay_at=at))
        elif not key:
            tile = self.box.tile_by_number.get(int(rest[0]))
            if tile is None:
                raise _Unreadable(f"there is no map tile {rest[0]} in the box")
            at, rotation = self.placement(tile, rest[1:])
            self.copies[tile.number] += 1
            copy = self.copies[tile.number]
            self.lines[f"/draws/{len(self.draws)}"] = line
            self.draws.append(TileDraw(order, tile.number, copy, at, rotation))
        else:
            hint = suggestion(key, ("mode", "capital", "blank")) or _HINT
            raise _Unreadable(f'"{key[:20]}" begins no line', hint=hint)

    def placement(self, tile: MapTile, words: list[str]) -> tuple[Axial, int]:
        """Position of hex 1 and rotation, given as such or by the three hexes of a tile."""
        if len(words) == 2 and _folded(words[:1]) not in self.words.hexes:
            at = self.at(words[0])
            if words[1] not in set("012345"):
                raise _Unreadable(f'"{words[1][:20]}" is no turn; it is 0 to 5 sixths, clockwise')
            return at, int(words[1])
        hexes: dict[Axial, Ground | str] = {}
        phrase: list[str] = []
        for word in words:
            if self.words.keywords.get(_folded([word])) == "at":
                continue
            if not phrase or not _COORDINATES.fullmatch(word):
                phrase.append(word)
                continue
            said = " ".join(phrase)
            if (kind := self.words.hexes.get(_folded(phrase))) is None:
                known = {*(ground.value for ground in Ground), *self.words.hexes}
                hint = suggestion(_folded(phrase), known) or _HINT
                grounds = ", ".join(ground.value for ground in Ground)
                raise _Unreadable(f'"{said[:30]}" is no hex; hexes are {grounds}', hint=hint)
            hexes[self.at(word)] = kind
            phrase = []
        if phrase or len(hexes) != 3:
            raise _Unreadable("a tile has a place and a turn, or three hexes, each with its place")
        # Three hexes can be listed in any order, so each may be hex 1. Each is described by its
        # ground, or by the company whose home it is.
        for at in hexes:
            for rotation in range(6):
                places = tile_hexes(at, rotation)
                if {*places} == {*hexes} and all(
                    hexes[place] in (hexagon.ground, hexagon.company)
                    for place, hexagon in zip(places, tile.hexes, strict=True)
                ):
                    return at, rotation
        shows = ", ".join(hexagon.ground.value for hexagon in tile.hexes)
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
        for letter in parts[2].upper():
            x = 26 * x + ord(letter) - 64
        x, y = -x if parts[1] else x - 1, int(parts[3]) - 1
        if self.shift in _SHIFTS:
            return Axial(x, (2 * y + _SHIFTS[self.shift] * (x % 2) - x) // 2)
        odd = bool((x + y) % 2)
        if self.odd is None:
            self.odd = odd
        if odd is not self.odd:
            raise _Between(
                f"{word} lies between two hexes: in every second column the rows are odd, in the others even"
            )
        return Axial(x, (y + odd - x) // 2)

    def name(self, at: Axial) -> str:
        """Coordinates as the file has them."""
        x, y = doubled(at)
        shifted = self.shift in _SHIFTS
        row = (y - _SHIFTS[self.shift] * (x % 2)) // 2 if shifted else y - int(bool(self.odd))
        return f"{SCHEME.letter(x) if x >= 0 else f'-{SCHEME.letter(-1 - x)}'}{row + 1}"


def _single(words: list[str], expected: str) -> str:
    if len(words) != 1:
        raise _Unreadable(f"{expected} is expected here, and nothing else")
    return words[0]


def lines_of(
    box: AtlasBox, draws: Iterable[Draw], name: Callable[[Axial], str], tongue: Tongue
) -> Iterator[str]:
    """Yield the line of each draw that lays something, in the words of the guides."""
    words, grounds = atlas_words.table("line_words"), atlas_words.table("grounds")
    for draw in draws:
        if isinstance(draw, TileDraw):
            hexes = [
                tongue.say(
                    atlas_words("line_hex"), tongue.say(grounds[hexagon.ground.value]), name(place)
                )
                for place, hexagon in box.laid(draw)
            ]
            comma = tongue.say(atlas_words.table("setup_words")["comma"])
            yield tongue.say(atlas_words("line_tile"), draw.tile, comma.join(hexes))
        elif draw.overlay_at is not None:
            yield f"{tongue.say(words['capital'])} {name(draw.overlay_at)}"


# Logs of maps in files: atlas.json.


FORMAT = "platelayer.atlas/1"
_json = partial(json.dumps, ensure_ascii=False, allow_nan=False)


class LoadedLog(NamedTuple):
    """Log with the locations of its parts in the file (`place("/draws/4")`), the names of its hexes
    in messages, and whether the file lists blanks."""

    log: AtlasLog
    place: Locator
    name: Callable[[Axial], str] = axial_name
    lists_blanks: bool = True


class Lines(NamedTuple):
    """Locator of a file in lines: the line of each part, by pointer; without lines, of a map that
    is in no file."""

    file: str
    lines: Mapping[str, int] = {}

    def __call__(self, pointer: str, *, key: bool = False) -> Place:  # noqa: ARG002 - a line has no keys
        """The place of a pointer."""
        line = self.lines.get(pointer, 0)
        return Place(self.file, pointer, line, min(line, 1))


def load_log(path: Path) -> LoadedLog:
    """Read a log that follows the schema "atlas"; the map need not be legal. Raises ProblemsFound
    with every problem: FI, JS and SC codes."""
    document = read_checked(path, "atlas")
    raw = document.value
    problems = []
    for index, draw in enumerate(raw["draws"]):
        # The schema does not determine which of the two keys is present.
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
    # A tile without a copy number is the first copy that no other draw names.
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
                draw["draw"],
                tile,
                copy,
                Axial(*draw["at"]),
                draw["rotation"],
                draw.get("alternatives", 0),
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


_VERSION = "1"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_CHECK_DIGITS = 4
# The largest prime that fits: changing one digit, or exchanging two neighbouring digits, always
# changes the remainder.
_PRIME = 14_776_331
# Limits of the fields, from those of the format of definitions.
_MODES, _STACKS, _LIMITS, _POLICIES = 20, 10, 202, 16
_RESTARTS, _MANY_RESTARTS = 32, 1_000_001
_SEEDS = 10**9
_DRAWS, _TILES, _PROJECTS, _PLACES, _TURNS = 501, 1000, 21, 402, 6


def code_of(box: AtlasBox, log: AtlasLog) -> str:
    """Return the code of a legal map, complete or half-laid. Measures are left out, and the seed of
    a map that another assembler made. Raises ValueError for a map that does not fit the box."""
    number, scale = 0, 1

    def put(bound: int, value: int) -> int:
        nonlocal number, scale
        if not 0 <= value < bound:
            raise ValueError(f"{value} is not below {bound}")
        number, scale = number + scale * value, scale * bound
        return value

    _walked(box, put, log)
    code = _VERSION + _text(number)
    return code + _text(_number(code) % _PRIME).rjust(_CHECK_DIGITS, _DIGITS[0])


def log_of(box: AtlasBox, code: str) -> AtlasLog:
    """Return the log that a code, or a link that ends in "=" and a code, stands for; it need not be
    legal. Raises ProblemsFound (AT23) for anything else."""
    code = re.sub(r"\s", "", code.rpartition("=")[2])
    body, check = code[:-_CHECK_DIGITS], code[-_CHECK_DIGITS:]
    number = 0

    def take(bound: int, _value: int) -> int:
        nonlocal number
        number, value = divmod(number, bound)
        return value

    try:
        if code[0] != _VERSION or _number(body) % _PRIME != _number(check):
            raise ValueError(code)
        number = _number(body[1:])
        log = _walked(box, take, replace(_NOTHING, mode=next(iter(box.mode_by_id))))
        if number:
            raise ValueError(code)
    except (KeyError, IndexError, ValueError) as error:
        message = f"{code[:12]}... is no code of a map of this title, or damaged"
        hint = "copy the code or the link whole: capitals and small letters differ"
        raise ProblemsFound([Problem("AT23", message, hint)]) from error
    return log


_NOTHING = AtlasLog(mode="", seed=None, policy=HAND, algorithm=HAND, draws=(), blanks=())


def _walked(box: AtlasBox, field: Callable[[int, int], int], log: AtlasLog) -> AtlasLog:
    """Walk through the fields of a code, and return the log that they make. `field` takes the bound of
    each and its value in a log: it writes that value, or reads another. Raises KeyError, IndexError
    or ValueError for faulty fields."""

    def sized(usual: int, bound: int, value: int) -> int:
        return field(bound if field(2, int(value >= usual)) else usual, value)

    modes, policies = [*box.mode_by_id], [*POLICIES]
    ruled = log.blanks == with_blanks(box, log).blanks
    given = () if ruled else log.blanks
    places = [*(draw.at for draw in log.placed), *log.overlays, *given] or [Axial(0, 0)]
    least, most = (Axial(*map(end, zip(*places, strict=True))) for end in (min, max))
    mode = modes[field(_MODES, modes.index(log.mode))]
    stack = field(_STACKS, log.stack or 0)
    limit = field(_LIMITS, 0 if log.blank_limit is None else log.blank_limit + 1)
    seed, policy, algorithm, restarts = None, HAND, HAND, 0
    known = log.policy in POLICIES and log.seed is not None
    if field(2, int(log.algorithm == ALGORITHM and known)):
        policy, algorithm = (
            policies[field(_POLICIES, policies.index(log.policy) if known else 0)],
            ALGORITHM,
        )
        restarts = sized(_RESTARTS, _MANY_RESTARTS, log.restarts)
        seed = sized(_SEEDS, MAX_SEED + 1, log.seed or 0)
    # From here on, limits depend on values already read: the largest tile, the width of the map,
    # the remaining copies. So small maps have short codes, and few numbers are invalid.
    count = field(_DRAWS, len(log.draws))
    largest = field(_TILES, max((draw.tile for draw in log.placed), default=0))
    spans = [field(_PLACES, last - first + 1) for first, last in zip(least, most, strict=True)]
    first: Axial | None = None

    def place(at: Axial) -> Axial:
        """The place of a hex, from that of the first tile."""
        nonlocal first
        steps = zip(spans, at, least, strict=True)
        read = Axial(*(field(span, value - start) for span, value, start in steps))
        if first is None:
            first = read
        return Axial(read.q - first.q, read.r - first.r)

    copies = {tile.number: [*range(1, tile.copies + 1)] for tile in box.map_tiles}
    frontier, draws = Frontier(), list[Draw]()
    for order in range(1, count + 1):
        draw = log.draws[order - 1] if log.draws else None
        laid = draw if isinstance(draw, TileDraw) else TileDraw(0, 0, 0, least, 0)
        if tile := field(largest + 1, laid.tile):
            left = copies[tile]
            copy = left.pop(field(len(left), left.index(laid.copy) if laid.tile else 0))
            at, rotation = place(laid.at), field(_TURNS, laid.rotation)
            # The code does not store how many places a tile had to choose from. For a map of the
            # assembler this is computed by laying its tiles again; for one laid at a table it was
            # never counted.
            alternatives = 0
            if algorithm == ALGORITHM:
                hexes = [number_of(each) for each in tile_hexes(at, rotation)]
                printed = box.tile_by_number[tile]
                alternatives = ways_to_lay(frontier, printed)
                frontier.lay(hexes, [hexes[index] for index in borders_of(printed)])
            draws.append(TileDraw(order, tile, copy, at, rotation, alternatives))
            continue
        project = draw if isinstance(draw, ProjectDraw) else ProjectDraw(0, 0, None)
        number, on = field(_PROJECTS, project.capital_project), project.overlay_at
        city = place(on or least) if field(2, int(on is not None)) else None
        draws.append(ProjectDraw(order, number, city))
    blanks: tuple[Axial, ...] = ()
    if not (ruled := bool(field(2, int(ruled)))):
        listed = field(_DRAWS, len(given))
        blanks = tuple(place(at) for at, _ in zip_longest(given, range(listed), fillvalue=least))
    made = AtlasLog(
        mode=mode,
        seed=seed,
        policy=policy,
        algorithm=algorithm,
        draws=tuple(draws),
        blanks=blanks,
        restarts=restarts,
        stack=stack or None,
        blank_limit=limit - 1 if limit else None,
    )
    return with_blanks(box, made) if ruled else made


def seed_of(code: str) -> int:
    """Return the seed of everything that is shuffled for a map: the same for the same code."""
    return _number(code) % (MAX_SEED + 1)


def _text(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def _number(text: str) -> int:
    """Raises KeyError for anything but letters and digits."""
    number = 0
    for letter in text:
        number = number * len(_DIGITS) + _VALUES[letter]
    return number
