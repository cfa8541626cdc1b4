"""Models of titles from checked JSON, where a value depends on more than itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from platelayer.definitions.catalogue import build_livery, catalogue_definitions, catalogue_tile
from platelayer.definitions.decode import decode
from platelayer.definitions.facts import with_facts
from platelayer.definitions.map_tiles import build_box
from platelayer.foundation.languages import FixedWords, wordings
from platelayer.foundation.text import Text
from platelayer.model.company import COMPANIES, PRIVATES, Company
from platelayer.model.described import text
from platelayer.model.gamemap import GameMap, MapHex, Region, River, Sea, Waypoint
from platelayer.model.hexes import Coord, CoordinateScheme
from platelayer.model.picture import Picture
from platelayer.model.tile import Revenue, RevenueStep, Tile
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

card_words = FixedWords("cards")

# How many are printed of an unlimited tile that does not say.
PRINTED = 20
_ALL = "all"
# Colour of a private company that has none.
PRIVATE_COLOUR = "#e9d8a6"


def build_title(
    raw: Json,
    variant: str | None = None,
    *,
    companies: Json | None = None,
    pictures: tuple[Picture, ...] = (),
) -> Title:
    """The title as assembled, with the id of the variant that was applied and the `companies` it
    was applied to; `pictures` are those in its folder."""
    raw = with_facts(raw)
    line_up = {**companies, **raw.get("companies", {})} if companies else {}
    most = max(map(int, raw.get("players", ())), default=1)
    trains = tuple(raw.get("trains", ()))
    in_play = (
        (each_id, entry, block)
        for block in (COMPANIES, PRIVATES)
        for each_id, entry in raw.get(block, {}).items()
    )
    title: Title = decode(
        Title,
        {"bank": None, **raw},
        terms=tuple(_terms(raw).items()),
        players=_players(raw),
        maps=tuple(build_map(map_id, board) for map_id, board in raw.get("maps", {}).items()),
        tiles=tuple(
            _tile_count(number, tile, raw["tiles"]) for number, tile in raw.get("tiles", {}).items()
        ),
        companies=tuple(_company(*owner) for owner in in_play),
        line_up=tuple(_company(company_id, company) for company_id, company in line_up.items()),
        phases=tuple(_phase(phase_id, phase) for phase_id, phase in raw.get("phases", {}).items()),
        pieces=_pieces(
            raw.get("pieces", {}), phase_cards=1 if raw.get("phases") else 0, trains=trains
        ),
        aids=tuple(
            _aid(aid_id, aid, raw, players=most) for aid_id, aid in raw.get("aids", {}).items()
        ),
        variant=variant,
        pictures=pictures,
        livery=build_livery(raw["id"], raw.get("livery")),
        atlas=build_box(raw["atlas"]) if "atlas" in raw else None,
    )
    return title


def _terms(raw: Json) -> dict[str, Text]:
    """The title's own words: those of its wordings, and before them its terms. A term in one
    language leaves those of the wording in the others."""
    by_name = {
        name: words
        for wording in raw.get("wording", ())
        for name, words in wordings()[wording].items()
    }
    for name, given in raw.get("terms", {}).items():
        own = text(given)
        before = (
            tuple(form for form in by_name[name].forms if not own.has(form[0]))
            if name in by_name
            else ()
        )
        by_name[name] = Text((*own.forms, *before))
    return by_name


def _players(raw: Json) -> tuple[PlayerCount, ...]:
    given = raw.get("players", {})
    return tuple(_player_count(int(players), given[players]) for players in sorted(given, key=int))


def _player_count(players: int, raw: Json) -> PlayerCount:
    given = raw.get("certificate_limit")
    limits: tuple[tuple[int, int], ...] = ()
    if isinstance(given, Mapping):
        limits = tuple(sorted(((int(left), limit) for left, limit in given.items()), reverse=True))
        given = limits[0][1]
    counted: PlayerCount = decode(
        PlayerCount, raw, players=players, certificate_limit=given, limits=limits
    )
    return counted


def _tile_count(number: str, raw: Any, tiles: Json) -> TileCount:
    entry: Json = raw if isinstance(raw, dict) else {"count": raw}
    if "back_of" in entry:
        front = _tile_count(entry["back_of"], tiles[entry["back_of"]], {})
        count, unlimited = front.count, front.unlimited
    else:
        unlimited = entry["count"] == UNLIMITED
        count = entry.get("printed", PRINTED) if unlimited else entry["count"]
    standard = catalogue_tile(number) if number in catalogue_definitions() else None
    tile = build_tile(number, entry["tile"]) if "tile" in entry else standard
    counted: TileCount = decode(
        TileCount, entry, tile=tile, count=count, standard=standard, unlimited=unlimited
    )
    return counted


def contrasting(colour: str) -> str:
    """Black or white, whichever reads better on a colour."""
    return readable_on(ink_from_hex(colour)).hex


def clearer(colour: str) -> str:
    """The colour of letters that are read best on a colour."""
    return clearer_on(ink_from_hex(colour)).hex


def _company(company_id: str, raw: Json, block: str = COMPANIES) -> Company:
    colour = raw.get("colour", PRIVATE_COLOUR)
    worked_out = {"colour": colour, "second": contrasting(colour), "text_colour": clearer(colour)}
    incomes = build_revenue(raw.get("income"))
    company: Company = decode(
        Company,
        {**worked_out, **raw},
        id=company_id,
        block=block,
        income=incomes[0].value if incomes else None,
        incomes=incomes if len(incomes) > 1 else (),
    )
    return company


def _status(raw: Any) -> Text:
    """Text for the status of a phase: Platelayer's words for it, or the title's own."""
    return card_words.table("status").get(raw) or text(raw) if isinstance(raw, str) else text(raw)


def _phase(phase_id: str, raw: Json) -> Phase:
    phase: Phase = decode(
        Phase, raw, id=phase_id, status=tuple(map(_status, raw.get("status", ())))
    )
    return phase


def _pieces(raw: Json, *, phase_cards: int, trains: tuple[str, ...]) -> Pieces:
    """`phase_cards` and `trains` are those of a title that does not count or list them here."""
    cards_of_phases = raw.get("phase_cards", phase_cards)
    if isinstance(cards_of_phases, int):
        cards_of_phases = (
            {"phases": {"front": (), "count": cards_of_phases}} if cards_of_phases else {}
        )
    board = raw.get("bank_board")
    if board:
        rows = [
            [{**area, "trains": [*trains]} if area.get("trains") == _ALL else area for area in row]
            for row in board["rows"]
        ]
        raw = {**raw, "bank_board": {**board, "rows": rows}}
    markers = tuple(
        _marker(marker_id, marker) for marker_id, marker in raw.get("markers", {}).items()
    )
    pieces: Pieces = decode(Pieces, {**raw, "phase_cards": cards_of_phases}, markers=markers)
    return pieces


def _marker(marker_id: str, raw: Json) -> Marker:
    contrast = contrasting(raw.get("colour", MARKER_COLOUR))
    marker: Marker = decode(Marker, {"text_colour": contrast, **raw}, id=marker_id)
    return marker


def _aid(aid_id: str, raw: Json, title: Json, *, players: int) -> Aid:
    """An aid; without a count there is one for each player."""
    phases = raw.get("phases", False)
    sections = tuple(_section(section, title) for section in raw["sections"])
    back = tuple(_section(section, title) for section in raw.get("back", ()))
    aid: Aid = decode(
        Aid,
        {"count": players, **raw},
        id=aid_id,
        sections=() if phases else sections,
        back=(*sections, *back) if phases else back,
    )
    return aid


def _section(raw: Json, title: Json) -> AidSection:
    of_players = raw.get("table") == "players"
    given = (
        {"table": players_table(_players(title), title.get("currency", "{}"))} if of_players else {}
    )
    section: AidSection = decode(AidSection, raw, **given)
    return section


def build_tile(tile_id: str, raw: Json) -> Tile:
    """A tile, or what is printed on a hex, from its definition; without a colour it is white."""
    tile: Tile = decode(Tile, {"colour": "white", **raw}, id=tile_id)
    return tile


def build_revenue(raw: int | Json | None) -> tuple[RevenueStep, ...]:
    """One fixed value, or values by colour or phase; nothing for None."""
    return () if raw is None else decode(Revenue, raw)


def build_scheme(raw: Json) -> CoordinateScheme:
    """Scheme of the printed coordinates of a map."""
    scheme: CoordinateScheme = decode(CoordinateScheme, raw)
    return scheme


def build_map(map_id: str, raw: Json) -> GameMap:
    """A map, with its hexes ordered from the top and from the left in each row, whatever their
    order in the file."""
    scheme = build_scheme(raw["coordinates"])
    hexes: Iterator[MapHex] = (
        decode(
            MapHex,
            hexagon,
            at=scheme.parse(printed) or Coord(0, 0),
            tile=build_tile(printed, hexagon),
        )
        for printed, hexagon in raw["hexes"].items()
    )
    game_map: GameMap = decode(
        GameMap,
        raw,
        id=map_id,
        scheme=scheme,
        hexes=tuple(sorted(hexes, key=lambda hexagon: (hexagon.at.y, hexagon.at.x))),
        rivers=tuple(build_rivers(scheme, raw)),
        regions=tuple(build_regions(raw)),
        seas=tuple(build_seas(scheme, raw)),
    )
    return game_map


Json = Mapping[str, Any]


def build_waypoint(scheme: CoordinateScheme, raw: str | Json) -> Waypoint:
    """A place on a map."""
    if isinstance(raw, str):
        return Waypoint(_at(scheme, raw))
    towards = raw["corner"] + 0.5 if "corner" in raw else raw["edge"]
    return Waypoint(_at(scheme, raw["hex"]), float(towards), float(raw.get("distance", 1.0)))


def waypoint_hex(raw: str | Json) -> str:
    """The hex that a place names."""
    return raw if isinstance(raw, str) else str(raw["hex"])


def region_hexes(raw: Json, hexes: Json) -> tuple[str, ...]:
    """Printed coordinates of a region's hexes: those it lists, and those of its zone."""
    zone = raw.get("zone")
    of_zone = (
        name for name, hexagon in hexes.items() if zone is not None and hexagon.get("zone") == zone
    )
    return (*raw.get("hexes", ()), *of_zone)


def build_rivers(scheme: CoordinateScheme, raw: Json) -> Iterator[River]:
    """The rivers of a map."""
    for river_id, river in raw.get("rivers", {}).items():
        course = tuple(build_waypoint(scheme, point) for point in river["course"])
        yield decode(River, river, id=river_id, course=course)


def build_regions(raw: Json) -> Iterator[Region]:
    """The regions of a map."""
    for region_id, region in raw.get("regions", {}).items():
        yield decode(Region, region, id=region_id, hexes=region_hexes(region, raw["hexes"]))


def build_seas(scheme: CoordinateScheme, raw: Json) -> Iterator[Sea]:
    """The seas beside a map."""
    for sea_id, sea in raw.get("seas", {}).items():
        start, end = (build_waypoint(scheme, sea[key]) for key in ("from", "to"))
        yield decode(Sea, sea, id=sea_id, start=start, end=end)


def _at(scheme: CoordinateScheme, printed: str) -> Coord:
    return scheme.parse(printed) or Coord(0, 0)


_NONE = "–"
_Row = tuple[Text, list[str]]


def players_table(counts: Sequence[PlayerCount], currency: str) -> AidTable:
    """Cash, certificate limits (a row for each number of companies left, where they depend on it)
    and, where that differs, the bank, by number of players. What says nothing has no row."""

    def money(amount: int | None) -> str:
        return _NONE if amount is None else printed_amount(amount, currency)

    rows: list[_Row] = [
        (card_words("cash"), [money(count.cash) for count in counts]),
        *_limits(counts),
        (card_words("bank"), [money(count.bank) for count in counts]),
    ]
    return AidTable(
        head=(card_words("players"), *(Text.plain(str(count.players)) for count in counts)),
        rows=tuple(
            (name, *map(Text.plain, cells)) for name, cells in rows if set(cells) != {_NONE}
        ),
    )


def _limits(counts: Sequence[PlayerCount]) -> Iterator[_Row]:
    known = sorted({left for count in counts for left, _ in count.limits}, reverse=True)
    if not known:
        yield card_words("certificate_limit"), [_shown(count.certificate_limit) for count in counts]
    for left in known:
        cells = [_shown(dict(count.limits).get(left, count.certificate_limit)) for count in counts]
        yield card_words("with_companies").fill(left), cells


def _shown(limit: int | None) -> str:
    return _NONE if limit is None else str(limit)
