"""Every piece of every shipped title obeys the legibility rules, in every language and theme."""

import pytest

from often import often
from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_piece
from platelayer.foundation.resources import title_ids
from platelayer.model.manifest import build_manifest
from platelayer.scene.legibility import check_legibility
from shipped import shipped


@pytest.mark.parametrize(
    ("language", "theme"),
    often(
        [("en", "classic"), ("ja", "classic"), ("en", "low-ink"), ("ja", "colour-blind")],
        ("ja", "classic"),
    ),
)
@pytest.mark.parametrize("step", often([3, 1], 3))
@pytest.mark.parametrize("title_id", title_ids())
def test_every_piece_is_legible(title_id, step, language, theme):
    title = shipped(title_id)
    manifest = build_manifest(title)
    style = Style(theme=load_theme(theme), language=language)
    found = [
        str(problem)
        for piece in manifest.pieces[::step]
        for scene in draw_piece(title, manifest, piece, style)
        for problem in check_legibility(scene)
    ]
    assert found == []
