"""Shipped titles made one's own."""

from __future__ import annotations

import json

import pytest

from platelayer.foundation.problems import CannotRun
from platelayer.foundation.resources import asset_path, title_ids, title_path
from platelayer.pipeline.scaffold import copy_title
from platelayer.studio import answers as bring
from platelayer.studio.folder import Folder
from studio.test_live import opened


@pytest.mark.parametrize("shipped", title_ids())
def test_a_copy_is_the_title_with_an_id_of_its_own(tmp_path, shipped):
    from platelayer.definitions.titles import load_title

    files = copy_title(shipped, tmp_path / "My Title")
    assert json.loads((tmp_path / "My Title" / "title.json").read_text())["id"] == "my-title"
    for name in files:
        if name.endswith(".json") and "/" not in name:
            schema = json.loads((tmp_path / "My Title" / name).read_text())["$schema"]
            assert (tmp_path / "My Title" / schema).is_file()
    before, after = (load_title(each) for each in (title_path(shipped), tmp_path / "My Title"))
    assert [each.code for each in after.problems] == [each.code for each in before.problems]


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(CannotRun, match="not an empty folder"):
        copy_title("18eu", tmp_path / "mine")
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("shipped", ["", "nothing", "../titles/18eu", "18eu/"])
def test_only_shipped_titles_are_copied(tmp_path, shipped):
    with pytest.raises(CannotRun):
        copy_title(shipped, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["", "..", "a/b", "/tmp/x", ".hidden", "a" * 41, "日本"])
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotRun, match="letters, digits"):
        bring.make_mine(Folder(title_path("18eu"), writable=False), bring.Named(name))
    assert not any(tmp_path.iterdir())


def test_a_copy_is_made_where_the_studio_was_started_but_not_within_platelayer(
    tmp_path, monkeypatch
):
    shipped = Folder(title_path("18eu"), writable=False)
    monkeypatch.chdir(tmp_path)
    assert bring.make_mine(shipped, bring.Named("mine"))["path"] == str(tmp_path / "mine")
    with pytest.raises(CannotRun, match="already exists"):
        bring.make_mine(shipped, bring.Named("mine"))
    with pytest.raises(CannotRun, match="yours already"):
        bring.make_mine(Folder(tmp_path / "mine"), bring.Named("again"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(asset_path("titles"))
    assert bring.own_place() == tmp_path


@pytest.mark.slow
def test_a_shipped_title_is_made_mine(begin, page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened(page, begin("18eu"))
    page.get_by_role("button", name="Make it mine").click()
    box = page.get_by_role("dialog")
    assert str(tmp_path) in box.inner_text()
    box.get_by_label("Folder").fill("my-eu")
    box.get_by_role("button", name="Make it mine").click()
    box.get_by_text("Open it with").wait_for()
    assert json.loads((tmp_path / "my-eu" / "title.json").read_text())["id"] == "my-eu"


@pytest.mark.slow
def test_an_empty_folder_starts_from_a_shipped_title(begin, page, tmp_path):
    (tmp_path / "mine").mkdir()
    page.goto(begin(tmp_path / "mine").address)
    page.get_by_role("button", name="Copy an included title").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Title", exact=True).select_option("1841")
    box.get_by_role("button", name="Create").click()
    page.wait_for_selector(".viewer[data-version]")
    assert json.loads((tmp_path / "mine" / "title.json").read_text())["id"] == "mine"
    assert page.get_by_role("button", name="Make it mine").count() == 0
