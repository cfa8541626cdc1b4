"""References to tiles, hexes, companies, trains, phases and the like that do not exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from platelayer.definitions.build import build_scheme, build_waypoint, region_hexes, waypoint_hex
from platelayer.definitions.catalogue import catalogue_definitions, liveries, motifs
from platelayer.definitions.facts import fact_faults
from platelayer.definitions.map_tiles import box_faults, topology_faults
from platelayer.definitions.schemas import raw_schema
from platelayer.foundation.languages import FixedWords, terms, wordings
from platelayer.foundation.pointers import join_pointer, split_pointer, touches
from platelayer.foundation.problems import Problem, Severity, standing_for
from platelayer.foundation.properties import cached_property
from platelayer.foundation.suggestions import counted, listed, named, suggestion
from platelayer.foundation.text import fault
from platelayer.model.company import COMPANIES, PRIVATES, CompanyKind
from platelayer.model.gamemap import joined
from platelayer.model.hexes import Layout, beside
from platelayer.model.kinds import KINDS, Form
from platelayer.model.map_tiles import company_of
from platelayer.model.market import cell_zones
from platelayer.model.title import kind_of_size

# What an assembled title defines for others to refer to.


Json = Mapping[str, Any]


class Names:
    """Names that an assembled title (sound where it is read) defines for others to refer to."""

    def __init__(self, title: Json) -> None:
        self.title = title

    def block(self, name: str) -> Json:
        """A block, empty when the title has none."""
        block: Json = self.title.get(name) or {}
        return block

    def all_companies(self) -> Iterator[tuple[str, Json]]:
        """Each company of either block, with its pointer."""
        for block in (COMPANIES, PRIVATES):
            for company_id, company in self.block(block).items():
                yield join_pointer(block, company_id), company

    @cached_property
    def hexes(self) -> dict[str, dict[str, Json]]:
        """By printed coordinates: the hex on each map (by id) that has it."""
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
        """Kinds and sizes of company, by which limits are given."""
        sizes = [company["size"] for _, company in self.all_companies() if "size" in company]
        sizes += (
            size for _, company in self.all_companies() for size in company.get("later_sizes", ())
        )
        return frozenset((*(kind.value for kind in CompanyKind), *sizes))

    @cached_property
    def revenue_keys(self) -> frozenset[str]:
        """The keys that a revenue may have: tile colours, phases, and the keys that phases name."""
        phases = self.block("phases")
        keys = (phase["revenue"] for phase in phases.values() if "revenue" in phase)
        return frozenset((*raw_schema("common")["$defs"]["colour_name"]["enum"], *phases, *keys))


def unknown(
    code: str, pointer: str, kind: str, name: str, known: Iterable[str], *, key: bool = False
) -> Problem:
    """The problem of a name that is none of those known."""
    known = list(known)
    message = f'there is no {kind} "{name}" in this title; known: {listed(known) or "none"}'
    return Problem(
        code=code,
        pointer=pointer,
        message=message,
        hint=suggestion(name, known),
        about=name,
        at_key=key,
    )


MAX_CHART_SPACES = 1000

map_words = FixedWords("map")
card_words = FixedWords("cards")

_NOTHING: Json = {}

_FIELD_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
_NOT_OPERATING = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


class _Known(Struct, frozen=True):
    """Names of one kind: the code of a problem with an unknown name, the noun for them, the blocks
    that define them, the names, and those that a message lists (None: all, in their order)."""

    code: str
    what: str
    blocks: tuple[str, ...]
    names: Callable[[Names], Collection[str]]
    shown: Callable[[Names], Iterable[str]] | None = None


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

# What names stand for, by where: `*` is any key or index, `a|b` either key; at the end, `~` is for
# the keys themselves.
_NAMED = {
    "livery": _LIVERIES,
    "livery/like": _LIVERIES,
    "livery/motif": _MOTIFS,
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
    "companies|privates/*/blocks/*": _HEXES,
    "companies|privates/*/income/~": _REVENUE_KEYS,
    "companies|privates/*/opens": _PHASES,
    "companies|privates/*/logo": _PICTURES,
    "pieces/bank_board/rows/*/*/trains/*": _TRAIN_IDS,
    "pieces/bank_board/rows/*/*/companies": _CLASSES,
    "pieces/phase_cards/*/front|back/*": _PHASES,
    "pieces/destination_cards/*/revenue/~": _REVENUE_KEYS,
    "pieces/overlays/*/hex": _HEXES,
    "pieces/markers/*/picture": _SIGNS,
    "pieces/priority_picture": _SIGNS,
    "atlas/map_tiles/*/hexes/*/tile/stops/*/revenue/~": _REVENUE_KEYS,
    "atlas/homeless/*": _COMPANIES,
    "atlas/modes/*/trains/~": _TRAINS,
}


def kinds_named() -> dict[str, str]:
    """Kinds of thing that are named by id, by where they are named (as in `_NAMED`)."""
    return {path: known.what for path, known in _NAMED.items()}


def reference_faults(title: Json, lost: Json = _NOTHING) -> Iterator[Problem]:
    """Every fault that does not come from what an error has cost the title: `lost` values by
    pointer, None for one that nobody could read."""
    names = Names(title)
    early: dict[str, list[Problem]] = {}
    blocks = [pointer for pointer in lost if pointer.count("/") < 2]
    lost_in: dict[str, list[tuple[str, Any]]] = {}
    for pointer, value in lost.items():
        lost_in.setdefault("".join(split_pointer(pointer)[:1]), []).append((pointer, value))
    for path, known in _NAMED.items():
        steps = path.split("/")
        if not touches((*steps[0].split("|"), *known.blocks), blocks):
            there = known.names(names)
            gone = [
                each
                for block, parts in lost_in.items()
                if block in ("", *known.blocks)
                for each in parts
            ]
            for at, name, key in _named(title, steps):
                if name not in there and not any(_may_define(*each, name) for each in gone):
                    shown = known.shown(names) if known.shown else there
                    fault = unknown(known.code, join_pointer(*at), known.what, name, shown, key=key)
                    if there:
                        yield fault
                    else:
                        early.setdefault(known.blocks[0], []).append(fault)
    for block, faults in early.items():
        names_of = named(dict.fromkeys(f'"{fault.about}"' for fault in faults))
        message = f"there are no {block} yet, but these are named: {names_of}"
        yield (
            replace(standing_for(faults, message), hint=f'add "{block}"')
            if len(faults) > 1
            else faults[0]
        )
    for reads, check in _CHECKS:
        if not touches(reads, blocks):  # a whole block is missing among what is read
            yield from (fault for fault in check(names) if not touches(reads, lost, fault.pointer))


# Keys of which each entry of a block whose entries have names inside has one.
_NAMING = ("faces", "kind", "name", "on")


def _may_define(pointer: str, value: Any, name: str) -> bool:
    """True if what is lost at a pointer may have defined a name: by its key, within it, or nobody
    can say."""
    keys = split_pointer(pointer)
    if value is None or name in keys:
        return True
    if len(keys) == 2 and keys[0] in ("companies", "phases", "privates", "trains"):
        inside = (
            [value.get(key, "") for key in ("name", "revenue", "size")]
            if isinstance(value, Mapping)
            else [None]
        )
        if not all(isinstance(part, (str, Mapping)) for part in inside) or not any(
            key in value for key in _NAMING
        ):
            return True
    return _mentions(value, name)


def _mentions(value: Any, name: str) -> bool:
    """True if a value may have defined a name."""
    if isinstance(value, Mapping):
        return any(key == name or _mentions(part, name) for key, part in value.items())
    return (
        any(_mentions(part, name) for part in value) if isinstance(value, list) else value == name
    )


_Place = tuple[str | int, ...]


def _named(value: Any, steps: Sequence[str], at: _Place = ()) -> Iterator[tuple[_Place, str, bool]]:
    """The names below a value: where each stands, and whether it is a key."""
    if not steps:
        if isinstance(value, str):
            yield at, value, False
        return
    step, *rest = steps
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        parts = (
            value.items()
            if step in "*~"
            else ((key, value[key]) for key in step.split("|") if key in value)
        )
    elif isinstance(value, (list, tuple)) and step == "*":
        parts = enumerate(value)
    for key, part in parts:
        if step == "~":
            yield (*at, key), key, True
        else:
            yield from _named(part, rest, (*at, key))


def _facts(names: Names) -> Iterator[Problem]:
    """RF24 for facts in texts that the title does not have."""
    yield from fact_faults(names.title)


def _privates(names: Names) -> Iterator[Problem]:
    """DF07 for companies in the block of privates that operate."""
    for company_id, company in names.block(PRIVATES).items():
        if company["kind"] not in _NOT_OPERATING:
            message = f'"{company_id}" is a company of kind {company["kind"]}; here are privates and concessions only'
            hint = "move it to the block companies"
            pointer = join_pointer(PRIVATES, company_id, "kind")
            yield Problem(code="DF07", pointer=pointer, message=message, hint=hint)


def _faces(pointer: str, train: Json) -> Iterator[tuple[str, Json]]:
    if "faces" not in train:
        yield pointer, train
    for index, face in enumerate(train.get("faces", ())):
        yield f"{pointer}/faces/{index}", face


def _permanence(names: Names) -> Iterator[Problem]:
    """DF01: a train rusts, becomes obsolete or is permanent, and says which."""
    for train_id, train in names.block("trains").items():
        for pointer, face in _faces(join_pointer("trains", train_id), train):
            ends = bool(face.get("rusts_on") or face.get("obsolete_on"))
            if ends == bool(face.get("permanent")):
                message = (
                    f'train "{face["name"]}" is permanent but also rusts'
                    if ends
                    else f'train "{face["name"]}" neither rusts nor is marked as permanent'
                )
                hint = (
                    "remove one of the two"
                    if ends
                    else 'add "rusts_on": [...] or "permanent": true'
                )
                yield Problem(code="DF01", pointer=pointer, message=message, hint=hint, at_key=True)


def _status(names: Names) -> Iterator[Problem]:
    """RF15 for what looks like a name of the field, but is none that Platelayer has words for."""
    known = card_words.table("status")
    for phase_id, phase in names.block("phases").items():
        for index, status in enumerate(phase.get("status", ())):
            if isinstance(status, str) and _FIELD_NAME.fullmatch(status) and status not in known:
                hint = suggestion(status, known) or "say it in words of your own"
                yield Problem(
                    code="RF15",
                    pointer=join_pointer("phases", phase_id, "status", index),
                    message=f'there are no words for the status "{status}"',
                    hint=hint,
                )


def _zones(names: Names) -> Iterator[Problem]:
    """RF05 for letters without a zone, DF03 for a line of several rows."""
    market = names.block("market")
    zones = market.get("zones", {})
    spaces: dict[str, list[str]] = {}
    for row, cells in enumerate(market.get("rows", ())):
        for column, cell in enumerate(cells):
            for letter in cell_zones(cell):
                spaces.setdefault(letter, []).append(f"/market/rows/{row}/{column}")
    for letter in (space for space in spaces if space not in zones):
        first, *others = spaces[letter]
        more = f" ({len(others) + 1} spaces)" if others else ""
        message = f'there is no market zone "{letter}" in this title{more}; known: {listed(zones) or "none"}'
        entry = '{"name": "Start price", "colour": "tile.yellow", "par": true}'
        hint = (
            suggestion(letter, zones)
            or f'add "{letter}" to the zones of the market, for example {entry}'
        )
        yield Problem(code="RF05", pointer=first, message=message, hint=hint)
    if market and market["shape"] not in ("grid", "hex") and len(market["rows"]) > 1:
        message = f"a market of shape {market['shape']} has one row, not {len(market['rows'])}"
        yield Problem(
            code="DF03",
            pointer="/market/rows",
            message=message,
            hint='give it one row, or the shape "grid"',
        )


def _par_chart(names: Names) -> Iterator[Problem]:
    """DF03 for a par chart without prices."""
    chart, market = names.block("pieces").get("par_chart"), names.block("market")
    par = {letter for letter, zone in market.get("zones", {}).items() if zone.get("par")}
    cells = (cell for row in market.get("rows", ()) for cell in row)
    if (
        chart
        and not chart.get("prices")
        and not any(par.intersection(cell_zones(cell)) for cell in cells)
    ):
        message = "the par chart has no prices, and no space of the market is a start price"
        hint = 'give it "prices": [60, 70, 80], or a zone of the market "par": true'
        yield Problem(code="DF03", pointer="/pieces/par_chart", message=message, hint=hint)


def _pieces(names: Names) -> Iterator[Problem]:
    """RF11 for kinds of piece that do not exist, DF04 for sizes a piece cannot have."""
    pieces = names.block("pieces")
    for block in ("sizes", "box"):
        for key in pieces.get(block, {}):
            kind = kind_of_size(key)
            if kind not in KINDS:
                message = f'there is no kind of piece "{kind}"; kinds: {listed(KINDS, most=40)}'
                yield Problem(
                    code="RF11",
                    pointer=join_pointer("pieces", block, key),
                    message=message,
                    hint=suggestion(kind, KINDS),
                    at_key=True,
                )
    for key, size in pieces.get("sizes", {}).items():
        known = KINDS.get(kind_of_size(key))
        if (
            known
            and known.form is not Form.RECTANGLE
            and isinstance(size, list)
            and size[0] != size[1]
        ):
            message = f"the size of a {known.id} is one number: flat to flat, or the diameter"
            yield Problem(
                code="DF04", pointer=join_pointer("pieces", "sizes", key), message=message
            )
    chart = pieces.get("revenue_chart")
    if chart and chart["top"] / chart["step"] > MAX_CHART_SPACES:
        message = f"{chart['top'] // chart['step']} spaces are too many; at most {MAX_CHART_SPACES} can be drawn"
        yield Problem(
            code="DF04",
            pointer="/pieces/revenue_chart",
            message=message,
            hint="take a larger step or a smaller top",
        )


def _sizes_of_classes(names: Names) -> Iterator[Problem]:
    """RF10: a size for the pieces of companies of a size that does not exist."""
    classes = sorted({company["size"] for _, company in names.all_companies() if "size" in company})
    for key in names.block("pieces").get("sizes", {}):
        _, _, name = key.partition("/")
        if name and name not in classes:
            yield unknown(
                "RF10",
                join_pointer("pieces", "sizes", key),
                "size of company",
                name,
                classes,
                key=True,
            )


def _rounds(names: Names) -> Iterator[Problem]:
    """RF13: rounds beside others that do not exist or are themselves played once; exports that are
    not shown."""
    pieces = names.block("pieces")
    rounds = pieces.get("rounds", ())
    known = [entry["id"] for entry in rounds if "into" not in entry and "after" not in entry]
    begun: dict[str, str] = {}
    for index, entry in enumerate(rounds):
        if "export" in entry and not pieces.get("rounds_once", False):
            message = f'round "{entry["id"]}" has an export, but its track comes round again'
            hint = 'add "rounds_once": true, or make the export a round of its own'
            yield Problem(
                code="RF13", pointer=f"/pieces/rounds/{index}/export", message=message, hint=hint
            )
        if "into" in entry and "after" not in entry:
            other = begun.setdefault(entry["into"], entry["id"])
            if other != entry["id"]:
                message = f'rounds "{other}" and "{entry["id"]}" both begin the game before "{entry["into"]}"'
                hint = "say by `after` which one comes first"
                yield Problem(
                    code="RF13", pointer=f"/pieces/rounds/{index}/into", message=message, hint=hint
                )
        if "after" in entry and "into" not in entry:
            message = f'round "{entry["id"]}" does not say which round comes after it'
            pointer = f"/pieces/rounds/{index}/after"
            yield Problem(code="RF13", pointer=pointer, message=message, hint='add "into"')
        for key in ("into", "after"):
            if key in entry and entry[key] not in known:
                yield unknown("RF13", f"/pieces/rounds/{index}/{key}", "round", entry[key], known)


def _tables(names: Names) -> Iterator[Problem]:
    """DF05: rows of a table as wide as its head."""
    for aid_id, aid in names.block("aids").items():
        sides = (("sections", aid["sections"]), ("back", aid.get("back", ())))
        for side, number, section in (
            (side, *numbered) for side, sections in sides for numbered in enumerate(sections)
        ):
            table = section.get("table", {"head": (), "rows": ()})
            if table == "players":
                if not names.block("players"):
                    message = "the title says nothing about numbers of players, so there is no table of them"
                    hint = (
                        'add "players": {"3": {"cash": 450, "certificate_limit": 20}} to the title'
                    )
                    pointer = join_pointer("aids", aid_id, side, number, "table")
                    yield Problem(code="DF05", pointer=pointer, message=message, hint=hint)
                continue
            for row, cells in enumerate(table["rows"]):
                if len(cells) != len(table["head"]):
                    pointer = join_pointer("aids", aid_id, side, number, "table", "rows", row)
                    message = f"this row has {len(cells)} cells, but the head of the table has {len(table['head'])}"
                    yield Problem(code="DF05", pointer=pointer, message=message)


def _wordings(names: Names) -> Iterator[Problem]:
    """RF12 for sets of words that do not exist."""
    for index, name in enumerate(names.block("wording")):
        if name not in wordings():
            message = f'there is no wording "{name}"; known: {listed(wordings())}'
            yield Problem(
                code="RF12",
                pointer=join_pointer("wording", index),
                message=message,
                hint=suggestion(name, wordings()),
            )


def _terms(names: Names) -> Iterator[Problem]:
    """RF12 for terms that replace fixed words that do not exist, TX01 for those with other
    places."""
    for name, given in names.block("terms").items():
        english = terms().get(name)
        if english is not None:
            forms = given.items() if isinstance(given, dict) else [("", given)]
            for language, words in forms:
                wrong = fault(words, english)
                if wrong:
                    pointer = join_pointer("terms", name, *([language] if language else []))
                    hint = f'in English it is "{english}"; a brace to print is written {{{{ or }}}}'
                    yield Problem(
                        code="TX01", pointer=pointer, message=f'"{name}": {wrong}', hint=hint
                    )
        else:
            message = (
                f'there are no fixed words called "{name}"; assets/languages/en.json lists them'
            )
            yield Problem(
                code="RF12",
                pointer=join_pointer("terms", name),
                message=message,
                hint=suggestion(name, terms()),
                at_key=True,
            )


def _shown(names: Names) -> Iterator[Problem]:
    """RF01, RF02 and RF14 for tiles, hexes and pictures that cards of companies show."""
    known = {"hex": _HEXES, "tile": _TILES, "picture": _PICTURES}
    for pointer, company in names.all_companies():
        kind, _, name = company.get("shows", "").partition(":")
        if kind and name not in known[kind].names(names):
            yield unknown(
                known[kind].code, f"{pointer}/shows", kind, name, known[kind].names(names)
            )


def _homes(names: Names) -> Iterator[Problem]:
    """RF07 for homes and destinations at stops that do not exist. A home is on every map that has
    its hex."""
    several = len(names.block("maps")) > 1
    for pointer, company in names.all_companies():
        places = [
            (f"{pointer}/homes/{index}", home)
            for index, home in enumerate(company.get("homes", ()))
        ]
        if "destination" in company:
            places.append((f"{pointer}/destination", company["destination"]))
        for at, home in places:
            counts = {
                map_id: len(hexagon.get("stops", ()))
                for map_id, hexagon in names.hexes.get(home["hex"], {}).items()
            }
            lacking = [map_id for map_id, count in counts.items() if home.get("stop", -1) >= count]
            if lacking:
                where = f' of map "{lacking[0]}"' if several else ""
                place, count = f"{home['hex']}{where}", counts[lacking[0]]
                has = counted("stop", count)
                message = (
                    f"there is no stop {home['stop']} in {place}: it has {has}"
                    if count
                    else f"{place} has {has}"
                )
                yield Problem(code="RF07", pointer=f"{at}/stop", message=message)


def _map_tile_companies(names: Names) -> Iterator[Problem]:
    """RF03 for companies that map tiles name."""
    companies = names.block("companies")
    for number, tile in names.block("atlas").get("map_tiles", {}).items():
        for index, company in enumerate(map(company_of, tile["hexes"])):
            if company is not None and company not in companies:
                at = join_pointer("atlas", "map_tiles", number, "hexes", index)
                yield unknown("RF03", at, "company", company, companies)


def _tiles(names: Names) -> Iterator[Problem]:
    """RF01: a number of the catalogue, or a tile in place."""
    for number, entry in names.block("tiles").items():
        if number not in catalogue_definitions() and not (
            isinstance(entry, Mapping) and "tile" in entry
        ):
            message = f'tile "{number}" is not in the catalogue and has no definition here'
            hint = suggestion(number, catalogue_definitions())
            hint = (
                hint or 'give it one: {"count": 1, "tile": {"colour": "yellow", "track": [[0, 3]]}}'
            )
            yield Problem(
                code="RF01",
                pointer=join_pointer("tiles", number),
                message=message,
                hint=hint,
                at_key=True,
            )


def _other_sides(names: Names) -> Iterator[Problem]:
    """RF01 and DF02 for tiles that are the other side of another: of one that is counted, and of no
    two."""
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
            yield Problem(
                code="DF02", pointer=pointer, message=message, hint="count one of the two"
            )
        elif "count" in entry or "printed" in entry:
            message = f'tile "{number}" is counted twice: it is the other side of "{front}"'
            yield Problem(
                code="DF02",
                pointer=pointer,
                message=message,
                hint=f'leave out its count: "{front}" has it',
            )
        elif front in fronts:
            message = f'"{fronts[front]}" and "{number}" cannot both be the other side of "{front}"'
            yield Problem(
                code="DF02", pointer=pointer, message=message, hint="a tile has two sides"
            )
        fronts.setdefault(front, number)


def _own_tiles(names: Names) -> Iterator[Problem]:
    for number, entry in names.block("tiles").items():
        if isinstance(entry, Mapping) and "tile" in entry:
            yield from topology_faults(join_pointer("tiles", number, "tile"), entry["tile"])


def _hex_topology(names: Names) -> Iterator[Problem]:
    for pointer, hexagon in _each_hex(names):
        yield from topology_faults(pointer, hexagon)


def _each_hex(names: Names) -> Iterator[tuple[str, Json]]:
    for map_id, board in names.block("maps").items():
        for name, hexagon in board["hexes"].items():
            yield join_pointer("maps", map_id, "hexes", name), hexagon


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
                yield Problem(
                    code="RF06",
                    pointer=f"{pointer}/apart",
                    message=message,
                    hint='leave out "apart"',
                )
            elif apart and (covered := [taken[near] for near in beside(at) if near in taken]):
                message = f'"{name}" covers part of {covered[0]}'
                yield Problem(
                    code="RF06",
                    pointer=pointer,
                    message=message,
                    hint="move it away by one or two",
                    at_key=True,
                )
            elif (at.x + at.y) % 2 != usual and not apart:
                message = f'"{name}" lies between the other hexes: in doubled coordinates x + y is odd where it should'
                message = (
                    message + " be even"
                    if usual == 0
                    else message.replace("odd", "even") + " be odd"
                )
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


def _zone_names(names: Names) -> Iterator[Problem]:
    """RF02 for names of zones that contain no hex of their map."""
    for map_id, board in names.block("maps").items():
        known = dict.fromkeys(
            hexagon["zone"] for hexagon in board["hexes"].values() if "zone" in hexagon
        )
        for zone in board.get("zones", {}):
            if zone not in known:
                yield unknown(
                    "RF02",
                    join_pointer("maps", map_id, "zones", zone),
                    "zone",
                    zone,
                    known,
                    key=True,
                )


def _landscape(names: Names) -> Iterator[Problem]:
    """RF02 and RF16 to RF18 for rivers, regions and seas."""
    for map_id, board in names.block("maps").items():
        yield from landscape_faults(map_id, board)


def _atlas(names: Names) -> Iterator[Problem]:
    """RF01 and SC04 for map tiles."""
    if names.block("atlas"):
        yield from box_faults(names.block("atlas"))


def _icons(names: Names) -> Iterator[Problem]:
    """RF14 for icons that do not exist: those of hexes and tiles are drawn as their names, in a
    lozenge."""
    known = (*map_words.table("icons"), *names.block("pictures"))
    for pointer, hexagon in _each_hex(names):
        yield from _unknown_icons(f"{pointer}/icons", hexagon.get("icons", ()), known)
    for number, entry in names.block("tiles").items():
        if isinstance(entry, Mapping) and "tile" in entry:
            yield from _unknown_icons(
                join_pointer("tiles", number, "tile", "icons"),
                entry["tile"].get("icons", ()),
                known,
            )


def _unknown_icons(pointer: str, icons: Sequence[Any], known: Sequence[str]) -> Iterator[Problem]:
    for index, icon in enumerate(icons):
        given: Json = {"name": icon} if isinstance(icon, str) else icon
        if "text" not in given and given["name"] not in known:
            at = f"{pointer}/{index}" if isinstance(icon, str) else f"{pointer}/{index}/name"
            hint = (
                suggestion(given["name"], known)
                or 'draw it as an SVG file and name it in "pictures"'
            )
            message = (
                f'there is no icon or picture "{given["name"]}"; known: {listed(known, most=40)}'
            )
            yield Problem(
                code="RF14", severity=Severity.WARNING, pointer=at, message=message, hint=hint
            )


def landscape_faults(map_id: str, board: Json) -> Iterator[Problem]:
    """RF02 for unknown hexes, RF16 for courses with a gap, RF17 for hexes of two regions, RF18 for
    inland coasts."""
    pointer = join_pointer("maps", map_id)
    for river_id, river in board.get("rivers", {}).items():
        yield from _course(
            board, pointer + join_pointer("rivers", river_id, "course"), river["course"]
        )
    yield from _regions(board, pointer)
    for sea_id, sea in board.get("seas", {}).items():
        for key in ("from", "to"):
            yield from _coast_end(board, pointer + join_pointer("seas", sea_id, key), sea[key])


def _unknown(board: Json, pointer: str, name: str) -> Problem:
    known = board["hexes"]
    message = f'there is no hex "{name}" on this map; known: {listed(known) or "none"}'
    return Problem(code="RF02", pointer=pointer, message=message, hint=suggestion(name, known))


def _course(board: Json, pointer: str, course: list[Any]) -> Iterator[Problem]:
    unknown = [
        index for index, point in enumerate(course) if waypoint_hex(point) not in board["hexes"]
    ]
    for index in unknown:
        yield _unknown(board, f"{pointer}/{index}", waypoint_hex(course[index]))
    if unknown:
        return
    scheme, layout = build_scheme(board["coordinates"]), Layout(board["layout"])
    points = [build_waypoint(scheme, point) for point in course]
    for index, (one, other) in enumerate(pairwise(points)):
        if not joined(one, other, layout):
            ends = " and ".join(waypoint_hex(point) for point in course[index : index + 2])
            message = f"the course has a gap: places {index + 1} and {index + 2} (in {ends}) touch no common hex"
            hint = "name the hexes, edges or corners between them"
            yield Problem(code="RF16", pointer=f"{pointer}/{index + 1}", message=message, hint=hint)


def _regions(board: Json, pointer: str) -> Iterator[Problem]:
    region_of: dict[str, str] = {}
    zones = dict.fromkeys(
        hexagon["zone"] for hexagon in board["hexes"].values() if "zone" in hexagon
    )
    for region_id, region in board.get("regions", {}).items():
        at = pointer + join_pointer("regions", region_id)
        if ("hexes" in region) == ("zone" in region):
            both = (
                "both its hexes and its zone"
                if "zone" in region
                else "neither its hexes nor its zone"
            )
            message, hint = f'region "{region_id}" says {both}', 'say one of them: "hexes": ["D4"]'
            yield Problem(code="RF17", pointer=at, message=message, hint=hint, at_key=True)
        elif "zone" in region and region["zone"] not in zones:
            message = (
                f'there is no zone "{region["zone"]}" on this map; known: {listed(zones) or "none"}'
            )
            hint = suggestion(region["zone"], zones)
            yield Problem(code="RF02", pointer=f"{at}/zone", message=message, hint=hint)
        for index, name in enumerate(region_hexes(region, board["hexes"])):
            where = f"{at}/hexes/{index}" if index < len(region.get("hexes", ())) else f"{at}/zone"
            if name not in board["hexes"]:
                yield _unknown(board, where, name)
            elif region_of.setdefault(name, region_id) != region_id:
                message = f'hex "{name}" is already in region "{region_of[name]}"'
                yield Problem(
                    code="RF17", pointer=where, message=message, hint="leave it in one of the two"
                )


def _coast_end(board: Json, pointer: str, corner: Json) -> Iterator[Problem]:
    if corner["hex"] not in board["hexes"]:
        yield _unknown(board, f"{pointer}/hex", corner["hex"])
        return
    scheme = build_scheme(board["coordinates"])
    known = {scheme.parse(name) for name in board["hexes"]}
    if all(at in known for at in build_waypoint(scheme, corner).touches(Layout(board["layout"]))):
        message = f"corner {corner['corner']} of {corner['hex']} is not on the outline of the board"
        hint = "corner 2 lies between edges 2 and 3; edge 0 is the bottom or lower left"
        yield Problem(code="RF18", pointer=pointer, message=message, hint=hint)


# Checks, each with the paths that it reads, as `foundation/pointers.py` reads them.
_CHECKS: tuple[tuple[tuple[str, ...], Callable[[Names], Iterator[Problem]]], ...] = (
    (("tiles/.",), _tiles),
    (("tiles/.",), _own_tiles),
    (("tiles",), _other_sides),
    (("maps/./coordinates", "maps/./hexes/+"), _coordinates),
    (("maps/./boards", "pieces/rounds", "market", "players"), _boards),
    (("maps/./hexes/.",), _hex_topology),
    (("maps/+/hexes/+", "companies|privates/."), _homes),
    (("maps/./hexes", "maps/./zones"), _zone_names),
    (("maps/.",), _landscape),
    (("maps/./hexes/.", "tiles/.", "pictures"), _icons),
    (("atlas",), _atlas),
    (("atlas", "companies"), _map_tile_companies),
    (("privates/.",), _privates),
    (("trains/.",), _permanence),
    (("phases/.",), _status),
    (("market",), _zones),
    (("market", "pieces/par_chart"), _par_chart),
    (("pieces/.",), _pieces),
    (("pieces/sizes/.", "companies", "privates"), _sizes_of_classes),
    (("pieces/rounds", "pieces/rounds_once"), _rounds),
    (("aids/.", "players"), _tables),
    (("terms/.",), _terms),
    (
        (
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
        ),
        _facts,
    ),
    (("wording",), _wordings),
    (("companies|privates/.", "pictures", "maps/+/hexes/+", "tiles"), _shown),
)
