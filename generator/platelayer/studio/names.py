"""What there is in a title to refer to: ids by kind of thing, and where each kind is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from platelayer.definitions.liveries import liveries, motifs
from platelayer.definitions.names import Names
from platelayer.definitions.references import kinds_named, map_words
from platelayer.definitions.themes import complete_theme
from platelayer.foundation.languages import languages
from platelayer.model.company import CompanyKind

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded

_KINDS = {
    "train or phase": ("train", "phase"),
    "tile colour or phase": ("revenue",),
    "kind or size of company": ("size",),
    "icon or picture": ("icon",),
}
"""The kinds of names that stand for what messages call so; any other is a kind by itself."""
_ALSO = {
    "maps/*/hexes/*/icons/*": ("icon",),
    "maps/*/hexes/*/icons/*/name": ("icon",),
    "tiles/*/tile/icons/*": ("icon",),
    "tiles/*/tile/icons/*/name": ("icon",),
    "tiles/*/back_of": ("tile",),
    "maps/*/hexes/*/zone": ("zone",),
    "maps/*/zones/~": ("zone",),
    "maps/*/regions/*/zone": ("zone",),
    "maps/*/regions/*/hexes/*": ("hex",),
    "maps/*/rivers/*/course/*": ("hex",),
    "maps/*/rivers/*/course/*/hex": ("hex",),
    "maps/*/seas/*/from|to/hex": ("hex",),
    "companies|privates/*/size": ("size",),
    "phases/*/revenue": ("revenue",),
    "upgrades/kept_icons|edge_only_icons/*": ("icon",),
    "upgrades/fixed_rotation/*": ("tile",),
    "upgrades/added/*/tiles/*": ("tile",),
    "variants/*/includes/*": ("variant",),
}
"""Names that are judged by rules of their own, or by none."""

KINDS_NAMED = {path: _KINDS.get(what, (what,)) for path, what in kinds_named().items()} | _ALSO
"""The kinds of names that may stand at a place of a title: `*` is any key or index, `a|b` either
key; at the end, `~` is for the keys themselves."""


_PAPERS = (CompanyKind.PRIVATE.value, CompanyKind.CONCESSION.value)


def names_of(loaded: Loaded | None) -> dict[str, list[str]]:
    """Ids by kind; none of a title before it could be read."""
    title: Mapping[str, Any] = loaded.assembled.value if loaded else {}
    names = Names(title)
    hexes = [
        hexagon for board in names.block("maps").values() for hexagon in board["hexes"].values()
    ]
    tiles = [
        tile["tile"]
        for tile in names.block("tiles").values()
        if isinstance(tile, dict) and "tile" in tile
    ]
    zones = (hexagon["zone"] for hexagon in hexes if "zone" in hexagon)
    icons = [icon for tile in (*hexes, *tiles) for icon in tile.get("icons", ())]
    drawn = (icon if isinstance(icon, str) else icon["name"] for icon in icons)
    named = {
        "hex": names.hexes,
        "map": names.block("maps"),
        "tile": names.block("tiles"),
        "company": names.block("companies"),
        "private": [
            pointer.split("/")[-1]
            for pointer, company in names.all_companies()
            if company["kind"] in _PAPERS
        ],
        "train": names.block("trains"),
        "phase": names.block("phases"),
        "picture": names.block("pictures"),
        "variant": names.block("variants"),
        "icon": (*map_words.table("icons"), *names.block("pictures"), *drawn),
        "ink": inks(),
        "size": sorted(names.company_classes),
        "revenue": sorted(names.revenue_keys),
        "zone": zones,
        "language": languages(),
        "livery": liveries(),
        "motif": motifs(),
    }
    return {kind: list(dict.fromkeys(ids)) for kind, ids in named.items()}


def inks() -> dict[str, str]:
    """The inks that a title may name, with their colours in the classic theme as #rrggbb."""
    return {name: ink.hex for name, ink in complete_theme("classic").inks.items()}
