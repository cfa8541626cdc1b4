"""What differs between two definitions: each fact once."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from definitions.one_fact import Edit, Part, all_parts, one_fact, shuffled
from often import crossed
from platelayer.comparison.facts import COMMENTS, all_keys, compare_definitions, shape
from platelayer.comparison.wording import said
from platelayer.definitions.assemble import assemble_title
from platelayer.definitions.build import build_scheme, build_title, catalogue_definitions
from platelayer.foundation.languages import FixedWords, Tongue
from platelayer.model.gamemap import Coord, Layout, neighbour
from platelayer.model.title import Title

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")


@cache
def whole(title: str) -> dict[str, Any]:
    """An assembled title."""
    return assemble_title(title).value


@cache
def model(title: str) -> Title:
    """The title as it is."""
    return build_title(whole(title))


@cache
def places(title: str) -> list[Part]:
    """Where it can be edited."""
    return all_parts(whole(title))


def _is_no_change(title: str, edit: Edit) -> bool:
    """Entries written in another form mean the same: the model is the same. Pictures are no part of
    it."""
    if edit.at[0] == "pictures":
        return False
    try:
        return model(title) == build_title(edit.after)
    except Exception:
        return False


def _one_fact(title: str, seed: int) -> None:
    chance = random.Random(f"{title} {seed}")
    edit = one_fact(whole(title), chance, places(title))
    facts = compare_definitions(whole(title), edit.after).facts
    found = [(fact.what, fact.at, fact.before, fact.after) for fact in facts]
    what = f"{title} {seed}: {edit.did} {'/'.join(map(str, edit.at))}: {found}"
    if _is_no_change(title, edit):
        assert not facts, what
        return
    assert len(facts) == 1, what
    (fact,) = facts
    assert len(fact.at) >= len(edit.at), what
    # What is in a list without order may be told at another index.
    assert all(
        isinstance(key, int) or key == stated for key, stated in zip(edit.at, fact.at, strict=False)
    ), what


@pytest.mark.parametrize(("title", "start"), crossed(TITLES, range(0, 40, 8)))
def test_an_edit_of_one_fact_is_that_one_change(title: str, start: int) -> None:
    for seed in range(start, start + 8):
        _one_fact(title, seed)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_four_hundred_edits_of_one_fact_are_one_change_each(title: str) -> None:
    for seed in range(1000, 1400):
        _one_fact(title, seed)


@pytest.mark.parametrize("title", TITLES)
def test_another_order_is_no_change(title: str) -> None:
    for seed in range(3):
        other = shuffled(Title, whole(title), random.Random(seed))
        assert compare_definitions(whole(title), other).facts == ()


def _renumbered(
    scheme: str, layout: str, board: dict[str, Any], turn: int, sense: int
) -> dict[str, Any]:
    """A map turned and perhaps mirrored, its coordinates printed along the other axis: by its own
    arithmetic, on the vectors from hex to hex."""
    steps = {
        "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
        "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
    }[layout]
    old = build_scheme(board["coordinates"])
    origin = tuple(old.parse(next(iter(board["hexes"]))))
    far = {origin: (0, 0)}
    # By steps from hex to hex: step over edge e there is a step over edge turn + sense * e here.
    front = [origin]
    while len(far) < 6000:
        nearer, front = front, []
        for at in nearer:
            for edge, (x, y) in enumerate(steps):
                to = (at[0] + x, at[1] + y)
                if to not in far:
                    dx, dy = steps[(turn + sense * edge) % 6]
                    far[to] = (far[at][0] + dx, far[at][1] + dy)
                    front.append(to)
    places = {name: far[tuple(old.parse(name))] for name in board["hexes"]}
    # Far enough that no number is below 1 and no letter before A.
    shift = (50, 50)
    new = build_scheme(
        {**board["coordinates"], "letters_on": scheme, "first_letter": "A", "first_number": 1}
    )
    names = {name: new.name(Coord(x + shift[0], y + shift[1])) for name, (x, y) in places.items()}

    def edge(number: Any) -> Any:
        return (turn + sense * number) % 6 if isinstance(number, (int, float)) else number

    def spot(at: Any) -> Any:
        return {**at, "edge": edge(at["edge"])} if isinstance(at, dict) else edge(at)

    def turned(hexagon: dict[str, Any]) -> dict[str, Any]:
        hexagon = copy.deepcopy(hexagon)
        for segment in hexagon.get("track", ()):
            segment[:2] = [edge(end) for end in segment[:2]]
        for border in hexagon.get("borders", ()):
            border["edge"] = edge(border["edge"])
        if "stubs" in hexagon:
            hexagon["stubs"] = [edge(stub) for stub in hexagon["stubs"]]
        for part in (
            *hexagon.get("stops", ()),
            *hexagon.get("icons", ()),
            *hexagon.get("partitions", ()),
        ):
            for key in ("at", "a", "b") if isinstance(part, dict) else ():
                if key in part:
                    part[key] = spot(part[key])
        return hexagon

    hexes = {names[name]: turned(hexagon) for name, hexagon in board["hexes"].items()}
    return {
        **board,
        "coordinates": {**board["coordinates"], "letters_on": scheme},
        "hexes": hexes,
        "_names": names,
    }


@pytest.mark.parametrize("title", ["18eu", "1841", "1824"])
@pytest.mark.parametrize(("turn", "sense"), [(0, 1), (1, 1), (3, 1), (5, 1), (0, -1), (2, -1)])
def test_a_map_in_other_coordinates_is_the_same_map(title: str, turn: int, sense: int) -> None:
    before = whole(title)
    map_id, board = next(iter(before["maps"].items()))
    bare = {key: board[key] for key in ("name", "layout", "coordinates", "hexes")}
    mine = {key: before[key] for key in ("format", "id", "name", "companies", "trains", "phases")}
    moved = _renumbered(
        "x" if board["coordinates"]["letters_on"] == "y" else "y",
        board["layout"],
        bare,
        turn,
        sense,
    )
    names = moved.pop("_names")
    companies = copy.deepcopy(before["companies"])
    for company in companies.values():
        for home in (
            *company.get("homes", ()),
            *([company["destination"]] if "destination" in company else ()),
        ):
            home["hex"] = names.get(home["hex"], home["hex"])
        if "blocks" in company:
            company["blocks"] = [names[name] for name in company["blocks"]]
    one = {**mine, "maps": {map_id: bare}}
    other = {**mine, "maps": {map_id: moved}, "companies": companies}
    facts = compare_definitions(one, other).facts
    stated = {(fact.what, fact.at[-1]) for fact in facts}
    assert stated <= {
        ("renamed", "hexes"),
        ("changed", "letters_on"),
        ("added", "letters_on"),
        *_COORDINATES,
    }, facts[:5]
    assert ("renamed", "hexes") in stated


_COORDINATES = {
    (what, key)
    for what in ("changed", "added", "removed")
    for key in ("first_letter", "first_number")
}


def test_what_goes_by_another_id_is_the_same() -> None:
    before = whole("18eu")
    text = json.dumps(before).replace('"BNR"', '"NMBS"')
    after = json.loads(text)
    facts = compare_definitions(before, after).facts
    assert [(fact.what, fact.at) for fact in facts] == [("renamed", ("companies", "NMBS"))]
    assert facts[0].was_at == ("companies", "BNR")


def test_a_tile_with_another_number_is_known_by_its_shape() -> None:
    before = whole("18eu")
    after = copy.deepcopy(before)
    after["tiles"]["X9"] = {"count": 4, "tile": {**catalogue_definitions()["14"]}}
    # The same, turned.
    track = after["tiles"]["X9"]["tile"]["track"]
    after["tiles"]["X9"]["tile"]["track"] = [
        [(end + 2) % 6 if isinstance(end, int) else end for end in s] for s in track
    ]
    del after["tiles"]["14"]
    for chain in after["upgrades"]["chains"]:
        chain["steps"] = [
            ["X9" if number == "14" else number for number in step] for step in chain["steps"]
        ]
    facts = compare_definitions(before, after).facts
    assert [(fact.what, fact.before, fact.after) for fact in facts][:1] == [("renamed", "14", "X9")]
    assert {fact.at[:2] for fact in facts} == {("tiles", "X9")}


def test_a_border_on_the_other_side_of_its_edge_is_the_same() -> None:
    before = whole("18eu")
    board = before["maps"]["main"]
    scheme = build_scheme(board["coordinates"])
    beyond = scheme.name(neighbour(scheme.parse("K4"), 0, Layout(board["layout"])))
    one, other = copy.deepcopy(before), copy.deepcopy(before)
    one["maps"]["main"]["hexes"]["K4"]["borders"] = [{"edge": 0, "kind": "mountain", "cost": 40}]
    (fact,) = compare_definitions(before, one).facts
    assert (fact.what, fact.at[-2:]) == ("added", ("borders", "0"))
    other["maps"]["main"]["hexes"][beyond]["borders"] = [
        {"edge": 3, "kind": "mountain", "cost": 40}
    ]
    assert compare_definitions(one, other).facts == ()
    other["maps"]["main"]["hexes"][beyond]["borders"][0]["cost"] = 60
    (fact,) = compare_definitions(one, other).facts
    assert (fact.what, fact.before, fact.after) == ("changed", 40, 60)


def test_a_private_in_the_block_of_privates_is_the_same() -> None:
    before = whole("18cz")
    private = next(
        key for key, company in before["companies"].items() if company["kind"] == "private"
    )
    after = copy.deepcopy(before)
    after["privates"] = {**after.get("privates", {}), private: after["companies"].pop(private)}
    assert compare_definitions(before, after).facts == ()
    after["privates"][private]["value"] += 10
    (fact,) = compare_definitions(before, after).facts
    assert (fact.what, fact.at) == ("changed", ("privates", private, "value"))


def test_a_phase_with_another_id_is_known_by_the_train_that_begins_it() -> None:
    before = whole("18eu")
    after = json.loads(json.dumps(before))
    after["phases"] = {f"phase-{key}": phase for key, phase in after["phases"].items()}
    for train in after["trains"].values():
        for key in ("starts", "available_from"):
            if key in train:
                train[key] = f"phase-{train[key]}"
    facts = compare_definitions(before, after).facts
    assert {fact.what for fact in facts} == {"renamed"}
    assert len(facts) == len(before["phases"])


def test_the_order_of_trains_is_one_fact() -> None:
    before = whole("18eu")
    trains = [*before["trains"].items()]
    swapped = dict([trains[1], trains[0], *trains[2:]])
    assert [
        fact.what for fact in compare_definitions(before, {**before, "trains": swapped}).facts
    ] == ["reordered"]
    # P cars are on sale from a phase: they stand in no queue.
    place = [key for key, _ in trains].index("P")
    last = dict([*trains[:place], *trains[place + 1 :], trains[place]])
    assert compare_definitions(before, {**before, "trains": last}).facts == ()


def edited(keys: Sequence[Any], value: Any) -> dict[str, Any]:
    """18EU with another value in one place, or none."""
    after = copy.deepcopy(whole("18eu"))
    around: Any = after
    for key in keys[:-1]:
        around = around[key]
    if value is None:
        del around[keys[-1]]
    else:
        around[keys[-1]] = value
    return after


@pytest.mark.parametrize(
    ("keys", "value", "english", "japanese"),
    [
        (("tiles", "15"), 6, "tile 15: 4 -> 6", "タイル15：4 → 6"),
        (("trains", "5", "price"), 450, "5-train: price 500 -> 450", "5列車：価格 500 → 450"),
        (("players", "3", "cash"), 400, "3 players: cash 450 -> 400", "3人：初期資金 450 → 400"),
        (
            ("maps", "main", "hexes", "J3", "stops"),
            [{"kind": "city", "slots": 2, "revenue": 30}],
            "J3",
            "J3：停車地を追加（都市、枠2、30）",
        ),
        (
            ("maps", "main", "hexes", "J1", "stops"),
            None,
            "J1 (Paris)",
            "J1（パリ）：停車地を削除（都市、",
        ),
        (("maps", "main", "hexes", "P1"), None, "P1", "P1：削除（荒地、60）"),
        (("companies", "BNR", "float_percent"), 60, "BNR: floats at 50 -> 60", "BNR：成立 50 → 60"),
        (
            ("phases", "4", "train_limits", "major"),
            4,
            "phase 4: train limits major 3 -> 4",
            "フェイズ4：列車制限（大会社） 3 → 4",
        ),
        (("bank",), 10000, "bank: 12000 -> 10000", "銀行：12000 → 10000"),
        (
            ("market", "zones", "p", "par"),
            False,
            "market zone p: par yes -> no",
            "株式市場のゾーンp：初期株価 はい → いいえ",
        ),
        (("market", "rows", 0, 0), "30", "market", "株式市場の1行1列："),
        (("aids",), None, "aid ", ""),
    ],
)
def test_facts_are_reported_in_the_words_of_the_game(
    keys: tuple[Any, ...], value: Any, english: str, japanese: str
) -> None:
    before, after = whole("18eu"), edited(keys, value)
    facts = compare_definitions(before, after).facts
    assert facts
    for fact in facts:
        assert "".join(said(fact, before, after)).startswith(english)
        assert "".join(said(fact, before, after, Tongue("ja"))).startswith(japanese)


def test_a_text_is_reported_in_a_language_in_which_it_differs() -> None:
    before = whole("18eu")
    after = copy.deepcopy(before)
    after["maps"]["main"]["hexes"]["B7"]["name"] = {"en": "Hamburg", "ja": "ハンブルク"}
    (fact,) = compare_definitions(before, after).facts
    assert (
        "".join(said(fact, before, after)) == 'B7 (Hamburg): name (ja) "ハンブルグ" -> "ハンブルク"'
    )
    assert (
        "".join(said(fact, before, after, Tongue("ja")))
        == "B7（ハンブルク）：名前 「ハンブルグ」 → 「ハンブルク」"
    )


def test_of_long_texts_what_differs_is_reported() -> None:
    before = whole("18eu")
    after = copy.deepcopy(before)
    long = "This is an ability that has very many words before it comes to the point, which is "
    before = {**before, "companies": {**before["companies"]}}
    for title, point in ((before, "10 %."), (after, "20 %.")):
        title["companies"]["BNR"] = {**title["companies"]["BNR"], "abilities": [long + point]}
    (fact,) = compare_definitions(before, after).facts
    one, _, other = "".join(said(fact, before, after)).partition(" -> ")
    assert (one[-6:], other[-6:]) == ('10 %."', '20 %."')


def test_every_field_of_the_format_has_words() -> None:
    """And there are no others, but for keys within values that are told as a whole."""
    inner = {
        "accent",
        "corner",
        "distance",
        "file",
        "gauge",
        "lanes",
        "like",
        "line",
        "metal",
        "motif",
        "paper",
        "terminal",
    }
    keys: set[str] = set()
    seen: set[Any] = set()

    def walk(described: Any) -> None:
        form = shape(described)
        if form.kind == "struct" and form.plain not in seen:
            seen.add(form.plain)
            keys.update(all_keys(form.plain))
            for inside in all_keys(form.plain).values():
                walk(inside)
        elif form.kind in ("entries", "list"):
            walk(form.entry)

    walk(Title)
    plain = {name for name in FixedWords("compare").table("fields") if "/" not in name}
    assert plain == keys - {*COMMENTS} | inner
    assert FixedWords("compare").table("blocks").keys() == all_keys(Title).keys() - {*COMMENTS}


def test_a_variants_own_changes_are_reported_as_its() -> None:
    before = whole("1841")
    after = copy.deepcopy(before)
    variant = next(iter(after["variants"]))
    after["variants"][variant]["patch"]["bank"] = 777
    facts = compare_definitions(before, after).facts
    assert len(facts) == 1
    assert "".join(said(facts[0], before, after)).startswith(f"variant {variant}: bank: ")
