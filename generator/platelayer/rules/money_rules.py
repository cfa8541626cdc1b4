"""Rules on money (by number of players, against the bank, in the notes of the box) and on the
market.

Those on money are arithmetic: what they report cannot happen, or cannot be paid, whatever the
players do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, gcd
from typing import NamedTuple

from msgspec.structs import replace

from platelayer.foundation.problems import Problem, Problems, Severity, join_pointer
from platelayer.foundation.values import grouped
from platelayer.model.company import Company, CompanyKind
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.tile import RevenueStep, StopKind
from platelayer.model.title import PlayerCount, Title
from platelayer.rules.rule import falls, finding, reached, rises, rule

# Everything whose payments depend on tile colour or phase, as series of amounts.


class Series(NamedTuple):
    """Amounts that one thing pays over time: their place in the title, the name for a waiver, and
    the name for messages."""

    pointer: str
    about: str
    name: str
    steps: Sequence[RevenueStep]
    # True if the last amount may be 0, which ends the payments.
    may_end: bool = False


def _words(kind: StopKind) -> str:
    return "off-board" if kind is StopKind.OFFBOARD else kind.value


def paid_series(title: Title) -> Iterator[Series]:
    """Yield amounts paid by stops of maps and of the title's own tiles, destination cards and
    privates."""
    for gamemap in title.maps:
        for hexagon in gamemap.hexes:
            for number, stop in enumerate(hexagon.tile.stops):
                at = join_pointer(
                    "maps", gamemap.id, "hexes", hexagon.id, "stops", number, "revenue"
                )
                name = f"the {_words(stop.kind)} of {hexagon.id}"
                yield Series(at, hexagon.id, name, stop.revenue)
    for entry in title.tiles:
        for number, stop in enumerate(() if entry.is_standard else entry.tile.stops):
            at = join_pointer("tiles", entry.tile.id, "tile", "stops", number, "revenue")
            name = f"the {_words(stop.kind)} of tile {entry.tile.id}"
            yield Series(at, entry.tile.id, name, stop.revenue)
    for card in title.pieces.destination_cards:
        at = join_pointer("pieces", "destination_cards", card.id, "revenue")
        yield Series(at, card.id, f"destination card {card.id}", card.revenue)
    for company in title.companies:
        at = join_pointer(company.block, company.id, "income")
        yield Series(at, company.ref, company.id, company.incomes, may_end=True)


@rule("MO01", "number of players left out", Severity.WARNING, reads=("players",))
def missing_player_count(title: Title) -> Problems:
    """The definition has no entry for a number of players between the minimum and the maximum.

    Wrong: "players" with 3, 4 and 6.

    Right: 3, 4, 5 and 6.

    Source: a game for 3 to 6 players can be played by 5.
    """
    for fewer, more in pairwise(title.players):
        for players in range(fewer.players + 1, more.players):
            yield finding(
                "/players",
                f"there is an entry for {fewer.players} and for {more.players} players, but none for {players}",
                f'add "{players}": {{"cash": ..., "certificate_limit": ...}}',
                about=str(players),
                cause=f"{fewer.players} to {more.players}",
            )


@rule("MO02", "more cash than the bank has", reads=("bank", "players/."))
def cash_above_bank(title: Title) -> Problems:
    """The players' starting cash adds up to more than the whole bank.

    Wrong: a bank of 1000, and 6 players with 250 each.

    Right: a bank of 12000.

    Source: starting money comes out of the bank.
    """
    least = min((count.players * count.cash for count in title.players), default=0)
    if (
        title.bank is not None
        and least > title.bank
        and all(count.bank is None for count in title.players)
    ):
        yield finding(
            "/bank",
            f"players start with {least} or more in total, whatever their number: more than the bank of "
            f"{title.bank}",
            about="bank",
        )
        return
    for count in title.players:
        total = count.players * count.cash
        bank = _bank(title, count)
        if bank is not None and total > bank:
            yield finding(
                ("players", count.players, "cash"),
                f"{count.players} players start with {count.cash} each, {total} in total: "
                f"more than the bank of {bank}",
            )


@rule("MO03", "more players have more", Severity.WARNING, reads=("players/+",))
def rises_with_players(title: Title) -> Problems:
    """With more players, each gets more cash or may hold more certificates than with fewer.

    Wrong: 300 with four players, 350 with five.

    Right: amounts that fall or stay the same as players are added.

    Source: in published titles, all players together share the same money and certificates.
    """
    for key in ("cash", "certificate_limit"):
        amounts: list[int | None] = [getattr(count, key) for count in title.players]
        for at, other in rises(amounts).items():
            count, against = title.players[at].players, title.players[other].players
            yield finding(
                ("players", count, key),
                f"the {key.replace('_', ' ')} is {amounts[at]} with {count} players, "
                f"but {amounts[other]} with {against}",
                "amounts fall or stay the same as players are added; one of the two may be a mistake",
            )


@rule("MO04", "notes do not add up to the bank", reads=("bank", "pieces/money", "players"))
def notes_against_bank(title: Title) -> Problems:
    """The notes or coins in the box are worth less than the bank, or than the players' starting
    cash. This is a warning if they are worth more than the bank, because players could not see when
    it breaks. Nothing is reported if the box has no money.

    Wrong: a bank of 12000, "money": {"100": 100}.

    Right: "money": {"1": 100, "5": 80, "10": 100, "50": 40, "100": 35, "500": 10}, which is 12000.

    Source: many titles end when the bank breaks.
    """
    money = title.pieces.money
    if not money:
        return
    total = sum(value * count for value, count in money)
    banks = [count.bank for count in title.players if count.bank is not None]
    bank = max(banks, default=title.bank)
    if bank is not None and total != bank:
        compared = "less" if total < bank else "more"
        severity = Severity.ERROR if total < bank else Severity.WARNING
        message = f"the money in the box adds up to {total}, {abs(total - bank)} {compared} than the bank of {bank}"
        yield finding("/pieces/money", message, about="money", severity=severity)
    most = max(title.players, key=lambda count: count.players * count.cash, default=None)
    if bank is None and most is not None and most.players * most.cash > total:
        yield finding(
            "/pieces/money",
            f"the money in the box adds up to {total}, but {most.players} players start with "
            f"{most.players * most.cash} in total",
            about="money",
        )


def _bank(title: Title, count: PlayerCount) -> int | None:
    """Return all the money in a game with this number of players; None if it is unlimited, or not
    given."""
    return title.bank if count.bank is None else count.bank


def _most_money(title: Title) -> int | None:
    """Return the most money in a game with any number of players; None if some number has no
    limit."""
    banks = [_bank(title, count) for count in title.players] or [title.bank]
    limits = [bank for bank in banks if bank is not None]
    return max(limits) if len(limits) == len(banks) else None


def _shares(company: Company, percent: float) -> int:
    """Return the number of shares that make up at least this percentage."""
    # The share price is that of an ordinary share, which is the smallest certificate.
    share = min(certificate.percent for certificate in company.certificates)
    return ceil(round(percent / share, 2))


def _start_prices(title: Title, company: Company) -> tuple[int, ...]:
    """Return possible start prices of a share, in ascending order; none if the title does not give
    them."""
    market = title.market
    if market is None or not company.certificates or company.owned_whole:
        return ()
    return _par_prices(market, company.kind.value, company.size)


@lru_cache(64)
def _par_prices(market: Market, kind: str, size: str | None) -> tuple[int, ...]:
    """Return start prices for companies of a kind and a size, in ascending order."""
    par = {zone.id for zone in market.zones if zone.par and zone.who in (None, kind, size)}
    cells = (cell for row in market.rows for cell in row if cell is not None)
    return tuple(sorted({cell.price for cell in cells if not par.isdisjoint(cell.zones)}))


def _has_other_income(title: Title) -> bool:
    """Return True if players or companies have money from sources other than shares before the
    first company floats: privates that pay, concessions, minors, or companies that are sold
    whole."""
    return any(
        company.kind is not CompanyKind.MAJOR or company.owned_whole for company in title.companies
    )


@rule(
    "MO05",
    "no company can float",
    Severity.WARNING,
    reads=("bank", "companies", "market", "players", "privates"),
)
def floats_never(title: Title) -> Problems:
    """For some number of players, the starting cash of all players together cannot float any
    company at its lowest start price, or no player can pay for a director's certificate, and there
    is no other income before. Titles with privates, minors or companies sold as a whole are only
    compared with the bank.

    Wrong: 3 players with 100 each, "float_percent": 60 and a lowest start price of 67, which is
    402.

    Right: 3 players with 400 each.

    Source: a company floats when enough of its shares are sold; until then, the only money is the
    starting cash.
    """
    starting = (
        (_start_prices(title, company), company)
        for company in title.companies
        if company.float_percent
    )
    floating = [(prices[0], company) for prices, company in starting if prices]
    if not floating:
        return
    for count in title.players:
        alone, together = count.cash, count.players * count.cash
        money = f"what {count.players} players start with"
        if _has_other_income(title):
            bank = _bank(title, count)
            if bank is None:
                continue
            # Any other income comes out of the bank as well.
            alone = together = bank
            money = "all the money there is"
        price, company = min(floating, key=lambda one: one[0] * _floated(one[1]))
        needed = price * _floated(company)
        # Price of the director's certificate, or of one share if there is none.
        director = min(
            price
            * next(
                (
                    _shares(company, certificate.percent)
                    for certificate in company.certificates
                    if certificate.director
                ),
                1,
            )
            for price, company in floating
        )
        problem = finding(
            ("players", count.players, "cash"),
            f"no company can float: {company.float_percent} % of {company.id} at the lowest start price of "
            f"{price} cost {needed}, more than {money} ({together})",
            "lower the start prices, or give the players more",
        )
        if needed > together:
            yield problem
        elif director > alone:
            message = (
                f"nobody can start a company: its director's certificate costs at least {director}, and a player has "
                f"{alone}"
            )
            yield replace(problem, message=message)


def _floated(company: Company) -> int:
    """Return the number of shares sold when the company floats."""
    return _shares(company, company.float_percent or 0)


@rule(
    "MO06",
    "start price beyond the bank",
    Severity.WARNING,
    reads=("bank", "companies|privates/.", "market", "players"),
)
def price_beyond_bank(title: Title) -> Problems:
    """At a start price, the shares needed to float a company cost more than the whole bank. Nothing
    is reported for an unlimited bank.

    Wrong: a bank of 1000, a start price of 200, and "float_percent": 60, which is 1200.

    Right: a bank of 6000.

    Source: shares are paid with money out of the bank.
    """
    bank = _most_money(title)
    if bank is None:
        return
    for company in title.companies:
        beyond = [
            price for price in _start_prices(title, company) if price * _floated(company) > bank
        ]
        if beyond and company.float_percent:
            yield finding(
                (company.block, company.id, "float_percent"),
                f"{company.id} cannot float at a start price of {beyond[0]}: {company.float_percent} % of it "
                f"cost {beyond[0] * _floated(company)}, more than all the money there is ({bank})",
                "lower the start price, or raise the bank",
            )


@rule(
    "MO07",
    "first train beyond reach",
    Severity.WARNING,
    reads=("bank", "companies", "market", "players", "privates", "trains"),
)
def unaffordable_train(title: Title) -> Problems:
    """The first train costs more than a company can pay: all of its shares at the highest start
    price, and its director's starting cash. Titles with privates, minors or companies sold as a
    whole, which bring other money, are only compared with the bank.

    Wrong: a first train for 900, a highest start price of 50, and 300 for each player.

    Right: a first train for 80.

    Source: the first trains are bought before any has run, with the money from the sale of shares.
    """
    first = next((train for train in title.trains if train.printed or train.unlimited), None)
    if first is None or not title.companies or not title.players:
        return
    price = min(face.price for face in first.faces)
    bank = _most_money(title)
    richest = max(count.cash for count in title.players)
    worth = [_start_prices(title, company)[-1:] for company in title.companies]
    if _has_other_income(title) or not all(worth):
        most, money = bank, "all the money there is"
    else:
        sums = (
            prices[0] * _shares(company, 100)
            for company, prices in zip(title.companies, worth, strict=True)
        )
        most = max(sums) + richest
        money = "all shares of a company at the highest start price, and its director's cash"
    if most is not None and price > most:
        yield finding(
            ("trains", first.id),
            f"nobody can buy the first train, {first.id}: it costs {price}, more than {money} ({most})",
            "lower its price",
        )


@rule("MO08", "amounts that the notes cannot pay", Severity.WARNING, reads=("pieces/money",))
def unpayable_amounts(title: Title) -> Problems:
    """No number of the notes or coins in the box adds up to a share price, the price of a train or
    token, or the value or income of a private: small values are missing. Nothing is reported if the
    box has no money.

    Wrong: "money": {"5": 100, "20": 50} and a share price of 82.

    Right: "money": {"1": 100, "5": 80, "20": 50}.

    Source: players pay exact amounts and give change from the bank.
    """
    # If all values are multiples of a number, so is every sum; and with enough notes of each value,
    # giving change reaches every multiple of their greatest common divisor (Bezout). Counts do not
    # matter: change can be given, possibly in several steps.
    smallest = gcd(*(value for value, count in title.pieces.money if count))
    if smallest < 2:
        return
    amounts = [*_amounts(title)]
    beyond = [(pointer, what, amount) for pointer, what, amount in amounts if amount % smallest]
    if beyond:
        pointer, what, amount = beyond[0]
        more = f", and {len(beyond) - 1} other amounts" if len(beyond) > 1 else ""
        yield finding(
            "/pieces/money",
            f"the notes in the box pay multiples of {smallest} only: not {what} of {amount} ({pointer}){more}",
            "add notes or coins of 1",
            about="money",
        )


def _amounts(title: Title) -> Iterator[tuple[str, str, int]]:
    """Yield amounts paid in a game: pointer, noun and amount."""
    rows = title.market.rows if title.market else ()
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell is not None and not cell.text:
                yield join_pointer("market", "rows", y, x), "a share price", cell.price
    for train in title.trains:
        for face in train.faces:
            yield join_pointer("trains", train.id), "the price of a train", face.price
    for company in title.companies:
        at = join_pointer(company.block, company.id)
        for what, amount in (("the value", company.value), ("the income", company.income)):
            if amount is not None:
                yield at, f"{what} of {company.id}", amount
        yield from ((at, "the price of a token", price) for price in company.stations if price)


@rule("MO09", "prices of a private contradict", reads=("companies|privates/.",))
def private_prices(title: Title) -> Problems:
    """The minimum price of a private is above the maximum, or its discount makes the first price
    negative.

    Wrong: "value": 40, "min_price": 80, "max_price": 20.

    Right: "value": 40, "min_price": 20, "max_price": 80.

    Source: rulebooks give a range, usually from half of the value to twice the value.
    """
    for company in title.companies:
        least, most, value = company.min_price, company.max_price, company.value
        if least is not None and most is not None and least > most:
            yield finding(
                (company.block, company.id, "min_price"),
                f"{company.id} costs a company at least {least} and at most {most}",
                "swap the two",
            )
        if value is not None and company.discount > value:
            yield finding(
                (company.block, company.id, "discount"),
                f"{company.id} is first sold {company.discount} below its value of {value}",
                "a discount is at most the value",
            )


@rule("MO10", "income above the value", Severity.WARNING, reads=("companies|privates/.",))
def income_above_value(title: Title) -> Problems:
    """A private pays more in one operating round than it costs. Privates without a value are not
    checked.

    Wrong: "value": 25, "income": 50.

    Right: "value": 50, "income": 10; or "value": 25, "income": 5.

    Source: in published titles privates pay 10 to 25 % of their value.
    """
    for company in title.companies:
        if company.value and company.income is not None and company.income > company.value:
            others = [
                other.income
                for other in title.companies
                if other is not company and other.income is not None
            ]
            # An income that other companies share is more likely right than the value next to it.
            key = "value" if company.income <= max(others, default=0) else "income"
            yield finding(
                (company.block, company.id, key),
                f"{company.id} pays {company.income} in each operating round, but its value is {company.value}",
                f"the {key} may be a mistake",
            )


@rule(
    "MO11",
    "amount that falls",
    Severity.WARNING,
    reads=(
        "bonuses",
        "colours",
        "companies|privates/./income",
        "maps/*/hexes/.",
        "phases",
        "pieces/destination_cards",
        "tiles/.",
    ),
)
def falling_amounts(title: Title) -> Problems:
    """A stop, a destination card or a private pays less in a later tile colour or phase, or its
    colours are out of order; or a bonus is smaller for a higher number. An income may end with 0.

    Wrong: {"yellow": 40, "brown": 7}; {"brown": 40, "yellow": 70}; "amounts": [20, 40, 6, 80].

    Right: {"yellow": 40, "brown": 70}; or a waiver, if the place declines.

    Source: in most titles everything pays more as the game goes on. A few have off-boards that
    decline.
    """
    order = _times(title)
    for series in paid_series(title):
        when = [order.get(step.since or "", 0) for step in series.steps]
        shuffled = falls(when)
        for at, other in shuffled.items():
            step, before = series.steps[at], series.steps[other]
            yield _falling(
                series, at, f'lists its value for "{step.since}" out of order with "{before.since}"'
            )
        amounts = [step.value for step in series.steps]
        if series.may_end and amounts and amounts[-1] == 0:
            amounts.pop()
        # If the order is wrong, amounts fall as well: report one finding for one mistake.
        for at, other in falls(amounts).items() if not shuffled else ():
            step, before = series.steps[at], series.steps[other]
            yield _falling(
                series,
                at,
                f'pays {step.value} for "{step.since}", but {before.value} for "{before.since}"',
            )
    for bonus in title.bonuses:
        for number, row in enumerate(bonus.rows):
            for at, other in falls(row.amounts).items():
                yield finding(
                    ("bonuses", bonus.id, "rows", number, "amounts", at),
                    f"the bonus for {at + 1} is {row.amounts[at]}, but {row.amounts[other]} for {other + 1}",
                    "one of the two may be a mistake",
                    about=bonus.id,
                )


def _times(title: Title) -> dict[str, int]:
    """Return the order in which amounts come into force, by tile colour, phase, or revenue key of a
    phase."""
    order: dict[str, int] = {}
    for number, phase in enumerate(title.phases):
        for key in (phase.id, *phase.tiles, *((phase.revenue,) if phase.revenue else ())):
            order.setdefault(key, number)
    # Colours that no phase introduces come after all phases, so that they never count as a step
    # back.
    late = {colour: len(title.phases) + number for number, colour in enumerate(title.colours)}
    return late | order


def _falling(series: Series, at: int, what: str) -> Problem:
    return finding(
        series.pointer + join_pointer(series.steps[at].since or ""),
        f"{series.name} {what}",
        "one of the two may be a mistake",
        about=series.about,
    )


# Row from the top and column from the left, counted from 0.
Spot = tuple[int, int]

_SIDES = (("left", 0, -1), ("right", 0, 1), ("up", -1, 0), ("down", 1, 0))
_FACING = {"left": "right", "right": "left", "up": "down", "down": "up"}
# If this share of a zone's spaces is contiguous, the rest look like mistakes. Zones are often
# scattered on purpose (the three start prices of 1841 do not touch each other), but hardly ever
# consist of a block and one lone space.
_STRAY = 0.75


def _cells(market: Market) -> dict[Spot, Cell]:
    return {
        (y, x): cell
        for y, row in enumerate(market.rows)
        for x, cell in enumerate(row)
        if cell is not None
    }


def _place(spot: Spot, cell: Cell) -> str:
    return f"{cell.text or cell.price} (row {spot[0] + 1}, column {spot[1] + 1})"


@rule("MK01", "no start price", reads=("market", "companies/+", "privates/+"))
def no_par(title: Title) -> Problems:
    """The market has no space where major companies can start: no zone has "par", or only zones for
    other companies have it.

    Wrong: "zones": {"p": {"name": "Start price", "colour": "tile.yellow"}}.

    Right: the same with "par": true.

    Source: a company starts at a par price, marked on the market.
    """
    market = title.market
    if market is None:
        return
    used = {zone for cell in _cells(market).values() for zone in cell.zones}
    served = {zone.who for zone in market.zones if zone.par and zone.id in used}
    lacking = grouped(
        (company.size or company.kind.value, company.id)
        for company in title.companies
        if company.kind is CompanyKind.MAJOR
        and not served & {None, company.kind.value, company.size}
    )
    for sort, companies in lacking.items():
        count = (
            f"{companies[0]} and {len(companies) - 1} more" if len(companies) > 1 else companies[0]
        )
        yield finding(
            "/market/zones" if market.zones else "/market",
            f"no space of the market is a start price for {sort} companies ({count})",
            'give a zone "par": true, and its letter to the start prices',
            about=sort,
        )


@rule("MK02", "zone without a space", reads=("market",))
def empty_zone(title: Title) -> Problems:
    """No space of the market has the letter of a zone. This is an error for a zone of start prices.

    Wrong: zone "p" with "par": true, and no price such as "100p".

    Right: a price with its letter, or no such zone.

    Source: the legend of the market explains each zone.
    """
    market = title.market
    if market is None:
        return
    used = {zone for cell in _cells(market).values() for zone in cell.zones}
    for zone in market.zones:
        if zone.id not in used:
            yield finding(
                ("market", "zones", zone.id),
                f'no space of the market is in zone "{zone.id}" ({zone.name.get("en")})',
                f'mark a price with its letter: "100{zone.id}"',
                about=zone.id,
                severity=Severity.ERROR if zone.par else Severity.WARNING,
            )


@rule("MK03", "space out of reach", Severity.WARNING, reads=("market",))
def unreachable_space(title: Title) -> Problems:
    """A marker placed on any start price can never reach this space by moving left, right, up or
    down without crossing gaps or ledges. If several connected spaces are out of reach, only the
    first is reported.

    Wrong: ["90", "100p", null, "120"] as the only row.

    Right: ["90", "100p", "110", "120"].

    Source: a marker moves one space at a time.
    """
    market = title.market
    if market is None or not market.par_prices:
        return
    cells = _cells(market)
    par = {zone.id for zone in market.zones if zone.par}
    starts = (spot for spot, cell in cells.items() if par & set(cell.zones))
    found = {*reached(starts, lambda at: _moves(cells, at))}
    left = [spot for spot in cells if spot not in found]
    # Report each island once.
    while left:
        island = reached(
            left[:1], lambda at: (spot for spot in _moves(cells, at) if spot not in found)
        )
        others = f" and {len(island) - 1} more connected to it" if len(island) > 1 else ""
        yield finding(
            ("market", "rows", *left[0]),
            f"no marker can ever reach the space {_place(left[0], cells[left[0]])}{others}",
            "look for an unwanted gap or ledge",
            about=str(cells[left[0]].price),
        )
        left = [spot for spot in left if spot not in island]


def _moves(cells: dict[Spot, Cell], at: Spot) -> Iterator[Spot]:
    """Yield adjacent spaces with no ledge in between."""
    for side, down, right in _SIDES:
        to = (at[0] + down, at[1] + right)
        if to in cells and side not in cells[at].ledge and _FACING[side] not in cells[to].ledge:
            yield to


@rule("MK04", "ragged zone", Severity.WARNING, reads=("market",))
def ragged_zone(title: Title) -> Problems:
    """In a market of rows and columns, nearly all the spaces of a zone touch each other at sides or
    corners, but a few lie apart: perhaps a letter is at the wrong price. Zones scattered all over
    the market are not reported.

    Wrong: "60p", "70p", "80p" and "90p" one below the other, and "300p" at the other end.

    Right: "300" without the letter.

    Source: zones are areas of one colour on the printed board.
    """
    market = title.market
    if market is None or market.shape is not MarketShape.GRID:
        return
    cells = _cells(market)
    for zone in market.zones:
        own = [spot for spot, cell in cells.items() if zone.id in cell.zones]
        largest = max(_blocks(own), key=len, default=[])
        for spot in own if len(largest) >= _STRAY * len(own) else ():
            if spot not in largest:
                yield finding(
                    ("market", "rows", *spot),
                    f'the space {_place(spot, cells[spot])} of zone "{zone.id}" lies apart from the other '
                    f"{len(largest)} of its zone",
                    "check whether the letter belongs to another price",
                    about=str(cells[spot].price),
                )


def _blocks(spots: list[Spot]) -> Iterator[list[Spot]]:
    """Yield groups of connected spaces."""
    seen = set()
    for spot in spots:
        if spot not in seen:
            block = reached(
                [spot],
                lambda at: (to for to in spots if max(abs(to[0] - at[0]), abs(to[1] - at[1])) == 1),
            )
            seen.update(block)
            yield block


@rule("MK05", "prices that do not rise", Severity.WARNING, reads=("market/rows", "market/shape"))
def falling_prices(title: Title) -> Problems:
    """A share price is lower than one to its left, or than one below it in the same column, with no
    gap between; or it equals the one to its left. Spaces that print words or 0 are not checked.

    Wrong: ["90", "110", "100"].

    Right: ["90", "100", "110"].

    Source: on published markets, markers move right and up to higher prices.
    """
    cells = _cells(title.market) if title.market is not None else {}
    priced = {spot: cell for spot, cell in cells.items() if cell.price and not cell.text}
    faults = {}
    for down, right in ((0, 1), (-1, 0)):
        for start in priced:
            # Follow each run of prices once, from its first space.
            if (start[0] - down, start[1] - right) in priced:
                continue
            line = [start]
            while (following := (line[-1][0] + down, line[-1][1] + right)) in priced:
                line.append(following)
            # Skip prices that are wrong in their row: they would make others in the column look
            # wrong.
            line = [spot for spot in line if spot not in faults]
            for at, other in falls([priced[spot].price for spot in line]).items():
                where = (
                    ("to the left of" if other < at else "to the right of")
                    if right
                    else ("below" if other < at else "above")
                )
                faults[line[at]] = f"{_place(line[other], priced[line[other]])} {where} it"
    for (y, x), cell in priced.items():
        left = priced.get((y, x - 1))
        same = left is not None and left.price == cell.price and (y, x - 1) not in faults
        if (y, x) in faults or same:
            yield finding(
                ("market", "rows", y, x),
                f"the price {_place((y, x), cell)} "
                + (
                    "equals the price to its left"
                    if (y, x) not in faults
                    else f"is out of order with {faults[y, x]}"
                ),
                "prices rise to the right and up",
                about=str(cell.price),
            )


@rule(
    "MK06", "par chart and market disagree", Severity.WARNING, reads=("market", "pieces/par_chart")
)
def par_without_space(title: Title) -> Problems:
    """The par chart lists a start price that no space of the market has, so the marker of a company
    that starts there has nowhere to go; or it leaves out a start price of the market.

    Wrong: "prices": [67, 70] on the par chart, and a market with start prices of 66 and 70.

    Right: "prices": [66, 70].

    Source: a company's marker starts on the space of its start price.
    """
    chart, market = title.pieces.par_chart, title.market
    if chart is None or market is None:
        return
    known = {cell.price for cell in _cells(market).values()}
    for index, price in enumerate(chart.prices):
        if price not in known:
            yield finding(
                ("pieces", "par_chart", "prices", index),
                f"the par chart has a start price of {price}, which no space of the market has",
                f"nearest: {min(known, key=lambda other: (abs(other - price), other))}"
                if known
                else "",
                about=str(price),
            )
    lacking = [
        str(price) for price in market.par_prices if chart.prices and price not in chart.prices
    ]
    if lacking:
        yield finding(
            ("pieces", "par_chart", "prices"),
            f"the par chart lacks start prices of the market: {', '.join(lacking)}",
            'add them, or leave out "prices" for all start prices of the market',
            about=", ".join(lacking),
        )


# Movements of a marker at the ends of a row, on a market whose prices rise to the right and
# upwards.
_ENDS = {"left": "down", "right": "up"}


@rule("MK07", "row that ends the wrong way", Severity.WARNING, reads=("market",))
def wrong_end(title: Title) -> Problems:
    """A marker that would leave a row at the right goes down, to lower prices, or one that would
    leave it at the left goes up, to higher ones.

    Wrong: "ends": {"left": "down", "right": "down"}.

    Right: "ends": {"left": "down", "right": "up"}.

    Source: a dividend never lowers a share price, and withholding it never raises the price.
    """
    for side, direction in title.market.ends if title.market is not None else ():
        if direction != _ENDS[side]:
            yield finding(
                ("market", "ends", side),
                f"at the {side} end of a row a marker goes {direction}, to "
                f"{'lower' if direction == 'down' else 'higher'} prices",
                f'"{side}": "{_ENDS[side]}", as prices rise to the right and up',
                about=side,
            )


@rule("MK08", "hole in the market", Severity.WARNING, reads=("market",))
def hole(title: Title) -> Problems:
    """A gap in a market of rows and columns has spaces on all sides, apart from the side off the
    board in the first or last row.

    Wrong: ["90", null, "110"] between two rows of three prices.

    Right: ["90", "100", "110"].

    Source: printed markets have their gaps at the rim, where rows are of different lengths.
    """
    market = title.market
    if market is None or market.shape is not MarketShape.GRID:
        return
    cells = _cells(market)
    for y, row in enumerate(market.rows):
        for x, cell in enumerate(row):
            across = all((y + down, x + right) in cells for _, down, right in _SIDES if right)
            upright = [
                (y + down, x) in cells
                for _, down, _ in _SIDES
                if down and 0 <= y + down < len(market.rows)
            ]
            if cell is None and across and upright and all(upright):
                yield finding(
                    ("market", "rows", y, x),
                    f"row {y + 1}, column {x + 1} of the market is a gap among prices",
                    "a price may be missing",
                    about=f"row {y + 1}, column {x + 1}",
                )
