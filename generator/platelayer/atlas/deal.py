"""Shuffles for a map before its game: seats, charters, and the card of off-board areas."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from platelayer.foundation.seeds import Dice
from platelayer.foundation.values import Frozen
from platelayer.model.map_tiles import AtlasLog, Ground
from platelayer.model.title import Title


class Deal(Frozen, kw_only=True):
    """Set-up for a number of players: `seats` are players from 1 in the order of their turns,
    `cash` what each has, `columns` ids of companies by column of charters, the one on top first,
    `card` the id of the card of off-board areas (None: the map needs none)."""

    seats: tuple[int, ...]
    cash: int
    columns: tuple[tuple[str, ...], ...]
    card: str | None


def deal(title: Title, log: AtlasLog, *, companies: Sequence[str], players: int, seed: int) -> Deal:
    """Shuffle for a map: `companies` are ids of those in play, the seed is that of its code
    (`code.seed_of`). The card is one with printed amounts. Charters and card are the same for any
    number of players. Raises KeyError for a number of players that the mode is not for.

    Source: rulebook, section 3.
    """
    assert title.atlas is not None, "a map is of a title with map tiles"
    mode, dice = title.atlas.mode_by_id[log.mode], Dice(seed)
    cards = [card.id for card in title.pieces.destination_cards if card.revenue]
    charters, card = charters_and_card(dice, companies, cards)
    ends = [0, *accumulate(mode.columns or (len(charters),))]
    tiles = (title.atlas.tile_by_number[draw.tile] for draw in log.placed)
    entered = any(h.ground is Ground.DESTINATION for tile in tiles for h in tile.hexes)
    return Deal(
        seats=tuple(dice.shuffled(range(1, players + 1))),
        cash=dict(mode.cash)[players],
        columns=tuple(tuple(charters[start:end]) for start, end in pairwise(ends)),
        card=card if entered else None,
    )


def charters_and_card(
    dice: Dice, companies: Sequence[str], cards: Sequence[str]
) -> tuple[list[str], str | None]:
    """Shuffle what is the same for any number of players: the charters of companies, and the cards
    of off-board areas, of which one counts (None: there are none)."""
    charters = dice.shuffled(sorted(companies))
    return charters, dice.shuffled(cards)[0] if cards else None
