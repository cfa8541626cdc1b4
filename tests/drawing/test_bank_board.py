"""The bank board: places as large as cards below their heads, for certificates, for trains, or with
words of their own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace
from test_places_kept_clear import Spot, spots

from platelayer.definitions.themes import load_theme
from platelayer.drawing.boards.bank_board import draw_bank_board
from platelayer.drawing.kit.lettering import ink_height
from platelayer.drawing.kit.style import Style
from platelayer.foundation.text import Text
from platelayer.model.kinds import piece_size
from platelayer.model.manifest import build_manifest
from platelayer.model.title import BankArea, BankBoard, Title
from platelayer.scene.flatten import FlatText, flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Item, Scene
from platelayer.scene.typeset import TypeStyle
from shipped import shipped

STYLE = Style(theme=load_theme("classic"))
EU = shipped("18eu")


def words_of(scene: Scene) -> list[str]:
    return [text.run.text.replace("\u00a0", " ") for text in flatten_scene(scene)[1]]


def places_of(items: tuple[Item, ...]) -> list[tuple[float, float]]:
    """Width and height of every place."""
    return [(spot.right - spot.left, spot.bottom - spot.top) for spot in spots(items)]


def lowest_ink(text: FlatText) -> float:
    """The lowest ink of a text above its baseline: below it, less than 0."""
    own = TypeStyle(faces=(text.run.face,), size_pt=text.size_pt)
    return ink_height(text.run.text, own)[0]


def with_areas(title: Title, *rows: tuple[BankArea, ...]) -> Title:
    board = BankBoard(name=Text.plain("Bank"), rows=rows)
    return replace(title, pieces=replace(title.pieces, bank_board=board))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("title_id", "variant", "certificates", "trains"),
    [
        ("18eu", None, 8, 8),
        ("1824", None, 8, 17),
        ("18cz", None, 15, 2),
        ("18cz", "bohemia", 10, 2),
        ("18cz", "moravia", 5, 0),
    ],
)
def test_every_company_with_shares_and_every_train_has_a_place_larger_than_its_card(
    title_id, variant, certificates, trains, language
):
    title = shipped(title_id, variant=variant)
    scene = draw_bank_board(title, "bank", Style(theme=load_theme("classic"), language=language))
    assert check_legibility(scene) == ()
    cards = {
        (size.width_mm, size.height_mm): 0
        for company in title.companies
        for size in [piece_size(title, "certificate", f"{company.id}-director", company.size)]
    }
    size = piece_size(title, "train")
    places = places_of(scene.items)
    assert len(places) == certificates + trains
    for wide, tall in places:
        assert any(wide > w and tall > h for w, h in (*cards, (size.width_mm, size.height_mm)))
    with_shares = [each for each in title.companies if any(c.director for c in each.certificates)]
    assert len(with_shares) == certificates
    assert {each.token_text for each in with_shares} <= set(words_of(scene))
    assert build_manifest(title).totals["bank-board"] == 1


def test_places_that_lie_over_each_other_show_as_much_as_is_requested():
    area = BankArea(name=Text.plain("Trains"), columns=4, trains=("3", "4", "5", "6"))
    alone = draw_bank_board(with_areas(EU, (area,)), "bank", STYLE)
    fanned = draw_bank_board(with_areas(EU, (replace(area, shows_mm=24.0),)), "bank", STYLE)
    wide = piece_size(EU, "train").width_mm + 2
    assert alone.width_mm - fanned.width_mm == pytest.approx(3 * (wide + 3 - 24))
    assert [size for place in places_of(fanned.items) for size in place] == pytest.approx(
        [wide, 46.0] * 4
    )
    prices = {"£200  × 5 + 2", "£300  × 4 + 1", "£500  × 3", "£600  × 2"}
    assert prices <= set(words_of(fanned))
    assert check_legibility(fanned) == ()
    rights = [spot.right for spot in spots(fanned.items)]
    assert [b - a for a, b in pairwise(rights)] == pytest.approx([24.0] * 3)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("title_id", ["18eu", "1824", "18cz"])
def test_names_in_a_line_of_places_have_one_size_and_one_level(title_id, language):
    title, style = shipped(title_id), Style(theme=load_theme("classic"), language=language)
    scene = draw_bank_board(title, "bank", style)
    names = [style.words(company.name).replace(" ", "") for company in title.companies]
    short = {name for name in (each.token_text for each in title.companies) if len(name) > 1}
    texts = flatten_scene(scene)[1]
    places = [spot for spot in spots(scene.items) if spot.thing == "certificate"]
    rows: list[list[Spot]] = []
    for spot in places:
        # Cards of a fan overlap; areas stand apart.
        if rows and spot.top == rows[-1][-1].top and spot.left < rows[-1][-1].right:
            rows[-1].append(spot)
        else:
            rows.append([spot])
    for line in rows:
        top = line[0].top
        left, right = line[0].left, line[-1].right
        heads = [
            text
            for text in texts
            if left < text.bounds[0] < text.bounds[2] < right and top - 18 < text.bounds[1] < top
        ]
        abbreviations = [text for text in heads if text.run.text in short]
        named = [
            text
            for text in heads
            if any(name.startswith(text.run.text.replace(" ", "")) for name in names)
            and text not in abbreviations
        ]
        if not abbreviations:
            continue  # Places with words of their own.
        assert len(abbreviations) == len(line) <= len(named)
        assert len({round(text.run.size_pt, 3) for text in named}) == 1
        levels = [text.bounds[3] + lowest_ink(text) for text in abbreviations]
        assert max(levels) - min(levels) < 0.01


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("title_id", "size"), [("1824", (420, 297)), ("18cz", (420, 350)), ("18eu", (510, 270))]
)
def test_boards_of_many_companies_fit_a_table(title_id, size, language):
    title = shipped(title_id)
    scene = draw_bank_board(title, "bank", Style(theme=load_theme("classic"), language=language))
    assert (scene.width_mm <= size[0], scene.height_mm <= size[1]) == (True, True)


def test_no_board_where_a_title_has_none():
    with pytest.raises(KeyError):
        draw_bank_board(replace(EU, pieces=replace(EU.pieces, bank_board=None)), "bank", STYLE)
