"""Prints, checks and explores 18xx railway games.

    from platelayer import load, check, draw, build, upgrades, assemble

docs/python.md shows all of them. Nothing else is imported before it is needed.
"""

__version__ = "1.1.0.dev0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from platelayer.api import *
    from platelayer.foundation.problems import CannotRun, PlatelayerError, Problem, ProblemsFound

__all__ = [
    "AtlasOptions",
    "BuildOptions",
    "CannotRun",
    "Change",
    "Comparison",
    "Export",
    "ExportOptions",
    "Import",
    "ImportedPosition",
    "NewMap",
    "Picture",
    "PlatelayerError",
    "Print",
    "Problem",
    "ProblemsFound",
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

_PROBLEMS = ("CannotRun", "PlatelayerError", "Problem", "ProblemsFound")


def __getattr__(name: str) -> "Any":
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = "platelayer.foundation.problems" if name in _PROBLEMS else "platelayer.api"
    return getattr(import_module(module), name)


def __dir__() -> "list[str]":
    return [*__all__, "__version__"]
