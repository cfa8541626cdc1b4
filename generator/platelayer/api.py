"""The interface for programs."""

from __future__ import annotations

from platelayer.atlas.make import AtlasOptions, NewMap, assemble_map, check_maps
from platelayer.atlas.make import atlas_new as new_map
from platelayer.comparison.compare import Change, Comparison, compare
from platelayer.exchange.eighteen_games.positions import ImportedPosition, import_position
from platelayer.exchange.export import Export, ExportOptions, export_title
from platelayer.exchange.importers import Import, import_title
from platelayer.model.map_tiles import AtlasLog
from platelayer.model.tile import UpgradeGraph
from platelayer.pipeline.build import Print, build, read_options
from platelayer.pipeline.draw import Picture, draw
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import Reference, check, check_position, load, read_upgrades
from platelayer.pipeline.load import preflight as preflight_files
from platelayer.pipeline.load import read_manifest as manifest
from platelayer.play.report import SupplyReport, supply
from platelayer.play.routes import Routes, routes

__all__ = [
    "AtlasOptions",
    "BuildOptions",
    "Change",
    "Comparison",
    "Export",
    "ExportOptions",
    "Import",
    "ImportedPosition",
    "NewMap",
    "Picture",
    "Print",
    "Routes",
    "SupplyReport",
    "assemble",
    "build",
    "check",
    "check_maps",
    "check_position",
    "compare",
    "draw",
    "export_title",
    "import_position",
    "import_title",
    "load",
    "manifest",
    "new_map",
    "preflight_files",
    "read_options",
    "routes",
    "supply",
    "upgrades",
]


def upgrades(reference: Reference, *, variant: str | None = None) -> UpgradeGraph:
    """Return the upgrades of a title, with their rotations, by the tiles alone and on its map.

    Raises ProblemsFound when the definition has errors.
    """
    return read_upgrades(reference, variant=variant)[0]


def assemble(
    mode: str,
    *,
    seed: int | None = None,
    players: int | None = None,
    policy: str = "compact",
    blanks: int | None = None,
) -> AtlasLog:
    """A random map of Railways of the Lost Atlas, by the game's rules, as the log of every draw;
    checked and measured. The same seed reproduces the same map; without a seed, a new one is chosen
    and recorded in the log.

    Raises CannotRun for an unknown mode, number of players, seed or policy.
    """
    return assemble_map(
        AtlasOptions(mode=mode, seed=seed, players=players, policy=policy, blanks=blanks)
    )[1]
