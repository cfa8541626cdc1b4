"""Another id for what has one, everywhere that it is referred to."""

from __future__ import annotations

import json

import pytest

from often import often
from platelayer.definitions.titles import read_title
from platelayer.studio.desk import read_action
from platelayer.studio.folder import Folder
from platelayer.studio.view import OfMap, View, empty_places, things
from platelayer.studio.workspace import Workspace
from studio.conftest import copy_of

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")
NEW = {"hex": "Z99", "tile": "X99", "company": "NEW", "private": "NP", "train": "99", "phase": "99"}


def of(folder):
    view = View(folder, "", None)
    view.reload()
    return Workspace(Folder(folder, writable=True)), view


def faults(folder):
    return sorted((each.code, each.message) for each in read_title(folder).problems)


@pytest.mark.parametrize("title", often(TITLES, "18eu", "1841"))
def test_everything_has_a_place_and_a_target(title, tmp_path):
    _, view = of(copy_of(title, tmp_path / "t"))
    found = things(view)
    assert {each["kind"] for each in found} >= {"tile", "company", "train", "phase"}
    hexes = {f"hex:{board.id}/{name}" for board in view.title.maps for name in board.by_id}
    assert {each["target"] for each in found} <= {"", *view.manifest.by_key, *hexes}
    without = {each["kind"] for each in found if not each["target"]}
    assert without <= {"phase", "tile"}


@pytest.mark.parametrize("title", often(TITLES, "18eu", "1841"))
def test_one_of_each_kind_is_renamed_and_the_title_stays_sound(title, tmp_path):
    folder = copy_of(title, tmp_path / "t")
    before = faults(folder)
    workspace, view = of(folder)
    seen = set()
    for thing in things(view):
        kind = thing["kind"]
        if kind in seen or not thing["own"]:
            continue
        seen.add(kind)
        op = {
            "op": "rename",
            "pointer": thing["pointer"],
            "key": NEW[kind] if kind != "hex" else _free(view),
        }
        read_action(json.dumps({"do": "edit", "label": "Rename", "ops": [op]}).encode()).answer(
            workspace, view
        )
        workspace.save(workspace.savable)
        assert faults(folder) == before, thing
        view.reload()
    assert seen >= {"company", "train", "phase"}
    for _ in seen:
        workspace.undo()


def _free(view):
    """A coordinate beside the map, where no hex is."""
    board = view.title.maps[0]
    return empty_places(view, OfMap(board.id))["places"][0][0]


def test_facts_in_texts_follow_a_rename(tmp_path):
    folder = copy_of("lost-atlas", tmp_path / "t")
    before = faults(folder)
    workspace, view = of(folder)
    op = {"op": "rename", "pointer": "/companies/EA", "key": "NEW"}
    read_action(json.dumps({"do": "edit", "label": "Rename", "ops": [op]}).encode()).answer(
        workspace, view
    )
    workspace.save(workspace.savable)
    assert faults(folder) == before
    written = (folder / "companies.json").read_text(encoding="utf-8")
    assert "which costs {company.NEW.station.2}" in written
    assert "{company.EA." not in written
