"""Models built from checked JSON where a value depends on its context: titles, the catalogue of
standard tiles, and the box of map tiles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from platelayer.definitions.assemble import with_facts
from platelayer.definitions.decode import Json, decode
from platelayer.definitions.source import read_checked
from platelayer.foundation.languages import FixedWords, wordings
from platelayer.foundation.problems import Problem, Problems, ProblemsFound, join_pointer
from platelayer.foundation.resources import asset_json, title_path
from platelayer.foundation.text import Text, numbered
from platelayer.model.company import (
    COMPANIES,
    PRIVATES,
    Company,
    Liveries,
    Livery,
    LiveryColours,
    Motif,
    Picture,
)
from platelayer.model.described import text
from platelayer.model.gamemap import (
    Coord,
    CoordinateScheme,
    GameMap,
    Layout,
    MapHex,
    NextLand,
    Region,
    River,
    Sea,
    Waypoint,
    centre_mm,
)
from platelayer.model.map_tiles import AtlasBox, Ground, Mode, Stacks, company_of, ground_of
from platelayer.model.tile import Revenue, Tile
from platelayer.model.title import (
    MARKER_COLOUR,
    UNLIMITED,
    Aid,
    AidSection,
    AidTable,
    Marker,
    Pieces,
    PlayerCount,
    TileCount,
    Title,
    printed_amount,
)
from platelayer.model.train import Phase
from platelayer.scene.inks import clearer_on, ink_from_hex, readable_on

# Checks for impossible stops and track of tiles and hexes.


def topology_faults(pointer: str, tile: Mapping[str, Any]) -> Problems:
    """Yield RF07 for track that leads to a stop that does not exist, and DF02 for attributes that a
    stop or segment cannot have."""
    stops = tile.get("stops", ())
    for index, segment in enumerate(tile.get("track", ())):
        at = f"{pointer}/track/{index}"
        for side, end in enumerate(segment[:2]):
            if isinstance(end, str) and end.startswith("stop:") and int(end[5:]) >= len(stops):
                has = numbered("stop", len(stops))
                message = f'"{end}" does not exist: this hex or tile has {has}'
                yield Problem("RF07", message, pointer=f"{at}/{side}")
        if segment[0] == segment[1]:
            message = "a segment of track joins two different ends"
            yield Problem("DF02", message, pointer=at)
        lanes = segment[2].get("lanes", ()) if len(segment) > 2 else ()
        for side, (width, lane) in enumerate(lanes):
            if lane >= width:
                message = f"there is no lane {lane} among {width}; lanes are counted from 0"
                yield Problem("DF02", message, pointer=f"{at}/2/lanes/{side}")
    for index, stop in enumerate(stops):
        kind = stop["kind"]
        # Attributes that only some kinds of stop have.
        wrong = []
        if kind in ("town", "halt", "offboard") and stop.get("slots"):
            wrong.append(
                ("slots", f"a stop of kind {kind} has no station slots", "leave slots out")
            )
        if stop.get("boom") and kind not in ("town", "city"):
            wrong.append(("boom", "only a town or a city is a boomtown", "leave boom out"))
        if "symbol" in stop and kind != "halt":
            wrong.append(("symbol", "only a halt has a symbol", "use an icon with a text"))
        if "size" in stop and kind != "pass":
            wrong.append(("size", "only a pass has a size", "leave size out"))
        for key, message, hint in wrong:
            at = f"{pointer}/stops/{index}/{key}"
            yield Problem("DF02", message, hint, pointer=at)


LOST_ATLAS = "lost-atlas"
# Key of the block, both in a file of map tiles and in a title.
BLOCK = "atlas"


@cache
def shipped_box() -> AtlasBox:
    """Return the shipped box of Railways of the Lost Atlas."""
    return load_box(title_path(LOST_ATLAS) / "map-tiles.json")


def load_box(path: Path) -> AtlasBox:
    """Return a box from a file that follows the schema "map-tiles".

    Raises ProblemsFound: RF01 for a map tile that does not exist, RF07 and DF02 for impossible
    track and stops, RF03 for a company without a home, SC04 for a mode with impossible numbers, and
    FI, JS and SC codes.
    """
    document = read_checked(path, "map-tiles")
    problems = [fault.located(document.place) for fault in box_faults(document.value[BLOCK])]
    if problems:
        raise ProblemsFound(problems)
    return build_box(document.value[BLOCK])


def build_box(raw: Json) -> AtlasBox:
    """Return the model of a sound block `atlas`."""
    modes = []
    for mode_id, mode in raw["modes"].items():
        cash = tuple(sorted((int(players), amount) for players, amount in mode["cash"].items()))
        given: dict[str, Any] = {"players": tuple(players for players, _ in cash), "cash": cash}
        if "stacks" in mode:
            stacks = decode(Stacks, mode["stacks"])
            given |= {
                "stacks": stacks.count,
                "homes_per_stack": stacks.homes,
                "stack_homes": stacks.dealt_as_homes,
            }
        modes.append(decode(Mode, mode, id=mode_id, **given))
    return decode(AtlasBox, raw, modes=tuple(modes))


def box_faults(raw: Json) -> Problems:
    """Yield problems of a sound block `atlas` that the schema cannot find: tiles that do not exist
    (RF01), impossible track and stops (RF07, DF02), companies without a home (RF03), and counts
    that do not add up (SC04). Pointers begin with /atlas."""
    tiles = raw["map_tiles"]
    for number, tile in tiles.items():
        for index, hexagon in enumerate(tile["hexes"]):
            if isinstance(hexagon, dict):
                at = join_pointer(BLOCK, "map_tiles", number, "hexes", index, "tile")
                yield from topology_faults(at, hexagon["tile"])
    at_home = {company_of(hexagon) for tile in tiles.values() for hexagon in tile["hexes"]}
    known = {*raw.get("homeless", ()), *at_home}
    named = [
        (("bridging", index), company) for index, company in enumerate(raw.get("bridging", ()))
    ]
    for power in ("mountain_bonuses", "extra_stops", "suburbs"):
        named += [((power, company), company) for company in raw.get(power, ())]
    for pointer, company in named:
        if company not in known:
            message = f'no company "{company}" is at home on a map tile'
            at = join_pointer(BLOCK, *pointer)
            yield Problem("RF03", message, pointer=at, at_key=pointer[0] != "bridging")
    copies = {number: tile.get("copies", 1) for number, tile in tiles.items()}
    for mode_id, mode in raw["modes"].items():
        base = join_pointer(BLOCK, "modes", mode_id)
        removed: dict[str, int] = mode.get("removed", {})
        for number, count in removed.items():
            at = base + join_pointer("removed", number)
            if number not in copies:
                message = f"there is no map tile {number}"
                yield Problem("RF01", message, pointer=at, at_key=True)
            elif count > copies[number]:
                message = f"{count} copies stay in the box, which has {copies[number]}"
                yield Problem("SC04", message, pointer=at, at_key=True)
        left = {number: max(0, count - removed.get(number, 0)) for number, count in copies.items()}
        stacks = mode.get("stacks", {})
        also = [str(number) for number in stacks.get("dealt_as_homes", ())]
        for index, number in enumerate(also):
            if number not in copies:
                at = f"{base}/stacks/dealt_as_homes/{index}"
                message = f"there is no map tile {number}"
                yield Problem("RF01", message, pointer=at)
        if stacks:
            homes = sum(
                left[number]
                for number, tile in tiles.items()
                if number in also or Ground.HOME in map(ground_of, tile["hexes"])
            )
            dealt = stacks["count"] * stacks["homes"]
            if dealt != homes:
                message = (
                    f"{stacks['count']} stacks of {stacks['homes']} tiles with homes are {dealt}, "
                    f"but {homes} are in play, with those that are dealt as homes"
                )
                yield Problem("SC04", message, pointer=f"{base}/stacks/homes")
        in_play, used = sum(left.values()), mode["map_tiles"] * stacks.get("count", 1)
        if used != in_play:
            message = f"{used} map tiles are laid or dealt, but {in_play} are in play"
            yield Problem("SC04", message, pointer=f"{base}/map_tiles")
        if mode["capital_projects"] * stacks.get("count", 1) > raw["capital_projects"]:
            message = f"the box has {raw['capital_projects']} capital projects in all"
            yield Problem("SC04", message, pointer=f"{base}/capital_projects")


card_words = FixedWords("cards")

# Number of printed copies of an unlimited tile that does not state one.
PRINTED = 20
_ALL = "all"
# Default colour of a private company.
PRIVATE_COLOUR = "#e9d8a6"


def build_title(
    raw: Json,
    variant: str | None = None,
    *,
    companies: Json | None = None,
    pictures: tuple[Picture, ...] = (),
) -> Title:
    """Return the model of an assembled title. `variant` is the id of the variant that was applied,
    `companies` are those it was applied to; `pictures` are those in the title's folder."""
    raw = with_facts(raw)
    # Roundels are divided among all companies of the title and the variant, so that a variant does
    # not change the roundels of its title.
    line_up = {**companies, **raw.get("companies", {})} if companies else {}
    tiles = raw.get("tiles", {})
    most = max(map(int, raw.get("players", ())), default=1)
    # The title's own words: its terms, then those of its wordings. A term in one language does not
    # hide the wording's words in other languages.
    by_name: dict[str, Text] = {}
    for wording in raw.get("wording", ()):
        by_name |= wordings()[wording]
    for name, given in raw.get("terms", {}).items():
        own = text(given)
        before = by_name[name].forms if name in by_name else ()
        by_name[name] = Text((*own.forms, *(form for form in before if not own.has(form[0]))))
    return decode(
        Title,
        {"bank": None, **raw},
        terms=tuple(by_name.items()),
        players=_players(raw),
        maps=tuple(build_map(map_id, board) for map_id, board in raw.get("maps", {}).items()),
        tiles=tuple(_tile_count(number, tile, tiles) for number, tile in tiles.items()),
        companies=tuple(
            _company(company_id, company, block)
            for block in (COMPANIES, PRIVATES)
            for company_id, company in raw.get(block, {}).items()
        ),
        line_up=tuple(_company(company_id, company) for company_id, company in line_up.items()),
        phases=tuple(
            decode(
                Phase,
                phase,
                id=phase_id,
                # Platelayer's words for a status, or else the title's own.
                status=tuple(
                    (isinstance(each, str) and card_words.table("status").get(each)) or text(each)
                    for each in phase.get("status", ())
                ),
            )
            for phase_id, phase in raw.get("phases", {}).items()
        ),
        pieces=_pieces(raw),
        aids=tuple(
            _aid(aid_id, aid, raw, players=most) for aid_id, aid in raw.get("aids", {}).items()
        ),
        variant=variant,
        pictures=pictures,
        livery=build_livery(raw["id"], raw.get("livery")),
        atlas=build_box(raw["atlas"]) if "atlas" in raw else None,
    )


def _players(raw: Json) -> tuple[PlayerCount, ...]:
    counts = []
    for players, entry in sorted(raw.get("players", {}).items(), key=lambda item: int(item[0])):
        limit = entry.get("certificate_limit")
        limits: tuple[tuple[int, int], ...] = ()
        if isinstance(limit, Mapping):
            by_left = ((int(left), limit) for left, limit in limit.items())
            limits = tuple(sorted(by_left, reverse=True))
            limit = limits[0][1]
        own = {"players": int(players), "certificate_limit": limit, "limits": limits}
        counts.append(decode(PlayerCount, entry, **own))
    return tuple(counts)


def _tile_count(number: str, raw: Any, tiles: Json) -> TileCount:
    entry = raw if isinstance(raw, dict) else {"count": raw}
    if "back_of" in entry:
        front = _tile_count(entry["back_of"], tiles[entry["back_of"]], {})
        count, unlimited = front.count, front.unlimited
    else:
        unlimited = entry["count"] == UNLIMITED
        count = entry.get("printed", PRINTED) if unlimited else entry["count"]
    standard = catalogue_tile(number) if number in catalogue_definitions() else None
    tile = build_tile(number, entry["tile"]) if "tile" in entry else standard
    return decode(TileCount, entry, tile=tile, count=count, standard=standard, unlimited=unlimited)


def contrasting(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    return readable_on(ink_from_hex(colour)).hex


def clearer(colour: str) -> str:
    """Return the colour of the most legible letters on a colour."""
    return clearer_on(ink_from_hex(colour)).hex


def _company(company_id: str, raw: Json, block: str = COMPANIES) -> Company:
    colour = raw.get("colour", PRIVATE_COLOUR)
    worked_out = {"colour": colour, "second": contrasting(colour), "text_colour": clearer(colour)}
    incomes = decode(Revenue, raw["income"]) if "income" in raw else ()
    return decode(
        Company,
        {**worked_out, **raw},
        id=company_id,
        block=block,
        income=incomes[0].value if incomes else None,
        incomes=incomes if len(incomes) > 1 else (),
    )


def _pieces(title: Json) -> Pieces:
    raw = title.get("pieces", {})
    phase_cards = raw.get("phase_cards", 1 if title.get("phases") else 0)
    if isinstance(phase_cards, int):
        # One card lists all phases.
        phase_cards = {"phases": {"front": (), "count": phase_cards}} if phase_cards else {}
    board = raw.get("bank_board")
    if board:
        trains = [*title.get("trains", ())]
        rows = [
            [{**area, "trains": trains} if area.get("trains") == _ALL else area for area in row]
            for row in board["rows"]
        ]
        raw = {**raw, "bank_board": {**board, "rows": rows}}
    markers = []
    for marker_id, marker in raw.get("markers", {}).items():
        contrast = contrasting(marker.get("colour", MARKER_COLOUR))
        markers.append(decode(Marker, {"text_colour": contrast, **marker}, id=marker_id))
    return decode(Pieces, {**raw, "phase_cards": phase_cards}, markers=tuple(markers))


def _aid(aid_id: str, raw: Json, title: Json, *, players: int) -> Aid:
    """Return an aid; without a count there is one for each player."""
    phases = raw.get("phases", False)
    sections = tuple(_section(section, title) for section in raw["sections"])
    back = tuple(_section(section, title) for section in raw.get("back", ()))
    return decode(
        Aid,
        {"count": players, **raw},
        id=aid_id,
        sections=() if phases else sections,
        back=(*sections, *back) if phases else back,
    )


def _section(raw: Json, title: Json) -> AidSection:
    if raw.get("table") != "players":
        return decode(AidSection, raw)
    table = players_table(_players(title), title.get("currency", "{}"))
    return decode(AidSection, raw, table=table)


def build_tile(tile_id: str, raw: Json) -> Tile:
    """Return a tile, or what is printed on a hex, from its definition; without a colour it is
    white."""
    return decode(Tile, {"colour": "white", **raw}, id=tile_id)


def build_scheme(raw: Json) -> CoordinateScheme:
    """Return the scheme of a map's printed coordinates."""
    return decode(CoordinateScheme, raw)


def build_map(map_id: str, raw: Json) -> GameMap:
    """Return a map with its hexes ordered from top to bottom and left to right, whatever their
    order in the file."""
    scheme = build_scheme(raw["coordinates"])
    hexes = (
        decode(MapHex, hexagon, at=_at(scheme, printed), tile=build_tile(printed, hexagon))
        for printed, hexagon in raw["hexes"].items()
    )
    rivers = (
        decode(
            River,
            river,
            id=river_id,
            course=tuple(build_waypoint(scheme, point) for point in river["course"]),
        )
        for river_id, river in raw.get("rivers", {}).items()
    )
    regions = (
        decode(Region, region, id=region_id, hexes=region_hexes(region, raw["hexes"]))
        for region_id, region in raw.get("regions", {}).items()
    )
    seas = (
        decode(
            Sea,
            sea,
            id=sea_id,
            start=build_waypoint(scheme, sea["from"]) if "from" in sea else None,
            end=build_waypoint(scheme, sea["to"]) if "to" in sea else None,
            coasts=tuple(
                build_coast(scheme, Layout(raw["layout"]), line) for line in sea.get("coasts", ())
            ),
        )
        for sea_id, sea in raw.get("seas", {}).items()
    )
    beyond = (
        decode(
            NextLand,
            land,
            id=land_id,
            near=build_waypoint(scheme, land["near"]),
            mountains=tuple(build_waypoint(scheme, at) for at in land.get("mountains", ())),
        )
        for land_id, land in raw.get("beyond", {}).items()
    )
    return decode(
        GameMap,
        raw,
        id=map_id,
        scheme=scheme,
        hexes=tuple(sorted(hexes, key=lambda hexagon: (hexagon.at.y, hexagon.at.x))),
        rivers=tuple(rivers),
        regions=tuple(regions),
        seas=tuple(seas),
        beyond=tuple(beyond),
    )


def build_waypoint(scheme: CoordinateScheme, raw: str | Json) -> Waypoint:
    """Return a place on a map."""
    if isinstance(raw, str):
        return Waypoint(_at(scheme, raw))
    towards = raw["corner"] + 0.5 if "corner" in raw else raw["edge"]
    return Waypoint(_at(scheme, raw["hex"]), float(towards), float(raw.get("distance", 1.0)))


def build_coast(
    scheme: CoordinateScheme, layout: Layout, line: Sequence[Json]
) -> tuple[tuple[float, float], ...]:
    """Return the points of a coast, in hex widths from the middle of hex (0, 0)."""
    points: list[tuple[float, float]] = []
    for piece in line:
        x, y = centre_mm(_at(scheme, piece["hex"]), layout, 1.0)
        points += ((x + right / 100, y + down / 100) for right, down in piece["points"])
    return tuple(points)


def waypoint_hex(raw: str | Json) -> str:
    """Return the hex that a place names."""
    return raw if isinstance(raw, str) else str(raw["hex"])


def region_hexes(raw: Json, hexes: Json) -> tuple[str, ...]:
    """Return the printed coordinates of a region's hexes: those it lists, and those of its zone."""
    zone = raw.get("zone")
    names = raw.get("hexes", ())
    if zone is None:
        return tuple(names)
    return (*names, *(name for name, hexagon in hexes.items() if hexagon.get("zone") == zone))


def _at(scheme: CoordinateScheme, printed: str) -> Coord:
    return scheme.parse(printed) or Coord(0, 0)


_NONE = "–"


def players_table(counts: Sequence[PlayerCount], currency: str) -> AidTable:
    """Return a table by number of players: cash, certificate limits (with a row for each number of
    companies left, if they depend on it) and, if it differs, the bank. Empty rows are omitted."""

    def row(name: Text, amounts: Iterable[int | None], pattern: str) -> tuple[Text, list[str]]:
        return name, [
            _NONE if amount is None else printed_amount(amount, pattern) for amount in amounts
        ]

    rows = [row(card_words("cash"), (count.cash for count in counts), currency)]
    known = sorted({left for count in counts for left, _ in count.limits}, reverse=True)
    if not known:
        limits = (count.certificate_limit for count in counts)
        rows.append(row(card_words("certificate_limit"), limits, "{}"))
    for left in known:
        limits = (dict(count.limits).get(left, count.certificate_limit) for count in counts)
        rows.append(row(card_words("with_companies").fill(left), limits, "{}"))
    rows.append(row(card_words("bank"), (count.bank for count in counts), currency))
    return AidTable(
        head=(card_words("players"), *(Text.plain(str(count.players)) for count in counts)),
        rows=tuple(
            (name, *map(Text.plain, cells)) for name, cells in rows if set(cells) != {_NONE}
        ),
    )


# The catalogue of standard tiles (assets/tiles).


# Files of the catalogue, in the order of the contact sheet.
_FILES = ("white", "yellow", "green", "mixed", "brown", "gray")


@cache
def catalogue_definitions() -> dict[str, Any]:
    """Return every tile of the catalogue by number, as its JSON definition, in catalogue order.
    Shipped files are checked by the tests, not at run time."""
    tiles: dict[str, Any] = {}
    for stem in _FILES:
        tiles |= asset_json("tiles", f"{stem}.json")["tiles"]
    return tiles


@cache
def catalogue_tile(number: str) -> Tile:
    """Return a tile of the catalogue. Raises KeyError for an unknown number."""
    return decode(Tile, catalogue_definitions()[number], id=number)


def catalogue_tiles() -> tuple[Tile, ...]:
    """Return all tiles of the catalogue, for the contact sheet."""
    return tuple(map(catalogue_tile, catalogue_definitions()))


# Liveries: those shipped with Platelayer (assets/liveries.json), and the livery of a title.


_COLOURS = ("paper", "line", "accent", "metal")


@cache
def _shipped() -> Liveries:
    """Return the shipped liveries, which are checked by the tests, not at run time."""
    raw = asset_json("liveries.json")
    return decode(Liveries, raw)


@cache
def liveries() -> Mapping[str, LiveryColours]:
    """Return the shipped liveries by id."""
    return {livery.id: livery for livery in _shipped().liveries}


@cache
def motifs() -> Mapping[str, Motif]:
    """Return the ornaments of the shipped liveries, by id."""
    return {motif.id: motif for motif in _shipped().motifs}


def build_livery(title_id: str, written: Any = None) -> Livery:
    """Return the livery of a title: what its definition gives, completed by the livery that it
    names or, without one, by a livery that follows from its id.

    The latter combines the motif of one livery with the colours of another, so that two titles in a
    hundred and forty look alike by chance. It depends only on the id, because no edit of a title
    should change the look of all its pieces.
    """
    stated = {"like": written} if isinstance(written, str) else dict(written or {})
    if "like" in stated:
        colours = dressed = liveries()[stated["like"]]
    else:
        choice, shipped = hashlib.sha256(title_id.encode()).digest(), tuple(liveries().values())
        colours, dressed = (shipped[byte % len(shipped)] for byte in choice[:2])
    left_out = {name: getattr(colours, name) for name in _COLOURS}
    whole = {"like": colours.id, "motif": dressed.motif, **left_out, **stated}
    return decode(Livery, whole, ornament=motifs()[whole["motif"]])
