"""Backs: as large as their fronts, seen from behind, legible; blind where they must be, telling where play needs it."""

from __future__ import annotations

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.backs import draw_back
from platelayer.drawing.pieces import draw_piece
from platelayer.drawing.style import Style
from platelayer.model.manifest import build_manifest
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

TITLES = ("18eu", "lost-atlas")
NO_BACK = {"map", "market", "revenue-chart", "round-track", "upgrade-chart", "checklist"}


@pytest.fixture(scope="module", params=TITLES)
def title(request):
    return load_title(request.param).title


@pytest.fixture(scope="module")
def atlas():
    return load_title("lost-atlas").title


def style_in(language: str = "en") -> Style:
    return Style(theme=load_theme("classic"), language=language)


def back_of(title, key: str, style: Style | None = None) -> Scene:
    manifest = build_manifest(title)
    back = draw_back(title, manifest, manifest.by_key[key], style or style_in())
    assert back is not None
    return back


def words_of(scene: Scene) -> list[str]:
    return [text.run.text for text in flatten_scene(scene)[1]]


def corners(scene: Scene, *, mirrored: bool) -> set[tuple[float, float]]:
    """Points of the die line, rounded."""
    return {
        (round(scene.width_mm - x if mirrored else x, 2), round(y, 2))
        for command in scene.die_line
        for x, y in zip(command[1::2], command[2::2], strict=True)
    }


def test_what_has_a_back(title):
    for piece in build_manifest(title).pieces:
        back = draw_back(title, build_manifest(title), piece, style_in()) if piece.kind in NO_BACK else True
        assert (piece.back == "") == (piece.kind in NO_BACK)
        assert (back is None) == (piece.kind in NO_BACK)


def test_a_back_is_its_front_seen_from_behind(title):
    manifest, style = build_manifest(title), style_in()
    seen = set()
    for piece in manifest.pieces:
        if not piece.back or (piece.kind, piece.group) in seen:
            continue
        seen.add((piece.kind, piece.group))
        (front,), back = draw_piece(title, manifest, piece, style), draw_back(title, manifest, piece, style)
        assert back is not None
        ours, theirs = (
            [round(each, 3) for each in (scene.width_mm, scene.height_mm, scene.bleed_mm, scene.safe_mm)]
            for scene in (back, front)
        )
        assert ours == theirs, piece.key
        assert corners(back, mirrored=True) == corners(front, mirrored=False), piece.key
        assert back.label


@pytest.mark.parametrize("language", ["en"])
def test_backs_are_legible(title, language):
    manifest, style = build_manifest(title), style_in(language)
    backs = {}
    for piece in manifest.pieces:
        back = draw_back(title, manifest, piece, style)
        if back is not None:
            backs.setdefault(back.key, back)
    assert [problem.message for back in backs.values() for problem in check_legibility(back)] == []
    assert backs
