"""Rules on companies: certificates, homes, stations, and colours by which tokens may be hard to
distinguish with normal or deficient colour vision."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from platelayer.foundation.problems import Problem, Problems, Severity, join_pointer
from platelayer.foundation.text import named
from platelayer.foundation.values import grouped
from platelayer.model.company import Company, CompanyKind, whole
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import WITH_SLOTS, Tile
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.rule import copies, falls, finding, rule
from platelayer.rules.train_rules import trains_by_name
from platelayer.scene.press import printed_hex


def _company(company: Company, *keys: str | int) -> str:
    return join_pointer(company.block, company.id, *keys)


@rule("CO01", "certificates do not add up to 100 %", reads=("companies|privates/./certificates",))
def shares_of_100(title: Title) -> Problems:
    """The certificates of a company do not add up to 100 %, or a major company has none.

    Wrong: [{"percent": 20, "director": true}, {"percent": 10, "count": 7}].

    Right: [{"percent": 20, "director": true}, {"percent": 10, "count": 8}].

    Source: shares are parts of one company; floating, dividends and majorities are counted in per
    cent.
    """
    for company in title.companies:
        total = whole(
            sum(certificate.percent * certificate.count for certificate in company.certificates)
        )
        # Tolerance for thirds and sixths, which are written as 33.3 and 16.67.
        rounded = 0.5 if any(share.percent % 1 for share in company.certificates) else 0
        if company.certificates and abs(total - 100) > rounded:
            counted = " + ".join(
                f"{certificate.count} x {certificate.percent}"
                for certificate in company.certificates
            )
            yield finding(
                _company(company, "certificates"),
                f"the certificates of {company.id} add up to {total} %, not 100 % ({counted})",
                _missing(company, 100 - total),
            )
        elif not company.certificates and company.kind is CompanyKind.MAJOR:
            yield finding(
                _company(company),
                f"{company.id} is a major company without certificates",
                'give it "certificates", or another "kind"',
            )


def _missing(company: Company, percent: float) -> str:
    """Return the count of ordinary certificates that would correct the total, if there is one."""
    for certificate in company.certificates:
        times, left = divmod(percent, certificate.percent)
        change = int(times)
        if not certificate.director and not left and certificate.count + change > 0:
            return f"{certificate.count + change} of {certificate.percent} % would make it 100 %"
    return ""


@rule("CO02", "no proper director's certificate", reads=("companies|privates/./certificates",))
def one_director(title: Title) -> Problems:
    """A company has several certificates, but none or several of them are the director's; or (a
    warning) another certificate is larger than the director's.

    Wrong: [{"percent": 20}, {"percent": 10, "count": 8}].

    Right: [{"percent": 20, "director": true}, {"percent": 10, "count": 8}].

    Source: whoever holds the most shares has the one director's certificate, which is the largest
    in every title.
    """
    for company in title.companies:
        certificates = company.certificates
        directors = [certificate for certificate in certificates if certificate.director]
        count = sum(certificate.count for certificate in directors)
        if count != 1 and (count > 1 or sum(certificate.count for certificate in certificates) > 1):
            which = "none of the certificates" if count == 0 else f"{count} certificates"
            yield finding(
                _company(company, "certificates"),
                f"{which} of {company.id} {'is' if count == 0 else 'are'} the director's; exactly one must be",
                'mark the first with "director": true'
                if count == 0
                else "leave only one, with a count of 1",
            )
        elif directors and directors[0].percent < max(
            certificate.percent for certificate in certificates
        ):
            largest = max(certificate.percent for certificate in certificates)
            yield finding(
                _company(company, "certificates", certificates.index(directors[0])),
                f"the director's certificate of {company.id} is {directors[0].percent} %, "
                f"but another is {largest} %",
                severity=Severity.WARNING,
            )


@rule(
    "CO03",
    "no place for the home station",
    reads=(
        "companies|privates/./homes",
        "companies|privates/./stations",
        "maps",
        "tiles",
        "upgrades",
    ),
)
def home_without_place(title: Title) -> Problems:
    """The home of a company has no slot for its station, and no tile can provide one: the hex has
    no city, and if it has a label, no tile with that label has a city.

    Wrong: "homes": [{"hex": "C6"}], where C6 is open land without a label, or a town.

    Right: the hex of a city; a label found on tiles with a city; or a waiver, if the game puts
    stations beside towns.

    Source: station tokens go in the slots of cities, except in games whose rules put them beside
    towns.
    """
    for company in title.companies:
        for index, home in (
            enumerate(company.homes) if company.has_charter and company.stations else ()
        ):
            hexes = _hexes_of(title, home.hex)
            # A home may name a stop with a slot. On a hex with labels, later tiles may merge this
            # stop with others.
            if any(
                hexagon.tile.stops[home.stop].slots > 0
                if home.stop is not None and not hexagon.tile.labels
                else _slots_ever(title, hexagon) > 0
                for hexagon in hexes
            ):
                continue
            stop = "" if home.stop is None else f" stop {home.stop} of"
            why = "it is not on any map"
            if hexes:
                tile = hexes[0].tile
                kinds = ", ".join(stop.kind.value for stop in tile.stops)
                labels = ", ".join(f'"{label.text}"' for label in tile.labels)
                why = f"stops: {kinds or 'none'}"
                why += f"; no tile with {labels} has a city" if labels else ""
            yield finding(
                _company(company, "homes", index),
                f"no station of {company.id} can ever be placed in its home,{stop} {home.hex} ("
                + why
                + ")",
                "use the hex of a city; waive this if the game puts stations elsewhere",
            )


def _hexes_of(title: Title, printed: str) -> list[MapHex]:
    """Return the hex with these coordinates on each map that has it."""
    return [board.by_id[printed] for board in title.maps if printed in board.by_id]


def _slots_ever(title: Title, hexagon: MapHex) -> int:
    """Return the maximum number of station slots that a hex can come to have: those printed, or
    those of a tile with its label. Without a label, a tile must have none either, and as many
    cities as the hex, plus those that the title adds."""
    labels = {label.text for label in hexagon.tile.labels}
    cities = _cities(hexagon.tile)
    added = sum(
        added.cities
        for added in title.upgrades.added
        if added.label is None and not added.tiles and added.cities > 0
    )
    most = _slots(hexagon.tile)
    for entry in title.tiles:
        own = {label.text for label in entry.tile.labels}
        if (
            (labels & own)
            if labels
            else (not own and cities <= _cities(entry.tile) <= cities + added)
        ):
            most = max(most, _slots(entry.tile))
    return most


def _slots(tile: Tile) -> int:
    return sum(stop.slots for stop in tile.stops)


def _cities(tile: Tile) -> int:
    return len(tile.stops_of(*WITH_SLOTS))


@rule(
    "CO04",
    "more homes than slots",
    Severity.WARNING,
    reads=("companies/+", "privates/+", "maps", "tiles", "upgrades"),
)
def too_many_homes(title: Title) -> Problems:
    """A city or hex is the only home (or one of several homes, all of them taken) of more companies
    of a kind than it has station slots. Land without a slot is compared with the tiles that may be
    laid there. Companies of different kinds are counted separately, because one kind often grows
    out of another; national railways do not count, because they take over existing slots.

    Wrong: two minors with "homes": [{"hex": "J1", "stop": 0}], a city with one slot, and none with
    "stop": 1.

    Right: a city for each; or a waiver, if the companies are never in play together, or the rules
    say where the second station goes.

    Source: a home station is always placed, and needs a slot unless the rules of the title say
    otherwise.
    """
    homes = grouped(
        ((home.hex, company.kind), (company, index))
        for company in title.companies
        if company.has_charter and company.stations and company.kind is not CompanyKind.NATIONAL
        if len(company.homes) == 1 or company.all_homes
        for index, home in enumerate(company.homes)
    )
    for (printed, kind), entries in homes.items():
        by_stop: dict[int | None, list[tuple[Company, int]]] = {}
        by_stop |= grouped(
            (company.homes[index].stop, (company, index)) for company, index in entries
        )
        # Check each city by itself before the hex as a whole; one finding is enough.
        for stop, those in (*by_stop.items(), (None, entries)):
            hexes = _hexes_of(title, printed)
            printed_slots = [
                _slots(hexagon.tile) if stop is None else hexagon.tile.stops[stop].slots
                for hexagon in hexes
            ]
            slots = max(
                (
                    count or _slots_ever(title, hexagon)
                    for count, hexagon in zip(printed_slots, hexes, strict=True)
                ),
                default=0,
            )
            companies = dict.fromkeys(company.id for company, _ in those)
            if 0 < slots < len(companies):
                company, index = those[slots]
                yield finding(
                    _company(company, "homes", index),
                    f"{len(companies)} companies ({kind.value}) have their home in "
                    f"{'' if stop is None else f'city {stop} of '}{printed} ({', '.join(companies)}), which has "
                    f"{slots} station slot{'' if slots == 1 else 's'}",
                    "move a home, or give the city more slots; waive this if the rules give them another place",
                    about=printed,
                )
                break


@rule(
    "CO05",
    "too few stations",
    reads=(
        "companies|privates/./homes",
        "companies|privates/./all_homes",
        "companies|privates/./stations",
    ),
)
def too_few_stations(title: Title) -> Problems:
    """A company has fewer station tokens than homes to put them on; or (a warning) it operates
    without any.

    Wrong: {"homes": [{"hex": "F8"}, {"hex": "F16"}], "all_homes": true, "stations": [0]}.

    Right: "stations": [0, 0].

    Source: every home that a company takes has a station of its own.
    """
    for company in title.companies:
        if not company.has_charter:
            continue
        needed = len(company.homes) if company.all_homes else min(1, len(company.homes))
        have = len(company.stations)
        if have >= max(needed, 1):
            continue
        count = f"{have} station token{'' if have == 1 else 's'}"
        yield finding(
            _company(company, "stations") if have else _company(company),
            f"{company.id} has {count} for {needed} home{'' if needed == 1 else 's'}"
            if needed
            else f"{company.id} operates without a station token",
            '"stations" lists the price of each token, the home token first',
            severity=Severity.ERROR if needed else Severity.WARNING,
        )


@rule("CO06", "station prices fall", Severity.WARNING, reads=("companies|privates/./stations",))
def falling_station_prices(title: Title) -> Problems:
    """A later station token of a company costs less than the one before it.

    Wrong: "stations": [0, 100, 40].

    Right: "stations": [0, 40, 100].

    Source: charters print the prices in the order in which tokens are bought; in published titles
    they never fall.
    """
    for company in title.companies:
        for index, other in falls(company.stations).items():
            yield finding(
                _company(company, "stations", index),
                f"station {index + 1} of {company.id} costs {company.stations[index]}, but station {other + 1} "
                f"costs {company.stations[other]}",
                "list prices in the order in which the tokens are placed",
            )


@rule(
    "CO10",
    "float that needs reserved shares",
    Severity.WARNING,
    reads=("companies|privates/./certificates", "companies|privates/./float_percent"),
)
def floats_with_reserved(title: Title) -> Problems:
    """To float, a company must sell more than is on sale: it also needs reserved shares, perhaps
    those for an exchange.

    Wrong: "float_percent": 60, and five of ten shares reserved.

    Right: "float_percent": 50; or a waiver for a state railway that floats by exchange.

    Source: a company floats by the sale of its shares.
    """
    for company in title.companies:
        shares = company.certificates
        on_sale = sum(
            certificate.percent * certificate.count
            for certificate in shares
            if not certificate.reserved
        )
        if shares and company.float_percent is not None and company.float_percent > on_sale:
            yield finding(
                _company(company, "float_percent"),
                f"{company.id} floats at {company.float_percent} %, but only {on_sale} % of it are on sale: "
                "the rest is reserved",
                "check the percentage, and which certificates are reserved",
            )


@rule(
    "CO11",
    "more stations than places",
    Severity.WARNING,
    reads=("companies|privates/./stations", "atlas", "colours", "maps", "tiles", "upgrades"),
)
def more_stations_than_places(title: Title) -> Problems:
    """A company has more station tokens than the maps have stops, so it can never place all of
    them. Not checked: titles with random maps, and titles with tiles with stops that no upgrade
    leads to, because they may be laid anywhere.

    Wrong: "stations": [0, 40, 100, 100] on a map with three cities.

    Right: as many tokens as the company can use.

    Source: a company has one station in a city, and usually only one in a hex.
    """
    laid = {pair.to for pair in upgrade_graph(title).pairs}
    anywhere = any(entry.tile.stops and entry.tile.id not in laid for entry in title.tiles)
    if title.atlas is not None or not title.maps or anywhere:
        return
    places = sum(
        max(1, len(hexagon.tile.stops))
        for board in title.maps
        for hexagon in board.hexes
        if hexagon.tile.stops
    )
    for company in title.companies:
        if len(company.stations) > places:
            yield finding(
                _company(company, "stations"),
                f"{company.id} has {len(company.stations)} station tokens, but the maps have only {places} "
                "stops",
                "leave out the prices of tokens that can never be placed",
            )


@rule(
    "CO12",
    "two companies with one place in the operating order",
    reads=("companies/+", "privates/+"),
)
def one_place_each(title: Title) -> Problems:
    """Two operating companies have the same place in the operating order, or two privates or
    concessions have.

    Wrong: "order": 4 of two minors.

    Right: 4 and 5.

    Source: companies with an order operate one after the other.
    """
    for company, other in copies(
        ((company.order, company.has_charter), company)
        for company in title.companies
        if company.order is not None
    ):
        yield finding(
            _company(company, "order"),
            f"{company.id} and {other.id} both have place {company.order} in the operating order",
            "give each a place of its own",
        )


@rule(
    "CO13",
    "float below the director's certificate",
    Severity.WARNING,
    reads=("companies|privates/./certificates", "companies|privates/./float_percent"),
)
def floats_by_its_director(title: Title) -> Problems:
    """The percentage at which a company floats is below that of its director's certificate, so the
    first sale always floats it.

    Wrong: "float_percent": 30, and a director's certificate of 40 %.

    Right: "float_percent": 60; or 40, if the director's certificate is enough.

    Source: the director's certificate is the first that is sold.
    """
    for company in title.companies:
        director = next((share.percent for share in company.certificates if share.director), 0)
        if company.float_percent is not None and company.float_percent < director:
            yield finding(
                _company(company, "float_percent"),
                f"{company.id} floats at {company.float_percent} %, but its director's certificate alone is "
                f"{director} %",
                "check the percentage",
            )


@rule("CO14", "two companies with one name", Severity.WARNING, reads=("companies/+", "privates/+"))
def one_name_each(title: Title) -> Problems:
    """Two operating companies of a kind have the same name.

    Wrong: two majors with "name": "Kelling Railway", one copied from the other.

    Right: a name for each.

    Source: charters, certificates and cards are identified by the name of their company.
    """
    for company, other in copies(
        ((company.name, company.kind), company)
        for company in title.companies
        if company.has_charter
    ):
        yield finding(
            _company(company, "name"),
            f'{company.id} and {other.id} have the same name, "{company.name.get("en")}"',
            "an entry may have been copied without its name",
        )


# The phase in which a private closes: its id, or "phase" and its id. Other texts are ignored.
_IN_A_PHASE = re.compile(r"(?:phase )?([^ ]*[0-9][^ ]*)|phase ([^ ]+)", re.IGNORECASE)


@rule(
    "CO15",
    "closes in a phase that does not exist",
    Severity.WARNING,
    reads=("companies|privates/./closes", "phases", "trains"),
)
def closes_in_a_phase(title: Title) -> Problems:
    """A company closes in a phase that the title does not have. Texts that do not name a phase are
    not checked.

    Wrong: "closes": "phase 7" in a title with phases 2 to 6.

    Right: "closes": "phase 5"; "closes": "5"; "closes": "When its ability is used".

    Source: cards print it, and players look for it on the phase card.
    """
    for company in title.companies:
        named = _IN_A_PHASE.fullmatch(company.closes or "")
        phase = named and (named[1] or named[2])
        if (
            phase
            and title.phases
            and phase not in title.phase_by_id
            and phase not in trains_by_name(title)
        ):
            yield finding(
                _company(company, "closes"),
                f'{company.id} closes in "{company.closes}", but there is no phase "{phase}"',
                f"phases: {', '.join(title.phase_by_id)}",
            )


# Colour differences (CIEDE2000), for normal vision and for dichromats.
# Sources: IEC 61966-2-1 (sRGB); CIE 15:2018 (CIELAB, D65); Sharma, Wu and Dalal, "The CIEDE2000
# color-difference formula", Color Research and Application 30 (2005); Machado, Oliveira and
# Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE
# Transactions on Visualization and Computer Graphics 15 (2009).


Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

_XYZ_FROM_RGB: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
# Tristimulus values of D65, 2 degree observer.
_WHITE: Triple = (0.95047, 1.0, 1.08883)
_IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Vision(Enum):
    """Response of the cones of an eye to linear sRGB, as the matrix of severity 1.0 in Machado et
    al. (2009), table 1."""

    NORMAL = _IDENTITY
    DEUTERANOPIA = (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    )
    PROTANOPIA = (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    )
    TRITANOPIA = (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    )

    @property
    def word(self) -> str:
        """The name in a sentence, e.g. "deuteranopia"."""
        return self.name.lower()


class Lab(NamedTuple):
    """A colour in CIELAB (D65): lightness 0-100, green to red, blue to yellow."""

    lightness: float
    a: float
    b: float


@lru_cache(2048)
def lab_from_hex(colour: str, vision: Vision = Vision.NORMAL) -> Lab:
    """Return CIELAB of #rrggbb as an eye with this vision sees it."""
    linear: list[float] = []
    for byte in bytes.fromhex(colour.removeprefix("#")):
        share = byte / 255
        # Transfer function of sRGB, IEC 61966-2-1.
        linear.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    # For saturated colours the matrices yield values outside 0 to 1, which no screen can show.
    seen = [min(1.0, max(0.0, part)) for part in _times(vision.value, linear)]
    roots: list[float] = []
    for part, white in zip(_times(_XYZ_FROM_RGB, seen), _WHITE, strict=True):
        share = part / white
        # CIE 15: a cube root, continued below (6/29)^3 by a straight line.
        roots.append(share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116)
    x, y, z = roots
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


@lru_cache(1 << 15)
def difference(one: str, other: str, vision: Vision = Vision.NORMAL) -> float:
    """Return CIEDE2000 of two colours #rrggbb as an eye with this vision sees them: 1 is just
    noticeable side by side."""
    return ciede2000(lab_from_hex(one, vision), lab_from_hex(other, vision))


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [math.fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def ciede2000(one: Lab, other: Lab) -> float:
    """Return the difference of two colours with kL = kC = kH = 1. Equations (2) to (22) of Sharma
    et al. (2005)."""
    # Stretch a near grey, where CIELAB underrates differences along it.
    mean_chroma = (math.hypot(one.a, one.b) + math.hypot(other.a, other.b)) / 2
    stretch = 1.5 - 0.5 * _seventh(mean_chroma)
    chroma1, hue1 = _polar(one.a * stretch, one.b)
    chroma2, hue2 = _polar(other.a * stretch, other.b)
    # The shorter way between the two hues, and the mean on that way; grey has no hue.
    hue_step, hue = hue2 - hue1, (hue1 + hue2) / 2
    if chroma1 * chroma2 == 0:
        hue_step, hue = 0.0, hue1 + hue2
    elif abs(hue_step) > 180:
        hue_step -= math.copysign(360, hue_step)
        hue += 180 if hue < 180 else -180
    lightness, chroma = (one.lightness + other.lightness) / 2, (chroma1 + chroma2) / 2
    # Weights T, SL, SC and SH: eyes are less sensitive to chroma in strong colours, and to
    # lightness far from middle grey.
    swing = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )
    off_middle = (lightness - 50) ** 2
    lightness_weight = 1 + 0.015 * off_middle / math.sqrt(20 + off_middle)
    by_lightness = (other.lightness - one.lightness) / lightness_weight
    by_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    hue_length = 2 * math.sqrt(chroma1 * chroma2) * math.sin(math.radians(hue_step / 2))
    by_hue = hue_length / (1 + 0.015 * chroma * swing)
    # RT: for blue colours, differences of chroma and hue interact.
    turn = 60 * math.exp(-(((hue - 275) / 25) ** 2))
    blue = -math.sin(math.radians(turn)) * 2 * _seventh(chroma)
    return math.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + blue * by_chroma * by_hue)


def _seventh(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


# CIEDE2000 from which nearly everybody distinguishes two tokens by colour. Seen from 80 cm, a token
# of 14 mm is 1 degree wide; at that size half of all viewers miss differences of 6 to 8 (Stone,
# Szafir and Setlur 2014, ND(50 %) in CIELAB units).
CLEAR = 10.0
# CIEDE2000 below which at least half of all viewers miss the difference at that size.
HALF_MISSED = 6.0
# Colours that differ by more than this on a screen are clearly different in print, too: printing
# changes no colour by more than 29.
_FAR = CLEAR + 2 * 29
_DICHROMACIES = (Vision.DEUTERANOPIA, Vision.PROTANOPIA, Vision.TRITANOPIA)
_MOST_NAMED = 3


# Main and second colour, as #rrggbb.
Colours = tuple[str, str]


class Livery(Struct, frozen=True, kw_only=True):
    """The two colours of a roundel, and the companies with exactly these colours."""

    colour: str
    second: str
    companies: tuple[Company, ...]

    @property
    def colours(self) -> Colours:
        """Both colours."""
        return self.colour, self.second

    @property
    def names(self) -> str:
        """Return the companies in words: a few names, and the number of the others."""
        return named((company.id for company in self.companies), _MOST_NAMED)


def liveries(companies: Iterable[Company]) -> tuple[Livery, ...]:
    """Return the companies that have tokens, grouped by their two colours, in the order of the
    title."""
    by_colours = grouped(
        ((company.colour.lower(), company.second.lower()), company)
        for company in companies
        if company.has_charter
    )
    return tuple(
        Livery(colour=colour, second=second, companies=tuple(those))
        for (colour, second), those in by_colours.items()
    )


def _apart(
    one: Colours, other: Colours, vision: Vision, shown: Callable[[str], str] = str
) -> tuple[float, float]:
    """Return the differences of the main colours and of the second colours, each as it is `shown`:
    by default as on a screen."""
    colour, second = (
        difference(shown(mine), shown(theirs), vision)
        for mine, theirs in zip(one, other, strict=True)
    )
    return colour, second


@lru_cache(1 << 13)
def _severest(
    one: Colours, other: Colours, vision: Vision, *, clear: float
) -> tuple[Severity | None, tuple[float, float], str]:
    """Return the more severe of the differences of two liveries on a screen and in print: its
    severity, its two parts, and the words for where. Cached, because the variants of a title
    share most of their liveries."""
    there = _apart(one, other, vision)
    on_screen = _severity(*there, clear=clear)
    # Most pairs end here, without the slow comparison in print: 24 companies have 276 pairs.
    if there[0] > _FAR:
        return on_screen, there, ""
    # A press cannot reproduce some colours of a screen.
    here = _apart(one, other, vision, printed_hex)
    in_print = _severity(*here, clear=clear)
    if (in_print or 0) > (on_screen or 0):
        return in_print, here, " in print"
    return on_screen, there, ""


def _severity(colour: float, second: float, *, clear: float) -> Severity | None:
    """Return a warning if both differences are below `clear`; a note if both are still small, or
    the main colours can hardly be distinguished; otherwise None."""
    if colour < clear and second < clear:
        return Severity.WARNING
    near = colour < HALF_MISSED or (colour < CLEAR and second < CLEAR)
    return Severity.NOTE if near else None


class Alike(NamedTuple):
    """A company that is hard to distinguish from another: for which vision, and by how much their
    main colours differ."""

    company: Company
    vision: Vision
    difference: float


def alike(company: Company, others: Iterable[Company]) -> Iterator[Alike]:
    """Yield the companies for which CO08 or CO09 would warn. Companies with identical colours are
    meant to look alike."""
    if not company.has_charter:
        return
    own = company.colour, company.second
    for other in liveries(others):
        if own == other.colours:
            continue
        # For dichromats, report only differences that half of them miss: hardly any set of twenty
        # colours is clear to all of them, and letters distinguish tokens as well.
        visions = ((Vision.NORMAL, CLEAR), *((vision, HALF_MISSED) for vision in _DICHROMACIES))
        for vision, clear in visions:
            severity, (colour, _), _ = _severest(own, other.colours, vision, clear=clear)
            if severity is not None:
                yield Alike(other.companies[0], vision, colour)
                break


@rule("CO07", "two companies print the same on their tokens", reads=("companies/+",))
def same_token_text(title: Title) -> Problems:
    """The tokens of two companies have the same letters, and their colours are too close to tell
    them apart. This is a warning if the colours are clearly different.

    Wrong: two companies with "token_text": "NR" and the same colours.

    Right: different letters, or no "token_text", so that tokens print the company's id.

    Source: only its letters and colours identify a token on the map.
    """
    with_tokens = [company for company in title.companies if company.has_charter]
    for one, other in combinations(with_tokens, 2):
        if one.token_text.casefold() != other.token_text.casefold():
            continue
        colours, others = ((company.colour, company.second) for company in (one, other))
        near = max(_apart(colours, others, Vision.NORMAL)) < CLEAR
        yield finding(
            ("companies", other.id, *(("token_text",) if other.token_text != other.id else ())),
            f'the tokens of {one.id} and {other.id} both print "{other.token_text}"'
            + (" in colours that cannot be told apart" if near else ""),
            'give one of them a different "token_text"',
            about=f"{one.id}/{other.id}",
            severity=Severity.ERROR if near else Severity.WARNING,
        )


@rule("CO08", "colours too close", Severity.WARNING, reads=("companies/+",))
def colours_too_close(title: Title) -> Problems:
    """Two companies have main colours and second colours that people with normal vision can hardly
    tell apart at the size of a token (CIEDE2000 below 10), or companies with shares have identical
    ones. This is a note if only the main colours are very close (below 6) and the second colours
    are clearly different. Companies without shares may share their colours: minors of one kind
    often do, and are told apart by their numbers. Colours are compared on a screen and as an offset
    press prints them on coated paper; the worse counts.

    Wrong: "#0b4ea2" and "#0f4f9e", both with white.

    Right: "#0b4ea2" with white and "#7fb2e5" with black.

    Source: Sharma et al. 2005 for the measure; Stone, Szafir and Setlur 2014 for the size (1
    degree: a token of 14 mm seen from 80 cm).
    """
    known = liveries(title.companies)
    for livery in known:
        rivals = [company.id for company in livery.companies if len(company.certificates) > 1]
        if len(rivals) > 1:
            yield finding(
                ("companies", rivals[1], "colour"),
                f"{named(rivals, _MOST_NAMED)} have the same two colours, {livery.colour} and {livery.second}",
                'give each its own "colour" or "second"',
                about="/".join(rivals),
            )
    found = []
    for one, other in combinations(known, 2):
        severity, (colour, second), where = _severest(
            one.colours, other.colours, Vision.NORMAL, clear=CLEAR
        )
        if severity is not None:
            words = f"differ by only {colour:.1f}{where}"
            found.append(
                (colour, _too_close(one, other, words, second, severity=severity, cause="colours"))
            )
    # List the nearest pairs first: of hundreds of pairs only the first are shown. The key is the
    # difference alone, so that ties stay in the order of the companies.
    yield from (problem for _, problem in sorted(found, key=lambda pair: pair[0]))


@rule("CO09", "colours too close for dichromats", Severity.WARNING, reads=("companies/+",))
def colours_too_close_for_dichromats(title: Title) -> Problems:
    """Two companies whose colours most people can tell apart look alike to people without green or
    red cones (deuteranopia, protanopia: one man in fifty) or without blue ones (tritanopia: rare):
    both colours differ by a CIEDE2000 below 6. This is a note if both are below 10, or only the
    main colours below 6. The letters and the division of the roundel still tell the tokens apart.

    Wrong: "#a52a2a" and "#008000", both with white: 65.6 apart to most people, 4.6 with
    deuteranopia.

    Right: one of them much lighter than the other, or a different second colour.

    Source: Machado, Oliveira and Fernandes 2009, severity 1.0; thresholds as for CO08.
    """
    found = []
    for one, other in combinations(liveries(title.companies), 2):
        colours = one.colours, other.colours
        # CO08 already reports these pairs, and dichromats also confuse what everybody confuses.
        if _severest(*colours, Vision.NORMAL, clear=CLEAR)[0] is not None:
            continue
        seen = [
            (*_severest(*colours, vision, clear=HALF_MISSED), vision) for vision in _DICHROMACIES
        ]
        # The most severe finding and, on a tie, the one with the nearest colours.
        severity, (colour, second), where, vision = min(
            seen, key=lambda sight: (-(sight[0] or 0), sight[1][0])
        )
        if severity is not None:
            usual = _apart(*colours, Vision.NORMAL)
            words = f"differ by only {colour:.1f}{where} with {vision.word} ({usual[0]:.1f} with normal vision)"
            found.append(
                (
                    colour,
                    _too_close(one, other, words, second, severity=severity, cause=vision.word),
                )
            )
    yield from (problem for _, problem in sorted(found, key=lambda pair: pair[0]))


def _too_close(
    one: Livery, other: Livery, words: str, second: float, *, severity: Severity, cause: str
) -> Problem:
    first, last = one.companies[0], other.companies[0]
    return finding(
        ("companies", last.id, "colour"),
        f"the colours {one.colour} of {one.names} and {other.colour} of {other.names} {words}, "
        f"their second colours by {second:.1f} (CIEDE2000; {CLEAR:.0f} is clear)",
        'give one of them a different "second" colour, or make its "colour" much lighter or darker',
        about=f"{first.id}/{last.id}",
        severity=severity,
        cause=cause,
    )


@rule("CO16", "a colour that no press prints", Severity.NOTE, reads=("companies/+",))
def beyond_the_press(title: Title) -> Problems:
    """A company's colour cannot be mixed from the four inks of an offset press, even on coated
    paper: its pieces print in another one (CIEDE2000 of 6 or more), and differ from what a screen
    shows.

    Wrong: "#ff00ff", which prints as "#ab0b7f".

    Right: the nearest colour that is printed, or one that is beyond doubt.

    Source: FOGRA39, the characterization of offset printing on coated paper.
    """
    for livery in liveries(title.companies):
        nearest = printed_hex(livery.colour)
        if difference(livery.colour, nearest) >= HALF_MISSED:
            yield finding(
                ("companies", livery.companies[0].id, "colour"),
                f"no press prints {livery.colour}, the colour of {livery.names}",
                f"the nearest that is printed is {nearest}",
                about=livery.names,
            )
