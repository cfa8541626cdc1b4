"""The bank board: places as large as cards, for certificates, for trains, or with words of their
own."""

from __future__ import annotations

from collections import defaultdict

import pytest
from msgspec.structs import replace
from test_places_kept_clear import spots

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
    lefts = {text.run.text: text.bounds[0] for text in flatten_scene(fanned)[1]}
    steps = [lefts["6"] - lefts["5"], lefts["5"] - lefts["4"]]
    assert steps == pytest.approx([24.0, 24.0], abs=1.5)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("title_id", ["18eu", "1824", "18cz"])
def test_names_in_a_line_of_places_have_one_size_and_one_level(title_id, language):
    title, style = shipped(title_id), Style(theme=load_theme("classic"), language=language)
    scene = draw_bank_board(title, "bank", style)
    names = [style.words(company.name).replace(" ", "") for company in title.companies]
    rows, area = defaultdict(list), 0.0
    texts = flatten_scene(scene)[1]
    places = [spot for spot in spots(scene.items) if spot.thing == "certificate"]
    for spot, before in zip(places, (None, *places), strict=False):
        # The slot is what shows of the place, right of the one before it in its line.
        is_next = before is not None and before.top == spot.top and 0 < spot.left - before.left < 60
        slot_left = before.right if before is not None and is_next else spot.left
        lines = [
            text
            for text in texts
            if slot_left < text.bounds[0] < text.bounds[2] < spot.right
            and spot.top < text.bounds[1] < spot.bottom
            and len(text.run.text) > 3
            and any(name.startswith(text.run.text.replace(" ", "")) for name in names)
        ]
        area = area if is_next else spot.left
        if lines:
            first = min(lines, key=lambda text: text.bounds[1])
            rows[spot.top, area].append(first)
    assert sum(map(len, rows.values())) >= 6
    for found in rows.values():
        assert len({round(text.run.size_pt, 3) for text in found}) == 1
        levels = [text.bounds[3] + lowest_ink(text) for text in found]
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
