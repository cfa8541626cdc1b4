"""Backs: as large as their fronts, seen from behind, legible; blind where they must be, telling
where play needs it."""

from __future__ import annotations

import pytest
from invented import words_of
from msgspec.structs import replace

from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.ground import colour_ink
from platelayer.drawing.kit.style import Style
from platelayer.drawing.pieces import draw_back, draw_piece
from platelayer.model.kinds import PLAIN, PLAY, piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.title import PhaseCard, Size, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.inks import ink_from_hex
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


def test_a_tile_shows_its_number_and_its_game(title):
    for number in ("57", "8"):
        texts = flatten_scene(back_of(title, f"tile:{number}"))[1]
        assert max(texts, key=lambda text: text.size_pt).run.text == number
        assert " ".join(text.run.text for text in texts).endswith(title.name.get("en"))


def test_the_back_of_a_framed_tile_bears_its_frame():
    # 18CZ's 15p is the 15 with a purple frame.
    title = shipped("18cz")
    fills = {
        number: [
            shape.fill.rgb
            for shape in flatten_scene(back_of(title, f"tile:{number}"))[0]
            if shape.fill
        ]
        for number in ("15", "15p")
    }
    purple = colour_ink(title.tile_by_id["15p"].tile.frame, style_in()).rgb
    assert purple not in fills["15"]
    assert fills["15p"] == [fills["15"][0], purple, *fills["15"][1:]]


def test_a_descender_leaves_the_name_below_it_alone():
    title = shipped("18cz")
    for number in ("14p", "8866p"):
        name, large = sorted(
            flatten_scene(back_of(title, f"tile:{number}"))[1], key=lambda text: text.size_pt
        )[1:]
        assert (name.run.text, large.run.text) == ("18CZ", number)
        assert min(y for _, y in name.corners) > max(y for _, y in large.corners) + 0.5


def test_cards_of_a_deck_cannot_be_distinguished_face_down(title):
    manifest, style = build_manifest(title), style_in()
    for kind in ("certificate", "train", "number-card", "destination-card", "private"):
        pieces = [piece for piece in manifest.pieces if piece.kind == kind and piece.back == PLAIN]
        sizes = {piece_size(title, piece.kind, piece.id, piece.size) for piece in pieces}
        sides = {(size.width_mm, size.height_mm) for size in sizes}
        assert len({id(draw_back(title, piece, style)) for piece in pieces}) == len(sides)


def test_backs_of_concessions_call_them_so():
    title = shipped("1841")
    assert "CONCESSION" in " ".join(words_of(back_of(title, "private:3"))).upper()
    assert "PRIVATE" not in " ".join(words_of(back_of(title, "private:3"))).upper()


def test_capital_projects_hide_among_map_tiles(atlas):
    # They are shuffled and drawn face down together (rules of assembly).
    style = style_in()
    hidden = {
        id(back_of(atlas, key, style))
        for key in ("map-tile:1", "map-tile:28", "capital-project:capital")
    }
    assert len(hidden) == 1


def test_titles_do_not_share_backs():
    style, manifests = style_in(), {}
    for title_id in TITLES:
        title = shipped(title_id)
        manifest = build_manifest(title)
        piece = next(piece for piece in manifest.pieces if piece.kind == "certificate")
        manifests[title_id] = draw_back(title, piece, style)
    assert words_of(manifests["18eu"]) != words_of(manifests["lost-atlas"])


def test_market_tokens_show_reversed_colours_station_tokens_their_face(title):
    manifest, style = build_manifest(title), style_in()
    for piece in (piece for piece in manifest.pieces if piece.kind == "token"):
        (front,), back = draw_piece(title, manifest, piece, style), draw_back(title, piece, style)
        assert back is not None
        assert words_of(back) == words_of(front)
        fills = [
            [shape.fill.rgb for shape in flatten_scene(scene)[0] if shape.fill]
            for scene in (front, back)
        ]
        assert (fills[0] == fills[1]) is (piece.group == "station"), piece.key


def test_the_rim_of_a_market_token_and_its_spots_change_places():
    # 18EU's BNR is yellow and black.
    title = shipped("18eu")
    manifest, style = build_manifest(title), style_in()
    piece = manifest.by_key["token:BNR-market"]
    (front,), back = draw_piece(title, manifest, piece, style), draw_back(title, piece, style)
    rims = [
        [shape.fill.rgb for shape in flatten_scene(scene)[0] if shape.fill][:2]
        for scene in (front, back)
    ]
    assert rims[0] == rims[1][::-1]


def test_the_back_of_a_market_token_keeps_the_colour_of_its_company():
    # 18CZ's BCB is a light orange: white beside it would not be told apart, so its second colour is
    # a dark orange.
    title = shipped("18cz")
    manifest, style = build_manifest(title), style_in()
    piece = manifest.by_key["token:BCB-market"]
    (front,), back = draw_piece(title, manifest, piece, style), draw_back(title, piece, style)
    rims = [
        [shape.fill.rgb for shape in flatten_scene(scene)[0] if shape.fill][:2]
        for scene in (front, back)
    ]
    assert rims[0] == rims[1][::-1]
    assert ink_from_hex("#fabc48").rgb in rims[0]


def test_what_is_read_in_play(atlas):
    in_play = [piece.key for piece in build_manifest(atlas).pieces if piece.back == PLAY]
    assert in_play == ["train:7", "phase-card:3", "phase-card:4", "summary:turn"]


def test_the_seven_has_an_endless_train_on_its_back(atlas):
    manifest, style = build_manifest(atlas), style_in()
    (front,) = draw_piece(atlas, manifest, manifest.by_key["train:7"], style)
    back = back_of(atlas, "train:7", style)
    assert "$750" in words_of(front)
    assert "∞" not in words_of(front)
    assert {"∞", "$1,000"} <= set(words_of(back))
    assert "$750" not in words_of(back)


def two_sided(title: Title) -> Title:
    """With a phase card of several phases a side."""
    card = PhaseCard(id="phases", front=("2", "3", "4"), back=("5", "6", "7"))
    sizes = (Size(kind="phase-card", width_mm=184, height_mm=105),)
    return replace(title, pieces=replace(title.pieces, phase_cards=(card,), sizes=sizes))


def test_a_player_aid_goes_on_behind(atlas):
    manifest, style = build_manifest(atlas), style_in()
    (front,) = draw_piece(atlas, manifest, manifest.by_key["summary:turn"], style)
    back = back_of(atlas, "summary:turn", style)
    (turn,) = (aid for aid in atlas.aids if aid.id == "turn")
    for scene, sections in ((front, turn.sections), (back, turn.back)):
        assert {style.words(section.heading) for section in sections} <= set(words_of(scene))
        assert not check_legibility(scene)
    assert manifest.by_key["summary:setup"].back == PLAIN


def test_phases_are_shared_out_over_two_sides(atlas):
    title, style = two_sided(atlas), style_in()
    manifest = build_manifest(title)
    (front,) = draw_piece(title, manifest, manifest.by_key["phase-card:phases"], style)
    back = back_of(title, "phase-card:phases", style)
    assert {"first 3", "first 4", "$100", "$300"} <= set(words_of(front))
    assert {"first 5", "first 6", "first 7 or ∞", "$450", "$750", "$1,000"} <= set(words_of(back))
    assert not {"first 5", "$450"} & set(words_of(front))
    assert not {"first 4", "$300"} & set(words_of(back))
    # What rusts trains is told only where something does.
    assert ["RUSTED" in " ".join(words_of(side)).upper() for side in (front, back)] == [True, False]


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


def test_faces_of_one_side_are_turned_with_the_card():
    title = shipped("lost-atlas")
    seven = title.train_by_id["7"]
    assert [face.name for side in seven.sides for face in side] == ["7", "∞"]
    turned = replace(seven, faces=tuple(replace(face, side="front") for face in seven.faces))
    assert [len(side) for side in turned.sides] == [2, 0]


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
