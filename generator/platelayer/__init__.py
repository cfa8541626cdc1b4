"""Prints, checks and explores 18xx railway games.

    from platelayer import load, check, draw, build, upgrades, assemble

docs/python.md shows each of them. Nothing is imported before it is needed.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from platelayer.foundation.problems import CannotRun, Problem, ProblemsFound
    from platelayer.pipeline.api import (
        BuildOptions,
        Picture,
        Print,
        assemble,
        build,
        check,
        draw,
        load,
        read_options,
        upgrades,
    )

__all__ = [
    "BuildOptions",
    "CannotRun",
    "Picture",
    "Print",
    "Problem",
    "ProblemsFound",
    "assemble",
    "build",
    "check",
    "draw",
    "load",
    "read_options",
    "upgrades",
]

_PROBLEMS = ("CannotRun", "Problem", "ProblemsFound")


def __getattr__(name: str) -> "Any":
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = "platelayer.foundation.problems" if name in _PROBLEMS else "platelayer.pipeline.api"
    return getattr(import_module(module), name)
