"""Revenues and costs from -9,999 to 99,999 are kept and printed as they are; no other becomes one
of them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from often import crossed
from platelayer.definitions.build import build_tile, catalogue_tiles
from platelayer.definitions.themes import load_theme
from platelayer.drawing.hex.tile import tile_scene
from platelayer.drawing.kit.style import Style
from platelayer.exchange.imported import Imported
from platelayer.exchange.importers import import_title
from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.maker import read_hex
from platelayer.exchange.settling import _allow
from platelayer.exchange.tile_strings import hex_string, read_tile, tile_definition
from platelayer.foundation.problems import ProblemsFound, Severity
from platelayer.model.gamemap import Border, Coord, Layout, MapHex
from platelayer.model.tile import RevenueStep, Stop, StopKind, Terrain, Tile
from platelayer.pipeline.draw import draw, draw_string
from platelayer.pipeline.load import check
from platelayer.scene.flatten import flatten_scene
from platelayer.scene.legibility import check_legibility

amounts = st.integers(-9_999, 99_999).filter(bool)
beyond = st.one_of(st.integers(100_000, 999_999_999), st.integers(-999_999_999, -10_000))
colours = st.sampled_from(("yellow", "green", "brown", "gray"))
KEYS = frozenset(("yellow", "green", "brown", "gray"))


@given(
    plain=amounts,
    by_colour=st.dictionaries(colours, amounts, min_size=1),
    land=amounts,
    side=amounts,
)
def test_amounts_are_the_same_when_they_are_read_again(
    plain: int, by_colour: dict[str, int], land: int, side: int
) -> None:
    steps = tuple(RevenueStep(value, since) for since, value in by_colour.items())
    tile = Tile(
        id="A1",
        colour="white",
        stops=(
            Stop(kind=StopKind.TOWN, revenue=(RevenueStep(plain, None),)),
            Stop(kind=StopKind.CITY, revenue=steps),
        ),
        terrain=(Terrain(kinds=("mountain",), cost=land),),
    )
    hexagon = MapHex(at=Coord(0, 0), tile=tile, borders=(Border(edge=2, kind="river", cost=side),))
    parts, refused = read_tile(hex_string(hexagon, Comments(Losses(), "")))
    losses = Losses()
    found = tile_definition(parts, Comments(losses, "A1"), keys=KEYS, on_map=True)
    assert (refused, losses.lost) == ((), {})
    assert [border["cost"] for border in found.pop("borders")] == [side]
    again = build_tile("A1", found)
    assert [stop.revenue for stop in again.stops] == [stop.revenue for stop in tile.stops]
    assert again.terrain == tile.terrain


@given(amount=beyond)
@pytest.mark.parametrize(
    ("string", "named"),
    [
        ("city=revenue:{}", 'the revenue of "city"'),
        ("offboard=revenue:yellow_20|brown_{}", 'the revenue of "offboard"'),
        ("upgrade=cost:{}", 'the cost of "upgrade"'),
        ("border=edge:0,cost:{}", 'the cost of "border"'),
    ],
)
def test_what_is_beyond_is_refused_by_name(string: str, named: str, amount: int) -> None:
    parts, refused = read_tile(string.format(amount))
    assert refused == (f"{amount} cannot be {named}, which is -9999 to 99999",)
    assert str(amount) not in str(parts)


@given(amount=st.one_of(amounts, beyond))
def test_a_maker_keeps_an_amount_or_says_which_it_lost(amount: int) -> None:
    losses = Losses()
    raw = {
        "color": "yellow",
        "cities": [{"size": 1}],
        "values": [{"value": amount}],
        "terrain": [{"type": "mountain", "cost": f"${amount}"}],
        "bridges": [{"cost": amount}],
    }
    comments = losses.comments("X")
    found = read_hex(raw, comments, custom={}, on_map=True).definition
    if -9_999 <= amount <= 99_999:
        assert found["stops"][0]["revenue"] == amount
        assert [entry.get("cost") for entry in found["terrain"]] == [amount, amount]
        assert losses.lost == {}
    else:
        assert str(abs(amount)) not in str(found)
        assert "revenue" not in found["stops"][0]
        assert all("cost" not in entry for entry in found["terrain"])
        assert set(losses.lost) >= {
            f"{what} that is no number from -9999 to 99999" for what in ("value", "cost")
        }
        assert str(amount) in comments.comment["$comment"]


@pytest.mark.parametrize(("amount", "layout"), crossed([-9_999, 99_999], Layout))
def test_long_values_fit_every_tile(layout: Layout, amount: int) -> None:
    """A real minus sign, and no figure left out: every second tile on each layout."""
    style = Style(theme=load_theme("classic"))
    for tile in [*catalogue_tiles()][layout is Layout.POINTY :: 2]:
        stops = tuple(
            replace(stop, revenue=(RevenueStep(amount, None),))
            if any(step.value for step in stop.revenue)
            else stop
            for stop in tile.stops
        )
        if stops != tile.stops:
            scene = tile_scene(replace(tile, stops=stops), layout, 38.1, style)
            assert check_legibility(scene) == (), tile.id
            printed = str(amount).replace("-", "\N{MINUS SIGN}")
            assert printed in {text.run.text for text in flatten_scene(scene)[1]}, tile.id


def titled(folder: Path, amount: int) -> str:
    hexes = {
        "A1": {
            "stops": [{"kind": "offboard", "revenue": {"yellow": 20, "brown": amount}}],
            "colour": "red",
        },
        "A3": {"terrain": [{"kinds": ["mountain"], "cost": amount}]},
        "B2": {"borders": [{"edge": 3, "kind": "river", "cost": amount}]},
    }
    board = {
        "name": "M",
        "layout": "flat",
        "coordinates": {"letters_on": "x"},
        "hexes": hexes,
    }
    whole = {
        "format": "platelayer.title/1",
        "id": "x",
        "name": "X",
        "currency": "{}",
        "maps": {"m": board},
    }
    (folder / "title.json").write_text(json.dumps(whole), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("amount", [-9_999, 99_999])
def test_long_values_are_printed_on_a_map(tmp_path: Path, amount: int) -> None:
    picture = draw(titled(tmp_path, amount), "map:m")
    words = [text.run.text for text in flatten_scene(picture.scene)[1]]
    assert words.count(str(amount).replace("-", "\N{MINUS SIGN}")) >= 3
    assert [each for each in picture.problems if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("amount", [-10_000, 100_000])
def test_a_definition_may_not_go_beyond(tmp_path: Path, amount: int) -> None:
    found = [each for each in check(titled(tmp_path, amount)) if str(amount) in each.message]
    assert [(each.code, each.severity) for each in found] == [("SC04", Severity.ERROR)] * 3
    assert {each.pointer.rsplit("/", 1)[-1] for each in found} == {"brown", "cost"}


@pytest.mark.parametrize(
    ("string", "named"),
    [
        (
            "city=revenue:20;path=a:0,b:_0;border=edge:2,type:water,cost:40",
            "cost of a border of a tile",
        ),
        ("city=revenue:purple2_20;path=a:0,b:_0", "revenue by purple2"),
        ("city=revenue:yellow_20|yellow_30", "revenue by yellow"),
    ],
)
def test_a_drawing_that_would_lack_something_is_refused(string: str, named: str) -> None:
    with pytest.raises(ProblemsFound, match=named):
        draw_string(string)


def test_a_drawing_tells_what_it_shows_otherwise() -> None:
    (problem,) = draw_string("city=revenue:20;icon=image:18_xx/lighthouse").problems
    assert (problem.severity, "icon without a picture (18_xx/lighthouse)" in problem.message) == (
        Severity.WARNING,
        True,
    )


def game_with(folder: Path, *changes: tuple[str, str, str]) -> tuple[Path, str]:
    """The title of a game whose files differ, and what its report says was not imported."""
    game = shutil.copytree(Path(__file__).parent / "games" / "g_18_mill", folder / "g_18_far")
    for file, old, new in changes:
        text = (game / file).read_text(encoding="utf-8")
        assert old in text
        (game / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    import_title(game, folder / "far")
    report = (folder / "far" / "import-report.md").read_text("utf-8")
    return folder / "far", report.partition("## Not imported")[2].partition("\n## ")[0]


LETTERS = [chr(97 + number) * 3 for number in range(12)]


CITY, ROUNDS, TOKENS = "%w[D2 E3] => 'city'", "operating_rounds: 2", "[0, 40, 80]"


TOO_MUCH = (
    (("game.rb", ROUNDS, "operating_rounds: 12"), "phases", "operating rounds that are no number to 10", "12"),
    (("game.rb", ROUNDS, "operating_rounds: 'some'"), "phases", "operating rounds that are no number", "some"),
    (("game.rb", "price: 180", "price: 'dear'"), "trains", "price of a train", "dear"),
    (("game.rb", "name: '3', d", "name: '3 of the hills', d"), "trains", "more than 12 letters", "3 of the hills"),
    (("entities.rb", TOKENS, "[0, 40, 'dear']"), "companies", "price of a station", "dear"),
    (("entities.rb", TOKENS, str([*range(30), 777])), "companies", "more than 30 stations", "777"),
    (("entities.rb", "revenue: 5", "revenue: 'some'"), "privates", "income that is no number", "some"),
    (("map.rb", CITY, f"{CITY[:-1]}=revenue:100001'"), "map", "part of a tile string that is none", "100001"),
    (("map.rb", CITY, f"{CITY[:-1]};label={';label='.join(LETTERS)}'"), "map", "more than 10 labels", LETTERS[11]),
    (("map.rb", CITY, f"{CITY[:-1]}{20 * ';icon=image:port'};icon=image:zz9'"), "map", "more than 20 icons", "zz9"),
    (("map.rb", CITY, f"{CITY[:-1]}=groups:{'|'.join(LETTERS)}'"), "map", "more than 10 groups", LETTERS[11]),
    (("map.rb", CITY, f"{CITY[:-1]}=groups:{45 * 'g'}'"), "map", "more than 40 letters of a group", 45 * "g"),
)  # fmt: skip
"""What is changed in which file, the block of the title that lacks it, and in which words."""


def together() -> list[list[Any]]:
    """Games with as many of these changes as do not concern the same place."""
    games: list[list[Any]] = []
    for row in TOO_MUCH:
        place = row[0][:2]
        fitting = (game for game in games if place not in [other[0][:2] for other in game])
        game = next(fitting, None)
        games.append([row]) if game is None else game.append(row)
    return games


@pytest.mark.parametrize("rows", together(), ids=range(5))
def test_an_import_names_what_the_format_has_no_room_for(tmp_path: Path, rows: list[Any]) -> None:
    folder, report = game_with(tmp_path, *(change for change, *_ in rows))
    for _, block, lost, named in rows:
        assert lost in report
        text = (folder / f"{block}.json").read_text("utf-8")
        comments = re.findall(r'"\$comment": "(Not imported: .*?)"[,}\n]', text)
        assert any(lost in comment and named in comment for comment in comments), comments
    assert [each for each in check(str(folder), quick=True) if each.code.startswith("SC")] == []


def test_what_cannot_be_read_becomes_no_amount(tmp_path: Path) -> None:
    folder, _ = game_with(
        tmp_path,
        ("entities.rb", TOKENS, "[0, 'dear', 80]"),
        ("entities.rb", "revenue: 5", "revenue: 'some'"),
    )
    read = {
        block: json.loads((folder / f"{block}.json").read_text("utf-8"))[block]
        for block in ("companies", "privates")
    }
    assert read["companies"]["MB"]["stations"] == [0, None, 80]
    assert "income" not in read["privates"]["BC"]


@pytest.mark.parametrize(
    ("rounds", "said"), [(12, "Operating rounds: 12."), (99, "without a limit (99).")]
)
def test_more_rounds_than_the_format_has_are_said_in_words(
    tmp_path: Path, rounds: int, said: str
) -> None:
    folder, _ = game_with(
        tmp_path, ("game.rb", "operating_rounds: 2", f"operating_rounds: {rounds}")
    )
    phase = json.loads((folder / "phases.json").read_text("utf-8"))["phases"]["3"]
    assert phase["operating_rounds"] == 0
    assert any(said in line for line in phase["status"])


@given(
    whole=st.one_of(
        st.text(max_size=9), st.lists(st.one_of(st.text(max_size=3), st.integers()), max_size=9)
    )
)
def test_what_is_beyond_a_length_is_lost_by_name(whole: Any) -> None:
    losses = Losses()
    comments = losses.comments("here")
    assert comments.fit("things", whole, 4) == whole[:4]
    beyond = whole if isinstance(whole, str) else whole[4:]
    assert losses.lost == ({"more than 4 things": {"here": 1}} if len(whole) > 4 else {})
    assert len(whole) <= 4 or all(
        str(entry).replace("\\", "") in "".join(comments) for entry in beyond
    )


def test_a_long_comment_says_that_it_is_cut() -> None:
    comments = Losses().comments("here")
    comments.lose("words", 5000 * "w")
    assert comments.comment["$comment"].endswith(" ... (the rest is in the source)")


def test_options_of_upgrading_that_the_format_has_no_room_for_are_named() -> None:
    imported = Imported(head={}, blocks={}, losses=Losses())
    _allow(imported, {"merging_labels": [f"L{number}" for number in range(25)]})
    _allow(imported, {"merging_labels": [f"M{number}" for number in range(7)], "grounds": []})
    block = imported.blocks["upgrades"]
    assert len(block["merging_labels"]) == 30
    assert block["$comment"] == "Not imported: more than 30 entries in merging_labels (M5, M6)."
    assert imported.losses.lost == {"more than 30 entries in merging_labels": {"upgrades": 1}}
    assert block.keys() == {"merging_labels", "$comment"}
