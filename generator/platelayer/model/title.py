"""A whole title: everything its definition says, after variants are applied."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.model.atlas import AtlasBox
from platelayer.model.company import PRIVATES, Company
from platelayer.model.gamemap import GameMap
from platelayer.model.kinds import KINDS
from platelayer.model.market import Market
from platelayer.model.phase import Phase
from platelayer.model.picture import Picture
from platelayer.model.tile import RevenueStep, Tile
from platelayer.model.train import OPTION, Train
from platelayer.model.upgrade import COMMON_RULES, UpgradeOptions


def printed_amount(amount: int, currency: str) -> str:
    """An amount of money as a currency prints it, {} being the amount."""
    return currency.replace("{}", f"{amount:,}")


class TileCount(Struct, frozen=True, kw_only=True):
    """A tile and how many copies are in the box; `via` names the only ability that may lay it. `standard` is the
    catalogue's tile with this number: the same tile, unless the title redefines it; None: there is none. `unlimited`:
    the game has as many as anybody wants, and `count` is what is printed. `back_of` is the number of the tile whose
    other side it is: the two are one piece."""

    tile: Tile
    count: int
    via: Text | None = None
    standard: Tile | None = None
    unlimited: bool = False
    back_of: str | None = None


class PlayerCount(Struct, frozen=True, kw_only=True):
    """Settings for a number of players; money in the title's currency, per player; `certificate_limit` None: no limit
    is given. `limits` pairs numbers of companies that are left with the limit then, the most first (none: the limit is
    always the same). `bank`: what the bank has with so many players, where that differs."""

    players: int
    cash: int
    certificate_limit: int | None = None
    limits: tuple[tuple[int, int], ...] = ()
    bank: int | None = None


class RevenueBonus(Struct, frozen=True, kw_only=True):
    """A bonus table, e.g. red to red, with its id in the definition: `rows` pair a heading (phase or colour) with
    amounts by count 1, 2, 3 ..."""

    name: Text
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    note: Text | None = None
    id: str = ""


class Round(Struct, frozen=True, kw_only=True):
    """One space of the round track. `amount` is money that counts during the round (18CZ: what local railways are
    worth). A round that is played once has the round that comes after it in `into`; `after` is the round before it,
    or None where it begins the game. `export`: a train leaves the game after the round."""

    id: str
    name: Text
    amount: int | None = None
    into: str | None = None
    after: str | None = None
    export: bool = False


class AidTable(Struct, frozen=True, kw_only=True):
    """A table of a player aid: a row of headings and rows of cells."""

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


class AidSection(Struct, frozen=True, kw_only=True):
    """A part of a player aid: a heading, lines of text, and perhaps a table."""

    heading: Text
    lines: tuple[Text, ...] = ()
    table: AidTable | None = None


class Aid(Struct, frozen=True, kw_only=True):
    """A player aid (printed as a `summary` piece), `count` copies; with sections on its `back`, it is read on both
    sides. With `phases` the tables of phases and trains are its front."""

    id: str
    name: Text
    count: int
    sections: tuple[AidSection, ...]
    back: tuple[AidSection, ...] = ()
    phases: bool = False


class Marker(Struct, frozen=True, kw_only=True):
    """A small round marker, e.g. 18EU's M: `text` printed large, `colour` #rrggbb, `note` what it is a reminder of.
    `head` stands small above the text; `back` is the text on the other side, in reversed colours. `picture` is
    the id of a picture or icon in place of a text."""

    id: str
    name: Text
    text: str
    count: int
    colour: str = "#8a5a2b"
    text_colour: str = "#ffffff"
    note: Text | None = None
    head: str = ""
    back: str = ""
    picture: str | None = None


def kind_of_size(key: str) -> str:
    """The kind of piece that a key of sizes is about: "certificate" for "certificate/small" and "certificate:SX"."""
    return key.partition(":")[0].partition("/")[0]


class Size(Struct, frozen=True, kw_only=True):
    """Trimmed size in mm of a kind of piece, of its pieces that belong to companies of one size (`certificate/small`),
    or of one piece (`kind:id`); hexes give `across_mm`, discs `diameter_mm` as both sides."""

    kind: str
    width_mm: float
    height_mm: float


class RevenueChart(Struct, frozen=True, kw_only=True):
    """The board on which revenue is marked: values from `step` to `top` in rows of `columns`. With `shares` the values
    are earnings per share, and each space shows what these numbers of shares earn in total."""

    step: int
    top: int
    columns: int
    shares: tuple[int, ...] = ()


class ParChart(Struct, frozen=True, kw_only=True):
    """The board on which the start prices of companies are marked: `places` for tokens beside each of the `prices`
    (none: the start prices of the market)."""

    places: int
    prices: tuple[int, ...] = ()


class DestinationCard(Struct, frozen=True, kw_only=True):
    """A card with what destinations of the map pay, by tile colour; without values it has empty boxes to fill in.
    `note` is printed below them."""

    id: str
    revenue: tuple[RevenueStep, ...] = ()
    count: int = 1
    note: Text | None = None


class HexOverlay(Struct, frozen=True, kw_only=True):
    """A single hex to lay on a printed map: it prints the hex with these coordinates."""

    id: str
    name: Text
    hex: str
    count: int = 1


class ScoreSheet(Struct, frozen=True, kw_only=True):
    """A form for the final accounts, `count` copies; `rows` are the headings below the rows of companies."""

    count: int
    rows: tuple[Text, ...]


class OfferSheet(Struct, frozen=True, kw_only=True):
    """The sheet of the initial round: a space with its price for every private; phases, trains and the upgrade table on
    its back. `note` is printed below the spaces."""

    count: int = 1
    note: Text | None = None


class BankArea(Struct, frozen=True, kw_only=True):
    """An area of the bank board: a place for the certificates of each company of the kind or size `companies`, then one
    for each train of `trains`, then those named in `places`, each as large as a card of the kind `card`; `columns` of
    them beside each other. `note` stands below the heading."""

    name: Text
    columns: int
    companies: str | None = None
    trains: tuple[str, ...] = ()
    places: tuple[Text, ...] = ()
    card: str = "train"
    note: Text | None = None


class BankBoard(Struct, frozen=True, kw_only=True):
    """The board for what the bank holds, such as unsold certificates and trains: areas in rows from the top. With
    `phases` a strip of them below, with the trains where these have no places."""

    name: Text
    rows: tuple[tuple[BankArea, ...], ...]
    note: Text | None = None
    phases: bool = False


class PhaseCard(Struct, frozen=True, kw_only=True):
    """A card with phases by id on its front and, if any, on its back; an empty front stands for all phases."""

    id: str
    front: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    count: int = 1


class Pieces(Struct, frozen=True, kw_only=True):
    """What the box contains besides what tiles, companies and trains imply, and how large each kind is.

    `number_cards` are the numbers printed, one card each. `money` pairs denominations with counts. `box` pairs keys of
    the manifest's totals with the counts that the rulebook declares ("tile": 191, "tile/yellow": 90). `market_tokens`
    is how many markers each company with shares has; `cycles` how many times the rounds are played (0: not counted);
    with `rounds_once` they are played once, in order, and `rounds_note` says what else there is to know about them.
    """

    sizes: tuple[Size, ...]
    box: tuple[tuple[str, int], ...] = ()
    number_cards: tuple[int, ...] = ()
    priority_cards: int = 0
    phase_cards: tuple[PhaseCard, ...] = ()
    markers: tuple[Marker, ...] = ()
    market_tokens: int = 1
    rounds: tuple[Round, ...] = ()
    cycles: int = 0
    rounds_once: bool = False
    rounds_note: Text | None = None
    offer: OfferSheet | None = None
    bank_board: BankBoard | None = None
    revenue_chart: RevenueChart | None = None
    par_chart: ParChart | None = None
    money: tuple[tuple[int, int], ...] = ()
    destination_cards: tuple[DestinationCard, ...] = ()
    overlays: tuple[HexOverlay, ...] = ()
    score_sheet: ScoreSheet | None = None

    def size(self, kind: str, piece_id: str = "", company_size: str | None = None) -> Size:
        """Size of one piece: its own if given, else that for companies of this size, else that of its kind, else the
        default of its kind.

        Hexes (also those of a map tile) give the distance flat to flat, discs the diameter, as both sides. Boards
        without a size for their kind are as large as their contents; asking for their size raises KeyError.
        """
        given = self.given_size(kind, piece_id, company_size)
        if given is not None:
            return given
        size_mm = KINDS[kind].size_mm
        if size_mm is None:
            raise KeyError(kind)
        return Size(kind=kind, width_mm=size_mm[0], height_mm=size_mm[1])

    def sizes_of(self, kind: str) -> tuple[Size, ...]:
        """The sizes that the title gives to a kind, to those for companies of one size, and to single pieces."""
        return tuple(size for size in self.sizes if kind_of_size(size.kind) == kind)

    def given_size(self, kind: str, piece_id: str = "", company_size: str | None = None) -> Size | None:
        """The size that the title gives to a piece: to itself, to those for companies of this size, or to its kind."""
        by_kind = {size.kind: size for size in self.sizes_of(kind)}
        return by_kind.get(f"{kind}:{piece_id}") or by_kind.get(f"{kind}/{company_size}") or by_kind.get(kind)


class UpgradeChain(Struct, frozen=True, kw_only=True):
    """A row of the official upgrade table: tiles by colour in order, e.g. ((57,), (14, 15), (611,), (513,))."""

    name: Text
    steps: tuple[tuple[str, ...], ...]


class Provenance(Struct, frozen=True, kw_only=True):
    """Where a block of the definition comes from. `source`: rulebook, catalogue, reference or reconstruction;
    `subject` is what it covers (a JSON pointer or a manifest key); `note` says what was decided and why. With
    `conflict` sources differ on it."""

    subject: str
    source: str
    note: Text
    conflict: bool = False


class Variant(Struct, frozen=True, kw_only=True):
    """A variant (its changes are already applied if the title was read with it); `includes` are the variants whose
    changes come before its own."""

    id: str
    name: Text
    note: Text | None = None
    includes: tuple[str, ...] = ()


class Waiver(Struct, frozen=True, kw_only=True):
    """Findings of the rule `code` about `at` (a tile, hex, company ... as the finding names it) are accepted, for a
    reason. A `*` in either stands for any characters."""

    code: str
    at: str = "*"
    reason: Text

    def covers(self, code: str, at: str) -> bool:
        """Whether it accepts findings of a code about a place."""
        return _fits(code, self.code) and _fits(at, self.at)


def _fits(words: str, pattern: str) -> bool:
    if words == pattern:
        return True
    first, *others = pattern.split("*")
    if not others or not words.startswith(first):
        return False
    rest, last = words[len(first) :], others.pop()
    for part in others:
        _, found, rest = rest.partition(part) if part else ("", "*", rest)
        if not found:
            return False
    return rest.endswith(last)


class Title(Struct, frozen=True, kw_only=True, dict=True):
    """A title as defined. `currency` is a pattern with {} for the amount; `colours` the tile colours in upgrade order;
    `terms` pairs names of fixed words ("cards/phase") with the title's own words for them;
    `credits` name designers and publishers; `variant` is the id of the variant applied, or None. `line_up`: with a
    variant, the companies of the title without it, in their order, then those that it adds; without one, empty.
    `atlas` holds the map tiles of a title whose board is assembled from them. `pictures` are the title's own icons,
    logos and art."""

    id: str
    name: Text
    subtitle: Text | None
    terms: tuple[tuple[str, Text], ...]
    credits: tuple[Text, ...]
    currency: str
    bank: int | None
    players: tuple[PlayerCount, ...]
    maps: tuple[GameMap, ...]
    tiles: tuple[TileCount, ...]
    companies: tuple[Company, ...]
    trains: tuple[Train, ...]
    phases: tuple[Phase, ...]
    market: Market | None
    pieces: Pieces
    colours: tuple[str, ...]
    chains: tuple[UpgradeChain, ...] = ()
    upgrades: UpgradeOptions = COMMON_RULES
    waivers: tuple[Waiver, ...] = ()
    bonuses: tuple[RevenueBonus, ...] = ()
    aids: tuple[Aid, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    variants: tuple[Variant, ...] = ()
    variant: str | None = None
    line_up: tuple[Company, ...] = ()
    atlas: AtlasBox | None = None
    pictures: tuple[Picture, ...] = ()

    @cached_property
    def company_by_id(self) -> dict[str, Company]:
        """Companies by `ref`: their ids, and "privates/BO" for those in the block of that name."""
        return {company.ref: company for company in self.companies}

    def private(self, piece_id: str) -> Company:
        """The company of a private's card. Raises KeyError."""
        return self.company_by_id.get(f"{PRIVATES}/{piece_id}") or self.company_by_id[piece_id]

    @cached_property
    def tile_by_id(self) -> dict[str, TileCount]:
        """Tiles of the box by number."""
        return {entry.tile.id: entry for entry in self.tiles}

    def other_side(self, number: str) -> Tile | None:
        """The tile on the back of a tile of the box, if it has two sides."""
        return next((entry.tile for entry in self.tiles if entry.back_of == number), None)

    def is_on_a_map(self, board: str) -> bool:
        """This board is printed on the sheet of a map, and not by itself."""
        return any(board in gamemap.boards for gamemap in self.maps)

    @cached_property
    def train_by_id(self) -> dict[str, Train]:
        """Trains by id."""
        return {train.id: train for train in self.trains}

    def train_of_card(self, piece_id: str) -> Train:
        """The train of a card, which may be marked for an option. Raises KeyError."""
        return self.train_by_id.get(piece_id) or self.train_by_id[piece_id.removesuffix(OPTION)]

    @cached_property
    def phase_by_id(self) -> dict[str, Phase]:
        """Phases by id."""
        return {phase.id: phase for phase in self.phases}

    def phase_sides(self, card_id: str) -> tuple[tuple[Phase, ...], tuple[Phase, ...]]:
        """What is on the front of a phase card, and on its back. Raises KeyError."""
        card = {card.id: card for card in self.pieces.phase_cards}[card_id]
        if not card.front:
            return self.phases, ()
        return tuple(self.phase_by_id[each] for each in card.front), tuple(self.phase_by_id[each] for each in card.back)

    def money(self, amount: int) -> str:
        """An amount as the title prints it."""
        return printed_amount(amount, self.currency)
