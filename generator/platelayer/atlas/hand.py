"""Maps laid in an unknown order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from platelayer.atlas.land import MIN_CONTACT
from platelayer.model.atlas import NEIGHBOURS, TileDraw, tile_hexes


def never_reached(draws: Sequence[TileDraw]) -> list[TileDraw]:
    """The fewest tiles that no order reaches, whichever tile comes first; none if there is an order.

    A tile's contacts only grow as others are laid, so repeatedly laying everything that can be laid finds an order from
    a given first tile if there is one.
    """
    owner = {place: index for index, draw in enumerate(draws) for place in tile_hexes(draw.at, draw.rotation)}
    touching: list[Counter[int]] = [Counter() for _ in draws]
    for place, index in owner.items():
        for step in NEIGHBOURS:
            if (other := owner.get(place + step, index)) != index:
                touching[index][other] += 1
    fewest = list(draws)
    for first in range(len(draws)):
        reached, left, laid = {first}, dict.fromkeys(range(len(draws))), [first]
        del left[first]
        while laid:
            laid = [each for each in left if sum(touching[each][other] for other in reached) >= MIN_CONTACT]
            reached.update(laid)
            for each in laid:
                del left[each]
        if len(left) < len(fewest):
            fewest = [draws[each] for each in left]
        if not left:
            break
    return fewest
