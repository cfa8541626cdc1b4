"""Rules on stock markets: start prices, unreachable spaces, zones and the order of prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.company import CompanyKind
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.title import Title
from platelayer.rules.rule import falls, rule

# Row from the top and column from the left, from 0.
Spot = tuple[int, int]

_SIDES = (("left", 0, -1), ("right", 0, 1), ("up", -1, 0), ("down", 1, 0))
_FACING = {"left": "right", "right": "left", "up": "down", "down": "up"}
# Share of a zone's spaces that hang together from which the rest look like slips: zones are often
# scattered on purpose (the three start prices of 1841 touch nowhere), but hardly one space alone
# beside a block.
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
def no_par(title: Title) -> Iterator[Problem]:
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
    lacking: dict[str, list[str]] = {}
    for company in title.companies:
        sort = company.size or company.kind.value
        if company.kind is CompanyKind.MAJOR and not served & {
            None,
            company.kind.value,
            company.size,
        }:
            lacking.setdefault(sort, []).append(company.id)
    for sort, companies in lacking.items():
        count = (
            f"{companies[0]} and {len(companies) - 1} more" if len(companies) > 1 else companies[0]
        )
        yield Problem(
            pointer="/market/zones" if market.zones else "/market",
            about=sort,
            message=f"no space of the market is a start price for {sort} companies ({count})",
            hint='give a zone "par": true, and its letter to the start prices',
        )


@rule("MK02", "zone without a space", reads=("market",))
def empty_zone(title: Title) -> Iterator[Problem]:
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
            yield Problem(
                pointer=join_pointer("market", "zones", zone.id),
                about=zone.id,
                message=f'no space of the market is in zone "{zone.id}" ({zone.name.get("en")})',
                hint=f'mark a price with its letter: "100{zone.id}"',
                severity=Severity.ERROR if zone.par else Severity.WARNING,
            )


@rule("MK03", "space out of reach", Severity.WARNING, reads=("market",))
def unreachable_space(title: Title) -> Iterator[Problem]:
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
    reached = _reach(
        (spot for spot, cell in cells.items() if par & set(cell.zones)),
        lambda at: _moves(cells, at),
    )
    left = [spot for spot in cells if spot not in reached]
    # An island at a time, each reported once.
    while left:
        island = _reach(
            left[:1], lambda at: (spot for spot in _moves(cells, at) if spot not in reached)
        )
        others = f" and {len(island) - 1} more connected to it" if len(island) > 1 else ""
        yield Problem(
            pointer=join_pointer("market", "rows", *left[0]),
            about=str(cells[left[0]].price),
            message=f"no marker can ever reach the space {_place(left[0], cells[left[0]])}{others}",
            hint="look for an unwanted gap or ledge",
        )
        left = [spot for spot in left if spot not in island]


def _moves(cells: dict[Spot, Cell], at: Spot) -> Iterator[Spot]:
    """Spaces beside one, with no ledge between."""
    for side, down, right in _SIDES:
        to = (at[0] + down, at[1] + right)
        if to in cells and side not in cells[at].ledge and _FACING[side] not in cells[to].ledge:
            yield to


def _reach(starts: Iterable[Spot], step: Callable[[Spot], Iterable[Spot]]) -> set[Spot]:
    """All spaces that can be reached by repeated steps."""
    order = list(starts)
    reached = set(order)
    for at in order:
        for to in step(at):
            if to not in reached:
                reached.add(to)
                order.append(to)
    return reached


@rule("MK04", "ragged zone", Severity.WARNING, reads=("market",))
def ragged_zone(title: Title) -> Iterator[Problem]:
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
        largest = max(_blocks(own), key=len, default=set())
        for spot in own if len(largest) >= _STRAY * len(own) else ():
            if spot not in largest:
                yield Problem(
                    pointer=join_pointer("market", "rows", *spot),
                    about=str(cells[spot].price),
                    message=f'the space {_place(spot, cells[spot])} of zone "{zone.id}" lies apart from the other '
                    f"{len(largest)} of its zone",
                    hint="check whether the letter belongs to another price",
                )


def _blocks(spots: list[Spot]) -> Iterator[set[Spot]]:
    """Connected spaces, block by block."""
    seen: set[Spot] = set()
    for spot in spots:
        if spot not in seen:
            block = _reach(
                [spot],
                lambda at: (to for to in spots if max(abs(to[0] - at[0]), abs(to[1] - at[1])) == 1),
            )
            seen |= block
            yield block


@rule("MK05", "prices that do not rise", Severity.WARNING, reads=("market/rows", "market/shape"))
def falling_prices(title: Title) -> Iterator[Problem]:
    """A share price is lower than one to its left, or than one below it in the same column, with no
    gap between; or it equals the one to its left. Spaces that print words or 0 are not checked.

    Wrong: ["90", "110", "100"].

    Right: ["90", "100", "110"].

    Source: on published markets, markers move right and up to higher prices.
    """
    cells = _cells(title.market) if title.market is not None else {}
    priced = {spot: cell for spot, cell in cells.items() if cell.price and not cell.text}
    faults: dict[Spot, str] = {}
    for down, right in ((0, 1), (-1, 0)):
        for start in priced:
            # Each run of prices is followed once, from its first space.
            if (start[0] - down, start[1] - right) in priced:
                continue
            line = [start]
            while (following := (line[-1][0] + down, line[-1][1] + right)) in priced:
                line.append(following)
            # A price at fault in its row would make others of its column look wrong.
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
            yield Problem(
                pointer=join_pointer("market", "rows", y, x),
                about=str(cell.price),
                message=f"the price {_place((y, x), cell)} "
                + (
                    "equals the price to its left"
                    if (y, x) not in faults
                    else f"is out of order with {faults[y, x]}"
                ),
                hint="prices rise to the right and up",
            )


@rule(
    "MK06", "par chart and market disagree", Severity.WARNING, reads=("market", "pieces/par_chart")
)
def par_without_space(title: Title) -> Iterator[Problem]:
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
            yield Problem(
                pointer=join_pointer("pieces", "par_chart", "prices", index),
                about=str(price),
                message=f"the par chart has a start price of {price}, which no space of the market has",
                hint=f"nearest: {min(known, key=lambda other: (abs(other - price), other))}"
                if known
                else "",
            )
    lacking = [
        str(price) for price in market.par_prices if chart.prices and price not in chart.prices
    ]
    if lacking:
        yield Problem(
            pointer=join_pointer("pieces", "par_chart", "prices"),
            about=", ".join(lacking),
            message=f"the par chart lacks start prices of the market: {', '.join(lacking)}",
            hint='add them, or leave out "prices" for all start prices of the market',
        )


# Moves of a marker at the ends of a row, on a market whose prices rise to the right and up.
_ENDS = {"left": "down", "right": "up"}


@rule("MK07", "row that ends the wrong way", Severity.WARNING, reads=("market",))
def wrong_end(title: Title) -> Iterator[Problem]:
    """A marker that would leave a row at the right goes down, to lower prices, or one that would
    leave it at the left goes up, to higher ones.

    Wrong: "ends": {"left": "down", "right": "down"}.

    Right: "ends": {"left": "down", "right": "up"}.

    Source: a dividend never lowers a share price, and withholding it never raises the price.
    """
    for side, direction in title.market.ends if title.market is not None else ():
        if direction != _ENDS[side]:
            yield Problem(
                pointer=join_pointer("market", "ends", side),
                about=side,
                message=f"at the {side} end of a row a marker goes {direction}, to "
                f"{'lower' if direction == 'down' else 'higher'} prices",
                hint=f'"{side}": "{_ENDS[side]}", as prices rise to the right and up',
            )


@rule("MK08", "hole in the market", Severity.WARNING, reads=("market",))
def hole(title: Title) -> Iterator[Problem]:
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
                yield Problem(
                    pointer=join_pointer("market", "rows", y, x),
                    about=f"row {y + 1}, column {x + 1}",
                    message=f"row {y + 1}, column {x + 1} of the market is a gap among prices",
                    hint="a price may be missing",
                )
