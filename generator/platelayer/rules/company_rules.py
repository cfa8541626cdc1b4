"""Rules on companies: certificates, homes and stations."""

from __future__ import annotations

from collections.abc import Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.company import Company, CompanyKind
from platelayer.model.gamemap import MapHex
from platelayer.model.tile import StopKind, Tile
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.rules.land import Land, lands
from platelayer.rules.rule import rule


def _company(company: Company, *keys: str | int) -> str:
    return join_pointer(company.block, company.id, *keys)


@rule("CO01", "certificates do not add up to 100 %", reads=("companies|privates/./certificates",))
def shares_of_100(title: Title) -> Iterator[Problem]:
    """The certificates of a company do not add up to 100 %, or a major company has none.

    Wrong: [{"percent": 20, "director": true}, {"percent": 10, "count": 7}].

    Right: [{"percent": 20, "director": true}, {"percent": 10, "count": 8}].

    Source: shares are parts of one company; floating, dividends and majorities are counted in per cent.
    """
    for company in title.companies:
        total = sum(certificate.percent * certificate.count for certificate in company.certificates)
        if company.certificates and total != 100:
            counted = " + ".join(f"{certificate.count} x {certificate.percent}" for certificate in company.certificates)
            yield Problem(
                pointer=_company(company, "certificates"),
                about=company.ref,
                message=f"the certificates of {company.id} add up to {total} %, not 100 % ({counted})",
                hint=_missing(company, 100 - total),
            )
        elif not company.certificates and company.kind is CompanyKind.MAJOR:
            yield Problem(
                pointer=_company(company),
                about=company.ref,
                message=f"{company.id} is a major company without certificates",
                hint='give it "certificates", or another "kind"',
            )


def _missing(company: Company, percent: int) -> str:
    """The count of ordinary certificates that would correct the total, if there is one."""
    for certificate in company.certificates:
        change, left = divmod(percent, certificate.percent)
        if not certificate.director and not left and certificate.count + change > 0:
            return f"{certificate.count + change} of {certificate.percent} % would make it 100 %"
    return ""


@rule("CO02", "no proper director's certificate", reads=("companies|privates/./certificates",))
def one_director(title: Title) -> Iterator[Problem]:
    """A company has several certificates, and not exactly one of them is the director's; or (a warning) another
    certificate is larger than the director's.

    Wrong: [{"percent": 20}, {"percent": 10, "count": 8}].

    Right: [{"percent": 20, "director": true}, {"percent": 10, "count": 8}].

    Source: whoever holds the most shares has the one director's certificate, which is the largest in every title.
    """
    for company in title.companies:
        certificates = company.certificates
        directors = [certificate for certificate in certificates if certificate.director]
        count = sum(certificate.count for certificate in directors)
        if count != 1 and (count > 1 or sum(certificate.count for certificate in certificates) > 1):
            said = "none of the certificates" if count == 0 else f"{count} certificates"
            yield Problem(
                pointer=_company(company, "certificates"),
                about=company.ref,
                message=f"{said} of {company.id} {'is' if count == 0 else 'are'} the director's; exactly one must be",
                hint='mark the first with "director": true' if count == 0 else "leave only one, with a count of 1",
            )
        elif directors and directors[0].percent < max(certificate.percent for certificate in certificates):
            largest = max(certificate.percent for certificate in certificates)
            yield Problem(
                pointer=_company(company, "certificates", certificates.index(directors[0])),
                about=company.ref,
                message=f"the director's certificate of {company.id} is {directors[0].percent} %, "
                f"but another is {largest} %",
                severity=Severity.WARNING,
            )


@rule(
    "CO03",
    "no place for the home station",
    reads=("companies|privates/./homes", "companies|privates/./stations", "maps", "tiles", "upgrades"),
)
def home_without_place(title: Title) -> Iterator[Problem]:
    """A company's home has no slot for its station, and no tile of the title can provide one: the hex has no city, and
    if it has a label, no tile with that label has a city. This is a note if the home is a town: some games have
    stations beside towns.

    Wrong: "homes": [{"hex": "C6"}], where C6 is open land without a label.

    Right: the hex of a city; or a label found on tiles with a city.

    Source: station tokens go in the slots of cities, except in games whose rules put them beside towns.
    """
    for company in title.companies:
        for index, home in enumerate(company.homes) if company.has_charter and company.stations else ():
            hexes = _hexes_of(title, home.hex)
            if any(_place_ever(title, hexagon, home.stop) for _, hexagon in hexes):
                continue
            stop = "" if home.stop is None else f" stop {home.stop} of"
            yield Problem(
                pointer=_company(company, "homes", index),
                about=company.ref,
                message=f"no station of {company.id} can ever be placed in its home,{stop} {home.hex} ("
                + (_stops_in_words(hexes[0][1].tile) if hexes else "it is not on any map")
                + ")",
                hint="use the hex of a city, unless the game puts stations beside towns",
                severity=Severity.NOTE if _at_town(hexes, home.stop) else Severity.ERROR,
            )


def _hexes_of(title: Title, printed: str) -> tuple[tuple[Land, MapHex], ...]:
    """The hex of these coordinates on each map that has it."""
    return tuple((land, land.gamemap.by_id[printed]) for land in lands(title) if printed in land.gamemap.by_id)


def _at_town(hexes: tuple[tuple[Land, MapHex], ...], stop: int | None) -> bool:
    """A home is a town: by its stop, or because its hex has no other."""
    stops = [other for _, hexagon in hexes for other in hexagon.tile.stops[stop : None if stop is None else stop + 1]]
    return bool(stops) and all(other.kind is StopKind.TOWN for other in stops)


def _place_ever(title: Title, hexagon: MapHex, stop: int | None) -> bool:
    if stop is not None and not hexagon.tile.labels:
        return hexagon.tile.stops[stop].slots > 0
    return _slots_ever(title, hexagon) > 0


def _stops_in_words(tile: Tile) -> str:
    kinds = ", ".join(stop.kind.value for stop in tile.stops)
    labels = ", ".join(f'"{label.text}"' for label in tile.labels)
    return f"stops: {kinds or 'none'}" + (f"; no tile with {labels} has a city" if labels else "")


def _slots_ever(title: Title, hexagon: MapHex) -> int:
    """Station places that a hex can come to have at most: those printed, or of a tile for its label; without a label,
    of a tile without one and with as many cities, those counted that the title adds."""
    labels = {label.text for label in hexagon.tile.labels}
    cities = _cities(hexagon.tile)
    added = sum(
        added.cities for added in title.upgrades.added if added.label is None and not added.tiles and added.cities > 0
    )
    most = _slots(hexagon.tile)
    for entry in title.tiles:
        own = {label.text for label in entry.tile.labels}
        if (labels & own) if labels else (not own and cities <= _cities(entry.tile) <= cities + added):
            most = max(most, _slots(entry.tile))
    return most


def _slots(tile: Tile) -> int:
    return sum(stop.slots for stop in tile.stops)


def _cities(tile: Tile) -> int:
    return len(tile.stops_of(StopKind.CITY, StopKind.PASS))


@rule("CO04", "more homes than slots", Severity.NOTE, reads=("companies/+", "privates/+", "maps", "tiles", "upgrades"))
def too_many_homes(title: Title) -> Iterator[Problem]:
    """More companies of a kind have their only home (or one of several that they all take) in a hex than it can ever
    have station slots, whatever tiles are laid. Companies of different kinds are not counted together, because one kind
    often grows out of another; national railways are not counted, because they take over existing slots. This is
    a note: some games have places beside the slots, or companies that are never in play together.

    Wrong: three majors with "homes": [{"hex": "B3"}], when B3 is a city with one slot and no tile has more than two.

    Right: two of them; or three, if the rules say where the third puts its station.

    Source: a home station is always placed, and needs a slot unless the rules of the title say otherwise.
    """
    homes: dict[tuple[str, CompanyKind], list[Company]] = {}
    for company in title.companies:
        certain = len(company.homes) == 1 or company.all_homes
        for home in company.homes:
            if certain and company.has_charter and company.stations and company.kind is not CompanyKind.NATIONAL:
                homes.setdefault((home.hex, company.kind), []).append(company)
    for (printed, kind), companies in homes.items():
        hexes = _hexes_of(title, printed)
        places = max((_slots_ever(title, hexagon) for _, hexagon in hexes), default=0)
        if 0 < places < len(companies):
            land, hexagon = hexes[0]
            yield Problem(
                pointer=land.pointer(hexagon),
                about=printed,
                message=f"{len(companies)} companies ({kind.value}) have their home in {printed} "
                f"({', '.join(company.id for company in companies)}), which never has more than {places} "
                f"station slot{'' if places == 1 else 's'}",
                hint="move a home, or give the hex or its tiles more slots, unless the rules give them another place",
            )


@rule(
    "CO05",
    "too few stations",
    reads=("companies|privates/./homes", "companies|privates/./all_homes", "companies|privates/./stations"),
)
def too_few_stations(title: Title) -> Iterator[Problem]:
    """A company has fewer station tokens than homes to put them on; or (a warning) it operates without any.

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
        yield Problem(
            pointer=_company(company, "stations") if have else _company(company),
            about=company.ref,
            message=f"{company.id} has {count} for {needed} home{'' if needed == 1 else 's'}"
            if needed
            else f"{company.id} operates without a station token",
            hint='"stations" lists the price of each token, the home token first',
            severity=Severity.ERROR if needed else Severity.WARNING,
        )


@rule("CO06", "station prices fall", Severity.NOTE, reads=("companies|privates/./stations",))
def falling_station_prices(title: Title) -> Iterator[Problem]:
    """A later station token of a company costs less than the one before it.

    Wrong: "stations": [0, 100, 40].

    Right: "stations": [0, 40, 100].

    Source: charters print the prices from left to right in the order in which tokens are bought; in published titles
    they rise or stay the same.
    """
    for company in title.companies:
        for index in range(1, len(company.stations)):
            before, price = company.stations[index - 1], company.stations[index]
            if price is not None and before is not None and price < before:
                yield Problem(
                    pointer=_company(company, "stations", index),
                    about=company.ref,
                    message=f"station {index + 1} of {company.id} costs {price}, less than the one before ({before})",
                    hint="list prices in the order in which the tokens are placed",
                )


@rule(
    "CO10",
    "float that needs reserved shares",
    Severity.NOTE,
    reads=("companies|privates/./certificates", "companies|privates/./float_percent"),
)
def floats_with_reserved(title: Title) -> Iterator[Problem]:
    """A company floats when more of it is sold than is on sale: it needs shares that are reserved, perhaps for an
    exchange.

    Wrong: "float_percent": 60, and five of ten shares reserved.

    Right: "float_percent": 50.

    Source: a company floats by the sale of its shares. Some state railways float by exchange; for them the
    note is expected.
    """
    for company in title.companies:
        shares = company.certificates
        on_sale = sum(certificate.percent * certificate.count for certificate in shares if not certificate.reserved)
        if shares and company.float_percent is not None and company.float_percent > on_sale:
            yield Problem(
                pointer=_company(company, "float_percent"),
                about=company.ref,
                message=f"{company.id} floats at {company.float_percent} %, but only {on_sale} % of it are on sale: "
                "the rest is reserved",
                hint="check the percentage, and which certificates are reserved",
            )


@rule(
    "CO11",
    "more stations than places",
    Severity.WARNING,
    reads=("companies|privates/./stations", "atlas", "colours", "maps", "tiles", "upgrades"),
)
def more_stations_than_places(title: Title) -> Iterator[Problem]:
    """A company has more station tokens than the maps have stops, so it can never place all of them. Titles with random
    maps are not checked, nor are those with tiles of stops that no upgrade leads to: they may be laid anywhere.

    Wrong: "stations": [0, 40, 100, 100] on a map with three cities.

    Right: as many tokens as a game can use.

    Source: a company has one station in a city, and usually only one in a hex.
    """
    laid = {pair.to for pair in upgrade_graph(title).pairs}
    anywhere = any(entry.tile.stops and entry.tile.id not in laid for entry in title.tiles)
    if title.atlas is not None or not title.maps or anywhere:
        return
    places = sum(
        max(1, len(hexagon.tile.stops)) for board in title.maps for hexagon in board.hexes if hexagon.tile.stops
    )
    for company in title.companies:
        if len(company.stations) > places:
            yield Problem(
                pointer=_company(company, "stations"),
                about=company.ref,
                message=f"{company.id} has {len(company.stations)} station tokens, but the maps have only {places} "
                "stops",
                hint="leave out the prices of tokens that can never be placed",
            )
