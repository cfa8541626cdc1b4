"""Kinds of piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.foundation.values import Frozen, grouped
from platelayer.model.company import Company, CompanyKind
from platelayer.model.title import Size, Title
from platelayer.model.train import OPTION

# The pieces of each kind that a title has.


piece_words = FixedWords("pieces")


class Piece(Frozen):
    """One distinct piece and how many copies are in the box. `kind:id` names it on the command
    line; `group` is a finer class within the kind (a tile's colour, station or market token ...)
    that totals are kept of, and so is `size`, the class of the company it belongs to (small,
    medium, large). `unlimited`: the game has as many as anybody wants. `back` is what its back is
    for: PLAIN (what tells a face-down piece's kind, or its number), PLAY (read in play), or ""
    (none). `origin` are the keys that lead to its place in the definition, if it has one of its
    own. `behind` is the id of a piece of its kind on whose back it may be printed.
    """

    kind: str
    id: str
    name: Text
    count: int
    group: str = ""
    back: str = ""
    size: str = ""
    origin: tuple[str, ...] = ()
    unlimited: bool = False
    behind: str = ""

    @property
    def key(self) -> str:
        """`kind:id`."""
        return f"{self.kind}:{self.id}"


def maps(title: Title) -> Iterator[Piece]:
    """The sheet of each map."""
    for gamemap in title.maps:
        origin = ("maps", gamemap.id)
        yield Piece("map", gamemap.id, gamemap.name, 1, origin=origin, behind=gamemap.back_of or "")


def tiles(title: Title) -> Iterator[Piece]:
    """Yield a piece for each tile number; the other side of a tile is not a separate piece."""
    for entry in title.tiles:
        tile = entry.tile
        name = tile.name or Text.plain(entry.shown)
        origin = ("tiles", tile.id)
        if entry.back_of is None:
            yield Piece(
                "tile",
                tile.id,
                name,
                entry.count,
                group=tile.colour,
                origin=origin,
                unlimited=entry.unlimited,
            )


def map_tiles(title: Title) -> Iterator[Piece]:
    """Each map tile of the box."""
    for tile in title.atlas.map_tiles if title.atlas else ():
        name = piece_words("map_tile").fill(tile.number)
        origin = ("atlas", "map_tiles", str(tile.number))
        yield Piece("map-tile", str(tile.number), name, tile.copies, origin=origin)


def capital_projects(title: Title) -> Iterator[Piece]:
    """The capital projects of the box."""
    if title.atlas is not None:
        name = piece_words("capital_project")
        origin = ("atlas", "capital_projects")
        count = title.atlas.capital_projects
        yield Piece("capital-project", "capital", name, count, origin=origin)


def overlays(title: Title) -> Iterator[Piece]:
    """Yield the overlays of the box and of the printed map."""
    if title.atlas is not None:
        box, capital = title.atlas, piece_words("capital_overlay")
        for group, name, count in (
            ("capital", capital, box.capital_overlays),
            ("blank", piece_words("blank_overlay"), box.blank_overlays),
        ):
            at = ("atlas", f"{group}_overlays")
            yield Piece("overlay", group, name, count, group=group, origin=at)
    for overlay in title.pieces.overlays:
        origin = ("pieces", "overlays", overlay.id)
        yield Piece("overlay", overlay.id, overlay.name, overlay.count, group="map", origin=origin)


def markets(title: Title) -> Iterator[Piece]:
    """The stock market, unless it is on the sheet of a map."""
    if title.market is not None and not title.is_on_a_sheet("market"):
        yield Piece("market", "market", piece_words("stock_market"), 1, origin=("market",))


def revenue_charts(title: Title) -> Iterator[Piece]:
    """The revenue chart."""
    chart = title.pieces.revenue_chart
    if chart is not None:
        per_share = piece_words("earnings_per_share")
        name = per_share if chart.shares else piece_words("revenue_chart")
        origin = ("pieces", "revenue_chart")
        yield Piece("revenue-chart", "revenue", name, 1, origin=origin)


def par_charts(title: Title) -> Iterator[Piece]:
    """The chart of start prices, unless it is on the sheet of the market."""
    if title.pieces.par_chart is not None and not title.is_on_a_sheet("par-chart"):
        yield Piece("par-chart", "par", piece_words("par_chart"), 1, origin=("pieces", "par_chart"))


def round_tracks(title: Title) -> Iterator[Piece]:
    """The round track, unless it is on the sheet of a map or of the market."""
    if title.pieces.rounds and not title.is_on_a_sheet("round-track"):
        yield Piece(
            "round-track", "rounds", piece_words("round_track"), 1, origin=("pieces", "rounds")
        )


def bank_boards(title: Title) -> Iterator[Piece]:
    """The bank board."""
    board = title.pieces.bank_board
    if board is not None:
        yield Piece("bank-board", "bank", board.name, 1, origin=("pieces", "bank_board"))


def _of_company(
    company: Company,
    kind: str,
    piece_id: str,
    count: int,
    group: str,
    *,
    size: str = "",
    at: tuple[str, ...] = (),
) -> Piece:
    origin = (company.block, company.id, *at)
    return Piece(kind, piece_id, company.name, count, group=group, size=size, origin=origin)


def charters(title: Title) -> Iterator[Piece]:
    """The charter of each company that operates."""
    for company in title.companies:
        if company.has_charter:
            yield _of_company(
                company, "charter", company.id, 1, company.kind.value, size=company.size or ""
            )


def tokens(title: Title) -> Iterator[Piece]:
    """Each company's stations, market tokens and destination token."""
    markers = title.pieces.market_tokens
    for company in title.companies:
        if company.has_charter:
            yield _of_company(company, "token", company.id, len(company.stations), "station")
            if company.certificates and not company.owned_whole and title.market is not None:
                yield _of_company(company, "token", f"{company.id}-market", markers, "market")
            goals = sum(goal.token for goal in company.destinations)
            if goals:
                at = ("destination",)
                yield _of_company(
                    company, "token", f"{company.id}-destination", goals, "destination", at=at
                )


def privates(title: Title) -> Iterator[Piece]:
    """Privates, concessions, and companies that one certificate owns whole."""
    for company in title.companies:
        if company.owned_whole or not company.has_charter:
            size = company.size or ""
            yield _of_company(
                company, "private", company.id, 1, size or company.kind.value, size=size
            )


def certificates(title: Title) -> Iterator[Piece]:
    """Each grade of certificate of each company."""
    for company in title.companies:
        for number, certificate in enumerate(() if company.owned_whole else company.certificates):
            yield _of_company(
                company,
                "certificate",
                f"{company.id}-{certificate.grade}",
                certificate.count,
                "director" if certificate.director else "ordinary",
                size=company.size or "",
                at=("certificates", str(number)),
            )


def trains(title: Title) -> Iterator[Piece]:
    """Yield each train, with separate pieces for the cards that are marked for an option."""
    for train in title.trains:
        faces = " / ".join(face.name for face in train.faces)
        origin = ("trains", train.id)
        marked = train.optional if train.option is not None else 0
        yield Piece("train", train.id, Text.plain(faces), train.printed - marked, origin=origin)
        if marked:
            named = piece_words("optional_train").fill(faces)
            yield Piece("train", f"{train.id}{OPTION}", named, marked, origin=origin)


def phase_cards(title: Title) -> Iterator[Piece]:
    """The phase cards."""
    for card in title.pieces.phase_cards:
        name = (
            piece_words("phase").fill(" / ".join((*card.front, *card.back)))
            if card.front
            else piece_words("phases")
        )
        origin = ("pieces", "phase_cards", card.id) if card.front else ("phases",)
        yield Piece("phase-card", card.id, name, card.count, origin=origin)


def summaries(title: Title) -> Iterator[Piece]:
    """The player aids."""
    for aid in title.aids:
        yield Piece("summary", aid.id, aid.name, aid.count, origin=("aids", aid.id))


def number_cards(title: Title) -> Iterator[Piece]:
    """A card for each number."""
    for index, number in enumerate(title.pieces.number_cards):
        origin = ("pieces", "number_cards", str(index))
        yield Piece("number-card", str(number), Text.plain(str(number)), 1, origin=origin)


def priority_cards(title: Title) -> Iterator[Piece]:
    """The cards of priority."""
    name = piece_words("priority_deal")
    origin = ("pieces", "priority_cards")
    yield Piece("priority-card", "priority", name, title.pieces.priority_cards, origin=origin)


def money(title: Title) -> Iterator[Piece]:
    """Notes by value."""
    for value, count in title.pieces.money:
        origin = ("pieces", "money", str(value))
        yield Piece("money", str(value), Text.plain(title.money(value)), count, origin=origin)


def destination_cards(title: Title) -> Iterator[Piece]:
    """The destination cards."""
    for card in title.pieces.destination_cards:
        known = piece_words("destination").fill(card.id)
        name = known if card.revenue else piece_words("destination_to_fill_in")
        origin = ("pieces", "destination_cards", card.id)
        yield Piece("destination-card", card.id, name, card.count, origin=origin)


def score_sheets(title: Title) -> Iterator[Piece]:
    """The forms for the final accounts."""
    if title.pieces.score_sheet is not None:
        name = piece_words("final_accounts")
        origin = ("pieces", "score_sheets")
        count = title.pieces.score_sheet.count
        yield Piece("score-sheet", "accounts", name, count, origin=origin)


def offered(title: Title) -> dict[str, list[Company]]:
    """Return privates and concessions by size, or else by kind, in order of first appearance. Each
    group gets a sheet, ordered by price."""
    sheets = grouped(
        (company.size or company.kind.value, company)
        for company in title.companies
        if company.kind in (CompanyKind.PRIVATE, CompanyKind.CONCESSION)
    )
    for companies in sheets.values():
        companies.sort(key=lambda company: company.value or 0)
    return sheets


def offer_sheets(title: Title) -> Iterator[Piece]:
    """Yield the sheets of the initial round, one for each group of `offered`."""
    if title.pieces.offer is None:
        return
    name, origin = piece_words("initial_round"), ("pieces", "offer")
    for sheet, companies in offered(title).items():
        words = companies[0].class_name or name
        yield Piece("offer-sheet", sheet, words, title.pieces.offer.count, origin=origin)


def markers(title: Title) -> Iterator[Piece]:
    """The markers."""
    for marker in title.pieces.markers:
        origin = ("pieces", "markers", marker.id)
        yield Piece("marker", marker.id, marker.name, marker.count, group=marker.id, origin=origin)


def upgrade_charts(title: Title) -> Iterator[Piece]:
    """The upgrade chart of a title whose tiles have more than one colour."""
    if len({entry.tile.colour for entry in title.tiles}) > 1:
        name = piece_words("upgrade_chart")
        yield Piece("upgrade-chart", "upgrades", name, 1, origin=("tiles",))


def checklists(_title: Title) -> Iterator[Piece]:
    """Yield the checklist, which every title has."""
    yield Piece("checklist", "checklist", piece_words("checklist"), 1)


_backs = FixedWords("backs").table("back")

PLAIN, PLAY = "plain", "play"

BOARDS, SHEETS, HEXES, DISCS = "boards", "sheets", "hexes", "discs"
CHARTERS, CARDS, AIDS, NOTES = "charters", "cards", "aids", "notes"
# Sorts of pieces, in a shop's words. Profiles and options refer to kinds of pieces by these as
# well.
SORTS = (BOARDS, SHEETS, HEXES, DISCS, CHARTERS, CARDS, AIDS, NOTES)
# Stocks that pieces are printed on, with their sorts: card, label sheets for 1.5 mm board, paper,
# and prints that are glued to a board as a whole.
STOCKS = {
    "card": (CHARTERS, CARDS, AIDS),
    "label": (HEXES, DISCS),
    "paper": (SHEETS, NOTES),
    "board": (BOARDS,),
}

# Names in `Kind.reads` of data that differs from piece to piece: the company of the piece; the
# hexes that this company names; the division of its roundel (which depends on all roundels); the
# setting that a card shares with the other cards of the kind; the contents of tables of phases and
# trains, for an aid that has them; a tile with its other side; the trains compared with that of a
# card.
OWN = "company"
OWN_HEXES = "company.hexes"
OWN_ROUNDEL = "company.division"
OWN_SETTING = "company.setting"
OWN_TABLES = "aid.tables"
OWN_TILE = "tile"
OWN_TRAINS = "trains.beside"
# Prefix of a kind of piece: the sizes that a title gives to the kind, or to single pieces of it.
SIZES = "pieces.sizes:"
_EVERYTHING = (*Title.__struct_fields__, "manifest", "graph")

# Minimum distance from the trim to anything readable on a card: slightly more than the eighth of an
# inch that shops require.
CARD_SAFE_MM = 3.2

_LARGER_CARDS_MM = ((88.0, 63.0), (105.0, 75.0), (148.0, 105.0))
# Sizes of which A4 and Letter hold two, or one, and the largest that fits on both.
_LARGER_AIDS_MM = ((186.0, 128.0), (256.0, 182.0), (266.0, 198.0))


class Form(Enum):
    """Outline by which a piece is cut. Hexes and discs have one length for their size: flat to
    flat, or the diameter."""

    RECTANGLE = "rectangle"
    HEXAGON = "hexagon"
    DISC = "disc"


def never(_title: Title, _piece_id: str) -> bool:
    """Return False: no back of the kind is read in play."""
    return False


class Kind(Frozen):
    """A kind of piece: what a title has of it, and how it is drawn.

    `sort` is one of SORTS. `pieces` lists what a title implies, without backs; `size_mm` is the
    trimmed width and height where a title gives none (None: as large as what it holds), `larger_mm`
    are the sizes of which a piece takes the first that holds its words where that does not.
    `documents` are the stems of the files that hold the kind. `is_read_behind` says of a title and
    the id of one of its pieces whether its back is read in play. `goes_by_name` is for kinds whose
    ids tell less than their names. Of kinds with `one_a_player` a box holds as many as the most
    players need. A kind that `is_ours` is an aid that Platelayer makes of its own accord, or of
    numbers alone: it is left out rather than stop a print; one that is `spare` is left out where
    the paper is too small for it.

    What draws it is named `module:function`, modules within `platelayer.drawing` by a leading dot,
    and imported for the first piece of the kind: a tile does not wait for locomotives. `front`
    draws `(title, piece_id, style) -> Scene`, and with `back=True` a back that is read in play;
    `pages` instead of it, for kinds of several pages, `(title, manifest, graph, style) ->
    tuple[Scene, ...]`; `back` any other back, if the kind has one, `(title, piece, style) ->
    Scene`. The common back of cards (`CARD_BACK`) says `back_words`, or what the languages call the
    back, or the kind's name, below an `emblem` `(radius_mm, style) -> tuple[Item, ...]`, or a
    wheel, on the theme's ink `back.<id>`, or that of the wheel. `setting` gives the setting that
    cards like one share, `(title, piece_id, style) -> ...`, for kinds that read OWN_SETTING. `safe_mm` is
    the safe zone; `read_across` is for cards whose backs are read across, however they lie.
    `cost_ms` is the time to draw, check and paint one piece, measured with 18EU, so that slow
    pieces start first; pieces of a kind share a job where each is a picture of its own unless
    `apart`.

    `reads` is what decides how its pieces look, beside the style and the sizes given to the kind:
    fields of a title, or parts of them ("maps.layout" is the layout of each map), sizes given to
    other kinds, OWN for all of a piece's own company, OWN_HEXES, OWN_ROUNDEL, OWN_SETTING,
    OWN_TABLES, OWN_TILE, OWN_TRAINS, "manifest" and "graph"; everything if it is empty. As long as these stay the same, so
    do the pieces. The list stands here, and is not recorded while a piece is drawn, because a piece
    is compared with its past, and a damaged title judged, without being drawn. A test compares it
    with what drawers read.
    """

    id: str
    name: Text
    sort: str
    pieces: Callable[[Title], Iterable[Piece]]
    documents: tuple[str, ...]
    size_mm: tuple[float, float] | None = None
    larger_mm: tuple[tuple[float, float], ...] = ()
    form: Form = Form.RECTANGLE
    is_read_behind: Callable[[Title, str], bool] = never
    goes_by_name: bool = False
    one_a_player: bool = False
    is_ours: bool = False
    spare: bool = False
    front: str = ""
    pages: str = ""
    back: str = ""
    back_words: Text | None = None
    emblem: str = ""
    setting: str = ""
    safe_mm: float = CARD_SAFE_MM
    read_across: bool = False
    cost_ms: int = 13
    apart: bool = False
    reads: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """Everything in a title that decides how pieces of the kind look."""
        return (*self.reads, SIZES + self.id) if self.reads else _EVERYTHING

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of an assembled title that pieces of the kind read (`foundation/problems.py`)."""
        return tuple(dict.fromkeys(path for name in self.inputs for path in _paths(name)))

    @property
    def has_back(self) -> bool:
        """True if pieces of the kind have two sides."""
        return bool(self.back)

    @property
    def words_behind(self) -> Text:
        """Words on the common back of the kind's cards."""
        return self.back_words or _backs.get(self.id, self.name)

    @property
    def is_aid(self) -> bool:
        """True if the game can be played without pieces of the kind."""
        return self.is_ours or self.spare or self.sort == AIDS

    @property
    def is_card(self) -> bool:
        """True if every card shop must be able to make pieces of the kind."""
        return self.sort in (CARDS, AIDS, NOTES)

    def back_of(self, title: Title, piece: Piece) -> str:
        """Return the purpose of a piece's back: PLAIN, PLAY or ""."""
        if not self.has_back:
            return ""
        return PLAY if self.is_read_behind(title, piece.id) else PLAIN


_PATHS = {
    OWN: ("companies|privates/.",),
    OWN_HEXES: ("maps",),
    OWN_ROUNDEL: ("companies|privates",),
    OWN_SETTING: ("companies|privates",),
    OWN_TILE: ("tiles/.",),
    OWN_TRAINS: ("trains",),
    "graph": ("atlas", "colours", "maps", "tiles", "upgrades"),
    "manifest": ("",),
    "pieces.score_sheet": ("pieces/score_sheets",),
    "trains.faces.name": ("trains/*/name", "trains/*/faces"),
}
_BY_ID = {
    "companies": "companies|privates",
    "line_up": "companies",
    "maps": "maps",
    "phases": "phases",
    "trains": "trains",
}


def _paths(name: str) -> tuple[str, ...]:
    """Return the paths of an assembled title for one of the names in `Kind.reads`."""
    if name.startswith(SIZES):
        return ("pieces/sizes",)
    if name == OWN_TABLES:
        return tuple(path for each in TABLES for path in _paths(each))
    if name in _PATHS:
        return _PATHS[name]
    block, _, part = name.partition(".")
    path = _BY_ID.get(block, block)
    return (f"{path}{'/*/' if block in _BY_ID else '/'}{part}" if part else path,)


CARD_BACK = ".backs:draw_card_back"

# Fields that determine how the roundels of all companies are divided.
_PATTERNS = tuple(
    f"{field}.{part}"
    for field in ("companies", "line_up")
    for part in ("block", "id", "kind", "roundel", "token_text")
)
_ROUNDELS = (
    *_PATTERNS,
    *(f"companies.{part}" for part in ("colour", "logo", "second", "text_colour")),
)

# Fields that determine which companies a hex shows.
_STATIONS = (
    "companies.blocks",
    "companies.destination",
    "companies.further_destinations",
    "companies.homes",
    "companies.stations",
)
# Fields that a table of phases, trains and events shows.
TABLES = ("bonuses", "companies.name", "companies.size", "currency", "name", "phases", "trains")

_KINDS = (
    Kind(
        "map",
        piece_words("map"),
        sort=BOARDS,
        pieces=maps,
        documents=("map", "map-tiled"),
        size_mm=(38.6, 38.6),
        form=Form.HEXAGON,
        front=".boards.sheets:draw_map",
        cost_ms=700,
        apart=True,
        reads=(
            *_ROUNDELS,
            "bonuses",
            *_STATIONS,
            "credits",
            "currency",
            "in_play",
            "maps",
            "market",
            "name",
            "phases.id",
            "phases.operating_rounds",
            "phases.revenue",
            "phases.tiles",
            "pieces",
            "plate",
            "players",
            "subtitle",
            "variant",
        ),
    ),
    Kind(
        "tile",
        piece_words("tiles"),
        sort=HEXES,
        pieces=tiles,
        documents=("tiles",),
        is_read_behind=lambda title, tile: title.other_side(tile) is not None,
        size_mm=(38.1, 38.1),
        form=Form.HEXAGON,
        front=".hex.tile:draw_tile",
        back=".backs:draw_tile_back",
        cost_ms=2,
        apart=True,
        reads=("maps.layout", "name", "pieces.number_corner", OWN_TILE),
    ),
    Kind(
        "map-tile",
        piece_words("map_tiles"),
        sort=HEXES,
        pieces=map_tiles,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
        front=".map.map_tile:draw_map_tile",
        back=".backs:draw_map_tile_back",
        reads=(
            *_ROUNDELS,
            "atlas",
            *_STATIONS,
            "companies.name",
            "id",
            "name",
            "phases.id",
        ),
    ),
    Kind(
        "overlay",
        piece_words("overlays"),
        sort=HEXES,
        pieces=overlays,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        form=Form.HEXAGON,
        goes_by_name=True,
        front=".map.map_tile:draw_overlay",
        back=".backs:draw_overlay_back",
        reads=(
            *_ROUNDELS,
            *_STATIONS,
            "maps.hexes",
            "maps.scheme",
            "maps.layout",
            "maps.regions",
            "maps.rivers",
            "name",
            "phases.id",
            "pieces.overlays",
        ),
    ),
    Kind(
        "charter",
        piece_words("charters"),
        sort=CHARTERS,
        pieces=charters,
        documents=("charters",),
        size_mm=(189.0, 83.0),
        front=".company.charter:draw_charter",
        back=".backs:draw_charter_back",
        setting=".company.charter:charter_setting",
        safe_mm=3.0,
        apart=True,
        reads=(
            OWN_ROUNDEL,
            OWN_SETTING,
            "atlas",
            OWN,
            "currency",
            "loan",
            "id",
            OWN_HEXES,
            "name",
            "phases.id",
            "phases.tiles",
            "phases.train_limits",
            "pieces.trains_at_right",
            SIZES + "token",
            SIZES + "train",
            "trains.faces.name",
            "trains.id",
        ),
    ),
    Kind(
        "certificate",
        piece_words("certificates"),
        sort=CARDS,
        pieces=certificates,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
        front=".company.cards:draw_certificate",
        back=CARD_BACK,
        read_across=True,
        cost_ms=15,
        reads=(OWN_ROUNDEL, OWN, "id", "name"),
    ),
    Kind(
        "private",
        piece_words("privates"),
        sort=CARDS,
        pieces=privates,
        documents=("certificates",),
        size_mm=(88.0, 63.0),
        larger_mm=_LARGER_CARDS_MM[1:],
        is_read_behind=lambda title, private: title.private(private).used is not None,
        front=".company.cards:draw_private",
        back=CARD_BACK,
        setting=".company.cards:private_setting",
        read_across=True,
        reads=(
            OWN_ROUNDEL,
            OWN_SETTING,
            OWN,
            "currency",
            "id",
            OWN_HEXES,
            "maps.layout",
            "name",
            "phases.id",
            "tiles",
        ),
    ),
    Kind(
        "train",
        piece_words("trains"),
        sort=CARDS,
        pieces=trains,
        documents=("trains",),
        size_mm=(67.0, 44.0),
        larger_mm=_LARGER_CARDS_MM,
        is_read_behind=lambda title, train: bool(title.train_of_card(train).sides[1]),
        front=".train.card:draw_train",
        back=CARD_BACK,
        emblem=".backs:engine",
        cost_ms=7,
        reads=("currency", "id", "market", "name", "phases", OWN_TRAINS),
    ),
    Kind(
        "token",
        piece_words("tokens"),
        sort=DISCS,
        pieces=tokens,
        documents=("tokens",),
        is_read_behind=lambda title, token: (
            title.pieces.market_tokens_turned and token.endswith("-market")
        ),
        size_mm=(12.0, 12.0),
        form=Form.DISC,
        front=".company.roundel:draw_token",
        back=".company.roundel:draw_token_back",
        cost_ms=2,
        apart=True,
        reads=(OWN_ROUNDEL, OWN),
    ),
    Kind(
        "market",
        piece_words("stock_market"),
        sort=BOARDS,
        pieces=markets,
        documents=("boards",),
        front=".boards.sheets:draw_market_sheet",
        apart=True,
        reads=(
            "market",
            "name",
            "phases",
            "pieces.cycles",
            "pieces.rounds",
            "pieces.rounds_note",
            "pieces.rounds_once",
            SIZES + "token",
        ),
    ),
    Kind(
        "revenue-chart",
        piece_words("revenue_chart"),
        sort=BOARDS,
        pieces=revenue_charts,
        documents=("boards",),
        front=".boards.sheets:draw_revenue_chart",
        reads=("currency", "name", "pieces.revenue_chart", SIZES + "token"),
    ),
    Kind(
        "round-track",
        piece_words("round_track"),
        sort=BOARDS,
        pieces=round_tracks,
        documents=("boards",),
        front=".boards.sheets:draw_round_track",
        reads=(
            "currency",
            "name",
            "phases",
            "pieces.cycles",
            "pieces.rounds",
            "pieces.rounds_note",
            "pieces.rounds_once",
        ),
    ),
    Kind(
        "phase-card",
        piece_words("phase_cards"),
        sort=AIDS,
        pieces=phase_cards,
        documents=("cards",),
        size_mm=(148.0, 105.0),
        larger_mm=_LARGER_AIDS_MM,
        is_read_behind=lambda title, card: any(
            other.back for other in title.pieces.phase_cards if other.id == card
        ),
        goes_by_name=True,
        one_a_player=True,
        front=".cards.offer_sheet:draw_phase_card",
        back=CARD_BACK,
        reads=(
            *TABLES,
            "id",
            "pieces.phase_cards",
        ),
    ),
    Kind(
        "summary",
        piece_words("player_aids"),
        sort=AIDS,
        pieces=summaries,
        documents=("cards",),
        size_mm=(148.0, 105.0),
        larger_mm=_LARGER_AIDS_MM,
        is_read_behind=lambda title, summary: any(
            aid.back for aid in title.aids if aid.id == summary
        ),
        goes_by_name=True,
        one_a_player=True,
        front=".cards.summary:draw_summary",
        back=CARD_BACK,
        reads=(
            *_ROUNDELS,
            OWN_TABLES,
            "aids",
            "companies.name",
            "id",
            "name",
        ),
    ),
    Kind(
        "number-card",
        piece_words("number_cards"),
        sort=CARDS,
        pieces=number_cards,
        documents=("cards",),
        size_mm=(44.0, 67.0),
        is_ours=True,
        front=".cards.small_cards:draw_number_card",
        back=CARD_BACK,
        emblem=".backs:oldest_engine",
        reads=("id", "name", "pieces.number_cards"),
    ),
    Kind(
        "priority-card",
        piece_words("priority_card"),
        sort=CARDS,
        pieces=priority_cards,
        documents=("cards",),
        size_mm=(67.0, 44.0),
        goes_by_name=True,
        front=".cards.small_cards:draw_priority_card",
        back=CARD_BACK,
        emblem=".backs:newest_engine",
        reads=("id", "name", "pieces.priority_picture"),
    ),
    Kind(
        "money",
        piece_words("money"),
        sort=NOTES,
        pieces=money,
        documents=("money",),
        size_mm=(63.0, 44.0),
        front=".cards.small_cards:draw_money",
        back=".backs:draw_money_back",
        read_across=True,
        reads=("currency", "name", "pieces.money"),
    ),
    Kind(
        "marker",
        piece_words("markers"),
        sort=DISCS,
        pieces=markers,
        documents=("tokens",),
        size_mm=(12.0, 12.0),
        form=Form.DISC,
        is_read_behind=lambda title, marker: any(
            other.back not in ("", other.text)
            for other in title.pieces.markers
            if other.id == marker
        ),
        goes_by_name=True,
        front=".cards.small_cards:draw_marker",
        back=".cards.small_cards:draw_marker_back",
        reads=("pieces.markers",),
    ),
    Kind(
        "upgrade-chart",
        piece_words("upgrade_chart"),
        sort=BOARDS,
        pieces=upgrade_charts,
        documents=("boards",),
        is_ours=True,
        pages=".charts.upgrade_chart:upgrade_chart_pages",
        reads=(
            "atlas",
            "colours",
            "graph",
            "maps.hexes",
            "maps.layout",
            "name",
            "tiles",
            "upgrades",
        ),
    ),
    Kind(
        "checklist",
        piece_words("checklist"),
        sort=SHEETS,
        pieces=checklists,
        documents=("checklist",),
        is_ours=True,
        pages=".charts.checklist:checklist_pages",
        cost_ms=120,
        reads=(
            "aids",
            "colours",
            "companies.block",
            "companies.id",
            "companies.name",
            "manifest",
            "maps.id",
            "maps.layout",
            "maps.name",
            "name",
            "pieces.box",
            "pieces.markers",
            "provenance",
            "tiles",
            "variants",
        ),
    ),
    Kind(
        "capital-project",
        piece_words("capital_projects"),
        sort=HEXES,
        pieces=capital_projects,
        documents=("map-tiles",),
        size_mm=(40.0, 40.0),
        goes_by_name=True,
        front=".map.map_tile:draw_capital_project",
        back=".backs:draw_map_tile_back",
        reads=(
            *_PATTERNS,
            *_STATIONS,
            "id",
            "name",
            "phases.id",
        ),
    ),
    Kind(
        "destination-card",
        piece_words("destination_cards"),
        sort=CARDS,
        pieces=destination_cards,
        documents=("cards",),
        size_mm=(88.0, 63.0),
        goes_by_name=True,
        front=".cards.small_cards:draw_destination_card",
        back=CARD_BACK,
        read_across=True,
        reads=(
            "colours",
            "currency",
            "id",
            "name",
            "pieces.destination_cards",
        ),
    ),
    Kind(
        "score-sheet",
        piece_words("score_sheets"),
        sort=SHEETS,
        pieces=score_sheets,
        documents=("score-sheets",),
        size_mm=(182.0, 256.0),
        goes_by_name=True,
        spare=True,
        front=".boards.sheets:draw_score_sheet",
        reads=(
            "companies",
            "line_up",
            "name",
            "pieces.score_sheet",
            "players",
        ),
    ),
    Kind(
        "offer-sheet",
        piece_words("initial_round"),
        sort=SHEETS,
        pieces=offer_sheets,
        documents=("cards",),
        size_mm=(184.0, 252.0),
        is_read_behind=lambda _title, _sheet: True,
        front=".cards.offer_sheet:draw_offer_sheet",
        back=CARD_BACK,
        reads=(
            *TABLES,
            "colours",
            "companies",
            "pieces.offer",
            SIZES + "private",
            "tiles",
            "upgrades",
        ),
    ),
    Kind(
        "par-chart",
        piece_words("par_chart"),
        sort=BOARDS,
        pieces=par_charts,
        documents=("boards",),
        front=".boards.market:draw_par_chart",
        reads=("currency", "market", "name", "pieces.par_chart", SIZES + "token"),
    ),
    Kind(
        "bank-board",
        piece_words("bank_board"),
        sort=BOARDS,
        pieces=bank_boards,
        documents=("boards",),
        goes_by_name=True,
        front=".boards.bank_board:draw_bank_board",
        reads=(
            *TABLES,
            "companies",
            "line_up",
            "pieces.bank_board",
            "pieces.sizes",
        ),
    ),
)

# All kinds by id, in the order of printing.
KINDS: dict[str, Kind] = {kind.id: kind for kind in _KINDS}

_SHIPPED = frozenset(KINDS)


def add_piece_kind(kind: Kind) -> None:
    """Add a kind of piece after all others. It is then listed, drawn, laid out and printed like any
    other.

    Raises ValueError if the id is taken, the sort does not exist, or the kind has nothing to draw
    it.
    """
    if kind.id in KINDS:
        raise ValueError(f"there is already a kind of piece {kind.id!r}")
    if kind.sort not in SORTS:
        raise ValueError(f"there is no sort of piece {kind.sort!r}; use {', '.join(SORTS)}")
    if bool(kind.front) == bool(kind.pages):
        raise ValueError(f"{kind.id!r} needs either a front or pages")
    KINDS[kind.id] = kind


def added_kinds() -> tuple[Kind, ...]:
    """Return the kinds added by `add_piece_kind`, which newly started processes do not know."""
    return tuple(kind for kind in KINDS.values() if kind.id not in _SHIPPED)


def know_kinds(added: Iterable[Kind]) -> None:
    """Add those kinds that are not known yet."""
    for kind in added:
        if kind.id not in KINDS:
            add_piece_kind(kind)


def kinds_named(word: str) -> tuple[str, ...]:
    """Return the ids of the kinds that a word stands for: a kind, all kinds of a sort ("cards"), or
    all of a stock ("label")."""
    sorts = STOCKS.get(word, (word,))
    return (
        (word,)
        if word in KINDS
        else tuple(kind.id for kind in KINDS.values() if kind.sort in sorts)
    )


def piece_size(
    title: Title, kind: str, piece_id: str = "", company_size: str | None = None
) -> Size:
    """Return the size of a piece: its own if given, else that for companies of its size, else that
    of its kind, else the kind's default.

    For hexes (including those of a map tile) both sides are the distance flat to flat, for discs
    the diameter. Boards whose kind has no size are as large as their contents; asking for their
    size raises KeyError.
    """
    given = title.pieces.given_size(kind, piece_id, company_size)
    if given is not None:
        return given
    size_mm = KINDS[kind].size_mm
    if size_mm is None:
        raise KeyError(kind)
    return Size(kind, size_mm[0], size_mm[1])
