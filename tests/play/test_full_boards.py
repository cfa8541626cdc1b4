"""A diesel on full boards of 1830."""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping

import pytest

from beside import SHARED, needs
from exchange import corpus
from platelayer.foundation.problems import has_errors
from platelayer.model.gamemap import neighbour, opposite
from platelayer.model.position import Lay, Position, Station
from platelayer.model.tile import WITH_SLOTS, rotate_tile
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.play.network import engines_of, network_of
from platelayer.play.runs import best_runs
from platelayer.rules.graph import next_lays
from platelayer.rules.positions import check_position, spots_of

pytestmark = [needs("corpus"), pytest.mark.slow]


def full_board(title: Title, seed: int, tokens: Mapping[str, int]) -> Position:
    """A board on which every hex has the last tile that the box has for it, with the most track that
    leads on, and companies have so many tokens."""
    dice, board = random.Random(seed), title.maps[0]
    spots, used = spots_of(title, board), Counter[str]()
    exits = {hexagon.id: {*hexagon.tile.exits} for hexagon in board.hexes}
    lying: dict[str, Lay] = {}

    def leads_on(hex_id: str, lay: Lay) -> tuple[int, int, float]:
        tile, at = (
            rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation),
            board.by_id[hex_id].at,
        )
        others = [
            (edge, board.by_coord.get(neighbour(at, edge, board.layout))) for edge in tile.exits
        ]
        met = sum(bool(there and opposite(edge) in exits[there.id]) for edge, there in others)
        return met, len(tile.track), dice.random()

    for _ in title.colours:
        for hex_id, spot in sorted(spots.items()):
            lie = lying.get(hex_id)
            _, fitting = next_lays(title, spot, (lie.tile, lie.rotation) if lie else None)
            lays = [
                Lay(tile, turn)
                for tile, turns in fitting.items()
                for entry in [title.tile_by_id[tile]]
                if entry.unlimited or used[entry.back_of or tile] < entry.count
                for turn in turns
            ]
            if lays:
                if lie:
                    used[title.tile_by_id[lie.tile].back_of or lie.tile] -= 1
                lay = lying[hex_id] = max(lays, key=lambda lay: leads_on(hex_id, lay))
                used[title.tile_by_id[lay.tile].back_of or lay.tile] += 1
                tile = rotate_tile(title.tile_by_id[lay.tile].tile, lay.rotation)
                exits[hex_id] = {*tile.exits}
    position = Position(title=title.id, variant=title.variant, tiles=tuple(lying.items()))
    free = [
        (hex_id, stop, slot)
        for hex_id, tile in sorted(title.shown_in(position).items())
        for stop, each in enumerate(tile.stops)
        if each.kind in WITH_SLOTS and not board.by_id[hex_id].reserved
        for slot in range(each.slots)
    ]
    dice.shuffle(free)
    held = defaultdict[str, list[Station]](list)
    for company in (company for company, count in tokens.items() for _ in range(count)):
        for place in free:
            hex_id, stop, slot = place
            if all(each.company != company for each in held[hex_id]):
                held[hex_id].append(Station(company, stop, slot))
                free.remove(place)
                break
    there = tuple((hex_id, tuple(stations)) for hex_id, stations in held.items() if stations)
    phase = title.phases[-1].id if title.phases else None
    return Position(
        title=title.id, variant=title.variant, phase=phase, tiles=position.tiles, tokens=there
    )


@pytest.mark.parametrize("others", [0, 1, 4])
def test_a_diesel_runs_on_a_full_board_of_1830(others: int) -> None:
    """All cities are upgraded: in 2 seconds, with a proof; alone on the map, and beside others."""
    pytest.importorskip("tree_sitter_ruby")
    title = load(str(corpus.imported(SHARED / "corpus" / "18xx-games" / "game" / "g_1830")))
    companies = [company.id for company in title.companies if company.has_charter]
    for seed, company in enumerate(companies):
        tokens = {company: 4, **{each: others for each in companies if each != company}}
        position = full_board(title, seed, tokens)
        assert not has_errors([*check_position(title, position)])
        network = network_of(title, position, company)
        start = time.process_time()
        best = best_runs(network, engines_of(title, company, ["D"]))
        assert time.process_time() - start < 2
        assert best.proof is not None
