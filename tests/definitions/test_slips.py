"""Common slips of newcomers, and the hints that put them right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from platelayer.definitions.schemas import raw_schema, schema_problems
from platelayer.definitions.titles import load_title
from platelayer.drawing.kit.icons import icon_names
from platelayer.foundation.problems import Place, Severity
from platelayer.foundation.resources import schema_paths
from platelayer.foundation.text import slips, suggestion

OF_PHASES = {"D", "8", "10"}


def nowhere(pointer: str, *, key: bool = False) -> Place:
    return Place("file", pointer, 1, 2 if key else 1)


def words_of(part: Any) -> Iterator[str]:
    """Every key and every word that a part of a schema allows."""
    if isinstance(part, list):
        for each in part:
            yield from words_of(each)
    if isinstance(part, dict):
        yield from (each for each in part.get("enum", ()) if isinstance(each, str))
        yield from part["properties"] if isinstance(part.get("properties"), dict) else ()
        for each in part.values():
            yield from words_of(each)


WORDS = {
    word
    for path in schema_paths()
    for word in words_of(raw_schema(path.name.removesuffix(".schema.json")))
}


def test_slips_lead_to_words_that_there_are() -> None:
    known = WORDS | set(icon_names()) | OF_PHASES
    for word, meant in slips().items():
        assert set(meant) <= known - {word}, word


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("swamp", ("hill", "marsh", "water"), "marsh"),
        ("Swamp", ("hill", "marsh"), "marsh"),
        ("mountains", ("hill", "mountain"), "mountain"),
        ("cities", ("stops", "track"), "stops"),
        ("towns", ("stops", "track"), "stops"),
        ("diesel", ("2", "8", "D"), "D"),
        ("cost", ("icons", "borders"), ""),
    ],
)
def test_the_word_that_is_meant(word: str, known: tuple[str, ...], hint: str) -> None:
    assert suggestion(word, known) == (f'did you mean "{hint}"?' if hint else "")


HEX = {"map": {"name": "M", "layout": "flat", "coordinates": {"letters_on": "x"}}}
TRAIN = {"name": "2", "count": 1, "price": 80, "reach": [{"stops": ["city"], "visit": 2, "pay": 2}]}
MINOR = {"name": "N", "kind": "minor", "colour": "#123456"}


def of_hex(**given: Any) -> Any:
    return "map", {"map": HEX["map"] | {"hexes": {"A1": given}}}


def of_train(**given: Any) -> Any:
    return "trains", {"trains": {"2": TRAIN | given}}


def of_company(**given: Any) -> Any:
    return "companies", {"companies": {"N": MINOR | given}}


def of_title(**given: Any) -> Any:
    return "title", {"format": "platelayer.title/1", "id": "x", "name": "X"} | given


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (of_hex(terrain=[{"kinds": ["swamp"]}]), 'did you mean "marsh"?'),
        (of_hex(terrain="mountain"), 'write [{"kinds": ["mountain"]}]'),
        (of_hex(stops=["city"]), 'write {"kind": "city"}'),
        (of_hex(stops={"kind": "city"}), 'write [{"kind": "city"}]'),
        (
            of_hex(cities=[{"revenue": 20}]),
            'did you mean "stops"? Example: [{"kind": "city", "revenue": 30}]',
        ),
        (of_hex(labels="H"), 'write ["H"]'),
        (of_hex(colour="grey"), 'did you mean "gray"?'),
        (of_hex(track=[0, 3]), 'example: [0, "stop:0"]'),
        (of_hex(track=[[0, "_1"]]), 'write "stop:1"'),
        (of_hex(icons=["image:port"]), 'write "port"'),
        (
            of_hex(stops=[{"kind": "offboard", "revenue": "yellow_20|brown_40"}]),
            'write {"yellow": 20, "brown": 40}',
        ),
        (
            of_hex(upgrade={"cost": 80}),
            'did you mean "terrain"? Example: [{"kinds": ["mountain"], "cost": 60}]',
        ),
        (of_train(rusts_on="4"), 'write ["4"]'),
        (
            of_train(reach=2),
            'example: [{"stops": ["city", "town", "offboard"], "visit": 3, "pay": 3}]',
        ),
        (of_train(reach=[{"stops": ["city"], "visit": 999, "pay": 2}]), "write null"),
        (of_train(count="unlimited"), 'write a number, and "unlimited": true beside it'),
        (of_train(price="80"), "write 80 without quotes"),
        (of_company(kind="corporation"), 'did you mean "major"?'),
        (of_company(colour="f48221"), 'write "#f48221"'),
        (of_company(colour="#123"), 'write "#112233"'),
        (of_company(homes=["I2"]), 'write {"hex": "I2"}'),
        (of_company(stations=2), "example: [0, 40, 100]"),
        (of_company(tokens=[0, 40]), 'did you mean "stations"? Example: [0, 40, 100]'),
        (
            of_company(desc="x"),
            'did you mean "abilities"? Example: ["Blocks hex D4 until it closes."]',
        ),
        (of_title(currency="$%s"), 'write "${}"'),
        (of_title(bank="unlimited"), "write null"),
        (of_title(market={"shape": "2D", "rows": [["60"]]}), 'did you mean "grid"?'),
        (of_title(market={"shape": "grid", "rows": [[60]]}), 'write "60"'),
    ],
    ids=lambda given: json.dumps(given)[-60:],
)
def test_a_slip_is_put_right(given: Any, hint: str) -> None:
    schema, value = given
    assert hint in {problem.hint for problem in schema_problems(value, schema, nowhere)}


# Icons of hexes and tiles: names that are none are warned about, with the nearest


def test_unknown_icons_are_warned_about_with_a_hint(tmp_path: Path) -> None:
    icons = [
        "windmill",
        "prot",
        {"name": "mne"},
        {"name": "said", "text": "+10"},
        "mine",
        "wheat",
    ]
    board = {
        "name": "M",
        "layout": "flat",
        "coordinates": {"letters_on": "x"},
        "hexes": {"A1": {"icons": icons}},
    }
    tile = {"count": 1, "tile": {"colour": "yellow", "icons": ["weat"]}}
    title = {
        "format": "platelayer.title/1",
        "id": "x",
        "name": "X",
        "maps": {"m": board},
        "tiles": {"X1": tile},
    }
    title["pictures"] = {"wheat": "wheat.svg"}
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>'
    (tmp_path / "wheat.svg").write_text(picture, encoding="utf-8")
    (tmp_path / "title.json").write_text(json.dumps(title), encoding="utf-8")
    problems = load_title(tmp_path).problems
    assert {(each.code, each.severity) for each in problems} == {("RF14", Severity.WARNING)}
    found = {each.pointer: each for each in problems}
    assert set(found) == {
        "/maps/m/hexes/A1/icons/0",
        "/maps/m/hexes/A1/icons/1",
        "/maps/m/hexes/A1/icons/2/name",
        "/tiles/X1/tile/icons/0",
    }
    assert '"port", "anchor", "mine", "capital"' in found["/maps/m/hexes/A1/icons/0"].message
    assert (
        found["/maps/m/hexes/A1/icons/0"].hint == 'draw it as an SVG file and name it in "pictures"'
    )
    assert found["/maps/m/hexes/A1/icons/1"].hint == 'did you mean "port"?'
    assert found["/maps/m/hexes/A1/icons/2/name"].hint == 'did you mean "mine"?'
    assert found["/tiles/X1/tile/icons/0"].hint == 'did you mean "wheat"?'
