"""Upgrade options of a title, and the graph of what may replace what."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

HEX = "hex:"
"""Prefix of a map hex's coordinates where tiles and hexes are named together: `hex:D4`."""


class AddedStops(Struct, frozen=True, kw_only=True):
    """In an upgrade to `colour`, a hex or tile with `label` (None: without a label) gains `cities` and `towns`. If
    negative, it has that many fewer, because two old ones become one. With `tiles`, only in upgrades to these."""

    colour: str
    label: str | None = None
    tiles: tuple[str, ...] = ()
    cities: int = 0
    towns: int = 0


class GroundColour(Struct, frozen=True, kw_only=True):
    """Unlaid hexes with one of these kinds of terrain, or one of these labels, take tiles of `colour` only, and tiles
    of `colour` go nowhere else (bridges on water, home tiles on the rim of the map)."""

    colour: str
    terrain: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class UpgradeOptions(Struct, frozen=True, kw_only=True):
    """A title's own rules of upgrading.

    `merging_labels`: labels whose cities may merge, several old cities into one new one. `merging_towns`: tile colours
    in whose upgrades towns may merge in the same way. `added`: stops that appear. `kept_icons`: icons that a replacing
    tile must have too, and that no tile adds where there is none. `edge_only_icons`: on hexes and tiles with these
    icons only track to hex edges must be kept; stops may move, and track between them is not compared.
    `fixed_rotation`: tiles that are laid as printed, at rotation 0. `never_upgraded`: what is never replaced: colours,
    tile numbers, hexes ("hex:D4").
    """

    merging_labels: tuple[str, ...] = ()
    merging_towns: tuple[str, ...] = ()
    added: tuple[AddedStops, ...] = ()
    kept_icons: tuple[str, ...] = ()
    edge_only_icons: tuple[str, ...] = ()
    fixed_rotation: tuple[str, ...] = ()
    never_upgraded: tuple[str, ...] = ()
    grounds: tuple[GroundColour, ...] = ()


COMMON_RULES = UpgradeOptions()
"""The rules of a title without options of its own."""


class Upgrade(Struct, frozen=True, kw_only=True):
    """`to` may replace `source` (a tile number, or `hex:D4`) when turned by any of `rotations` (x 60 degrees clockwise)
    while `source` is at rotation 0. `via` names the only ability that may lay it."""

    source: str
    to: str
    rotations: tuple[int, ...]
    via: str | None = None

    @property
    def from_hex(self) -> bool:
        """True when it is the first tile on a map hex."""
        return self.source.startswith(HEX)


class UpgradeGraph(Struct, frozen=True, kw_only=True, dict=True):
    """Every pair with at least one rotation: map hexes first, then tiles, each in the title's order."""

    title: str
    variant: str | None
    pairs: tuple[Upgrade, ...]

    @cached_property
    def by_source(self) -> dict[str, tuple[Upgrade, ...]]:
        """Pairs by what is replaced."""
        found: dict[str, list[Upgrade]] = {}
        for pair in self.pairs:
            found.setdefault(pair.source, []).append(pair)
        return {source: tuple(pairs) for source, pairs in found.items()}

    @cached_property
    def by_tile(self) -> dict[str, tuple[Upgrade, ...]]:
        """Pairs by the tile that replaces."""
        found: dict[str, list[Upgrade]] = {}
        for pair in self.pairs:
            found.setdefault(pair.to, []).append(pair)
        return {tile: tuple(pairs) for tile, pairs in found.items()}

    @cached_property
    def tile_pairs(self) -> tuple[Upgrade, ...]:
        """Pairs of a tile and a tile."""
        return tuple(pair for pair in self.pairs if not pair.from_hex)
