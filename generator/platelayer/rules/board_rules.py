"""Rules on boards, cards and markers that must agree with the data that they show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import Problem, Severity
from platelayer.foundation.suggestions import listed
from platelayer.model.title import Round, Title
from platelayer.rules.rule import rule

# A numbered operating round, by its id or its English name.
_OPERATING = re.compile(r"(?:or|operating round)[ ._-]*([1-9])\b.*", re.IGNORECASE)


@rule(
    "BD01",
    "round track against operating rounds",
    Severity.WARNING,
    reads=("phases", "pieces/rounds", "pieces/rounds_once"),
)
def rounds_on_track(title: Title) -> Iterator[Problem]:
    """The round track has numbered spaces for operating rounds, and a phase has more rounds than
    spaces, or no phase has that many. Not checked: tracks of rounds that are played once, and
    phases that leave the number of rounds to the track.

    Wrong: "operating_rounds": 3, and a track of "or1" and "or2".

    Right: spaces "or1", "or2" and "or3".

    Source: the round marker needs a space for each round.
    """
    numbered = [(index, _number(space)) for index, space in enumerate(title.pieces.rounds)]
    spaces = {number: index for index, number in numbered if number}
    most = max((phase.operating_rounds for phase in title.phases), default=0)
    if not spaces or not most or title.pieces.rounds_once:
        return
    beyond = [phase for phase in title.phases if phase.operating_rounds > max(spaces)]
    # One phase alone is more likely to be wrong than the track, and the track than several phases.
    if beyond:
        alone = len(beyond) == 1
        yield Problem(
            pointer=join_pointer("phases", beyond[0].id, "operating_rounds")
            if alone
            else "/pieces/rounds",
            about=beyond[0].id if alone else "rounds",
            message=f"phase {beyond[0].id} has {beyond[0].operating_rounds} operating rounds, but the round track has "
            f"spaces for {max(spaces)}",
            hint="add a space to the track, or correct the phase",
        )
    elif max(spaces) > most:
        yield Problem(
            pointer=join_pointer("pieces", "rounds", spaces[max(spaces)]),
            about="rounds",
            message=f"the round track has spaces for {max(spaces)} operating rounds, but no phase has more than {most}",
            hint="remove the space, or correct the phases",
        )


def _number(space: Round) -> int:
    """Number of an operating round within its set; 0 for other rounds."""
    found = _OPERATING.fullmatch(space.id) or _OPERATING.fullmatch(space.name.get("en"))
    return int(found[1]) if found else 0


@rule(
    "BD02", "fewer markers than hexes for them", Severity.WARNING, reads=("maps", "pieces/markers")
)
def markers_for_hexes(title: Title) -> Iterator[Problem]:
    """A map prints a symbol on more hexes than there are markers with this symbol.

    Wrong: seven markers with "head": "M", and eight hexes with the icon {"name": "m", "text": "M"}.

    Right: "count": 8.

    Source: when the game starts, a marker lies on each hex with its symbol.
    """
    for marker in title.pieces.markers:
        signs = {marker.text, marker.head, marker.picture} - {"", None}
        most = max(
            (
                sum(
                    any({icon.name, icon.text} & signs for icon in hexagon.tile.icons)
                    for hexagon in gamemap.hexes
                )
                for gamemap in title.maps
            ),
            default=0,
        )
        if most > marker.count:
            yield Problem(
                pointer=join_pointer("pieces", "markers", marker.id, "count"),
                about=marker.id,
                message=f'{most} hexes have the sign of the marker "{marker.name.get("en")}", of which there '
                f"{'is only 1' if marker.count == 1 else f'are only {marker.count}'}",
                hint=f'"count": {most}',
            )


@rule(
    "BD03",
    "number cards against players",
    Severity.WARNING,
    reads=("players", "pieces/number_cards"),
)
def number_card_each(title: Title) -> Iterator[Problem]:
    """The number cards lack a number from 1 to the maximum number of players, or have a higher one.

    Wrong: "number_cards": [1, 2, 3, 4, 5], and an entry for 6 players.

    Right: [1, 2, 3, 4, 5, 6].

    Source: each player has a card with their place in the order of play.
    """
    cards, most = title.pieces.number_cards, title.most_players
    if not cards or not most:
        return
    lacking = [str(number) for number in range(1, most + 1) if number not in cards]
    beyond = [str(number) for number in cards if number > most]
    if lacking or beyond:
        faults = [f"lack {', '.join(lacking)}"] if lacking else []
        faults += [f"have {', '.join(beyond)}"] if beyond else []
        yield Problem(
            pointer="/pieces/number_cards",
            about="number_cards",
            message=f"for {most} players, the number cards {' and '.join(faults)}",
            hint=f"number them from 1 to {most}",
        )


@rule(
    "BD04",
    "left out of a board or of cards",
    Severity.WARNING,
    reads=("phases", "pieces/bank_board", "pieces/phase_cards", "trains"),
)
def left_out(title: Title) -> Iterator[Problem]:
    """The areas of the bank board list some trains but not all; or cards of single phases leave out
    the last phase, or a phase between others that have cards.

    Wrong: "trains": ["2", "3", "5"] in a title with a 4-train.

    Right: "trains": ["2", "3", "4", "5"]; or "trains": "all".

    Source: each train on sale has a space on the board; each phase that begins in play has a card.
    """
    board = title.pieces.bank_board
    areas = [
        (("pieces", "bank_board", "rows", y, x, "trains"), area.trains)
        for y, row in enumerate(board.rows if board is not None else ())
        for x, area in enumerate(row)
        if area.trains
    ]
    cards = [
        (("pieces", "phase_cards", card.id, side), phases)
        for card in title.pieces.phase_cards
        for side, phases in (("front", card.front), ("back", card.back))
        if phases
    ]
    trains, phases = [train.id for train in title.trains], [phase.id for phase in title.phases]
    for what, where, shown, known in (
        ("train", "bank board", areas, trains),
        ("phase", "phase cards", cards, phases),
    ):
        named = {name for _, names in shown for name in names}
        # Whatever precedes all that is shown is dealt, or in force from the start.
        first = min((known.index(name) for name in named), default=len(known))
        lacking = [name for name in known[first:] if name not in named]
        if lacking:
            place = {name: keys for keys, names in shown for name in names}
            # The nearest that is shown before what is left out.
            before = known[known.index(lacking[0]) - 1]
            while before not in place:
                before = known[known.index(before) - 1]
            yield Problem(
                pointer=join_pointer(*place[before]),
                about=", ".join(lacking),
                message=f"the {where} leave{'s' if where.endswith('d') else ''} out {what} {listed(lacking)}",
                hint=f"add it after {before}",
            )


@rule("BD05", "revenue chart without its top", Severity.WARNING, reads=("pieces/revenue_chart",))
def chart_to_its_top(title: Title) -> Iterator[Problem]:
    """The highest value of the revenue chart is not a multiple of its step, so it has no space.

    Wrong: {"step": 10, "top": 405, "columns": 20}.

    Right: {"step": 10, "top": 400, "columns": 20}.

    Source: the spaces of the chart are the multiples of its step.
    """
    chart = title.pieces.revenue_chart
    if chart is not None and chart.top % chart.step:
        yield Problem(
            pointer="/pieces/revenue_chart/top",
            about="revenue_chart",
            message=f"the revenue chart goes to {chart.top - chart.top % chart.step} in steps of {chart.step}, "
            f"not to {chart.top}",
            hint=f'"top": {chart.top - chart.top % chart.step}',
        )
