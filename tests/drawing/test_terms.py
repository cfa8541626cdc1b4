"""A title's own words in place of fixed ones."""

from __future__ import annotations

import json
from pathlib import Path

from platelayer.definitions.titles import load_title
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import asset_path
from platelayer.model.manifest import build_manifest
from platelayer.pipeline.job import BuildOptions
from platelayer.pipeline.load import read_to_print
from platelayer.scene.shapes import Group, Item, Scene, TextRun, Use


def words_of(scene: Scene) -> set[str]:
    found: set[str] = set()

    def walk(items: tuple[Item, ...]) -> None:
        for item in items:
            if isinstance(item, TextRun):
                found.add(item.text)
            elif isinstance(item, Group):
                walk(item.items)
            elif isinstance(item, Use):
                walk(item.scene.items)

    walk(scene.items)
    return found


def test_a_title_has_words_of_its_own_in_one_language_or_in_all(tmp_path: Path) -> None:
    starter = json.loads(asset_path("starters", "small", "title.json").read_text(encoding="utf-8"))
    for path in asset_path("starters", "small").glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    starter["terms"] = {"cards/phases": {"ja": "段階"}, "cards/begins_with": "Starts at"}
    (tmp_path / "title.json").write_text(json.dumps(starter), encoding="utf-8")
    assert len(load_title(str(tmp_path)).title.terms) == 2
    seen = {}
    for language in ("en", "ja"):
        loaded, _, style = read_to_print(str(tmp_path), BuildOptions(language=language))
        title = loaded.title
        manifest = build_manifest(title)
        (scene,) = draw_piece(title, manifest, manifest.by_key["phase-card:phases"], style)
        seen[language] = {word.casefold() for word in words_of(scene)}
    assert {"phases", "starts at"} <= seen["en"]
    assert {"段階", "starts at"} <= seen["ja"]
    assert "begins with" not in seen["en"]


def starter(folder: Path, terms: dict[str, object]) -> str:
    """The starter with words of its own, and a name with braces in it."""
    for path in asset_path("starters", "small").glob("*.json"):
        (folder / path.name).write_bytes(path.read_bytes())
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    (folder / "title.json").write_text(
        json.dumps(title | {"name": "{} {0}", "terms": terms}), encoding="utf-8"
    )
    return str(folder)


def test_places_are_filled_in_any_order_and_braces_are_printed(tmp_path: Path) -> None:
    terms = {
        "companies/shares": "{1} % {{x{0}}}",
        "companies/floats": "{{}} at {}",
        "cards/phases": "{{phases}}",
    }
    loaded, _, style = read_to_print(starter(tmp_path, terms), BuildOptions())
    manifest = build_manifest(loaded.title)
    stated = " ".join(
        word
        for key in ("charter:NVR", "phase-card:phases")
        for scene in draw_piece(loaded.title, manifest, manifest.by_key[key], style)
        for word in words_of(scene)
    ).casefold()
    assert "10 % {x8}" in stated
    assert "{} at 50" in stated
    assert "{phases}" in stated
