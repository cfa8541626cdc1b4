"""What a form asks of the files: values at pointers, entries moved, the verdict on a colour."""

from __future__ import annotations

import json

import pytest

from platelayer.definitions.edits import moved, text_at
from platelayer.foundation.problems import CannotRun
from platelayer.pipeline.scaffold import new_title
from platelayer.studio.desk import read_action
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.view import Colour, View, verdict
from platelayer.studio.workspace import Workspace

TEXT = """{
  "trains": {
    "2": {"count": 5},  "10": {"$comment": "long", "count": 2},
    "D": {"count": 1}
  },
  "rows": [1, [2, 3],
    4]
}
"""


@pytest.fixture
def starter(tmp_path):
    """Asks a question of a new title."""
    new_title(tmp_path / "t")
    view = View(tmp_path / "t", "", None)
    view.reload()
    workspace = Workspace(Folder(tmp_path / "t", writable=True))

    def ask(**what):
        answer = read_action(json.dumps(what).encode()).answer(workspace, view)
        view.reload(workspace.texts)
        return answer

    ask.view = view
    return ask


def verdict_of(starter, **asked):
    return verdict(starter.view, Colour(**asked))


def test_an_entry_moves_and_the_layout_stays():
    after = moved(TEXT, "/trains/D", 0)
    assert list(json.loads(after)["trains"]) == ["D", "2", "10"]
    assert after.replace('"D": {"count": 1}', "x").count("\n") == TEXT.count("\n")
    assert moved(after, "/trains/D", 2) == TEXT
    assert json.loads(moved(TEXT, "/rows/0", 1))["rows"] == [[2, 3], 1, 4]


@pytest.mark.parametrize(
    ("pointer", "to"), [("/trains/3", 0), ("/trains/2", 3), ("/trains/2", -1), ("/rows/0/1", 0)]
)
def test_there_is_no_moving_what_is_not_there(pointer, to):
    with pytest.raises(KeyError):
        moved(TEXT, pointer, to)


def test_every_move_keeps_every_entry():
    given = json.loads(TEXT)["trains"]
    for key in given:
        for to in range(3):
            after = json.loads(moved(TEXT, f"/trains/{key}", to))
            assert after["trains"] == given
            assert list(after["trains"])[to] == key


def test_the_text_of_a_value_is_as_it_stands():
    assert text_at(TEXT, "/trains/10") == '{"$comment": "long", "count": 2}'
    assert text_at(TEXT, "") == TEXT.strip()


def test_values_are_read_as_they_are_edited(starter):
    asked_for = {
        "do": "values",
        "name": "trains.json",
        "pointers": ["/trains/3/price", "/trains/9"],
    }
    put = {"op": "put", "file": "trains.json", "pointer": "/trains/3/price", "value": 190}
    starter(do="edit", label="dearer", ops=[put])
    assert starter(**asked_for) == {"texts": ["190", None]}
    starter(do="edit", label="broken", ops=[{"op": "write", "file": "trains.json", "text": "{"}])
    with pytest.raises(Refused):
        starter(**asked_for)


def test_a_move_is_a_step(starter):
    op = {"op": "move", "file": "trains.json", "pointer": "/trains/4", "to": 0}
    starter(do="edit", label="first", ops=[op])
    assert list(json.loads(starter(do="open", name="trains.json")["text"])["trains"]) == [
        "4",
        "2",
        "3",
    ]
    assert starter(do="undo")["label"] == "first"
    with pytest.raises(Refused):
        starter(do="edit", label="nowhere", ops=[{**op, "to": 9}])


def test_a_colour_that_reads_badly_or_is_taken_is_told(starter):
    plain = verdict_of(starter, colour="#1f4e8c")
    assert (plain["rgb"], plain["beside"], plain["alike"]) == ("#1f4e8c", "#ffffff", [])
    assert plain["contrast"] > plain["least"]
    assert verdict_of(starter, colour="#1f4e8c", on="#2b2b2b")["contrast"] < 4.5
    assert verdict_of(starter, colour="tile.yellow")["rgb"].startswith("#")
    near = verdict_of(starter, colour="#20508f", company="SVR", field="colour")["alike"]
    assert [each["company"] for each in near] == ["NVR"]
    assert near[0]["vision"] == "normal"
    assert verdict_of(starter, colour="#1f4e8c", company="NVR", field="colour")["alike"] == []


def test_companies_that_only_the_colour_blind_confuse_are_told(starter):
    ops = [
        {
            "op": "put",
            "file": "companies.json",
            "pointer": "/companies/NVR/colour",
            "value": "#a52a2a",
        }
    ]
    starter(do="edit", label="red", ops=ops)
    near = verdict_of(starter, colour="#008000", company="SVR", field="colour")["alike"]
    assert [(each["company"], each["vision"]) for each in near] == [("NVR", "deuteranopia")]


@pytest.mark.parametrize("colour", ["", "red", "#12", "tile.nothing"])
def test_what_is_no_colour_is_refused(starter, colour):
    with pytest.raises(CannotRun):
        verdict_of(starter, colour=colour)


def test_the_page_knows_where_each_block_stands(tmp_path):
    new_title(tmp_path / "t")
    view = View(tmp_path / "t", "", "short")
    view.reload()
    origins = view.origins()
    assert origins[""] == ["title.json", ""]
    assert origins["/trains"] == ["trains.json", "/trains"]
    assert origins["/maps/main"] == ["map.json", "/map"]
    assert origins["/bank"] == ["title.json", "/variants/short/patch/bank"]
