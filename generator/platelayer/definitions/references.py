"""References to tiles, hexes, companies, trains, phases and zones that do not exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from platelayer.definitions.atlas_box import box_faults
from platelayer.definitions.build_board import build_scheme, cell_zones
from platelayer.definitions.build_title import trains_of_phase
from platelayer.definitions.catalogue import catalogue_definitions
from platelayer.definitions.landscape import landscape_faults
from platelayer.definitions.quick import raw_schema
from platelayer.definitions.topology import topology_faults
from platelayer.foundation.languages import FixedWords, terms, wordings
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import listed, suggestion
from platelayer.model.company import COMPANIES, PRIVATES, CompanyKind
from platelayer.model.hexes import beside
from platelayer.model.kinds import KINDS, Form
from platelayer.model.title import kind_of_size

Json = Mapping[str, Any]

MAX_CHART_SPACES = 1000

board_words = FixedWords("map")
cards = FixedWords("cards")

_FIELD_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")


class Names:
    """What an assembled title (sound where it is read) defines for others to refer to."""

    def __init__(self, title: Json) -> None:
        self.title = title

    def block(self, name: str) -> Json:
        """A block, empty when the title has none."""
        found: Json = self.title.get(name) or {}
        return found

    def all_companies(self) -> Iterator[tuple[str, Json]]:
        """Each company of either block, with its pointer."""
        for block in (COMPANIES, PRIVATES):
            for company_id, company in self.block(block).items():
                yield join_pointer(block, company_id), company

    @cached_property
    def hexes(self) -> dict[str, dict[str, Json]]:
        """By printed coordinates: the hex on each map (by id) that has it."""
        found: dict[str, dict[str, Json]] = {}
        for map_id, board in self.block("maps").items():
            for name, each in board["hexes"].items():
                found.setdefault(name, {})[map_id] = each
        return found

    @cached_property
    def trains(self) -> frozenset[str]:
        """Ids of trains, and names of their faces."""
        faces = (face["name"] for train in self.block("trains").values() for face in train.get("faces", [train]))
        return frozenset((*self.block("trains"), *faces))

    @cached_property
    def company_classes(self) -> frozenset[str]:
        """Kinds and sizes of company, by which limits are given."""
        sizes = (company["size"] for _, company in self.all_companies() if "size" in company)
        return frozenset((*(kind.value for kind in CompanyKind), *sizes))

    @cached_property
    def revenue_keys(self) -> frozenset[str]:
        """The keys that a revenue may have: tile colours, phases, and the keys that phases name."""
        phases = self.block("phases")
        keys = (phase["revenue"] for phase in phases.values() if "revenue" in phase)
        return frozenset((*raw_schema("common")["$defs"]["colour_name"]["enum"], *phases, *keys))


Check = Callable[[Names], Iterator[Problem]]


def reference_faults(title: Json, unsound: Iterable[str] = ()) -> Iterator[Problem]:
    """Every fault found by the checks whose blocks are all sound."""
    names, barred = Names(title), set(unsound)
    for blocks, check in _CHECKS:
        if not barred.intersection(blocks):
            yield from check(names)


def _unknown(code: str, pointer: str, kind: str, name: str, known: Iterable[str], *, key: bool = False) -> Problem:
    known = list(known)
    message = f'there is no {kind} "{name}" in this title; known: {listed(known) or "none"}'
    return Problem(code=code, pointer=pointer, message=message, hint=suggestion(name, known), at_key=key)


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
            yield _unknown("RF01", pointer, "tile", front, tiles)
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
                yield _unknown("RF04", at, "tile colour or phase", key, sorted(names.revenue_keys), key=True)


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
                yield _unknown("RF03", f"{pointer}/reserved/{index}", "company", company, companies)


def _border_phases(names: Names) -> Iterator[Problem]:
    phases = names.block("phases")
    for pointer, each in _each_hex(names):
        for index, border in enumerate(each.get("borders", ())):
            for key in ("since", "until"):
                if key in border and border[key] not in phases:
                    yield _unknown("RF04", f"{pointer}/borders/{index}/{key}", "phase", border[key], phases)


def _homes(names: Names) -> Iterator[Problem]:
    """RF02 and RF07 for homes and destinations, RF02 for blocked hexes. A home is on every map that has its hex."""
    several = len(names.block("maps")) > 1
    for pointer, company in names.all_companies():
        places = [(f"{pointer}/homes/{index}", home) for index, home in enumerate(company.get("homes", ()))]
        if "destination" in company:
            places.append((f"{pointer}/destination", company["destination"]))
        for at, home in places:
            if home["hex"] not in names.hexes:
                yield _unknown("RF02", f"{at}/hex", "hex", home["hex"], names.hexes)
                continue
            counts = {map_id: len(each.get("stops", ())) for map_id, each in names.hexes[home["hex"]].items()}
            lacking = [map_id for map_id, count in counts.items() if home.get("stop", -1) >= count]
            if lacking:
                where = f' of map "{lacking[0]}"' if several else ""
                message = f"there is no stop {home['stop']} in {home['hex']}{where}: it has {counts[lacking[0]]}"
                yield Problem(code="RF07", pointer=f"{at}/stop", message=f"{message}, counted from 0")
        for index, blocked in enumerate(company.get("blocks", ())):
            if blocked not in names.hexes:
                yield _unknown("RF02", f"{pointer}/blocks/{index}", "hex", blocked, names.hexes)


def _privates(names: Names) -> Iterator[Problem]:
    """DF07 for companies in the block of privates that operate."""
    for company_id, company in names.block(PRIVATES).items():
        if company["kind"] not in _NOT_OPERATING:
            message = f'"{company_id}" is a company of kind {company["kind"]}; here are privates and concessions only'
            hint = "move it to the block companies"
            pointer = join_pointer(PRIVATES, company_id, "kind")
            yield Problem(code="DF07", pointer=pointer, message=message, hint=hint)


_NOT_OPERATING = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


def _overlays(names: Names) -> Iterator[Problem]:
    """RF02 for overlays of hexes that no map has."""
    for overlay_id, overlay in names.block("pieces").get("overlays", {}).items():
        if overlay["hex"] not in names.hexes:
            yield _unknown(
                "RF02", join_pointer("pieces", "overlays", overlay_id, "hex"), "hex", overlay["hex"], names.hexes
            )


def _zone_names(names: Names) -> Iterator[Problem]:
    """RF02 for names of zones that contain no hex of their map."""
    for map_id, board in names.block("maps").items():
        known = dict.fromkeys(each["zone"] for each in board["hexes"].values() if "zone" in each)
        for zone in board.get("zones", {}):
            if zone not in known:
                yield _unknown("RF02", join_pointer("maps", map_id, "zones", zone), "zone", zone, known, key=True)


def _landscape(names: Names) -> Iterator[Problem]:
    """RF02 and RF16 to RF18 for rivers, regions and seas."""
    for map_id, board in names.block("maps").items():
        yield from landscape_faults(map_id, board)


def _train_names(names: Names) -> Iterator[Problem]:
    """RF04: trains and phases that trains name."""
    phases = names.block("phases")
    for train_id, train in names.block("trains").items():
        pointer = join_pointer("trains", train_id)
        if "starts" in train and train["starts"] not in phases:
            yield _unknown("RF04", f"{pointer}/starts", "phase", train["starts"], phases)
        for at, face in _faces(pointer, train):
            for key in ("rusts_on", "obsolete_on"):
                for index, name in enumerate(face.get(key, ())):
                    if name not in names.trains and name not in phases:
                        known = (*names.block("trains"), *phases)
                        yield _unknown("RF04", f"{at}/{key}/{index}", "train or phase", name, dict.fromkeys(known))
            for index, trade in enumerate(face.get("trade_ins", ())):
                if trade["train"] not in names.trains:
                    at_trade = f"{at}/trade_ins/{index}/train"
                    yield _unknown("RF04", at_trade, "train", trade["train"], names.block("trains"))
            if "available_from" in face and face["available_from"] not in phases:
                yield _unknown("RF04", f"{at}/available_from", "phase", face["available_from"], phases)


def _train_companies(names: Names) -> Iterator[Problem]:
    """RF10: companies that alone may run a train, and that there are not."""
    for train_id, train in names.block("trains").items():
        for at, face in _faces(join_pointer("trains", train_id), train):
            if "who" in face and face["who"] not in names.company_classes:
                known = sorted(names.company_classes)
                yield _unknown("RF10", f"{at}/who", "kind or size of company", face["who"], known)


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
                hint = "remove one of the two" if ends else 'add "rusts_on": [...] or "permanent": true'
                yield Problem(code="DF01", pointer=pointer, message=message, hint=hint, at_key=True)


def _phase_trains(names: Names) -> Iterator[Problem]:
    for phase_id, phase in names.block("phases").items():
        pointer = join_pointer("phases", phase_id, "on")
        for index, name in enumerate(trains_of_phase(phase)):
            if name not in names.trains:
                at = f"{pointer}/{index}" if isinstance(phase["on"], list) else pointer
                yield _unknown("RF04", at, "train", name, names.block("trains"))


def _status(names: Names) -> Iterator[Problem]:
    """RF15 for what looks like a name of the field, but is none that Platelayer has words for."""
    known = cards.table("status")
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


def _limits(names: Names) -> Iterator[Problem]:
    for phase_id, phase in names.block("phases").items():
        for who in phase["train_limits"]:
            if who not in names.company_classes:
                pointer = join_pointer("phases", phase_id, "train_limits", who)
                yield _unknown("RF10", pointer, "kind or size of company", who, sorted(names.company_classes), key=True)


def _zones(names: Names) -> Iterator[Problem]:
    """RF05 for letters without a zone, DF03 for a line of several rows."""
    market = names.block("market")
    zones = market.get("zones", {})
    spaces: dict[str, list[str]] = {}
    for row, cells in enumerate(market.get("rows", ())):
        for column, cell in enumerate(cells):
            for letter in cell_zones(cell):
                spaces.setdefault(letter, []).append(f"/market/rows/{row}/{column}")
    for letter in (each for each in spaces if each not in zones):
        first, *others = spaces[letter]
        more = f" ({len(others) + 1} spaces)" if others else ""
        message = f'there is no market zone "{letter}" in this title{more}; known: {listed(zones) or "none"}'
        entry = '{"name": "Start price", "colour": "tile.yellow", "par": true}'
        hint = suggestion(letter, zones) or f'add "{letter}" to the zones of the market, for example {entry}'
        yield Problem(code="RF05", pointer=first, message=message, hint=hint)
    if market and market["shape"] not in ("grid", "hex") and len(market["rows"]) > 1:
        message = f"a market of shape {market['shape']} has one row, not {len(market['rows'])}"
        yield Problem(code="DF03", pointer="/market/rows", message=message, hint='give it one row, or the shape "grid"')


def _par_chart(names: Names) -> Iterator[Problem]:
    """DF03 for a par chart without prices."""
    chart, market = names.block("pieces").get("par_chart"), names.block("market")
    par = {letter for letter, zone in market.get("zones", {}).items() if zone.get("par")}
    cells = (cell for row in market.get("rows", ()) for cell in row)
    if chart and not chart.get("prices") and not any(par.intersection(cell_zones(cell)) for cell in cells):
        message = "the par chart has no prices, and no space of the market is a start price"
        hint = 'give it "prices": [60, 70, 80], or a zone of the market "par": true'
        yield Problem(code="DF03", pointer="/pieces/par_chart", message=message, hint=hint)


def _zone_companies(names: Names) -> Iterator[Problem]:
    for letter, zone in names.block("market").get("zones", {}).items():
        if "who" in zone and zone["who"] not in names.company_classes:
            pointer = join_pointer("market", "zones", letter, "who")
            yield _unknown("RF10", pointer, "kind or size of company", zone["who"], sorted(names.company_classes))


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
        if known and known.form is not Form.RECTANGLE and isinstance(size, list) and size[0] != size[1]:
            message = f"the size of a {known.id} is one number: flat to flat, or the diameter"
            yield Problem(code="DF04", pointer=join_pointer("pieces", "sizes", key), message=message)
    yield from _sizes_of_classes(names, pieces.get("sizes", {}))
    chart = pieces.get("revenue_chart")
    if chart and chart["top"] / chart["step"] > MAX_CHART_SPACES:
        message = f"{chart['top'] // chart['step']} spaces are too many; at most {MAX_CHART_SPACES} can be drawn"
        yield Problem(
            code="DF04", pointer="/pieces/revenue_chart", message=message, hint="take a larger step or a smaller top"
        )


def _phase_card_phases(names: Names) -> Iterator[Problem]:
    """RF04: phases on phase cards."""
    phases, cards = names.block("phases"), names.block("pieces").get("phase_cards", {})
    for card_id, card in cards.items() if isinstance(cards, Mapping) else ():
        for side in ("front", "back"):
            for index, phase in enumerate(card.get(side, ())):
                if phase not in phases:
                    pointer = join_pointer("pieces", "phase_cards", card_id, side, index)
                    yield _unknown("RF04", pointer, "phase", phase, phases)


def _sizes_of_classes(names: Names, sizes: Json) -> Iterator[Problem]:
    """RF10: a size for the pieces of companies of a size that there is not."""
    classes = sorted({company["size"] for _, company in names.all_companies() if "size" in company})
    for key in sizes:
        _, _, name = key.partition("/")
        if name and name not in classes:
            yield _unknown("RF10", join_pointer("pieces", "sizes", key), "size of company", name, classes, key=True)


def _rounds(names: Names) -> Iterator[Problem]:
    """RF13: rounds beside others that there are not, or that are played once themselves."""
    rounds = names.block("pieces").get("rounds", ())
    known = [each["id"] for each in rounds if "into" not in each and "after" not in each]
    begun: dict[str, str] = {}
    for index, each in enumerate(rounds):
        if "into" in each and "after" not in each:
            other = begun.setdefault(each["into"], each["id"])
            if other != each["id"]:
                message = f'rounds "{other}" and "{each["id"]}" both begin the game before "{each["into"]}"'
                hint = "say by `after` which one comes first"
                yield Problem(code="RF13", pointer=f"/pieces/rounds/{index}/into", message=message, hint=hint)
        if "after" in each and "into" not in each:
            message = f'round "{each["id"]}" does not say which round comes after it'
            pointer = f"/pieces/rounds/{index}/after"
            yield Problem(code="RF13", pointer=pointer, message=message, hint='add "into"')
        for key in ("into", "after"):
            if key in each and each[key] not in known:
                yield _unknown("RF13", f"/pieces/rounds/{index}/{key}", "round", each[key], known)


def _bank_areas(names: Names) -> Iterator[Problem]:
    """RF04 for trains, RF10 for kinds of company that the bank board names and that there are not exist."""
    for row, areas in enumerate(names.block("pieces").get("bank_board", {}).get("rows", ())):
        for column, area in enumerate(areas):
            pointer = f"/pieces/bank_board/rows/{row}/{column}"
            trains = area.get("trains", ())
            for index, train in enumerate(trains if isinstance(trains, list) else ()):  # or the word for all
                if train not in names.block("trains"):
                    yield _unknown("RF04", f"{pointer}/trains/{index}", "train", train, names.block("trains"))
            who = area.get("companies")
            if who is not None and who not in names.company_classes:
                known = sorted(names.company_classes)
                yield _unknown("RF10", f"{pointer}/companies", "kind or size of company", who, known)


def _chains(names: Names) -> Iterator[Problem]:
    tiles = names.block("tiles")
    for row, chain in enumerate(names.block("upgrades").get("chains", ())):
        for column, step in enumerate(chain["steps"]):
            for index, number in enumerate(step):
                if number not in tiles:
                    pointer = f"/upgrades/chains/{row}/steps/{column}/{index}"
                    yield _unknown("RF01", pointer, "tile", number, tiles)


def _tables(names: Names) -> Iterator[Problem]:
    """DF05: rows of a table as wide as its head."""
    for aid_id, aid in names.block("aids").items():
        sides = (("sections", aid["sections"]), ("back", aid.get("back", ())))
        for side, number, section in ((side, *each) for side, sections in sides for each in enumerate(sections)):
            table = section.get("table", {"head": (), "rows": ()})
            if table == "players":
                if not names.block("players"):
                    message = "the title says nothing about numbers of players, so there is no table of them"
                    hint = 'add "players": {"3": {"cash": 450, "certificate_limit": 20}} to the title'
                    pointer = join_pointer("aids", aid_id, side, number, "table")
                    yield Problem(code="DF05", pointer=pointer, message=message, hint=hint)
                continue
            for row, cells in enumerate(table["rows"]):
                if len(cells) != len(table["head"]):
                    pointer = join_pointer("aids", aid_id, side, number, "table", "rows", row)
                    message = f"this row has {len(cells)} cells, but the head of the table has {len(table['head'])}"
                    yield Problem(code="DF05", pointer=pointer, message=message)


def _atlas(names: Names) -> Iterator[Problem]:
    """RF01 and SC04 for map tiles."""
    if names.block("atlas"):
        yield from box_faults(names.block("atlas"))


def _map_tile_revenue(names: Names) -> Iterator[Problem]:
    for number, tile in names.block("atlas").get("map_tiles", {}).items():
        for index, each in enumerate(tile["hexes"]):
            if isinstance(each, Mapping):
                pointer = join_pointer("atlas", "map_tiles", number, "hexes", index, "tile")
                yield from _revenue_keys(pointer, each["tile"], names)


def _wordings(names: Names) -> Iterator[Problem]:
    """RF12 for sets of words that there are not."""
    for index, name in enumerate(names.block("wording")):
        if name not in wordings():
            message = f'there is no wording "{name}"; known: {listed(wordings())}'
            yield Problem(
                code="RF12", pointer=join_pointer("wording", index), message=message, hint=suggestion(name, wordings())
            )


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


def _pictures(names: Names) -> Iterator[Problem]:
    """RF14 for pictures of companies that the title does not have, RF01 and RF02 for tiles and hexes of their cards,
    RF04 for what their income changes with."""
    pictures = names.block("pictures")
    shown: Mapping[str, tuple[str, Iterable[str]]] = {
        "hex": ("RF02", names.hexes),
        "tile": ("RF01", names.block("tiles")),
        "picture": ("RF14", pictures),
    }
    for pointer, company in names.all_companies():
        if "shows" in company:
            kind, _, name = company["shows"].partition(":")
            code, known = shown[kind]
            if name not in known:
                yield _unknown(code, f"{pointer}/shows", kind, name, known)
        income = company.get("income")
        for key in income if isinstance(income, Mapping) else ():
            if key not in names.revenue_keys:
                at = f"{pointer}{join_pointer('income', key)}"
                yield _unknown("RF04", at, "tile colour or phase", key, sorted(names.revenue_keys), key=True)
        if "logo" in company and company["logo"] not in pictures:
            yield _unknown("RF14", f"{pointer}/logo", "picture", company["logo"], pictures)


def _marker_pictures(names: Names) -> Iterator[Problem]:
    known = (*board_words.table("icons"), *names.block("pictures"))
    for marker_id, marker in names.block("pieces").get("markers", {}).items():
        if "picture" in marker and marker["picture"] not in known:
            pointer = join_pointer("pieces", "markers", marker_id, "picture")
            yield _unknown("RF14", pointer, "icon or picture", marker["picture"], known)


# Each check with the blocks it reads: it runs only when all of them are sound.
def _terms(names: Names) -> Iterator[Problem]:
    """RF12 for terms that replace fixed words that do not exist."""
    for name in names.block("terms"):
        if name not in terms():
            message = f'there are no fixed words called "{name}"; assets/languages/en.json lists them'
            yield Problem(
                code="RF12",
                pointer=join_pointer("terms", name),
                message=message,
                hint=suggestion(name, terms()),
                at_key=True,
            )


_CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
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
    (("privates",), _privates),
    (("maps", "pieces"), _overlays),
    (("maps",), _zone_names),
    (("maps",), _landscape),
    (("trains",), _permanence),
    (("trains", "phases"), _train_names),
    (("trains", "phases"), _phase_trains),
    (("trains", "companies", "privates"), _train_companies),
    (("phases",), _status),
    (("phases", "companies", "privates"), _limits),
    (("market",), _zones),
    (("market", "pieces"), _par_chart),
    (("market", "companies", "privates"), _zone_companies),
    (("pieces", "companies", "privates"), _pieces),
    (("pieces", "companies", "privates", "trains"), _bank_areas),
    (("pieces",), _rounds),
    (("pieces", "phases"), _phase_card_phases),
    (("tiles", "upgrades"), _chains),
    (("aids", "players"), _tables),
    (("terms",), _terms),
    (("wording",), _wordings),
    (("maps", "tiles", "pictures"), _icons),
    (("companies", "privates", "pictures", "maps", "tiles", "phases"), _pictures),
    (("pieces", "pictures"), _marker_pictures),
    (("atlas",), _atlas),
    (("atlas", "phases"), _map_tile_revenue),
)
