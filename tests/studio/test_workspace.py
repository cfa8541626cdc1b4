"""The texts that are edited: every step can be taken back, and nothing that anybody wrote is
lost."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from platelayer.studio.desk import Desk, Save, read_action
from platelayer.studio.editing import (
    Editor,
    Put,
    RemoveHexes,
    Rename,
    Write,
    changes,
)
from platelayer.studio.folder import Changed, Folder, Missing, Refused
from platelayer.studio.view import View
from platelayer.studio.workspace import Kept, Stale, Workspace, _parts, changed, difference
from studio.conftest import copy_of, small_title

TEXTS = st.text(alphabet="ab\n\u00e9\U0001f682", max_size=12)


@pytest.fixture
def files(tmp_path: Path) -> Workspace:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("one\ntwo\nthree\n", encoding="utf-8")
    return Workspace(Folder(tmp_path))


@pytest.fixture
def title(tmp_path: Path) -> tuple[Workspace, View]:
    return opened(small_title(tmp_path / "title"))


def opened(folder: Path) -> tuple[Workspace, View]:
    workspace = Workspace(Folder(folder))
    view = View(workspace.folder.root, "", None)
    view.reload()
    return workspace, view


def do(title: tuple[Workspace, View], *ops) -> None:
    workspace, view = title
    editor = Editor(workspace, view)
    editor.do(ops)
    workspace.edit("a step", editor.edits)
    view.reload(workspace.texts)


def hexagon(title: tuple[Workspace, View], name: str) -> dict:
    return json.loads(title[0].open("map.json").text)["map"]["hexes"][name]


def disk(files: Workspace, name: str = "a.md") -> str:
    return (files.folder.root / name).read_text(encoding="utf-8")


def write(files: Workspace, text: str, name: str = "a.md") -> None:
    (files.folder.root / name).write_text(text, encoding="utf-8")
    files.refresh("outside")


@given(TEXTS, TEXTS)
def test_a_difference_makes_one_text_of_another_as_the_page_sees_it(
    before: str, after: str
) -> None:
    edit = difference("a", before, after)
    assert before[: edit.at] + edit.inserted + before[edit.at + len(edit.removed) :] == after
    assert changed(before, _parts(before, edit)) == after


def test_what_was_typed_in_one_go_is_one_step(files: Workspace) -> None:
    for number, letter in enumerate("xyz"):
        parts = [*([number] if number else []), [0, letter], 14]
        files.type("a.md", number, [parts], label="typing", group="1", by="page")
    assert files.open("a.md").text == "xyzone\ntwo\nthree\n"
    assert files.since("a.md", 1) == (([1, [0, "y"], 14], "page"), ([2, [0, "z"], 14], "page"))
    assert files.undo() == "typing"
    assert files.open("a.md").text == "one\ntwo\nthree\n"
    assert files.next_undo is None


def test_typing_into_an_older_text_is_sent_again(files: Workspace) -> None:
    files.replace("form", {"a.md": "1\ntwo\nthree\n"})
    with pytest.raises(Stale):
        files.type("a.md", 0, [[[0, "x"], 14]], label="typing", group="", by="page")
    with pytest.raises(Refused, match="another text"):
        files.type("a.md", 1, [[[0, "x"], 14]], label="typing", group="", by="page")


def test_what_others_write_elsewhere_in_the_file_is_taken_in(files: Workspace) -> None:
    files.replace("mine", {"a.md": "ONE\ntwo\nthree\n"})
    write(files, "one\ntwo\nTHREE and four\n")
    assert files.open("a.md").text == "ONE\ntwo\nTHREE and four\n"
    assert files.conflicts == {}
    files.save(files.savable)
    assert disk(files) == "ONE\ntwo\nTHREE and four\n"
    assert files.undo() == "outside"
    assert files.open("a.md").text == "ONE\ntwo\nthree\n"


@pytest.mark.parametrize("mine", [True, False])
def test_of_two_texts_for_one_place_a_person_chooses(files: Workspace, mine: bool) -> None:
    files.replace("mine", {"a.md": "MINE\ntwo\nthree\n"})
    write(files, "THEIRS\ntwo\nthree\n")
    assert files.conflicts == {"a.md": "changed"}
    assert files.savable == ()
    with pytest.raises(Changed):
        files.save(["a.md"])
    assert disk(files).startswith("THEIRS")
    files.settle("a.md", mine=mine, label="outside")
    files.save(files.savable)
    assert disk(files) == ("MINE" if mine else "THEIRS") + "\ntwo\nthree\n"
    if not mine:
        files.undo()
        assert files.open("a.md").text == "MINE\ntwo\nthree\n"


def test_a_file_that_is_gone_can_be_written_again(files: Workspace) -> None:
    files.replace("mine", {"a.md": "mine"})
    (files.folder.root / "a.md").unlink()
    files.refresh("outside")
    assert files.conflicts == {"a.md": "gone"}
    files.settle("a.md", mine=True)
    files.save(["a.md"])
    assert disk(files) == "mine"


def test_a_file_that_was_away_has_its_history(files: Workspace) -> None:
    files.replace("mine", {"a.md": "ONE\ntwo\nthree\n"})
    files.save(["a.md"])
    path = files.folder.root / "a.md"
    path.rename(path.with_suffix(".aside"))
    files.refresh("outside")
    assert (files.unsaved, files.versions) == ((), {})
    with pytest.raises(Missing):
        files.open("a.md")
    path.with_suffix(".aside").rename(path)
    files.refresh("outside")
    assert files.versions == {"a.md": 1}
    assert files.undo() == "mine"
    assert files.open("a.md").text == "one\ntwo\nthree\n"


def test_a_step_about_a_file_that_is_gone_can_be_taken_back(files: Workspace) -> None:
    files.replace("both", {"a.md": "ONE\ntwo\nthree\n", "b.md": "ONE\ntwo\nthree\n"})
    files.replace("mine", {"b.md": "ONE\ntwo\nTHREE\n"})
    files.save(files.savable)
    (files.folder.root / "a.md").unlink()
    files.refresh("outside")
    assert [files.undo(), files.undo(), files.undo()] == ["mine", "both", None]
    assert files.open("b.md").text == "one\ntwo\nthree\n"
    assert files.conflicts == {"a.md": "gone"}
    files.settle("a.md", mine=False)
    assert (files.unsaved, files.conflicts) == (("b.md",), {})
    files.redo()
    assert files.open("a.md").text == "ONE\ntwo\nthree\n"


def test_a_file_whose_text_was_given_up_is_taken_as_it_comes_back(files: Workspace) -> None:
    files.replace("mine", {"a.md": "mine"})
    path = files.folder.root / "a.md"
    path.rename(path.with_suffix(".aside"))
    files.refresh("outside")
    files.settle("a.md", mine=False)
    path.with_suffix(".aside").rename(path)
    files.refresh("outside")
    assert (files.open("a.md").text, files.unsaved) == (disk(files), ())
    assert files.undo() == "outside"
    assert files.open("a.md").text == "mine"


def test_typing_into_what_was_deleted_and_made_anew_is_sent_again(files: Workspace) -> None:
    assert files.open("a.md").version == 0
    (files.folder.root / "a.md").unlink()
    files.refresh("outside")
    write(files, "ONE\nTWO\nTHREE\n")
    with pytest.raises(Stale):
        files.type("a.md", 0, [[[3, "x"], 11]], label="typing", group="", by="page")
    assert files.since("a.md", 0) == (([[13, "ONE", "TWO", "THREE"], 1], ""),)


def test_a_conflict_ends_when_the_file_is_as_it_was(files: Workspace) -> None:
    files.replace("mine", {"a.md": "MINE\ntwo\nthree\n"})
    write(files, "THEIRS\ntwo\nthree\n")
    write(files, "one\ntwo\nthree\n")
    assert files.conflicts == {}
    (files.folder.root / "a.md").unlink()
    files.refresh("outside")
    assert files.conflicts == {"a.md": "gone"}
    write(files, "one\ntwo\nthree\n")
    assert files.conflicts == {}
    assert files.save(files.savable) == ("a.md",)


def test_other_line_ends_are_no_conflict(files: Workspace) -> None:
    files.replace("mine", {"a.md": "one\ntwo\nthree\nfour\n"})
    (files.folder.root / "a.md").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    files.refresh("outside")
    assert files.conflicts == {}
    files.save(files.savable)
    assert (files.folder.root / "a.md").read_bytes() == b"one\r\ntwo\r\nthree\r\nfour\r\n"


def test_going_back_takes_what_is_on_disk_by_now(files: Workspace) -> None:
    files.replace("mine", {"a.md": "MINE\ntwo\nthree\n", "b.md": "mine"})
    write(files, "THEIRS\ntwo\nthree\n")
    (files.folder.root / "b.md").unlink()
    files.refresh("outside")
    files.revert("back")
    assert files.open("a.md").text == disk(files)
    assert (files.unsaved, files.conflicts, files.versions) == ((), {}, {"a.md": 3})
    assert files.undo() == "back"
    assert files.open("a.md").text == "MINE\ntwo\nthree\n"
    assert files.open("b.md").text == "mine"


def test_of_some_files_those_that_can_be_saved_are(files: Workspace) -> None:
    files.replace("mine", {"a.md": "mine", "b.md": "mine"})
    with pytest.raises(Refused, match="there is no"):
        files.save(["c.md", "a.md"])
    assert disk(files) == "mine"


def test_what_is_typed_is_taken_whole_or_not_at_all(files: Workspace) -> None:
    with pytest.raises(Refused, match="another text"):
        files.type("a.md", 0, [[[0, "x"], 14], [[0, "y"], 14]], label="typing", group="", by="page")
    assert (files.open("a.md").text, files.open("a.md").version) == ("one\ntwo\nthree\n", 0)


def test_what_cannot_be_changed_here_is_followed_too(files: Workspace) -> None:
    looked_at = Workspace(Folder(files.folder.root, writable=False))
    looked_at.open("a.md")
    write(looked_at, "other")
    assert looked_at.open("a.md").text == "other"


def test_a_whole_text_has_the_ends_of_lines_of_all(files: Workspace) -> None:
    do((files, View(files.folder.root, "", None)), Write("a.md", "1\r\n2\r3\n"))
    assert files.open("a.md").text == "1\n2\n3\n"


def test_what_was_not_saved_is_there_again(files: Workspace) -> None:
    files.replace("mine", {"a.md": "mine"})
    files.replace("mine", {"b.md": "two\nthree\n"})
    kept = msgspec.json.decode(files.unsaved_json(), type=dict[str, Kept])
    (files.folder.root / "b.md").write_text("other", encoding="utf-8")
    later = Workspace(files.folder)
    later.restore(kept, "restored")
    assert later.open("a.md").text == "mine"
    assert later.conflicts == {"b.md": "changed"}
    assert later.open("b.md").text == "two\nthree\n"
    assert later.undo() == "restored"


def test_a_step_is_taken_whole_or_not_at_all(title) -> None:
    before = title[0].open("map.json").text
    with pytest.raises(Refused, match="Z99"):
        do(title, Put("map.json", "/map/name", "New"), RemoveHexes("main", ["Z99"]))
    assert title[0].open("map.json").text == before
    assert title[0].next_undo is None


JSON = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from(["x", "y"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc~/"), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_changes_make_one_value_of_another(tmp_path_factory, before, after) -> None:
    folder = tmp_path_factory.mktemp("changes")
    (folder / "a.json").write_text(json.dumps({"v": before}), encoding="utf-8")
    workspace = Workspace(Folder(folder))
    editor = Editor(workspace, None)
    for work, *what in changes(before, after, "/v"):
        editor.change("a.json", work, *what)
    workspace.edit("a step", editor.edits)
    assert json.loads(workspace.open("a.json").text) == {"v": after}


def test_what_was_not_saved_of_files_that_have_changed_or_are_gone_is_there_again(
    files: Workspace,
) -> None:
    files.replace("mine", {"a.md": "ONE\ntwo\nthree\n", "b.md": "mine"})
    kept = msgspec.json.decode(files.unsaved_json(), type=dict[str, Kept])
    (files.folder.root / "a.md").write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")
    (files.folder.root / "b.md").unlink()
    later = Workspace(files.folder)
    later.restore(kept, "restored")
    assert later.open("a.md").text == "ONE\ntwo\nthree\nfour\n"
    assert later.open("b.md").text == "mine"
    assert later.conflicts == {"b.md": "gone"}
    later.settle("b.md", mine=True)
    assert later.save(later.savable) == ("a.md", "b.md")


def test_what_another_has_saved_already_is_no_conflict(files: Workspace) -> None:
    files.replace("mine", {"a.md": "mine"})
    (files.folder.root / "a.md").write_text("mine", encoding="utf-8")
    later = Workspace(files.folder)
    later.restore(msgspec.json.decode(files.unsaved_json(), type=dict[str, Kept]), "restored")
    assert (later.unsaved, later.conflicts) == ((), {})


def test_what_is_saved_elsewhere_at_the_same_time_is_noticed(tmp_path: Path) -> None:
    desk = Desk(Folder(small_title(tmp_path / "title")), "run")
    desk.follow()
    texts = {name: desk.workspace.open(name).text for name in ("map.json", "trains.json")}
    desk.workspace.replace("mine", {"map.json": texts["map.json"] + " "})
    (desk.folder.root / "trains.json").write_text(texts["trains.json"] + " ", encoding="utf-8")
    desk.answer(Save())
    assert desk.follow()
    assert desk.workspace.open("trains.json").text == texts["trains.json"] + " "
    desk.workspace.replace("mine", {"map.json": texts["map.json"]})
    desk.answer(Save())
    assert not desk.follow()


def paint(title, brush, hexagon="A3", **more) -> None:
    op = {"op": "stroke", "map": "main", "hexes": [hexagon], "brush": brush, **more}
    read_action(json.dumps({"do": "edit", "label": "x", "ops": [op]}).encode()).answer(*title)
    title[1].reload(title[0].texts)


def test_a_name_is_that_of_the_language_where_there_are_several(title) -> None:
    paint(title, {"brush": "name", "text": "Hilltown", "language": "en"}, "B4")
    assert hexagon(title, "B4")["name"] == "Hilltown"
    do(title, Put("map.json", "/map/hexes/B4/name", {"en": "Hilltown", "ja": "\u4e18"}))
    paint(title, {"brush": "name", "text": "Hill Town", "language": "en"}, "B4")
    assert hexagon(title, "B4")["name"] == {"en": "Hill Town", "ja": "\u4e18"}
    paint(title, {"brush": "name", "text": "", "language": "en"}, "B4")
    assert "name" not in hexagon(title, "B4")


def test_a_brush_leaves_a_hex_with_an_error_alone(title) -> None:
    do(title, Put("map.json", "/map/hexes/A3", {"stops": 3}))
    brush = read_action(
        b'{"do":"edit","label":"x","ops":[{"op":"stroke","map":"main","hexes":["A3"],"brush":{"brush":"clear"}}]}'
    )
    with pytest.raises(Refused, match="error"):
        brush.answer(*title)


@pytest.mark.parametrize(
    ("of", "pointer", "key"),
    [
        ("1841", "/phases/4", "zz"),
        ("18eu", "/trains/3", "zz"),
        ("18eu", "/maps/main/hexes/F1", "Z99"),
        ("lost-atlas", "/companies/AD", "zz"),
        ("18cz", "/trains/b", "zz"),
    ],
)
def test_a_name_is_changed_wherever_it_is_referred_to(tmp_path, of, pointer, key) -> None:
    title = opened(copy_of(of, tmp_path / of))
    before = {problem.code for problem in title[1].read_problems}
    value = title[1].loaded.assembled.value
    do(title, Rename(pointer, key))
    assert {problem.code for problem in title[1].read_problems} == before
    now = title[1].loaded.assembled.value
    block, *_, old = pointer.strip("/").split("/")
    assert len(json.dumps(now)) != len(json.dumps(value)) or key != old
    assert key in json.dumps(now[block])
    title[0].undo()
    title[1].reload(title[0].texts)
    assert title[1].loaded.assembled.value == value


def test_what_cannot_be_renamed_is_refused(title) -> None:
    with pytest.raises(Refused, match="already"):
        do(title, Rename("/maps/main/hexes/A3", "B2"))
    (title[0].folder.root / "title.json").write_text("{", encoding="utf-8")
    title[0].refresh("outside")
    with pytest.raises(Refused, match="correct"):
        do(title, Rename("/maps/main/hexes/A3", "C9"))


def test_painted_hexes_are_shown_before_the_map_is(title):
    workspace, view = title
    stroke = {
        "op": "stroke",
        "map": "main",
        "hexes": ["C1"],
        "brush": {"brush": "terrain", "terrain": "forest"},
    }
    asks = {"do": "edit", "label": "Paint", "ops": [stroke]}
    shown = read_action(json.dumps({**asks, "language": "en", "theme": "classic"}).encode()).answer(
        workspace, view
    )
    assert [*shown["hexes"]] == ["C1"]
    assert shown["hexes"]["C1"].startswith("<?xml") or "<svg" in shown["hexes"]["C1"]
    assert shown["revision"] == workspace.revision
    assert "forest" in workspace.open("map.json").text
    assert read_action(json.dumps(asks).encode()).answer(workspace, view)["hexes"] == {}
