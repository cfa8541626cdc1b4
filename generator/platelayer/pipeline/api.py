"""The interface for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platelayer.pipeline.build import Print, build, read_options
from platelayer.pipeline.check import check
from platelayer.pipeline.draw import Picture, draw
from platelayer.pipeline.options import BuildOptions

if TYPE_CHECKING:
    from platelayer.model.atlas import AtlasLog
    from platelayer.model.title import Title
    from platelayer.model.upgrade import UpgradeGraph

__all__ = [
    "BuildOptions",
    "Picture",
    "Print",
    "assemble",
    "build",
    "check",
    "draw",
    "load",
    "read_options",
    "upgrades",
]


def load(reference: str, *, variant: str | None = None) -> Title:
    """A title (a shipped id, a folder or a file), with one of its variants applied if you name it.

    Raises ProblemsFound when the definition has errors. Rules are not checked; `check` does that.
    """
    from platelayer.definitions.titles import load_title

    return load_title(reference, variant=variant).title


def upgrades(reference: str, *, variant: str | None = None) -> UpgradeGraph:
    """Which tiles may replace which, in which rotations, by the tiles alone and on the map of a title.

    Raises ProblemsFound when the definition has errors.
    """
    from platelayer.rules.graph import upgrade_graph

    return upgrade_graph(load(reference, variant=variant))


def assemble(
    mode: str,
    *,
    seed: int | None = None,
    players: int | None = None,
    policy: str = "compact",
    blanks: int | None = None,
) -> AtlasLog:
    """A random map of Railways of the Lost Atlas, by the game's own rules, as the log of every draw; checked and
    measured. The same seed reproduces the same map; without one a new seed is taken, which the log names.

    Raises CannotRun for an unknown mode, number of players, seed or policy.
    """
    from platelayer.pipeline.atlas import AtlasOptions, assemble_map

    return assemble_map(AtlasOptions(mode=mode, seed=seed, players=players, policy=policy, blanks=blanks))[1]
