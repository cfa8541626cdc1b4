"""A title with errors: what they do not touch is shown as it is, what they touch as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from platelayer.studio.pictures import Pictures
from platelayer.studio.view import View
from studio.conftest import small_title, version, wait_for_new
from studio.test_live import opened, rename

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#ff0000"/></svg>'


@pytest.fixture
def view(tmp_path: Path) -> View:
    made = View(small_title(tmp_path / "title"), "", None)
    made.reload()
    return made


def change(view: View, name: str, edit) -> None:
    path = view.folder / name
    value = json.loads(path.read_text(encoding="utf-8"))
    edit(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def codes(view: View) -> set[str]:
    return {problem.code for problem in view.found("en", "classic")}


def the_map(view: View) -> bytes:
    return Pictures().face(view, "map:main", "en", "classic", 0).svg


def new_name(view: View, name: str = "Elsewhere") -> None:
    change(view, "map.json", lambda value: value["map"].update(name=name))


def test_a_box_that_does_not_match_leaves_the_rest_as_it_is(view: View) -> None:
    change(view, "title.json", lambda value: value["pieces"].update(box={"tile": 1}))
    new_name(view)
    view.reload()
    assert "BX01" in codes(view)
    assert view.title.maps[0].name.get("en") == "Elsewhere"
    assert (view.broken, view.kept) == (False, ())


def test_a_hex_with_an_error_stands_as_it_was(view: View) -> None:
    before = {hexagon.id: hexagon for hexagon in view.title.maps[0].hexes}
    change(view, "map.json", lambda value: value["map"]["hexes"]["B2"].update(stops=3))
    change(view, "map.json", lambda value: value["map"]["hexes"]["A3"].update(name="Renamed"))
    view.reload()
    now = {hexagon.id: hexagon for hexagon in view.title.maps[0].hexes}
    assert "SC01" in codes(view)
    assert now["B2"] == before["B2"]
    assert now["A3"].name.get("en") == "Renamed"


def test_a_file_that_is_no_json_is_kept_and_the_others_go_on(view: View) -> None:
    hexes = view.title.maps[0].hexes
    text = (view.folder / "map.json").read_text(encoding="utf-8")
    (view.folder / "map.json").write_text("{", encoding="utf-8")
    change(view, "title.json", lambda value: value.update(name="Another"))
    view.reload()
    assert view.kept == ("map.json",)
    assert codes(view) == {"JS01"}
    assert view.title.name.get("en") == "Another"
    assert view.title.maps[0].hexes == hexes
    (view.folder / "map.json").unlink()
    view.reload()
    assert view.kept == ("map.json",)
    assert codes(view) == {"RF08"}
    (view.folder / "map.json").write_text(text, encoding="utf-8")
    view.reload()
    assert view.kept == ()
    assert codes(view).isdisjoint({"JS01", "RF08"})


def test_what_is_new_and_has_an_error_is_left_out(view: View) -> None:
    change(view, "map.json", lambda value: value["map"]["hexes"].update(Z99={"stops": 3}))
    view.reload()
    assert "DR01" in codes(view)
    assert "Z99" not in {hexagon.id for hexagon in view.title.maps[0].hexes}


def test_a_colour_that_no_theme_has_does_not_stop_the_map(view: View) -> None:
    river = {"edge": 0, "kind": "river", "colour": "mauve"}
    change(view, "map.json", lambda value: value["map"]["hexes"]["B4"].update(borders=[river]))
    new_name(view)
    view.reload()
    for _ in view.judge("classic"):
        pass
    assert "RF22" in codes(view)
    assert view.title.maps[0].name.get("en") == "Elsewhere"
    assert the_map(view)


def test_pictures_are_in_a_draft_unless_they_cannot_be_read(view: View) -> None:
    (view.folder / "logo.svg").write_text(LOGO, encoding="utf-8")
    change(view, "title.json", lambda value: value.update(pictures={"logo": "logo.svg"}))
    change(view, "companies.json", lambda value: value["companies"]["NVR"].update(logo="logo"))
    change(view, "map.json", lambda value: value["map"]["hexes"]["A3"].update(stops=3))
    view.reload()
    assert [picture.id for picture in view.title.pictures] == ["logo"]
    (view.folder / "logo.svg").write_text("<svg", encoding="utf-8")
    view.reload()
    assert {"PI01", "DR01"} <= codes(view)
    assert view.title.pictures == ()


def test_a_page_goes_on_beside_an_error(studio, page) -> None:
    opened(page, studio)
    title = json.loads((studio.folder / "title.json").read_text(encoding="utf-8"))
    title["pieces"]["box"] = {"tile": 1}
    (studio.folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
    page.wait_for_function("() => document.querySelector('.problems').textContent.includes('BX01')")
    before = version(page)
    rename(studio.folder, "Beside an error")
    wait_for_new(page, before)
    before = version(page)
    path = studio.folder / "companies.json"
    path.write_text("{", encoding="utf-8")
    page.wait_for_function(
        "() => document.body.textContent.includes('companies.json cannot be read as it is now')"
    )
    rename(studio.folder, "Beside a broken file")
    wait_for_new(page, before)
