"""`platelayer upgrades` as a user types it: the contract of the JSON, the table, the graph, the
chart."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from platelayer.definitions.assemble import merge_patch
from platelayer.definitions.themes import load_theme
from platelayer.definitions.titles import load_title
from platelayer.drawing.charts.upgrade_chart import draw_upgrade_charts
from platelayer.drawing.kit.style import Style
from platelayer.rules.graph import upgrade_graph
from platelayer.scene.legibility import check_legibility
from platelayer.scene.shapes import Group, TextRun
from shipped import shipped

BASE = json.loads((Path(__file__).parents[1] / "rules" / "base.json").read_text(encoding="utf-8"))


@pytest.fixture
def own_title(tmp_path):
    """A title with a tile that only an ability lays, and a variant without it."""
    own = {
        "colour": "green",
        "stops": [{"kind": "city", "slots": 2}],
        "track": [[e, "stop:0"] for e in (1, 2, 4, 5)],
    }
    value = merge_patch(BASE, {"tiles": {"14p": {"count": 1, "via": "local railway", "tile": own}}})
    value["variants"] = {"plain": {"name": "Plain", "patch": {"tiles": {"14p": None}}}}
    path = tmp_path / "title.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_json_follows_the_contract(platelayer):
    done = platelayer("upgrades", "18eu", "--format", "json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert value.keys() == {"title", "variant", "pairs"}
    assert (value["title"], value["variant"]) == ("18eu", None)
    pairs = {(pair["from"], pair["to"]): pair for pair in value["pairs"]}
    assert len(pairs) == len(value["pairs"])
    assert pairs["57", "14"] == {"from": "57", "to": "14", "rotations": [0, 2, 3, 5]}
    assert pairs["hex:J1", "580"]["rotations"] == [3]
    assert pairs["hex:E10", "581"]["rotations"] == [0, 1, 2, 3, 4, 5]
    assert all(pair["rotations"] == sorted(set(pair["rotations"])) != [] for pair in value["pairs"])
    assert all(pair.keys() == {"from", "to", "rotations"} for pair in value["pairs"])
    # 118 hexes less London, Hamburg, Rome, Warsaw, Bucharest and four ports.
    assert len({old for old, _ in pairs if old.startswith("hex:")}) == 109


def test_json_names_abilities_and_the_variant(platelayer, own_title):
    value = json.loads(platelayer("upgrades", own_title, "--format", "json").stdout)
    by_ability = [pair for pair in value["pairs"] if "via" in pair]
    assert by_ability == [
        {"from": "57", "to": "14p", "rotations": [1, 2, 4, 5], "via": "local railway"}
    ]
    plain = json.loads(
        platelayer("upgrades", own_title, "--format", "json", "--variant", "plain").stdout
    )
    assert plain["variant"] == "plain"
    assert not any(pair["to"] == "14p" for pair in plain["pairs"])


def test_table(platelayer, own_title):
    lines = platelayer("upgrades", "18eu").stdout.splitlines()
    assert [line for line in lines if line.endswith("tiles may replace")] == [
        f"{colour} tiles may replace" for colour in ("YELLOW", "GREEN", "BROWN", "GRAY")
    ]
    assert any(line.split() == ["57", "14:0235", "15:03"] for line in lines)
    assert any(line.split() == ["hexes", "E10", "N11", "581:*"] for line in lines)
    assert any(line.split() == ["hex", "P11", "80:1", "81:135", "82:0", "83:4"] for line in lines)
    assert "54 pairs of tiles, 109 hexes that take tiles." in lines
    assert max(map(len, lines)) <= 100
    assert "14p!:1245" in platelayer("upgrades", own_title).stdout


def test_dot(platelayer, own_title):
    text = platelayer("upgrades", own_title, "--format", "dot").stdout
    assert text.startswith('digraph "base" {')
    assert text.count("{") == text.count("}")
    assert text.count('"') % 2 == 0
    assert '  "57" -> "14" [label="0 2 3 5"];' in text
    assert '  "57" -> "14p" [label="1 2 4 5", style=dashed];' in text


def test_svg_shows_every_tile(platelayer):
    done = platelayer("upgrades", "18eu", "--format", "svg")
    root = ET.fromstring(done.stdout)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(element.get("aria-label", "") for element in root.iter())
    shown = set(re.findall(r"\b\d{1,3}\b", words))
    assert shown >= set(shipped("18eu").tile_by_id)


def test_unknown_titles_and_formats(platelayer):
    assert platelayer("upgrades", "18ue").returncode == 1
    assert platelayer("upgrades", "18eu", "--variant", "nosuch").returncode == 1
    assert platelayer("upgrades", "18eu", "--format", "pdf").returncode == 2


def runs(items):
    for item in items:
        if isinstance(item, Group):
            yield from runs(item.items)
        elif isinstance(item, TextRun):
            yield item


def charts(title, height_mm):
    style = Style(theme=load_theme("classic"))
    return draw_upgrade_charts(title, upgrade_graph(title), style, height_mm)


def test_the_printed_chart_has_every_tile_once_on_pages_that_fit():
    title = shipped("18eu")
    pages = charts(title, 250.0)
    assert len(pages) == 2
    assert all(page.height_mm <= 250.0 and page.width_mm <= 186.0 for page in pages)
    shown = [run for page in pages for run in runs(page.items)]
    bold = [run.text for run in shown if run.face == "BarlowCondensed-Bold"]
    assert sorted(bold) == sorted(title.tile_by_id)
    assert {"Paris", "Berlin", "Vienna", "Semmering", "Y ×9", "×25", "×8", "×63"} <= {
        run.text for run in shown
    }
    assert [problem for page in pages for problem in check_legibility(page)] == []


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_chart_without_maps_or_with_one_colour(tmp_path, layout):
    least = {
        "format": "platelayer.title/1",
        "id": "least",
        "name": "Least",
        "tiles": {"57": 1, "14": 1, "8": 2},
    }
    board = {
        "name": "Board",
        "layout": layout,
        "coordinates": {"letters_on": "x"},
        "hexes": {"A1": {}},
    }
    path = tmp_path / "title.json"
    path.write_text(json.dumps(least | {"maps": {"main": board}}), encoding="utf-8")
    assert [
        problem
        for page in charts(load_title(path).title, 250.0)
        for problem in check_legibility(page)
    ] == []
    path.write_text(json.dumps(least | {"tiles": {"57": 1}}), encoding="utf-8")
    (page,) = charts(load_title(path).title, 250.0)
    assert "57" in {run.text for run in runs(page.items)}
