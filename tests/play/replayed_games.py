"""Game files of 18xx.games as they must have been for what an engine saw: made from recorded
positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from platelayer.model.company import Company
from platelayer.model.position import NEUTRAL
from platelayer.model.title import Title


class Seen(NamedTuple):
    """What the engine saw after an action: tiles, tokens (hex and company), phase; with the
    engine's names."""

    at: int
    tiles: dict[str, tuple[str, int]]
    tokens: set[tuple[str, str]]
    phase: str


def game_file(
    end: Mapping[str, Any], positions: list[dict[str, Any]], title: Title
) -> tuple[dict[str, Any], list[Seen]]:
    """A game in the actions of its file, and what the engine saw in it each time that a company ran
    its trains.

    Homes of which the title knows the place are not placed by an action, as the engine places them
    itself. How companies left the map is not recorded: where all tokens of one are gone and another
    got one of their places, it is written as a merger. All that have tokens pass at least once a
    round.
    """
    actions: list[dict[str, Any]] = []
    copies = Counter[str]()
    on: dict[str, tuple[str, list[Any]]] = {}
    tokens: set[tuple[str, int, str]] = set()
    ever: set[str] = set()
    seen: list[Seen] = []
    waiting = [*end["buys"]]

    def act(kind: str, entity: object, **more: object) -> None:
        entity_type = "minor" if entity in minors else "corporation"
        actions.append(
            {
                "type": kind,
                "id": len(actions) + 1,
                "entity": entity,
                "entity_type": entity_type,
                **more,
            }
        )

    ours = {company.token_text: company for company in title.companies} | title.company_by_id
    minors = {line["e"] for line in positions if "e" in line and line["et"] == "Minor"}
    ran = set[tuple[tuple[int, ...], str]]()
    last: tuple[int, ...] = ()
    for line in positions:
        if "e" not in line:
            continue
        company, turn = line["e"], tuple(line["turn"])
        for buy in [*waiting]:
            when = tuple(buy[:2])
            if when < turn or (when == turn and (turn, buy[3]) in ran):
                waiting.remove(buy)
                act("buy_train", buy[3], train=f"{buy[2]}-0", price=buy[4])
        if turn != last:
            last = turn
            for owner in sorted({owner for _, _, owner in tokens if owner in ours}):
                act("pass", owner)
        now = {(token[0], token[1], token[2]) for token in line["toks"]}
        new = now - tokens
        for hex_id, lay in line["tiles"].items():
            if on.get(hex_id, ("", None))[1] != lay:
                on[hex_id] = f"{lay[0]}-{copies[lay[0]]}", lay
                copies[lay[0]] += 1
                act("lay_tile", company, hex=hex_id, tile=on[hex_id][0], rotation=lay[1])
        act("pass", company)
        for gone in sorted({c for _, _, c in tokens} - {c for _, _, c in now}):
            places = {(h, i) for h, i, c in tokens if c == gone}
            heirs = {(h, i): c for h, i, c in sorted(new) if (h, i) in places and c in ours}
            if places == heirs.keys() and len({*heirs.values()}) == 1:
                act("merge", next(iter(heirs.values())), corporation=gone)
        for hex_id, index, owner in sorted(new):
            known = owner not in ever and _home_is_known(ours.get(owner))
            ever.add(owner)
            if known:
                act("pass", owner)
                continue
            act(
                "place_token",
                owner,
                city=f"{on[hex_id][0] if hex_id in on else f'{hex_id}-0'}-{index}",
            )
        routes = [
            {"train": route["t"], "hexes": [stop[0] for stop in route["stops"] or ()]}
            for route in line["routes"]
        ]
        act("run_routes", company, routes=routes)
        ran.add((turn, company))
        tokens = now
        tiles = {hex_id: (lay[0], lay[1]) for hex_id, lay in line["tiles"].items()}
        seen.append(
            Seen(
                len(actions),
                tiles,
                {(h, ours[c].id if c in ours else NEUTRAL) for h, _, c in now},
                line["phase"],
            )
        )
    return {
        "title": end["title"],
        "players": [{}] * end.get("players", 0),
        "actions": actions,
    }, seen


def _home_is_known(company: Company | None) -> bool:
    if company is None or not company.homes:
        return False
    return (len(company.homes) == 1 or company.all_homes) and company.homes[0].stop is not None


def sample(seen: list[Seen], most: int) -> Iterator[Seen]:
    """Some of what was seen, evenly, the last of all among them."""
    step = max(1, len(seen) // most)
    yield from reversed(seen[::-1][::step][:most])
