"""The table of settings by number of players, for player aids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from platelayer.foundation.languages import FixedWords
from platelayer.foundation.text import Text
from platelayer.model.title import AidTable, PlayerCount, printed_amount

say = FixedWords("cards")

_NONE = "–"
_Row = tuple[Text, list[str]]


def players_table(counts: Sequence[PlayerCount], currency: str) -> AidTable:
    """Cash, certificate limits (a row for each number of companies left, where they depend on it) and, where that
    differs, the bank, by number of players. What says nothing has no row."""

    def money(amount: int | None) -> str:
        return _NONE if amount is None else printed_amount(amount, currency)

    rows: list[_Row] = [
        (say("cash"), [money(count.cash) for count in counts]),
        *_limits(counts),
        (say("bank"), [money(count.bank) for count in counts]),
    ]
    return AidTable(
        head=(say("players"), *(Text.plain(str(count.players)) for count in counts)),
        rows=tuple((name, *map(Text.plain, cells)) for name, cells in rows if set(cells) != {_NONE}),
    )


def _limits(counts: Sequence[PlayerCount]) -> Iterator[_Row]:
    known = sorted({left for count in counts for left, _ in count.limits}, reverse=True)
    if not known:
        yield say("certificate_limit"), [_shown(count.certificate_limit) for count in counts]
    for left in known:
        cells = [_shown(dict(count.limits).get(left, count.certificate_limit)) for count in counts]
        yield say("with_companies").fill(left), cells


def _shown(limit: int | None) -> str:
    return _NONE if limit is None else str(limit)
