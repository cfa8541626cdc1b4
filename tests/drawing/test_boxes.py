"""Every word of a card or board belongs to a box, and no ink leaves it: on every piece, in each language and theme."""

from __future__ import annotations

from functools import cache

import pytest

from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_back, draw_piece, draw_with_room
from platelayer.foundation.resources import title_ids
from platelayer.model.kinds import KINDS
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

OTHERS = ("map", "tile", "map-tile", "overlay", "upgrade-chart", "checklist")
OWNED = ("certificate", "charter", "private", "train", "token", "number-card", "priority-card")
"""Kinds all of whose words belong to a box."""


@cache
def title_of(name: str) -> Title:
    return load(name)


def faces(name: str, theme: str, language: str, kinds: tuple[str, ...]) -> list[Scene]:
    """Fronts and backs of the pieces of these kinds."""
    title = title_of(name)
    manifest, style = build_manifest(title), style_of(title, load_theme(theme), language)
    scenes: dict[str, Scene] = {}
    for piece in manifest.pieces:
        if piece.kind in kinds:
            drawn, _ = draw_with_room(
                lambda roomy, ink: [*draw_piece(roomy, manifest, piece, ink), draw_back(roomy, piece, ink)],  # noqa: B023
                title,
                piece,
                style,
            )
            scenes |= {scene.key: scene for scene in drawn if scene is not None}
    return list(scenes.values())


@pytest.mark.parametrize("name", title_ids())
def test_words_of_cards_belong_to_a_box(name):
    manifest, style = build_manifest(title_of(name)), style_of(title_of(name), load_theme("classic"), "ja")
    fronts = [draw_piece(title_of(name), manifest, piece, style)[0] for piece in manifest.pieces if piece.kind in OWNED]
    loose = [
        f"{scene.key}: {text.run.text}" for scene in fronts for text in flatten_scene(scene)[1] if text.box is None
    ]
    assert loose == []


def outside(name: str, theme: str, language: str) -> list[str]:
    kinds = tuple(kind for kind in KINDS if kind not in OTHERS)
    found = (problem for scene in faces(name, theme, language, kinds) for problem in check_legibility(scene))
    return [str(problem) for problem in found if problem.code == "LG14"]


@pytest.mark.parametrize("name", ["1824", "lost-atlas"])
def test_no_ink_leaves_its_box_in_japanese(name):
    assert outside(name, "classic", "ja") == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("theme", theme_ids())
@pytest.mark.parametrize("name", title_ids())
def test_no_ink_leaves_its_box(name, theme, language):
    assert outside(name, theme, language) == []
