"""Pieces of the invented title that has what games of the field have: each is drawn, in both
languages, and legible."""

from __future__ import annotations

from typing import Any

import pytest
from invented import invented, words_of
from msgspec.structs import replace

from platelayer.drawing.boards.market import Room, draw_market, draw_par_chart, spaces_of
from platelayer.drawing.company.cards import draw_private
from platelayer.drawing.company.charter import draw_charter
from platelayer.drawing.company.roundel import company_of, roundel_items
from platelayer.drawing.pieces import draw_piece
from platelayer.model.company import Certificate
from platelayer.model.gamemap import Border, Coord
from platelayer.model.manifest import build_manifest
from platelayer.model.market import Cell, Market, MarketShape
from platelayer.model.title import ParChart, Title
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Circle, Group, Path, Scene

FIELD = invented("field")
TITLE, MANIFEST, GRAPH, scenes = FIELD.title, FIELD.manifest, FIELD.graph, FIELD.scenes


def words(scene: Scene) -> str:
    return " ".join(words_of(scene))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("kind", dict.fromkeys(piece.kind for piece in MANIFEST.pieces))
def test_every_piece_is_legible(kind: str, language: str) -> None:
    assert FIELD.illegible(kind, language) == []


def test_a_phase_card_shows_what_begins_phases_and_what_holds_in_them() -> None:
    (front, _) = scenes("phase-card:phases")
    printed = words(front)
    assert "first 5 or 4D" in printed
    assert "The third bank" in printed
    assert "Stations cost twice as much." in printed.replace("  ", " ")
    assert "2 ×" in printed
    assert "会社間で列車を売買できる" in words(scenes("phase-card:phases", "ja")[0])


def test_amounts_and_limits_that_say_nothing_are_left_out() -> None:
    def edited(company_id: str, **changes: Any) -> Title:
        company = replace(company_of(TITLE, company_id), **changes)
        companies = (company if each.id == company_id else each for each in TITLE.companies)
        return replace(TITLE, companies=tuple(companies))

    style = FIELD.style()
    whole = edited("LS", certificates=(Certificate(percent=100),))
    charters = [words(draw_charter(each, "LS", style)) for each in (TITLE, whole)]
    assert ["at most 80 %" in printed for printed in charters] == [True, False]
    free = edited("TW", value=0)
    cards = [words(draw_private(each, "TW", style)).upper() for each in (TITLE, free)]
    assert ["PRICE" in printed for printed in cards] == [True, False]


def test_a_train_card_shows_what_it_multiplies() -> None:
    assert "cities: 2 times the value" in words(scenes("train:4D")[0])
    assert "times" not in words(scenes("train:4")[0])


def test_a_certificate_is_the_presidents() -> None:
    printed = words(scenes("certificate:LS-director")[0]).upper()
    assert "PRESIDENT’S CERTIFICATE" in printed
    assert "DIRECT" not in printed


@pytest.mark.parametrize(
    "key",
    ["token:LS", "charter:LS", "certificate:LS-director", "certificate:LS-10", "token:LS-market"],
)
def test_a_logo_takes_the_place_of_a_roundel(key: str) -> None:
    inks = {shape.fill.hex for shape in flatten_scene(scenes(key)[0])[0] if shape.fill is not None}
    assert "#b3202a" in inks
    assert "LS" not in words(scenes(key)[0]).split()


def test_a_logo_of_one_colour_takes_that_of_words_on_the_field() -> None:
    style = FIELD.style()
    group = roundel_items(company_of(TITLE, "WW"), 12.0, style)[0]
    assert isinstance(group, Group)
    picture = group.items[1]
    assert isinstance(picture, Group)
    fills = {
        shape.fill.hex
        for shape in picture.items
        if isinstance(shape, Path) and shape.fill is not None
    }
    assert fills == {TITLE.company_by_id["WW"].text_colour}


def test_an_icon_of_the_title_is_drawn_and_named_in_the_legend() -> None:
    (board,) = scenes("map:main")
    assert "#d9a521" in {
        shape.fill.hex for shape in flatten_scene(board)[0] if shape.fill is not None
    }
    assert "Wheat field" in words(board)
    assert "小麦畑" in words(scenes("map:main", "ja")[0])


def test_a_marker_shows_a_picture() -> None:
    shapes, texts = flatten_scene(scenes("marker:wheat")[0])
    assert "#d9a521" in {shape.fill.hex for shape in shapes if shape.fill is not None}
    assert not texts


def test_a_private_shows_its_prices_incomes_and_players() -> None:
    printed = words(scenes("private:CC")[0])
    for stated in (
        "First sold for $30.",
        "A company may buy it for $20 to $80.",
        "Income $15 from green on.",
        "Income $0 from phase 4 on.",
        "Only with 3 or more players.",
    ):
        assert stated in printed
    assert "A company may buy it for up to $2,400." in words(scenes("private:WF")[0])


def test_a_private_shows_a_hex_a_tile_or_a_picture() -> None:
    def inks(key: str) -> set[str]:
        return {
            shape.fill.hex for shape in flatten_scene(scenes(key)[0])[0] if shape.fill is not None
        }

    style = FIELD.style()
    assert "#8a5a2b" in inks("private:CC")
    assert style.ink("tile.gray").hex in inks("private:WF")
    assert style.ink("tile.green").hex in inks("private:TW")
    assert "D1" in words(scenes("private:WF")[0]).split()
    assert "15" in words(scenes("private:TW")[0]).split()


def test_every_second_row_of_a_hex_market_lies_half_a_space_further_right() -> None:
    market = TITLE.market
    assert market is not None
    room = Room(size_mm=(270.0, 180.0), space_mm=(15.0, 20.0), least_mm=(14.0, 18.0))
    placed, (wide, tall) = spaces_of(market, room)
    spaces = [box for _, box in placed]
    lefts = {
        round(y / 20): min(space.x for space in spaces if space.y == y)
        for y in {space.y for space in spaces}
    }
    assert lefts == {0: 0.0, 1: 7.5, 2: 0.0, 3: 7.5}
    assert (wide, tall) == (7.5 * 15, 80)
    assert max(space.right for space in spaces) <= wide


def test_spaces_show_the_arrows_they_are_given() -> None:
    plain = replace(
        TITLE, market=replace(TITLE.market, rows=tuple(map(without_arrows, TITLE.market.rows)))
    )
    style = FIELD.style()
    board, before = (draw_market(each, "market", style) for each in (TITLE, plain))
    assert len(flatten_scene(board)[0]) - len(flatten_scene(before)[0]) == 4


def without_arrows(row: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
    return tuple(cell and replace(cell, arrows=()) for cell in row)


def test_a_market_of_120_prices_is_folded_and_legible() -> None:
    cells = tuple(Cell(price=10 + 5 * number) for number in range(120))
    long = replace(TITLE, market=Market(shape=MarketShape.LINE, rows=(cells,)))
    scene = draw_market(long, "market", FIELD.style())
    assert check_legibility(scene) == ()
    assert {str(cell.price) for cell in cells} <= set(words(scene).split())
    assert scene.width_mm < 300


def test_a_destination_is_on_the_map_on_the_charter_and_has_a_token() -> None:
    assert [
        piece.count for key, piece in MANIFEST.by_key.items() if piece.group == "destination"
    ] == [1, 1]
    assert "Destination of the company shown" in words(scenes("map:main")[0])
    assert "Destination: The Coast (A2)" in words(scenes("charter:LS")[0])
    assert "目的地：CamelotCastle" in words(scenes("charter:WW", "ja")[0]).replace(" ", "")
    station, sign = (scenes(key)[0] for key in ("token:WW", "token:WW-destination"))
    assert len(flatten_scene(sign)[0]) > len(flatten_scene(station)[0])


def test_a_destination_may_be_without_a_token() -> None:
    companies = [
        replace(each, destination=each.destination and replace(each.destination, token=False))
        for each in TITLE.companies
    ]
    title = replace(TITLE, companies=tuple(companies))
    assert "token:WW-destination" not in build_manifest(title).by_key
    (board,) = draw_piece(title, MANIFEST, MANIFEST.by_key["map:main"], FIELD.style(), GRAPH)
    assert "Destination of the company shown" in words(board)


def test_the_par_chart_has_a_row_of_places_for_every_start_price() -> None:
    (board,) = scenes("par-chart:par")
    assert [word for word in words(board).split() if "$" in word] == ["$80", "$70", "$60"]
    rows = [item for item in board.items if isinstance(item, Group)]
    circles = [len([item for item in row.items if isinstance(item, Circle)]) for row in rows]
    assert [count for count in circles if count] == [3, 3, 3]


def test_a_long_par_chart_has_columns() -> None:
    style = FIELD.style()
    chart = ParChart(places=6, prices=tuple(range(40, 100, 2)))
    scene = draw_par_chart(
        replace(TITLE, pieces=replace(TITLE.pieces, par_chart=chart)), "par", style
    )
    assert check_legibility(scene) == ()
    assert len([word for word in words(scene).split() if "$" in word]) == 30
    assert scene.height_mm < 200


def test_pieces_say_what_distinguishes_a_company_a_train_and_a_market() -> None:
    for key, language, stated in (
        ("charter:LS", "en", "One player may hold at most 80 %. It receives its full capital when it floats."),
        ("charter:LS", "en", "Destination: The Coast (A2), C6"),
        ("charter:WW", "en", "Exchange"),
        ("private:CC", "en", "Comes with a share of WW."),
        ("train:4H", "en", "Runs up to 4 hexes On narrow-gauge and dual-gauge track only Pays $40 when it rusts"),
        ("market:market", "en", "Shares in the pool pay to the company."),
        ("marker:key", "en", "Key West"),
        ("train:4H", "ja", "最大 4 ヘクス 狭軌と三線軌条の線路のみ"),
    ):  # fmt: skip
        printed = " ".join(words_of(FIELD.scenes(key, language)[0]))
        assert stated in printed, (key, printed)


def test_a_map_shows_a_ferry_a_diamond_and_an_icon_with_its_text() -> None:
    printed = words_of(scenes("map:main")[0])
    assert {"+20", "Ferry", "40"} <= {*printed}
    # In the diamond and on the scale, but not for the hidden revenue of C6.
    assert printed.count("10") == 2


def test_words_across_an_area_keep_clear_of_signs_of_companies() -> None:
    """Three hexes that meet where their words stand best, and so do the signs of destinations."""
    (gamemap,) = TITLE.maps
    coast = gamemap.by_id["A2"]
    red = [
        replace(
            coast,
            at=Coord(coast.at.x + x, coast.at.y + y),
            tile=replace(
                coast.tile, id=name, name=coast.tile.name if name == "A2" else None, track=()
            ),
            borders=tuple(Border(edge=edge, kind="none") for edge in edges),
        )
        for name, x, y, edges in (("A2", 0, 0, (0, 5)), ("A4", 0, 2, (4,)), ("B3", 1, 1, ()))
    ]
    goals = tuple(
        replace(TITLE.company_by_id["LS"].destinations[0], hex=hexagon.id) for hexagon in red
    )
    companies = tuple(
        replace(company, homes=(), destination=None, further_destinations=goals)
        if company.has_charter
        else company
        for company in TITLE.companies
    )
    others = (each for each in gamemap.hexes if each.id not in ("A2", "B3"))
    title = replace(TITLE, maps=(replace(gamemap, hexes=(*red, *others)),), companies=companies)
    piece = MANIFEST.by_key["map:main"]
    (scene,) = draw_piece(title, build_manifest(title), piece, FIELD.style(), GRAPH)
    assert [each for each in check_legibility(scene) if each.code == "LG07"] == []


def test_boards_on_the_sheet_of_the_market_are_no_pieces_of_their_own() -> None:
    assert "round-track:rounds" not in MANIFEST.by_key
    assert "par-chart:par" in MANIFEST.by_key
    market = TITLE.market
    assert market is not None
    whole = replace(TITLE, market=replace(market, boards=("par-chart", "round-track")))
    manifest = build_manifest(whole)
    assert "par-chart:par" not in manifest.by_key
    piece = manifest.by_key["market:market"]
    (scene,) = draw_piece(whole, manifest, piece, FIELD.style(), GRAPH)
    printed = words(scene)
    assert all(
        each in printed for each in ("Stock market", "Par chart", "Rounds", "$70", "Stock round")
    )
    assert [each for each in check_legibility(scene) if each.severity.word == "error"] == []
