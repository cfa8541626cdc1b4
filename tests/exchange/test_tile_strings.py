"""The tile language: what it has, what it refuses by name, and definitions from it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import pytest

from platelayer.exchange.losses import Comments, Losses
from platelayer.exchange.tile_strings import (
    FIELDS,
    read_tile,
    tile_definition,
    title_from_list,
    write_tile,
)
from platelayer.foundation.problems import CannotRun, ProblemsFound
from platelayer.pipeline.draw import draw_string

KEYS = frozenset(("yellow", "green", "brown", "gray"))


def _tile(string: str, *, on_map: bool = False) -> dict:
    parts, refused = read_tile(string)
    assert not refused
    return tile_definition(parts, Comments(Losses(), "x"), keys=KEYS, on_map=on_map)


# Strings of TILES.md and of the parts of the engine, one for each part and field.
STRINGS = (
    "town=revenue:10;town=revenue:10;path=a:1,b:_0;path=a:_0,b:3;path=a:0,b:_1;path=a:_1,b:4",
    "junction;path=a:0,b:_0;path=a:2,b:_0;path=a:4,b:_0",
    "city=revenue:60,slots:2;path=a:0,b:_0;label=H;upgrade=cost:80",
    "city=revenue:yellow_40|green_50,hide:1,groups:Pittsburgh|East,visit_cost:0,route:optional,format:+%d,boom:1,outline:1",
    "offboard=revenue:yellow_40|gray_80,groups:A,rows:2;path=a:0,b:_0,terminal:1;border=edge:1",
    "city=revenue:60,loc:center;town=revenue:10,loc:2.5,style:rect,to_city:1;path=a:5,b:_0,lanes:2;path=a:_1,b:_0",
    "town=revenue:10;path=a:2,b:_0,a_lane:2.1;path=a:2,b:4,a_lane:2.0,b_lane:1,track:narrow,ignore:1",
    "path=a:0,b:3,track:dual,ignore_gauge_walk:1,ignore_gauge_compare:1",
    "pass=revenue:20,slots:1,size:2,color:gray;halt=symbol:H,revenue:0",
    "future_label=label:T,color:brown;frame=color:#800080,color2:red;stripes=color:gray;stub=edge:2",
    "partition=a:0+,b:3-,type:divider,restrict:inner,length:0.5;upgrade=cost:40,terrain:water|mountain,size:20,loc:1",
    "icon=image:18_x/port,name:p,sticky:1,blocks_lay:1,large:1,loc:2;border=edge:0,type:water,cost:20,color:blue",
)


@pytest.mark.parametrize("string", STRINGS)
def test_every_part_is_read_and_written_back(string: str) -> None:
    parts, refused = read_tile(string)
    assert not refused
    assert write_tile(parts) == string


def test_the_strings_above_have_every_field_of_every_part() -> None:
    had = {
        (part.kind, field)
        for string in STRINGS
        for part in read_tile(string)[0]
        for field in part.fields
    }
    shared = ("groups", "hide", "visit_cost", "route", "format", "loc", "revenue", "boom", "slots")
    wanted = {
        (kind, field) for kind, fields in FIELDS.items() for field in fields if field not in shared
    }
    assert wanted <= had
    assert {part.kind for string in STRINGS for part in read_tile(string)[0]} == set(FIELDS)


@pytest.mark.parametrize(
    ("string", "named"),
    [
        ("citty=revenue:20", '"citty"'),
        ("city=revenu:20", '"revenu"'),
        ("path=a:7,b:0", '"7"'),
        ("path=a:0", "needs b"),
        ("path=a:0,b:_0", "_0, but 0 stops"),
        ("city=revenue:many", '"many"'),
        ("label=", "no text"),
        ("border=type:water", "needs edge"),
        ("city=revenue", '"revenue" of "city" has no value'),
        ("path=a:1,b:1", "from 1 to itself"),
    ],
)
def test_what_is_wrong_is_refused_by_name(string: str, named: str) -> None:
    assert named in read_tile(string)[1][0]


@pytest.mark.parametrize(
    "string",
    [
        "city=revenue:20" + " " * 9_900,
        " " * 900_000,
        "\n" * 120_000,
        "\n" * 9_990,
        "city=revenue:20\n" + "\n " * 4_000 + "x",
        "city=revenue:" + "9" * 5_000,
        "city=revenue:yellow_" + "9" * 5_000,
        "city=revenue:20;upgrade=cost:" + "9" * 5_000,
        "partition=a:0,b:3,length:" + "9" * 5_000,
        "city=slots:9;" * 700,
    ],
)
def test_endless_strings_are_drawn_or_refused_at_once(string: str) -> None:
    before = process_time()
    with suppress(ProblemsFound):
        draw_string(string)
    with suppress(ProblemsFound, CannotRun):
        _tile_of_line(f"X1 yellow {string}")
    assert process_time() - before < 5


def _tile_of_line(line: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tiles.txt"
        path.write_text(line, "utf-8", newline="")
        title_from_list(path, "x")


def test_what_no_title_may_have_is_refused() -> None:
    """A tile of a string obeys the schema of titles."""
    with pytest.raises(ProblemsFound) as raised:
        draw_string("city=revenue:10;" * 61)
    assert [problem.code for problem in raised.value.problems] == ["SC04"]
    assert "the maximum is 60" in raised.value.problems[0].message


def test_what_is_right_beside_it_is_kept() -> None:
    parts, refused = read_tile("city=revenue:20,colour:red;path=a:0,b:_0;path=a:9,b:_0")
    assert [part.kind for part in parts] == ["city", "path"]
    assert len(refused) == 2


def test_junctions_count_among_what_track_leads_to() -> None:
    assert _tile("junction;town=revenue:10;path=a:0,b:_0;path=a:3,b:_1")["track"] == [
        [0, "junction"],
        [3, "stop:0"],
    ]


def test_lanes_between_edges_change_sides() -> None:
    # TILES.md: lanes create copies; between two edges lane i of n becomes n - i - 1, for 0 is the
    # most clockwise.
    assert _tile("path=a:0,b:3,lanes:2")["track"] == [
        [0, 3, {"lanes": [[2, 0], [2, 1]]}],
        [0, 3, {"lanes": [[2, 1], [2, 0]]}],
    ]
    assert _tile("city=revenue:20;path=a:0,b:_0,lanes:2")["track"][1] == [
        0,
        "stop:0",
        {"lanes": [[2, 1], [2, 1]]},
    ]
    assert _tile("path=a:2,b:4,a_lane:2.1")["track"] == [[2, 4, {"lanes": [[2, 1], [1, 0]]}]]


def test_track_from_a_stop_is_written_from_its_edge_with_its_lanes() -> None:
    track = _tile("city=revenue:20;path=a:_0,b:4,b_lane:2.1,track:narrow,terminal:2")["track"]
    assert track == [
        [4, "stop:0", {"gauge": "narrow", "terminal": "short", "lanes": [[2, 1], [1, 0]]}]
    ]


def test_a_map_prints_no_revenue_of_zero_and_a_tile_does() -> None:
    assert _tile("city=revenue:0", on_map=True) == {"stops": [{"kind": "city"}]}
    assert _tile("city=revenue:0") == {"stops": [{"kind": "city", "revenue": 0}]}


def test_a_partition_runs_between_corners() -> None:
    # Vertex k of the engine lies between edges k - 1 and k.
    assert _tile("partition=a:0,b:3,type:water")["partitions"] == [
        {"a": 5.5, "b": 2.5, "kind": "river"}
    ]


def test_what_the_format_lacks_is_counted_and_said() -> None:
    losses = Losses()
    comments = Comments(losses, "B2")
    parts = read_tile(
        "city=revenue:yellow_20|lilac_30,boom:1;icon=image:x/sheep;border=edge:0,type:mountain,cost:10"
    )[0]
    found = tile_definition(parts, comments, keys=KEYS, on_map=True)
    assert set(losses.lost) == {"revenue by lilac", "icon without a picture"}
    assert losses.count == 2
    assert comments.comment["$comment"].startswith("Not imported: revenue by lilac (30); ")
    assert found["stops"][0]["revenue"] == {"yellow": 20}
    assert found["borders"] == [{"edge": 0, "kind": "mountain", "cost": 10}]
    assert found["stops"][0]["boom"] is True


def test_tiles_and_maps_of_the_field_are_kept() -> None:
    losses = Losses()
    string = "junction;path=a:0,b:_0,terminal:2;path=a:2,b:5,track:future;path=a:1,b:4,track:thin"
    string += ";halt=symbol:£;town=revenue:10,to_city:1;border=edge:1,type:province,color:red;border=edge:2,color:red"
    string += ";partition=a:0,b:3,type:divider;frame=color:#800080,color2:gold;future_label=label:M,color:green"
    found = tile_definition(read_tile(string)[0], Comments(losses, "B2"), keys=KEYS, on_map=True)
    assert losses.lost == {}
    assert found["track"] == [
        [0, "junction", {"terminal": "short"}],
        [2, 5, {"gauge": "future"}],
        [1, 4, {"gauge": "thin"}],
    ]
    assert found["stops"] == [
        {"kind": "halt", "symbol": "£"},
        {"kind": "town", "boom": True, "revenue": 10},
    ]
    assert found["borders"] == [
        {"edge": 1, "kind": "province", "colour": "#d81e3e"},
        {"edge": 2, "kind": "none"},
    ]
    assert found["partitions"][0]["kind"] == "divider"
    assert found["second_frame"] == "#ffd700"
    assert found["labels"] == [{"text": "M", "since": "green"}]


def test_labels_that_are_pictures_become_letters() -> None:
    assert _tile("label=\N{OIL DRUM}\N{PICK}")["labels"] == ["OILPIC"]


def test_a_part_may_begin_on_a_new_line() -> None:
    parts, refused = read_tile("city=revenue:40;path=a:0,b:_0\n  path=a:3,b:_0\n")
    assert [part.kind for part in parts] == ["city", "path", "path"]
    assert refused == ()


def test_edge_6_is_edge_0() -> None:
    (path,) = read_tile("path=a:6,b:3")[0]
    assert path.fields == {"a": "0", "b": "3"}
    assert read_tile("border=edge:6,type:water")[0][0].fields["edge"] == "0"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("c=r:20,s:2;p=a:0,b:_0;l=OO", "city=revenue:20,slots:2;path=a:0,b:_0;label=OO"),
        ("t=r:10;u=c:40,t:mountain", "town=revenue:10;upgrade=cost:40,terrain:mountain"),
        ("b=e:2,t:water,c:30", "border=edge:2,type:water,cost:30"),
        ("partition=a:2.5,b:5,type:water", "partition=a:2,b:5,type:water"),
    ],
)  # fmt: skip
def test_letters_and_vertices_as_the_engine_reads_them(short: str, long: str) -> None:
    assert read_tile(short) == read_tile(long)
    assert read_tile(long)[1] == ()
