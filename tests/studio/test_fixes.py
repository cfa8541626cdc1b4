"""Problems offer their fix: one step, which can be undone."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from platelayer.foundation.problems import Problem
from platelayer.studio.editing import AnyOp, Editor, Waive
from platelayer.studio.folder import Folder, Refused
from platelayer.studio.view import View, fixes
from platelayer.studio.workspace import Workspace
from studio.conftest import copy_of, small_title, until


def opened(folder: Path) -> tuple[Workspace, View]:
    workspace = Workspace(Folder(folder))
    view = View(workspace.folder.root, "", None)
    view.reload()
    return workspace, view


def change(folder: Path, name: str, before: str, after: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def problems(view: View, code: str) -> list[dict]:
    for _ in view.judge("classic"):
        pass
    return [view.as_json(problem) for problem in view.problems if problem.code == code]


def fix(workspace: Workspace, view: View, offered: dict, **given: str) -> None:
    ops = msgspec.convert([{**op, **given} for op in offered["ops"]], list[AnyOp])
    editor = Editor(workspace, view)
    editor.do(ops)
    workspace.edit("a fix", editor.edits)
    view.reload(workspace.texts)


def test_a_misspelled_key_is_respelled_and_back(tmp_path):
    folder = small_title(tmp_path / "title")
    change(folder, "map.json", '"name"', '"nmae"')
    workspace, view = opened(folder)
    (problem,) = problems(view, "SC02")
    (offered,) = problem["fixes"]
    assert (offered["kind"], offered["word"]) == ("meant", "name")
    before = workspace.open("map.json").text
    fix(workspace, view, offered)
    assert problems(view, "SC02") == []
    assert workspace.open("map.json").text == before.replace('"nmae"', '"name"')
    workspace.undo()
    assert workspace.open("map.json").text == before


def test_a_misspelled_value_is_respelled(tmp_path):
    folder = small_title(tmp_path / "title")
    change(folder, "map.json", '"layout": "', '"layout": "x')
    workspace, view = opened(folder)
    offered = [each for problem in view.read_problems for each in view.as_json(problem)["fixes"]]
    (offered,) = [each for each in offered if each["kind"] == "meant"]
    fix(workspace, view, offered)
    assert view.read_problems == ()


def test_words_that_are_allowed_are_not_those_that_are_wrong():
    message = 'unknown key "nmae"; allowed here: "name", "layout"'
    problem = Problem(
        code="SC02", message=message, hint='did you mean "name"?', pointer="/map/nmae"
    )
    (offered,) = fixes(problem, "map.json")
    assert offered["ops"][0]["words"] == ["nmae"]


def test_a_file_outside_the_folder_is_not_fixed():
    problem = Problem(code="BX01", message="", pointer="/pieces/box/tile")
    assert fixes(problem, "/elsewhere/title.json") == []
    assert fixes(problem, "title.json") != []


def test_the_box_is_accepted(tmp_path):
    workspace, view = opened(small_title(tmp_path / "title"))
    path = "title.json"
    value = json.loads(workspace.open(path).text)
    totals = view.manifest.totals
    value.setdefault("pieces", {})["box"] = {"tile": totals["tile"] + 1}
    workspace.replace("a wrong count", {path: json.dumps(value, indent=2)})
    view.reload(workspace.texts)
    (problem,) = problems(view, "BX01")
    fix(workspace, view, problem["fixes"][0])
    assert problems(view, "BX01") == []
    assert json.loads(workspace.open(path).text)["pieces"]["box"] == {"tile": totals["tile"]}
    assert (
        json.loads((workspace.folder.root / path).read_text(encoding="utf-8")) != value
    )  # not on disk yet


def test_a_finding_is_waived_with_a_reason(tmp_path):
    folder = copy_of("18cz", tmp_path / "18cz")
    value = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    waivers = value.pop("waivers")
    (folder / "title.json").write_text(json.dumps(value), encoding="utf-8")
    workspace, view = opened(folder)
    for _ in view.judge("classic"):
        pass
    waivable = [
        each for p in view.problems for each in view.as_json(p)["fixes"] if each["kind"] == "waive"
    ]
    assert len(waivable) >= len(waivers) > 0
    with pytest.raises(Refused, match="reason"):
        fix(workspace, view, waivable[0])
    for offered in waivable[:2]:
        fix(workspace, view, offered, reason="as published")
    given = [{key: offered["ops"][0][key] for key in ("code", "at")} for offered in waivable[:2]]
    assert json.loads(workspace.open("title.json").text)["waivers"] == [
        {**g, "reason": "as published"} for g in given
    ]
    left = [(each.code, each.about) for each in view.problems if each.severity.word != "note"]
    assert not {(each["code"], each["at"]) for each in given} & set(left)


def test_waive_is_refused_without_words(tmp_path):
    workspace, view = opened(small_title(tmp_path / "title"))
    with pytest.raises(Refused, match="reason"):
        Editor(workspace, view).do([Waive(code="UP06", at="*", reason="  ")])


def test_the_list_of_problems_fixes_and_undoes(studio, page):
    change(studio.folder, "map.json", '"name"', '"nmae"')
    page.goto(f"{studio.address}#map")
    offered = page.locator(".problems .fix", has_text="Write “name”")
    offered.click()
    offered.wait_for(state="detached")
    assert page.locator(".saved").inner_text() == "Not saved"
    page.keyboard.press("Control+z")
    offered.wait_for()
    until(lambda: '"nmae"' in (studio.folder / "map.json").read_text(encoding="utf-8"))
