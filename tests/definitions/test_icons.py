"""Icons of hexes and tiles: names that are none are warned about, with the nearest."""

from __future__ import annotations

import json
from pathlib import Path

from platelayer.definitions.titles import load_title
from platelayer.foundation.problems import Severity


def test_unknown_icons_are_warned_about_with_a_hint(tmp_path: Path) -> None:
    icons = [
        "lighthouse",
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
