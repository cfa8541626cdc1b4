"""What the studio keeps of a title: problems found in slices, pictures drawn before a page asks for
them."""

from __future__ import annotations

import asyncio
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from platelayer.foundation.problems import Severity, has_errors
from platelayer.foundation.resources import title_path
from platelayer.foundation.values import Json
from platelayer.model.kinds import Piece
from platelayer.pipeline import faces
from platelayer.pipeline.load import check
from platelayer.studio.answers import Answers
from platelayer.studio.desk import Desk, Page
from platelayer.studio.folder import Folder
from platelayer.studio.view import OfMap, View, empty_places
from studio.conftest import small_title

LOOKS = {"number": 1, "at": "", "variant": None, "lang": "en", "theme": "classic"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_title(tmp_path / "title")


def name_map(folder: Path, name: str) -> None:
    value = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    value["map"]["name"] = name
    (folder / "map.json").write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pieces that are drawn from now on."""
    found: list[str] = []
    plain = faces.drawn_faces

    def noting(sources: faces.Sources, piece: Piece, *given, **more):
        found.append(piece.key)
        return plain(sources, piece, *given, **more)

    monkeypatch.setattr("platelayer.studio.view.drawn_faces", noting)
    return found


def test_problems_found_in_slices_are_those_of_check(folder: Path) -> None:
    companies = json.loads((folder / "companies.json").read_text(encoding="utf-8"))
    for each in companies["companies"].values():
        each["name"] = (
            "A name that is by far too long for any roundel, charter or certificate in the box " * 3
        )
    (folder / "companies.json").write_text(json.dumps(companies), encoding="utf-8")
    view = View(folder, "", None)
    view.reload()
    steps = [*view.judge("classic"), *view.proofs("en", "classic")]
    assert len(steps) > len(view.title.companies)
    found = {
        (each.code, each.about)
        for each in view.found("en", "classic")
        if each.severity is not Severity.NOTE
    }
    told = {
        (each.code, each.about) for each in check(str(folder)) if each.severity is not Severity.NOTE
    }
    assert any(code.startswith("LG") for code, _ in told)
    assert found == told


def test_a_search_that_an_edit_ends_keeps_what_it_has_found(folder: Path, drawn: list[str]) -> None:
    view = View(folder, "", None)
    view.reload()
    steps = view.proofs("en", "classic")
    while len(drawn) < 6:
        next(steps)
    done = drawn[1:-1]
    name_map(folder, "Elsewhere")
    view.reload()
    drawn.clear()
    for _ in view.proofs("en", "classic"):
        pass
    assert drawn[0].startswith("map:")
    assert not set(done) & set(drawn)
    drawn.clear()
    assert [*view.proofs("en", "classic")] == []
    assert drawn == []


def test_what_a_page_looks_at_is_drawn_once_and_before_it_asks(
    folder: Path, drawn: list[str]
) -> None:
    async def edit_while_a_page_looks() -> None:
        desk = Desk(Folder(folder), "run")
        await desk.changed()
        page = Page()
        view = await desk.do(desk.view, "", None)
        await desk.do(desk.faces, view, "map:main", "en", "classic")
        desk.pages.add(page)
        name_map(folder, "Elsewhere")
        drawn.clear()
        await desk.changed()
        assert drawn == ["map:main"]
        await desk.do(desk.faces, view, "map:main", "en", "classic")
        for _ in await desk.do(lambda: [*view.proofs("en", "classic")]):
            pass
        assert drawn.count("map:main") == 1
        desk.close()

    with ThreadPoolExecutor(1) as aside:  # Playwright has a loop of its own in this thread
        aside.submit(asyncio.run, edit_while_a_page_looks()).result()


def test_a_page_that_comes_back_while_a_file_is_half_written_keeps_its_map(folder: Path) -> None:
    async def come_back() -> Json:
        desk = Desk(Folder(folder), "run")
        await desk.begin()
        answers, page = Answers(desk), Page()
        await answers.hear(page, json.dumps(LOOKS))
        desk.pages.discard(page)
        whole = (folder / "map.json").read_text(encoding="utf-8")
        (folder / "map.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
        again = Page()
        await answers.hear(again, json.dumps(LOOKS))
        state = {each["event"]: each["data"] for each in await again.news()}["state"]
        desk.close()
        return state

    with ThreadPoolExecutor(1) as aside:
        state = aside.submit(asyncio.run, come_back()).result()
    assert [each["id"] for each in state["maps"]] == ["main"]
    assert [*state["kept"]] == ["map.json"]


def test_facts_are_edited_as_they_are_written_and_shown_filled(folder: Path) -> None:
    title = json.loads((folder / "title.json").read_text(encoding="utf-8"))
    players = next(iter(title["players"]))
    title["players"][players]["cash"] = 345
    lines = [f"Each player has {{cash.{players}}}."]
    title["aids"] = {"start": {"name": "Start", "sections": [{"heading": "Cash", "lines": lines}]}}

    def shown() -> tuple[str, tuple[str, ...]]:
        (folder / "title.json").write_text(json.dumps(title), encoding="utf-8")
        view.reload()
        faces = desk.faces(view, "summary:start", "en", "classic")
        return view.title.aids[0].sections[0].lines[0].get("en"), tuple(face.svg for face in faces)

    view, desk = View(folder, "", None), Desk(Folder(folder), "run")
    words, before = shown()
    assert words == f"Each player has {view.title.money(345)}."
    assert view.loaded is not None
    assert view.loaded.assembled.value["aids"]["start"]["sections"][0]["lines"] == lines
    title["players"][players]["cash"] = 678
    words, after = shown()
    assert words == f"Each player has {view.title.money(678)}."
    assert before != after
    desk.close()


@pytest.mark.parametrize(
    ("file", "place", "value"),
    [
        ("map.json", ("map", "hexes", "F1", "name"), "A name that no hex has"),
        ("companies.json", ("companies", "BNR", "abilities"), ["Words without end. " * 30]),
        ("companies.json", ("companies", "BNR", "colour"), "#123456"),
        ("pieces.json", ("pieces", "sizes", "charter"), [180, 90]),
        ("title.json", ("livery",), "bohemia"),
        ("title.json", ("last_year",), 1880),
    ],
)
def test_keys_of_pieces_after_an_edit_are_those_of_a_new_studio(
    tmp_path: Path, file: str, place: tuple[str, ...], value: object
) -> None:
    """Settings of words, too, that are taken over from before the edit."""
    folder = tmp_path / "title"
    shutil.copytree(title_path("18eu"), folder)
    view, path = View(folder, "", None), folder / file
    view.reload()
    before = keys(view)
    whole = json.loads(path.read_text("utf-8"))
    inner = whole
    for key in place[:-1]:
        inner = inner.setdefault(key, {})
    inner[place[-1]] = value
    path.write_text(json.dumps(whole), encoding="utf-8")
    view.reload()
    assert not has_errors(view.read_problems)
    anew = View(folder, "", None)
    anew.reload()
    assert keys(view) == keys(anew) != before


def keys(view: View) -> dict[str, str]:
    assert view.manifest is not None
    sources = view.sources("en", "classic")
    return {piece.key: sources.key(piece) for piece in view.manifest.pieces}


def test_a_map_may_grow_by_six_rows_on_each_side(folder: Path) -> None:
    view = View(folder, "", None)
    view.reload()
    sides = empty_places(view, OfMap("main"))["sides"]
    assert {side: len(rows) for side, rows in sides.items()} == dict.fromkeys(
        ("left", "right", "top", "bottom"), 6
    )
    assert sides["left"][:2] == [["a2", "a4"], ["b1", "b3", "b5"]]
    assert sides["right"][:2] == [["G1", "G3", "G5"], ["H2", "H4"]]
