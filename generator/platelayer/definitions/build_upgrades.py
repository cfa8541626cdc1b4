"""Models of upgrade options, upgrade tables and waivers from checked JSON."""

from __future__ import annotations

from typing import Any

from platelayer.definitions.build_board import Json, build_text
from platelayer.model.title import UpgradeChain, Waiver
from platelayer.model.upgrade import AddedStops, GroundColour, UpgradeOptions


def build_chains(raw: Json) -> tuple[UpgradeChain, ...]:
    """The official upgrade table from the block `upgrades`."""
    return tuple(
        UpgradeChain(name=build_text(chain["name"]), steps=tuple(map(tuple, chain["steps"])))
        for chain in raw.get("chains", ())
    )


def build_upgrade_options(raw: Json) -> UpgradeOptions:
    """A title's own rules of upgrading from the block `upgrades`."""
    return UpgradeOptions(
        merging_labels=tuple(raw.get("merging_labels", ())),
        merging_towns=tuple(raw.get("merging_towns", ())),
        added=tuple(
            AddedStops(
                colour=each["colour"],
                label=each.get("label"),
                tiles=tuple(each.get("tiles", ())),
                cities=each.get("cities", 0),
                towns=each.get("towns", 0),
            )
            for each in raw.get("added", ())
        ),
        kept_icons=tuple(raw.get("kept_icons", ())),
        edge_only_icons=tuple(raw.get("edge_only_icons", ())),
        fixed_rotation=tuple(raw.get("fixed_rotation", ())),
        never_upgraded=tuple(raw.get("never_upgraded", ())),
        grounds=tuple(
            GroundColour(
                colour=each["colour"], terrain=tuple(each.get("terrain", ())), labels=tuple(each.get("labels", ()))
            )
            for each in raw.get("grounds", ())
        ),
    )


def build_waivers(raw: Any) -> tuple[Waiver, ...]:
    """The block `waivers`: a list, or None."""
    return tuple(
        Waiver(code=each["code"], at=each.get("at", "*"), reason=build_text(each["reason"])) for each in raw or ()
    )
