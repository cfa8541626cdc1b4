"""What each brush does to a hex: painted, painted once more where it is on, taken away."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from platelayer.studio.editing import AnyBrush, stroke
from platelayer.studio.folder import Refused

Hex = dict[str, Any]
CITY, TOWN, LAND = {"kind": "city"}, {"kind": "town"}, {"kinds": ["hill"]}
FOREST, DEAR = {"kinds": ["forest"]}, {"kinds": ["forest"], "cost": 40}
RIVER, RIDGE = {"edge": 2, "kind": "river"}, {"edge": 2, "kind": "mountain", "cost": 20}
FULL = {
    "name": "Ulm",
    "zone": "N",
    "$comment": "x",
    "labels": ["Y"],
    "stops": [CITY],
    "colour": "red",
}
STOPS = {"stops": [TOWN, CITY, TOWN], "track": [[0, "stop:0"], ["stop:1", 3], [1, "stop:2"]]}
LESS = {"stops": [TOWN, TOWN], "track": [[0, "stop:0"], [1, "stop:1"]]}
TURNED = {
    "track": [[0, 3], [5, "stop:0"]],
    "borders": [RIVER],
    "stops": [{**CITY, "at": {"edge": 5.5, "distance": 0.5}}],
}
# The brush, a hex, the hex painted, whether that has it then, and the hex painted and taken away again.
CASES: list[tuple[Hex, Hex, Hex, bool, Hex]] = [
    ({"brush": "colour", "colour": "yellow"}, {}, {"colour": "yellow"}, False, {"colour": "yellow"}),
    ({"brush": "colour", "colour": "white"}, {"colour": "red"}, {}, False, {}),
    ({"brush": "terrain", "terrain": "forest"}, {}, {"terrain": [FOREST]}, True, {}),
    ({"brush": "terrain", "terrain": "forest", "cost": 40}, {"terrain": [FOREST, LAND]}, {"terrain": [LAND, DEAR]}, True,
     {"terrain": [LAND]}),
    ({"brush": "stop", "stop": "city", "slots": 2, "revenue": 30}, {}, {"stops": [{**CITY, "revenue": 30, "slots": 2}]},
     True, {}),
    ({"brush": "stop", "stop": "city", "most": 2}, {"stops": [CITY]}, {"stops": [CITY, CITY]}, True, {"stops": [CITY]}),
    ({"brush": "stop", "stop": "city", "most": 2, "slots": 2}, {"stops": [{**CITY, "slots": 2}, {**CITY, "slots": 3}]},
     {"stops": [{**CITY, "slots": 2}, {**CITY, "slots": 2}]}, True, {"stops": [{**CITY, "slots": 2}]}),
    ({"brush": "stop", "stop": "city"}, {"stops": [{**CITY, "slots": 2}]}, {"stops": [CITY]}, True, {}),
    ({"brush": "stop", "stop": "town", "revenue": {"yellow": 10}}, {"stops": [CITY]},
     {"stops": [CITY, {**TOWN, "revenue": {"yellow": 10}}]}, True, {"stops": [CITY]}),
    ({"brush": "stop", "stop": "city"}, STOPS, STOPS, True, LESS),
    ({"brush": "stop", "stop": "offboard"}, {}, {"stops": [{"kind": "offboard"}], "colour": "red"}, True, {"colour": "red"}),
    ({"brush": "name", "text": "Ulm"}, {}, {"name": "Ulm"}, False, {"name": "Ulm"}),
    ({"brush": "name", "text": ""}, {"name": "Ulm"}, {}, False, {}),
    ({"brush": "label", "text": "Y"}, {"labels": ["B"]}, {"labels": ["B", "Y"]}, True, {"labels": ["B"]}),
    ({"brush": "icon", "icon": "port"}, {}, {"icons": ["port"]}, True, {}),
    ({"brush": "icon", "icon": "port"}, {"icons": [{"name": "port"}]}, {"icons": [{"name": "port"}]}, True, {}),
    ({"brush": "border", "edge": 2, "border": "mountain", "cost": 20}, {"borders": [RIVER]}, {"borders": [RIDGE]}, True, {}),
    ({"brush": "border", "edge": 2, "border": "mountain"}, {"borders": [RIDGE]}, {"borders": [RIDGE]}, True, {}),
    ({"brush": "track", "a": 0, "b": 3}, {"track": [[1, 2]]}, {"track": [[1, 2], [0, 3]]}, True, {"track": [[1, 2]]}),
    ({"brush": "track", "a": 0, "b": 3, "gauge": "narrow"}, {"track": [[3, 0]]}, {"track": [[3, 0]]}, True, {}),
    ({"brush": "track", "a": "stop:0", "b": 3, "gauge": "narrow"}, {}, {"track": [["stop:0", 3, {"gauge": "narrow"}]]},
     True, {}),
    ({"brush": "turn", "turns": 2}, TURNED, {"track": [[2, 5], [1, "stop:0"]], "borders": [{**RIVER, "edge": 4}],
      "stops": [{**CITY, "at": {"edge": 1.5, "distance": 0.5}}]}, False, ...),
    ({"brush": "move", "stop": 0, "edge": 7, "distance": 0.456}, {"stops": [CITY]},
     {"stops": [{**CITY, "at": {"edge": 1, "distance": 0.46}}]}, False, ...),
    ({"brush": "move", "stop": 0, "edge": 1, "distance": 0}, {"stops": [CITY]}, {"stops": [{**CITY, "at": "centre"}]},
     False, ...),
    ({"brush": "move", "stop": 0}, {"stops": [{**CITY, "at": 2}]}, {"stops": [CITY]}, False, ...),
    ({"brush": "clear"}, FULL, {"name": "Ulm", "zone": "N", "$comment": "x"}, False, ...),
]  # fmt: skip


@pytest.mark.parametrize(("named", "before", "painted", "is_on", "taken"), CASES)
def test_a_brush_paints_and_takes_away(
    named: Hex, before: Hex, painted: Hex, is_on: bool, taken: Any
) -> None:
    brush: AnyBrush = msgspec.convert(named, AnyBrush)
    kept = copy.deepcopy(before)
    assert stroke(brush, before, take=False) == painted
    assert before == kept
    assert brush.is_on(painted) is is_on
    assert stroke(brush, painted, take=True) == (painted if taken is ... else taken)
    if is_on:
        assert stroke(brush, painted, take=False) == painted


def test_a_stop_that_is_not_there_is_not_moved() -> None:
    with pytest.raises(Refused, match="no stop 1"):
        stroke(
            msgspec.convert({"brush": "move", "stop": 1}, AnyBrush), {"stops": [CITY]}, take=False
        )
