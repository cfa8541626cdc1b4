"""Tiles to choose from: those of the catalogue, and those in the box."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from platelayer.definitions.catalogue import liveries, motifs
from platelayer.definitions.references import Names, kinds_named, map_words
from platelayer.definitions.themes import complete_theme
from platelayer.drawing.company.roundel import DIVISION_CONTRAST
from platelayer.foundation.cache import digest_of
from platelayer.foundation.languages import languages
from platelayer.foundation.pointers import join_pointer
from platelayer.foundation.problems import CannotRun
from platelayer.model.company import Company, CompanyKind
from platelayer.model.hexes import Layout
from platelayer.model.kinds import piece_size
from platelayer.rules.livery_rules import alike
from platelayer.scene.inks import Ink, contrast, ink_from_hex, readable_on
from platelayer.scene.legibility import MIN_CONTRAST

if TYPE_CHECKING:
    from platelayer.definitions.titles import Loaded
    from platelayer.model.tile import Tile
    from platelayer.model.title import Title
    from platelayer.scene.shapes import Scene
    from platelayer.scene.theme import Theme
    from platelayer.studio.view import View


_DIGITS = 16
# What the pictures of tiles of the catalogue are called by, before the number.
PREFIX = "catalogue:"


@cache
def catalogue() -> list[dict[str, Any]]:
    """Facts about each tile of the catalogue for a search."""
    from platelayer.definitions.catalogue import catalogue_tiles

    return [_about(tile) for tile in catalogue_tiles()]


def box(title: Title) -> list[dict[str, Any]]:
    """The same of each tile in the box, with its count. `own` is whether the title defines it,
    `back_of` the number of the tile whose other side it is."""
    return [
        {
            **_about(entry.tile),
            "count": "unlimited" if entry.unlimited else entry.count,
            "own": entry.standard is None or entry.tile != entry.standard,
            "back_of": entry.back_of,
        }
        for entry in title.tiles
    ]


def look(view: View) -> str:
    """A digest of all that a title says of how tiles of the catalogue look."""
    title = view.title
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    return digest_of(layout.value, piece_size(title, "tile"), view.style("en", "classic"))[:_DIGITS]


def _about(tile: Tile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "colour": tile.colour,
        "exits": list(tile.exits),
        "stops": Counter(stop.kind.value for stop in tile.stops),
        "slots": sum(stop.slots for stop in tile.stops),
        "labels": [label.text for label in tile.labels],
    }


def catalogue_scene(view: View, key: str, language: str, theme: str) -> Scene:
    """A tile of the catalogue, lying and as large as those of a title. Raises CannotRun."""
    from platelayer.definitions.catalogue import catalogue_definitions, catalogue_tile
    from platelayer.drawing.hex.tile import tile_scene

    number = key.removeprefix(PREFIX)
    if number not in catalogue_definitions():
        raise CannotRun(f"there is no tile {number} in the catalogue")
    title = view.title
    layout = title.maps[0].layout if title.maps else Layout.FLAT
    return tile_scene(
        catalogue_tile(number),
        layout,
        piece_size(title, "tile").width_mm,
        view.style(language, theme),
    )


# What there is in a title to go to by its id or its names, and what of it may have another id.


# What the entries of a block are called.
_KINDS = {
    "companies": "company",
    "privates": "private",
    "trains": "train",
    "phases": "phase",
    "tiles": "tile",
}


def things(view: View | None) -> list[dict[str, Any]]:
    """Hexes, tiles, companies, trains and phases: kind, id, names in all languages, the pointer in
    the assembled title, the target that shows it (none: ""), its place in a file, and whether its
    id is the title's own to change."""
    if view is None or view.loaded is None or view.manifest is None:
        return []
    shown: dict[str, str] = {}
    for piece in view.manifest.pieces:
        if len(piece.origin) > 1:
            shown.setdefault(join_pointer(*piece.origin[:2]), piece.key)
    listed = []
    for kind, path, value in _entries(view.loaded.assembled.value):
        pointer, entry = join_pointer(*path), value if isinstance(value, dict) else {}
        listed.append({
            "kind": kind,
            "id": path[-1],
            "names": _words(entry.get("name")),
            "pointer": pointer,
            "target": f"hex:{path[1]}/{path[-1]}" if kind == "hex" else shown.get(pointer, ""),
            "place": view.place(pointer),
            "own": kind != "tile" or "tile" in entry,
        })  # fmt: skip
    return listed


def _entries(title: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Everything with an id: its noun, its path and its value."""
    for map_id, board in title.get("maps", {}).items():
        for name, value in board.get("hexes", {}).items():
            yield "hex", ("maps", map_id, "hexes", name), value
    for block, kind in _KINDS.items():
        for name, value in title.get(block, {}).items():
            private = isinstance(value, dict) and value.get("kind") == "private"
            yield "private" if private else kind, (block, name), value


def _words(text: Any) -> list[str]:
    """A text in all its languages."""
    forms = text.values() if isinstance(text, dict) else [text]
    return list(dict.fromkeys(form for form in forms if isinstance(form, str)))


# What there is in a title to refer to: ids by kind of thing, and where each kind is named.


# The kinds of names that stand for what messages call so; any other is a kind by itself.
_NAMES_KINDS = {
    "train or phase": ("train", "phase"),
    "tile colour or phase": ("revenue",),
    "kind or size of company": ("size",),
    "icon or picture": ("icon",),
}
# Names that are judged by rules of their own, or by none.
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

# The kinds of names that may stand at a place of a title: `*` is any key or index, `a|b` either
# key; at the end, `~` is for the keys themselves.
KINDS_NAMED = {
    path: _NAMES_KINDS.get(what, (what,)) for path, what in kinds_named().items()
} | _ALSO


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


# How a colour reads, beside the field where it is chosen: the rules' own measures, before they are
# asked.


_RGB = re.compile("#[0-9a-fA-F]{6}")


def verdict(
    loaded: Loaded | None,
    colour: str,
    *,
    theme: str,
    on: str = "",
    company: str = "",
    field: str = "",
) -> dict[str, Any]:
    """Look of a colour; its contrast to another or to the better of black and white, and the least
    that is legible; and the companies that it makes hard to tell from its own. Raises CannotRun for
    a text that is not a colour."""
    whole = complete_theme(theme)
    ink = _ink(colour, whole)
    beside = _ink(on, whole) if on else readable_on(ink)
    least = DIVISION_CONTRAST if field == "second" else MIN_CONTRAST
    near = _near(loaded, company, field, ink) if loaded and company else []
    return {
        "rgb": ink.hex,
        "beside": beside.hex,
        "contrast": round(contrast(ink, beside), 1),
        "least": least,
        "alike": near,
    }


def _ink(colour: str, theme: Theme) -> Ink:
    if _RGB.fullmatch(colour):
        return ink_from_hex(colour)
    if colour not in theme.inks:
        raise CannotRun(f"there is no ink {colour!r} in the theme {theme.id}")
    return theme.inks[colour]


def _near(loaded: Loaded, company_id: str, field: str, ink: Ink) -> list[dict[str, Any]]:
    """The companies that one with another colour looks like: with whose eyes, and how far apart
    they are."""
    companies = loaded.title.companies
    company = next((company for company in companies if company.id == company_id), None)
    if company is None or field not in ("colour", "second"):
        return []
    written = loaded.assembled.value.get("companies", {}).get(company_id, {})
    changed = _with(company, field, ink, second_is_written="second" in written)
    others = [other for other in companies if other.id != company_id]
    return [
        {
            "company": likeness.company.id,
            "vision": likeness.vision.word,
            "difference": round(likeness.difference, 1),
        }
        for likeness in alike(changed, others)
    ]


def _with(company: Company, field: str, ink: Ink, *, second_is_written: bool) -> Company:
    if field == "second":
        return replace(company, second=ink.hex)
    return replace(
        company,
        colour=ink.hex,
        second=company.second if second_is_written else readable_on(ink).hex,
    )
