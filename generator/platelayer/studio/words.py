"""What every page of the studio is told: its words, what may be chosen, and the schemas."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from platelayer.foundation.resources import schema_paths
from platelayer.studio import maps


@cache
def choices(language: str) -> dict[str, Any]:
    """Themes, papers, profiles, and what a random map may be."""
    from platelayer.definitions.profiles import load_profile, profile_ids
    from platelayer.definitions.themes import theme_ids
    from platelayer.imposition.paper import standard_papers

    return {
        "themes": theme_ids(),
        "papers": {name: paper.name for name, paper in standard_papers().items()},
        "profiles": {each: load_profile(each).name.get(language) for each in profile_ids()},
        "atlas": maps.choices(),
    }


@cache
def schemas() -> dict[str, Any]:
    """All schemas by their file names."""
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in schema_paths()}
