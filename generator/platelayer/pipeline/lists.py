"""Lists of titles, pieces and upgrades."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.pipeline.load import Reference, find, spoken_in, with_money
from platelayer.pipeline.select import needed

if TYPE_CHECKING:
    from platelayer.model.upgrade import UpgradeGraph


def list_titles() -> tuple[dict[str, Any], ...]:
    """Shipped titles: id, name, players ("2-6"), subtitle; in order of their ids."""
    from platelayer.definitions.titles import load_title

    rows = []
    for title_id in title_ids():
        title = load_title(title_id).title
        counts = [count.players for count in title.players]
        rows.append(
            {
                "id": title.id,
                "name": title.name.get("en"),
                "players": f"{min(counts)}-{max(counts)}" if counts else "",
                "subtitle": title.subtitle.get("en") if title.subtitle else "",
            }
        )
    return tuple(rows)


def read_manifest(
    reference: Reference,
    *,
    variant: str | None = None,
    players: int | None = None,
    money: bool = False,
    language: str = "en",
) -> Manifest:
    """The manifest of a title: of its box, or of what a number of players need, with notes for its
    bank if you ask for money. Raises ProblemsFound when the definition has errors, CannotRun for
    players that the title does not take, for money without a bank, and for a language that the
    title does not speak."""
    title = find(reference, variant=variant).title
    spoken_in(title, language)
    manifest = build_manifest(with_money(title) if money else title)
    if players is None:
        return manifest
    return replace(manifest, pieces=needed(title, manifest.pieces, players))


def read_upgrades(
    reference: Reference, *, variant: str | None = None
) -> tuple[UpgradeGraph, dict[str, str]]:
    """The graph of a title's upgrades, and the colours of its tiles by number, in the order of
    upgrading.

    Raises ProblemsFound when the definition has errors.
    """
    from platelayer.rules.graph import upgrade_graph

    title = find(reference, variant=variant).title
    order = {colour: place for place, colour in enumerate(title.colours)}
    tiles = sorted(
        (entry.tile for entry in title.tiles), key=lambda tile: order.get(tile.colour, len(order))
    )
    return upgrade_graph(title), {tile.id: tile.colour for tile in tiles}


def upgrades_json(graph: UpgradeGraph) -> str:
    """JSON by the contract in docs/formats.md, one pair per line."""
    pairs = [
        {
            "from": pair.source,
            "to": pair.to,
            "rotations": list(pair.rotations),
            **({"via": pair.via} if pair.via else {}),
        }
        for pair in graph.pairs
    ]
    head = {"title": graph.title, "variant": graph.variant}
    start = json.dumps(head, ensure_ascii=False)[:-1]
    lines = ",\n  ".join(json.dumps(pair, ensure_ascii=False) for pair in pairs)
    return f'{start}, "pairs": [\n  {lines}\n]}}' if pairs else f'{start}, "pairs": []}}'
