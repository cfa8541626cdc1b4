"""Every piece of every shipped title obeys the legibility rules, in every language and theme. The
gate looks at Japanese by the usual theme (tests/looks)."""

import pytest

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import build_manifest
from platelayer.scene.legibility import check_legibility
from shipped import shipped


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "theme"),
    [("en", "classic"), ("ja", "classic"), ("en", "low-ink"), ("ja", "colour-blind")],
)
@pytest.mark.parametrize("title_id", title_ids())
def test_every_piece_is_legible(title_id, language, theme):
    title = shipped(title_id)
    manifest = build_manifest(title)
    style = Style(theme=load_theme(theme), language=language)
    found = [
        str(problem)
        for piece in manifest.pieces
        for scene in draw_piece(title, manifest, piece, style)
        for problem in check_legibility(scene)
    ]
    assert found == []
