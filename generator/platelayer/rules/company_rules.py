"""Rules on companies: certificates, homes and stations."""

from __future__ import annotations

import re

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problems, Severity
from platelayer.foundation.values import grouped
from platelayer.model.company import Company, CompanyKind, whole
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import WITH_SLOTS, Tile
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.rule import copies, falls, finding, rule
from platelayer.rules.train_rules import trains_by_name


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
        # Thirds and sixths are printed as 33.3 and 16.67.
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
    """The count of ordinary certificates that would correct the total, if there is one."""
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
            # A named stop may have a slot; labels may yet merge it with others.
            if any(
                hexagon.tile.stops[home.stop].slots > 0
                if home.stop is not None and not hexagon.tile.labels
                else _slots_ever(title, hexagon) > 0
                for hexagon in hexes
            ):
                continue
            stop = "" if home.stop is None else f" stop {home.stop} of"
            yield finding(
                _company(company, "homes", index),
                f"no station of {company.id} can ever be placed in its home,{stop} {home.hex} ("
                + (_stops_in_words(hexes[0].tile) if hexes else "it is not on any map")
                + ")",
                "use the hex of a city; waive this if the game puts stations elsewhere",
            )


def _hexes_of(title: Title, printed: str) -> list[MapHex]:
    """The hex of these coordinates on each map that has it."""
    return [board.by_id[printed] for board in title.maps if printed in board.by_id]


def _stops_in_words(tile: Tile) -> str:
    kinds = ", ".join(stop.kind.value for stop in tile.stops)
    labels = ", ".join(f'"{label.text}"' for label in tile.labels)
    return f"stops: {kinds or 'none'}" + (f"; no tile with {labels} has a city" if labels else "")


def _slots_ever(title: Title, hexagon: MapHex) -> int:
    """Station places that a hex can come to have at most: those printed, or of a tile for its
    label; without a label, of a tile without one and with as many cities, those counted that the
    title adds."""
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
        # First each city by itself, then the hex as a whole; one finding is enough.
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


# The phase that a private closes in: its id, or "phase" and its id. Other words are not read.
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
