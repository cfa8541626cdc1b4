"""Faults of an assembled title that no schema can find, above all references to names that do not
exist.

Most names are checked by a table of the paths at which they stand (`_NAMED`); everything else is a
check, registered with the paths that it reads. A title may have lost parts to errors; faults that
may be consequences of such a loss are not reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.assemble import fact_faults
from platelayer.definitions.build import (
    box_faults,
    build_scheme,
    build_waypoint,
    catalogue_definitions,
    liveries,
    motifs,
    region_hexes,
    topology_faults,
    waypoint_hex,
)
from platelayer.definitions.decode import Json
from platelayer.definitions.schemas import raw_schema
from platelayer.foundation.languages import FixedWords, terms, wordings
from platelayer.foundation.problems import (
    Problem,
    Problems,
    Severity,
    join_pointer,
    split_pointer,
    standing_for,
    touches,
)
from platelayer.foundation.text import fault, listed, named, numbered, suggestion
from platelayer.model.company import PRIVATES, CompanyKind
from platelayer.model.gamemap import Layout, beside, joined
from platelayer.model.kinds import KINDS, Form
from platelayer.model.map_tiles import company_of
from platelayer.model.market import cell_zones
from platelayer.model.title import kind_of_size


class Names:
    """Names that an assembled title (sound where it is read) defines for others to refer to."""

    def __init__(self, title: Json) -> None:
        self.title = title

    def block(self, name: str) -> Json:
        """Return a block, empty if the title has none."""
        return self.title.get(name) or {}

    def at(self, *paths: str) -> Iterator[tuple[str, Any]]:
        """Yield everything at some paths (as in `_NAMED`), with its pointer."""
        for path in paths:
            for at, value, _ in values_at(self.title, path):
                yield join_pointer(*at), value

    @cached_property
    def hexes(self) -> dict[str, dict[str, Json]]:
        """Hexes by printed coordinates, each on every map (by id) that has it."""
        by_name: dict[str, dict[str, Json]] = {}
        for map_id, board in self.block("maps").items():
            for name, hexagon in board["hexes"].items():
                by_name.setdefault(name, {})[map_id] = hexagon
        return by_name

    @cached_property
    def trains(self) -> frozenset[str]:
        """Ids of trains, and names of their faces."""
        faces = (
            face["name"]
            for train in self.block("trains").values()
            for face in train.get("faces", [train])
        )
        return frozenset((*self.block("trains"), *faces))

    @cached_property
    def company_classes(self) -> frozenset[str]:
        """Kinds and sizes of company for which limits are given."""
        classes = {kind.value for kind in CompanyKind}
        for _, company in self.at(_COMPANY):
            classes.update(company.get("later_sizes", ()))
            if "size" in company:
                classes.add(company["size"])
        return frozenset(classes)

    @cached_property
    def revenue_keys(self) -> frozenset[str]:
        """The keys that a revenue may have: tile colours, phases, and the keys named by phases."""
        phases = self.block("phases")
        keys = (phase["revenue"] for phase in phases.values() if "revenue" in phase)
        return frozenset((*raw_schema("common")["$defs"]["colour_name"]["enum"], *phases, *keys))


def _problem(
    code: str, pointer: str, message: str, hint: str = "", *, at_key: bool = False
) -> Problem:
    return Problem(code, message, hint, pointer=pointer, at_key=at_key)


def _unknown(
    code: str,
    pointer: str,
    noun: str,
    name: str,
    known: Iterable[str],
    *,
    key: bool = False,
    where: str = " in this title",
    hint: str = "",
    most: int = 12,
) -> Problem:
    """Return the problem of an unknown name."""
    known = list(known)
    message = f'there is no {noun} "{name}"{where}; known: {listed(known, most=most) or "none"}'
    problem = _problem(code, pointer, message, suggestion(name, known) or hint, at_key=key)
    return replace(problem, about=name)


MAX_CHART_SPACES = 1000

map_words = FixedWords("map")
card_words = FixedWords("cards")

_NOTHING: Json = {}
_EMPTY = "empty "

_FIELD_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
_NOT_OPERATING = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


class _Known(Struct, frozen=True):
    """Names of one kind: the code of a problem with an unknown name, the noun for them, the blocks
    that define them, the names, those that a message lists (None: all, in order), and the words
    for where they are defined."""

    code: str
    noun: str
    blocks: tuple[str, ...]
    names: Callable[[Names], Collection[str]]
    shown: Callable[[Names], Iterable[str]] | None = None
    where: str = " in this title"


_TRAINS = _Known(
    "RF04", "train", ("trains",), lambda names: names.trains, lambda names: names.block("trains")
)
_TRAIN_IDS = _Known("RF04", "train", ("trains",), lambda names: names.block("trains"))
_PHASES = _Known("RF04", "phase", ("phases",), lambda names: names.block("phases"))
_TRAINS_OR_PHASES = _Known(
    "RF04",
    "train or phase",
    ("trains", "phases"),
    lambda names: names.trains | {*names.block("phases")},
    lambda names: dict.fromkeys((*names.block("trains"), *names.block("phases"))),
)
_REVENUE_KEYS = _Known(
    "RF04",
    "tile colour or phase",
    ("phases",),
    lambda names: names.revenue_keys,
    lambda names: sorted(names.revenue_keys),
)
_CLASSES = _Known(
    "RF10",
    "kind or size of company",
    ("companies", "privates"),
    lambda names: names.company_classes,
    lambda names: sorted(names.company_classes),
)
_COMPANIES = _Known("RF03", "company", ("companies",), lambda names: names.block("companies"))
_TILES = _Known("RF01", "tile", ("tiles",), lambda names: names.block("tiles"))
_HEXES = _Known("RF02", "hex", ("maps",), lambda names: names.hexes)
_PICTURES = _Known("RF14", "picture", ("pictures",), lambda names: names.block("pictures"))
_SIGNS = _Known(
    "RF14",
    "icon or picture",
    ("pictures",),
    lambda names: (*map_words.table("icons"), *names.block("pictures")),
)
_LIVERIES = _Known("RF19", "livery", (), lambda _names: liveries())
_MOTIFS = _Known("RF19", "motif", (), lambda _names: motifs())
_WORDINGS = _Known("RF12", "wording", (), lambda _names: wordings(), where="")

_COMPANY, _HEX, _OWN_TILE = "companies|privates/*", "maps/*/hexes/*", "tiles/*/tile"

# Kinds of names by their paths. `*` is any key or index, `a|b` either key; `~` at the end means the
# keys themselves.
_NAMED = {
    "livery": _LIVERIES,
    "livery/like": _LIVERIES,
    "livery/motif": _MOTIFS,
    "wording/*": _WORDINGS,
    "trains/*/starts": _PHASES,
    "trains/*/available_from": _PHASES,
    "trains/*/faces/*/available_from": _PHASES,
    "trains/*/rusts_on|obsolete_on/*": _TRAINS_OR_PHASES,
    "trains/*/faces/*/rusts_on|obsolete_on/*": _TRAINS_OR_PHASES,
    "trains/*/trade_ins/*/train": _TRAINS,
    "trains/*/faces/*/trade_ins/*/train": _TRAINS,
    "trains/*/who": _CLASSES,
    "trains/*/faces/*/who": _CLASSES,
    "phases/*/on": _TRAINS,
    "phases/*/on/*": _TRAINS,
    "phases/*/train_limits/~": _CLASSES,
    "market/zones/*/who": _CLASSES,
    "maps/*/hexes/*/stops/*/revenue/~": _REVENUE_KEYS,
    "maps/*/hexes/*/borders/*/since|until": _PHASES,
    "maps/*/hexes/*/reserved/*": _COMPANIES,
    "tiles/*/tile/stops/*/revenue/~": _REVENUE_KEYS,
    "upgrades/chains/*/steps/*/*": _TILES,
    "companies|privates/*/homes/*/hex": _HEXES,
    "companies|privates/*/destination/hex": _HEXES,
    "companies|privates/*/further_destinations/*/hex": _HEXES,
    "companies|privates/*/share_of": _COMPANIES,
    "companies|privates/*/blocks/*": _HEXES,
    "companies|privates/*/income/~": _REVENUE_KEYS,
    "companies|privates/*/opens": _PHASES,
    "companies|privates/*/logo": _PICTURES,
    "pieces/bank_board/rows/*/*/trains/*": _TRAIN_IDS,
    "pieces/bank_board/rows/*/*/companies": _CLASSES,
    "pieces/phase_cards/*/front|back/*": _PHASES,
    "pieces/destination_cards/*/revenue/~": _REVENUE_KEYS,
    "pieces/overlays/*/hex": _HEXES,
    "bonuses/*/pays/without/*": _HEXES,
    "bonuses/*/pays/visits/*/~": _HEXES,
    "pieces/markers/*/picture": _SIGNS,
    "pieces/priority_picture": _SIGNS,
    "atlas/map_tiles/*/hexes/*/tile/stops/*/revenue/~": _REVENUE_KEYS,
    "atlas/homeless/*": _COMPANIES,
    "atlas/modes/*/trains/~": _TRAINS,
}


_Path = tuple[str | int, ...]
# Path of a name, the name, and True if it is a key.
_Named = tuple[_Path, str, bool]

# Paths with hexes named as "hex:D4", or "hex:map/D4" for one map.
_HEX_PREFIXED = (
    "companies|privates/*/shows",
    "upgrades/never_upgraded/*",
    "upgrades/added/*/from/*",
)
_HEX_TEXT = re.compile(r"hex:(?:(?P<map>[^/]+)/)?(?P<name>[^/]+)")


# Paths at which maps name hexes: definitions of hexes, and the land that is laid out by them.
_HEXES_OF_MAPS = (
    "maps/*/hexes/~",
    "maps/*/regions/*/hexes/*",
    "maps/*/rivers/*/course/*",
    "maps/*/rivers/*/course/*/hex",
    "maps/*/seas/*/from|to/hex",
    "maps/*/beyond/*/near",
    "maps/*/beyond/*/near/hex",
    "maps/*/beyond/*/mountains/*",
    "maps/*/beyond/*/mountains/*/hex",
    "maps/*/seas/*/coasts/*/*/hex",
)
_PLAIN_HEXES = tuple(path for path, known in _NAMED.items() if known is _HEXES)
# Paths at which a title names hexes by their printed coordinates (as in `_NAMED`).
HEX_PATHS = (*_HEXES_OF_MAPS, *_PLAIN_HEXES)


def hex_references(title: Json, paths: Iterable[str] = HEX_PATHS) -> Iterator[_Named]:
    """Yield each hex that an assembled title or a variant's patch names at some paths: the path,
    its name, and True if it is a key."""
    for path in paths:
        for steps in (path, f"variants/*/patch/{path}"):
            yield from names_at(title, steps)


def hexes_named(title: Json) -> Iterator[tuple[_Path, str, str]]:
    """Yield places outside of maps that name a hex: the path, the hex, and the id of its map if the
    place names one ("" for any map that has the hex)."""
    for path in (*_PLAIN_HEXES, "waivers/*/at", *_HEX_PREFIXED):
        for at, name, _ in hex_references(title, (path,)):
            found = _HEX_TEXT.fullmatch(name)
            if found is not None:
                yield at, found["name"], found["map"] or ""
            elif path not in _HEX_PREFIXED:
                yield at, name, ""


def nouns_by_path() -> dict[str, str]:
    """Return kinds of thing that are named by id, by the paths that name them (as in `_NAMED`)."""
    return {path: known.noun for path, known in _NAMED.items()}


def reference_faults(title: Json, lost: Json = _NOTHING) -> Problems:
    """Yield every fault that is not a consequence of what an error has cost the title: `lost`
    values by pointer, None for one that could not be read."""
    names = Names(title)
    early: dict[str, list[Problem]] = {}
    # If a whole block is lost, its contents may have defined names or used them.
    blocks = [pointer for pointer in lost if pointer.count("/") < 2]
    for path, known in _NAMED.items():
        steps = path.split("/")
        if touches((*steps[0].split("|"), *known.blocks), blocks):
            continue
        defined = known.names(names)
        gone = [
            (pointer, value)
            for pointer, value in lost.items()
            if "".join(split_pointer(pointer)[:1]) in ("", *known.blocks)
        ]
        for at, name, key in names_at(title, path):
            # If something lost may have defined the name, do not report a second error for one
            # mistake.
            if name in defined or any(_may_define(*part, name) for part in gone):
                continue
            shown = known.shown(names) if known.shown else defined
            pointer = join_pointer(*at)
            problem = _unknown(
                known.code, pointer, known.noun, name, shown, key=key, where=known.where
            )
            if defined:
                yield problem
            else:
                block = known.blocks[0]
                early.setdefault(block, []).append(replace(problem, cause=f"{_EMPTY}{block}"))
    # A title that was just begun often refers to a block that does not exist yet: report this as
    # one problem.
    for block, problems in early.items():
        if len(problems) == 1:
            yield problems[0]
            continue
        names_of = named(dict.fromkeys(f'"{problem.about}"' for problem in problems))
        message = f"there are no {block} yet, but these are named: {names_of}"
        yield replace(standing_for(problems, message), hint=f'add "{block}"')
    for reads, check in _CHECKS:
        if not touches(reads, blocks):  # skip the check if a whole block that it reads is missing
            yield from (found for found in check(names) if not touches(reads, lost, found.pointer))


def empty_block(problem: Problem) -> str:
    """Return the missing block that causes a problem entirely; "" for other problems."""
    return problem.cause.removeprefix(_EMPTY) if problem.cause.startswith(_EMPTY) else ""


# An entry that defines names besides its id has at least one of these keys.
_NAMING = ("faces", "kind", "name", "on")


def _may_define(pointer: str, value: Any, name: str) -> bool:
    """Return True if the value lost at a pointer may have defined a name: by its key, within it, or
    because nothing is known about it."""
    keys = split_pointer(pointer)
    if value is None or name in keys:
        return True
    if len(keys) == 2 and keys[0] in ("companies", "phases", "privates", "trains"):
        if not isinstance(value, Mapping) or not any(key in value for key in _NAMING):
            return True
        # A number or a list in place of a name may have been meant as any name.
        parts = [value.get(key, "") for key in ("name", "revenue", "size")]
        if not all(isinstance(part, (str, Mapping)) for part in parts):
            return True
    return _mentions(value, name)


def _mentions(value: Any, name: str) -> bool:
    if isinstance(value, Mapping):
        return name in value or any(_mentions(part, name) for part in value.values())
    if isinstance(value, list):
        return any(_mentions(part, name) for part in value)
    return bool(value == name)


def names_at(value: Any, path: str) -> Iterator[_Named]:
    """Yield names at a path below a value: the path of each, the name, and True if it is a key."""
    return (found for found in values_at(value, path) if isinstance(found[1], str))


def values_at(value: Any, path: str, at: _Path = ()) -> Iterator[tuple[_Path, Any, bool]]:
    """Yield everything at a path below a value: its own path, its value, and True if it is a
    key."""
    if not path:
        yield at, value, False
        return
    step, _, rest = path.partition("/")
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        keys = value if step in "*~" else step.split("|")
        parts = ((key, value[key]) for key in keys if key in value)
    elif isinstance(value, (list, tuple)) and step == "*":
        parts = enumerate(value)
    for key, part in parts:
        if step == "~":
            yield (*at, key), key, True
        else:
            yield from values_at(part, rest, (*at, key))


_Check = Callable[[Names], Problems]
_CHECKS: list[tuple[tuple[str, ...], _Check]] = []


def _reads(*paths: str) -> Callable[[_Check], _Check]:
    """Register a check with the paths that it reads, as `touches` takes them."""

    def register(check: _Check) -> _Check:
        _CHECKS.append((paths, check))
        return check

    return register


@_reads(
    "atlas",
    "bank",
    "companies",
    "currency",
    "market",
    "phases",
    "pieces",
    "players",
    "privates",
    "trains",
)
def _facts(names: Names) -> Problems:
    """RF24 for facts in texts that the title does not have."""
    return fact_faults(names.title)


@_reads("privates/.")
def _privates(names: Names) -> Problems:
    """DF07 for companies in the block of privates that operate."""
    for company_id, company in names.block(PRIVATES).items():
        if company["kind"] not in _NOT_OPERATING:
            message = f'"{company_id}" is a company of kind {company["kind"]}; here are privates and concessions only'
            pointer = join_pointer(PRIVATES, company_id, "kind")
            yield _problem("DF07", pointer, message, "move it to the block companies")


@_reads("trains/.")
def _permanence(names: Names) -> Problems:
    """DF01: a train rusts, becomes obsolete or is permanent, and says which."""
    for at, face in names.at("trains/*", "trains/*/faces/*"):
        ends = bool(face.get("rusts_on") or face.get("obsolete_on"))
        if "faces" in face or ends != bool(face.get("permanent")):
            continue
        message = f'train "{face["name"]}" neither rusts nor is marked as permanent'
        hint = 'add "rusts_on": [...] or "permanent": true'
        if ends:
            message = f'train "{face["name"]}" is permanent but also rusts'
            hint = "remove one of the two"
        yield _problem("DF01", at, message, hint, at_key=True)


@_reads("phases/.")
def _status(names: Names) -> Problems:
    """RF15 for what looks like a name of the field, but is none that Platelayer has words for."""
    known = card_words.table("status")
    for pointer, status in names.at("phases/*/status/*"):
        if isinstance(status, str) and _FIELD_NAME.fullmatch(status) and status not in known:
            message = f'there are no words for the status "{status}"'
            hint = suggestion(status, known) or "say it in words of your own"
            yield _problem("RF15", pointer, message, hint)


@_reads("market")
def _zones(names: Names) -> Problems:
    """RF05 for letters without a zone, DF03 for a line of several rows."""
    market = names.block("market")
    zones = market.get("zones", {})
    spaces: dict[str, list[str]] = {}
    for pointer, cell in names.at("market/rows/*/*"):
        for letter in cell_zones(cell):
            spaces.setdefault(letter, []).append(pointer)
    for letter, pointers in spaces.items():
        if letter in zones:
            continue
        more = f" ({len(pointers)} spaces)" if len(pointers) > 1 else ""
        entry = '{"name": "Start price", "colour": "tile.yellow", "par": true}'
        hint = f'add "{letter}" to the zones of the market, for example {entry}'
        where = f" in this title{more}"
        yield _unknown("RF05", pointers[0], "market zone", letter, zones, where=where, hint=hint)
    if market and market["shape"] not in ("grid", "hex") and len(market["rows"]) > 1:
        message = f"a market of shape {market['shape']} has one row, not {len(market['rows'])}"
        yield _problem("DF03", "/market/rows", message, 'give it one row, or the shape "grid"')


@_reads("market", "pieces/par_chart")
def _par_chart(names: Names) -> Problems:
    """DF03 for a par chart without prices."""
    chart, market = names.block("pieces").get("par_chart"), names.block("market")
    if not chart or chart.get("prices"):
        return
    par = {letter for letter, zone in market.get("zones", {}).items() if zone.get("par")}
    if not any(par.intersection(cell_zones(cell)) for _, cell in names.at("market/rows/*/*")):
        message = "the par chart has no prices, and no space of the market is a start price"
        hint = 'give it "prices": [60, 70, 80], or a zone of the market "par": true'
        yield _problem("DF03", "/pieces/par_chart", message, hint)


@_reads("pieces/.")
def _pieces(names: Names) -> Problems:
    """RF11 for kinds of piece that do not exist, DF04 for sizes a piece cannot have."""
    pieces = names.block("pieces")
    for block in ("sizes", "box"):
        for key, size in pieces.get(block, {}).items():
            pointer = join_pointer("pieces", block, key)
            kind_id = kind_of_size(key)
            kind = KINDS.get(kind_id)
            if kind is None:
                message = f'there is no kind of piece "{kind_id}"; kinds: {listed(KINDS, most=40)}'
                yield _problem("RF11", pointer, message, suggestion(kind_id, KINDS), at_key=True)
            elif kind.form is not Form.RECTANGLE and isinstance(size, list) and size[0] != size[1]:
                message = f"the size of a {kind.id} is one number: flat to flat, or the diameter"
                yield _problem("DF04", pointer, message)
    chart = pieces.get("revenue_chart")
    if chart and chart["top"] / chart["step"] > MAX_CHART_SPACES:
        spaces = chart["top"] // chart["step"]
        message = f"{spaces} spaces are too many; at most {MAX_CHART_SPACES} can be drawn"
        hint = "take a larger step or a smaller top"
        yield _problem("DF04", "/pieces/revenue_chart", message, hint)


@_reads("pieces/sizes/.", "companies", "privates")
def _sizes_of_classes(names: Names) -> Problems:
    """RF10: a size for the pieces of companies of a size that does not exist."""
    classes = sorted({size for _, size in names.at(f"{_COMPANY}/size")})
    for key in names.block("pieces").get("sizes", {}):
        _, _, name = key.partition("/")
        if name and name not in classes:
            pointer = join_pointer("pieces", "sizes", key)
            yield _unknown("RF10", pointer, "size of company", name, classes, key=True)


@_reads("pieces/rounds", "pieces/rounds_once")
def _rounds(names: Names) -> Problems:
    """RF13: rounds beside others that do not exist or are themselves played once; exports that are
    not shown."""
    pieces = names.block("pieces")
    rounds = pieces.get("rounds", ())
    known = [entry["id"] for entry in rounds if "into" not in entry and "after" not in entry]
    begun: dict[str, str] = {}
    for index, entry in enumerate(rounds):
        pointer, round_id = f"/pieces/rounds/{index}", entry["id"]
        if "export" in entry and not pieces.get("rounds_once", False):
            message = f'round "{round_id}" has an export, but its track comes round again'
            hint = 'add "rounds_once": true, or make the export a round of its own'
            yield _problem("RF13", f"{pointer}/export", message, hint)
        if "into" in entry and "after" not in entry:
            other = begun.setdefault(entry["into"], round_id)
            if other != round_id:
                message = f'rounds "{other}" and "{round_id}" both begin the game before "{entry["into"]}"'
                hint = "say by `after` which one comes first"
                yield _problem("RF13", f"{pointer}/into", message, hint)
        if "after" in entry and "into" not in entry:
            message = f'round "{round_id}" does not say which round comes after it'
            yield _problem("RF13", f"{pointer}/after", message, 'add "into"')
        for key in ("into", "after"):
            if key in entry and entry[key] not in known:
                yield _unknown("RF13", f"{pointer}/{key}", "round", entry[key], known)


@_reads("aids/.", "players")
def _tables(names: Names) -> Problems:
    """DF05: rows of a table as wide as its head."""
    for pointer, table in names.at("aids/*/sections|back/*/table"):
        if table == "players":
            if not names.block("players"):
                message = (
                    "the title says nothing about numbers of players, so there is no table of them"
                )
                hint = 'add "players": {"3": {"cash": 450, "certificate_limit": 20}} to the title'
                yield _problem("DF05", pointer, message, hint)
            continue
        width = len(table["head"])
        for row, cells in enumerate(table["rows"]):
            if len(cells) != width:
                message = f"this row has {len(cells)} cells, but the head of the table has {width}"
                yield _problem("DF05", f"{pointer}/rows/{row}", message)


@_reads("terms/.")
def _terms(names: Names) -> Problems:
    """RF12 for terms that replace fixed words that do not exist, TX01 for those with other
    blanks to fill."""
    for name, given in names.block("terms").items():
        pointer = join_pointer("terms", name)
        english = terms().get(name)
        if english is None:
            message = (
                f'there are no fixed words called "{name}"; assets/languages/en.json lists them'
            )
            yield _problem("RF12", pointer, message, suggestion(name, terms()), at_key=True)
            continue
        for language, words in given.items() if isinstance(given, dict) else [("", given)]:
            wrong = fault(words, english)
            if wrong:
                at = pointer + join_pointer(language) if language else pointer
                hint = f'in English it is "{english}"; a brace to print is written {{{{ or }}}}'
                yield _problem("TX01", at, f'"{name}": {wrong}', hint)


@_reads("companies|privates/.", "pictures", "maps/+/hexes/+", "tiles")
def _shown(names: Names) -> Problems:
    """RF01, RF02 and RF14 for tiles, hexes and pictures that cards of companies show."""
    kinds = {"hex": _HEXES, "tile": _TILES, "picture": _SIGNS}
    for pointer, shown in names.at(f"{_COMPANY}/shows"):
        noun, _, name = shown.partition(":")
        known = kinds[noun].names(names)
        if name not in known:
            yield _unknown(kinds[noun].code, pointer, noun, name, known)


@_reads("maps/+/hexes/+", "companies|privates/.")
def _homes(names: Names) -> Problems:
    """RF07 for homes and destinations at stops that do not exist. A home is on every map that has
    its hex."""
    several = len(names.block("maps")) > 1
    places = ("homes/*", "destination", "further_destinations/*")
    for pointer, home in names.at(*(f"{_COMPANY}/{place}" for place in places)):
        for map_id, hexagon in names.hexes.get(home["hex"], {}).items():
            count = len(hexagon.get("stops", ()))
            if home.get("stop", -1) < count:
                continue
            place = home["hex"] + (f' of map "{map_id}"' if several else "")
            has = numbered("stop", count)
            message = f"{place} has {has}"
            if count:
                message = f"there is no stop {home['stop']} in {place}: it has {has}"
            yield _problem("RF07", f"{pointer}/stop", message)
            break


@_reads("atlas", "companies")
def _map_tile_companies(names: Names) -> Problems:
    """RF03 for companies that map tiles name."""
    companies = names.block("companies")
    for at, hexagon in names.at("atlas/map_tiles/*/hexes/*"):
        company = company_of(hexagon)
        if company is not None and company not in companies:
            yield _unknown("RF03", at, "company", company, companies)


@_reads("tiles/.")
def _tiles(names: Names) -> Problems:
    """RF01: a number of the catalogue, or a tile in place."""
    known = catalogue_definitions()
    for number, entry in names.block("tiles").items():
        if number not in known and not (isinstance(entry, Mapping) and "tile" in entry):
            message = f'tile "{number}" is not in the catalogue and has no definition here'
            hint = suggestion(number, known)
            example = '{"count": 1, "tile": {"colour": "yellow", "track": [[0, 3]]}}'
            hint = hint or f"give it one: {example}"
            yield _problem("RF01", join_pointer("tiles", number), message, hint, at_key=True)


@_reads("tiles", "maps/+/back_of")
def _other_sides(names: Names) -> Problems:
    """RF01, RF02 and DF02 for tiles and maps that are the other side of another: of a tile that is
    counted, and of no two."""
    for noun, block, code in (("tile", "tiles", "RF01"), ("map", "maps", "RF02")):
        entries = names.block(block)
        fronts: dict[str, str] = {}
        for name, entry in entries.items():
            front = entry.get("back_of") if isinstance(entry, Mapping) else None
            if front is None:
                continue
            pointer = join_pointer(block, name, "back_of")
            other = entries.get(front)
            if front not in entries:
                yield _unknown(code, pointer, noun, front, entries)
            elif front == name or (isinstance(other, Mapping) and "back_of" in other):
                message = f'{noun} "{front}" is itself the other side of a {noun}'
                yield _problem("DF02", pointer, message, "one of two sides names the other")
            elif "count" in entry or "printed" in entry:
                message = f'tile "{name}" is counted twice: it is the other side of "{front}"'
                yield _problem("DF02", pointer, message, f'leave out its count: "{front}" has it')
            elif front in fronts:
                message = (
                    f'"{fronts[front]}" and "{name}" cannot both be the other side of "{front}"'
                )
                yield _problem("DF02", pointer, message, f"a {noun} has two sides")
            fronts.setdefault(front, name)


@_reads("maps/./hexes/.", "tiles/.")
def _topology(names: Names) -> Problems:
    for pointer, tile in names.at(_HEX, _OWN_TILE):
        yield from topology_faults(pointer, tile)


@_reads("maps/./coordinates", "maps/./hexes/+")
def _coordinates(names: Names) -> Problems:
    """RF06: coordinates between the hexes of their map, or not written as the map prints them."""
    for map_id, board in names.block("maps").items():
        scheme = build_scheme(board["coordinates"])
        coords = {name: scheme.parse(name) for name in board["hexes"]}
        # In doubled coordinates x + y is odd for all hexes of a grid, or even for all; the majority
        # decides which.
        parities = Counter((at.x + at.y) % 2 for at in coords.values() if at is not None)
        usual = 1 if parities[1] > parities[0] else 0
        name_at = {at: name for name, at in coords.items() if at is not None}
        for name, at in coords.items():
            pointer = join_pointer("maps", map_id, "hexes", name)
            if at is None:
                message = f'"{name}" is not a coordinate such as "D4"'
                yield _problem("RF06", pointer, message, at_key=True)
                continue
            apart = board["hexes"][name].get("apart", False)
            on_grid = (at.x + at.y) % 2 == usual
            covered = [name_at[near] for near in beside(at) if apart and near in name_at]
            if apart and on_grid:
                message = f'"{name}" lies on the grid of the other hexes'
                yield _problem("RF06", f"{pointer}/apart", message, 'leave out "apart"')
            elif apart and covered:
                message = f'"{name}" covers part of {covered[0]}'
                yield _problem("RF06", pointer, message, "move it away by one or two", at_key=True)
            elif not (on_grid or apart):
                found, wanted = ("even", "odd") if usual else ("odd", "even")
                rule = f"in doubled coordinates x + y is {found} where it should be {wanted}"
                message = f'"{name}" lies between the other hexes: {rule}'
                hint = 'change its number by one; or, if it is a box beside the board, add "apart": true'
                yield _problem("RF06", pointer, message, hint, at_key=True)
            elif scheme.name(at) != name:
                message = f'"{name}" must be written as "{scheme.name(at)}"'
                yield _problem("RF06", pointer, message, at_key=True)


@_reads("maps/./boards", "pieces/rounds", "market", "players")
def _boards(names: Names) -> Problems:
    """RF21: boards on the sheet of a map that the title does not have."""
    shown = {
        "round-track": ("rounds", names.block("pieces").get("rounds")),
        "market": ("market", names.block("market")),
        "seats": ("players", names.block("players")),
    }
    for pointer, name in names.at("maps/*/boards/*"):
        block, content = shown[name]
        if not content:
            message = f'there is no {name} for the sheet of the map: the title has no "{block}"'
            yield _problem("RF21", pointer, message, f'add "{block}", or leave it out of boards')


@_reads("maps/./hexes", "maps/./zones")
def _zone_names(names: Names) -> Problems:
    """RF02 for names of zones that contain no hex of their map."""
    for map_id, board in names.block("maps").items():
        known = _zones_of(board)
        for zone in board.get("zones", {}):
            if zone not in known:
                pointer = join_pointer("maps", map_id, "zones", zone)
                yield _unknown("RF02", pointer, "zone", zone, known, key=True)


def _zones_of(board: Json) -> list[str]:
    hexes = board["hexes"].values()
    return [*dict.fromkeys(hexagon["zone"] for hexagon in hexes if "zone" in hexagon)]


@_reads("atlas")
def _atlas(names: Names) -> Problems:
    """RF01 and SC04 for map tiles."""
    if names.block("atlas"):
        yield from box_faults(names.block("atlas"))


@_reads("maps/./hexes/.", "tiles/.", "pictures")
def _icons(names: Names) -> Problems:
    """RF14 for icons that do not exist: those of hexes and tiles are drawn as their names, in a
    lozenge."""
    known = (*map_words.table("icons"), *names.block("pictures"))
    hint = 'draw it as an SVG file and name it in "pictures"'
    for at, icon in names.at(f"{_HEX}/icons/*", f"{_OWN_TILE}/icons/*"):
        if isinstance(icon, str):
            name = icon
        elif "text" in icon:
            continue
        else:
            at, name = f"{at}/name", icon["name"]  # noqa: PLW2901
        if name not in known:
            problem = _unknown(
                "RF14", at, "icon or picture", name, known, where="", hint=hint, most=40
            )
            yield replace(problem, severity=Severity.WARNING)


_ON_MAP = " on this map"


@_reads("maps/.")
def _hexes_of_map(names: Names) -> Problems:
    """RF02 for hexes that the land of a map names and the map does not have."""
    for path in _HEXES_OF_MAPS:
        for at, name, _ in names_at(names.title, path):
            known = names.title["maps"][at[1]]["hexes"]
            if name not in known:
                yield _unknown("RF02", join_pointer(*at), "hex", name, known, where=_ON_MAP)


@_reads("maps/.")
def _landscape(names: Names) -> Problems:
    """RF02 for unknown zones, RF16 for courses of rivers with a gap, RF17 for hexes of
    two regions, RF18 for inland coasts."""
    for map_id, board in names.block("maps").items():
        base, hexes = join_pointer("maps", map_id), board["hexes"]
        scheme, layout = build_scheme(board["coordinates"]), Layout(board["layout"])
        for river_id, river in board.get("rivers", {}).items():
            pointer, course = base + join_pointer("rivers", river_id, "course"), river["course"]
            known = all(waypoint_hex(at) in hexes for at in course)
            points = [build_waypoint(scheme, point) for point in course] if known else []
            for index, (one, other) in enumerate(pairwise(points)):
                if not joined(one, other, layout):
                    ends = " and ".join(waypoint_hex(point) for point in course[index : index + 2])
                    message = f"the course has a gap: places {index + 1} and {index + 2} (in {ends}) touch no common hex"
                    hint = "name the hexes, edges or corners between them"
                    yield _problem("RF16", f"{pointer}/{index + 1}", message, hint)
        yield from _region_faults(board, base)
        seas = board.get("seas", {})
        coords = {scheme.parse(name) for name in hexes} if seas else set()
        for sea_id, sea in seas.items():
            at = base + join_pointer("seas", sea_id)
            stated = [key for key in ("from", "to") if key in sea]
            if len(stated) == 1 or (not stated and "coasts" not in sea):
                message = (
                    f'sea "{sea_id}" has no coast'
                    if not stated
                    else f'sea "{sea_id}" has "{stated[0]}" alone'
                )
                hint = 'give both "from" and "to", corners on the outline of the board, or "coasts"'
                yield _problem("RF18", at, message, hint, at_key=True)
            for key in stated:
                pointer, corner = at + join_pointer(key), sea[key]
                near = build_waypoint(scheme, corner).touches(layout)
                if corner["hex"] in hexes and coords.issuperset(near):
                    message = f"corner {corner['corner']} of {corner['hex']} is not on the outline of the board"
                    hint = "corner 2 lies between edges 2 and 3; edge 0 is the bottom or lower left"
                    yield _problem("RF18", pointer, message, hint)


def _region_faults(board: Json, base: str) -> Problems:
    region_of: dict[str, str] = {}
    zones = _zones_of(board)
    for region_id, region in board.get("regions", {}).items():
        at = base + join_pointer("regions", region_id)
        if ("hexes" in region) == ("zone" in region):
            pair = "both its hexes and" if "zone" in region else "neither its hexes nor"
            message = f'region "{region_id}" says {pair} its zone'
            yield _problem("RF17", at, message, 'say one of them: "hexes": ["D4"]', at_key=True)
        elif "zone" in region and region["zone"] not in zones:
            yield _unknown("RF02", f"{at}/zone", "zone", region["zone"], zones, where=_ON_MAP)
        listed_hexes = len(region.get("hexes", ()))
        for index, name in enumerate(region_hexes(region, board["hexes"])):
            pointer = f"{at}/hexes/{index}" if index < listed_hexes else f"{at}/zone"
            if name in board["hexes"] and region_of.setdefault(name, region_id) != region_id:
                message = f'hex "{name}" is already in region "{region_of[name]}"'
                yield _problem("RF17", pointer, message, "leave it in one of the two")
