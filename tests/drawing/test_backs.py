"""Backs: as large as their fronts, seen from behind, legible; blind where they must be, telling
where play needs it."""

from __future__ import annotations

import pytest
from invented import words_of
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.kinds import PLAIN, piece_size
from platelayer.model.manifest import build_manifest
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Scene
from shipped import shipped

TITLES = ("1841", "18cz", "18eu", "lost-atlas")
NO_BACK = {
    "map",
    "market",
    "revenue-chart",
    "round-track",
    "upgrade-chart",
    "checklist",
    "score-sheet",
    "bank-board",
    "par-chart",
}


@pytest.fixture(scope="module", params=TITLES)
def title(request):
    return shipped(request.param)


@pytest.fixture(scope="module")
def atlas():
    return shipped("lost-atlas")


def style_in(language: str = "en") -> Style:
    return Style(theme=load_theme("classic"), language=language)


def back_of(title, key: str, style: Style | None = None) -> Scene:
    manifest = build_manifest(title)
    back = draw_back(title, manifest.by_key[key], style or style_in())
    assert back is not None
    return back


def corners(scene: Scene, *, mirrored: bool) -> set[tuple[float, float]]:
    """Points of the die line, rounded."""
    return {
        (round(scene.width_mm - x if mirrored else x, 2), round(y, 2))
        for command in scene.die_line
        for x, y in zip(command[1::2], command[2::2], strict=True)
    }


def test_what_has_a_back(title):
    for piece in build_manifest(title).pieces:
        back = draw_back(title, piece, style_in()) if piece.kind in NO_BACK else True
        assert (piece.back == "") == (piece.kind in NO_BACK)
        assert (back is None) == (piece.kind in NO_BACK)


def test_a_back_is_its_front_seen_from_behind(title):
    manifest, style = build_manifest(title), style_in()
    seen = set()
    for piece in manifest.pieces:
        if not piece.back or (piece.kind, piece.group) in seen:
            continue
        seen.add((piece.kind, piece.group))
        (front,), back = draw_piece(title, manifest, piece, style), draw_back(title, piece, style)
        assert back is not None
        ours, theirs = (
            [
                round(each, 3)
                for each in (scene.width_mm, scene.height_mm, scene.bleed_mm, scene.safe_mm)
            ]
            for scene in (back, front)
        )
        assert ours == theirs, piece.key
        assert corners(back, mirrored=True) == corners(front, mirrored=False), piece.key
        assert back.label


def test_cards_of_a_deck_cannot_be_distinguished_face_down(title):
    manifest, style = build_manifest(title), style_in()
    for kind in ("certificate", "train", "number-card", "destination-card", "private"):
        pieces = [piece for piece in manifest.pieces if piece.kind == kind and piece.back == PLAIN]
        sizes = {piece_size(title, piece.kind, piece.id, piece.size) for piece in pieces}
        sides = {(size.width_mm, size.height_mm) for size in sizes}
        assert len({id(draw_back(title, piece, style)) for piece in pieces}) == len(sides)


def test_capital_projects_hide_among_map_tiles(atlas):
    # They are shuffled and drawn face down together (rules of assembly).
    style = style_in()
    hidden = {
        id(back_of(atlas, key, style))
        for key in ("map-tile:1", "map-tile:28", "capital-project:capital")
    }
    assert len(hidden) == 1


def test_a_player_aid_goes_on_behind(atlas):
    manifest, style = build_manifest(atlas), style_in()
    (front,) = draw_piece(atlas, manifest, manifest.by_key["summary:turn"], style)
    back = back_of(atlas, "summary:turn", style)
    (turn,) = (aid for aid in atlas.aids if aid.id == "turn")
    for scene, sections in ((front, turn.sections), (back, turn.back)):
        assert {style.words(section.heading) for section in sections} <= set(words_of(scene))
        assert not check_legibility(scene)
    assert manifest.by_key["summary:setup"].back == PLAIN


@pytest.mark.parametrize(
    ("card", "phases"),
    [("3", ("3", "6")), ("4", ("4", "7/∞")), ("5", ("5", None))],
    ids=["3/6", "4/7", "5"],
)
def test_a_phase_card_lies_in_the_stack_of_trains(atlas, card, phases):
    # Rulebook §2: 3, 4 and 5 in front; 6 and 7/∞ behind.
    manifest, style = build_manifest(atlas), style_in()
    piece = manifest.by_key[f"phase-card:{card}"]
    train = piece_size(atlas, "train")
    assert piece_size(atlas, "phase-card", card) == replace(train, kind="phase-card")
    (front,) = draw_piece(atlas, manifest, piece, style)
    back = back_of(atlas, piece.key, style)
    assert phases[0] in words_of(front)
    if phases[1] is None:
        assert piece.back == PLAIN
    else:
        assert phases[1] in words_of(back)
        assert phases[1] not in words_of(front)


def test_the_micro_games_need_the_first_two_phase_cards():
    title = shipped("lost-atlas", variant="micro3")
    cards = [piece for piece in build_manifest(title).pieces if piece.kind == "phase-card"]
    assert [(piece.id, piece.back) for piece in cards] == [("3", PLAIN), ("4", PLAIN)]


def test_the_command_draws_backs(platelayer, tmp_path):
    drawn = platelayer("draw", "18eu", "tile:57:back", "-o", "57.svg")
    assert drawn.returncode == 0
    picture = (tmp_path / "57.svg").read_text(encoding="utf-8")
    assert "57" in picture
    assert "18EU" in picture
    none = platelayer("draw", "18eu", "market:back", "-o", "m.svg")
    assert none.returncode == 2
    assert "market:market has nothing on its back" in none.stderr
    assert platelayer("draw", "18eu", "tile:57:front", "-o", "m.svg").returncode == 2
