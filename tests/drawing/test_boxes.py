"""Every word of a card or board belongs to a box, and no ink leaves it: on every piece, in each
language and theme."""

from __future__ import annotations

from functools import cache

import pytest

from beside import needs
from exchange.corpus import FOLDER
from platelayer.definitions.themes import load_theme, theme_ids
from platelayer.drawing.kit.style import style_of
from platelayer.drawing.pieces import draw_back, draw_piece, draw_with_room
from platelayer.exchange.importers import import_title
from platelayer.foundation.problems import Severity
from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import build_manifest
from platelayer.model.title import Title
from platelayer.pipeline.load import load
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene


@cache
def title_of(name: str) -> Title:
    return load(name)


def faces(title: Title, theme: str, language: str) -> list[Scene]:
    """Fronts and backs of all pieces."""
    manifest, style = build_manifest(title), style_of(title, load_theme(theme), language)
    scenes: dict[str, Scene] = {}
    for piece in manifest.pieces:
        drawn, _ = draw_with_room(
            lambda roomy, ink: [
                *draw_piece(roomy, manifest, piece, ink),  # noqa: B023
                draw_back(roomy, piece, ink),  # noqa: B023
            ],
            title,
            piece,
            style,
        )
        scenes |= {scene.key: scene for scene in drawn if scene is not None}
    return list(scenes.values())


def unread(title: Title, theme: str, language: str) -> list[str]:
    """Errors on any piece."""
    found = (
        problem for scene in faces(title, theme, language) for problem in check_legibility(scene)
    )
    return [str(problem) for problem in found if problem.severity is Severity.ERROR]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("theme", theme_ids())
@pytest.mark.parametrize("name", title_ids())
def test_every_theme_is_held_by_the_same_rules(name, theme, language):
    assert unread(title_of(name), theme, language) == []


@pytest.mark.parametrize("theme", ["low-ink", "colour-blind"])
@pytest.mark.parametrize("name", title_ids())
def test_trains_and_charters_of_every_theme_are_held_by_them(name, theme):
    title = title_of(name)
    manifest, style = build_manifest(title), style_of(title, load_theme(theme), "en")
    pieces = (piece for piece in manifest.pieces if piece.kind in ("train", "charter"))
    found = [
        problem
        for piece in pieces
        for scene in draw_piece(title, manifest, piece, style)
        for problem in check_legibility(scene)
    ]
    assert found == []


IMPORTED = (
    "g_1817 g_1822 g_1825 g_1830 g_1837 g_1846 g_1849 g_1856 g_1858 g_1860 g_1861 g_1862 g_1867 "
    "g_1873 g_1880 g_1882 g_1889 g_18_chesapeake g_18_usa g_18_zoo"
)


@pytest.mark.slow
@needs("corpus")
@pytest.mark.parametrize("name", IMPORTED.split())
def test_imported_titles_are_held_by_them_too(name, tmp_path):
    pytest.importorskip("tree_sitter_ruby")
    import_title(FOLDER / "18xx-games" / "game" / name, tmp_path / "title")
    title = load(str(tmp_path / "title"))
    wrong = {
        (theme, language): unread(title, theme, language)
        for theme in theme_ids()
        for language in ("en", "ja")
    }
    assert {way: problems for way, problems in wrong.items() if problems} == {}
