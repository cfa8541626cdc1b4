"""Rules on money and on limits by number of players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.model.title import PlayerCount, Title
from platelayer.rules.rule import rule


@rule("MO01", "number of players left out", Severity.WARNING)
def missing_player_count(title: Title) -> Iterator[Problem]:
    """The definition has no entry for a number of players between the fewest and the most.

    Wrong: "players" with 3, 4 and 6.

    Right: 3, 4, 5 and 6.

    Source: a game for 3 to 6 players can be played by 5.
    """
    for fewer, more in pairwise(title.players):
        for players in range(fewer.players + 1, more.players):
            yield Problem(
                pointer="/players",
                about=str(players),
                message=f"there is an entry for {fewer.players} and for {more.players} players, but none for {players}",
                hint=f'add "{players}": {{"cash": ..., "certificate_limit": ...}}',
            )


@rule("MO02", "more cash than the bank has")
def cash_above_bank(title: Title) -> Iterator[Problem]:
    """The players' starting cash adds up to more than the whole bank.

    Wrong: a bank of 1000, and 6 players with 250 each.

    Right: a bank of 12000.

    Source: starting money comes out of the bank.
    """
    for count in title.players:
        total = count.players * count.cash
        bank = title.bank if count.bank is None else count.bank
        if bank is not None and total > bank:
            yield Problem(
                pointer=join_pointer("players", count.players, "cash"),
                about=str(count.players),
                message=f"{count.players} players start with {count.cash} each, {total} in total: "
                f"more than the bank of {bank}",
            )


@rule("MO03", "more players have more", Severity.NOTE)
def rises_with_players(title: Title) -> Iterator[Problem]:
    """With more players, each gets more cash or may hold more certificates than with fewer.

    Wrong: 300 with four players, 350 with five.

    Right: amounts that fall or stay the same as players are added.

    Source: in published titles the same money and shares are divided among all players.
    """
    for fewer, more in pairwise(title.players):
        yield from _rise(fewer, more, "cash", fewer.cash, more.cash)
        yield from _rise(fewer, more, "certificate_limit", fewer.certificate_limit, more.certificate_limit)


def _rise(fewer: PlayerCount, more: PlayerCount, key: str, before: int | None, now: int | None) -> Iterator[Problem]:
    if before is not None and now is not None and now > before:
        yield Problem(
            pointer=join_pointer("players", more.players, key),
            about=str(more.players),
            message=f"the {key.replace('_', ' ')} is {now} with {more.players} players, "
            f"but only {before} with {fewer.players}",
            hint="one of the two may be a mistake",
        )


@rule("MO04", "notes do not add up to the bank")
def notes_against_bank(title: Title) -> Iterator[Problem]:
    """The notes or coins in the box are worth less than the bank, or than the players' starting cash. This is a note if
    they are worth more than the bank, because players could not see when it breaks. Nothing is reported if the box has
    no money.

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
        said = "less" if total < bank else "more"
        severity = Severity.ERROR if total < bank else Severity.NOTE
        message = f"the money in the box adds up to {total}, {abs(total - bank)} {said} than the bank of {bank}"
        yield Problem(pointer="/pieces/money", about="money", message=message, severity=severity)
    most = max(title.players, key=lambda count: count.players * count.cash, default=None)
    if bank is None and most is not None and most.players * most.cash > total:
        yield Problem(
            pointer="/pieces/money",
            about="money",
            message=f"the money in the box adds up to {total}, but {most.players} players start with "
            f"{most.players * most.cash} in total",
        )
