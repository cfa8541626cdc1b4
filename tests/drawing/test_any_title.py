"""Whatever a title says, its cards and boards are drawn, and everybody can read them."""

from __future__ import annotations

import pytest
from any_titles import boards, titles
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kinds import LOOKS, look_of
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece, draw_with_room
from platelayer.foundation.problems import Severity
from platelayer.model.manifest import Manifest, build_manifest
from platelayer.model.pieces import Piece
from platelayer.model.title import Title
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene

HEXES = frozenset(("map", "tile", "map-tile", "overlay", "capital-project", "upgrade-chart", "checklist"))
CARDS = frozenset(LOOKS) - HEXES
"""Cards, charters, tokens and boards."""
STYLES = {language: Style(theme=load_theme("classic"), language=language) for language in ("en", "ja")}


def drawn(title: Title, manifest: Manifest, piece: Piece, style: Style) -> list[Scene]:
    """All faces of a piece, as large as their words need."""

    def faces(roomy: Title, style: Style) -> list[Scene | None]:
        graph = upgrade_graph(roomy) if piece.kind == "upgrade-chart" else None
        return [*draw_piece(roomy, manifest, piece, style, graph), draw_back(roomy, piece, style)]

    return [scene for scene in draw_with_room(faces, title, piece, style)[0] if scene is not None]


def unread(title: Title, style: Style, kinds: frozenset[str]) -> list[str]:
    """What is wrong with the pieces of a title."""
    manifest = build_manifest(title)
    faces = {}
    for piece in manifest.pieces:
        if piece.kind in kinds:
            faces |= {scene.key: scene for scene in drawn(title, manifest, piece, style)}
    return [
        str(problem)
        for scene in faces.values()
        for problem in check_legibility(scene, min_text_pt=look_of(scene.key).min_text_pt)
        if problem.severity is Severity.ERROR
    ]


def check(title: Title, language: str, kinds: frozenset[str]) -> None:
    found = unread(title, STYLES[language], kinds)
    assert not found, "\n".join(found[:20])


languages = st.sampled_from(("en", "ja"))
# A whole title takes minutes to shrink; what is wrong says enough.
PHASES = (Phase.explicit, Phase.generate)
unhurried = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
some = settings(max_examples=20, deadline=None, phases=PHASES, suppress_health_check=unhurried)
many = settings(some, max_examples=2000)


@some
@given(title=titles(), language=languages)
def test_cards_of_any_title_can_be_read(title: Title, language: str) -> None:
    check(title, language, CARDS)


@some
@given(title=boards(), language=languages)
def test_maps_and_tiles_of_any_title_can_be_read(title: Title, language: str) -> None:
    check(title, language, HEXES)


@pytest.mark.slow
@many
@given(title=titles(), language=languages)
def test_cards_of_many_titles_can_be_read(title: Title, language: str) -> None:
    check(title, language, CARDS)


@pytest.mark.slow
@many
@given(title=boards(), language=languages)
def test_maps_and_tiles_of_many_titles_can_be_read(title: Title, language: str) -> None:
    check(title, language, HEXES)
