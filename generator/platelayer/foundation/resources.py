"""Paths of shipped files. Only this module knows where schemas/ and assets/ are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def _root() -> Path:
    """The folder holding `schemas` and `assets`: inside an installed wheel, else the root of the source tree."""
    installed = _PACKAGE / "shipped"
    return installed if installed.is_dir() else _PACKAGE.parent.parent


def schema_path(name: str) -> Path:
    """Path of a shipped JSON Schema, e.g. `schema_path("title")` -> .../schemas/title.schema.json."""
    return _root() / "schemas" / f"{name}.schema.json"


def schema_paths() -> tuple[Path, ...]:
    """All shipped JSON Schemas, sorted by name."""
    return tuple(sorted((_root() / "schemas").glob("*.schema.json")))


def asset_path(*parts: str) -> Path:
    """Path of a shipped asset, e.g. `asset_path("fonts", "metrics.json")`."""
    return _root().joinpath("assets", *parts)


def title_ids() -> tuple[str, ...]:
    """Ids of the titles that come with Platelayer, sorted."""
    folder = asset_path("titles")
    return tuple(sorted(path.parent.name for path in folder.glob("*/title.json")))


def title_path(title_id: str) -> Path:
    """Folder of a shipped title."""
    return asset_path("titles", title_id)
