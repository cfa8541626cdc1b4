"""Companies of every kind: certificates, stations, homes, colours, roundel."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from platelayer.foundation.text import Text
from platelayer.model.tile import RevenueStep


class CompanyKind(Enum):
    """The 18xx terms for what a company is."""

    PRIVATE = "private"
    CONCESSION = "concession"
    MINOR = "minor"
    MAJOR = "major"
    NATIONAL = "national"


class Home(NamedTuple):
    """A home: printed coordinates of a hex, the index of the stop there (None: any, or to be chosen), and what the
    charter calls it where that is more than the place's name."""

    hex: str
    stop: int | None
    name: Text | None = None


class Certificate(Struct, frozen=True, kw_only=True):
    """`count` equal share certificates of `percent` each; `director` marks the director's certificate."""

    percent: int
    count: int = 1
    director: bool = False
    reserved: bool = False

    @property
    def grade(self) -> str:
        """What distinguishes it from others of its company: "director", "10", or "10r" if it is reserved."""
        return "director" if self.director else f"{self.percent}{'r' if self.reserved else ''}"


class Roundel(Struct, frozen=True, kw_only=True):
    """A company's sign in two colours: a heraldic `division` (plain, pale, fess, bend, bend-sinister, quarterly,
    chevron, saltire, cross, border, chief, base, paly, barry, lozenge, pile ...). None in a title: it is worked out so
    that all companies of the title differ even without colour, and look the same in all its variants."""

    division: str


COMPANIES, PRIVATES = "companies", "privates"
"""Blocks of a title that hold companies."""


class Company(Struct, frozen=True, kw_only=True):
    """One company.

    `id` is unique in its `block` of the title ("companies", or "privates" for what may share an id with one of those);
    `ref` is unique in the title. The id is the abbreviation printed on tokens unless `token_text` differs. Colours are
    #rrggbb: `colour` the field, `second` the other roundel colour, `text_colour` for words on the field. `stations` are
    the prices of its station tokens in order, the first normally the home token (None: the map shows it).
    `token_places` are the prices at the places for them on its charter, where those are fewer or others.
    `formation_cost` is paid for the other tokens at formation. `homes`: several are a choice unless `all_homes`.
    `blocks`: hexes reserved for it until it first operates. `order`: operating order of minors. `used` is what the back
    of a private's card says: the card is turned over when the ability is used. `value` and `income` are a private's
    price and what it pays. `size` is a class of the title (small, medium, large). `float_percent`: sold to float.
    `class_name` is what the title calls this type of company ("Coal railway"). `second_name` is its name in another
    language of its country, printed below. `logo` is the id of a picture of the title that takes the place of the
    roundel. `incomes` are what a private pays from a tile colour or phase on, where that changes; `income` is the first
    of them. `min_price` and `max_price` are what a company may pay for a private; `discount` is how much below its
    value it is first sold; `min_players` the fewest with whom it is in play. `shows` is a kind and an id of what its
    card shows: a hex, a tile or a picture. `destination` is where its track is to lead, marked by a token of its own if
    `destination_token`."""

    id: str
    name: Text
    kind: CompanyKind
    token_text: str
    colour: str
    second: str
    text_colour: str
    logo: str | None = None
    roundel: Roundel | None = None
    certificates: tuple[Certificate, ...] = ()
    stations: tuple[int | None, ...] = ()
    token_places: tuple[int | None, ...] = ()
    formation_cost: int = 0
    homes: tuple[Home, ...] = ()
    all_homes: bool = False
    blocks: tuple[str, ...] = ()
    order: int | None = None
    value: int | None = None
    income: int | None = None
    size: str | None = None
    float_percent: int | None = None
    train_limit: int | None = None
    closes: str | None = None
    abilities: tuple[Text, ...] = ()
    class_name: Text | None = None
    second_name: Text | None = None
    used: Text | None = None
    incomes: tuple[RevenueStep, ...] = ()
    min_price: int | None = None
    max_price: int | None = None
    discount: int = 0
    min_players: int | None = None
    shows: tuple[str, str] | None = None
    destination: Home | None = None
    destination_token: bool = False
    block: str = COMPANIES

    @property
    def ref(self) -> str:
        """Its id, after its block and a slash if that is not the usual one."""
        return self.id if self.block == COMPANIES else f"{self.block}/{self.id}"

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes that are named on its charter or card."""
        places = (*self.homes, *((self.destination,) if self.destination else ()))
        return (*(place.hex for place in places), *(self.shows or ()))

    @property
    def has_charter(self) -> bool:
        """Companies that operate have a charter; privates and concessions have a certificate only."""
        return self.kind in (CompanyKind.MINOR, CompanyKind.MAJOR, CompanyKind.NATIONAL)

    @property
    def owned_whole(self) -> bool:
        """True when one certificate is the whole company: it is bought like a private and has no share price."""
        return [(each.percent, each.count) for each in self.certificates] == [(100, 1)]
