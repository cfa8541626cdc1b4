"""What a title says about upgrading beyond the common rules: data, read by the rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedStops:
    """Going to `colour`, a hex or tile with `label` (None: without any) gains `cities` and `towns` (negative: loses)."""

    colour: str
    label: str | None = None
    cities: int = 0
    towns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundColour:
    """Hexes with one of these kinds of terrain take tiles of `colour` only, and tiles of `colour` lie nowhere else;
    what is laid there is never upgraded."""

    colour: str
    terrain: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeOptions:
    """A title's own rules of upgrading.

    `merging_labels`: labels whose cities may become fewer, several old cities one new one. `added`: stops that appear.
    `kept_icons`: icons that a replacing tile must bear too, and that no tile brings where there is none.
    `edge_only_icons`: of hexes and tiles with these icons only track to hex edges need be kept, and stops may change
    place. `fixed_rotation`: tiles that are laid as printed. `never_upgraded`: colours that stay for good.
    """

    merging_labels: tuple[str, ...] = ()
    added: tuple[AddedStops, ...] = ()
    kept_icons: tuple[str, ...] = ()
    edge_only_icons: tuple[str, ...] = ()
    fixed_rotation: tuple[str, ...] = ()
    never_upgraded: tuple[str, ...] = ()
    grounds: tuple[GroundColour, ...] = ()
